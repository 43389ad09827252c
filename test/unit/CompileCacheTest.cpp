// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hits, single flight, eviction, and which programs the evaluator runs.
#include "lib/JIT/Linker.h"
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
  EXPECT_EQ(stats.compilations, 1);
}

TEST(CompileCache, ManyThreadsCauseOneCompilation) {
  constexpr int numThreads = 8;
  auto session = openSession(scaleGraph(), ExecutionMode::NativeOnly);
  ASSERT_THAT(session->run({}, {}, {"init"}), isOk());
  int64_t before = session->stats().compilations;
  std::barrier start(numThreads);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < numThreads; ++i)
    threads.emplace_back([&, i] {
      Tensor x = countingMatrix(2 + i, 3);
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

TEST(CompileCache, TheEvaluatorRunsAnInitializerOnceThenItIsCompiled) {
  auto session = openSession(scaleGraph(), ExecutionMode::Auto);
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
  auto session = openSession(scaleGraph(), ExecutionMode::Auto);
  ASSERT_THAT(session->run({}, {}, {"init"}), isOk());
  RunStats stats;
  ASSERT_THAT(session->run({}, {"bump:0"}, {}, {}, &stats), isOk());
  EXPECT_EQ(stats.executor, Executor::Native);
  ASSERT_THAT(session->prepare({}, {}, {"increment"}), isOk());
  ASSERT_THAT(session->run({}, {}, {"increment"}, {}, &stats), isOk());
  EXPECT_EQ(stats.executor, Executor::Native);
  EXPECT_TRUE(stats.cacheHit);
}

} // namespace
} // namespace kiln
