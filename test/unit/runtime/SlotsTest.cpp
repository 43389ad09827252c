// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slots keep what is in them while they grow, use their memory again, and are
// bounded.
#include "runtime/slots/Slots.h"

#include <gtest/gtest.h>

#include <cstring>

namespace kiln {
namespace {

/// A run of its own.
struct Slots : ::testing::Test {
  static constexpr int64_t limit = 1 << 16;

  ArenaPool pool;
  SlotTable table{pool, limit};
  RunContext context;
  KilnRunState state = makeRunState(&context);

  /// Gives element i room for `bytes` bytes.
  char *place(Slot &slot, int64_t i, int64_t bytes) {
    const int64_t dims[] = {bytes};
    if (!table.shape(slot, i, dims, bytes, &state, 7))
      return nullptr;
    slot.states[i] = kilnSlotWritten;
    return slot.element(i).data;
  }
};

TEST_F(Slots, ElementsKeepTheirValuesWhileASlotGrows) {
  Slot &slot = *table.at(3);
  ASSERT_TRUE(table.make(slot, 1, &state, 7));
  std::memset(place(slot, 0, 100), 5, 100);
  for (int64_t size = 2; size < 100; ++size) {
    ASSERT_TRUE(table.resize(slot, size, &state, 7));
    ASSERT_TRUE(place(slot, size - 1, 100));
  }
  EXPECT_EQ(slot.element(0).data[99], 5);
  EXPECT_EQ(slot.element(0).shape()[0], 100);
}

TEST_F(Slots, ElementsOfOneShapeLieSideBySide) {
  Slot &slot = *table.at(0);
  ASSERT_TRUE(table.make(slot, 3, &state, 7));
  char *last = place(slot, 2, 12);
  EXPECT_EQ(place(slot, 0, 12) + 24, last);
  slot.expose();
  EXPECT_EQ(slot.rank, 1);
  EXPECT_EQ(slot.dims[0], 12);
  EXPECT_EQ(slot.data + 24, last);
  EXPECT_GE(slot.room, 3);
}

TEST_F(Slots, ElementsOfTwoShapesKeepTheirValues) {
  Slot &slot = *table.at(0);
  ASSERT_TRUE(table.make(slot, 3, &state, 7));
  std::memset(place(slot, 0, 12), 5, 12);
  std::memset(place(slot, 1, 8), 6, 8);
  std::memset(place(slot, 2, 12), 7, 12);
  EXPECT_EQ(slot.element(0).data[11], 5);
  EXPECT_EQ(slot.element(0).shape()[0], 12);
  EXPECT_EQ(slot.element(1).data[7], 6);
  EXPECT_EQ(slot.element(1).shape()[0], 8);
  EXPECT_EQ(slot.element(2).data[11], 7);
  // The first is written over by a smaller one.
  std::memset(place(slot, 0, 4), 8, 4);
  EXPECT_EQ(slot.element(0).shape()[0], 4);
  EXPECT_EQ(slot.element(2).shape()[0], 12);
  slot.expose();
  EXPECT_EQ(slot.rank, -1);
}

TEST_F(Slots, OneElementMayChangeItsShapeInPlace) {
  Slot &slot = *table.at(0);
  ASSERT_TRUE(table.make(slot, 1, &state, 7));
  char *first = place(slot, 0, 100);
  EXPECT_EQ(place(slot, 0, 50), first);
  slot.expose();
  EXPECT_EQ(slot.dims[0], 50);
}

TEST_F(Slots, WhatNativeCodeMustNotTouchIsHidden) {
  Slot &slot = *table.at(0);
  auto isSeen = [&] {
    slot.expose();
    return slot.rank >= 0;
  };
  ASSERT_TRUE(table.make(slot, 2, &state, 7));
  EXPECT_FALSE(isSeen());
  ASSERT_TRUE(place(slot, 0, 12));
  EXPECT_TRUE(isSeen());
  slot.hide();
  EXPECT_EQ(slot.rank, -1);
  slot.shape.hasRank = true;
  slot.shape.dims = {13};
  EXPECT_FALSE(isSeen());
  slot.shape.dims = {-1};
  EXPECT_TRUE(isSeen());
  slot.flags = slotHasOneShape; // the next write says which
  EXPECT_FALSE(isSeen());
  slot.flags = slotIsClosed;
  EXPECT_FALSE(isSeen());
  slot.flags = 0;
  slot.maxSize = 1;
  EXPECT_TRUE(isSeen());
  EXPECT_EQ(slot.room, 1);
  ASSERT_TRUE(table.resize(slot, 1000, &state, 7));
  EXPECT_FALSE(isSeen()); // some have no memory
  table.clear();
  EXPECT_EQ(table.at(0)->rank, -1);
}

TEST_F(Slots, WhatIsTooLargeForTheLimitTogetherIsTakenOneByOne) {
  Slot &slot = *table.at(0);
  ASSERT_TRUE(table.make(slot, 64, &state, 7));
  EXPECT_TRUE(place(slot, 63, limit / 4));
  EXPECT_TRUE(place(slot, 3, limit / 4));
  EXPECT_EQ(slot.element(63).bytes, limit / 4);
}

TEST_F(Slots, AnElementThatIsMadeAgainUsesItsMemoryAgain) {
  Slot &slot = *table.at(0);
  ASSERT_TRUE(table.make(slot, 1, &state, 7));
  char *first = place(slot, 0, 100);
  for (int turn = 0; turn < 10000; ++turn) {
    ASSERT_TRUE(table.make(slot, 1, &state, 7));
    EXPECT_EQ(slot.states[0], 0);
    ASSERT_EQ(place(slot, 0, 100), first);
  }
}

TEST_F(Slots, ARunLikeTheOneBeforeTakesOneChunk) {
  for (int run = 0; run < 4; ++run) {
    Slot &slot = *table.at(0);
    ASSERT_TRUE(table.make(slot, 50, &state, 7));
    for (int64_t i = 0; i < 50; ++i)
      ASSERT_TRUE(place(slot, i, 500));
    table.clear();
    // What is idle is bounded by one arena of the run, not by their number.
    EXPECT_LE(pool.totalBytes(), run == 0 ? size_t(1) << 17 : size_t(1) << 18);
  }
  size_t before = pool.totalBytes();
  Slot &slot = *table.at(0);
  ASSERT_TRUE(table.make(slot, 50, &state, 7));
  for (int64_t i = 0; i < 50; ++i)
    ASSERT_TRUE(place(slot, i, 500));
  EXPECT_EQ(pool.totalBytes(), before);
}

TEST_F(Slots, ARunLikeTheOneBeforeMovesNothing) {
  for (int run = 0; run < 2; ++run) {
    Slot &slot = *table.at(0);
    ASSERT_TRUE(table.make(slot, 0, &state, 7));
    char *first = nullptr;
    for (int64_t i = 0; i < 20; ++i) {
      ASSERT_TRUE(table.resize(slot, i + 1, &state, 7));
      char *placed = place(slot, i, 12);
      first = first ? first : placed;
    }
    EXPECT_EQ(slot.element(0).data == first, run == 1);
    table.clear();
  }
}

TEST_F(Slots, WhatAnEarlierRunMadeIsGone) {
  Slot &slot = *table.at(1);
  ASSERT_TRUE(table.make(slot, 3, &state, 7));
  ASSERT_TRUE(place(slot, 2, 100));
  ASSERT_TRUE(table.make(*table.addInner(), 2, &state, 7));
  table.clear();
  EXPECT_EQ(table.at(1)->size, 0);
  EXPECT_EQ(table.addInner()->size, 0);
  ASSERT_TRUE(table.resize(*table.at(1), 1, &state, 7));
  EXPECT_FALSE(table.at(1)->isWritten(0));
}

TEST_F(Slots, BytesOfARunAreBounded) {
  Slot &slot = *table.at(0);
  ASSERT_TRUE(table.make(slot, 1, &state, 7));
  EXPECT_TRUE(place(slot, 0, limit / 2));
  ASSERT_TRUE(table.resize(slot, 2, &state, 7));
  EXPECT_FALSE(place(slot, 1, limit / 2));
  EXPECT_EQ(runStatus(state, {}).code(), StatusCode::ResourceExhausted);
}

TEST_F(Slots, NumbersOfElementsAreBounded) {
  Slot &slot = *table.at(0);
  EXPECT_TRUE(table.make(slot, limit, &state, 7));
  EXPECT_FALSE(table.make(*table.at(1), 1, &state, 7));
  EXPECT_EQ(runStatus(state, {}).code(), StatusCode::ResourceExhausted);
}

} // namespace
} // namespace kiln
