// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accumulators of gradients between threads, as a chief and its workers use
// them: takes that wait, that are cancelled or run out of time, and gradients
// of steps gone by.
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"
#include "test/unit/Together.h"

#include <atomic>
#include <thread>

namespace kiln {
namespace {

using std::chrono::milliseconds;
using ::testing::_;
using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::fails;
using testing::failsAt;
using testing::isOk;
using testing::tensorOf;
using testing::together;
using testing::valuesOf;

constexpr DType f32 = DType::Float32, i64 = DType::Int64;

/// give: adds g, of step s. take: the sum of n gradients or more. number: how
/// many there are. to: drops those of steps before s from now on. giveRows and
/// takeRows: the same of rows i of a matrix.
std::shared_ptr<Graph> accumulatorGraph() {
  testing::GraphWriter writer;
  writer.placeholder("g", f32, {2});
  writer.placeholder("s", i64, {});
  writer.placeholder("n", DType::Int32, {});
  writer.placeholder("i", i64, {-1});
  writer.placeholder("rows", f32, {-1, 2});
  writer.constant("shape", tensorOf<int64_t>({2}, {4, 2}));
  const AttrMap typed = {{"dtype", f32}};
  auto make = [&](std::string name, std::string op, Shape shape) {
    writer.add(std::move(name), std::move(op), {},
               {{"dtype", f32}, {"shape", shape}, {"reduction_type", "SUM"}});
  };
  make("dense", "ConditionalAccumulator", {2});
  writer.add("give", "AccumulatorApplyGradient", {"dense", "s", "g"}, typed);
  writer.add("take", "AccumulatorTakeGradient", {"dense", "n"}, typed);
  writer.add("number", "AccumulatorNumAccumulated", {"dense"});
  writer.add("to", "AccumulatorSetGlobalStep", {"dense", "s"});
  make("sparse", "SparseConditionalAccumulator", {4, 2});
  writer.add("giveRows", "SparseAccumulatorApplyGradient",
             {"sparse", "s", "i", "rows", "shape"},
             {{"dtype", f32}, {"has_known_shape", true}});
  writer.add("takeRows", "SparseAccumulatorTakeGradient", {"sparse", "n"},
             typed);
  return writer.graph;
}

class AccumulatorRun : public testing::SessionTest {
protected:
  AccumulatorRun() : session(open(accumulatorGraph())) {}

  Status give(float x, int64_t step = 0) {
    return session
        ->run({{"g:0", tensorOf<float>({2}, {x, -x})},
               {"s:0", Tensor::scalar(step)}},
              {}, {"give"})
        .status();
  }
  StatusOr<std::vector<Tensor>> take(int32_t number,
                                     const RunOptions &options = {},
                                     std::string tensor = "take:0") {
    return session->run({{"n:0", Tensor::scalar(number)}}, {std::move(tensor)},
                        {}, options);
  }
  int32_t number() {
    auto got = session->run({}, {"number:0"});
    EXPECT_THAT(got, isOk());
    return got.ok() ? (*got)[0].data<int32_t>()[0] : -1;
  }

  std::unique_ptr<kiln::Session> session;
};

INSTANTIATE_TEST_SUITE_P(Modes, AccumulatorRun,
                         ::testing::Values(ExecutionMode::NativeOnly,
                                           ExecutionMode::EvaluatorOnly),
                         testing::modeName);

TEST_P(AccumulatorRun, ATakeWaitsForAsManyAsItAsksFor) {
  std::atomic<bool> isTaken = false;
  std::thread taker([&] {
    auto sum = take(3);
    isTaken = true;
    ASSERT_THAT(sum, isOk());
    EXPECT_THAT(valuesOf<float>((*sum)[0]), ElementsAre(7, -7));
  });
  ASSERT_THAT(give(1), isOk());
  ASSERT_THAT(give(2), isOk());
  EXPECT_FALSE(isTaken);
  ASSERT_THAT(give(4), isOk());
  taker.join();
  EXPECT_EQ(number(), 0);
}

TEST_P(AccumulatorRun, ACancelledTakeLeavesWhatThereIs) {
  ASSERT_THAT(give(1), isOk());
  Cancellation cancel;
  std::thread canceller([&] { cancel.cancel(); });
  EXPECT_THAT(take(2, {.cancel = &cancel}), fails(StatusCode::Cancelled, _));
  canceller.join();
  EXPECT_EQ(number(), 1);
  ASSERT_THAT(give(2), isOk());
  auto sum = take(2);
  ASSERT_THAT(sum, isOk());
  EXPECT_THAT(valuesOf<float>((*sum)[0]), ElementsAre(3, -3));
}

TEST_P(AccumulatorRun, TimeLimitEndsATake) {
  EXPECT_THAT(take(1, {.timeout = milliseconds(20)}),
              AllOf(fails(StatusCode::DeadlineExceeded, _), failsAt("take")));
  EXPECT_THAT(
      take(1, {.timeout = milliseconds(20)}, "takeRows:1"),
      AllOf(fails(StatusCode::DeadlineExceeded, _), failsAt("takeRows")));
  ASSERT_THAT(give(5), isOk());
  EXPECT_THAT(take(1), isOk());
}

TEST_P(AccumulatorRun, ClosingTheSessionEndsTakes) {
  for (const char *tensor : {"take:0", "takeRows:1"}) {
    session = open(accumulatorGraph());
    std::thread closer([&] { session->close(); });
    Status status = take(1, {}, tensor).status();
    EXPECT_TRUE(status.code() == StatusCode::Cancelled ||
                status.code() == StatusCode::FailedPrecondition)
        << status.toString();
    closer.join();
  }
}

TEST_P(AccumulatorRun, GradientsOfStepsGoneByAreDropped) {
  ASSERT_THAT(give(1, 0), isOk());
  ASSERT_THAT(take(1), isOk()); // the first step ends
  ASSERT_THAT(give(2, 0), isOk());
  EXPECT_EQ(number(), 0);
  ASSERT_THAT(give(4, 1), isOk());
  EXPECT_EQ(number(), 1);
  ASSERT_THAT(session->run({{"s:0", Tensor::scalar<int64_t>(5)}}, {}, {"to"}),
              isOk());
  ASSERT_THAT(give(8, 4), isOk());
  ASSERT_THAT(give(16, 5), isOk());
  auto sum = take(2);
  ASSERT_THAT(sum, isOk());
  EXPECT_THAT(valuesOf<float>((*sum)[0]), ElementsAre(20, -20));
}

TEST_P(AccumulatorRun, NoGradientOfManyWorkersIsLost) {
  constexpr int workers = 4, each = 50;
  float total = 0;
  together(workers + 1, [&](int thread) {
    if (thread < workers) {
      for (int i = 0; i < each; ++i)
        // A gradient of a step that never goes by.
        EXPECT_THAT(give(1, INT64_MAX), isOk());
      return;
    }
    while (total < workers * each) {
      auto sum = take(1);
      ASSERT_THAT(sum, isOk());
      total += (*sum)[0].data<float>()[0];
    }
  });
  EXPECT_EQ(total, workers * each);
  EXPECT_EQ(number(), 0);
}

TEST_P(AccumulatorRun, ATakeOfRowsWaits) {
  int64_t step = 0;
  auto giveRows = [&](int64_t row, float x) {
    return session
        ->run({{"i:0", tensorOf<int64_t>({1}, {row})},
               {"rows:0", tensorOf<float>({1, 2}, {x, x})},
               {"s:0", Tensor::scalar(step)}},
              {}, {"giveRows"})
        .status();
  };
  std::thread taker([&] {
    auto sum = session->run({{"n:0", Tensor::scalar<int32_t>(3)}},
                            {"takeRows:0", "takeRows:1"});
    ASSERT_THAT(sum, isOk());
    EXPECT_THAT(valuesOf<int64_t>((*sum)[0]), ElementsAre(1, 3));
    EXPECT_THAT(valuesOf<float>((*sum)[1]), ElementsAre(5, 5, 2, 2));
  });
  ASSERT_THAT(giveRows(3, 2), isOk());
  ASSERT_THAT(giveRows(1, 1), isOk());
  ASSERT_THAT(giveRows(1, 4), isOk());
  taker.join();
  // Rows that the matrix has not: TensorFlow looks at the last ones alone, and
  // not at those of a step gone by.
  EXPECT_THAT(giveRows(4, 1), isOk());
  step = 1;
  EXPECT_THAT(giveRows(4, 1), AllOf(fails(StatusCode::InvalidArgument, _),
                                    failsAt("giveRows")));
  EXPECT_THAT(giveRows(INT64_MAX, 1), fails(StatusCode::InvalidArgument, _));
}

} // namespace
} // namespace kiln
