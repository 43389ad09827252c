// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is still known of a dimension when an equality has put another one in
// its place.
#include "lib/Shape/DimSpace.h"
#include "lib/Shape/Windows.h"

#include "test/unit/StatusMatchers.h"

#include <gtest/gtest.h>

namespace kiln {
namespace {

using testing::isOk;

constexpr GuardInfo noInfo{.prefix = "mismatch"};

/// The places of windows of one element with stride 2.
Dim placesOf(DimSpace &space, Dim extent) {
  WindowDim dim{.input = extent, .window = Dim::known(1), .stride = 2};
  EXPECT_THAT(planWindow(space, Padding::Valid, dim), isOk());
  return dim.output;
}

// How often something is repeated is no extent; the repeated one is, where it
// is equal to one.
TEST(DimEqualities, WhatStandsForAnExtentIsNotNegative) {
  DimSpace space;
  Dim s0 = space.feedDim(0, 0, 3);
  space.setNode("where");
  Dim found = space.runDim(0, /*isSize=*/true),
      times = space.runDim(1, /*isSize=*/false);
  Dim repeated = space.mul(s0, times), places = placesOf(space, found);
  EXPECT_FALSE(space.isNonNegative(repeated));
  ASSERT_THAT(space.unify(repeated, places, noInfo).status(), isOk());
  EXPECT_TRUE(space.isNonNegative(repeated));
  EXPECT_TRUE(space.equal(placesOf(space, found), repeated));
  EXPECT_FALSE(space.isNonNegative(times));
  ASSERT_THAT(space.unify(times, found, noInfo).status(), isOk());
  EXPECT_TRUE(space.isNonNegative(times));
}

// The same while nodes are lowered, which learn the equality again.
TEST(DimEqualities, LoweringKnowsTheSignOfWhatStandsForAnExtent) {
  DimSpace space;
  Dim s0 = space.feedDim(0, 0, 3);
  space.setNode("where");
  Dim found = space.runDim(0, /*isSize=*/true),
      times = space.runDim(1, /*isSize=*/false);
  Dim repeated = space.mul(s0, times);
  ASSERT_THAT(space.unify(repeated, placesOf(space, found), noInfo).status(),
              isOk());
  const size_t count = space.numEqualities(0),
               numSymbols = space.symbols().defs.size();
  space.beginLowering();
  EXPECT_FALSE(space.isNonNegative(repeated));
  ASSERT_TRUE(space.learnUpTo(0, count, numSymbols));
  EXPECT_TRUE(space.equal(placesOf(space, found), repeated));
}

} // namespace
} // namespace kiln
