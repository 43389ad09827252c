// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that stop together, and threads that fill queues until there is
// nothing more, an error or a stop.
#include "kiln/Coordinator.h"
#include "kiln/BuildOps.h"
#include "kiln/InputPipeline.h"
#include "kiln/QueueRunner.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

#include <atomic>
#include <latch>

namespace kiln {
namespace {

using testing::isOk;

TEST(Coordinator, AllStopWhenOneAsks) {
  Coordinator coordinator;
  std::atomic<int> stopped = 0;
  for (int i = 0; i < 4; ++i)
    ASSERT_THAT(coordinator.startThread("waits",
                                        [&] {
                                          coordinator.waitForStop();
                                          ++stopped;
                                          return okStatus();
                                        }),
                isOk());
  EXPECT_FALSE(coordinator.shouldStop());
  EXPECT_FALSE(coordinator.waitForStop(std::chrono::milliseconds(0)));
  ASSERT_THAT(coordinator.startThread("asks",
                                      [&] {
                                        coordinator.requestStop();
                                        return okStatus();
                                      }),
              isOk());
  EXPECT_THAT(coordinator.join(), isOk());
  EXPECT_EQ(stopped, 4);
  EXPECT_TRUE(coordinator.joined());
  coordinator.clearStop();
  EXPECT_FALSE(coordinator.joined());
  EXPECT_FALSE(coordinator.shouldStop());
}

TEST(Coordinator, TheFirstErrorIsTheOneOfJoin) {
  Coordinator coordinator;
  coordinator.requestStop(internalError("first"));
  coordinator.requestStop(internalError("second"));
  EXPECT_EQ(coordinator.requestedError().message(), "first");
  Status status = coordinator.join();
  EXPECT_EQ(status.code(), StatusCode::Internal);
  EXPECT_EQ(status.message(), "first");
}

TEST(Coordinator, CleanStopsAreNoErrors) {
  Coordinator coordinator;
  ASSERT_THAT(coordinator.startThread(
                  "ends", [] { return outOfRangeError("no more"); }),
              isOk());
  EXPECT_THAT(coordinator.join(), isOk());
  EXPECT_TRUE(coordinator.shouldStop());
}

TEST(Coordinator, ThreadsThatGoOnAreNamed) {
  std::latch ends(1);
  Coordinator coordinator;
  ASSERT_THAT(coordinator.startThread("stubborn",
                                      [&] {
                                        ends.wait();
                                        return okStatus();
                                      }),
              isOk());
  coordinator.requestStop();
  JoinOptions soon{.gracePeriod = std::chrono::milliseconds(1)};
  EXPECT_EQ(coordinator.join(soon).message(),
            "Coordinator stopped with threads still running: stubborn");
  soon.ignoreLiveThreads = true;
  EXPECT_THAT(coordinator.join(soon), isOk());
  ends.count_down();
  EXPECT_THAT(coordinator.join(), isOk());
}

class QueueRunners : public ::testing::Test {
protected:
  std::shared_ptr<Session> session() {
    auto made = makeSession();
    EXPECT_THAT(made.status(), isOk());
    return made.valueOr(nullptr);
  }
  Output makeQueue(int64_t capacity) {
    return rawOps::fifoQueueV2(
        {DType::Int64},
        {.shapes = {Shape{}}, .capacity = capacity, .name = "fifo_queue"});
  }
  /// An enqueue of 1, 2 … to the limit, which ends with OUT_OF_RANGE.
  const Node *enqueueCounter(const Output &queue, int64_t limit) {
    Variable count(0, {.dtype = DType::Int64, .name = "count"});
    Output next = rawOps::countUpTo(count.handle(), limit);
    return rawOps::queueEnqueueV2(queue, {next});
  }

  GraphBuilder graph;
  GraphScope scope{graph};
};

TEST_F(QueueRunners, FillUntilThereIsNothingMore) {
  Output queue = makeQueue(3);
  const Node *enqueue = enqueueCounter(queue, 10);
  addQueueRunner(QueueRunner(queue, {enqueue, enqueue}));
  Output taken = rawOps::queueDequeueV2(queue, {DType::Int64})[0];
  const Node *init = globalVariablesInitializer();
  ASSERT_THAT(graph.status(), isOk());
  EXPECT_NE(graph.graph()->lookup("fifo_queue_Close"), nullptr);
  EXPECT_NE(graph.graph()->lookup("fifo_queue_Close_1"), nullptr);
  std::shared_ptr<Session> running = session();
  ASSERT_THAT(run(*running, init), isOk());
  Coordinator coordinator;
  ASSERT_THAT(startQueueRunners(running, coordinator), isOk());
  std::vector<int64_t> found;
  for (;;) {
    auto value = fetch(*running, taken);
    if (!value.ok()) {
      EXPECT_EQ(value.status().code(), StatusCode::OutOfRange);
      break;
    }
    found.push_back(value->data<int64_t>()[0]);
  }
  std::ranges::sort(found);
  EXPECT_THAT(found, ::testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
  coordinator.requestStop();
  EXPECT_THAT(coordinator.join(), isOk());
}

TEST_F(QueueRunners, APipelineGivesEachNumberOncePerEpoch) {
  Output numbers = rangeInputProducer(5, {.numEpochs = 2, .seed = 1});
  ASSERT_THAT(graph.status(), isOk());
  Output number = rawOps::queueDequeueV2(numbers, {DType::Int32})[0];
  Output some =
      batch({number}, 3, {.numThreads = 2, .allowSmallerFinalBatch = true})[0];
  const Node *init = localVariablesInitializer();
  ASSERT_THAT(graph.status(), isOk());
  std::shared_ptr<Session> running = session();
  ASSERT_THAT(run(*running, init), isOk());
  Coordinator coordinator;
  ASSERT_THAT(startQueueRunners(running, coordinator), isOk());
  std::vector<int32_t> found;
  for (auto value = fetch(*running, some); value.ok();
       value = fetch(*running, some))
    for (int32_t each : value->data<int32_t>())
      found.push_back(each);
  coordinator.requestStop();
  EXPECT_THAT(coordinator.join(), isOk());
  std::ranges::sort(found);
  EXPECT_THAT(found, ::testing::ElementsAre(0, 0, 1, 1, 2, 2, 3, 3, 4, 4));
}

TEST_F(QueueRunners, AStopCancelsWhatWaits) {
  Output queue = makeQueue(1);
  const Node *enqueue = rawOps::queueEnqueueV2(
      queue, {ops::constant(7, {.dtype = DType::Int64})});
  QueueRunner runner(queue, {enqueue, enqueue, enqueue});
  ASSERT_THAT(graph.status(), isOk());
  std::shared_ptr<Session> running = session();
  Coordinator coordinator({StatusCode::OutOfRange, StatusCode::Cancelled});
  ASSERT_THAT(runner.createThreads(running, coordinator), isOk());
  EXPECT_THAT(runner.createThreads(running, coordinator), isOk());
  coordinator.requestStop();
  EXPECT_THAT(coordinator.join(), isOk());
}

TEST_F(QueueRunners, ErrorsGoToTheCoordinator) {
  Output queue = makeQueue(1);
  Output wrong = ops::placeholder(DType::Int64, {}, {.name = "wrong"});
  addQueueRunner(QueueRunner(queue, {rawOps::queueEnqueueV2(queue, {wrong})}));
  ASSERT_THAT(graph.status(), isOk());
  Coordinator coordinator;
  ASSERT_THAT(startQueueRunners(session(), coordinator), isOk());
  coordinator.waitForStop();
  EXPECT_EQ(coordinator.join().code(), StatusCode::InvalidArgument);
}

TEST_F(QueueRunners, NeedAQueueAndASession) {
  Output queue = makeQueue(1);
  QueueRunner none(queue, {});
  EXPECT_EQ(graph.takeStatus().message(),
            "Must provide queue and enqueue_ops.");
  Coordinator coordinator;
  EXPECT_EQ(startQueueRunners(nullptr, coordinator).code(),
            StatusCode::FailedPrecondition);
  EXPECT_THAT(none.createThreads(session(), coordinator),
              ::testing::Not(isOk()));
}

} // namespace
} // namespace kiln
