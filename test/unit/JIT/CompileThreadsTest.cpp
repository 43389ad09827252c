// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads for compilations: jobs, which of them go first, their stacks, and
// how they are told to end.
#include "lib/JIT/CompileThreads.h"
#include "lib/JIT/CompileControl.h"
#include "lib/JIT/backends/cpu/Target.h"
#include "test/unit/BusyCompileThreads.h"
#include "test/unit/StatusMatchers.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <atomic>
#include <barrier>
#include <thread>
#include <vector>

namespace kiln {
namespace {

using namespace std::chrono_literals;
using ::testing::_;
using testing::BusyCompileThreads;
using testing::fails;
using ::testing::HasSubstr;
using testing::isOk;

TEST(CompileThreads, ManyCallersGetTheirJobsDone) {
  constexpr int numCallers = 16, numJobs = 20;
  std::atomic<int> done{0};
  std::barrier start(numCallers);
  std::vector<std::thread> callers;
  for (int i = 0; i < numCallers; ++i)
    callers.emplace_back([&] {
      start.arrive_and_wait();
      for (int j = 0; j < numJobs; ++j) {
        int own = 0; // written by the job, read behind it
        CompileThreads::runAndWait([&] {
          own = 1;
          done.fetch_add(1, std::memory_order_relaxed);
        });
        EXPECT_EQ(own, 1);
      }
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(done, numCallers * numJobs);
  EXPECT_GE(CompileThreads::process().numThreads(), 1);
  EXPECT_LE(CompileThreads::process().numThreads(),
            2 * BusyCompileThreads::most());
}

TEST(CompileThreads, SubmittedJobsOutliveTheirCallers) {
  auto isDone = std::make_shared<std::atomic<bool>>(false);
  ASSERT_TRUE(CompileThreads::process().submit([isDone] {
    *isDone = true;
    isDone->notify_all();
  }));
  isDone->wait(false);
  EXPECT_TRUE(*isDone);
}

int64_t deep(int64_t depth) {
  volatile char frame[1024] = {};
  return depth == 0 ? frame[0] : 1 + deep(depth - 1) + frame[1];
}

TEST(CompileThreads, HaveMuchStack) {
  int64_t reached = 0;
  CompileThreads::runAndWait([&] { reached = deep(60'000); }); // over 60 MB
  EXPECT_EQ(reached, 60'000);
}

TEST(CompileThreads, DoWhatIsWaitedForBeforeWhatCameFirst) {
  BusyCompileThreads busy;
  auto isOtherDone = std::make_shared<std::atomic<bool>>(false);
  CompileThreads::process().submit([isOtherDone] {
    *isOtherDone = true;
    isOtherDone->notify_all();
  });
  bool wasOtherDone = true;
  CompileThreads::runAndWait([&] { wasOtherDone = *isOtherDone; });
  EXPECT_FALSE(wasOtherDone);
  EXPECT_FALSE(busy.hasEnded());
  EXPECT_LE(CompileThreads::process().numThreads(), 2 * busy.most());
  busy.end();
  isOtherDone->wait(false);
}

TEST(CompileThreads, DoAJobOfTheQueueWhenSomebodyComesToWaitForIt) {
  BusyCompileThreads busy;
  struct Places {
    std::atomic<int> last{0}, first{0}, second{0};
  };
  auto places = std::make_shared<Places>();
  auto submit = [&](std::atomic<int> Places::*place,
                    std::shared_ptr<CompileWork> work) {
    CompileThreads::process().submit(
        [places, place] {
          (*places).*place = ++places->last;
          ((*places).*place).notify_all();
        },
        std::move(work));
  };
  auto work = std::make_shared<CompileWork>();
  submit(&Places::first, nullptr);
  submit(&Places::second, work);
  EXPECT_EQ(places->last, 0);
  {
    CompileThreads::Waiting comes(work);
    places->second.wait(0);
  }
  EXPECT_FALSE(busy.hasEnded());
  busy.end();
  places->first.wait(0);
  EXPECT_EQ(places->second, 1);
  EXPECT_EQ(places->first, 2);
}

TEST(CompileThreads, PauseInTheBackgroundForWhatIsWaitedFor) {
  BusyCompileThreads busy;
  busy.addAwaited();
  int64_t before = busy.steps();
  for (int i = 0; i < 20; ++i)
    std::this_thread::yield();
  EXPECT_EQ(busy.steps(), before);
  busy.stopWaiting();
  while (busy.steps() == before) // or it hangs
    std::this_thread::yield();
}

TEST(CompileThreads, LeaveJobsThatAreWaitedForAlone) {
  BusyCompileThreads busy;
  CompileThreads::runAndWait([&] {
    for (int i = 0; i < 1000; ++i)
      CompileThreads::checkpoint();
  });
  EXPECT_FALSE(busy.hasEnded());
}

TEST(CompileThreads, TellAJobHowLongItHasWaited) {
  EXPECT_EQ(CompileThreads::waitedFor(), 0ns); // no job
  using Clock = std::chrono::steady_clock;
  BusyCompileThreads busy;
  Clock::time_point submitted = Clock::now(), begun;
  std::chrono::nanoseconds waited{0};
  CompileThreads::runAndWait([&] {
    begun = Clock::now();
    waited = CompileThreads::waitedFor();
  });
  EXPECT_GT(waited, 0ns);
  EXPECT_LE(waited, begun - submitted);
}

// One function takes seconds where it updates thousands of variables: a job
// that a run waits for must not have to share the CPU until its code is
// there.
TEST(CompileThreads, CodeOfOneFunctionHasCheckpoints) {
  llvm::LLVMContext context;
  llvm::Module module("test", context);
  llvm::IRBuilder<> builder(context);
  auto *function = llvm::Function::Create(
      llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false),
      llvm::Function::ExternalLinkage, "f", module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function));
  builder.CreateStore(builder.getInt32(1), function->getArg(0));
  builder.CreateRetVoid();
  auto target = HostTarget::create();
  ASSERT_THAT(target.status(), isOk());
  (*target)->prepare(module);
  int64_t before = CompileThreads::numCheckpoints();
  ASSERT_THAT((*target)->emitObject(module, /*quick=*/false).status(), isOk());
  EXPECT_GT(CompileThreads::numCheckpoints() - before, 20);
}

TEST(CompileControl, EndsWhatIsStoppedOrTooLate) {
  CompileControl unlimited;
  EXPECT_THAT(unlimited.check("fuse"), isOk());
  CompileControl patient(1h), hasty(1ns);
  EXPECT_THAT(patient.check("fuse"), isOk());
  while (hasty.check("fuse").ok()) {
  }
  EXPECT_THAT(hasty.check("fuse"), fails(StatusCode::ResourceExhausted,
                                         HasSubstr("ms before fuse")));
  patient.stop();
  EXPECT_THAT(patient.check("fuse"), fails(StatusCode::Cancelled, _));
}

} // namespace
} // namespace kiln
