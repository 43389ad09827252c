// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One run of the evaluator; one of native code, on a table of guarded,
// sometimes misaligned buffers.
#ifndef KILN_TEST_UNIT_JIT_NATIVEEXECUTION_H
#define KILN_TEST_UNIT_JIT_NATIVEEXECUTION_H

#include "test/unit/JIT/NativeHarness.h"

#include "lib/Eval/Evaluator.h"
#include "lib/Translate/Translation.h"
#include "runtime/abi/RunState.h"
#include "runtime/arithmetic/FloatEnv.h"
#include "runtime/memory/ArenaTail.h"
#include "runtime/memory/RunStrings.h"
#include "runtime/random/RandomStream.h"
#include "runtime/slots/Slots.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace kiln {

/// Memory with guards on both sides, `shift` bytes behind a multiple of 64.
class GuardedMemory {
public:
  static constexpr size_t guardBytes = 256;
  static constexpr char guard = 0x5a;

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

std::vector<std::unique_ptr<RandomStream>> makeStreams(int64_t count);

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
  StatusOr<Tensor> beginWrite(int64_t index, DType dtype,
                              const Shape &shape) override {
    // What was there is not to be had any more.
    auto place = Tensor::create(dtype, shape);
    if (place.ok())
      values[static_cast<size_t>(index)] = *place;
    return place;
  }
  void endWrite(int64_t index) override {
    flags[static_cast<size_t>(index)] = true;
  }
  bool isInitialized(int64_t index) override {
    return flags[static_cast<size_t>(index)];
  }

  std::vector<Tensor> values;
  std::vector<bool> flags;
};

/// A run of the evaluator and what it left behind.
struct Evaluation {
  Evaluation(mlir::ModuleOp module, const NativeInputs &inputs)
      : variables(inputs), symbols(inputs.symbols),
        streams(makeStreams(inputs.numStreams)) {
    EvalEnvironment environment;
    environment.feeds = inputs.feeds;
    environment.sliceBytes = 64; // small values, too, are cut into slices
    environment.symbols = symbols;
    environment.constants = inputs.constants;
    environment.variables = &variables;
    runContext.strings = &strings;
    runContext.slots = &slots;
    environment.state = &state;
    environment.reserveRandom = [&](int64_t stream, int64_t count,
                                    uint32_t words[6]) {
      streams[static_cast<size_t>(stream)]->reserve(
          static_cast<uint64_t>(count), words);
      return okStatus();
    };
    auto program = translate(module.lookupSymbol<mlir::func::FuncOp>("run"));
    if (program.ok())
      results = evaluate(*program, environment);
    else
      results = program.status();
  }

  TestVariables variables;
  std::vector<int64_t> symbols;
  std::vector<std::unique_ptr<RandomStream>> streams;
  RunStrings strings;
  ArenaPool pool;
  SlotTable slots{pool, INT64_MAX};
  RunContext runContext;
  KilnRunState state = makeRunState(&runContext);
  StatusOr<std::vector<Tensor>> results = std::vector<Tensor>();
};

/// The native code's buffers, streams and state, and what a run does to them.
class NativeExecution {
public:
  /// Lays out the table of `entry`, whose first constants are in it.
  NativeExecution(const Executable &executable, mlir::func::FuncOp entry,
                  const NativeInputs &inputs);
  NativeExecution(const NativeExecution &) = delete;
  NativeExecution &operator=(const NativeExecution &) = delete;

  void run() {
    FloatEnv floatEnv; // flushes denormals
    executable.run({buffers.data(), symbols.data(), &state, runtime.data(),
                    executable.kernels()});
  }
  Status status() const {
    return state.errorCode == 0
               ? okStatus()
               : errorStatus(static_cast<ErrorKind>(state.errorKind),
                             executable.node(state.errorNode),
                             state.errorValues);
  }
  const char *at(size_t buffer) const {
    return static_cast<const char *>(buffers[buffer]);
  }

  const Executable &executable;
  std::vector<int64_t> symbols;
  std::vector<std::unique_ptr<GuardedMemory>> memory;
  std::vector<void *> buffers, runtime;
  std::vector<size_t> resultBytes;
  size_t firstVariable = 0, firstFlag = 0, firstResult = 0;
  std::vector<std::unique_ptr<RandomStream>> nativeStreams;
  std::vector<RandomStream *> streams;
  ArenaPool pool;
  ArenaTail tail{pool, INT64_MAX};
  RunStrings strings;
  SlotTable slots{pool, INT64_MAX};
  RunContext runContext;
  KilnRunState state = makeRunState(&runContext);
};

} // namespace kiln

#endif // KILN_TEST_UNIT_JIT_NATIVEEXECUTION_H
