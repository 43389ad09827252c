// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Staging areas of the runtime: what waits, what overtakes it, what goes back.
#include "runtime/resources/StagingArea.h"

#include "test/unit/StatusMatchers.h"

#include <gtest/gtest.h>

namespace kiln {
namespace {

using ::testing::ElementsAre;
using testing::fails;
using ::testing::HasSubstr;
using testing::isOk;
using Kind = StageAttempt::Kind;

std::vector<Tensor> numbers(std::vector<int32_t> values) {
  std::vector<Tensor> items;
  for (int32_t value : values)
    items.push_back(Tensor::scalar(value));
  return items;
}

std::vector<int32_t> valuesOf(const StageAttempt &attempt) {
  std::vector<int32_t> values;
  for (const Tensor &item : attempt.items)
    values.push_back(item.data<int32_t>()[0]);
  return values;
}

StageAttempt putOf(std::vector<int32_t> values) {
  StageAttempt attempt(Kind::Put);
  attempt.numComponents = values.size();
  attempt.items = numbers(std::move(values));
  return attempt;
}

/// An attempt that names a key, and the places of its components.
StageAttempt ofKey(Kind kind, int64_t key, std::vector<int64_t> places,
                   std::vector<int32_t> values = {}) {
  StageAttempt attempt(kind);
  attempt.hasKey = true;
  attempt.key = key;
  attempt.places = std::move(places);
  attempt.numComponents = 2;
  attempt.items = numbers(std::move(values));
  return attempt;
}

class StagingAreaTest : public ::testing::Test {
protected:
  bool ends(StageAttempt &attempt) { return area.begin(attempt, run); }

  StagingArea area{/*capacity=*/2, /*memoryLimit=*/16};
  RunContext run;
};

TEST_F(StagingAreaTest, FullAreaMakesPutsWaitUntilSomethingIsTaken) {
  StageAttempt first = putOf({1}), second = putOf({2}), third = putOf({3});
  EXPECT_TRUE(ends(first));
  EXPECT_TRUE(ends(second));
  EXPECT_FALSE(ends(third));
  const uint32_t seen = run.events;
  StageAttempt take(Kind::TakeFirst);
  EXPECT_TRUE(ends(take));
  EXPECT_THAT(valuesOf(take), ElementsAre(1));
  EXPECT_TRUE(area.hasEnded(third));
  EXPECT_NE(run.events, seen); // the sleeper was told
  EXPECT_THAT(area.finish(third), isOk());
  EXPECT_EQ(area.size(), 2);
}

TEST_F(StagingAreaTest, MemoryBoundsWhatLiesThereAndWhatIsPut) {
  StageAttempt three = putOf({1, 2, 3}), two = putOf({4, 5}),
               five = putOf({1, 2, 3, 4, 5});
  EXPECT_TRUE(ends(five));
  EXPECT_THAT(area.finish(five), fails(StatusCode::ResourceExhausted,
                                       HasSubstr("size of '20' bytes")));
  EXPECT_TRUE(ends(three));
  EXPECT_FALSE(ends(two));
  area.clear();
  EXPECT_TRUE(area.hasEnded(two));
  EXPECT_EQ(area.size(), 1);
}

TEST_F(StagingAreaTest, WhoWaitsForAKeyHoldsUpNobody) {
  StageAttempt late = ofKey(Kind::Take, 7, {0, 1});
  EXPECT_FALSE(ends(late));
  StageAttempt other = ofKey(Kind::Put, 5, {0, 1}, {1, 2});
  EXPECT_TRUE(ends(other));
  StageAttempt take = ofKey(Kind::Take, 5, {0, 1});
  EXPECT_TRUE(ends(take));
  StageAttempt piece = ofKey(Kind::Put, 7, {1}, {4});
  EXPECT_TRUE(ends(piece));
  EXPECT_EQ(area.incompleteSize(), 1);
  EXPECT_FALSE(area.hasEnded(late));
  StageAttempt rest = ofKey(Kind::Put, 7, {0}, {3});
  EXPECT_TRUE(ends(rest));
  EXPECT_TRUE(area.hasEnded(late));
  EXPECT_THAT(area.finish(late), isOk());
  EXPECT_THAT(valuesOf(late), ElementsAre(3, 4));
}

TEST_F(StagingAreaTest, WhatAnAbandonedAttemptTookGoesBackInItsPlace) {
  StageAttempt first = putOf({1}), second = putOf({2});
  EXPECT_TRUE(ends(first));
  EXPECT_TRUE(ends(second));
  StageAttempt take(Kind::TakeFirst);
  EXPECT_TRUE(ends(take));
  area.abandon(take);
  StageAttempt again(Kind::TakeFirst);
  EXPECT_TRUE(ends(again));
  EXPECT_THAT(valuesOf(again), ElementsAre(1));
  StageAttempt part = ofKey(Kind::Put, 9, {0, 1}, {3, 4});
  EXPECT_TRUE(ends(part));
  StageAttempt one = ofKey(Kind::Take, 9, {1});
  EXPECT_TRUE(ends(one));
  area.abandon(one);
  StageAttempt both = ofKey(Kind::Take, 9, {0, 1});
  EXPECT_TRUE(ends(both));
  EXPECT_THAT(area.finish(both), isOk());
  EXPECT_THAT(valuesOf(both), ElementsAre(3, 4));
}

TEST_F(StagingAreaTest, AbandonedWaiterIsForgotten) {
  {
    StageAttempt take(Kind::TakeFirst);
    EXPECT_FALSE(ends(take));
    area.abandon(take);
  }
  StageAttempt put = putOf({1});
  EXPECT_TRUE(ends(put));
  EXPECT_EQ(area.size(), 1);
}

TEST_F(StagingAreaTest, NothingIsTakenWhereAComponentIsMissing) {
  StageAttempt put = ofKey(Kind::Put, 1, {0, 1}, {1, 2});
  EXPECT_TRUE(ends(put));
  StageAttempt outside = ofKey(Kind::Take, 1, {0, 2});
  EXPECT_TRUE(ends(outside));
  EXPECT_THAT(area.finish(outside), fails(StatusCode::InvalidArgument,
                                          HasSubstr("out of bounds '2'")));
  StageAttempt take = ofKey(Kind::Take, 1, {0, 1});
  EXPECT_TRUE(ends(take));
  EXPECT_THAT(valuesOf(take), ElementsAre(1, 2));
}

} // namespace
} // namespace kiln
