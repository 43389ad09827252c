// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queue runners: a thread an enqueue operation, and one that cancels.
#include "kiln/QueueRunner.h"

#include "lib/Support/Strings.h"

#include <algorithm>
#include <map>
#include <mutex>

namespace kiln {

struct QueueRunnerData {
  Output queue;
  std::vector<const Node *> enqueueOps;
  const Node *closeOp = nullptr;
  const Node *cancelOp = nullptr;
  std::vector<StatusCode> closedCodes;

  /// Guards `running`: how many threads each session has.
  std::mutex mutex;
  std::map<const Session *, size_t> running;

  bool isClosed(const Status &status) const {
    return std::ranges::find(closedCodes, status.code()) != closedCodes.end();
  }

  /// True for the last thread of the session.
  bool leave(const Session *session) {
    std::lock_guard lock(mutex);
    auto found = running.find(session);
    if (--found->second > 0)
      return false;
    running.erase(found);
    return true;
  }

  /// **Source**: QueueRunner._run.
  Status enqueue(Session &session, const Node *op,
                 const Coordinator &coordinator) {
    Status status = okStatus();
    while (status.ok() && !coordinator.shouldStop())
      status = run(session, op);
    bool isLast = leave(&session);
    if (!isClosed(status))
      return status;
    if (isLast) // others may have closed it: that is no error
      (void)run(session, closeOp);
    return okStatus();
  }
};

namespace {

const Node *addClose(const Output &queue, bool cancels) {
  std::string name = queue.node->name();
  name = name.substr(name.rfind('/') + 1) + "_Close";
  return GraphBuilder::of(queue).addOp(
      {.op = queue.dtype() == DType::Resource ? "QueueCloseV2" : "QueueClose",
       .name = name,
       .inputs = {Input(queue)},
       .attrs = {{"cancel_pending_enqueues", cancels}}});
}

} // namespace

QueueRunner::QueueRunner(const Output &queue,
                         std::vector<const Node *> enqueueOps,
                         const QueueRunnerOptions &options)
    : data(std::make_shared<QueueRunnerData>()) {
  data->queue = queue;
  data->enqueueOps = std::move(enqueueOps);
  data->closedCodes = options.closedCodes;
  if (!queue.node || data->enqueueOps.empty()) {
    GraphBuilder::of(queue).fail(
        invalidArgumentError("Must provide queue and enqueue_ops."));
    return;
  }
  data->closeOp = options.closeOp ? options.closeOp : addClose(queue, false);
  data->cancelOp = options.cancelOp ? options.cancelOp : addClose(queue, true);
}

const Output &QueueRunner::queue() const noexcept { return data->queue; }
const std::vector<const Node *> &QueueRunner::enqueueOps() const noexcept {
  return data->enqueueOps;
}
const Node *QueueRunner::closeOp() const noexcept { return data->closeOp; }
const Node *QueueRunner::cancelOp() const noexcept { return data->cancelOp; }
const std::vector<StatusCode> &QueueRunner::closedCodes() const noexcept {
  return data->closedCodes;
}

Status QueueRunner::createThreads(const std::shared_ptr<Session> &session,
                                  Coordinator &coordinator) const {
  if (!session)
    return failedPreconditionError(
        "Cannot start queue runners: No default session is registered. Use "
        "`with sess.as_default()` or pass an explicit session to "
        "tf.start_queue_runners(sess=sess)");
  if (!data->cancelOp)
    return invalidArgumentError("Must provide queue and enqueue_ops.");
  {
    std::lock_guard lock(data->mutex);
    if (data->running.contains(session.get()))
      return okStatus();
    data->running[session.get()] = data->enqueueOps.size();
  }
  std::string prefix =
      strCat("QueueRunnerThread-", data->queue.node->name(), "-");
  Coordinator *boss = &coordinator;
  // First the one that cancels: whatever fails then, nothing waits for ever.
  Status status = coordinator.startThread(
      prefix + "close_on_stop", [data = data, session, boss] {
        boss->waitForStop();
        (void)run(*session, data->cancelOp); // it may be closed already
        return okStatus();
      });
  size_t started = 0;
  for (const Node *op : data->enqueueOps) {
    if (!status.ok())
      break;
    status = coordinator.startThread(
        prefix + op->name(), [data = data, session, op, boss] {
          return data->enqueue(*session, op, *boss);
        });
    started += status.ok() ? 1 : 0;
  }
  if (status.ok())
    return status;
  for (size_t i = started; i < data->enqueueOps.size(); ++i)
    data->leave(session.get());
  coordinator.requestStop(status);
  return status;
}

void addQueueRunner(const QueueRunner &runner, std::string_view collection) {
  if (runner.queue().node)
    GraphBuilder::of(runner.queue())
        .addToCollection(
            collection, {.name = runner.queue().node->name(), .value = runner});
}

Status startQueueRunners(const std::shared_ptr<Session> &session,
                         Coordinator &coordinator,
                         std::string_view collection) {
  if (!session)
    return failedPreconditionError(
        "Cannot start queue runners: No default session is registered. Use "
        "`with sess.as_default()` or pass an explicit session to "
        "tf.start_queue_runners(sess=sess)");
  GraphBuilder graph = GraphBuilder::current();
  for (const QueueRunner &runner : graph.collectionOf<QueueRunner>(collection))
    if (session->graph()->contains(runner.queue().node))
      if (Status status = runner.createThreads(session, coordinator);
          !status.ok())
        return status;
  return okStatus();
}

} // namespace kiln
