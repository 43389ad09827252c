// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dimension symbols: canonical forms, merging, classes, guards and their
// evaluation.
#include "lib/Shape/DimSpace.h"

#include "test/unit/StatusMatchers.h"

#include <gtest/gtest.h>
#include <random>

namespace kiln {
namespace {

using testing::fails;
using testing::failsAt;
using testing::isOk;

constexpr GuardInfo noInfo{.prefix = "mismatch"};

TEST(DimSpace, QuotientOfProductIsTheFactor) {
  DimSpace space;
  Dim s0 = space.feedDim(0, 0, 5), nine = Dim::known(9);
  EXPECT_EQ(space.floorDiv(space.mul(s0, nine), nine), s0);
  EXPECT_EQ(space.floorDiv(space.mul(s0, nine), s0), nine);
  EXPECT_EQ(space.sub(space.add(s0, Dim::known(3)), Dim::known(3)), s0);
  EXPECT_EQ(space.mod(space.mul(s0, nine), nine), Dim::known(0));
}

// (s0 * s1 * s1) / s0 has the form of s1 * s1, which has a value where s0 is 0.
TEST(DimSpace, ExactQuotientIsDefinedWithoutDivision) {
  DimSpace space;
  Dim s0 = space.feedDim(0, 0, 5), s1 = space.feedDim(0, 1, 6);
  Dim quotient = space.floorDiv(space.mul(space.mul(s0, s1), s1), s0);
  EXPECT_EQ(quotient, space.mul(s1, s1));
  std::vector<int64_t> values, extents = {0, 6};
  FeedShape feed(extents);
  ASSERT_THAT(space.symbols().evaluate({&feed, 1}, values), isOk());
  EXPECT_EQ(evaluateDim(quotient, values), 36);
}

TEST(DimSpace, SameOperationGivesSameSymbol) {
  DimSpace space;
  Dim s0 = space.feedDim(0, 0, 5), s1 = space.feedDim(1, 0, 6);
  EXPECT_EQ(space.mul(s0, s1), space.mul(s1, s0));
  EXPECT_EQ(space.floorDiv(s0, Dim::known(2)),
            space.floorDiv(s0, Dim::known(2)));
  EXPECT_EQ(space.max(s0, s1), space.max(s1, s0));
  EXPECT_NE(space.floorDiv(s0, Dim::known(2)),
            space.floorDiv(s0, Dim::known(3)));
}

TEST(DimSpace, SameOperationGivesWhatItBecame) {
  DimSpace space;
  Dim s0 = space.feedDim(0, 0, 6), less = space.sub(s0, Dim::known(4)),
      zero = Dim::known(0);
  ASSERT_THAT(space.unify(space.max(less, zero), Dim::known(2), {}), isOk());
  EXPECT_EQ(space.max(less, zero), Dim::known(2));
}

// From s0 * s1 = 20 no atom follows, and yet it is 20 from then on.
TEST(DimSpace, ProductsThatAreEqualToANumberAreIt) {
  DimSpace space;
  Dim s0 = space.feedDim(0, 0, 4), s1 = space.feedDim(0, 1, 5);
  Dim product = space.mul(s0, s1), twenty = Dim::known(20);
  EXPECT_EQ(*space.unify(product, twenty, noInfo), twenty);
  EXPECT_EQ(space.mul(s1, s0), twenty);
  EXPECT_EQ(space.mul(product, Dim::known(3)), Dim::known(60));
  EXPECT_THAT(space.unify(product, Dim::known(21), noInfo),
              fails(StatusCode::InvalidArgument, "mismatch"));
  // An atom that becomes known later settles the rest.
  ASSERT_THAT(space.unify(s0, Dim::known(4), noInfo), isOk());
  EXPECT_EQ(space.resolve(s1), Dim::known(5));
}

TEST(DimSpace, IdentifiedSizesOfARegionAreOthersBehindIt) {
  DimSpace space;
  Dim s0 = space.feedDim(0, 0, 4), s1 = space.feedDim(0, 1, 5);
  Dim product = space.mul(s0, s1);
  {
    DimSpace::Region region(space, 1);
    ASSERT_THAT(space.unify(product, Dim::known(20), noInfo), isOk());
    EXPECT_TRUE(space.equal(product, Dim::known(20)));
  }
  EXPECT_FALSE(space.equal(product, Dim::known(20)));
}

// A node that is lowered knows what was demanded up to it.
TEST(DimSpace, LoweringLearnsEqualitiesInTheirOrder) {
  DimSpace space;
  Dim s0 = space.feedDim(0, 0, 4);
  space.setNode("unique");
  Dim found = space.runDim(0, /*isSize=*/true);
  Dim twice = space.mul(found, Dim::known(2));
  ASSERT_THAT(space.unify(s0, Dim::known(4), noInfo), isOk());
  ASSERT_THAT(space.unify(found, Dim::known(3), noInfo), isOk());
  EXPECT_EQ(space.numEqualities(0), 1u);
  EXPECT_EQ(space.resolve(twice), Dim::known(6));
  space.beginLowering();
  EXPECT_EQ(space.resolve(s0), Dim::known(4)); // checked before the run
  EXPECT_EQ(space.resolve(found), found);
  EXPECT_EQ(space.resolve(twice), twice);
  space.learnUpTo(0, 1, space.numSymbols());
  EXPECT_EQ(space.resolve(twice), Dim::known(6));
}

// Equalities that a node demands beside what is known by then.
TEST(DimSpace, LoweringSeesWhatCannotHold) {
  DimSpace space;
  Dim s0 = space.feedDim(0, 0, 17), s1 = space.feedDim(1, 0, 17);
  {
    DimSpace::Region branch(space, 1);
    ASSERT_THAT(space.unify(s0, Dim::known(3), noInfo), isOk());
  }
  {
    DimSpace::Region branch(space, 2);
    space.setNode("unique");
    Dim found = space.runDim(0, /*isSize=*/true);
    ASSERT_THAT(space.unify(found, s1, noInfo), isOk());
  }
  ASSERT_THAT(space.unify(s0, Dim::known(17), noInfo), isOk());
  ASSERT_THAT(space.unify(s1, Dim::known(17), noInfo), isOk());
  space.beginLowering();
  {
    DimSpace::Region branch(space, 1);
    EXPECT_FALSE(space.learnUpTo(1, 1, space.numSymbols()));
    EXPECT_EQ(space.resolve(s0), Dim::known(17));
  }
  {
    DimSpace::Region branch(space, 2);
    EXPECT_TRUE(space.learnUpTo(2, 1, space.numSymbols()));
    EXPECT_EQ(space.resolve(space.runDim(0, true)), Dim::known(17));
  }
}

// Sizes that are made from their definitions only where a node is lowered.
TEST(DimSpace, LoweringKeepsWhatHoldsInAllRuns) {
  DimSpace space;
  Dim s0 = space.feedDim(0, 0, 5), s1 = space.feedDim(0, 1, 2),
      s2 = space.feedDim(1, 0, 4), s3 = space.feedDim(1, 1, 5);
  space.setNode("unique");
  Dim found = space.runDim(0, /*isSize=*/true);
  ASSERT_THAT(space.unify(found, s0, noInfo), isOk());
  Dim half = space.floorDiv(s0, Dim::known(2));
  ASSERT_THAT(space.unify(half, s1, noInfo), isOk());
  Dim less = space.sub(s2, Dim::known(1));
  Dim more = space.max(space.sub(s3, Dim::known(2)), Dim::known(0));
  ASSERT_THAT(space.unify(less, more, noInfo), isOk());
  for (bool isLowering : {false, true}) {
    if (isLowering) {
      space.beginLowering();
      EXPECT_TRUE(space.learnUpTo(0, 1, space.numSymbols()));
    }
    EXPECT_EQ(space.resolve(half), s1);
    EXPECT_EQ(space.resolve(more), less);
    EXPECT_EQ(space.resolve(found), s0);
  }
}

// That the run finds a size to be another's is known behind a guard alone, and
// so is what follows from that for the other.
TEST(DimSpace, WhatFollowsFromSizesOfTheRunDoesNotHoldBeforeIt) {
  DimSpace space;
  Dim s0 = space.feedDim(0, 0, 5);
  space.setNode("unique");
  Dim found = space.runDim(0, /*isSize=*/true);
  Dim more = space.add(s0, Dim::known(1));
  ASSERT_THAT(space.unify(found, more, noInfo), isOk());
  ASSERT_THAT(space.unify(found, Dim::known(33), noInfo), isOk());
  EXPECT_EQ(space.resolve(s0), Dim::known(32));
  space.forgetEqualitiesOfRun();
  EXPECT_EQ(space.resolve(s0), s0);
}

TEST(DimSpace, SizesOfARegionAreWhatTheyAreComputedFrom) {
  DimSpace space;
  space.setNode("unique");
  Dim found, more;
  auto infer = [&] {
    DimSpace::Region region(space, 1);
    found = space.runDim(0, /*isSize=*/true);
    ASSERT_THAT(space.require(Guard::Kind::NonNegative,
                              space.sub(found, Dim::known(1)), Dim(), noInfo),
                isOk());
    Dim made = space.add(found, Dim::known(1));
    EXPECT_EQ(more.isUnknown() ? made : more, made);
    more = made;
  };
  infer();
  infer();
  EXPECT_EQ(space.sub(more, Dim::known(1)), found);
}

TEST(DimSpace, ExtentsRefuteWhatIsBelowZero) {
  DimSpace space;
  Dim s0 = space.feedDim(0, 0, 5), seven = Dim::known(7),
      sum = space.add(s0, seven);
  EXPECT_TRUE(space.isRefuted(Guard::Kind::Equal, sum, Dim::known(6)));
  EXPECT_TRUE(space.isRefuted(Guard::Kind::Equal, Dim::known(6), sum));
  EXPECT_FALSE(space.isRefuted(Guard::Kind::Equal, sum, seven));
  EXPECT_TRUE(space.isRefuted(Guard::Kind::LessEqual, sum, Dim::known(6)));
  EXPECT_FALSE(space.isRefuted(Guard::Kind::LessEqual, Dim::known(6), sum));
  EXPECT_TRUE(space.isRefuted(Guard::Kind::NonNegative,
                              space.sub(Dim::known(-1), s0), Dim::known(0)));
  EXPECT_THAT(space.unify(sum, Dim::known(6), noInfo),
              fails(StatusCode::InvalidArgument, "mismatch"));
  EXPECT_THAT(space.require(Guard::Kind::LessEqual, sum, Dim::known(6), noInfo),
              fails(StatusCode::InvalidArgument, "mismatch"));
  // In a region the run says it, and lowering sees it.
  {
    DimSpace::Region branch(space, 1);
    EXPECT_THAT(space.unify(sum, Dim::known(6), noInfo), isOk());
  }
  space.beginLowering();
  DimSpace::Region branch(space, 1);
  EXPECT_FALSE(space.learnUpTo(1, 1, space.numSymbols()));
}

TEST(DimSpace, ProductsThatCannotBeWhatTheyMustFail) {
  DimSpace space;
  Dim s0 = space.feedDim(0, 0, 3), s1 = space.feedDim(0, 1, 5);
  ASSERT_THAT(space.unify(space.mul(s0, s1), Dim::known(20), noInfo), isOk());
  ASSERT_THAT(space.unify(s0, Dim::known(3), noInfo), isOk());
  EXPECT_THAT(space.unify(s1, Dim::known(5), noInfo),
              fails(StatusCode::InvalidArgument, "mismatch"));
}

TEST(DimSpace, FoldsKnownNumbersAsPythonDoes) {
  DimSpace space;
  auto number = [](int64_t value) { return Dim::known(value); };
  EXPECT_EQ(space.floorDiv(number(-7), number(2)), number(-4));
  EXPECT_EQ(space.mod(number(-7), number(2)), number(1));
  EXPECT_EQ(space.max(number(-1), number(2)), number(2));
  EXPECT_TRUE(space.floorDiv(number(1), number(0)).isUnknown());
  EXPECT_TRUE(space.mul(number(INT64_MAX), number(2)).isUnknown());
  EXPECT_EQ(space.mul(Dim::unknown(), number(0)), number(0));
}

TEST(DimSpace, MinAndMaxUseThatExtentsAreNotNegative) {
  DimSpace space;
  Dim s0 = space.feedDim(0, 0, 5);
  EXPECT_EQ(space.max(s0, Dim::known(0)), s0);
  EXPECT_EQ(space.min(s0, space.add(s0, Dim::known(2))), s0);
  EXPECT_TRUE(space.max(s0, Dim::known(1)).isSymbol());
}

TEST(DimSpace, MergingReachesDerivedSymbols) {
  DimSpace space;
  Dim s0 = space.feedDim(0, 0, 5), s1 = space.feedDim(1, 0, 5),
      nine = Dim::known(9);
  Dim a = space.mul(s0, nine), b = space.mul(s1, nine),
      half0 = space.floorDiv(s0, Dim::known(2)),
      half1 = space.floorDiv(s1, Dim::known(2));
  EXPECT_FALSE(space.equal(a, b));
  ASSERT_THAT(space.unify(s0, s1, noInfo), isOk());
  EXPECT_EQ(space.resolve(s1), s0);
  EXPECT_EQ(space.resolve(b), a);
  EXPECT_EQ(space.resolve(half1), half0);
  EXPECT_EQ(space.symbols().guards.size(), 1u);
}

// Many sizes of the run meet known numbers one after the other, as those of
// restored variables do, and other sizes follow from them.
TEST(DimSpace, AnEqualityLooksAtWhatItChanges) {
  auto numLookedAt = [](int numSizes) {
    DimSpace space;
    std::vector<Dim> sizes, following;
    for (int i = 0; i < numSizes; ++i) {
      space.setNode("restore" + std::to_string(i));
      sizes.push_back(space.runDim(0, /*isSize=*/true));
      Dim less = space.sub(sizes.back(), Dim::known(4));
      following.push_back(space.max(less, Dim::known(1)));
      following.push_back(space.floorDiv(following.back(), Dim::known(2)));
    }
    for (int i = 0; i < numSizes; ++i) {
      auto index = static_cast<size_t>(i);
      EXPECT_THAT(space.unify(sizes[index], Dim::known(10 + i), noInfo),
                  isOk());
      EXPECT_EQ(space.resolve(following[2 * index]), Dim::known(6 + i));
      EXPECT_EQ(space.resolve(following[2 * index + 1]),
                Dim::known((6 + i) / 2));
    }
    return space.numFormsLookedAt();
  };
  EXPECT_LE(numLookedAt(100), 1000u);
  EXPECT_EQ(numLookedAt(400), 4 * numLookedAt(100));
}

TEST(DimSpace, MergingSumsSolvesForAnExtent) {
  DimSpace space;
  Dim s0 = space.feedDim(0, 0, 5), s1 = space.feedDim(1, 0, 4),
      one = Dim::known(1);
  ASSERT_THAT(space.unify(s0, space.add(s1, one), noInfo), isOk());
  EXPECT_TRUE(space.equal(s0, space.add(s1, one)));
  EXPECT_TRUE(space.equal(space.sub(s0, s1), one));
}

TEST(DimSpace, ImpossibleEqualityFailsAtOnce) {
  DimSpace space;
  space.setNode("add");
  Dim s0 = space.feedDim(0, 0, 5);
  EXPECT_THAT(space.unify(s0, space.add(s0, Dim::known(1)), noInfo),
              fails(StatusCode::InvalidArgument, "mismatch"));
  EXPECT_THAT(space.unify(Dim::known(2), Dim::known(3), noInfo),
              failsAt("add"));
}

TEST(DimSpace, BroadcastAsksTheClassOfAnExtent) {
  DimSpace space;
  Dim s0 = space.feedDim(0, 0, 1), s1 = space.feedDim(1, 0, 5);
  EXPECT_EQ(*space.broadcast(s0, s1, noInfo), s1);
  EXPECT_EQ(space.resolve(s0), Dim::known(1));
  EXPECT_THAT(space.symbols().classes,
              ::testing::ElementsAre(DimClass{0, 0, true}));
}

// Which of them is 1 does not matter while they are equal, so one signature
// serves every extent.
TEST(DimSpace, ExtentsThatAreEqualAreTakenForOne) {
  for (int64_t sample : {0, 1, 5}) {
    DimSpace space;
    Dim s0 = space.feedDim(0, 1, sample), s1 = space.feedDim(2, 0, sample);
    Dim twice = space.mul(s1, Dim::known(2));
    EXPECT_EQ(*space.broadcast(s0, s1, noInfo), s0);
    EXPECT_EQ(space.resolve(s1), s0);
    EXPECT_TRUE(space.equal(twice, space.mul(s0, Dim::known(2))));
    EXPECT_THAT(space.symbols().equalities,
                ::testing::ElementsAre(DimEquality{0, 1, 2, 0}));
    EXPECT_TRUE(space.symbols().classes.empty());
    EXPECT_TRUE(space.symbols().guards.empty());
    EXPECT_EQ(*space.broadcast(s1, s0, noInfo), s0);
    EXPECT_EQ(space.symbols().equalities.size(), 1u) << "said once";
  }
}

TEST(DimSpace, OnlyExtentsOfFeedsAreTakenForOne) {
  DimSpace space;
  Dim s0 = space.feedDim(0, 0, 6), s1 = space.feedDim(1, 0, 5),
      half = space.floorDiv(s0, Dim::known(2));
  EXPECT_FALSE(space.takeAsEqual(s0, s1));
  EXPECT_FALSE(space.takeAsEqual(half, half));
  EXPECT_FALSE(space.takeAsEqual(s0, Dim::known(6)));
  EXPECT_FALSE(space.takeAsEqual(s0, Dim::unknown()));
  EXPECT_TRUE(space.symbols().equalities.empty());
}

TEST(SymbolTable, MatchesWhereClassesAndEqualitiesHold) {
  DimSpace space;
  Dim s0 = space.feedDim(0, 0, 4), s1 = space.feedDim(1, 0, 4),
      s2 = space.feedDim(1, 1, 7);
  EXPECT_TRUE(space.takeAsEqual(s0, s1));
  EXPECT_EQ(space.isOne(s2), false);
  auto matches = [&](int64_t a, int64_t b, int64_t c) {
    std::vector<int64_t> first = {a}, second = {b, c};
    return space.symbols().classesMatch(std::vector<FeedShape>{first, second});
  };
  EXPECT_TRUE(matches(4, 4, 7));
  EXPECT_TRUE(matches(1, 1, 2));
  EXPECT_FALSE(matches(4, 1, 7));
  EXPECT_FALSE(matches(4, 4, 1));
}

TEST(DimSpace, EqualDimensionsBroadcastWithoutAsking) {
  DimSpace space;
  Dim s0 = space.feedDim(0, 0, 1);
  EXPECT_EQ(*space.broadcast(s0, s0, noInfo), s0);
  EXPECT_EQ(*space.broadcast(s0, Dim::known(1), noInfo), s0);
  EXPECT_TRUE(space.symbols().classes.empty());
}

TEST(DimSpace, DerivedDimensionIsNotOneOnlyIfThatFollows) {
  DimSpace space;
  Dim s0 = space.feedDim(0, 0, 1);
  EXPECT_EQ(space.isOne(space.mul(s0, Dim::known(2))), false);
  EXPECT_EQ(space.isOne(space.add(s0, Dim::known(2))), false);
  EXPECT_EQ(space.isOne(space.sub(s0, Dim::known(1))), std::nullopt);
  EXPECT_EQ(space.isOne(space.floorDiv(s0, Dim::known(2))), std::nullopt);
  EXPECT_TRUE(space.symbols().classes.empty());
}

TEST(DimSpace, OpenBroadcastIsDecidedInTheRun) {
  DimSpace space;
  Dim s0 = space.feedDim(0, 0, 6), half = space.floorDiv(s0, Dim::known(2)),
      less = space.sub(s0, Dim::known(3));
  auto result = space.broadcast(half, less, noInfo);
  ASSERT_THAT(result, isOk());
  std::vector<int64_t> values, extent = {4};
  FeedShape feed(extent);
  ASSERT_THAT(space.symbols().evaluate({&feed, 1}, values), isOk());
  EXPECT_EQ(evaluateDim(*result, values), 2);
  extent[0] = 8;
  EXPECT_THAT(space.symbols().evaluate({&feed, 1}, values),
              fails(StatusCode::InvalidArgument, "mismatch"));
}

TEST(SymbolTable, GuardNamesNodeAndActualShapes) {
  DimSpace space;
  space.setNode("Add");
  Dims a = {space.feedDim(0, 0, 4), Dim::known(5)},
       b = {space.feedDim(1, 0, 4), Dim::known(5)};
  ASSERT_THAT(space.unify(a[0], b[0],
                          {.prefix = "Incompatible shapes: ",
                           .joiner = " vs. ",
                           .lhs = &a,
                           .rhs = &b}),
              isOk());
  std::vector<int64_t> values, first = {4, 5}, second = {2, 5};
  std::vector<FeedShape> feeds = {first, second};
  Status status = space.symbols().evaluate(feeds, values);
  EXPECT_THAT(status, fails(StatusCode::InvalidArgument,
                            "Incompatible shapes: [4,5] vs. [2,5]"));
  EXPECT_THAT(status, failsAt("Add"));
}

TEST(SymbolTable, OverflowIsAnError) {
  DimSpace space;
  Dim s0 = space.feedDim(0, 0, 4);
  space.mul(space.mul(s0, s0), s0);
  std::vector<int64_t> values, extent = {int64_t{1} << 40};
  FeedShape feed(extent);
  EXPECT_FALSE(space.symbols().evaluate({&feed, 1}, values).ok());
}

// Canonical forms must never change a value: random expressions agree with
// plain arithmetic.
TEST(DimSpace, RandomExpressionsKeepTheirValue) {
  uint32_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 200; ++round) {
    DimSpace space;
    std::vector<int64_t> extents = {static_cast<int64_t>(random() % 7),
                                    static_cast<int64_t>(random() % 7)};
    FeedShape feed(extents);
    std::vector<Dim> dims = {space.feedDim(0, 0, extents[0]),
                             space.feedDim(0, 1, extents[1])};
    std::vector<int64_t> expected = extents;
    for (int step = 0; step < 12; ++step) {
      if (random() % 3 == 0) {
        int64_t number = static_cast<int64_t>(random() % 9) - 4;
        dims.push_back(Dim::known(number));
        expected.push_back(number);
      }
      size_t a = random() % dims.size(), b = random() % dims.size();
      auto kind = static_cast<SymbolDef::Kind>(1 + random() % 7);
      Dim result;
      switch (kind) {
      case SymbolDef::Kind::Add:
        result = space.add(dims[a], dims[b]);
        break;
      case SymbolDef::Kind::Sub:
        result = space.sub(dims[a], dims[b]);
        break;
      case SymbolDef::Kind::Mul:
        result = space.mul(dims[a], dims[b]);
        break;
      case SymbolDef::Kind::FloorDiv:
        result = space.floorDiv(dims[a], dims[b]);
        break;
      case SymbolDef::Kind::Mod:
        result = space.mod(dims[a], dims[b]);
        break;
      case SymbolDef::Kind::Max:
        result = space.max(dims[a], dims[b]);
        break;
      default:
        result = space.min(dims[a], dims[b]);
        kind = SymbolDef::Kind::Min;
        break;
      }
      int64_t value = 0;
      bool divides =
          kind == SymbolDef::Kind::FloorDiv || kind == SymbolDef::Kind::Mod;
      if (result.isUnknown() || (divides && expected[b] == 0) ||
          !applyDef(kind, expected[a], expected[b], value) ||
          std::abs(value) > 100000)
        continue; // a guard's affair, or beyond the range
      dims.push_back(result);
      expected.push_back(value);
    }
    std::vector<int64_t> values;
    if (!space.symbols().evaluate({&feed, 1}, values).ok())
      continue;
    for (size_t i = 0; i < dims.size(); ++i)
      EXPECT_EQ(evaluateDim(dims[i], values), expected[i]) << "of " << i;
  }
}

TEST(DimSpace, SizesOfTheRunAreLeftToIt) {
  DimSpace space;
  Dim s0 = space.feedDim(0, 0, 5);
  space.setNode("unique");
  Dim found = space.runDim(0, /*isSize=*/true);
  EXPECT_EQ(space.runDim(0, true), found);
  EXPECT_NE(space.runDim(1, true), found);
  Dim four = space.mul(found, Dim::known(4));
  EXPECT_TRUE(space.symbols().isInRun(found) && space.symbols().isInRun(four));
  EXPECT_FALSE(space.symbols().isInRun(s0));
  EXPECT_TRUE(space.isNonNegative(four));
  EXPECT_FALSE(space.isNonNegative(space.runDim(2, /*isSize=*/false)));
  EXPECT_EQ(space.isOne(found), std::nullopt);
  ASSERT_THAT(space.require(Guard::Kind::LessEqual, four, s0, noInfo), isOk());
  ASSERT_EQ(space.symbols().guards.size(), 1u);
  EXPECT_TRUE(space.symbols().guards[0].inRun);
  std::vector<int64_t> values, extents = {5};
  FeedShape feed(extents);
  ASSERT_THAT(space.symbols().evaluate({&feed, 1}, values), isOk());
  EXPECT_EQ(evaluateDim(s0, values), 5);
}

// 2 * found = s0: what is known first keeps its name, whatever the factors.
TEST(DimSpace, WhatIsKnownBeforeTheRunNeverBecomesWhatIsNot) {
  DimSpace space;
  Dim s0 = space.feedDim(0, 0, 6);
  space.setNode("where");
  Dim found = space.runDim(0, true);
  ASSERT_THAT(space.unify(s0, space.mul(found, Dim::known(2)), noInfo).status(),
              isOk());
  EXPECT_EQ(space.resolve(s0), s0);
  Dim other = space.runDim(1, true);
  ASSERT_THAT(space.unify(other, s0, noInfo).status(), isOk());
  EXPECT_EQ(space.resolve(other), s0);
  EXPECT_EQ(space.resolve(s0), s0);
}

// What is demanded in a branch is checked there, and holds there alone.
TEST(DimSpace, WhatHoldsInARegionHoldsThereAlone) {
  DimSpace space;
  Dim s0 = space.feedDim(0, 0, 5), s1 = space.feedDim(1, 0, 6);
  Dim four = space.mul(s1, Dim::known(4));
  {
    DimSpace::Region region(space, 1);
    ASSERT_THAT(space.unify(s0, s1, noInfo).status(), isOk());
    EXPECT_TRUE(space.equal(s0, s1));
    EXPECT_TRUE(space.equal(space.mul(s0, Dim::known(4)), four));
    space.floorDiv(space.add(s0, s1), Dim::known(3));
  }
  EXPECT_FALSE(space.equal(s0, s1));
  EXPECT_FALSE(space.equal(space.mul(s0, Dim::known(4)), four));
  EXPECT_EQ(space.resolve(four), four);
  ASSERT_EQ(space.symbols().guards.size(), 1u);
  EXPECT_TRUE(space.symbols().guards[0].inRun);
  EXPECT_EQ(space.regionOf(0), 1);
  // Nothing is checked before the run.
  std::vector<int64_t> values, first = {5}, second = {6};
  FeedShape feeds[] = {FeedShape(first), FeedShape(second)};
  EXPECT_THAT(space.symbols().evaluate(feeds, values), isOk());
}

// The class of a feed is the whole run's, wherever it is asked for.
TEST(DimSpace, ClassesOutliveARegion) {
  DimSpace space;
  Dim s0 = space.feedDim(0, 0, 1), s1 = space.feedDim(1, 0, 6),
      s2 = space.feedDim(2, 0, 7);
  {
    DimSpace::Region region(space, 1);
    ASSERT_THAT(space.unify(s1, s2, noInfo).status(), isOk());
    EXPECT_EQ(space.isOne(s0), true);
  }
  EXPECT_EQ(space.resolve(s0), Dim::known(1));
  EXPECT_FALSE(space.equal(s1, s2));
}

// A computed size names its operands twice, and those theirs.
TEST(DimSpace, SharedOperandsAreLookedAtOnce) {
  DimSpace space;
  Dim d = space.feedDim(0, 0, 6), other = space.feedDim(1, 0, 7);
  space.setNode("where");
  Dim least = d;
  for (int i = 0; i < 60; ++i) {
    d = space.max(space.sub(d, other), space.sub(other, d));
    least = space.min(space.mul(least, Dim::known(2)), space.add(least, other));
  }
  EXPECT_TRUE(space.isNonNegative(least));
  EXPECT_FALSE(space.isNonNegative(d));
  ASSERT_THAT(space.unify(space.runDim(0, true), d, noInfo).status(), isOk());
}

TEST(DimSpace, WhatARegionFindsOutIsNotFixed) {
  DimSpace space;
  space.setNode("where");
  Dim outside = space.runDim(0, true), inside;
  {
    DimSpace::Region region(space, 1);
    inside = space.runDim(1, true);
  }
  EXPECT_TRUE(space.isFixed(outside) && space.isFixed(Dim::known(3)));
  EXPECT_FALSE(space.isFixed(inside));
  EXPECT_FALSE(space.isFixed(space.add(outside, inside)));
}

} // namespace
} // namespace kiln
