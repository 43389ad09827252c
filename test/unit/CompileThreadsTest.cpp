// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads for compilations: jobs, their stacks, and how they are told to
// end.
#include "lib/JIT/CompileThreads.h"
#include "lib/JIT/CompileControl.h"
#include "test/unit/StatusMatchers.h"

#include <atomic>
#include <barrier>
#include <thread>
#include <vector>

namespace kiln {
namespace {

using namespace std::chrono_literals;
using ::testing::_;
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
            std::max(2, static_cast<int>(std::thread::hardware_concurrency())));
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
