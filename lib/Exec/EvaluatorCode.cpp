// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives the evaluator the variables and random streams of a session.
#include "lib/Exec/EvaluatorCode.h"

#include "lib/Eval/Evaluator.h"
#include "lib/Exec/FrameLease.h"
#include "lib/Exec/RunBudget.h"
#include "lib/Exec/RunFigures.h"
#include "lib/Support/StatusMacros.h"
#include "runtime/abi/RunState.h"
#include "runtime/memory/RunStrings.h"
#include "runtime/threads/ThreadPool.h"

#include <algorithm>
#include <cstring>

namespace kiln {
namespace {

/// The variables of a program, under the locks of a run.
class LockedVariables : public VariableAccess {
public:
  LockedVariables(const Program &program, VariableLocks &locks,
                  KilnRunState *state, RunBudget *budget)
      : program(program), locks(locks), state(state), budget(budget) {}

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
    if (!locks.beginWrites(state)) {
      KILN_RETURN_IF_ERROR(locks.failure());
      return runStatus(*state, {});
    }
    if (budget)
      KILN_RETURN_IF_ERROR(budget->beforeWrite(slot(index)));
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
    return *program.binding.variables[static_cast<size_t>(index)];
  }
  const Program &program;
  VariableLocks &locks;
  KilnRunState *state;
  RunBudget *budget;
};

/// The tensor as what its bits stand for, where the evaluator only moves them.
StatusOr<Tensor> withDType(Tensor tensor, DType dtype) {
  if (tensor.dtype() == dtype)
    return tensor;
  return Tensor::fromBuffer(dtype, tensor.shape(), tensor.bufferRef());
}

/// A run of the evaluator: it makes its own buffers. One that its budget ends
/// begins again in a frame of native code.
class EvaluatorFrame : public Frame {
public:
  EvaluatorFrame(const Program &program, const EvaluatorCode &code)
      : Frame(program), code(code) {}

  void fillStats(RunStats &stats) const override {
    if (!isNative) // whose frame has told
      Frame::fillStats(stats);
  }

private:
  Status bindMemory(bool) override { return okStatus(); }
  Status execute(std::span<const Tensor> feeds, std::span<const int> places,
                 std::span<Tensor> results, const RunControl &control) override;
  Status evaluate(std::span<const Tensor> feeds, std::span<const int> places,
                  std::span<Tensor> results, RunBudget *budget);
  /// Runs native code once it is there; false where it cannot be made.
  StatusOr<bool> runNative(std::span<const Tensor> feeds,
                           std::span<const int> places,
                           std::span<Tensor> results,
                           const RunControl &control);

  const EvaluatorCode &code;
  bool isNative = false; ///< whether native code answered this run
};

Status EvaluatorFrame::execute(std::span<const Tensor> feeds,
                               std::span<const int> places,
                               std::span<Tensor> given,
                               const RunControl &control) {
  isNative = false;
  if (!owner.hasBudget())
    return evaluate(feeds, places, given, nullptr);
  RunBudget budget(owner);
  Status status = evaluate(feeds, places, given, &budget);
  if (!budget.wasSpent())
    return status;
  // What the run holds is gone, but for its samples.
  slots.clear();
  context.streamLog = &budget.streams;
  auto native = runNative(feeds, places, given, control);
  status = native.ok() && !*native ? evaluate(feeds, places, given, nullptr)
                                   : native.status();
  context.streamLog = nullptr;
  return status;
}

StatusOr<bool> EvaluatorFrame::runNative(std::span<const Tensor> feeds,
                                         std::span<const int> places,
                                         std::span<Tensor> given,
                                         const RunControl &control) {
  KILN_ASSIGN_OR_RETURN(
      ProgramPtr program,
      owner.services.programs->awaitReplacement(owner, control));
  std::vector<FeedView> views;
  for (const Tensor &feed : feeds)
    views.emplace_back(feed);
  if (!program || !program->matches(views))
    return false;
  isNative = true;
  const int64_t start = figures ? figures->runStartNs : 0;
  FrameLease lease(std::move(program));
  Status status = bindAndRun(
      lease, {views, feeds, places, given, control, /*begun=*/&context});
  if (figures) {
    figures->runStartNs = start;
    addCompileFigures(lease.program()->stats, *figures);
  }
  hasStaleShapes = lease->isStale();
  KILN_RETURN_IF_ERROR(status);
  return true;
}

Status EvaluatorFrame::evaluate(std::span<const Tensor> feeds,
                                std::span<const int> places,
                                std::span<Tensor> given, RunBudget *budget) {
  VariableLocks locks(owner.binding.locks);
  KILN_RETURN_IF_ERROR(lock(locks));
  // The evaluator's typed loops need elements at multiples of their size.
  std::vector<Tensor> values(feeds.begin(), feeds.end());
  for (size_t i = 0; i < values.size(); ++i)
    if (reinterpret_cast<uintptr_t>(values[i].rawData()) %
            feedStates[i].elementBytes !=
        0) {
      auto copy = values[i].clone();
      if (!copy.ok())
        return copy.status().withNode(owner.interface().feeds[i].node);
      values[i] = *std::move(copy);
    }
  const ThreadPool &pool = ThreadPool::process();
  const int64_t workedBefore = pool.workerNanoseconds();
  const auto start = std::chrono::steady_clock::now();
  auto made = code.run(owner, values, symbols, locks, &state, budget);
  if (!owner.isFinal()) {
    const std::chrono::duration<double, std::nano> taken =
        std::chrono::steady_clock::now() - start;
    const auto worked =
        static_cast<double>(pool.workerNanoseconds() - workedBefore);
    owner.noteEvaluated(owner.runNs.evaluate(symbols), taken.count(),
                        10 * worked < taken.count() * (pool.numThreads() - 1));
  }
  if (budget && budget->wasSpent())
    budget->takeBack();
  KILN_RETURN_IF_ERROR(made.status());
  for (size_t i = 0; i < places.size(); ++i) {
    given[i] = Tensor();
    if (places[i] < 0)
      continue;
    auto place = static_cast<size_t>(places[i]);
    KILN_ASSIGN_OR_RETURN(given[i],
                          withDType(std::move((*made)[place]),
                                    owner.interface().fetches[place].dtype));
  }
  return okStatus();
}

} // namespace

std::unique_ptr<Frame> EvaluatorCode::makeFrame(const Program &program) const {
  return std::make_unique<EvaluatorFrame>(program, *this);
}

StatusOr<std::vector<Tensor>>
EvaluatorCode::run(const Program &program, std::span<const Tensor> feeds,
                   std::span<int64_t> symbols, VariableLocks &locks,
                   KilnRunState *state, RunBudget *budget) const {
  LockedVariables variables(program, locks, state, budget);
  EvalEnvironment environment;
  environment.feeds = feeds;
  environment.symbols = symbols;
  environment.guards = program.interface().symbols.guards;
  environment.constants = program.binding.constants;
  environment.variables = &variables;
  environment.reserveRandom = [&](int64_t stream, int64_t count,
                                  uint32_t words[6]) {
    if (budget)
      budget->streams.reserve(*static_cast<RunContext *>(state->context)
                                   ->streams[static_cast<size_t>(stream)],
                              static_cast<uint64_t>(count), words);
    else
      reserveRandom(*static_cast<RunContext *>(state->context),
                    static_cast<int32_t>(stream), count, words);
    return okStatus();
  };
  environment.budget = budget;
  environment.state = state;
  environment.buffers = &program.services.buffers;
  environment.maxBytes = program.services.options.limits.maxRunBytes;
  environment.minStreamedBytes = program.services.options.code.minStreamedBytes;
  return kiln::evaluate(code, environment);
}

} // namespace kiln
