// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs that are told to end: inside of native loops, while they wait for a
// compilation, and by close().
#include "lib/Loader/Linker.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <barrier>
#include <thread>

namespace kiln {
namespace {

using namespace std::chrono_literals;
using ::testing::_;
using testing::fails;
using testing::GraphWriter;
using ::testing::HasSubstr;
using testing::isOk;
using testing::openSession;
using testing::scaleGraph;
using testing::tensorOf;
using testing::valuesOf;

constexpr DType f32 = DType::Float32;

/// An hour of work and more, and no memory: total = sum(random numbers), along
/// the axis or all of [rows, columns].
std::shared_ptr<Graph> endlessGraph(int64_t rows, int64_t columns,
                                    std::vector<int32_t> axes) {
  GraphWriter writer;
  writer.constant("shape", tensorOf<int64_t>({2}, {rows, columns}));
  writer.add("random", "RandomUniform", {"shape"},
             {{"T", DType::Int64},
              {"dtype", f32},
              {"seed", int64_t(1)},
              {"seed2", int64_t(2)}});
  auto count = static_cast<int64_t>(axes.size());
  writer.constant("axes", tensorOf<int32_t>({count}, std::move(axes)));
  writer.add("total", "Sum", {"random", "axes"},
             {{"T", f32}, {"Tidx", DType::Int32}, {"keep_dims", false}});
  return writer.graph;
}

std::unique_ptr<Session> openWithThreads(std::shared_ptr<Graph> graph,
                                         int threads) {
  SessionOptions options;
  options.mode = ExecutionMode::NativeOnly;
  options.threads = threads;
  auto made = Session::create(std::move(graph), options);
  EXPECT_THAT(made, isOk());
  return *std::move(made);
}

/// x of [1, 16] through so many sines, each of which takes the compiler about a
/// millisecond.
std::shared_ptr<Graph> chainGraph(int length) {
  GraphWriter writer;
  writer.placeholder("x", f32, {1, 16});
  std::string last = "x";
  for (int i = 0; i < length; ++i) {
    std::string name = "s" + std::to_string(i);
    writer.add(name, "Sin", {last}, {{"T", f32}});
    last = name;
  }
  writer.add("y", "Identity", {last}, {{"T", f32}});
  return writer.graph;
}

Feed row() { return {"x:0", testing::countingMatrix(1, 16)}; }

class Cancel : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Threads, Cancel, ::testing::Values(1, 2));

TEST_P(Cancel, EndlessReductionsEndAtTheirDeadline) {
  constexpr int64_t huge = int64_t(1) << 38;
  struct {
    int64_t rows, columns;
    std::vector<int32_t> axes;
  } cases[] = {{huge, 4, {0, 1}},
               {4, huge, {1}},
               {huge, 4, {0}},
               {huge, 1000, {0, 1}},
               {4, huge, {0, 1}}};
  for (auto &[rows, columns, axes] : cases) {
    auto session =
        openWithThreads(endlessGraph(rows, columns, axes), GetParam());
    ASSERT_THAT(session->prepare({}, {"total:0"}), isOk());
    EXPECT_THAT(session->run({}, {"total:0"}, {}, {.timeout = 10ms}),
                fails(StatusCode::DeadlineExceeded, _))
        << rows << " x " << columns;
  }
}

/// The loop does not write the variable itself, which could not be ended.
TEST_P(Cancel, EndlessUpdateEndsAndLeavesTheVariable) {
  auto graph = endlessGraph(int64_t(1) << 40, 1, {0, 1});
  GraphWriter writer{graph};
  writer.add("v", "VariableV2", {}, {{"dtype", f32}, {"shape", Shape{}}});
  writer.constant("seven", Tensor::scalar(7.0f));
  writer.add("init", "Assign", {"v", "seven"}, {{"T", f32}});
  writer.add("update", "AssignSub", {"v", "total"}, {{"T", f32}});
  auto session = openWithThreads(graph, GetParam());
  ASSERT_THAT(session->run({}, {}, {"init"}), isOk());
  ASSERT_THAT(session->prepare({}, {}, {"update"}), isOk());
  EXPECT_THAT(session->run({}, {}, {"update"}, {.timeout = 10ms}),
              fails(StatusCode::DeadlineExceeded, _));
  auto value = session->run({}, {"v:0"});
  ASSERT_THAT(value, isOk());
  EXPECT_EQ(testing::valuesOf<float>((*value)[0]), std::vector<float>{7});
}

TEST_P(Cancel, AnotherThreadEndsAnEndlessRun) {
  auto session =
      openWithThreads(endlessGraph(int64_t(1) << 40, 1, {0, 1}), GetParam());
  Cancellation cancel;
  std::barrier start(2);
  std::thread other([&] {
    start.arrive_and_wait();
    cancel.cancel();
  });
  start.arrive_and_wait();
  EXPECT_THAT(session->run({}, {"total:0"}, {}, {.cancel = &cancel}),
              fails(StatusCode::Cancelled, _));
  other.join();
}

TEST_P(Cancel, CloseEndsEndlessRunsOfManyThreads) {
  auto session =
      openWithThreads(endlessGraph(int64_t(1) << 40, 1, {0, 1}), GetParam());
  ASSERT_THAT(session->prepare({}, {"total:0"}), isOk());
  constexpr int numRuns = 3, numClosers = 2;
  std::barrier start(numRuns + numClosers);
  std::vector<Status> ends(numRuns);
  std::vector<std::thread> threads;
  for (int i = 0; i < numRuns; ++i)
    threads.emplace_back([&, i] {
      start.arrive_and_wait();
      ends[static_cast<size_t>(i)] = session->run({}, {"total:0"}).status();
    });
  for (int i = 0; i < numClosers; ++i)
    threads.emplace_back([&] {
      start.arrive_and_wait();
      session->close();
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const Status &end : ends) // closed before it began, or while it ran
    EXPECT_TRUE(end.code() == StatusCode::Cancelled ||
                end.code() == StatusCode::FailedPrecondition)
        << end.toString();
}

TEST_P(Cancel, EvictedCodeLivesUntilItsRunEnds) {
  SessionOptions options;
  options.mode = ExecutionMode::NativeOnly;
  options.threads = GetParam();
  options.cacheBytes = 1;
  auto graph = endlessGraph(int64_t(1) << 40, 1, {0, 1});
  auto session = Session::create(graph, options);
  ASSERT_THAT(session, isOk());
  ASSERT_THAT((*session)->prepare({}, {"total:0"}), isOk());
  size_t one = linkedBytes();
  Cancellation cancel;
  Status end;
  std::thread runner([&] {
    end = (*session)->run({}, {"total:0"}, {}, {.cancel = &cancel}).status();
  });
  // Drops what is not in use; what is left is the code that runs.
  while ((*session)->stats().cacheEntries != 1 || linkedBytes() <= one)
    ASSERT_THAT((*session)->prepare({}, {"axes:0"}), isOk());
  cancel.cancel();
  runner.join();
  EXPECT_THAT(end, fails(StatusCode::Cancelled, _));
  // Where the run was cancelled while it compiled anew, that ends behind it.
  while (linkedBytes() > one)
    ASSERT_THAT((*session)->prepare({}, {"axes:0"}), isOk());
}

TEST(Timeout, VeryLongOnesAreNoLimit) {
  auto session = openWithThreads(chainGraph(2), 1);
  for (std::chrono::nanoseconds timeout :
       {std::chrono::nanoseconds::max(),
        std::chrono::nanoseconds(24h * 365 * 290),
        std::chrono::nanoseconds(24h)})
    EXPECT_THAT(session->run({row()}, {"y:0"}, {}, {.timeout = timeout}),
                isOk());
  SessionOptions options;
  options.limits.maxCompileTime = std::chrono::nanoseconds::max();
  auto patient = Session::create(chainGraph(2), options);
  ASSERT_THAT(patient, isOk());
  EXPECT_THAT((*patient)->run({row()}, {"y:0"}), isOk());
}

TEST(Timeout, BelowZeroIsAnError) {
  auto session = openWithThreads(chainGraph(2), 1);
  auto says = fails(StatusCode::InvalidArgument,
                    HasSubstr("timeout of at least 0 ns, got -5"));
  EXPECT_THAT(session->run({row()}, {"y:0"}, {}, {.timeout = -5ns}), says);
  EXPECT_THAT(
      session->prepare({{"x:0"}}, {"y:0"}, {}, nullptr, {.timeout = -5ns}),
      says);
  auto callable = session->makeCallable({"x:0"}, {"y:0"});
  ASSERT_THAT(callable, isOk());
  Tensor feeds[] = {row().value}, results[1];
  EXPECT_THAT((*callable)(feeds, results, {.timeout = -5ns}), says);
}

TEST_P(Cancel, CallsEndAtTheirDeadlineAndAreAsGoodAsBefore) {
  auto session =
      openWithThreads(endlessGraph(int64_t(1) << 38, 4, {0, 1}), GetParam());
  ASSERT_THAT(session->prepare({}, {"total:0"}), isOk());
  auto endless = session->makeCallable({}, {"total:0"});
  auto quick = session->makeCallable({}, {"axes:0"});
  ASSERT_THAT(endless, isOk());
  ASSERT_THAT(quick, isOk());
  Tensor results[1];
  for (int round = 0; round < 2; ++round) {
    EXPECT_THAT((*endless)({}, results, {.timeout = 5ms}),
                fails(StatusCode::DeadlineExceeded, _));
    EXPECT_THAT((*quick)({}, results, {.timeout = 1h}), isOk());
    EXPECT_EQ(valuesOf<int32_t>(results[0]), (std::vector<int32_t>{0, 1}));
  }
}

TEST_P(Cancel, CallsEndWithTheirCancellation) {
  auto session =
      openWithThreads(endlessGraph(int64_t(1) << 38, 4, {0, 1}), GetParam());
  ASSERT_THAT(session->prepare({}, {"total:0"}), isOk());
  auto endless = session->makeCallable({}, {"total:0"});
  ASSERT_THAT(endless, isOk());
  Cancellation cancel;
  std::barrier start(2);
  Status end;
  std::thread runner([&] {
    Tensor results[1];
    start.arrive_and_wait();
    end = (*endless)({}, results, {.cancel = &cancel});
  });
  start.arrive_and_wait();
  cancel.cancel();
  runner.join();
  EXPECT_THAT(end, fails(StatusCode::Cancelled, _));
  Tensor results[1];
  EXPECT_THAT((*endless)({}, results, {.cancel = &cancel}),
              fails(StatusCode::Cancelled, _)); // for good
}

TEST(BackgroundCompile, EndsTheWaitOfCallsAndOfPrepare) {
  auto session = openWithThreads(chainGraph(20), 1);
  auto callable = session->makeCallable({"x:0"}, {"y:0"});
  ASSERT_THAT(callable, isOk());
  Tensor feeds[] = {row().value}, results[1];
  EXPECT_THAT((*callable)(feeds, results, {.timeout = 1ms}),
              fails(StatusCode::DeadlineExceeded, _));
  EXPECT_THAT(
      session->prepare({{"x:0"}}, {"y:0"}, {}, nullptr, {.timeout = 1ns}),
      fails(StatusCode::DeadlineExceeded, _));
  EXPECT_THAT((*callable)(feeds, results), isOk());
  EXPECT_EQ(session->stats().compilations, 1);
}

TEST(BackgroundCompile, GoesOnBehindACallerWhoseTimeIsOver) {
  auto session = openWithThreads(chainGraph(20), 1);
  ASSERT_THAT(session->run({row()}, {"y:0"}, {}, {.timeout = 1ms}),
              fails(StatusCode::DeadlineExceeded, _));
  RunStats stats;
  auto result = session->run({row()}, {"y:0"}, {}, {}, &stats);
  ASSERT_THAT(result, isOk());
  EXPECT_TRUE(stats.cacheHit);
  EXPECT_EQ(session->stats().compilations, 1);
}

TEST(BackgroundCompile, UsesTheFeedsAsTheyWereAsked) {
  // The axis is part of the signature; its tensor is written again meanwhile.
  GraphWriter writer;
  writer.placeholder("x", f32, {2, 3});
  writer.placeholder("axis", DType::Int32, {});
  std::string last = "x";
  for (int i = 0; i < 20; ++i) {
    std::string name = "s" + std::to_string(i);
    writer.add(name, "Sin", {last}, {{"T", f32}});
    last = name;
  }
  writer.add("sum", "Sum", {last, "axis"},
             {{"T", f32}, {"Tidx", DType::Int32}, {"keep_dims", false}});
  auto session = openWithThreads(writer.graph, 1);
  Tensor axis = Tensor::scalar<int32_t>(0);
  Feed x = {"x:0", testing::countingMatrix(2, 3)};
  ASSERT_THAT(
      session->run({x, {"axis:0", axis}}, {"sum:0"}, {}, {.timeout = 1ms}),
      fails(StatusCode::DeadlineExceeded, _));
  *static_cast<int32_t *>(axis.mutableRawData()) = 1;
  auto columns =
      session->run({x, {"axis:0", Tensor::scalar<int32_t>(0)}}, {"sum:0"});
  ASSERT_THAT(columns, isOk());
  EXPECT_EQ((*columns)[0].shape(), Shape({3}));
  auto rows = session->run({x, {"axis:0", axis}}, {"sum:0"});
  ASSERT_THAT(rows, isOk());
  EXPECT_EQ((*rows)[0].shape(), Shape({2}));
  EXPECT_EQ(session->stats().compilations, 2);
}

TEST(BackgroundCompile, ACancelledCallerReturnsAndTheSessionGoesOn) {
  auto session = openWithThreads(chainGraph(20), 1);
  Cancellation cancel;
  std::barrier start(2);
  std::thread other([&] {
    start.arrive_and_wait();
    cancel.cancel();
  });
  start.arrive_and_wait();
  EXPECT_THAT(session->run({row()}, {"y:0"}, {}, {.cancel = &cancel}),
              fails(StatusCode::Cancelled, _));
  other.join();
  EXPECT_THAT(session->run({row()}, {"y:0"}), isOk());
}

TEST(BackgroundCompile, CloseDoesNotWaitForItAndNothingIsLeft) {
  std::weak_ptr<Graph> graph;
  {
    auto made = chainGraph(20);
    graph = made;
    auto session = openWithThreads(std::move(made), 1);
    ASSERT_THAT(session->run({row()}, {"y:0"}, {}, {.timeout = 1ms}),
                fails(StatusCode::DeadlineExceeded, _));
  }
  // The compilation holds the graph, and gives it back.
  while (!graph.expired())
    std::this_thread::yield();
}

TEST(BackgroundCompile, CloseEndsThoseWhoWaitForIt) {
  auto session = openWithThreads(chainGraph(20), 1);
  std::barrier start(3);
  std::vector<Status> ends(2);
  std::vector<std::thread> threads;
  for (Status &end : ends)
    threads.emplace_back([&] {
      start.arrive_and_wait();
      end = session->run({row()}, {"y:0"}).status();
    });
  start.arrive_and_wait();
  session->close();
  for (std::thread &thread : threads)
    thread.join();
  for (const Status &end : ends)
    EXPECT_TRUE(end.code() == StatusCode::Cancelled ||
                end.code() == StatusCode::FailedPrecondition)
        << end.toString();
}

TEST(BackgroundCompile, BeyondItsTimeItIsGivenUp) {
  SessionOptions options;
  options.mode = ExecutionMode::NativeOnly;
  options.limits.maxCompileTime = 1ns;
  auto session = Session::create(scaleGraph(), options);
  ASSERT_THAT(session, isOk());
  EXPECT_THAT((*session)->run({}, {}, {"init"}),
              fails(StatusCode::ResourceExhausted, HasSubstr("to compile in")));
  EXPECT_EQ((*session)->stats().cacheEntries, 0);
  for (auto limit : {std::chrono::nanoseconds(1h), 0ns}) {
    options.limits.maxCompileTime = limit;
    session = Session::create(scaleGraph(), options);
    ASSERT_THAT(session, isOk());
    EXPECT_THAT((*session)->run({}, {}, {"init"}), isOk());
  }
  options.limits.maxCompileTime = -1ns;
  EXPECT_THAT(Session::create(scaleGraph(), options),
              fails(StatusCode::InvalidArgument, _));
}

} // namespace
} // namespace kiln
