// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs of which only the run itself can tell how long they are: who answers
// them, and that no run can tell by values, streams and effects.
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"
#include "test/unit/Together.h"

#include <thread>

namespace kiln {
namespace {

using ::testing::HasSubstr;
using testing::isOk;
using testing::tensorOf;
using testing::valuesOf;

constexpr DType f32 = DType::Float32, i32 = DType::Int32, i64 = DType::Int64;

/// A loop with the frames of version 1 that counts to `n` by `step`. In each
/// iteration `effect` stands, "count" in the list of what it reads being a
/// reference into the loop. `total`: what the draws of all iterations add up
/// to; `power`: `matrix` to the power of the iterations and one; `written`:
/// `iterations` assigned to `last`.
std::shared_ptr<Graph> loopGraph(const std::string &effect) {
  testing::GraphWriter writer;
  writer.placeholder("n", i32, {});
  writer.placeholder("step", i32, {});
  writer.variable("count", Tensor::scalar<int64_t>(0));
  writer.variable("last", Tensor::scalar<int32_t>(-1));
  writer.constant("zero", Tensor::scalar<int32_t>(0));
  writer.constant("nothing", Tensor::scalar<float>(0));
  writer.constant("one", Tensor::scalar<int64_t>(1));
  writer.constant("shape", tensorOf<int32_t>({0}, {}));
  writer.add("init", "NoOp", {"^count/Assign", "^last/Assign"});
  auto enter = [&](std::string name, std::string input, DType dtype,
                   bool isConstant, std::string op = "Enter") {
    writer.add(std::move(name), std::move(op), {std::move(input)},
               {{"T", dtype},
                {"frame_name", std::string("loop")},
                {"is_constant", isConstant}});
  };
  enter("enter_i", "zero", i32, false);
  enter("enter_a", "nothing", f32, false);
  writer.placeholder("matrix", f32, {192, 192});
  enter("enter_m", "matrix", f32, false);
  enter("matrix_in", "matrix", f32, true);
  enter("limit", "n", i32, true);
  enter("by", "step", i32, true);
  enter("one_in", "one", i64, true);
  enter("shape_in", "shape", i32, true);
  enter("count_in", "count", i64, true, "RefEnter");
  std::vector<NodeSpec> specs;
  auto add = [&](std::string name, std::string op,
                 std::vector<NodeInput> inputs, AttrMap attrs) {
    specs.push_back({.name = std::move(name),
                     .op = std::move(op),
                     .inputs = std::move(inputs),
                     .attrs = std::move(attrs)});
  };
  for (auto [suffix, dtype] :
       {std::pair("_i", i32), std::pair("_a", f32), std::pair("_m", f32)}) {
    std::string end = suffix;
    add("merge" + end, "Merge", {"enter" + end, "next" + end},
        {{"T", dtype}, {"N", 2}});
    add("switch" + end, "Switch", {"merge" + end, "cond"}, {{"T", dtype}});
    add("here" + end, "Identity", {"switch" + end + ":1"}, {{"T", dtype}});
    add("next" + end, "NextIteration", {"iteration" + end}, {{"T", dtype}});
    add("exit" + end, "Exit", {"switch" + end + ":0"}, {{"T", dtype}});
  }
  add("less", "Less", {"merge_i", "limit"}, {{"T", i32}});
  add("cond", "LoopCond", {"less"}, {});
  std::vector<NodeInput> iteration = {"here_i", "by"};
  if (effect == "AssignAdd")
    add("effect", effect, {"count_in", "one_in", "^here_i"}, {{"T", i64}});
  else if (effect == "Print")
    add("effect", effect, {"here_i", "here_i"},
        {{"T", i32},
         {"U", AttrValue(std::vector<DType>{i32})},
         {"message", std::string("iteration ")}});
  if (!effect.empty())
    iteration.push_back("^effect");
  add("iteration_i", "AddV2", std::move(iteration), {{"T", i32}});
  add("draw", "RandomUniform", {"shape_in", "^here_i"},
      {{"T", i32},
       {"dtype", f32},
       {"seed", int64_t(3)},
       {"seed2", int64_t(4)}});
  add("iteration_a", "AddV2", {"here_a", "draw"}, {{"T", f32}});
  add("iteration_m", "MatMul", {"here_m", "matrix_in"}, {{"T", f32}});
  EXPECT_THAT(writer.graph->addNodes(std::move(specs)), isOk());
  writer.add("power", "Identity", {"exit_m"}, {{"T", f32}});
  writer.add("total", "Identity", {"exit_a"}, {{"T", f32}});
  writer.add("iterations", "Identity", {"exit_i"}, {{"T", i32}});
  writer.binary("written", "Assign", "last", "exit_i", i32);
  writer.placeholder("x", f32, {-1});
  writer.add("unique", "Unique", {"x"}, {{"T", f32}, {"out_idx", i32}});
  writer.binary("squares", "Mul", "unique:0", "unique:0", f32);
  writer.constant("axis", tensorOf<int32_t>({1}, {0}));
  writer.add("norm", "Sum", {"squares", "axis"}, {{"T", f32}, {"Tidx", i32}});
  return writer.graph;
}

class RunBudget : public ::testing::Test {
protected:
  static std::unique_ptr<Session> open(const std::string &effect = "",
                                       SessionOptions options = {}) {
    auto made = Session::create(loopGraph(effect), options);
    EXPECT_THAT(made, isOk());
    EXPECT_THAT((*made)->run({}, {}, {"init"}), isOk());
    return *std::move(made);
  }
  static std::unique_ptr<Session> openNative(const std::string &effect = "") {
    SessionOptions options;
    options.mode = ExecutionMode::NativeOnly;
    return open(effect, options);
  }
  static std::vector<Feed> feeds(int32_t iterations, int32_t step = 1) {
    return {{"n:0", Tensor::scalar(iterations)},
            {"step:0", Tensor::scalar(step)}};
  }
  /// What the fetch gives after so many iterations.
  static Tensor fetch(Session &session, const char *name, int32_t iterations,
                      RunStats *stats = nullptr) {
    auto got = session.run(feeds(iterations), {name}, {}, {}, stats);
    EXPECT_THAT(got, isOk());
    return got.ok() ? (*got)[0] : Tensor();
  }
  static float total(Session &session, int32_t iterations,
                     RunStats *stats = nullptr) {
    return valuesOf<float>(fetch(session, "total:0", iterations, stats))[0];
  }
  static int32_t iterations(Session &session, int32_t count,
                            RunStats *stats = nullptr) {
    return valuesOf<int32_t>(fetch(session, "iterations:0", count, stats))[0];
  }
  static int64_t counted(Session &session) {
    auto got = session.run({}, {"count:0"});
    EXPECT_THAT(got, isOk());
    return valuesOf<int64_t>((*got)[0])[0];
  }

  /// For the evaluator some seconds, for the compiler much less.
  static constexpr int32_t many = 3'000'000;
};

/// The budget is a time: a machine at its limits may use it up.
template <class Run> bool isOnceAnsweredAtOnce(Run run) {
  for (int attempt = 0; attempt < 200; ++attempt)
    if (run())
      return true;
  return false;
}

TEST_F(RunBudget, ShortLoopsAreNeverCompiled) {
  EXPECT_TRUE(isOnceAnsweredAtOnce([&] {
    auto session = open();
    RunStats stats;
    EXPECT_EQ(iterations(*session, 3, &stats), 3);
    return stats.executor == Executor::Evaluator &&
           session->stats().nativeCompilations == 0;
  }));
}

TEST_F(RunBudget, SizesOfTheRunAreNeverCompiledWhereTheyAreSmall) {
  Tensor x = tensorOf<float>({6}, {1, 2, 2, 3, 3, 3});
  EXPECT_TRUE(isOnceAnsweredAtOnce([&] {
    auto session = open();
    RunStats stats;
    auto got = session->run({{"x:0", x}}, {"norm:0"}, {}, {}, &stats);
    EXPECT_THAT(got, isOk());
    EXPECT_EQ(valuesOf<float>((*got)[0])[0], 14);
    return stats.executor == Executor::Evaluator &&
           session->stats().nativeCompilations == 0;
  }));
}

TEST_F(RunBudget, LongLoopsGoOnNatively) {
  auto session = open();
  RunStats stats;
  EXPECT_EQ(iterations(*session, 10 * many, &stats), 10 * many);
  EXPECT_EQ(stats.executor, Executor::Native);
  EXPECT_GT(stats.opsNative, 0);
  EXPECT_EQ(stats.opsEvaluator, 0);
  EXPECT_GT(stats.llvmNs, 0);
  EXPECT_EQ(stats.degraded, "");
  EXPECT_EQ(session->stats().nativeCompilations, 1);
  EXPECT_EQ(iterations(*session, 5, &stats), 5);
  EXPECT_EQ(stats.executor, Executor::Native);
}

// Mostly before its time is over: otherwise this shows nothing.
TEST_F(RunBudget, LongLoopsWhoseProgramIsEvictedGoOnNatively) {
  SessionOptions options;
  options.cacheBytes = 1;
  auto session = open("", options);
  std::thread evicts([&] {
    while (session->stats().cacheEntries == 0)
      std::this_thread::yield();
    (void)counted(*session);
  });
  RunStats stats;
  EXPECT_EQ(iterations(*session, many, &stats), many);
  evicts.join();
  EXPECT_EQ(stats.executor, Executor::Native);
}

TEST_F(RunBudget, NativeCodeIsMadeBehindTheSecondRun) {
  SessionOptions options;
  options.tieringShare = 0;
  auto session = open("", options);
  EXPECT_EQ(iterations(*session, 3), 3);
  EXPECT_EQ(iterations(*session, 3), 3);
  while (session->stats().nativeCompilations == 0)
    std::this_thread::yield();
  RunStats stats;
  EXPECT_EQ(iterations(*session, 3, &stats), 3);
  EXPECT_EQ(stats.executor, Executor::Native);
}

TEST_F(RunBudget, SamplesAreThoseOfOneRun) {
  auto session = open(), native = openNative();
  RunStats stats;
  EXPECT_EQ(total(*session, many, &stats), total(*native, many));
  EXPECT_EQ(stats.executor, Executor::Native);
  EXPECT_EQ(total(*session, 7), total(*native, 7));
}

TEST_F(RunBudget, RunsAtOnceTakeSamplesOfTheirOwn) {
  auto session = open(), native = openNative();
  testing::together(4, [&](int) { total(*session, many); });
  for (int i = 0; i < 4; ++i)
    total(*native, many);
  EXPECT_EQ(total(*session, 7), total(*native, 7));
  EXPECT_EQ(session->stats().nativeCompilations, 1);
}

TEST_F(RunBudget, VariablesAreWrittenByOneRun) {
  auto session = open("AssignAdd");
  RunStats stats;
  EXPECT_EQ(iterations(*session, many, &stats), many);
  EXPECT_EQ(stats.executor, Executor::Native);
  EXPECT_EQ(counted(*session), many);
  EXPECT_EQ(iterations(*session, 3), 3);
  EXPECT_EQ(counted(*session), many + 3);
}

TEST_F(RunBudget, RunsAtOnceWriteOnceEach) {
  auto session = open("AssignAdd");
  testing::together(3, [&](int) { iterations(*session, many); });
  EXPECT_EQ(counted(*session), 3 * many);
}

TEST_F(RunBudget, VariablesBehindShortLoopsAreWrittenInTheEvaluator) {
  EXPECT_TRUE(isOnceAnsweredAtOnce([&] {
    auto session = open();
    RunStats stats;
    EXPECT_THAT(session->run(feeds(4), {}, {"written"}, {}, &stats), isOk());
    auto last = session->run({}, {"last:0"});
    EXPECT_THAT(last, isOk());
    EXPECT_EQ(valuesOf<int32_t>((*last)[0])[0], 4);
    return stats.executor == Executor::Evaluator &&
           session->stats().nativeCompilations == 0;
  }));
}

TEST_F(RunBudget, WhatCannotBeTakenBackInALoopWaitsForNativeCode) {
  auto session = open("Print");
  RunStats stats;
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(iterations(*session, 3, &stats), 3);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "iteration [0]\niteration [1]\niteration [2]\n");
  EXPECT_EQ(stats.executor, Executor::Native);
}

TEST_F(RunBudget, WhereNativeCodeCannotBeMadeTheEvaluatorGoesOn) {
  SessionOptions options;
  options.limits.maxCodeBytes = 1;
  for (const char *effect : {"", "AssignAdd", "Print"}) {
    auto session = open(effect, options);
    bool prints = effect == std::string("Print");
    int32_t count = prints ? 3 : 200'000;
    RunStats stats;
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(iterations(*session, count, &stats), count);
    std::string text = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(stats.executor, Executor::Evaluator);
    if (!prints)
      continue;
    EXPECT_EQ(text, "iteration [0]\niteration [1]\niteration [2]\n");
    EXPECT_THAT(stats.degraded, HasSubstr("evaluated: RESOURCE_EXHAUSTED"));
  }
}

// The evaluator's product is made by several threads.
TEST_F(RunBudget, ProductsInLoopsAreThoseOfNativeCode) {
  auto session = open(), native = openNative();
  Tensor matrix = Tensor::zeros(f32, {192, 192}).value();
  auto elements = matrix.mutableData<float>();
  for (size_t row = 0; row < 192; ++row)
    for (size_t column : {row, (row * 5 + 1) % 192})
      elements[row * 192 + column] += 0.5f;
  auto power = [&](Session &own) {
    std::vector<Feed> given = feeds(40);
    given.push_back({"matrix:0", matrix});
    auto got = own.run(given, {"power:0"});
    EXPECT_THAT(got, isOk());
    return valuesOf<float>((*got)[0]);
  };
  EXPECT_EQ(power(*session), power(*native));
}

TEST_F(RunBudget, CallablesSwitch) {
  auto session = open();
  auto callable = session->makeCallable({"n:0", "step:0"}, {"iterations:0"});
  ASSERT_THAT(callable, isOk());
  for (int32_t count : {10 * many, 5, 6}) {
    Tensor given[] = {Tensor::scalar(count), Tensor::scalar<int32_t>(1)};
    Tensor result;
    ASSERT_THAT((*callable)(given, {&result, 1}), isOk());
    EXPECT_EQ(valuesOf<int32_t>(result)[0], count);
  }
  EXPECT_EQ(session->stats().nativeCompilations, 1);
}

/// Cancels an endless run once `isTime` says so.
template <class IsTime>
Status cancelled(Session &session, const std::vector<Feed> &feeds,
                 IsTime isTime) {
  Cancellation cancel;
  std::thread other([&] {
    while (!isTime())
      std::this_thread::yield();
    cancel.cancel();
  });
  RunOptions options;
  options.cancel = &cancel;
  Status status = session.run(feeds, {"iterations:0"}, {}, options).status();
  other.join();
  return status;
}

TEST_F(RunBudget, CancellingEndsTheEvaluatorAndNativeCode) {
  for (int64_t native : {0, 1}) {
    auto session = open("AssignAdd");
    EXPECT_EQ(cancelled(*session, feeds(3, 0),
                        [&] {
                          SessionStats stats = session->stats();
                          return stats.cacheEntries >= 2 &&
                                 stats.nativeCompilations >= native;
                        })
                  .code(),
              StatusCode::Cancelled);
    EXPECT_EQ(iterations(*session, 3), 3);
  }
}

TEST_F(RunBudget, DeadlinesEndTheWaitForNativeCode) {
  auto session = open("Print");
  RunOptions options;
  options.timeout = std::chrono::nanoseconds(1);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(
      session->run(feeds(3, 0), {"iterations:0"}, {}, options).status().code(),
      StatusCode::DeadlineExceeded);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  options.timeout = std::chrono::milliseconds(20);
  auto other = open();
  EXPECT_EQ(
      other->run(feeds(3, 0), {"iterations:0"}, {}, options).status().code(),
      StatusCode::DeadlineExceeded);
}

TEST_F(RunBudget, ClosingEndsRuns) {
  auto session = open();
  std::thread other([&] {
    while (session->stats().cacheEntries < 2)
      std::this_thread::yield();
    session->close();
  });
  EXPECT_EQ(session->run(feeds(3, 0), {"iterations:0"}).status().code(),
            StatusCode::Cancelled);
  other.join();
}

} // namespace
} // namespace kiln
