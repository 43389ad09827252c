// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that fill queues.
#ifndef KILN_QUEUERUNNER_H
#define KILN_QUEUERUNNER_H

#include "kiln/Coordinator.h"
#include "kiln/DefaultSession.h"

#include <memory>
#include <string_view>
#include <vector>

namespace kiln {

struct QueueRunnerOptions {
  /// What closes the queue when all is enqueued, and what when all stops; null:
  /// added.
  const Node *closeOp = nullptr;
  const Node *cancelOp = nullptr;
  /// Errors of an enqueue that mean that nothing more comes.
  std::vector<StatusCode> closedCodes = {StatusCode::OutOfRange};
};

struct QueueRunnerData;

/// Enqueue operations that are run again and again, each in a thread of its
/// own, until there is nothing more or all is asked to stop. Copies are the
/// same.
/// **Source**: tf.train.QueueRunner.
class KILN_EXPORT QueueRunner {
public:
  /// **Errors** of the graph: INVALID_ARGUMENT "Must provide queue and
  /// enqueue_ops.".
  QueueRunner(const Output &queue, std::vector<const Node *> enqueueOps,
              const QueueRunnerOptions &options = {});

  const Output &queue() const noexcept;
  const std::vector<const Node *> &enqueueOps() const noexcept;
  const Node *closeOp() const noexcept;
  const Node *cancelOp() const noexcept;
  const std::vector<StatusCode> &closedCodes() const noexcept;

  /// Starts the threads, and one that cancels what waits when all is asked to
  /// stop. **Edges**: nothing where they run in this session already.
  /// **Errors**: as Coordinator::startThread(); later ones go to the
  /// coordinator. **Ownership**: threads keep the session.
  Status createThreads(const std::shared_ptr<Session> &session,
                       Coordinator &coordinator) const;

private:
  std::shared_ptr<QueueRunnerData> data;
};

/// Puts it into a collection of its graph. **Source**:
/// tf.train.add_queue_runner.
KILN_EXPORT void
addQueueRunner(const QueueRunner &runner,
               std::string_view collection = keys::queueRunners);
/// Starts all of the session's graph. TensorFlow's threads may do without a
/// coordinator; these have one that owns them. **Source**:
/// tf.train.start_queue_runners.
KILN_EXPORT Status startQueueRunners(
    const std::shared_ptr<Session> &session, Coordinator &coordinator,
    std::string_view collection = keys::queueRunners);

} // namespace kiln

#endif // KILN_QUEUERUNNER_H
