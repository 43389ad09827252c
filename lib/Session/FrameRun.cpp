// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a bound frame: feeds and results into the buffer table, locks, the call,
// the error slot.
#include "lib/Session/EvaluatorCode.h"
#include "lib/Session/Frame.h"

#include "lib/JIT/Compiler.h"
#include "lib/Support/StatusMacros.h"
#include "runtime/FloatEnv.h"
#include "runtime/Symbols.h"

#include <cstring>

namespace kiln {
namespace {

/// Code gets a pointer even where there is nothing to point at.
alignas(bufferAlignment) char noElements[bufferAlignment];

bool canReuse(const Tensor &result, DType dtype, const Shape &shape) {
  return result.isUnique() && result.dtype() == dtype &&
         result.shape() == shape && result.isAligned() &&
         result.bufferRef()->writable;
}

} // namespace

Status Frame::alignFeed(size_t index, const Tensor &feed) {
  if (aligned.empty())
    aligned.resize(feedStates.size());
  BufferRef &copy = aligned[index];
  if (!copy || copy->bytes < feed.byteSize()) {
    copy.reset();
    KILN_ASSIGN_OR_RETURN(copy,
                          owner.resources.buffers.allocate(feed.byteSize()));
  }
  std::memcpy(copy->data, feed.rawData(), feed.byteSize());
  buffers[index] = copy->data;
  return okStatus();
}

Status Frame::bindFeedPointers(std::span<const Tensor> feeds) {
  for (size_t i = 0; i < feedStates.size(); ++i) {
    auto *data = const_cast<void *>(feeds[i].rawData());
    auto misaligned = reinterpret_cast<uintptr_t>(data) &
                      (feedStates[i].elementBytes - 1u);
    if (misaligned != 0) [[unlikely]]
      KILN_RETURN_IF_ERROR(alignFeed(i, feeds[i]));
    else
      buffers[i] = data ? data : noElements;
  }
  return okStatus();
}

Status Frame::bindResultPointers(std::span<const int> places,
                                 std::span<Tensor> given) {
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i] < 0) {
      given[i] = Tensor();
      continue;
    }
    const ResultState &result = results[static_cast<size_t>(places[i])];
    if (!canReuse(given[i], result.dtype, result.shape)) {
      KILN_ASSIGN_OR_RETURN(BufferRef buffer,
                            owner.resources.buffers.allocate(result.bytes));
      KILN_ASSIGN_OR_RETURN(
          given[i],
          Tensor::fromBuffer(result.dtype, result.shape, std::move(buffer)));
    }
    void *data = given[i].mutableRawData();
    buffers[firstResult + static_cast<size_t>(places[i])] =
        data ? data : noElements;
  }
  return okStatus();
}

Status Frame::execute(std::span<const Tensor> feeds,
                      std::span<const int> places, std::span<Tensor> given) {
  std::unique_lock<std::mutex> turn;
  if (owner.evaluator)
    turn = owner.evaluator->enter();
  VariableLocks locks(owner.locks);
  if (!owner.locks.entries.empty()) {
    context.locks = &locks;
    if (!locks.acquire(&state))
      return failure();
    for (const VariableSlot *slot : owner.mustHaveValue)
      if (!slot->isInitialized()) [[unlikely]]
        return owner.uninitializedError();
  }
  if (owner.evaluator)
    return evaluate(feeds, places, given, locks);
  KilnRunArgs args{buffers.data(), symbols.data(), &state,
                   runtimeSymbolTable()};
  {
    FloatEnv floatEnv;
    owner.native->run(args);
  }
  if (mustStop(&state)) [[unlikely]]
    return failure();
  return okStatus();
}

Status Frame::run(std::span<const Tensor> feeds, std::span<const int> places,
                  std::span<Tensor> given, const RunControl &control) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin;
  if (control.stats)
    begin = Clock::now();
  Status status;
  {
    std::optional<CancelScope> cancelScope;
    std::optional<DeadlineScope> deadlineScope;
    if (control.cancel)
      cancelScope.emplace(control.cancel, &state);
    if (control.deadline != DeadlineScope::noDeadline)
      deadlineScope.emplace(control.deadline, &state);
    // A close() that fell between two runs of this frame.
    if (owner.resources.isClosed.load(std::memory_order_relaxed)) [[unlikely]]
      requestCancel(&state, StatusCode::Cancelled);
    if (cancelCode(&state) != 0) [[unlikely]]
      status = failure();
    else if (owner.native)
      status = bindFeedPointers(feeds);
    if (status.ok() && owner.native)
      status = bindResultPointers(places, given);
    if (status.ok())
      status = execute(feeds, places, given);
  }
  context.locks = nullptr;
  if (mustStop(&state)) [[unlikely]] {
    state.errorCode = 0;
    __atomic_store_n(&state.cancel, 0, __ATOMIC_RELAXED);
  }
  if (control.stats) {
    control.stats->runNs =
        std::chrono::nanoseconds(Clock::now() - begin).count();
    fillStats(*control.stats);
  }
  return status;
}

Status Frame::failure() {
  if (state.errorCode == 0 || !owner.native)
    return runStatus(state, {}, owner.variableNames);
  std::string_view variable;
  int64_t number = state.errorValues[0];
  if (number >= 0 &&
      static_cast<uint64_t>(number) < owner.variableNames.size())
    variable = owner.variableNames[static_cast<size_t>(number)];
  return errorStatus(static_cast<ErrorKind>(state.errorKind),
                     owner.native->node(state.errorNode), state.errorValues,
                     variable);
}

Status Frame::evaluate(std::span<const Tensor> feeds,
                       std::span<const int> places, std::span<Tensor> given,
                       VariableLocks &locks) {
  KILN_ASSIGN_OR_RETURN(
      std::vector<Tensor> made,
      owner.evaluator->run(owner, feeds, symbols, locks, &state));
  for (size_t i = 0; i < places.size(); ++i)
    given[i] = places[i] < 0 ? Tensor()
                             : std::move(made[static_cast<size_t>(places[i])]);
  return okStatus();
}

void Frame::fillStats(RunStats &stats) const {
  stats.executor = owner.native ? Executor::Native : Executor::Evaluator;
  stats.opsNative = owner.stats.opsNative;
  stats.opsRuntime = owner.stats.opsRuntime;
  stats.opsEvaluator = owner.stats.opsEvaluator;
  stats.opsFolded = owner.stats.opsFolded;
  stats.arenaBytes = static_cast<int64_t>(layout.bytes());
  stats.codeBytes = owner.codeBytes();
}

} // namespace kiln
