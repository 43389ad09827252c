// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that one function of the process brought serve the next.
#include "lib/JIT/KernelTable.h"

#include "lib/JIT/Compiler.h"
#include "runtime/abi/RunState.h"
#include "runtime/abi/Symbols.h"

#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

namespace kiln {
namespace {

KernelObject objectOf(size_t bytes) {
  return std::make_shared<const std::string>(bytes, 'x');
}

Digest digestOf(int number) { return Hasher().add(number).digest(); }

TEST(KernelTable, WhatWasUsedLongestAgoGoesFirst) {
  KernelTable table(/*limit=*/30);
  for (int i = 0; i < 3; ++i)
    table.insert(digestOf(i), objectOf(10));
  EXPECT_TRUE(table.find(digestOf(0)));
  table.insert(digestOf(3), objectOf(10));
  EXPECT_EQ(table.bytes(), 30u);
  EXPECT_TRUE(table.find(digestOf(0)));
  EXPECT_FALSE(table.find(digestOf(1)));
  EXPECT_TRUE(table.find(digestOf(2)));
  EXPECT_TRUE(table.find(digestOf(3)));
}

TEST(KernelTable, TheFirstObjectOfAKernelStays) {
  KernelTable table(/*limit=*/30);
  KernelObject first = objectOf(10);
  table.insert(digestOf(0), first);
  table.insert(digestOf(0), objectOf(10));
  EXPECT_EQ(table.find(digestOf(0)), first);
  EXPECT_EQ(table.bytes(), 10u);
}

TEST(KernelTable, WhatIsLargerThanTheTableIsNotKept) {
  KernelTable table(/*limit=*/30);
  table.insert(digestOf(0), objectOf(31));
  EXPECT_FALSE(table.find(digestOf(0)));
  EXPECT_EQ(table.bytes(), 0u);
}

/// Products of feeds 0 and 1, of s0 x 64 and 64 x 64 numbers; with `isSquared`
/// also the product of that with feed 1. What follows each changes no value,
/// and makes its kernel large enough to have an object on every processor: a
/// product's own code is smaller where vectors are.
std::string products(bool isSquared) {
  const std::string rows = "tensor<?x64xf32, #kiln.sym<0>>",
                    square = "tensor<64x64xf32>";
  auto product = [&](const std::string &name, const std::string &left) {
    std::string text = "  " + name + "p = kiln.matmul " + left +
                       ", %u : " + rows + ", " + square + " -> " + rows + "\n";
    std::string last = name + "p";
    for (const char *function : {"tanh", "exp", "sin", "cos", "atan", "erf"}) {
      text += "  " + name + function + " = kiln." + function + " " + last +
              " : " + rows + "\n";
      last = name + function;
    }
    return text + "  " + name + " = kiln.max " + name + "p, " + last + " : " +
           rows + "\n";
  };
  std::string source =
      "func.func @run(%x: " + rows + ", %u: " + square + ") -> (" + rows;
  source += isSquared ? ", " + rows + ") {\n" : ") {\n";
  source += product("%y", "%x");
  if (!isSquared)
    return source + "  return %y : " + rows + "\n}\n";
  return source + product("%z", "%y") + "  return %y, %z : " + rows + ", " +
         rows + "\n}\n";
}

struct Compiled {
  CompiledCode code;
  size_t numTaken = 0;
};

Compiled compileText(const std::string &source, const CompileOptions &options) {
  auto context = ContextLease::lease();
  auto module =
      mlir::parseSourceString<mlir::ModuleOp>(source, &context->mlirContext());
  CompileTimes times;
  auto code = compile(*context, *module, options, times);
  EXPECT_TRUE(code.ok()) << code.status().toString();
  return {code.ok() ? *std::move(code) : CompiledCode(),
          context->kernels().taken().size()};
}

/// The last element of each result, for 64 x 64 times 0.5 and 0.25.
std::vector<float> run(const CompiledCode &code, size_t results) {
  auto executable = Executable::link(code);
  EXPECT_TRUE(executable.ok()) << executable.status().toString();
  if (!executable.ok())
    return {};
  std::vector<std::vector<float>> memory = {std::vector<float>(4096, 0.5f),
                                            std::vector<float>(4096, 0.25f)};
  memory.resize(2 + results, std::vector<float>(4096));
  std::vector<void *> buffers;
  for (auto &buffer : memory)
    buffers.push_back(buffer.data());
  RunContext context;
  KilnRunState state = makeRunState(&context);
  int64_t symbols[] = {64};
  KilnRunArgs args = {buffers.data(), symbols, &state, runtimeSymbolTable(),
                      (*executable)->kernels()};
  (*executable)->run(args);
  std::vector<float> last;
  for (size_t i = 0; i < results; ++i)
    last.push_back(memory[2 + i].back());
  return last;
}

/// Options that no other test compiles with.
CompileOptions ownOptions(int64_t number) {
  CompileOptions options;
  options.code.minChunkOps += number;
  return options;
}

TEST(KernelUses, AKernelServesTheNextFunctionOfTheProcess) {
  for (int threads : {0, 1}) {
    CompileOptions options = ownOptions(1 + threads);
    options.threads = threads;
    Compiled first = compileText(products(false), options);
    EXPECT_EQ(first.numTaken, 0u);
    Compiled second = compileText(products(true), options);
    EXPECT_EQ(second.numTaken, 1u);
    EXPECT_EQ(run(first.code, 1), std::vector<float>({8}));
    EXPECT_EQ(run(second.code, 2), std::vector<float>({8, 128}));
  }
}

TEST(KernelUses, OtherOptionsAndInspectedCodeHaveOthers) {
  compileText(products(false), ownOptions(3));
  EXPECT_EQ(compileText(products(false), ownOptions(4)).numTaken, 0u);
  CompileOptions stopped = ownOptions(3);
  stopped.stopAfter = "assembly";
  EXPECT_EQ(compileText(products(false), stopped).numTaken, 0u);
  EXPECT_EQ(compileText(products(false), ownOptions(3)).numTaken, 1u);
}

TEST(KernelUses, AFunctionDoesNotNeedTheTableAnyMore) {
  Compiled second;
  {
    compileText(products(false), ownOptions(5));
    second = compileText(products(true), ownOptions(5));
  }
  for (int i = 0; i < 3; ++i)
    KernelTable::process().insert(digestOf(i), objectOf(KernelTable::maxBytes));
  EXPECT_EQ(compileText(products(false), ownOptions(5)).numTaken, 0u);
  EXPECT_EQ(run(second.code, 2), std::vector<float>({8, 128}));
}

} // namespace
} // namespace kiln
