// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs that a run calls on its own thread, under its locks: they read beside
// it, whichever waits, and never wait for it.
#include "runtime/resources/CallerLocks.h"

#include "runtime/abi/RunState.h"
#include "runtime/resources/ResourceTable.h"
#include "runtime/resources/VariableLocks.h"
#include "test/unit/StatusMatchers.h"

#include <gtest/gtest.h>

#include <thread>

namespace kiln {
namespace {

using testing::fails;
using testing::isOk;

class CallerLocksTest : public ::testing::Test {
protected:
  /// A run that holds locks and calls others while it lives.
  struct Caller {
    explicit Caller(const LockPlan &plan) : locks(plan) {
      EXPECT_TRUE(locks.acquire(&state));
      context.locks = &locks;
    }
    VariableLocks locks;
    RunContext context;
    KilnRunState state = makeRunState(&context);
  };
  static Status taken(const LockPlan &plan) {
    VariableLocks locks(plan);
    if (locks.acquire() && (!plan.hasWrites || locks.beginWrites()))
      return okStatus();
    return locks.failure();
  }
  static auto refuses(std::string_view what) {
    return fails(StatusCode::FailedPrecondition,
                 "expected a run that does not " + std::string(what) +
                     " variable 'v', which the run that has called it (from a "
                     "branch, a loop or a function) holds until it ends");
  }

  ResourceUser user{std::make_shared<ResourceTable>()};
  std::shared_ptr<VariableSlot> slot =
      *user.findOrCreateVariable({.name = "v"}, DType::Float32, Shape());
  std::shared_ptr<VariableSlot> other =
      *user.findOrCreateVariable({.name = "w"}, DType::Float32, Shape());
  VariableSlot *const v[1] = {slot.get()}, *const w[1] = {other.get()};
  LockPlan reads = LockPlan::make(v, {}), writes = LockPlan::make({}, v);
  LockPlan writesOther = LockPlan::make({}, w),
           readsAndWritesOther = LockPlan::make(v, w);
};

TEST_F(CallerLocksTest, ReadsGoBesideReadsAndWritesFail) {
  Caller caller(reads);
  CallerLocks scope(&caller.state);
  EXPECT_THAT(taken(reads), isOk());
  EXPECT_THAT(taken(readsAndWritesOther), isOk());
  EXPECT_THAT(taken(writesOther), isOk());
  EXPECT_THAT(taken(writes), refuses("write"));
  EXPECT_THAT(taken(reads), isOk()); // nothing is left of it
}

TEST_F(CallerLocksTest, ReadsGoBesideUpdatesUntilTheyWrite) {
  Caller caller(writes);
  CallerLocks scope(&caller.state);
  EXPECT_THAT(taken(reads), isOk());
  EXPECT_THAT(taken(writes), refuses("write"));
  EXPECT_THAT(taken(readsAndWritesOther), refuses("read"));
  ASSERT_TRUE(caller.locks.beginWrites());
  EXPECT_THAT(taken(reads), refuses("read"));
}

TEST_F(CallerLocksTest, ReadsGoPastAWriterThatWaitsForTheCaller) {
  auto caller = std::make_unique<Caller>(reads);
  std::thread writer([&] { EXPECT_THAT(taken(writes), isOk()); });
  {
    CallerLocks scope(&caller->state);
    // Until the writer has closed the lock to new readers.
    LockPlan strangers = reads;
    auto isClosed = [&] {
      bool closed = false;
      std::thread([&] {
        RunContext context;
        KilnRunState state = makeRunState(&context);
        requestCancel(&state, StatusCode::Cancelled);
        closed = !VariableLocks(strangers).acquire(&state);
      }).join();
      return closed;
    };
    while (!isClosed())
      std::this_thread::yield();
    EXPECT_THAT(taken(reads), isOk());
  }
  caller.reset();
  writer.join();
}

TEST_F(CallerLocksTest, CallersOfCallersHoldTheirLocksToo) {
  Caller outermost(reads);
  CallerLocks outerScope(&outermost.state);
  Caller inner(writesOther);
  {
    CallerLocks scope(&inner.state);
    EXPECT_THAT(taken(writes), refuses("write"));
    EXPECT_THAT(taken(readsAndWritesOther).code(),
                StatusCode::FailedPrecondition);
  }
  inner.locks.release();
  EXPECT_THAT(taken(readsAndWritesOther), isOk());
}

TEST_F(CallerLocksTest, OtherThreadsWait) {
  auto caller = std::make_unique<Caller>(writes);
  std::thread stranger;
  {
    CallerLocks scope(&caller->state);
    stranger = std::thread([&] { EXPECT_THAT(taken(writes), isOk()); });
  }
  caller.reset();
  stranger.join();
}

} // namespace
} // namespace kiln
