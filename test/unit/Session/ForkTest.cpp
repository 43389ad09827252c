// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sessions in children of fork(): they run, compile and use threads, or say why
// not; none hangs.
#include "test/unit/BusyCompileThreads.h"
#include "test/unit/Sanitizers.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <atomic>
#include <barrier>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace kiln {
namespace {

using namespace std::chrono_literals;
using testing::countingMatrix;
using testing::isOk;
using testing::openSession;
using testing::scaledRows;
using testing::scaleGraph;
using testing::valuesOf;

class Fork : public ::testing::Test {
protected:
  void SetUp() override {
#if KILN_THREAD_SANITIZER
    GTEST_SKIP() << "ThreadSanitizer has no threads after a fork";
#endif
  }

  /// What `child` returns in a child of this process; -1 when it hangs or dies.
  template <class Child> static int inChild(Child child) {
    pid_t pid = fork();
    if (pid == 0) {
      alarm(60);
      _exit(child());
    }
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  static std::unique_ptr<Session> openInitialized() {
    SessionOptions options;
    options.mode = ExecutionMode::NativeOnly;
    options.threads = 3;
    auto session = Session::create(scaleGraph(), options);
    EXPECT_THAT(session, isOk());
    EXPECT_THAT((*session)->run({}, {}, {"init"}), isOk());
    return *std::move(session);
  }
};

/// Large enough for the pool, which the child does not have any more.
bool runsRight(Session &session) {
  Tensor x = countingMatrix(1000, 3);
  auto rows = session.run({{"x:0", x}}, {"rows:0"});
  return rows.ok() && valuesOf<float>((*rows)[0]) == scaledRows(x, {1, 2, 3});
}

TEST_F(Fork, AChildRunsOldAndNewSignatures) {
  auto session = openInitialized();
  ASSERT_TRUE(runsRight(*session));
  EXPECT_EQ(inChild([&] {
              if (!runsRight(*session))
                return 1;
              if (!session->run({}, {"w:0"}).ok()) // compiles
                return 2;
              auto late =
                  session->run({}, {"bump:0"}, {}, {.timeout = 1h}); // a timer
              if (!late.ok())
                return 3;
              session->close();
              return openInitialized() ? 0 : 4;
            }),
            0);
  EXPECT_TRUE(runsRight(*session));
  EXPECT_THAT(session->run({}, {"w:0"}), isOk());
}

TEST_F(Fork, AGrandchildDoes) {
  auto session = openInitialized();
  EXPECT_EQ(inChild([&] {
              bool fine = runsRight(*session);
              return fine ? inChild([&] { return runsRight(*session) ? 0 : 2; })
                          : 1;
            }),
            0);
}

TEST_F(Fork, WhileOthersRunAndCompileItWorksOrSaysWhyNot) {
  auto busy = openInitialized(), idle = openInitialized();
  ASSERT_TRUE(runsRight(*idle));
  constexpr int numThreads = 3;
  std::atomic<bool> isOver{false};
  std::atomic<int> wrong{0};
  std::barrier start(numThreads + 1);
  std::vector<std::thread> threads;
  for (int i = 0; i < numThreads; ++i)
    threads.emplace_back([&, i] {
      start.arrive_and_wait();
      while (!isOver) {
        wrong += !runsRight(*busy);
        if (i == 0) // compiles all the time
          wrong += !openInitialized();
      }
    });
  start.arrive_and_wait();
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(inChild([&] {
                if (!runsRight(*idle))
                  return 1;
                if (!idle->run({}, {"w:0"}).ok())
                  return 2;
                auto late = busy->run({}, {"w:0"});
                if (!late.ok() &&
                    late.status().code() != StatusCode::FailedPrecondition)
                  return 3;
                busy.reset();
                idle.reset();
                return 0;
              }),
              0);
  isOver = true;
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(Fork, WhileCompilationsPauseForOthers) {
  auto session = openInitialized();
  ASSERT_TRUE(runsRight(*session));
  testing::BusyCompileThreads busy;
  busy.addAwaited();
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(inChild([&] {
                bool compiles = session->run({}, {"w:0"}).ok();
                return compiles && runsRight(*session) ? 0 : 1;
              }),
              0);
  busy.end();
  EXPECT_THAT(session->run({}, {"w:0"}), isOk());
}

TEST_F(Fork, AChildMayCancelWhatOthersHold) {
  auto session = openInitialized();
  Cancellation cancel;
  constexpr int numThreads = 2;
  std::atomic<bool> isOver{false};
  std::barrier start(numThreads + 1);
  std::vector<std::thread> threads;
  for (int i = 0; i < numThreads; ++i)
    threads.emplace_back([&] {
      auto read = session->makeCallable({}, {"w:0"});
      Tensor results[1];
      start.arrive_and_wait();
      while (!isOver) // attaches and detaches
        EXPECT_THAT((*read)({}, results, {.cancel = &cancel}), isOk());
    });
  start.arrive_and_wait();
  for (int i = 0; i < 200; ++i)
    EXPECT_EQ(inChild([&] {
                alarm(5);
                cancel.cancel();
                return cancel.isCancelled() ? 0 : 1;
              }),
              0);
  isOver = true;
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_FALSE(cancel.isCancelled());
}

} // namespace
} // namespace kiln
