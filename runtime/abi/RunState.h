// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading and writing the cancel word and the error slot of a run, and what the
// error slot means as a Status.
#ifndef KILN_RUNTIME_ABI_RUNSTATE_H
#define KILN_RUNTIME_ABI_RUNSTATE_H

#include "kiln/Status.h"
#include "runtime/abi/Abi.h"

#include <atomic>
#include <span>
#include <string>

namespace kiln {

class ArenaTail;
class BoundBody;
class FileAccess;
class RandomStream;
class RunStrings;
class SlotTable;
class StreamLog;
class VariableLocks;
class VariableSlot;
struct WaitControl;

/// What KilnRunState::context points to: what the runtime's functions need of
/// the run beyond the ABI. Ownership: borrows everything; lives on the stack of
/// the run.
struct RunContext {
  /// The run's locks; null where a run touches no variable.
  VariableLocks *locks = nullptr;
  /// Random streams by the executable's own numbers.
  std::span<RandomStream *const> streams;
  /// What this run takes of them first: it begins in the place of one that was
  /// given up. May be null.
  StreamLog *streamLog = nullptr;
  /// The variables by the executable's own numbers.
  std::span<VariableSlot *const> variables;
  /// Host kernels that code calls, by the executable's own numbers.
  std::span<const BoundBody *const> bodies;
  /// The files that kernels may use; null for any.
  const FileAccess *files = nullptr;
  /// Threads that one parallel loop of this run may use; 0 for all of the pool.
  int maxThreads = 0;
  /// Counts what a run that sleeps is to look at: its cancellation, an end of
  /// one of its attempts.
  std::atomic<uint32_t> events{0};
  /// Where code that was compiled to be inspected puts the times (steady clock,
  /// ns) at which its regions begin and end, by mark; may be null.
  int64_t *regionMarks = nullptr;
  /// The error that a user's kernel gave, where that is the run's
  /// (ErrorKind::KernelFailed).
  Status kernelError;
  /// Where strings that the run makes live; null where it makes none.
  RunStrings *strings = nullptr;
  /// What TensorArrays, stacks and lists of the run hold.
  SlotTable *slots = nullptr;
  /// Where values lie whose sizes the run finds out; null where it finds none.
  ArenaTail *tail = nullptr;
  /// The run's cancel word; null where nothing cancels it.
  const KilnRunState *state = nullptr;
  /// How long the run's caller waits; null between runs.
  const WaitControl *wait = nullptr;
};

/// Counts an event and wakes the run, which may sleep on `events`. Thread
/// safety: from any thread while the run lives.
void wakeRun(RunContext &run) noexcept;

/// Takes the run's next samples of its stream number `stream`; as
/// RandomStream::reserve().
void reserveRandom(const RunContext &run, int32_t stream, int64_t samples,
                   uint32_t *words) noexcept;

/// Returns the state that a run starts with.
inline KilnRunState makeRunState(RunContext *context) noexcept {
  return {0, 0, -1, 0, {0, 0, 0, 0}, context};
}

/// The cancel word: 0, or the code to end with.
inline int32_t cancelCode(const KilnRunState *state) noexcept {
  return state ? __atomic_load_n(&state->cancel, __ATOMIC_RELAXED) : 0;
}
/// True once the run is cancelled or has recorded an error.
inline bool mustStop(const KilnRunState *state) noexcept {
  return state && (cancelCode(state) |
                   __atomic_load_n(&state->errorCode, __ATOMIC_RELAXED)) != 0;
}
/// Asks the run to end with `code` (Cancelled or DeadlineExceeded); the first
/// one to ask is heard; wakes the run. Thread safety: from any thread while the
/// state lives.
void requestCancel(KilnRunState *state, StatusCode code) noexcept;
/// Records an error unless one is there. Thread safety: from any thread of the
/// run.
void recordError(KilnRunState *state, ErrorKind kind, int32_t node,
                 int64_t v0 = 0, int64_t v1 = 0, int64_t v2 = 0) noexcept;

/// The same for an error that a user's kernel gives.
void recordError(KilnRunState *state, int32_t node, Status error) noexcept;

/// Returns how a finished run ended: its recorded error (with the node's name),
/// else its cancellation, else OK. nodeNames are the executable's, variables
/// the run context's; numbers outside of them give no name.
Status runStatus(const KilnRunState &state,
                 std::span<const std::string> nodeNames);
/// Returns an error of the given kind as a Status, for code that finds it
/// outside of native code.
Status errorStatus(ErrorKind kind, std::string_view node,
                   std::span<const int64_t> values = {},
                   std::string_view variable = {});

} // namespace kiln

#endif // KILN_RUNTIME_ABI_RUNSTATE_H
