// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Callables: results used again, changing shapes, no allocation, many threads,
// closed sessions.
#include "test/unit/CountAllocations.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <atomic>
#include <barrier>
#include <thread>

namespace kiln {
namespace {

using ::testing::AllOf;
using testing::countingMatrix;
using ::testing::ElementsAre;
using testing::fails;
using testing::failsAt;
using ::testing::HasSubstr;
using testing::isOk;
using testing::numAllocations;
using testing::scaledRows;
using testing::tensorOf;
using testing::valuesOf;

class Callable : public testing::SessionTest {};

INSTANTIATE_TEST_SUITE_P(Modes, Callable,
                         ::testing::Values(ExecutionMode::Auto,
                                           ExecutionMode::NativeOnly,
                                           ExecutionMode::EvaluatorOnly),
                         testing::modeName);

TEST_P(Callable, GivesOneResultAFetch) {
  auto session = openInitialized();
  auto callable = session->makeCallable({"x:0"}, {"rows:0", "init", "w:0"});
  ASSERT_THAT(callable, isOk());
  Tensor feeds[] = {countingMatrix(2, 3)}, results[3];
  ASSERT_THAT((*callable)(feeds, results), isOk());
  EXPECT_THAT(valuesOf<float>(results[0]), ElementsAre(8, 26));
  EXPECT_FALSE(results[1].isValid());
  EXPECT_THAT(valuesOf<float>(results[2]), ElementsAre(1, 2, 3));
}

TEST_P(Callable, FollowsShapesWithoutCompilingAgain) {
  auto session = openInitialized();
  auto callable = session->makeCallable({"x:0"}, {"rows:0"});
  ASSERT_THAT(callable, isOk());
  int64_t before = session->stats().compilations;
  Tensor results[1];
  for (int64_t rows : {2, 2, 5, 0, 1, 5, 5}) {
    Tensor feeds[] = {countingMatrix(rows, 3)};
    ASSERT_THAT((*callable)(feeds, results), isOk());
    EXPECT_EQ(results[0].shape(), Shape({rows}));
    EXPECT_EQ(valuesOf<float>(results[0]), scaledRows(feeds[0], {1, 2, 3}));
  }
  EXPECT_EQ(session->stats().compilations, before + 1);
}

TEST_P(Callable, AKeptResultDoesNotChange) {
  auto session = openInitialized();
  auto read = session->makeCallable({}, {"w:0"});
  auto bump = session->makeCallable({}, {}, {"bump"});
  ASSERT_THAT(read, isOk());
  ASSERT_THAT(bump, isOk());
  Tensor results[1];
  ASSERT_THAT((*read)({}, results), isOk());
  Tensor kept = results[0];
  ASSERT_THAT((*bump)({}, {}), isOk());
  ASSERT_THAT((*read)({}, results), isOk());
  EXPECT_THAT(valuesOf<float>(kept), ElementsAre(1, 2, 3));
  EXPECT_THAT(valuesOf<float>(results[0]), ElementsAre(2, 3, 4));
}

TEST_P(Callable, ATensorMayBeFeedAndResult) {
  auto session = openInitialized();
  auto callable = session->makeCallable({"x:0"}, {"scaled:0"});
  ASSERT_THAT(callable, isOk());
  Tensor both[] = {countingMatrix(1, 3)};
  ASSERT_THAT((*callable)(both, both), isOk());
  EXPECT_THAT(valuesOf<float>(both[0]), ElementsAre(0, 2, 6));
  ASSERT_THAT((*callable)(both, both), isOk());
  EXPECT_THAT(valuesOf<float>(both[0]), ElementsAre(0, 4, 18));
}

TEST_P(Callable, BadFeedsAreErrorsAndTheNextCallWorks) {
  auto session = openInitialized();
  auto callable = session->makeCallable({"x:0"}, {"rows:0"});
  ASSERT_THAT(callable, isOk());
  Tensor good[] = {countingMatrix(2, 3)}, wide[] = {countingMatrix(2, 4)},
         wrong[] = {tensorOf<int32_t>({1, 3}, {1, 2, 3})}, none[1], results[1];
  for (int round = 0; round < 2; ++round) {
    EXPECT_THAT((*callable)({}, results),
                fails(StatusCode::InvalidArgument,
                      HasSubstr("Expected 1 feed tensors, but got")));
    EXPECT_THAT((*callable)(good, {}),
                fails(StatusCode::InvalidArgument, ::testing::_));
    EXPECT_THAT((*callable)(wide, results),
                AllOf(fails(StatusCode::InvalidArgument, HasSubstr("(2, 4)")),
                      failsAt("x")));
    EXPECT_THAT((*callable)(wrong, results),
                fails(StatusCode::InvalidArgument, HasSubstr("int32")));
    EXPECT_THAT((*callable)(none, results),
                fails(StatusCode::InvalidArgument, HasSubstr("x:0")));
    EXPECT_THAT((*callable)(good, results), isOk());
    EXPECT_THAT(valuesOf<float>(results[0]), ElementsAre(8, 26));
  }
  EXPECT_THAT(session->makeCallable({}, {"rows:0"}),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("You must feed a value for placeholder")));
}

TEST_P(Callable, UninitializedVariablesAreNamed) {
  auto session = open(testing::scaleGraph());
  auto callable = session->makeCallable({"x:0"}, {"rows:0"});
  ASSERT_THAT(callable, isOk());
  Tensor feeds[] = {countingMatrix(2, 3)}, results[1];
  EXPECT_THAT((*callable)(feeds, results),
              fails(StatusCode::FailedPrecondition, HasSubstr("value w")));
  ASSERT_THAT(session->run({}, {}, {"init"}), isOk());
  EXPECT_THAT((*callable)(feeds, results), isOk());
}

TEST_P(Callable, IsSharedByThreads) {
  constexpr int numThreads = 8, numCalls = 300;
  auto session = openInitialized();
  auto rows = session->makeCallable({"x:0"}, {"rows:0"});
  auto count = session->makeCallable({}, {}, {"increment"});
  ASSERT_THAT(rows, isOk());
  ASSERT_THAT(count, isOk());
  std::barrier start(numThreads);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < numThreads; ++i)
    threads.emplace_back([&, i] {
      Tensor feeds[] = {countingMatrix(2 + i % 3, 3)}, results[1];
      auto expected = scaledRows(feeds[0], {1, 2, 3});
      start.arrive_and_wait();
      for (int call = 0; call < numCalls; ++call) {
        wrong += !(*rows)(feeds, results).ok() ||
                 valuesOf<float>(results[0]) != expected;
        wrong += !(*count)({}, {}).ok();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  auto total = session->run({}, {"count:0"});
  EXPECT_THAT(valuesOf<int64_t>((*total)[0]),
              ElementsAre(numThreads * numCalls));
}

TEST_P(Callable, OutlivesItsSession) {
  kiln::Callable callable;
  Tensor feeds[] = {countingMatrix(2, 3)}, results[1];
  EXPECT_THAT(callable(feeds, results),
              fails(StatusCode::FailedPrecondition, HasSubstr("empty")));
  {
    auto session = openInitialized();
    callable = *session->makeCallable({"x:0"}, {"rows:0"});
    ASSERT_THAT(callable(feeds, results), isOk());
  }
  EXPECT_THAT(callable(feeds, results),
              fails(StatusCode::FailedPrecondition,
                    "Attempted to use a closed Session."));
  EXPECT_THAT(valuesOf<float>(results[0]), ElementsAre(8, 26));
}

TEST(CallableCost, SteadyStateAllocatesNothingAndUsesResultsAgain) {
  auto session =
      testing::openSession(testing::scaleGraph(), ExecutionMode::NativeOnly);
  ASSERT_THAT(session->run({}, {}, {"init"}), isOk());
  auto callable = session->makeCallable({"x:0"}, {"rows:0", "w:0"}, {"bump"});
  ASSERT_THAT(callable, isOk());
  Tensor feeds[] = {countingMatrix(2, 3)}, results[2];
  ASSERT_THAT((*callable)(feeds, results), isOk());
  const void *first = results[0].rawData();
  bool allOk = true;
  int64_t before = numAllocations;
  for (int call = 0; call < 100; ++call)
    allOk &= (*callable)(feeds, results).ok();
  EXPECT_EQ(numAllocations, before);
  EXPECT_TRUE(allOk);
  EXPECT_EQ(results[0].rawData(), first);
}

} // namespace
} // namespace kiln
