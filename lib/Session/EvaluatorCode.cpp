// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives the evaluator the variables and random streams of a session.
#include "lib/Session/EvaluatorCode.h"

#include "lib/Eval/Evaluator.h"
#include "lib/Session/Frame.h"
#include "lib/Support/StatusMacros.h"
#include "runtime/RunState.h"
#include "runtime/RunStrings.h"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace kiln {
namespace {

/// The variables of a program, under the locks of a run.
class LockedVariables : public VariableAccess {
public:
  LockedVariables(const Program &program, VariableLocks &locks,
                  KilnRunState *state)
      : program(program), locks(locks), state(state) {}

  StatusOr<Tensor> read(int64_t index) override { return slot(index).view(); }
  StatusOr<Tensor> beginWrite(int64_t index, DType dtype,
                              const Shape &shape) override {
    KILN_RETURN_IF_ERROR(makeRoom(index, shape));
    return Tensor::borrow(dtype, shape, slot(index).data());
  }
  void endWrite(int64_t index) override { slot(index).setInitialized(true); }
  Status write(int64_t index, const Tensor &value) override {
    KILN_RETURN_IF_ERROR(makeRoom(index, value.shape()));
    if (slot(index).dtype() == DType::String)
      KILN_RETURN_IF_ERROR(assignStrings(slot(index), value));
    else if (value.byteSize() != 0)
      std::memcpy(slot(index).data(), value.rawData(), value.byteSize());
    slot(index).setInitialized(true);
    return okStatus();
  }
  bool isInitialized(int64_t index) override {
    return slot(index).isInitialized();
  }

private:
  Status makeRoom(int64_t index, const Shape &shape) {
    if (!locks.beginWrites(state))
      return runStatus(*state, {});
    return slot(index).resize(shape);
  }
  /// The run may still hold handles of what is overwritten.
  Status assignStrings(VariableSlot &target, const Tensor &handles) {
    RunStrings &kept = *static_cast<RunContext *>(state->context)->strings;
    StringLack lack;
    if (!kept.reserve(static_cast<size_t>(handles.numElements()), lack))
      return lack.status().withNode(target.name());
    auto *elements = static_cast<String *>(target.data());
    for (StringHandle handle : handlesIn(handles)) {
      kept.keep(std::exchange(*elements, stringOf(handle)));
      ++elements;
    }
    return okStatus();
  }
  VariableSlot &slot(int64_t index) {
    return *program.variables[static_cast<size_t>(index)].slot;
  }
  const Program &program;
  VariableLocks &locks;
  KilnRunState *state;
};

/// A run of the evaluator: it makes its own buffers.
class EvaluatorFrame : public Frame {
public:
  EvaluatorFrame(const Program &program, const EvaluatorCode &code)
      : Frame(program), code(code) {}

private:
  Status bindMemory(bool) override { return okStatus(); }
  Status execute(std::span<const Tensor> feeds, std::span<const int> places,
                 std::span<Tensor> results, const RunControl &) override;

  const EvaluatorCode &code;
};

Status EvaluatorFrame::execute(std::span<const Tensor> feeds,
                               std::span<const int> places,
                               std::span<Tensor> given, const RunControl &) {
  auto turn = code.enter(&state);
  if (!turn)
    return failure();
  VariableLocks locks(owner.locks);
  KILN_RETURN_IF_ERROR(lock(locks));
  // The evaluator's typed loops need elements at multiples of their size.
  std::vector<Tensor> values(feeds.begin(), feeds.end());
  for (size_t i = 0; i < values.size(); ++i)
    if (reinterpret_cast<uintptr_t>(values[i].rawData()) %
            feedStates[i].elementBytes !=
        0) {
      auto copy = values[i].clone();
      if (!copy.ok())
        return copy.status().withNode(owner.feeds[i].node);
      values[i] = *std::move(copy);
    }
  KILN_ASSIGN_OR_RETURN(std::vector<Tensor> made,
                        code.run(owner, values, symbols, locks, &state));
  for (size_t i = 0; i < places.size(); ++i)
    given[i] = places[i] < 0 ? Tensor()
                             : std::move(made[static_cast<size_t>(places[i])]);
  return okStatus();
}

} // namespace

EvaluatorCode::EvaluatorCode(ContextLease lease,
                             mlir::OwningOpRef<mlir::ModuleOp> module)
    : lease(std::move(lease)), module(std::move(module)) {
  // A context with its dialects; an operation with its operands, results, and
  // its share of types and names.
  constexpr int64_t bytesOfContext = 1 << 20, bytesPerOp = 512;
  memory = bytesOfContext;
  this->module->walk([&](mlir::Operation *) { memory += bytesPerOp; });
}

std::unique_ptr<Frame> EvaluatorCode::makeFrame(const Program &program) const {
  return std::make_unique<EvaluatorFrame>(program, *this);
}

EvaluatorCode::Turn EvaluatorCode::enter(const KilnRunState *state) const {
  Turn turn(mutex, std::defer_lock);
  while (cancelCode(state) == 0 &&
         !turn.try_lock_for(std::chrono::milliseconds(5))) {
  }
  return turn;
}

StatusOr<std::vector<Tensor>> EvaluatorCode::run(const Program &program,
                                                 std::span<const Tensor> feeds,
                                                 std::span<int64_t> symbols,
                                                 VariableLocks &locks,
                                                 KilnRunState *state) const {
  LockedVariables variables(program, locks, state);
  EvalEnvironment environment;
  environment.feeds = feeds;
  environment.symbols = symbols;
  environment.guards = program.symbols.guards;
  environment.constants = program.constants;
  environment.variables = &variables;
  environment.reserveRandom = [&](int64_t stream, int64_t count,
                                  uint32_t words[6]) {
    program.streams[static_cast<size_t>(stream)]->reserve(
        static_cast<uint64_t>(count), words);
    return okStatus();
  };
  environment.state = state;
  environment.buffers = &program.services.buffers;
  environment.maxBytes = program.services.options.limits.maxRunBytes;
  auto functions = module.get().getOps<mlir::func::FuncOp>();
  return kiln::evaluate(*functions.begin(), environment);
}

} // namespace kiln
