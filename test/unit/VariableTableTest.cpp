// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slots, their locks and streams; with eight threads no read is torn and no
// update is lost.
#include "runtime/VariableTable.h"
#include "runtime/RunState.h"
#include "runtime/VariableLocks.h"

#include <gtest/gtest.h>

#include <barrier>
#include <set>
#include <thread>

namespace kiln {
namespace {

constexpr int numThreads = 8;

/// Runs body(thread) on eight threads that start together.
template <class Body> void onEightThreads(Body body) {
  std::barrier start(numThreads);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < numThreads; ++thread)
    threads.emplace_back([&, thread] {
      start.arrive_and_wait();
      body(thread);
    });
  for (std::thread &thread : threads)
    thread.join();
}

VariableSlot *makeSlot(VariableTable &table, const char *name, int64_t n) {
  VariableSlot *slot = *table.findOrCreate(name, DType::Int64, Shape{n});
  EXPECT_TRUE(
      VariableTable::assign(*slot, *Tensor::zeros(DType::Int64, Shape{n}))
          .ok());
  return slot;
}

int64_t *elements(VariableSlot *slot) {
  return static_cast<int64_t *>(slot->data());
}

TEST(VariableTable, SlotIsMadeOnceAndAligned) {
  VariableTable table;
  VariableSlot *v = *table.findOrCreate("v", DType::Float32, Shape{3, 2});
  EXPECT_EQ(*table.findOrCreate("v", DType::Float32, Shape{3, 2}), v);
  EXPECT_EQ(table.find("v"), v);
  EXPECT_EQ(table.find("w"), nullptr);
  EXPECT_EQ(table.slot(0), v);
  EXPECT_EQ(table.slot(1), nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(v->data()) % 64, 0u);
  EXPECT_FALSE(v->isInitialized());
  EXPECT_EQ(table.totalBytes(), 24u);
}

TEST(VariableTable, OtherDTypeOrShapeIsAnError) {
  VariableTable table;
  ASSERT_TRUE(table.findOrCreate("v", DType::Float32, Shape{3}).ok());
  Status dtype = table.findOrCreate("v", DType::Float64, Shape{3}).status();
  EXPECT_EQ(dtype,
            Status(StatusCode::InvalidArgument,
                   "expected variable float32 [3], got float64 [3]", "v"));
  EXPECT_EQ(table.findOrCreate("v", DType::Float32, Shape{4}).status().code(),
            StatusCode::InvalidArgument);
  EXPECT_EQ(table.findOrCreate("s", DType::Variant, Shape{4}).status().code(),
            StatusCode::InvalidArgument);
}

TEST(VariableTable, TooLargeIsResourceExhausted) {
  VariableTable table;
  EXPECT_EQ(table.findOrCreate("v", DType::Float32, Shape{int64_t(1) << 50})
                .status()
                .code(),
            StatusCode::ResourceExhausted);
  EXPECT_EQ(table.findOrCreate("w", DType::Float32, Shape{int64_t(1) << 62})
                .status()
                .code(),
            StatusCode::InvalidArgument);
  EXPECT_EQ(table.size(), 0);
}

TEST(VariableTable, SnapshotNeedsAValueAndDoesNotChange) {
  VariableTable table;
  VariableSlot *v = *table.findOrCreate("v", DType::Float32, Shape{2});
  EXPECT_EQ(VariableTable::snapshot(*v).status(),
            Status(StatusCode::FailedPrecondition,
                   "Attempting to use uninitialized value v", "v"));
  ASSERT_TRUE(
      VariableTable::assign(*v, *Tensor::fromValues<float>(Shape{2}, {1, 2}))
          .ok());
  Tensor kept = *VariableTable::snapshot(*v);
  ASSERT_TRUE(
      VariableTable::assign(*v, *Tensor::fromValues<float>(Shape{2}, {3, 4}))
          .ok());
  EXPECT_EQ(kept.data<float>()[0], 1.0f);
  EXPECT_EQ(v->view()->data<float>()[1], 4.0f);
}

TEST(VariableTable, UnknownShapeFollowsTheValue) {
  VariableTable table;
  VariableSlot *v =
      *table.findOrCreate("v", DType::Float32, Shape::unknownRank());
  EXPECT_EQ(v->data(), nullptr);
  ASSERT_TRUE(
      VariableTable::assign(*v, *Tensor::zeros(DType::Float32, Shape{2, 3}))
          .ok());
  EXPECT_EQ(v->shape(), (Shape{2, 3}));
  ASSERT_TRUE(
      VariableTable::assign(*v, *Tensor::zeros(DType::Float32, Shape{7})).ok());
  EXPECT_EQ(v->shape(), Shape{7});
  VariableSlot *w = *table.findOrCreate("w", DType::Float32, Shape{2});
  EXPECT_EQ(VariableTable::assign(*w, *Tensor::zeros(DType::Float32, Shape{3}))
                .code(),
            StatusCode::InvalidArgument);
  EXPECT_EQ(
      VariableTable::assign(*w, *Tensor::zeros(DType::Int32, Shape{2})).code(),
      StatusCode::InvalidArgument);
}

TEST(VariableTable, StreamsAreKeyedByNode) {
  VariableTable table;
  RandomStream *stream = *table.findOrCreateStream("uniform", 1, 2);
  EXPECT_EQ(*table.findOrCreateStream("uniform", 1, 2), stream);
  EXPECT_EQ(table.findOrCreateStream("uniform", 1, 3).status().code(),
            StatusCode::InvalidArgument);
  EXPECT_NE(*table.findOrCreateStream("other", 1, 2), stream);
  RandomStream *entropy = *table.findOrCreateStream("unseeded", 0, 0);
  EXPECT_TRUE(entropy->seed != 0 || entropy->seed2 != 0);
  EXPECT_EQ(*table.findOrCreateStream("unseeded", 0, 0), entropy);
}

TEST(VariableTable, ConcurrentFindOrCreateMakesOneSlotAName) {
  VariableTable table;
  std::vector<std::set<VariableSlot *>> seen(numThreads);
  onEightThreads([&](int thread) {
    for (int i = 0; i < 200; ++i)
      seen[static_cast<size_t>(thread)].insert(*table.findOrCreate(
          "v" + std::to_string(i % 20), DType::Float32, Shape{4}));
  });
  for (const auto &slots : seen)
    EXPECT_EQ(slots, seen[0]);
  EXPECT_EQ(table.size(), 20);
}

TEST(RandomStream, ConcurrentReservationsAreDisjoint) {
  VariableTable table;
  RandomStream *stream = *table.findOrCreateStream("uniform", 1, 2);
  std::vector<std::set<uint32_t>> firsts(numThreads);
  onEightThreads([&](int thread) {
    for (int i = 0; i < 500; ++i) {
      uint32_t words[6];
      stream->reserve(3, words);
      firsts[static_cast<size_t>(thread)].insert(words[0]);
    }
  });
  std::set<uint32_t> all;
  for (const auto &part : firsts)
    all.insert(part.begin(), part.end());
  EXPECT_EQ(all.size(), size_t(numThreads) * 500);
  EXPECT_EQ(stream->samplesTaken(), uint64_t(numThreads) * 1500);
}

TEST(LockPlan, IsInSlotOrderAndWritesWin) {
  VariableTable table;
  VariableSlot *a = makeSlot(table, "a", 1), *b = makeSlot(table, "b", 1),
               *c = makeSlot(table, "c", 1);
  VariableSlot *reads[] = {c, a, c, b}, *writes[] = {b, b};
  LockPlan plan = LockPlan::make(reads, writes);
  ASSERT_EQ(plan.entries.size(), 3u);
  EXPECT_EQ(plan.entries[0].slot, a);
  EXPECT_EQ(plan.entries[0].mode, LockMode::WriterShared);
  EXPECT_EQ(plan.entries[1].mode, LockMode::Update);
  EXPECT_EQ(plan.entries[2].slot, c);
  EXPECT_EQ(LockPlan::make(reads, {}).entries[0].mode, LockMode::Shared);
}

TEST(VariableLocks, NoUpdateIsLostAndNoReadIsTorn) {
  constexpr int64_t n = 64, rounds = 2000;
  VariableTable table;
  VariableSlot *a = makeSlot(table, "a", n), *b = makeSlot(table, "b", n);
  VariableSlot *both[] = {b, a};
  LockPlan writePlan = LockPlan::make({}, both),
           readPlan = LockPlan::make(both, {});
  std::atomic<int64_t> torn{0};
  onEightThreads([&](int thread) {
    bool writes = thread % 2 == 0;
    for (int64_t round = 0; round < rounds; ++round) {
      VariableLocks locks(writes ? writePlan : readPlan);
      ASSERT_TRUE(locks.acquire());
      int64_t first = elements(a)[0];
      for (int64_t i = 0; i < n; ++i)
        if (elements(a)[i] != first || elements(b)[i] != -first)
          ++torn;
      if (!writes)
        continue;
      ASSERT_TRUE(locks.beginWrites());
      for (int64_t i = 0; i < n; ++i) {
        elements(a)[i] = first + 1;
        elements(b)[i] = -first - 1;
      }
    }
  });
  EXPECT_EQ(torn.load(), 0);
  EXPECT_EQ(elements(a)[0], numThreads / 2 * rounds);
}

TEST(VariableLocks, RunsThatReadWhatOthersWriteDoNotDeadlock) {
  // Thread t writes slot t and reads all; every other pair would wait for each
  // other at the upgrade without WriterShared.
  constexpr int64_t rounds = 500;
  VariableTable table;
  std::vector<VariableSlot *> slots;
  for (int i = 0; i < numThreads; ++i)
    slots.push_back(makeSlot(table, ("v" + std::to_string(i)).c_str(), 1));
  onEightThreads([&](int thread) {
    VariableSlot *own[] = {slots[static_cast<size_t>(thread)]};
    LockPlan writePlan = LockPlan::make(slots, own),
             readPlan = LockPlan::make(slots, {});
    for (int64_t round = 0; round < rounds; ++round) {
      VariableLocks locks(round % 4 == 3 ? readPlan : writePlan);
      ASSERT_TRUE(locks.acquire());
      int64_t sum = 0;
      for (VariableSlot *slot : slots)
        sum += elements(slot)[0];
      ASSERT_GE(sum, 0);
      if (round % 4 == 3)
        continue;
      ASSERT_TRUE(locks.beginWrites());
      ++elements(own[0])[0];
    }
  });
  for (VariableSlot *slot : slots)
    EXPECT_EQ(elements(slot)[0], rounds * 3 / 4);
}

TEST(VariableLocks, SnapshotsBesideAssignmentsAreWhole) {
  constexpr int64_t n = 1000;
  VariableTable table;
  VariableSlot *slot = makeSlot(table, "v", n);
  std::atomic<int> torn{0};
  onEightThreads([&](int thread) {
    for (int round = 0; round < 300; ++round) {
      if (thread < 4) {
        std::vector<int64_t> values(n, thread * 1000 + round);
        EXPECT_TRUE(VariableTable::assign(
                        *slot, *Tensor::fromValues<int64_t>(Shape{n}, values))
                        .ok());
        continue;
      }
      Tensor copy = *VariableTable::snapshot(*slot);
      for (int64_t x : copy.data<int64_t>())
        torn += x != copy.data<int64_t>()[0];
    }
  });
  EXPECT_EQ(torn.load(), 0);
}

TEST(VariableLocks, ReadersRunBesideAWriterUntilItWrites) {
  VariableTable table;
  VariableSlot *slot[] = {makeSlot(table, "v", 1)};
  LockPlan writePlan = LockPlan::make({}, slot),
           readPlan = LockPlan::make(slot, {});
  VariableLocks writer(writePlan);
  ASSERT_TRUE(writer.acquire());
  {
    VariableLocks reader(readPlan);
    EXPECT_TRUE(reader.acquire());
  }
  ASSERT_TRUE(writer.beginWrites());
  EXPECT_TRUE(writer.isWriting());
  KilnRunState cancelled = makeRunState(nullptr);
  requestCancel(&cancelled, StatusCode::Cancelled);
  VariableLocks reader(readPlan);
  EXPECT_FALSE(reader.acquire(&cancelled));
  writer.release();
  EXPECT_TRUE(reader.acquire(&cancelled)); // free: nothing to wait for
}

TEST(VariableLocks, CancelledUpgradeLeavesTheSlotUsable) {
  VariableTable table;
  VariableSlot *slots[] = {makeSlot(table, "a", 1), makeSlot(table, "b", 1)};
  LockPlan writePlan = LockPlan::make({}, slots),
           readPlan = LockPlan::make(std::span(slots).subspan(1), {});
  KilnRunState cancelled = makeRunState(nullptr);
  requestCancel(&cancelled, StatusCode::DeadlineExceeded);
  VariableLocks reader(readPlan);
  ASSERT_TRUE(reader.acquire());
  {
    VariableLocks writer(writePlan);
    ASSERT_TRUE(writer.acquire());
    EXPECT_FALSE(writer.beginWrites(&cancelled));
  }
  VariableLocks second(readPlan);
  EXPECT_TRUE(second.acquire());
  second.release();
  reader.release();
  VariableLocks writer(writePlan);
  ASSERT_TRUE(writer.acquire());
  EXPECT_TRUE(writer.beginWrites());
}

TEST(VariableLocks, WritersAreNotStarvedByReaders) {
  VariableTable table;
  VariableSlot *slot[] = {makeSlot(table, "v", 1)};
  LockPlan writePlan = LockPlan::make({}, slot),
           readPlan = LockPlan::make(slot, {});
  std::atomic<bool> done{false};
  onEightThreads([&](int thread) {
    if (thread == 0) {
      for (int i = 0; i < 100; ++i) {
        VariableLocks writer(writePlan);
        ASSERT_TRUE(writer.acquire());
        ASSERT_TRUE(writer.beginWrites());
        ++elements(slot[0])[0];
      }
      done = true;
      return;
    }
    // Readers overlap without a gap until the writer is through.
    while (!done) {
      VariableLocks reader(readPlan);
      ASSERT_TRUE(reader.acquire());
    }
  });
  EXPECT_EQ(elements(slot[0])[0], 100);
}

} // namespace
} // namespace kiln
