// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slots keep what is in them while they grow, use their memory again, and are
// bounded.
#include "runtime/Slots.h"

#include <gtest/gtest.h>

#include <cstring>

namespace kiln {
namespace {

/// A run of its own.
struct Slots : testing::Test {
  static constexpr int64_t limit = 1 << 16;

  ArenaPool pool;
  SlotTable table{pool, limit};
  RunContext context;
  KilnRunState state = makeRunState(&context);

  /// Gives element i room for `bytes` bytes.
  char *place(Slot &slot, size_t i, int64_t bytes) {
    const int64_t dims[] = {bytes};
    return table.shape(slot.elements[i], dims, bytes, &state, 7)
               ? slot.elements[i].data
               : nullptr;
  }
};

TEST_F(Slots, ElementsStayWhereTheyAreWhileASlotGrows) {
  Slot &slot = *table.at(3);
  ASSERT_TRUE(table.make(slot, 1, &state, 7));
  char *first = place(slot, 0, 100);
  std::memset(first, 5, 100);
  for (int64_t size = 2; size < 100; ++size) {
    ASSERT_TRUE(table.resize(slot, size, &state, 7));
    ASSERT_TRUE(place(slot, static_cast<size_t>(size) - 1, 100));
  }
  EXPECT_EQ(slot.elements[0].data, first);
  EXPECT_EQ(first[99], 5);
  EXPECT_EQ(slot.elements[0].shape()[0], 100);
}

TEST_F(Slots, AnElementThatIsMadeAgainUsesItsMemoryAgain) {
  Slot &slot = *table.at(0);
  ASSERT_TRUE(table.make(slot, 1, &state, 7));
  slot.elements[0].state = SlotElement::written;
  char *first = place(slot, 0, 100);
  for (int turn = 0; turn < 10000; ++turn) {
    ASSERT_TRUE(table.make(slot, 1, &state, 7));
    EXPECT_EQ(slot.elements[0].state, 0);
    ASSERT_EQ(place(slot, 0, 100), first);
  }
}

TEST_F(Slots, ARunLikeTheOneBeforeTakesOneChunk) {
  for (int run = 0; run < 4; ++run) {
    Slot &slot = *table.at(0);
    ASSERT_TRUE(table.make(slot, 50, &state, 7));
    for (size_t i = 0; i < 50; ++i)
      ASSERT_TRUE(place(slot, i, 500));
    table.clear();
    // What is idle is bounded by one arena of the run, not by their number.
    EXPECT_LE(pool.totalBytes(), run == 0 ? size_t(1) << 17 : size_t(1) << 18);
  }
  size_t before = pool.totalBytes();
  Slot &slot = *table.at(0);
  ASSERT_TRUE(table.make(slot, 50, &state, 7));
  for (size_t i = 0; i < 50; ++i)
    ASSERT_TRUE(place(slot, i, 500));
  EXPECT_EQ(pool.totalBytes(), before);
}

TEST_F(Slots, WhatAnEarlierRunMadeIsGone) {
  Slot &slot = *table.at(1);
  ASSERT_TRUE(table.make(slot, 3, &state, 7));
  ASSERT_TRUE(place(slot, 2, 100));
  ASSERT_TRUE(table.make(*table.addInner(), 2, &state, 7));
  table.clear();
  EXPECT_EQ(table.at(1)->size, 0u);
  EXPECT_EQ(table.addInner()->size, 0u);
  ASSERT_TRUE(table.resize(*table.at(1), 1, &state, 7));
  EXPECT_EQ(table.at(1)->elements[0].data, nullptr);
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
  constexpr auto entry = static_cast<int64_t>(sizeof(SlotElement));
  EXPECT_TRUE(table.make(slot, limit / entry, &state, 7));
  EXPECT_FALSE(table.make(*table.at(1), 1, &state, 7));
  EXPECT_EQ(runStatus(state, {}).code(), StatusCode::ResourceExhausted);
}

} // namespace
} // namespace kiln
