// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queues of the runtime: order, capacity, closing, attempts that wait, go on
// step by step, and are given up.
#include "runtime/resources/Queue.h"

#include "runtime/threads/Futex.h"
#include "test/unit/StatusMatchers.h"

#include <gtest/gtest.h>

#include <barrier>
#include <thread>

namespace kiln {
namespace {

using ::testing::ElementsAre;
using testing::fails;
using ::testing::IsEmpty;
using testing::isOk;

std::vector<Tensor> numbers(std::vector<int32_t> values) {
  std::vector<Tensor> items;
  for (int32_t value : values)
    items.push_back(Tensor::scalar(value));
  return items;
}

std::vector<int32_t> valuesOf(const QueueAttempt &attempt) {
  std::vector<int32_t> values;
  for (const Tensor &item : attempt.items)
    values.push_back(item.data<int32_t>()[0]);
  return values;
}

class QueueTest : public ::testing::Test {
protected:
  void put(std::vector<int32_t> values) {
    auto attempt = QueueAttempt::enqueue(numbers(std::move(values)));
    ASSERT_TRUE(queue.begin(attempt, run));
    ASSERT_THAT(queue.finish(attempt), isOk());
  }
  std::vector<int32_t> take(int64_t count) {
    auto attempt = QueueAttempt::dequeue(count);
    EXPECT_TRUE(queue.begin(attempt, run));
    EXPECT_THAT(queue.finish(attempt), isOk());
    return valuesOf(attempt);
  }
  void close() {
    auto attempt = QueueAttempt::close();
    ASSERT_TRUE(queue.begin(attempt, run));
    ASSERT_THAT(queue.finish(attempt), isOk());
  }

  Queue queue{{"q", 3, {DType::Int32}, {Shape()}}};
  RunContext run;
};

TEST_F(QueueTest, GivesElementsInTheOrderTheyCame) {
  put({1, 2});
  put({3});
  EXPECT_EQ(queue.size(), 3);
  EXPECT_THAT(take(1), ElementsAre(1));
  EXPECT_THAT(take(2), ElementsAre(2, 3));
}

TEST_F(QueueTest, FullQueueMakesEnqueuesWaitInOrder) {
  put({1, 2, 3});
  auto first = QueueAttempt::enqueue(numbers({4}));
  auto second = QueueAttempt::enqueue(numbers({5}));
  EXPECT_FALSE(queue.begin(first, run));
  EXPECT_FALSE(queue.begin(second, run));
  uint32_t seen = run.events;
  EXPECT_THAT(take(1), ElementsAre(1));
  EXPECT_TRUE(queue.hasEnded(first));
  EXPECT_FALSE(queue.hasEnded(second));
  EXPECT_NE(run.events, seen); // the sleeper was told
  EXPECT_THAT(queue.finish(first), isOk());
  EXPECT_THAT(take(4), ElementsAre(2, 3, 4, 5));
  EXPECT_THAT(queue.finish(second), isOk());
}

TEST_F(QueueTest, BatchLargerThanTheCapacityPassesThrough) {
  auto batch = QueueAttempt::enqueue(numbers({1, 2, 3, 4, 5}));
  EXPECT_FALSE(queue.begin(batch, run));
  EXPECT_EQ(queue.size(), 3);
  EXPECT_THAT(take(5), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(queue.finish(batch), isOk());
}

TEST_F(QueueTest, FirstDequeueHoldsUpTheOnesBehindIt) {
  auto many = QueueAttempt::dequeue(2);
  auto one = QueueAttempt::dequeue(1);
  EXPECT_FALSE(queue.begin(many, run));
  EXPECT_FALSE(queue.begin(one, run));
  put({1});
  EXPECT_FALSE(queue.hasEnded(one));
  put({2, 3});
  EXPECT_THAT(valuesOf(many), ElementsAre(1, 2));
  EXPECT_THAT(valuesOf(one), ElementsAre(3));
}

TEST_F(QueueTest, AbandonedDequeuePutsBackWhatItTookAndLetsOthersGo) {
  auto many = QueueAttempt::dequeue(3);
  auto one = QueueAttempt::dequeue(1);
  EXPECT_FALSE(queue.begin(many, run));
  EXPECT_FALSE(queue.begin(one, run));
  put({1, 2});
  EXPECT_EQ(queue.size(), 0);
  queue.abandon(many);
  EXPECT_THAT(valuesOf(one), ElementsAre(1));
  EXPECT_THAT(take(1), ElementsAre(2));
}

TEST_F(QueueTest, AbandonedEnqueueLetsOthersGo) {
  put({1, 2, 3});
  auto first = QueueAttempt::enqueue(numbers({4, 5, 6, 7}));
  auto second = QueueAttempt::enqueue(numbers({8}));
  EXPECT_FALSE(queue.begin(first, run));
  EXPECT_FALSE(queue.begin(second, run));
  EXPECT_THAT(take(1), ElementsAre(1));
  queue.abandon(first); // 4 went in and stays
  EXPECT_THAT(take(4), ElementsAre(2, 3, 4, 8));
}

TEST_F(QueueTest, ClosedQueueGivesWhatItHasAndThenFails) {
  put({1});
  close();
  auto late = QueueAttempt::enqueue(numbers({2}));
  EXPECT_TRUE(queue.begin(late, run));
  EXPECT_THAT(queue.finish(late),
              fails(StatusCode::Cancelled, "FIFOQueue 'q' is closed."));
  EXPECT_THAT(take(1), ElementsAre(1));
  auto more = QueueAttempt::dequeue(2);
  EXPECT_TRUE(queue.begin(more, run));
  EXPECT_THAT(queue.finish(more),
              fails(StatusCode::OutOfRange,
                    "FIFOQueue 'q' is closed and has insufficient elements "
                    "(requested 2, current size 0)"));
}

TEST_F(QueueTest, ClosingEndsWaitingDequeues) {
  auto upTo = QueueAttempt::dequeueUpTo(3);
  auto many = QueueAttempt::dequeue(2);
  EXPECT_FALSE(queue.begin(upTo, run));
  EXPECT_FALSE(queue.begin(many, run));
  put({1});
  close();
  EXPECT_THAT(queue.finish(upTo), isOk());
  EXPECT_THAT(valuesOf(upTo), ElementsAre(1));
  EXPECT_EQ(queue.finish(many).code(), StatusCode::OutOfRange);
  EXPECT_THAT(many.items, IsEmpty());
}

TEST_F(QueueTest, DequeueOfTooMuchPutsBackWhenTheQueueCloses) {
  auto many = QueueAttempt::dequeue(2);
  EXPECT_FALSE(queue.begin(many, run));
  put({1});
  close();
  EXPECT_EQ(queue.finish(many).code(), StatusCode::OutOfRange);
  EXPECT_THAT(take(1), ElementsAre(1));
}

TEST_F(QueueTest, CloseComesAfterWaitingEnqueues) {
  put({1, 2, 3});
  auto waiting = QueueAttempt::enqueue(numbers({4}));
  auto closing = QueueAttempt::close();
  EXPECT_FALSE(queue.begin(waiting, run));
  EXPECT_FALSE(queue.begin(closing, run));
  EXPECT_FALSE(queue.isClosed());
  EXPECT_THAT(take(1), ElementsAre(1));
  EXPECT_THAT(queue.finish(waiting), isOk());
  EXPECT_THAT(queue.finish(closing), isOk());
  EXPECT_TRUE(queue.isClosed());
  auto again = QueueAttempt::close();
  EXPECT_TRUE(queue.begin(again, run));
  EXPECT_THAT(queue.finish(again),
              fails(StatusCode::Cancelled, "Queue 'q' is already closed."));
}

TEST_F(QueueTest, CloseAndCancelEndsWaitingEnqueues) {
  put({1, 2, 3});
  auto waiting = QueueAttempt::enqueue(numbers({4}));
  EXPECT_FALSE(queue.begin(waiting, run));
  queue.closeAndCancel();
  EXPECT_THAT(queue.finish(waiting),
              fails(StatusCode::Cancelled, "Enqueue operation was cancelled"));
  EXPECT_EQ(queue.size(), 3);
}

/// Every number goes through once, in whichever thread.
TEST_F(QueueTest, ManyThreadsLoseNothing) {
  constexpr int pairs = 4, each = 2000;
  std::barrier start(2 * pairs);
  std::atomic<int64_t> sum = 0;
  auto sleepUntilEnded = [&](QueueAttempt &attempt, RunContext &context) {
    bool ended = queue.begin(attempt, context);
    while (!ended) {
      uint32_t seen = context.events;
      if (!(ended = queue.hasEnded(attempt)))
        futexWait(context.events, seen);
    }
    EXPECT_THAT(queue.finish(attempt), isOk());
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < pairs; ++t) {
    threads.emplace_back([&, t] {
      RunContext context;
      start.arrive_and_wait();
      for (int i = 0; i < each; ++i) {
        auto attempt = QueueAttempt::enqueue(numbers({t * each + i}));
        sleepUntilEnded(attempt, context);
      }
    });
    threads.emplace_back([&] {
      RunContext context;
      start.arrive_and_wait();
      for (int i = 0; i < each; ++i) {
        auto attempt = QueueAttempt::dequeue(1);
        sleepUntilEnded(attempt, context);
        sum += valuesOf(attempt)[0];
      }
    });
  }
  for (std::thread &thread : threads)
    thread.join();
  constexpr int64_t count = pairs * each;
  EXPECT_EQ(sum, count * (count - 1) / 2);
  EXPECT_EQ(queue.size(), 0);
}

} // namespace
} // namespace kiln
