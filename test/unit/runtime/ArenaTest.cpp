// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arenas and result buffers are aligned, used again, bounded, and fail with a
// Status.
#include "runtime/memory/ArenaPool.h"
#include "runtime/memory/ArenaTail.h"
#include "runtime/memory/BufferPool.h"
#include "runtime/memory/Memory.h"

#include <gtest/gtest.h>

#include <barrier>
#include <cstring>
#include <thread>
#include <vector>

namespace kiln {
namespace {

constexpr size_t tooMuch = size_t(1) << 60;

bool isAligned(const void *data) {
  return reinterpret_cast<uintptr_t>(data) % bufferAlignment == 0;
}

TEST(ArenaPool, ArenaIsUsedAgain) {
  ArenaPool pool;
  void *first;
  {
    Arena arena = *pool.take(1000);
    first = arena.data();
    EXPECT_TRUE(isAligned(first));
    EXPECT_GE(arena.size(), 1000u);
  }
  EXPECT_EQ(pool.take(500)->data(), first);
  EXPECT_EQ(pool.totalBytes(), 1000u);
}

TEST(ArenaPool, ArenaGrowsAndStays) {
  ArenaPool pool;
  {
    Arena arena = *pool.take(100);
  }
  {
    Arena arena = *pool.take(5 << 20);
  }
  EXPECT_EQ(pool.totalBytes(), size_t(5 << 20));
  Arena arena = *pool.take(64);
  EXPECT_EQ(arena.size(), size_t(5 << 20));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(arena.data()) % hugePageBytes, 0u);
}

TEST(ArenaPool, OverlappingRunsGetDifferentArenas) {
  ArenaPool pool;
  {
    Arena a = *pool.take(64), b = *pool.take(64);
    EXPECT_NE(a.data(), b.data());
  }
  EXPECT_EQ(pool.totalBytes(), 128u);
  pool.trim();
  EXPECT_EQ(pool.totalBytes(), 0u);
}

TEST(ArenaPool, OfIdleArenasTheSmallestThatFitsIsTaken) {
  ArenaPool pool;
  {
    Arena large = *pool.take(1000), middle = *pool.take(500),
          small = *pool.take(100);
  }
  // The last one to come back is at hand, and is what the largest asked for.
  Arena first = *pool.take(1000);
  EXPECT_EQ(first.size(), 1000u);
  Arena second = *pool.take(400), third = *pool.take(50);
  EXPECT_EQ(second.size(), 500u);
  EXPECT_EQ(third.size(), 100u);
  EXPECT_EQ(pool.totalBytes(), 1600u);
}

TEST(ArenaPool, NoMoreArenasThanRunsAtOnce) {
  ArenaPool pool;
  for (size_t bytes = 64; bytes <= 1 << 20; bytes *= 2)
    Arena a = *pool.take(bytes), b = *pool.take(bytes / 2);
  EXPECT_LE(pool.totalBytes(), size_t(2 << 20));
}

TEST(ArenaPool, IdleBytesAreBoundedButForOneArena) {
  ArenaPool pool;
  pool.setMaxIdleBytes(1000);
  {
    Arena a = *pool.take(600), b = *pool.take(300), c = *pool.take(200),
          d = *pool.take(100);
    EXPECT_EQ(pool.totalBytes(), 1200u);
  }
  EXPECT_LE(pool.totalBytes(), 1000u);
  EXPECT_GT(pool.totalBytes(), 0u);
  pool.setMaxIdleBytes(0);
  {
    Arena a = *pool.take(5000), b = *pool.take(5000);
  }
  EXPECT_EQ(pool.totalBytes(), 5000u);
}

TEST(ArenaPool, ZeroBytesAndTooManyBytes) {
  ArenaPool pool;
  EXPECT_EQ(pool.take(0)->data(), nullptr);
  EXPECT_EQ(pool.take(tooMuch).status().code(), StatusCode::ResourceExhausted);
}

TEST(ArenaPool, EightThreadsNeverShareAnArena) {
  ArenaPool pool;
  std::barrier start(8);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread)
    threads.emplace_back([&, thread] {
      start.arrive_and_wait();
      for (int round = 0; round < 500; ++round) {
        Arena arena = *pool.take(256);
        auto *bytes = static_cast<unsigned char *>(arena.data());
        std::memset(bytes, thread, 256);
        for (int i = 0; i < 256; ++i)
          ASSERT_EQ(bytes[i], thread);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_LE(pool.totalBytes(), 8 * 256u);
}

TEST(BufferPool, BufferComesBackWhenTheLastReferenceGoes) {
  BufferPool pool;
  void *first;
  {
    BufferRef buffer = *pool.allocate(100), copy = buffer;
    first = buffer->data;
    EXPECT_TRUE(isAligned(first));
    EXPECT_EQ(buffer->bytes, 100u);
    buffer.reset();
    EXPECT_EQ(pool.idleBytes(), 0u);
  }
  EXPECT_EQ(pool.idleBytes(), 128u);
  BufferRef again = *pool.allocate(128);
  EXPECT_EQ(again->data, first);
  EXPECT_EQ(again->bytes, 128u);
  EXPECT_TRUE(again.isUnique());
  EXPECT_EQ(pool.idleBytes(), 0u);
}

TEST(BufferPool, EverySizeFitsItsClass) {
  BufferPool pool;
  for (size_t bytes = 0; bytes < 5000; bytes += 7) {
    BufferRef buffer = *pool.allocate(bytes);
    std::memset(buffer->data, 1, bytes);
    EXPECT_TRUE(isAligned(buffer->data));
  }
}

TEST(BufferPool, IdleBytesAreBounded) {
  BufferPool pool(1000);
  for (size_t bytes : {512, 448, 64})
    BufferRef buffer = *pool.allocate(bytes);
  EXPECT_LE(pool.idleBytes(), 1000u);
  EXPECT_GT(pool.idleBytes(), 0u);
  pool.trim();
  EXPECT_EQ(pool.idleBytes(), 0u);
}

TEST(BufferPool, WhatWasInUseAtATimeStays) {
  BufferPool pool(1000);
  {
    BufferRef a = *pool.allocate(4096), b = *pool.allocate(4096);
  }
  EXPECT_EQ(pool.idleBytes(), 2 * 4096u);
  {
    // Of other sizes: the larger ones go, as many as these take.
    BufferRef a = *pool.allocate(2048), b = *pool.allocate(2048);
    EXPECT_EQ(pool.idleBytes(), 4096u);
  }
  EXPECT_EQ(pool.idleBytes(), 2 * 4096u);
  pool.trim();
  EXPECT_EQ(pool.idleBytes(), 0u);
  {
    BufferRef a = *pool.allocate(4096);
  }
  EXPECT_EQ(pool.idleBytes(), 4096u);
}

TEST(BufferPool, BuffersOutliveThePool) {
  BufferRef kept;
  {
    BufferPool pool;
    kept = *pool.allocate(64);
    BufferRef idle = *pool.allocate(64);
  }
  std::memset(kept->data, 7, 64);
  EXPECT_EQ(static_cast<char *>(kept->data)[63], 7);
}

TEST(BufferPool, TooMuchIsResourceExhausted) {
  BufferPool pool;
  EXPECT_EQ(pool.allocate(tooMuch).status().code(),
            StatusCode::ResourceExhausted);
  EXPECT_EQ(pool.allocate(~size_t(0)).status().code(),
            StatusCode::ResourceExhausted);
}

TEST(BufferPool, EightThreadsNeverShareABuffer) {
  BufferPool pool;
  std::barrier start(8);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread)
    threads.emplace_back([&, thread] {
      start.arrive_and_wait();
      for (int round = 0; round < 500; ++round) {
        BufferRef buffer =
            *pool.allocate(64 + 64 * static_cast<size_t>(round % 3));
        auto *bytes = static_cast<unsigned char *>(buffer->data);
        std::memset(bytes, thread, buffer->bytes);
        for (size_t i = 0; i < buffer->bytes; ++i)
          ASSERT_EQ(bytes[i], thread);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

/// A run whose values lie in a tail.
struct TailRun {
  explicit TailRun(int64_t maxBytes = INT64_MAX) : tail(pool, maxBytes) {
    context.tail = &tail;
  }
  ArenaPool pool;
  ArenaTail tail;
  RunContext context;
  KilnRunState state = makeRunState(&context);
};

TEST(ArenaTail, GivesAlignedMemoryThatStaysWhereItIs) {
  TailRun run;
  std::vector<char *> given;
  for (int64_t bytes : {0, 1, 64, 100, 1 << 20, 5 << 20, 3}) {
    auto *data = static_cast<char *>(run.tail.allocate(bytes, &run.state, 0));
    ASSERT_TRUE(data && isAligned(data)) << bytes;
    std::memset(data, static_cast<int>(given.size()),
                static_cast<size_t>(bytes));
    given.push_back(data);
  }
  EXPECT_EQ(given[1][0], 1);
  EXPECT_EQ(given[3][99], 3);
  EXPECT_EQ(given[4][(1 << 20) - 1], 4);
}

TEST(ArenaTail, ASteadyStateHasOneChunk) {
  TailRun run;
  auto takeAll = [&] {
    for (int i = 0; i < 100; ++i)
      ASSERT_NE(run.tail.allocate(100000, &run.state, 0), nullptr);
    run.tail.clear();
  };
  takeAll();
  takeAll();
  size_t settled = run.pool.totalBytes();
  for (int i = 0; i < 5; ++i)
    takeAll();
  EXPECT_EQ(run.pool.totalBytes(), settled);
}

TEST(ArenaTail, LimitAndOverflowAreErrorsOfTheNode) {
  TailRun run(1000);
  EXPECT_NE(run.tail.allocate(1000, &run.state, 0), nullptr);
  EXPECT_EQ(run.tail.allocate(1, &run.state, 0), nullptr);
  std::vector<std::string> nodes = {"unique"};
  EXPECT_EQ(runStatus(run.state, nodes),
            Status(StatusCode::ResourceExhausted,
                   "expected a run of at most 1000 bytes, got 1001 bytes of "
                   "temporary values",
                   "unique"));
  TailRun large;
  std::vector<int64_t> dims = {int64_t(1) << 40, int64_t(1) << 40};
  EXPECT_EQ(allocateInTail(&large.state, 0, dims, 4), nullptr);
  EXPECT_EQ(runStatus(large.state, nodes).node(), "unique");
  TailRun negative;
  dims = {3, -2};
  EXPECT_EQ(allocateInTail(&negative.state, 0, dims, 4), nullptr);
  EXPECT_EQ(runStatus(negative.state, nodes),
            Status(StatusCode::InvalidArgument, "Dimension -2 must be >= 0",
                   "unique"));
}

// Tensors that the run keeps count as what it allocates, and live as long.
TEST(ArenaTail, AdoptedTensorsGoWithTheirIteration) {
  TailRun run(1000);
  int deleted = 0;
  alignas(64) char memory[400];
  auto adopt = [&] {
    return run.tail.adopt(
        *Tensor::borrow(DType::UInt8, {400}, memory, [&] { ++deleted; }),
        &run.state, 0);
  };
  EXPECT_EQ(adopt(), memory);
  const int64_t mark = run.tail.mark();
  EXPECT_EQ(adopt(), memory);
  EXPECT_EQ(run.tail.bytes(), 800);
  EXPECT_EQ(deleted, 0);
  run.tail.release(mark);
  EXPECT_EQ(deleted, 1);
  EXPECT_EQ(run.tail.bytes(), 400);
  // Also where the iteration has had the first memory of the pool.
  const int64_t next = run.tail.mark();
  EXPECT_NE(run.tail.allocate(100, &run.state, 0), nullptr);
  EXPECT_EQ(adopt(), memory);
  run.tail.release(next);
  EXPECT_EQ(deleted, 2);
  EXPECT_EQ(run.tail.bytes(), 400);
  run.tail.clear();
  EXPECT_EQ(deleted, 3);
  EXPECT_EQ(run.tail.bytes(), 0);
  EXPECT_NE(adopt(), nullptr);
  EXPECT_NE(adopt(), nullptr);
  EXPECT_EQ(adopt(), nullptr);
  EXPECT_EQ(deleted, 4);
  std::vector<std::string> nodes = {"body"};
  EXPECT_EQ(runStatus(run.state, nodes).node(), "body");
  run.tail.giveBack();
  EXPECT_EQ(deleted, 6);
}

// What iterations take they give back; what they hand on stays, and grows.
TEST(ArenaTail, IterationsLeaveKeptPlacesAlone) {
  TailRun run;
  void *before = run.tail.allocate(100, &run.state, 0), *kept = nullptr;
  int64_t afterOneIteration = 0;
  for (int iteration = 0; iteration < 1000; ++iteration) {
    int64_t outer = run.tail.mark();
    auto *first =
        static_cast<char *>(run.tail.allocate(1 << 16, &run.state, 0));
    ASSERT_NE(first, nullptr);
    for (int inner = 0; inner < 3; ++inner) {
      int64_t mark = run.tail.mark();
      ASSERT_NE(run.tail.allocate(1 << 20, &run.state, 0), nullptr);
      run.tail.release(mark);
    }
    ASSERT_TRUE(run.tail.keep(&kept, 8 * (iteration % 100 + 1), &run.state, 0));
    ASSERT_TRUE(isAligned(static_cast<char *>(kept)));
    std::memset(kept, iteration,
                static_cast<size_t>(8 * (iteration % 100 + 1)));
    run.tail.release(outer);
    if (iteration == 100)
      afterOneIteration = run.tail.bytes();
  }
  EXPECT_EQ(run.tail.bytes(), afterOneIteration);
  EXPECT_LT(run.pool.totalBytes(), size_t(8) << 20);
  EXPECT_EQ(static_cast<char *>(kept)[0], static_cast<char>(999));
  EXPECT_NE(before, nullptr);
  void *same = kept;
  EXPECT_TRUE(run.tail.keep(&kept, 1, &run.state, 0));
  EXPECT_EQ(kept, same);
}

TEST(ArenaTail, KeptPlacesCountToTheLimit) {
  TailRun run(1000);
  void *kept = nullptr;
  EXPECT_TRUE(run.tail.keep(&kept, 600, &run.state, 0));
  EXPECT_FALSE(run.tail.keep(&kept, 700, &run.state, 0));
  EXPECT_EQ(run.state.errorCode,
            static_cast<int32_t>(StatusCode::ResourceExhausted));
}

} // namespace
} // namespace kiln
