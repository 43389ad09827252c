// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tuples of tensors that runs leave for other runs, in their order or by keys.
#ifndef KILN_RUNTIME_RESOURCES_STAGINGAREA_H
#define KILN_RUNTIME_RESOURCES_STAGINGAREA_H

#include "kiln/Tensor.h"
#include "runtime/abi/RunState.h"
#include "runtime/resources/Resource.h"

#include <map>
#include <mutex>
#include <vector>

namespace kiln {

class StagingArea;

/// One op that may wait at a staging area, from StagingArea::begin() to
/// finish().
///
/// Ownership: the run's, at one place as long as an area knows it; borrows the
/// context. Thread safety: between begin() and finish() the area's mutex guards
/// it.
class StageAttempt {
public:
  enum class Kind : uint8_t {
    Put,       ///< `items`; under the next number where there is no key
    Take,      ///< of the key
    TakeFirst, ///< of the smallest key, or number
    Look,      ///< at those of the key, which stay
    LookAt,    ///< at those in place `key`, in the order of the keys
  };

  explicit StageAttempt(Kind kind) : kind(kind) {}

  Kind kind;
  bool hasKey = false;
  int64_t key = 0; ///< of what a finished TakeFirst took, too
  /// Which components of a tuple, in rising order; without a key all.
  std::vector<int64_t> places = {};
  size_t numComponents = 0; ///< of the whole tuple that Put belongs to
  /// What Put puts; what the others have got, in the order of `places`.
  std::vector<Tensor> items = {};

private:
  friend class StagingArea;
  bool isDone = false;
  int64_t bytes = 0; ///< of what Put puts
  Status status;
  RunContext *waiter = nullptr;
};

/// A staging area.
///
/// An attempt waits for what it needs alone: others that can go on overtake it.
/// A tuple that is put in pieces is there from its last piece on, and gone with
/// its last piece that is taken. A tuple under a key that is there already is
/// dropped.
///
/// Invariants: (1) outside of the mutex no attempt is pending that could make
/// progress; (2) numBytes is that of all tensors that lie here. **Difference**
/// from TensorFlow: looking at a tuple by its key does not make room beneath
/// the limit of memory, and waiting ends with the run. Thread safety: all
/// functions; `mutex` guards everything. No other lock is taken under it.
/// **Cost**: a mutex, a search in a map and moves of tensors.
class StagingArea final : public Resource {
public:
  /// Bounds of 0 are none.
  StagingArea(int64_t capacity, int64_t memoryLimit)
      : capacity(capacity), memoryLimit(memoryLimit) {}
  StagingArea(const StagingArea &) = delete;
  StagingArea &operator=(const StagingArea &) = delete;

  /// Starts an attempt and does what can be done. Returns true when it has
  /// ended; otherwise its end is told by wakeRun(waiter).
  bool begin(StageAttempt &attempt, RunContext &waiter);
  bool hasEnded(const StageAttempt &attempt) const;
  /// Lets go of an ended attempt. **Errors**, with TensorFlow's texts:
  /// RESOURCE_EXHAUSTED for more than the limit of memory at once;
  /// INVALID_ARGUMENT for components that there are not, or twice.
  Status finish(StageAttempt &attempt);
  /// Lets go of one that has not been finished; what it took goes back.
  void abandon(StageAttempt &attempt);

  void clear();
  /// The number of whole tuples.
  int64_t size() const;
  /// The number of tuples that lack components.
  int64_t incompleteSize() const;

private:
  using Tuple = std::vector<Tensor>; ///< what is not there is not valid
  using Tuples = std::map<int64_t, Tuple>;

  void serve();
  /// Does what an attempt wants; true when it has ended.
  bool step(StageAttempt &attempt);
  bool put(StageAttempt &attempt);
  Status putPieces(StageAttempt &attempt);
  Status take(StageAttempt &attempt, Tuples::iterator at);
  bool hasRoomFor(int64_t bytes) const {
    return memoryLimit <= 0 || bytes <= memoryLimit - numBytes;
  }

  const int64_t capacity, memoryLimit;
  mutable std::mutex mutex;
  Tuples tuples, incomplete;
  int64_t nextNumber = 0, numBytes = 0;
  std::vector<StageAttempt *> pending; ///< in the order in which they began
};

} // namespace kiln

#endif // KILN_RUNTIME_RESOURCES_STAGINGAREA_H
