// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mutexes that fork() takes: a child finds them free, and what could make
// fork() and a thread wait for each other is refused.
#include "runtime/threads/ForkMutex.h"

#include "gtest/gtest.h"

#include <atomic>
#include <mutex>
#include <optional>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace kiln {
namespace {

TEST(ForkMutex, AChildFindsItFree) {
  ForkMutex mutex;
  std::atomic<bool> isOver{false};
  std::thread user([&] {
    while (!isOver) {
      std::lock_guard guard(mutex);
    }
  });
  for (int i = 0; i < 50; ++i) {
    pid_t pid = fork();
    if (pid == 0) {
      alarm(10);
      mutex.lock();
      _exit(0);
    }
    int status = -1;
    waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
  }
  isOver = true;
  user.join();
}

#ifndef NDEBUG
class ForkMutexDeathTest : public ::testing::Test {
protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  ForkMutex held;
};

constexpr const char *message = "a thread with a ForkMutex needs another one";

TEST_F(ForkMutexDeathTest, AThreadWithOneTakesNoOther) {
  ForkMutex other;
  std::lock_guard guard(held);
  EXPECT_DEATH(other.lock(), message);
  EXPECT_DEATH((void)other.try_lock(), message);
}

TEST_F(ForkMutexDeathTest, AThreadWithOneMakesNoOther) {
  std::lock_guard guard(held);
  EXPECT_DEATH(ForkMutex other, message);
}

TEST_F(ForkMutexDeathTest, AThreadWithOneDestroysNoOther) {
  std::optional<ForkMutex> other(std::in_place);
  {
    std::lock_guard guard(held);
    EXPECT_DEATH(other.reset(), message);
  }
  other.reset();
}

TEST_F(ForkMutexDeathTest, AThreadWithOneDoesNotFork) {
  EXPECT_DEATH(
      {
        std::lock_guard guard(held);
        fork();
      },
      message);
}
#endif

} // namespace
} // namespace kiln
