// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that work together and stop together.
#ifndef KILN_COORDINATOR_H
#define KILN_COORDINATOR_H

#include "kiln/Export.h"
#include "kiln/Status.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

struct CoordinatorState;

struct JoinOptions {
  /// How long threads may go on after the stop.
  std::chrono::milliseconds gracePeriod = std::chrono::seconds(120);
  /// True: threads that are still running then are no error.
  bool ignoreLiveThreads = false;
};

/// Threads of which each may ask all to stop, and hand an error to the one that
/// joins them. **Ownership**: of its threads; the destructor asks them to stop
/// and waits for them, however long they take. **Thread safety**: any thread
/// may call anything, but not join() or the destructor from one of its own.
/// **Source**: tf.train.Coordinator.
class KILN_EXPORT Coordinator {
public:
  /// Errors with these codes are a clean stop: join() does not give them.
  explicit Coordinator(std::vector<StatusCode> cleanStopCodes = {
                           StatusCode::OutOfRange});
  ~Coordinator();
  Coordinator(const Coordinator &) = delete;
  Coordinator &operator=(const Coordinator &) = delete;

  /// Asks all to stop. The first error is kept for join(); those after the stop
  /// are dropped.
  void requestStop(const Status &error = okStatus());
  /// Makes it as new: runs can begin again after join().
  void clearStop();
  bool shouldStop() const;
  /// Waits until all are asked to stop, or as long as this. Returns
  /// shouldStop().
  bool waitForStop(
      std::optional<std::chrono::milliseconds> timeout = std::nullopt) const;

  /// Runs a function in a thread of its own; its error is a requestStop().
  /// **Errors**: RESOURCE_EXHAUSTED where no thread can be made.
  Status startThread(std::string name, std::function<Status()> body);

  /// Waits until all threads are done: those that are asked to stop have a
  /// grace period. **Errors**: what was given to requestStop();
  /// FAILED_PRECONDITION "Coordinator stopped with threads still running: …" (a
  /// RuntimeError).
  Status join(const JoinOptions &options = {});
  /// Whether join() has returned.
  bool joined() const;
  /// What join() would give for an error, now.
  Status requestedError() const;

private:
  std::shared_ptr<CoordinatorState> state;
};

} // namespace kiln

#endif // KILN_COORDINATOR_H
