// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs that begin in the evaluator while native code is made behind them: who
// answers, and that the answers do not tell.
#include "lib/JIT/CompilerContext.h"
#include "test/unit/BusyCompileThreads.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"
#include "test/unit/Together.h"

#include <thread>

namespace kiln {
namespace {

using testing::countingMatrix;
using ::testing::HasSubstr;
using testing::isOk;
using testing::scaledRows;
using testing::tensorOf;
using testing::valuesOf;

/// scaleGraph() with `draw`, two random numbers, and `chosen`, an element of
/// `table` at `index`.
std::shared_ptr<Graph> tieredGraph() {
  testing::GraphWriter writer;
  writer.graph = testing::scaleGraph();
  constexpr DType f32 = DType::Float32, i32 = DType::Int32;
  writer.constant("draw/shape", tensorOf<int32_t>({1}, {2}));
  writer.add("draw", "RandomUniform", {"draw/shape"},
             {{"T", i32},
              {"dtype", f32},
              {"seed", int64_t(3)},
              {"seed2", int64_t(4)}});
  writer.placeholder("table", f32, {-1});
  writer.placeholder("index", i32, {});
  writer.constant("chosen/axis", Tensor::scalar<int32_t>(0));
  writer.add("chosen", "GatherV2", {"table", "index", "chosen/axis"},
             {{"Tparams", f32}, {"Tindices", i32}, {"Taxis", i32}});
  return writer.graph;
}

class Tiering : public ::testing::Test {
protected:
  /// Native code is made behind the second run.
  static SessionOptions eager() {
    SessionOptions options;
    options.tieringShare = 0;
    return options;
  }
  static std::unique_ptr<Session> open(SessionOptions options = eager()) {
    auto made = Session::create(tieredGraph(), options);
    EXPECT_THAT(made, isOk());
    EXPECT_THAT((*made)->run({}, {}, {"init"}), isOk());
    return *std::move(made);
  }
  /// Who ran `rows` of so many rows, which are right.
  static Executor runRows(Session &session, int64_t count) {
    Tensor x = countingMatrix(count, 3);
    RunStats stats;
    auto rows = session.run({{"x:0", x}}, {"rows:0"}, {}, {}, &stats);
    EXPECT_THAT(rows, isOk());
    if (rows.ok()) {
      EXPECT_EQ(valuesOf<float>((*rows)[0]), scaledRows(x, {1, 2, 3}));
    }
    return stats.executor;
  }
  static void waitForNative(const Session &session, int64_t count) {
    while (session.stats().nativeCompilations < count)
      std::this_thread::yield();
  }

  std::unique_ptr<Session> session = open();
};

TEST_F(Tiering, NativeCodeIsMadeBehindTheSecondRun) {
  EXPECT_EQ(runRows(*session, 2), Executor::Evaluator);
  EXPECT_EQ(session->stats().nativeCompilations, 0);
  EXPECT_EQ(runRows(*session, 5), Executor::Evaluator);
  waitForNative(*session, 1);
  EXPECT_EQ(runRows(*session, 2), Executor::Native);
  EXPECT_EQ(runRows(*session, 7), Executor::Native);
  EXPECT_EQ(session->stats().nativeCompilations, 1);
}

TEST_F(Tiering, NativeCodeIsMadeWhereItRepaysItself) {
  SessionOptions options;
  options.tieringShare = 1e9;
  auto patient = open(options);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(runRows(*patient, 2), Executor::Evaluator);
  EXPECT_EQ(patient->stats().nativeCompilations, 0);
  // In time it does, however little a run loses.
  auto usual = open(SessionOptions());
  while (usual->stats().nativeCompilations == 0)
    (void)runRows(*usual, 2);
  EXPECT_EQ(runRows(*usual, 2), Executor::Native);
  options.tieringShare = -1;
  EXPECT_EQ(Session::create(tieredGraph(), options).status().code(),
            StatusCode::InvalidArgument);
}

TEST_F(Tiering, WhoWaitsForNativeCodeDoesNotWaitForOtherCompilations) {
  testing::BusyCompileThreads busy;
  EXPECT_EQ(runRows(*session, 2), Executor::Evaluator);
  EXPECT_EQ(runRows(*session, 5), Executor::Evaluator);
  EXPECT_EQ(runRows(*session, 5), Executor::Evaluator);
  EXPECT_EQ(session->stats().nativeCompilations, 0); // it is in the queue
  ASSERT_THAT(session->prepare({{"x:0"}}, {"rows:0"}), isOk());
  EXPECT_EQ(session->stats().nativeCompilations, 1);
  EXPECT_FALSE(busy.hasEnded());
  EXPECT_EQ(runRows(*session, 5), Executor::Native);
}

TEST_F(Tiering, WhatRunsOnceIsNeverCompiled) {
  for (const char *fetch : {"w:0", "w/read:0", "count:0", "draw:0"}) {
    RunStats stats;
    EXPECT_THAT(session->run({}, {fetch}, {}, {}, &stats), isOk());
    EXPECT_EQ(stats.executor, Executor::Evaluator) << fetch;
    EXPECT_EQ(stats.degraded, "");
  }
  EXPECT_EQ(session->stats().nativeCompilations, 0);
}

// A context takes megabytes; the evaluator's program refers to none.
TEST_F(Tiering, WhatTheEvaluatorKeepsHoldsNoCompilerContext) {
  auto fetches = {"w:0", "w/read:0", "count:0", "draw:0"};
  int64_t before = ContextLease::numLeased();
  for (const char *fetch : fetches)
    EXPECT_THAT(session->run({}, {fetch}), isOk());
  EXPECT_EQ(session->stats().nativeCompilations, 0);
  EXPECT_GE(session->stats().cacheEntries,
            static_cast<int64_t>(fetches.size()));
  // One may be the warm-up's.
  EXPECT_LE(ContextLease::numLeased(), before + 1);
  EXPECT_LT(session->stats().cacheBytes, int64_t(1) << 16);
}

TEST_F(Tiering, LongRunsWaitForNativeCode) {
  constexpr int64_t many = 2'000'000;
  EXPECT_EQ(runRows(*session, many), Executor::Native);
  auto other = open();
  EXPECT_EQ(runRows(*other, 2), Executor::Evaluator);
  EXPECT_EQ(runRows(*other, many), Executor::Native);
  EXPECT_EQ(runRows(*other, 2), Executor::Native);
}

TEST_F(Tiering, PrepareAndOptionsPreventIt) {
  ASSERT_THAT(session->prepare({{"x:0", {-1, 3}}}, {"rows:0"}), isOk());
  EXPECT_EQ(runRows(*session, 2), Executor::Native);
  SessionOptions options;
  options.tiering = false;
  EXPECT_EQ(runRows(*open(options), 2), Executor::Native);
  options = {};
  options.mode = ExecutionMode::NativeOnly;
  EXPECT_EQ(runRows(*open(options), 2), Executor::Native);
  options = {};
  options.inspect.regions = true;
  EXPECT_EQ(runRows(*open(options), 2), Executor::Native);
}

TEST_F(Tiering, PrepareReplacesTheEvaluator) {
  EXPECT_EQ(runRows(*session, 2), Executor::Evaluator);
  ASSERT_THAT(session->prepare({{"x:0", {-1, 3}}}, {"rows:0"}), isOk());
  EXPECT_EQ(runRows(*session, 2), Executor::Native);
}

TEST_F(Tiering, StateAndStreamsGoOn) {
  SessionOptions native;
  native.mode = ExecutionMode::NativeOnly;
  auto reference = open(native);
  auto run = [](Session &own) {
    auto got = own.run({}, {"draw:0", "increment:0"});
    EXPECT_THAT(got, isOk());
    return std::pair(valuesOf<float>((*got)[0]), valuesOf<int64_t>((*got)[1]));
  };
  for (int i = 0; i < 6; ++i) {
    if (i == 4)
      waitForNative(*session, 1);
    EXPECT_EQ(run(*session), run(*reference)) << i;
  }
}

TEST_F(Tiering, ErrorsAreTheSame) {
  Tensor table = tensorOf<float>({3}, {1, 2, 3});
  std::vector<Status> errors;
  for (int i = 0; i < 4; ++i) {
    if (i == 2)
      waitForNative(*session, 1);
    errors.push_back(
        session
            ->run({{"table:0", table}, {"index:0", Tensor::scalar<int32_t>(3)}},
                  {"chosen:0"})
            .status());
  }
  EXPECT_EQ(errors[0].code(), StatusCode::InvalidArgument);
  EXPECT_EQ(errors[0].node(), "chosen");
  for (const Status &error : errors)
    EXPECT_EQ(error, errors[0]);
}

TEST_F(Tiering, CallablesSwitch) {
  auto rows = session->makeCallable({"x:0"}, {"rows:0"});
  ASSERT_THAT(rows, isOk());
  Tensor x = countingMatrix(4, 3), result;
  auto call = [&] {
    EXPECT_THAT((*rows)({&x, 1}, {&result, 1}), isOk());
    EXPECT_EQ(valuesOf<float>(result), scaledRows(x, {1, 2, 3}));
    return result.rawData();
  };
  call();
  EXPECT_EQ(session->stats().nativeCompilations, 0);
  call();
  waitForNative(*session, 1);
  // Only native code writes a result again.
  const void *place = call();
  EXPECT_EQ(call(), place);
  EXPECT_EQ(session->stats().nativeCompilations, 1);
}

TEST_F(Tiering, CallablesOfEvictedProgramsSwitch) {
  SessionOptions options = eager();
  options.cacheBytes = 1; // one program
  auto small = open(options);
  testing::BusyCompileThreads busy;
  auto rows = small->makeCallable({"x:0"}, {"rows:0"});
  ASSERT_THAT(rows, isOk());
  Tensor x = countingMatrix(4, 3), result;
  auto call = [&] {
    EXPECT_THAT((*rows)({&x, 1}, {&result, 1}), isOk());
    EXPECT_EQ(valuesOf<float>(result), scaledRows(x, {1, 2, 3}));
    return result.rawData();
  };
  call();
  call(); // what is made behind waits for a thread
  EXPECT_THAT(small->run({}, {"w:0"}), isOk());
  busy.end();
  waitForNative(*small, 1);
  // Only native code writes a result again.
  const void *place = call();
  EXPECT_EQ(call(), place);
}

TEST_F(Tiering, ManyThreadsShareTheEvaluatorAndOneCompilation) {
  testing::together(4, [&](int thread) {
    for (int i = 0; i < 50; ++i)
      (void)runRows(*session, 2 + thread);
  });
  waitForNative(*session, 1);
  EXPECT_EQ(session->stats().nativeCompilations, 1);
  EXPECT_EQ(runRows(*session, 2), Executor::Native);
}

TEST_F(Tiering, WhereNativeCodeCannotBeMadeTheEvaluatorStays) {
  SessionOptions options;
  options.limits.maxCodeBytes = 1;
  auto limited = open(options);
  RunStats stats;
  do {
    ASSERT_THAT(limited->run({}, {"w:0"}, {}, {}, &stats), isOk());
    EXPECT_EQ(stats.executor, Executor::Evaluator);
  } while (stats.degraded.empty());
  EXPECT_THAT(stats.degraded, HasSubstr("evaluated: RESOURCE_EXHAUSTED"));
  EXPECT_THAT(stats.degraded, HasSubstr("at most 1 bytes of code"));
  // It is not tried again.
  int64_t compilations = limited->stats().compilations;
  ASSERT_THAT(limited->run({}, {"w:0"}), isOk());
  EXPECT_EQ(limited->stats().compilations, compilations);
}

TEST_F(Tiering, CloseDoesNotWaitForWhatIsMadeBehind) {
  runRows(*session, 2);
  runRows(*session, 2);
  session->close();
  EXPECT_EQ(session->stats().cacheEntries, 0);
}

} // namespace
} // namespace kiln
