// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lays out buffer tables with guarded, sometimes misaligned memory, and
// compares a native run with an evaluated one.
#include "test/unit/NativeHarness.h"

#include "dialect/Types.h"
#include "lib/Eval/Evaluator.h"
#include "lib/Support/DTypeDispatch.h"
#include "runtime/FloatEnv.h"
#include "runtime/RandomStream.h"
#include "runtime/RunState.h"
#include "runtime/Symbols.h"

#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>

namespace kiln {
namespace {

constexpr size_t guardBytes = 256;
constexpr char guard = 0x5a;

/// Memory with guards on both sides, `shift` bytes behind a multiple of 64.
class GuardedMemory {
public:
  GuardedMemory(size_t bytes, size_t shift)
      : bytes(bytes), memory(bytes + 2 * guardBytes + 128, guard) {
    auto address = reinterpret_cast<uintptr_t>(memory.data()) + guardBytes;
    start = memory.data() + guardBytes + (64 - address % 64) % 64 + shift;
  }
  char *data() { return start; }
  bool isIntact() const {
    auto untouched = [](char byte) { return byte == guard; };
    return std::all_of(memory.data(), static_cast<const char *>(start),
                       untouched) &&
           std::all_of(static_cast<const char *>(start) + bytes,
                       memory.data() + memory.size(), untouched);
  }

private:
  size_t bytes;
  std::vector<char> memory;
  char *start;
};

/// Variables of the evaluator.
class TestVariables : public VariableAccess {
public:
  TestVariables(const NativeInputs &inputs) : flags(inputs.initialized) {
    for (const Tensor &value : inputs.variables)
      values.push_back(*value.clone());
    flags.resize(values.size(), inputs.initialized.empty());
  }
  StatusOr<Tensor> read(int64_t index) override {
    return values[static_cast<size_t>(index)];
  }
  Status write(int64_t index, const Tensor &value) override {
    auto copy = value.clone();
    if (!copy.ok())
      return copy.status();
    values[static_cast<size_t>(index)] = *copy;
    flags[static_cast<size_t>(index)] = true;
    return okStatus();
  }
  bool isInitialized(int64_t index) override {
    return flags[static_cast<size_t>(index)];
  }

  std::vector<Tensor> values;
  std::vector<bool> flags;
};

std::vector<std::unique_ptr<RandomStream>> makeStreams(int64_t count) {
  std::vector<std::unique_ptr<RandomStream>> streams;
  for (int64_t i = 0; i < count; ++i)
    streams.push_back(std::make_unique<RandomStream>(77 + i, 5 * i + 1));
  return streams;
}

/// A run of the evaluator and what it left behind.
struct Evaluation {
  Evaluation(mlir::ModuleOp module, const NativeInputs &inputs)
      : variables(inputs), streams(makeStreams(inputs.numStreams)) {
    EvalEnvironment environment;
    environment.feeds = inputs.feeds;
    environment.symbols = inputs.symbols;
    environment.constants = inputs.constants;
    environment.variables = &variables;
    environment.reserveRandom = [&](int64_t stream, int64_t count,
                                    uint32_t words[6]) {
      streams[static_cast<size_t>(stream)]->reserve(
          static_cast<uint64_t>(count), words);
      return okStatus();
    };
    results =
        evaluate(module.lookupSymbol<mlir::func::FuncOp>("run"), environment);
  }

  TestVariables variables;
  std::vector<std::unique_ptr<RandomStream>> streams;
  StatusOr<std::vector<Tensor>> results = std::vector<Tensor>();
};

/// An offset for each temporary: those that live at one time (both ends
/// included) do not overlap, others may.
std::vector<int64_t> packTemporaries(std::span<const Temporary> temporaries,
                                     std::span<const int64_t> bytes) {
  std::vector<int64_t> offsets;
  for (size_t own = 0; own < temporaries.size(); ++own) {
    int64_t offset = 0;
    for (bool moved = true; moved;) {
      moved = false;
      for (size_t other = 0; other < own; ++other) {
        bool together = temporaries[other].last >= temporaries[own].first &&
                        temporaries[own].last >= temporaries[other].first;
        if (!together || offsets[other] >= offset + bytes[own] ||
            offset >= offsets[other] + bytes[other])
          continue;
        offset = (offsets[other] + bytes[other] + 63) / 64 * 64;
        moved = true;
      }
    }
    offsets.push_back(offset);
  }
  return offsets;
}

std::string hexadecimal(double number) {
  char text[64];
  std::snprintf(text, sizeof text, "%a (%.9g)", number, number);
  return text;
}

/// Whether the difference of two floats is one that no op can see.
template <class T> bool areAlike(T a, T b) {
  bool bothZero = std::abs(a) < std::numeric_limits<T>::min() &&
                  std::abs(b) < std::numeric_limits<T>::min() &&
                  std::signbit(a) == std::signbit(b);
  return (std::isnan(a) && std::isnan(b)) || bothZero;
}
bool areAlike(BFloat16 a, BFloat16 b) { return areAlike(float(a), float(b)); }
// A denormal half is no denormal float: it is not flushed.
bool areAlike(Half a, Half b) {
  return std::isnan(float(a)) && std::isnan(float(b));
}

template <class T> std::string textOf(T value) {
  if constexpr (std::is_integral_v<T>)
    return std::to_string(value);
  else
    return hexadecimal(value);
}

bool sameElements(const char *got, const Tensor &want, std::string &where) {
  const char *expected = static_cast<const char *>(want.rawData());
  if (want.byteSize() == 0 || std::memcmp(got, expected, want.byteSize()) == 0)
    return true;
  return dispatchElement(want.dtype(), [&]<class T>(T) {
    for (int64_t i = 0; i < want.numElements(); ++i) {
      T a, b;
      std::memcpy(&a, got + i * sizeof(T), sizeof(T));
      std::memcpy(&b, expected + i * sizeof(T), sizeof(T));
      if (std::memcmp(&a, &b, sizeof(T)) == 0)
        continue;
      if constexpr (!std::is_integral_v<T>)
        if (areAlike(a, b))
          continue;
      where = "element " + std::to_string(i) + ": native " + textOf(a) +
              ", evaluator " + textOf(b);
      return false;
    }
    return true;
  });
}

} // namespace

std::string function(const std::vector<std::string> &inputs,
                     const std::string &body, const std::string &returned,
                     const std::string &types, const std::string &module) {
  std::string text = module + "func.func @run(";
  for (size_t i = 0; i < inputs.size(); ++i)
    text += (i ? ", %x" : "%x") + std::to_string(i) + ": " + inputs[i];
  text += returned.empty() ? ") {\n" : ") -> (" + types + ") {\n";
  return text + body + "\n  return " + returned +
         (returned.empty() ? "" : " : " + types) + "\n}\n";
}

NativeProgram::NativeProgram(std::string text, passes::Stage startAt)
    : source(std::move(text)) {
  auto lease = ContextLease::lease();
  if (!lease.ok()) {
    ADD_FAILURE() << lease.status().toString();
    return;
  }
  context.emplace(std::move(*lease));
  DiagnosticCollector diagnostics((*context)->mlirContext());
  module = mlir::parseSourceString<mlir::ModuleOp>(source,
                                                   &(*context)->mlirContext());
  if (!module) {
    ADD_FAILURE() << diagnostics.status("parsing failed").toString() << "\n"
                  << source;
    return;
  }
  CompileOptions options;
  CompileTimes times;
  if (startAt == passes::Stage::Simplify) {
    original = module->clone();
    Status simplification =
        runStages(**context, *module, passes::Stage::Simplify, options, times);
    EXPECT_TRUE(simplification.ok()) << simplification.toString() << "\n"
                                     << source;
    simplified = module->clone();
    options.startAt = passes::Stage::Decompose;
    Status decomposition =
        runStages(**context, *module, passes::Stage::Decompose, options, times);
    EXPECT_TRUE(decomposition.ok()) << decomposition.toString() << "\n"
                                    << source;
    if (!simplification.ok() || !decomposition.ok())
      return;
  }
  options.startAt = passes::Stage::Fuse;
  mlir::OwningOpRef<mlir::ModuleOp> compiledModule = module->clone();
  auto compiled = compile(**context, *compiledModule, options);
  EXPECT_TRUE(compiled.ok()) << compiled.status().toString() << "\n" << source;
  if (!compiled.ok())
    return;
  executable = *std::move(compiled);
  tableConstants =
      (*compiledModule)
          ->getAttrOfType<mlir::DenseI64ArrayAttr>("kiln.buffer_counts")[1];
}

bool NativeProgram::agrees(const NativeInputs &inputs) {
  if (!executable)
    return false;
  Evaluation evaluation(*module, inputs);
  const StatusOr<std::vector<Tensor>> &expected = evaluation.results;
  auto entry = module->lookupSymbol<mlir::func::FuncOp>("run");

  std::vector<std::unique_ptr<GuardedMemory>> memory;
  auto allocate = [&](int64_t bytes, const void *contents = nullptr,
                      size_t shift = 0) {
    auto size = static_cast<size_t>(bytes);
    memory.push_back(std::make_unique<GuardedMemory>(size, shift));
    if (contents && size)
      std::memcpy(memory.back()->data(), contents, size);
    return memory.back()->data();
  };
  auto bytesOf = [&](mlir::RankedTensorType type) {
    int64_t bytes = ir::storageBytes(type.getElementType());
    for (const ir::Extent &extent : ir::extentsOf(type))
      bytes *= extent.isKnown()
                   ? extent.value
                   : inputs.symbols[static_cast<size_t>(extent.symbol)];
    return bytes;
  };
  std::vector<void *> buffers;
  for (const Tensor &feed :
       inputs.feeds) // feeds may lie at any multiple of their element's size
    buffers.push_back(allocate(feed.byteSize(), feed.rawData(),
                               buffers.size() % 2 * dtypeSize(feed.dtype())));
  for (const Tensor &constant :
       std::span(inputs.constants).first(static_cast<size_t>(tableConstants)))
    buffers.push_back(allocate(constant.byteSize(), constant.rawData()));
  size_t firstVariable = buffers.size();
  for (const Tensor &value : inputs.variables)
    buffers.push_back(allocate(value.byteSize(), value.rawData()));
  size_t firstFlag = buffers.size();
  for (size_t i = 0; i < inputs.variables.size(); ++i) {
    char flag = inputs.initialized.empty() || inputs.initialized[i];
    buffers.push_back(allocate(1, &flag));
  }
  size_t firstResult = buffers.size();
  for (mlir::Type type : entry.getResultTypes())
    buffers.push_back(
        allocate(bytesOf(llvm::cast<mlir::RankedTensorType>(type))));
  std::vector<int64_t> tenants;
  for (const Temporary &temporary : executable->temporaries()) {
    tenants.push_back(temporary.elementBytes);
    for (const auto &extent : temporary.extents)
      tenants.back() *=
          extent.symbol < 0
              ? extent.value
              : inputs.symbols[static_cast<size_t>(extent.symbol)];
  }
  std::vector<int64_t> offsets =
      packTemporaries(executable->temporaries(), tenants);
  int64_t arenaBytes = 0;
  for (size_t i = 0; i < tenants.size(); ++i)
    arenaBytes = std::max(arenaBytes, offsets[i] + tenants[i]);
  char *arena = allocate(arenaBytes);
  for (int64_t offset : offsets)
    buffers.push_back(arena + offset);
  auto nativeStreams = makeStreams(inputs.numStreams);
  std::vector<RandomStream *> streams;
  for (auto &stream : nativeStreams)
    streams.push_back(stream.get());
  RunContext runContext;
  runContext.streams = streams;
  KilnRunState state = makeRunState(&runContext);
  std::vector<void *> runtime = {runtimeSymbolTable(),
                                 runtimeSymbolTable() + numRuntimeSymbols};
  {
    FloatEnv floatEnv;
    executable->run(
        {buffers.data(), inputs.symbols.data(), &state, runtime.data()});
  }

  bool same = true;
  auto check = [&](bool holds, const std::string &what) {
    EXPECT_TRUE(holds) << what << "\n" << describe(inputs);
    same &= holds;
  };
  for (size_t i = 0; i < memory.size(); ++i)
    check(memory[i]->isIntact(),
          "wrote outside of buffer " + std::to_string(i));
  failed = !expected.ok();
  auto kind = static_cast<ErrorKind>(state.errorKind);
  Status native = state.errorCode == 0
                      ? okStatus()
                      : errorStatus(kind, executable->node(state.errorNode),
                                    state.errorValues);
  check(native.toString() == expected.status().toString(),
        "native: " + native.toString() +
            "; evaluator: " + expected.status().toString());
  std::string where;
  if (original) {
    Evaluation before(*original, inputs), after(*simplified, inputs);
    for (size_t i = 0;
         before.results.ok() && after.results.ok() && i < after.results->size();
         ++i)
      check(
          sameElements(static_cast<const char *>((*after.results)[i].rawData()),
                       (*before.results)[i], where),
          "simplify changed result " + std::to_string(i) +
              " (given as native): " + where);
  }
  if (failed || !same)
    return same;
  for (size_t i = 0; i < expected->size(); ++i)
    check(sameElements(static_cast<const char *>(buffers[firstResult + i]),
                       (*expected)[i], where),
          "result " + std::to_string(i) + " differs: " + where);
  for (size_t i = 0; i < inputs.variables.size(); ++i) {
    bool flag = *static_cast<const char *>(buffers[firstFlag + i]) != 0;
    check(flag == evaluation.variables.flags[i],
          "flag of variable " + std::to_string(i) + " differs");
    check(sameElements(static_cast<const char *>(buffers[firstVariable + i]),
                       evaluation.variables.values[i], where),
          "variable " + std::to_string(i) + " differs: " + where);
  }
  for (size_t i = 0; i < streams.size(); ++i)
    check(streams[i]->samplesTaken() == evaluation.streams[i]->samplesTaken(),
          "stream is elsewhere");
  return same;
}

std::string NativeProgram::describe(const NativeInputs &inputs) const {
  std::string text = source + "symbols:";
  for (int64_t value : inputs.symbols)
    text += " " + std::to_string(value);
  return text;
}

} // namespace kiln
