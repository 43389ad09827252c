// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resources, locks of variables and streams; with eight threads no read is torn
// and no update is lost.
#include "runtime/resources/ResourceTable.h"
#include "runtime/abi/RunState.h"
#include "runtime/random/StreamTable.h"
#include "runtime/resources/VariableLocks.h"

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

/// A table and its only user.
struct Variables {
  StatusOr<std::shared_ptr<VariableSlot>>
  findOrCreate(std::string name, DType dtype, const Shape &shape) {
    return user.findOrCreateVariable({.name = std::move(name)}, dtype, shape);
  }
  ResourceUser user{std::make_shared<ResourceTable>()};
};

/// The table keeps it.
VariableSlot *makeSlot(Variables &table, const char *name, int64_t n) {
  VariableSlot *slot = table.findOrCreate(name, DType::Int64, Shape{n})->get();
  EXPECT_TRUE(slot->assign(*Tensor::zeros(DType::Int64, Shape{n})).ok());
  return slot;
}

int64_t *elements(VariableSlot *slot) {
  return static_cast<int64_t *>(slot->data());
}

TEST(ResourceTable, VariableIsMadeOnceAndAligned) {
  Variables table;
  auto v = *table.findOrCreate("v", DType::Float32, Shape{3, 2});
  EXPECT_EQ(*table.findOrCreate("v", DType::Float32, Shape{3, 2}), v);
  EXPECT_NE(*table.findOrCreate("w", DType::Float32, Shape{3, 2}), v);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(v->data()) % 64, 0u);
  EXPECT_FALSE(v->isInitialized());
  EXPECT_EQ(table.user.table().heldBytes(), 48u);
}

TEST(ResourceTable, KindContainerAndNameAreTheKey) {
  using Kind = ResourceKey::Kind;
  Variables table;
  auto find = [&](Kind kind, const char *container) {
    return *table.user.findOrCreateVariable({kind, container, "v"},
                                            DType::Float32, Shape{2});
  };
  auto v = find(Kind::Variable, "");
  EXPECT_EQ(find(Kind::Variable, ""), v);
  EXPECT_NE(find(Kind::ResourceVariable, ""), v);
  EXPECT_NE(find(Kind::Variable, "c"), v);
  EXPECT_LT(v->index(), find(Kind::Variable, "c")->index());
}

TEST(ResourceTable, UsersShareResourcesUntilAllHaveLeft) {
  auto table = std::make_shared<ResourceTable>();
  auto first = std::make_unique<ResourceUser>(table);
  ResourceUser second(table);
  const std::string containers[] = {"c", ""};
  ResourceKey kept{.container = "d", .name = "v"}, cleared{.name = "v"};
  auto find = [](ResourceUser &user, const ResourceKey &key) {
    return *user.findOrCreateVariable(key, DType::Float32, Shape{2});
  };
  auto v = find(*first, cleared), w = find(*first, kept);
  EXPECT_EQ(find(second, cleared), v);
  first.reset();
  EXPECT_FALSE(table->clear(containers));
  EXPECT_EQ(find(second, cleared), v);
  second.leave();
  EXPECT_EQ(second.findOrCreateVariable(cleared, DType::Float32, Shape{2})
                .status()
                .code(),
            StatusCode::Cancelled);
  EXPECT_TRUE(table->clear(containers));
  ResourceUser third(table);
  EXPECT_EQ(find(third, kept), w);
  EXPECT_NE(find(third, cleared), v);
}

TEST(ResourceTable, UnnamedQueueIsItsUsersAlone) {
  auto table = std::make_shared<ResourceTable>();
  ResourceUser first(table), second(table);
  ResourceKey key{.kind = ResourceKey::Kind::Queue, .name = "q"};
  auto find = [&](ResourceUser &user, const char *name) {
    return *user.findOrCreateQueue(key, {name, 1, {DType::Int32}, {}});
  };
  auto own = find(first, "");
  EXPECT_EQ(find(first, ""), own);
  EXPECT_EQ(own->spec().name, "_0_q");
  EXPECT_EQ(find(second, "")->spec().name, "_1_q");
  EXPECT_EQ(find(first, "q"), find(second, "q"));
  EXPECT_EQ(table->size(), 3);
  first.leave();
  EXPECT_EQ(table->size(), 2);
}

TEST(ResourceTable, OtherDTypeOrShapeIsAnError) {
  Variables table;
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

TEST(ResourceTable, TooLargeIsResourceExhausted) {
  Variables table;
  EXPECT_EQ(table.findOrCreate("v", DType::Float32, Shape{int64_t(1) << 50})
                .status()
                .code(),
            StatusCode::ResourceExhausted);
  EXPECT_EQ(table.findOrCreate("w", DType::Float32, Shape{int64_t(1) << 62})
                .status()
                .code(),
            StatusCode::InvalidArgument);
  EXPECT_EQ(table.user.table().size(), 0);
}

TEST(VariableSlot, SnapshotNeedsAValueAndDoesNotChange) {
  Variables table;
  auto v = *table.findOrCreate("v", DType::Float32, Shape{2});
  EXPECT_EQ(v->snapshot().status(),
            Status(StatusCode::FailedPrecondition,
                   "Attempting to use uninitialized value v", "v"));
  ASSERT_TRUE(v->assign(*Tensor::fromValues<float>(Shape{2}, {1, 2})).ok());
  Tensor kept = *v->snapshot();
  ASSERT_TRUE(v->assign(*Tensor::fromValues<float>(Shape{2}, {3, 4})).ok());
  EXPECT_EQ(kept.data<float>()[0], 1.0f);
  EXPECT_EQ(v->view()->data<float>()[1], 4.0f);
}

TEST(VariableSlot, UnknownShapeFollowsTheValue) {
  Variables table;
  auto v = *table.findOrCreate("v", DType::Float32, Shape::unknownRank());
  EXPECT_EQ(v->data(), nullptr);
  ASSERT_TRUE(v->assign(*Tensor::zeros(DType::Float32, Shape{2, 3})).ok());
  EXPECT_EQ(v->shape(), (Shape{2, 3}));
  ASSERT_TRUE(v->assign(*Tensor::zeros(DType::Float32, Shape{7})).ok());
  EXPECT_EQ(v->shape(), Shape{7});
  auto w = *table.findOrCreate("w", DType::Float32, Shape{2});
  EXPECT_EQ(w->assign(*Tensor::zeros(DType::Float32, Shape{3})).code(),
            StatusCode::InvalidArgument);
  EXPECT_EQ(w->assign(*Tensor::zeros(DType::Int32, Shape{2})).code(),
            StatusCode::InvalidArgument);
}

TEST(StreamTable, StreamsAreKeyedByNode) {
  StreamTable table;
  RandomStream *stream = *table.findOrCreate("uniform", 1, 2);
  EXPECT_EQ(*table.findOrCreate("uniform", 1, 2), stream);
  EXPECT_EQ(table.findOrCreate("uniform", 1, 3).status().code(),
            StatusCode::InvalidArgument);
  EXPECT_NE(*table.findOrCreate("other", 1, 2), stream);
  RandomStream *entropy = *table.findOrCreate("unseeded", 0, 0);
  EXPECT_TRUE(entropy->seed != 0 || entropy->seed2 != 0);
  EXPECT_EQ(*table.findOrCreate("unseeded", 0, 0), entropy);
}

TEST(ResourceTable, ConcurrentFindOrCreateMakesOneVariableAName) {
  Variables table;
  std::vector<std::set<std::shared_ptr<VariableSlot>>> seen(numThreads);
  onEightThreads([&](int thread) {
    for (int i = 0; i < 200; ++i)
      seen[static_cast<size_t>(thread)].insert(*table.findOrCreate(
          "v" + std::to_string(i % 20), DType::Float32, Shape{4}));
  });
  for (const auto &slots : seen)
    EXPECT_EQ(slots, seen[0]);
  EXPECT_EQ(table.user.table().size(), 20);
}

TEST(RandomStream, ConcurrentReservationsAreDisjoint) {
  StreamTable table;
  RandomStream *stream = *table.findOrCreate("uniform", 1, 2);
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
  Variables table;
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
  Variables table;
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
  Variables table;
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
  Variables table;
  VariableSlot *slot = makeSlot(table, "v", n);
  std::atomic<int> torn{0};
  onEightThreads([&](int thread) {
    for (int round = 0; round < 300; ++round) {
      if (thread < 4) {
        std::vector<int64_t> values(n, thread * 1000 + round);
        EXPECT_TRUE(
            slot->assign(*Tensor::fromValues<int64_t>(Shape{n}, values)).ok());
        continue;
      }
      Tensor copy = *slot->snapshot();
      for (int64_t x : copy.data<int64_t>())
        torn += x != copy.data<int64_t>()[0];
    }
  });
  EXPECT_EQ(torn.load(), 0);
}

TEST(VariableLocks, ReadersRunBesideAWriterUntilItWrites) {
  Variables table;
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
  Variables table;
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
  Variables table;
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
