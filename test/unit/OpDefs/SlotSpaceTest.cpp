// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What import knows of the elements of TensorArrays, stacks and lists: of all,
// of each by its number, and what it had to forget.
#include "lib/OpDefs/SlotSpace.h"

#include <gtest/gtest.h>

namespace kiln {
namespace {

struct SlotSpaceTest : ::testing::Test {
  DimSpace dims;
  SlotSpace slots;
  int maker = 0;
  int slot = slots.slotOf({"", ""}, &maker);

  static ValueInfo tensor(std::initializer_list<int64_t> extents) {
    ValueInfo value;
    value.dtype = DType::Float32;
    value.shape.rankKnown = true;
    for (int64_t extent : extents)
      value.shape.dims.push_back(Dim::known(extent));
    return value;
  }
  static SymShape shape(std::initializer_list<int64_t> extents) {
    return tensor(extents).shape;
  }
  void write(const ValueInfo &value, std::optional<int64_t> number = {}) {
    slots.write(slot, value, dims, number);
  }
};

TEST_F(SlotSpaceTest, ElementsAreKnownByTheirNumbers) {
  write(tensor({1, 2}), 0);
  write(tensor({3}), 1);
  EXPECT_EQ(slots.read(slot, 0).shape, shape({1, 2}));
  EXPECT_EQ(slots.read(slot, 1).shape, shape({3}));
  EXPECT_FALSE(slots.read(slot).shape.rankKnown);
}

TEST_F(SlotSpaceTest, AWriteOfAnUnknownNumberMayBeAnyElement) {
  write(tensor({2, 3}), 0);
  write(tensor({2, 4}));
  SymShape joined = SymShape::of({Dim::known(2), Dim::unknown()});
  EXPECT_EQ(slots.read(slot, 0).shape, joined);
  write(tensor({2, 4}), 1);
  EXPECT_EQ(slots.read(slot, 1).shape, shape({2, 4}));
  write(tensor({2, 3}), 2);
  EXPECT_EQ(slots.read(slot, 2).shape, joined);
}

TEST_F(SlotSpaceTest, AnElementThatNobodyHasWrittenIsLikeTheOthers) {
  EXPECT_FALSE(slots.mayBeWritten(slot, 5));
  write(tensor({2}), 1);
  EXPECT_EQ(slots.read(slot, 5).shape, shape({2}));
  EXPECT_FALSE(slots.mayBeWritten(slot, 5));
  EXPECT_TRUE(slots.mayBeWritten(slot, 1));
  write(tensor({2}));
  EXPECT_TRUE(slots.mayBeWritten(slot, 5));
}

// A read before the write that loses something has seen too much: the next pass
// knows less from the start.
TEST_F(SlotSpaceTest, WhatWasLostOfAnElementStaysLost) {
  write(tensor({2}), 0);
  EXPECT_FALSE(slots.mustRepeat());
  write(tensor({3}), 0);
  EXPECT_TRUE(slots.mustRepeat());
  slots.beginPass();
  write(tensor({2}), 0);
  EXPECT_FALSE(slots.mustRepeat());
  EXPECT_EQ(slots.read(slot, 0).shape, SymShape::of({Dim::unknown()}));
  write(tensor({3}), 0);
  EXPECT_FALSE(slots.mustRepeat());
}

TEST_F(SlotSpaceTest, ACopyKeepsNumbersUnlessItIsShifted) {
  write(tensor({1}), 0);
  write(tensor({2}), 1);
  int same = slots.slotOf({"same", "same"}, &maker),
      behind = slots.slotOf({"b", "b"}, &maker);
  slots.copy(same, slot, dims);
  slots.copy(behind, slot, dims, /*isShifted=*/true);
  EXPECT_EQ(slots.read(same, 1).shape, shape({2}));
  EXPECT_EQ(slots.read(behind, 1).shape, SymShape::of({Dim::unknown()}));
}

// A handle that data picks may mean either, so what is known of one must hold
// of both, and code finds them where they move.
TEST_F(SlotSpaceTest, ArraysThatOneHandleMayMeanShareWhatIsKnown) {
  int other = slots.slotOf({"other", "other"}, &maker),
      picked = slots.slotOf({"p", "p"}, &maker);
  write(tensor({1, 2}), 0);
  slots.write(other, tensor({1, 3}), dims, 0);
  EXPECT_EQ(slots.numberOf(other), other);
  slots.pick(picked, slot, other);
  EXPECT_TRUE(slots.mustRepeat());
  slots.beginPass();
  write(tensor({1, 2}), 0);
  slots.write(other, tensor({1, 3}), dims, 0);
  SymShape joined = SymShape::of({Dim::known(1), Dim::unknown()});
  for (int one : {slot, other, picked}) {
    EXPECT_EQ(slots.read(one, 0).shape, joined);
    EXPECT_EQ(slots.numberOf(one), -1 - one);
  }
  // Again nothing is new.
  slots.beginPass();
  slots.pick(picked, slot, other);
  EXPECT_FALSE(slots.mustRepeat());
}

TEST_F(SlotSpaceTest, AStackMayHoldArraysThatSeveralNodesMake) {
  int stack = slots.slotOf({"stack", "stack"}, &maker),
      other = slots.slotOf({"o", "o"}, &maker);
  int taken = slots.slotOf({"taken", "taken"}, &maker);
  slots.holdHandle(stack, slot);
  slots.holdHandle(stack, other);
  slots.takeHandle(stack, taken);
  slots.beginPass();
  slots.write(other, tensor({4}), dims);
  EXPECT_EQ(slots.read(taken).shape, shape({4}));
  // What is taken and pushed again.
  slots.holdHandle(stack, taken);
  slots.takeHandle(stack, taken);
  EXPECT_EQ(slots.read(taken).shape, shape({4}));
}

TEST_F(SlotSpaceTest, RanksAreGuessedOnlyOnceAllElseIsKnown) {
  write(tensor({1, 2}), 0);
  write(tensor({3}), 1);
  EXPECT_EQ(slots.guessedRank(slot), std::nullopt);
  EXPECT_TRUE(slots.wantsRanks());
  slots.guessRanks();
  slots.beginPass();
  EXPECT_EQ(slots.guessedRank(slot), 2);
  EXPECT_FALSE(slots.wantsRanks());
  slots.giveUpGuesses();
  slots.beginPass();
  EXPECT_EQ(slots.guessedRank(slot), std::nullopt);
  EXPECT_FALSE(slots.wantsRanks());
}

} // namespace
} // namespace kiln
