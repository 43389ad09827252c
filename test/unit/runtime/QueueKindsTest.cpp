// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queues that shuffle or sort: order, what stays until they are closed, what is
// put back, memory that is used again.
#include "runtime/resources/Queue.h"

#include "test/unit/StatusMatchers.h"

#include <gtest/gtest.h>

#include <numeric>

namespace kiln {
namespace {

using ::testing::ElementsAre;
using testing::fails;
using testing::isOk;
using ::testing::UnorderedElementsAre;
using ::testing::UnorderedElementsAreArray;

/// A queue of an int64 and a text that says the same.
class QueueKinds : public ::testing::Test {
protected:
  static QueueSpec specOf(QueueKind kind) {
    QueueSpec spec{"q", -1, {DType::Int64, DType::String}, {Shape(), Shape()}};
    spec.kind = kind;
    spec.minAfterDequeue = kind == QueueKind::RandomShuffle ? 2 : 0;
    spec.seed = 3;
    spec.seed2 = 7;
    return spec;
  }
  void put(Queue &queue, std::vector<int64_t> values) {
    std::vector<Tensor> items;
    for (int64_t value : values) {
      items.push_back(Tensor::scalar(value));
      items.push_back(Tensor::scalar(std::to_string(value)));
    }
    auto attempt = QueueAttempt::enqueue(std::move(items));
    ASSERT_TRUE(queue.begin(attempt, run));
    ASSERT_THAT(queue.finish(attempt), isOk());
  }
  std::vector<int64_t> valuesOf(const QueueAttempt &attempt) {
    std::vector<int64_t> values;
    for (size_t i = 0; i < attempt.items.size(); i += 2) {
      values.push_back(attempt.items[i].data<int64_t>()[0]);
      EXPECT_EQ(std::string_view(attempt.items[i + 1].data<String>()[0]),
                std::to_string(values.back()));
    }
    return values;
  }
  std::vector<int64_t> take(Queue &queue, int64_t count) {
    auto attempt = QueueAttempt::dequeue(count);
    EXPECT_TRUE(queue.begin(attempt, run));
    EXPECT_THAT(queue.finish(attempt), isOk());
    return valuesOf(attempt);
  }
  void close(Queue &queue) {
    auto attempt = QueueAttempt::close();
    ASSERT_TRUE(queue.begin(attempt, run));
    ASSERT_THAT(queue.finish(attempt), isOk());
  }

  Queue sorted{specOf(QueueKind::Priority)};
  Queue shuffled{specOf(QueueKind::RandomShuffle)};
  RunContext run;
};

TEST_F(QueueKinds, PriorityQueueGivesTheSmallestFirst) {
  put(sorted, {5, -2, 3});
  put(sorted, {4});
  EXPECT_THAT(take(sorted, 2), ElementsAre(-2, 3));
  put(sorted, {-9, 6});
  EXPECT_THAT(take(sorted, 4), ElementsAre(-9, 4, 5, 6));
}

TEST_F(QueueKinds, PriorityQueueWaitsForAllOfABatch) {
  put(sorted, {2, 1});
  auto many = QueueAttempt::dequeue(3);
  EXPECT_FALSE(sorted.begin(many, run));
  EXPECT_EQ(sorted.size(), 2);
  put(sorted, {0});
  ASSERT_THAT(sorted.finish(many), isOk());
  EXPECT_THAT(valuesOf(many), ElementsAre(0, 1, 2));
}

// More than it holds comes step by step.
TEST_F(QueueKinds, PriorityQueueSortsAgainWhatIsPutBack) {
  QueueSpec spec = specOf(QueueKind::Priority);
  spec.capacity = 2;
  Queue small{spec};
  put(small, {2, 1});
  auto many = QueueAttempt::dequeue(3);
  EXPECT_FALSE(small.begin(many, run));
  EXPECT_EQ(small.size(), 0);
  small.abandon(many);
  EXPECT_THAT(take(small, 2), ElementsAre(1, 2));
}

// Unlike in TensorFlow, where they are lost.
TEST_F(QueueKinds, ClosedPriorityQueueGivesWhatIsLeft) {
  put(sorted, {2, 1});
  close(sorted);
  auto upTo = QueueAttempt::dequeueUpTo(5);
  ASSERT_TRUE(sorted.begin(upTo, run));
  EXPECT_THAT(sorted.finish(upTo), isOk());
  EXPECT_THAT(valuesOf(upTo), ElementsAre(1, 2));
}

TEST_F(QueueKinds, ShuffledQueueKeepsSomeUntilItIsClosed) {
  put(shuffled, {1, 2, 3});
  EXPECT_EQ(take(shuffled, 1).size(), 1u);
  auto waiting = QueueAttempt::dequeueOne();
  EXPECT_FALSE(shuffled.begin(waiting, run));
  auto behind = QueueAttempt::dequeueUpTo(5);
  EXPECT_FALSE(shuffled.begin(behind, run));
  close(shuffled);
  EXPECT_THAT(shuffled.finish(waiting), isOk());
  EXPECT_THAT(shuffled.finish(behind), isOk());
  EXPECT_EQ(behind.items.size(), 2u);
  auto late = QueueAttempt::dequeueOne();
  EXPECT_TRUE(shuffled.begin(late, run));
  EXPECT_THAT(shuffled.finish(late),
              fails(StatusCode::OutOfRange,
                    "RandomShuffleQueue 'q' is closed and has insufficient "
                    "elements (requested 1, current size 0)"));
}

TEST_F(QueueKinds, ShuffledQueueLosesNothingThatIsPutBack) {
  put(shuffled, {1, 2, 3, 4, 5});
  auto many = QueueAttempt::dequeue(4);
  EXPECT_FALSE(shuffled.begin(many, run));
  EXPECT_EQ(shuffled.size(), 2);
  shuffled.abandon(many);
  close(shuffled);
  EXPECT_THAT(take(shuffled, 5), UnorderedElementsAre(1, 2, 3, 4, 5));
}

TEST_F(QueueKinds, OneSeedGivesOneOrderAndNoneAnother) {
  std::vector<int64_t> values(60);
  std::iota(values.begin(), values.end(), 0);
  QueueSpec unseeded = specOf(QueueKind::RandomShuffle);
  unseeded.seed = unseeded.seed2 = 0;
  Queue again{specOf(QueueKind::RandomShuffle)}, other{unseeded};
  for (Queue *queue : {&shuffled, &again, &other})
    put(*queue, values);
  std::vector<int64_t> order = take(shuffled, 58);
  EXPECT_EQ(take(again, 58), order);
  EXPECT_NE(take(other, 58), order);
}

TEST_F(QueueKinds, LongQueuesThatRanEmptyAreUsedAgain) {
  std::vector<int64_t> values(1000);
  std::iota(values.begin(), values.end(), -500);
  QueueSpec spec = specOf(QueueKind::RandomShuffle);
  spec.minAfterDequeue = 0;
  Queue unordered{spec};
  for (int round = 0; round < 3; ++round) {
    put(sorted, values);
    EXPECT_EQ(take(sorted, 1000), values);
    put(unordered, values);
    EXPECT_THAT(take(unordered, 1000), UnorderedElementsAreArray(values));
  }
}

} // namespace
} // namespace kiln
