// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hits, single flight, eviction, and which programs the evaluator runs.
#include "lib/Compile/CompileCache.h"
#include "lib/Loader/Linker.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <atomic>
#include <barrier>
#include <thread>

namespace kiln {
namespace {

using testing::countingMatrix;
using testing::isOk;
using testing::openSession;
using testing::scaledRows;
using testing::scaleGraph;
using testing::valuesOf;

TEST(CompileCache, SecondRunWithSameSignatureHits) {
  auto session = openSession(scaleGraph(), ExecutionMode::NativeOnly);
  RunStats stats;
  ASSERT_THAT(session->run({}, {}, {"init"}, {}, &stats), isOk());
  EXPECT_FALSE(stats.cacheHit);
  EXPECT_GT(stats.importNs, 0);
  EXPECT_GT(stats.llvmNs, 0);
  EXPECT_GT(stats.codeBytes, 0);
  EXPECT_EQ(stats.stageNs.size(), 7u);
  ASSERT_THAT(session->run({}, {}, {"init"}, {}, &stats), isOk());
  EXPECT_TRUE(stats.cacheHit);
  EXPECT_EQ(stats.importNs, 0);
  EXPECT_GT(stats.runNs, 0);
  EXPECT_GT(stats.opsNative, 0);
  EXPECT_EQ(stats.opsQuick, 0);
  EXPECT_EQ(stats.compilations, 1);
}

TEST(CompileCache, ManyThreadsCauseOneCompilation) {
  constexpr int numThreads = 64;
  auto session = openSession(scaleGraph(), ExecutionMode::NativeOnly);
  ASSERT_THAT(session->run({}, {}, {"init"}), isOk());
  int64_t before = session->stats().compilations;
  std::barrier start(numThreads);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < numThreads; ++i)
    threads.emplace_back([&, i] {
      Tensor x = countingMatrix(2 + i % 7, 3);
      start.arrive_and_wait();
      auto got = session->run({{"x:0", x}}, {"rows:0"});
      wrong +=
          !got.ok() || valuesOf<float>((*got)[0]) != scaledRows(x, {1, 2, 3});
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(session->stats().compilations, before + 1);
}

TEST(CompileCache, FailuresAreNotKept) {
  auto session = openSession(scaleGraph(), ExecutionMode::NativeOnly);
  EXPECT_FALSE(session->run({}, {"rows:0"}).ok());
  EXPECT_EQ(session->stats().cacheEntries, 0);
  EXPECT_EQ(session->stats().compilations, 0);
}

/// A cache for one key, and tasks for it whose compilation fails when it may.
class Failures : public ::testing::Test {
protected:
  static constexpr int numThreads = 16;

  /// Asks for a program for `x`.
  Status ask(const Tensor &x, bool needsNative = false) {
    FeedView feed(x);
    std::span<const FeedView> feeds(&feed, 1);
    auto makeTask = [&](bool) {
      return CompileTask::make(feeds, {}, [this](auto, const CompileControl &) {
        mayFail.wait(false);
        int number = ++compilations;
        return StatusOr<ProgramPtr>(
            internalError("failure " + std::to_string(number)));
      });
    };
    return cache.findOrCompile({.words = {1}}, feeds, needsNative, {}, makeTask)
        .status();
  }
  void fail() {
    mayFail = true;
    mayFail.notify_all();
  }
  /// Lets the compilation end when everybody waits for it.
  void failWhenAllWait() {
    while (cache.numWaiting() < numThreads)
      std::this_thread::yield();
    fail();
  }

  ArenaPool arenas;
  CompileCache cache{1 << 20, std::chrono::nanoseconds(0), arenas};
  std::atomic<bool> mayFail{false};
  std::atomic<int> compilations{0};
};

TEST_F(Failures, AreGivenToAllWhoWaited) {
  std::atomic<int> others{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < numThreads; ++i)
    threads.emplace_back(
        [&] { others += ask(countingMatrix(2, 3)).message() != "failure 1"; });
  failWhenAllWait();
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(others, 0);
  EXPECT_EQ(compilations, 1);
  EXPECT_EQ(ask(countingMatrix(2, 3)).message(), "failure 2"); // not kept
}

TEST_F(Failures, AreNotGivenToWhoHasOtherFeeds) {
  std::vector<std::thread> threads;
  for (int i = 0; i < numThreads; ++i)
    threads.emplace_back([&, i] {
      // Four shapes, values of two kinds, native code or not.
      Tensor x = countingMatrix(1 + i % 4, 3);
      if (i & 4)
        x.mutableData<float>()[0] = 7;
      EXPECT_FALSE(ask(x, i & 8).ok());
    });
  failWhenAllWait();
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(compilations, numThreads);
}

TEST(CompileCache, BeyondItsBytesTheOldestGoAndTheirCodeIsFreed) {
  size_t before = linkedBytes();
  SessionOptions options;
  options.mode = ExecutionMode::NativeOnly;
  options.cacheBytes = 1;
  auto made = kiln::Session::create(scaleGraph(), options);
  ASSERT_THAT(made, isOk());
  auto session = *std::move(made);
  ASSERT_THAT(session->run({}, {}, {"init"}), isOk());
  size_t one = linkedBytes();
  for (int round = 0; round < 2; ++round) {
    ASSERT_THAT(session->run({}, {}, {"bump"}), isOk());
    ASSERT_THAT(session->run({}, {"w:0"}), isOk());
    ASSERT_THAT(session->run({}, {}, {"init"}), isOk());
  }
  SessionStats stats = session->stats();
  EXPECT_EQ(stats.cacheEntries, 1);
  EXPECT_EQ(stats.compilations, 7);
  EXPECT_EQ(stats.evictions, 6);
  EXPECT_LE(linkedBytes(), one);
  session->close();
  EXPECT_EQ(linkedBytes(), before);
}

std::unique_ptr<kiln::Session> openWithoutTiering() {
  SessionOptions options;
  options.tiering = false;
  auto made = kiln::Session::create(scaleGraph(), options);
  EXPECT_THAT(made, isOk());
  return *std::move(made);
}

TEST(CompileCache, TheEvaluatorRunsAnInitializerOnceThenItIsCompiled) {
  auto session = openWithoutTiering();
  RunStats stats;
  ASSERT_THAT(session->run({}, {}, {"init"}, {}, &stats), isOk());
  EXPECT_EQ(stats.executor, Executor::Evaluator);
  EXPECT_GT(stats.opsEvaluator, 0);
  EXPECT_EQ(stats.opsNative, 0);
  ASSERT_THAT(session->run({}, {}, {"init"}, {}, &stats), isOk());
  EXPECT_EQ(stats.executor, Executor::Native);
  EXPECT_FALSE(stats.cacheHit);
  ASSERT_THAT(session->run({}, {}, {"init"}, {}, &stats), isOk());
  EXPECT_TRUE(stats.cacheHit);
  EXPECT_EQ(session->stats().nativeCompilations, 1);
  EXPECT_EQ(session->stats().cacheEntries, 1);
}

TEST(CompileCache, WhatIsFetchedOrFedIsCompiledAtOnce) {
  auto session = openWithoutTiering();
  ASSERT_THAT(session->run({}, {}, {"init"}), isOk());
  RunStats stats;
  ASSERT_THAT(session->run({}, {"bump:0"}, {}, {}, &stats), isOk());
  EXPECT_EQ(stats.executor, Executor::Native);
  ASSERT_THAT(session->prepare({}, {}, {"increment"}), isOk());
  ASSERT_THAT(session->run({}, {}, {"increment"}, {}, &stats), isOk());
  EXPECT_EQ(stats.executor, Executor::Native);
  EXPECT_TRUE(stats.cacheHit);
}

TEST(CompileCache, PrepareTellsWhatCodeAndArenaTake) {
  testing::GraphWriter writer;
  constexpr DType f32 = DType::Float32;
  writer.placeholder("x", f32, {-1, 3});
  writer.constant("w", countingMatrix(3, 3));
  for (const char *input : {"x", "once"})
    writer.add(input[0] == 'x' ? "once" : "twice", "MatMul", {input, "w"},
               {{"T", f32}, {"transpose_a", false}, {"transpose_b", false}});
  auto session = openSession(writer.graph, ExecutionMode::NativeOnly);
  RunStats stats;
  for (bool isHit : {false, true}) {
    ASSERT_THAT(session->prepare({{"x:0", {100, 3}}}, {"twice:0"}, {}, &stats),
                isOk());
    EXPECT_EQ(stats.cacheHit, isHit);
    EXPECT_GT(stats.codeBytes, 0);
    EXPECT_GE(stats.arenaBytes, 100 * 3 * 4);
    EXPECT_EQ(stats.opsNative, 2);
  }
}

/// Three signatures whose programs fit into the cache two at a time.
class Eviction : public ::testing::Test {
protected:
  void SetUp() override {
    SessionOptions options;
    options.mode = ExecutionMode::NativeOnly;
    auto unbounded = kiln::Session::create(scaleGraph(), options);
    ASSERT_THAT(unbounded, isOk());
    ASSERT_THAT((*unbounded)->run({}, {}, {"init"}), isOk());
    int64_t one = (*unbounded)->stats().cacheBytes;
    options.cacheBytes = one * 5 / 2;
    auto bounded = kiln::Session::create(scaleGraph(), options);
    ASSERT_THAT(bounded, isOk());
    session = *std::move(bounded);
  }
  /// Whether it was there.
  bool run(const char *target) {
    RunStats stats;
    EXPECT_THAT(session->run({}, {}, {target}, {}, &stats), isOk()) << target;
    return stats.cacheHit;
  }
  std::unique_ptr<kiln::Session> session;
};

TEST_F(Eviction, TheLeastRecentlyUsedGoesFirst) {
  EXPECT_FALSE(run("w/Assign"));
  EXPECT_FALSE(run("count/Assign"));
  EXPECT_TRUE(run("w/Assign"));
  EXPECT_FALSE(run("bump")); // count/Assign goes
  EXPECT_TRUE(run("w/Assign"));
  EXPECT_TRUE(run("bump"));
  EXPECT_FALSE(run("count/Assign")); // w/Assign goes
  EXPECT_TRUE(run("bump"));
  EXPECT_FALSE(run("w/Assign"));
  EXPECT_LE(session->stats().cacheBytes, session->options().cacheBytes);
  EXPECT_EQ(session->stats().cacheEntries, 2);
}

TEST_F(Eviction, CodeThatIsInUseIsFreedAfterItsLastRun) {
  ASSERT_FALSE(run("w/Assign"));
  auto callable = session->makeCallable({}, {"w:0"});
  ASSERT_THAT(callable, isOk());
  Tensor results[1];
  ASSERT_THAT((*callable)({}, results), isOk()); // holds its program
  for (const char *target : {"count/Assign", "bump", "w/Assign"})
    ASSERT_FALSE(run(target));
  ASSERT_THAT((*callable)({}, results), isOk());
  EXPECT_EQ(session->stats().cacheEntries, 2); // it did not ask the cache
  size_t held = linkedBytes();
  EXPECT_GT(static_cast<int64_t>(held), session->stats().codeBytes);
  *callable = kiln::Callable();
  EXPECT_LT(linkedBytes(), held);
  EXPECT_EQ(static_cast<int64_t>(linkedBytes()), session->stats().codeBytes);
}

} // namespace
} // namespace kiln
