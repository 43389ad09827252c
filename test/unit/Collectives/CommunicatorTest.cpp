// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Communicators by themselves: what cannot be loaded, groups of ranks, and what
// ranks do together beside the ops of one tensor.
#include "kiln/Communicator.h"
#include "lib/Collectives/RankGroups.h"
#include "test/unit/Collectives/ThreadWorld.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

namespace kiln {
namespace {

using namespace kiln::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Communicator, WhatIsNoTransportIsAnError) {
  EXPECT_THAT(Communicator::load("/nowhere/libkiln-mpi.so"),
              fails(StatusCode::NotFound,
                    HasSubstr("loading /nowhere/libkiln-mpi.so: ")));
  EXPECT_THAT(Communicator::load("libc.so.6/"),
              fails(StatusCode::NotFound, HasSubstr("loading ")));
  KilnTransport other = {};
  other.version = kilnTransportVersion + 1;
  EXPECT_THAT(Communicator::over(&other),
              fails(StatusCode::FailedPrecondition,
                    HasSubstr("expected a transport of version 1, got 2")));
}

TEST(Communicator, AProcessIsAloneUntilItIsToldOtherwise) {
  auto process = Communicator::ofProcess();
  EXPECT_EQ(process->rank(), 0);
  EXPECT_EQ(process->size(), 1);
  EXPECT_EQ(process->crossSize(), 1);
  auto other = Communicator::alone();
  Communicator::setOfProcess(other);
  EXPECT_EQ(Communicator::ofProcess(), other);
  Communicator::setOfProcess(nullptr);
  EXPECT_NE(Communicator::ofProcess(), other);
}

TEST(Communicator, GroupsAreNumberedAlikeAndTakeEachRankOnce) {
  asRanks(3, {}, [](int rank, auto ranks) {
    EXPECT_THAT(ranks->addGroup(std::vector<int>{0, 3}),
                fails(StatusCode::InvalidArgument,
                      HasSubstr("expected ranks in [0, 3), each once, got 0, "
                                "3")));
    EXPECT_THAT(ranks->addGroup(std::vector<int>{1, 1}),
                fails(StatusCode::InvalidArgument, HasSubstr("1, 1")));
    EXPECT_THAT(ranks->addGroup({}),
                fails(StatusCode::InvalidArgument, HasSubstr("")));
    auto group = ranks->addGroup(std::vector<int>{2, 0});
    ASSERT_THAT(group, isOk());
    EXPECT_EQ(*group, 1);
    EXPECT_THAT(*ranks->ranksOf(1), ElementsAre(0, 2));
    EXPECT_THAT(ranks->addGroup(std::vector<int>{0, 2}),
                fails(StatusCode::AlreadyExists,
                      HasSubstr("group 1 has the ranks 0, 2")));
    EXPECT_THAT(ranks->groups(), ElementsAre(0, 1));
    EXPECT_THAT(ranks->removeGroup(0),
                fails(StatusCode::InvalidArgument, HasSubstr("stays")));
    EXPECT_THAT(ranks->removeGroup(7),
                fails(StatusCode::NotFound, HasSubstr("got 7")));
    EXPECT_THAT(ranks->removeGroup(1), isOk());
    EXPECT_THAT(ranks->groups(), ElementsAre(0));
  });
}

TEST(Communicator, GroupsOfTensorsAreComparedBehindTheFirst) {
  asRanks(2, {}, [](int rank, auto ranks) {
    RankGroup &world = RankGroups::of(*ranks).world();
    std::vector<Tensor> tensors = {tensorOf<float>({1}, {1}),
                                   countingMatrix(1, rank + 1)};
    EXPECT_THAT(world.allreduce({"op", "name"}, tensors, ReduceOp::Sum, 1, 1),
                fails(StatusCode::FailedPrecondition,
                      HasSubstr("tensor shapes behind the first tensor")));
    tensors.resize(size_t(rank) + 1);
    EXPECT_THAT(
        world.allreduce({"op", "name"}, tensors, ReduceOp::Sum, 1, 1),
        fails(StatusCode::FailedPrecondition,
              HasSubstr("One rank sent 1 tensors, but another rank sent 2")));
  });
}

TEST(Communicator, AdasumAddsWhatTwoRanksDoNotShare) {
  asRanks(2, {}, [](int rank, auto ranks) {
    RankGroup &world = RankGroups::of(*ranks).world();
    // At right angles: their sum. In one direction: their mean.
    const float x = rank == 0 ? 2.0f : 0.0f;
    std::vector<Tensor> tensors = {tensorOf<float>({2}, {x, 2 - x}),
                                   tensorOf<float>({2}, {3, 4})};
    auto sums =
        world.allreduce({"op", "name"}, tensors, ReduceOp::Adasum, 1, 1);
    ASSERT_THAT(sums, isOk());
    EXPECT_THAT(valuesOf<float>(sums->at(0)), ElementsAre(2, 2));
    EXPECT_THAT(valuesOf<float>(sums->at(1)), ElementsAre(3, 4));
    std::vector<Tensor> integers = {tensorOf<int32_t>({1}, {1})};
    EXPECT_THAT(
        world.allreduce({"op", "name"}, integers, ReduceOp::Adasum, 1, 1),
        fails(StatusCode::InvalidArgument, HasSubstr("expected floats")));
  });
}

TEST(Communicator, IntegersAreScaledTowardsZero) {
  asRanks(2, {}, [](int, auto ranks) {
    RankGroup &world = RankGroups::of(*ranks).world();
    std::vector<Tensor> tensors = {tensorOf<int32_t>({3}, {3, -3, 4})};
    auto half =
        world.allreduce({"op", "name"}, tensors, ReduceOp::Sum, 1, 0.25);
    ASSERT_THAT(half, isOk());
    EXPECT_THAT(valuesOf<int32_t>(half->at(0)), ElementsAre(1, -1, 2));
  });
}

} // namespace
} // namespace kiln
