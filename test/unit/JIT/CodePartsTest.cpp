// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Large modules become two objects, the same ones in whichever thread.
#include "lib/JIT/CodeParts.h"

#include "lib/JIT/Compiler.h"
#include "runtime/abi/RunState.h"
#include "runtime/abi/Symbols.h"

#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

namespace kiln {
namespace {

/// run() calls every second of `functions` functions, which calls the next;
/// each adds 1 to the result `additions` times.
std::string adders(int functions, int additions) {
  std::string source = "module attributes {kiln.buffer_counts = array<i64: 0, "
                       "0, 0, 1>} {\nfunc.func @run() {\n"
                       "%r = kiln.buffer result 0 : memref<?xf32>\n";
  for (int i = 0; i < functions; i += 2)
    source +=
        "func.call @add" + std::to_string(i) + "(%r) : (memref<?xf32>) -> ()\n";
  source += "return\n}\n";
  for (int i = 0; i < functions; ++i) {
    source += "func.func private @add" + std::to_string(i) +
              "(%r: memref<?xf32>) {\n%c0 = arith.constant 0 : index\n%one = "
              "arith.constant 1.0 : f32\n%v0 = memref.load %r[%c0] : "
              "memref<?xf32>\n";
    for (int j = 0; j < additions; ++j)
      source += "%v" + std::to_string(j + 1) + " = arith.addf %v" +
                std::to_string(j) + ", %one : f32\n";
    source += "memref.store %v" + std::to_string(additions) +
              ", %r[%c0] : memref<?xf32>\n";
    if (i % 2 == 0 && i + 1 < functions)
      source += "func.call @add" + std::to_string(i + 1) +
                "(%r) : (memref<?xf32>) -> ()\n";
    source += "return\n}\n";
  }
  return source + "}\n";
}

CompiledCode codeOf(const std::string &source, CompileOptions options = {}) {
  auto context = ContextLease::lease();
  auto module =
      mlir::parseSourceString<mlir::ModuleOp>(source, &context->mlirContext());
  options.startAt = passes::Stage::Llvm;
  CompileTimes times;
  auto code = compile(*context, *module, options, times);
  EXPECT_TRUE(code.ok()) << code.status().toString();
  return code.ok() ? *std::move(code) : CompiledCode();
}

float resultOf(const CompiledCode &code, const InspectOptions &inspect = {}) {
  auto executable = Executable::link(code, inspect);
  EXPECT_TRUE(executable.ok()) << executable.status().toString();
  if (!executable.ok())
    return -1;
  float result = 0;
  void *buffers[] = {&result};
  RunContext context;
  KilnRunState state = makeRunState(&context);
  KilnRunArgs args = {buffers, nullptr, &state, runtimeSymbolTable(),
                      (*executable)->kernels()};
  (*executable)->run(args);
  return result;
}

TEST(CodeParts, LargeModulesAreTwoObjectsThatCallEachOther) {
  CompiledCode code = codeOf(adders(7, 300));
  EXPECT_EQ(code.objects.size(), 2u);
  EXPECT_EQ(resultOf(code), 2100.0f);
  InspectOptions inspect;
  inspect.gdb = true;
  EXPECT_EQ(resultOf(code, inspect), 2100.0f);
}

TEST(CodeParts, CodeDoesNotDependOnWhoGeneratesIt) {
  std::string source = adders(7, 300);
  CompiledCode code = codeOf(source);
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(codeOf(source).objects, code.objects);
}

TEST(CodeParts, OneThreadMakesOneObject) {
  CompileOptions alone;
  alone.threads = 1;
  CompiledCode code = codeOf(adders(7, 300), alone);
  EXPECT_EQ(code.objects.size(), 1u);
  EXPECT_EQ(resultOf(code), 2100.0f);
}

TEST(CodeParts, SmallModulesAndThoseOfOneLargeFunctionStayWhole) {
  EXPECT_EQ(codeOf(adders(7, 100)).objects.size(), 1u);
  CompiledCode one = codeOf(adders(1, 3000));
  EXPECT_EQ(one.objects.size(), 1u);
  EXPECT_EQ(resultOf(one), 3000.0f);
}

TEST(CodeParts, BytesOfAllObjectsCount) {
  std::string source = adders(7, 300);
  auto bytes = [](const CompiledCode &code) {
    int64_t sum = 0;
    for (const std::string &object : code.objects)
      sum += static_cast<int64_t>(object.size());
    return sum;
  };
  CompileOptions options;
  options.maxCodeBytes = bytes(codeOf(source));
  EXPECT_EQ(codeOf(source, options).objects.size(), 2u);
  --options.maxCodeBytes;
  auto context = ContextLease::lease();
  auto module =
      mlir::parseSourceString<mlir::ModuleOp>(source, &context->mlirContext());
  options.startAt = passes::Stage::Llvm;
  CompileTimes times;
  EXPECT_EQ(compile(*context, *module, options, times).status().code(),
            StatusCode::ResourceExhausted);
}

TEST(CodeParts, APartThatIsMissingIsAnError) {
  CompiledCode code = codeOf(adders(7, 300));
  ASSERT_EQ(code.objects.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    CompiledCode half = code;
    half.objects.erase(half.objects.begin() + static_cast<int64_t>(i));
    EXPECT_EQ(Executable::link(half).status().code(), StatusCode::Internal);
  }
  EXPECT_EQ(resultOf(code), 2100.0f);
}

} // namespace
} // namespace kiln
