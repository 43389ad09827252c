// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Horovod's ops in sessions of two to four ranks, which are threads here.
#include "test/unit/Collectives/ThreadWorld.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"
#include "test/unit/Together.h"

#include <gmock/gmock.h>

#include <thread>

namespace kiln {
namespace {

using namespace kiln::testing;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr DType f32 = DType::Float32;

AttrMap reduction(int64_t op, float prescale = 1, float postscale = 1) {
  AttrMap attrs;
  attrs.set("T", f32);
  attrs.set("reduce_op", op);
  attrs.set("prescale_factor", prescale);
  attrs.set("postscale_factor", postscale);
  return attrs;
}

class CollectiveOps : public ::testing::TestWithParam<ExecutionMode> {
protected:
  /// Runs one rank's graph twice; the second answer.
  StatusOr<std::vector<Tensor>> run(GraphWriter &writer,
                                    std::shared_ptr<Communicator> ranks,
                                    const std::vector<Feed> &feeds,
                                    const std::vector<Fetch> &fetches) {
    SessionOptions options;
    options.mode = GetParam();
    options.communicator = std::move(ranks);
    auto session = Session::create(writer.graph, options);
    EXPECT_THAT(session, isOk());
    auto first = (*session)->run(feeds, fetches);
    return first.ok() ? (*session)->run(feeds, fetches) : std::move(first);
  }
};

TEST_P(CollectiveOps, ReducesWithEachOperation) {
  asRanks(3, {}, [&](int rank, auto ranks) {
    GraphWriter writer;
    writer.placeholder("x", f32, {-1});
    for (int64_t op : {0, 1, 3, 4, 5})
      writer.add("r" + std::to_string(op), "HorovodAllreduce", {"x"},
                 reduction(op, 2, 0.5));
    const float x = static_cast<float>(rank + 1);
    auto results = run(writer, ranks, {{"x:0", tensorOf<float>({2}, {x, -x})}},
                       {"r0:0", "r1:0", "r3:0", "r4:0", "r5:0"});
    ASSERT_THAT(results, isOk());
    EXPECT_THAT(valuesOf<float>(results->at(0)), ElementsAre(2, -2));
    EXPECT_THAT(valuesOf<float>(results->at(1)), ElementsAre(6, -6));
    EXPECT_THAT(valuesOf<float>(results->at(2)), ElementsAre(1, -3));
    EXPECT_THAT(valuesOf<float>(results->at(3)), ElementsAre(3, -1));
    EXPECT_THAT(valuesOf<float>(results->at(4)), ElementsAre(24, -24));
  });
}

TEST_P(CollectiveOps, GathersRowsOfEachRank) {
  asRanks(3, {}, [&](int rank, auto ranks) {
    GraphWriter writer;
    writer.placeholder("x", f32, {-1, 2});
    writer.add("all", "HorovodAllgather", {"x"}, {{"T", f32}});
    writer.binary("twice", "Add", "all", "all", f32);
    // Rank 0 has no rows.
    std::vector<float> mine(size_t(rank) * 2, static_cast<float>(rank));
    auto results =
        run(writer, ranks, {{"x:0", tensorOf<float>({rank, 2}, mine)}},
            {"twice:0"});
    ASSERT_THAT(results, isOk());
    EXPECT_EQ(results->at(0).shape(), Shape({3, 2}));
    EXPECT_THAT(valuesOf<float>(results->at(0)), ElementsAre(2, 2, 4, 4, 4, 4));
  });
}

TEST_P(CollectiveOps, ScattersSumsUnevenly) {
  asRanks(2, {}, [&](int rank, auto ranks) {
    GraphWriter writer;
    writer.constant("x", tensorOf<float>({3}, {1, 2, 3}));
    writer.add("part", "HorovodReducescatter", {"x"}, reduction(1));
    auto results = run(writer, ranks, {}, {"part:0"});
    ASSERT_THAT(results, isOk());
    if (rank == 0)
      EXPECT_THAT(valuesOf<float>(results->at(0)), ElementsAre(2, 4));
    else
      EXPECT_THAT(valuesOf<float>(results->at(0)), ElementsAre(6));
  });
}

TEST_P(CollectiveOps, ExchangesRowsAndTellsHowManyCame) {
  asRanks(2, {}, [&](int rank, auto ranks) {
    GraphWriter writer;
    const float x = static_cast<float>(10 * rank);
    writer.constant("x", tensorOf<float>({3}, {x, x + 1, x + 2}));
    writer.constant("splits", rank == 0 ? tensorOf<int32_t>({2}, {1, 2})
                                        : tensorOf<int32_t>({2}, {0, 3}));
    writer.constant("none", tensorOf<int32_t>({0}, {}));
    writer.add("all", "HorovodAlltoall", {"x", "splits"}, {{"T", f32}});
    writer.constant("y", tensorOf<float>({2}, {x, x + 1}));
    writer.add("even", "HorovodAlltoall", {"y", "none"}, {{"T", f32}});
    auto results =
        run(writer, ranks, {}, {"all:0", "all:1", "even:0", "even:1"});
    ASSERT_THAT(results, isOk());
    if (rank == 0) {
      EXPECT_THAT(valuesOf<float>(results->at(0)), ElementsAre(0));
      EXPECT_THAT(valuesOf<int32_t>(results->at(1)), ElementsAre(1, 0));
      EXPECT_THAT(valuesOf<float>(results->at(2)), ElementsAre(0, 10));
    } else {
      EXPECT_THAT(valuesOf<float>(results->at(0)),
                  ElementsAre(1, 2, 10, 11, 12));
      EXPECT_THAT(valuesOf<int32_t>(results->at(1)), ElementsAre(2, 3));
    }
    EXPECT_THAT(valuesOf<int32_t>(results->at(3)), ElementsAre(1, 1));
  });
}

TEST_P(CollectiveOps, BroadcastsAndTellsRanks) {
  asRanks(4, {}, [&](int rank, auto ranks) {
    ASSERT_THAT(ranks->addGroup(std::vector<int>{3, 1}), isOk());
    GraphWriter writer;
    writer.placeholder("x", f32, {});
    writer.add("one", "HorovodBroadcast", {"x"},
               {{"T", f32}, {"root_rank", int64_t(2)}});
    writer.add("size", "HorovodSize", {});
    writer.add("rank", "HorovodRank", {});
    AttrMap set{{"process_set_id", int64_t(1)}};
    writer.add("of_set", "HorovodSize", {}, set);
    writer.add("is_in", "HorovodProcessSetIncluded", {}, set);
    auto results =
        run(writer, ranks,
            {{"x:0", Tensor::scalar<float>(static_cast<float>(rank))}},
            {"one:0", "size:0", "rank:0", "of_set:0", "is_in:0"});
    ASSERT_THAT(results, isOk());
    EXPECT_THAT(valuesOf<float>(results->at(0)), ElementsAre(2));
    EXPECT_THAT(valuesOf<int32_t>(results->at(1)), ElementsAre(4));
    EXPECT_THAT(valuesOf<int32_t>(results->at(2)), ElementsAre(rank));
    EXPECT_THAT(valuesOf<int32_t>(results->at(3)), ElementsAre(2));
    EXPECT_THAT(valuesOf<int32_t>(results->at(4)), ElementsAre(rank % 2));
  });
}

TEST_P(CollectiveOps, SumsOverTheRanksOfASet) {
  asRanks(3, {}, [&](int rank, auto ranks) {
    ASSERT_THAT(ranks->addGroup(std::vector<int>{0, 2}), isOk());
    GraphWriter writer;
    writer.placeholder("x", f32, {1});
    AttrMap attrs = reduction(1);
    attrs.set("process_set_id", int64_t(1));
    writer.add("sum", "HorovodAllreduce", {"x"}, attrs);
    auto results =
        run(writer, ranks,
            {{"x:0", tensorOf<float>({1}, {static_cast<float>(rank + 1)})}},
            {"sum:0"});
    if (rank == 1)
      EXPECT_THAT(results, fails(StatusCode::InvalidArgument,
                                 HasSubstr("Rank 1 is not a member")));
    else
      EXPECT_THAT(valuesOf<float>(results->at(0)), ElementsAre(4));
  });
}

TEST_P(CollectiveOps, DifferentShapesAreAnErrorOfAllRanks) {
  asRanks(2, {}, [&](int rank, auto ranks) {
    GraphWriter writer;
    writer.placeholder("x", f32, {-1});
    writer.add("sum", "HorovodAllreduce", {"x"}, reduction(1));
    std::vector<float> mine(size_t(rank) + 1);
    EXPECT_THAT(
        run(writer, ranks, {{"x:0", tensorOf<float>({rank + 1}, mine)}},
            {"sum:0"}),
        fails(StatusCode::FailedPrecondition,
              AllOf(HasSubstr("Mismatched ALLREDUCE tensor shapes: One rank "
                              "sent a tensor of shape [1], but another rank "
                              "sent a tensor of shape [2]."),
                    HasSubstr("rank 0 at HorovodAllreduce 'sum', rank 1 at"))));
    // The ranks go on together behind it.
    auto results =
        run(writer, ranks, {{"x:0", tensorOf<float>({1}, {1})}}, {"sum:0"});
    ASSERT_THAT(results, isOk());
    EXPECT_THAT(valuesOf<float>(results->at(0)), ElementsAre(2));
  });
}

TEST_P(CollectiveOps, DifferentGraphsAreAnErrorThatNamesBothOps) {
  asRanks(2, {}, [&](int rank, auto ranks) {
    GraphWriter writer;
    writer.constant("x", tensorOf<float>({1}, {1}));
    writer.add(rank == 0 ? "a" : "b", "HorovodAllreduce", {"x"}, reduction(1));
    EXPECT_THAT(
        run(writer, ranks, {}, {std::string(rank == 0 ? "a:0" : "b:0")}),
        fails(StatusCode::FailedPrecondition,
              AllOf(HasSubstr("rank 0 at HorovodAllreduce 'a'"),
                    HasSubstr("rank 1 at HorovodAllreduce 'b'"))));
  });
}

TEST_P(CollectiveOps, ARankThatNeverComesIsNamedAtTheDeadline) {
  std::vector<KilnTransport *> ends = makeThreadWorld(3);
  CommunicatorOptions options{.timeout = std::chrono::seconds(2)};
  together(2, [&](int rank) {
    auto ranks = *Communicator::over(ends[size_t(rank)], options);
    GraphWriter writer;
    writer.constant("x", tensorOf<float>({1}, {1}));
    writer.add("sum", "HorovodAllreduce", {"x"}, reduction(1));
    EXPECT_THAT(run(writer, ranks, {}, {"sum:0"}),
                fails(StatusCode::DeadlineExceeded,
                      HasSubstr("HorovodAllreduce 'sum' on rank " +
                                std::to_string(rank) +
                                " waited for rank 2 for 2 seconds")));
    EXPECT_THAT(run(writer, ranks, {}, {"sum:0"}),
                fails(StatusCode::FailedPrecondition,
                      HasSubstr("the ranks do not communicate any more")));
  });
  ends[2]->close(ends[2], 1);
}

TEST_P(CollectiveOps, ACancelledRunStopsWaiting) {
  std::vector<KilnTransport *> ends = makeThreadWorld(2);
  auto ranks = *Communicator::over(ends[0]);
  GraphWriter writer;
  writer.constant("x", tensorOf<float>({1}, {1}));
  writer.add("sum", "HorovodAllreduce", {"x"}, reduction(1));
  SessionOptions options;
  options.mode = GetParam();
  options.communicator = ranks;
  auto session = *Session::create(writer.graph, options);
  // Rank 1 looks on until rank 0 waits for it.
  Cancellation cancellation;
  std::thread looker([&] {
    uint8_t isHere[2] = {};
    while (!isHere[0]) {
      ends[1]->whoIsHere(ends[1]->self, isHere);
      std::this_thread::yield();
    }
    cancellation.cancel();
  });
  RunOptions cancellable;
  cancellable.cancel = &cancellation;
  EXPECT_THAT(session->run({}, {"sum:0"}, {}, cancellable),
              fails(StatusCode::Cancelled, HasSubstr("")));
  looker.join();
  ends[1]->close(ends[1], 1);
}

TEST_P(CollectiveOps, ARankThatHasEndedIsAnErrorOfTheOthers) {
  std::vector<KilnTransport *> ends = makeThreadWorld(2);
  together(2, [&](int rank) {
    auto ranks = *Communicator::over(ends[size_t(rank)]);
    if (rank == 1)
      return;
    GraphWriter writer;
    writer.constant("x", tensorOf<float>({1}, {1}));
    writer.add("sum", "HorovodAllreduce", {"x"}, reduction(1));
    EXPECT_THAT(run(writer, ranks, {}, {"sum:0"}),
                fails(StatusCode::Unknown,
                      AllOf(HasSubstr("Horovod has been shut down."),
                            HasSubstr("rank 1 has ended, rank 0 at "
                                      "HorovodAllreduce 'sum'"))));
  });
}

TEST_P(CollectiveOps, ARankThatHasJoinedAddsZeros) {
  asRanks(3, {}, [&](int rank, auto ranks) {
    GraphWriter writer;
    writer.constant("x", tensorOf<float>({2}, {1, 2}));
    writer.add("sum", "HorovodAllreduce", {"x"}, reduction(1));
    writer.add("gathered", "HorovodAllgather", {"x"}, {{"T", f32}});
    writer.add("join", "HorovodJoin", {});
    SessionOptions options;
    options.mode = GetParam();
    options.communicator = ranks;
    auto session = *Session::create(writer.graph, options);
    // Rank r has r batches more than rank 0.
    for (int batch = 0; batch <= rank; ++batch) {
      auto results = session->run({}, {"sum:0"});
      ASSERT_THAT(results, isOk());
      const float n = static_cast<float>(3 - batch);
      EXPECT_THAT(valuesOf<float>(results->at(0)), ElementsAre(n, 2 * n));
    }
    if (rank == 2)
      EXPECT_THAT(session->run({}, {"gathered:0"}),
                  fails(StatusCode::FailedPrecondition,
                        HasSubstr("Allgather is not supported with Join")));
    auto last = session->run({}, {"join:0"});
    ASSERT_THAT(last, isOk());
    EXPECT_THAT(valuesOf<int32_t>(last->at(0)), ElementsAre(2));
  });
}

TEST_P(CollectiveOps, OneProcessIsARankOfItsOwn) {
  GraphWriter writer;
  writer.constant("x", tensorOf<float>({2}, {1, 2}));
  writer.add("mean", "HorovodAllreduce", {"x"}, reduction(0));
  writer.add("all", "HorovodAllgather", {"x"}, {{"T", f32}});
  writer.add("size", "HorovodSize", {});
  writer.add("part", "HorovodReducescatter", {"x"}, reduction(1));
  auto results =
      run(writer, nullptr, {}, {"mean:0", "all:0", "size:0", "part:0"});
  ASSERT_THAT(results, isOk());
  for (size_t i : {0, 1, 3})
    EXPECT_THAT(valuesOf<float>(results->at(i)), ElementsAre(1, 2));
  EXPECT_THAT(valuesOf<int32_t>(results->at(2)), ElementsAre(1));
}

INSTANTIATE_TEST_SUITE_P(Modes, CollectiveOps,
                         ::testing::Values(ExecutionMode::NativeOnly,
                                           ExecutionMode::EvaluatorOnly),
                         modeName);

} // namespace
} // namespace kiln
