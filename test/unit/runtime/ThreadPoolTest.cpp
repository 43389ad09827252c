// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parallel loops cover their range once, nest, stop, survive fork; deadlines
// and tokens reach runs.
#include "runtime/threads/ThreadPool.h"
#include "runtime/arithmetic/FloatEnv.h"
#include "runtime/threads/Cancel.h"
#include "test/unit/Sanitizers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <csignal>
#include <limits>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#if KILN_THREAD_SANITIZER
// The test of fork() starts threads in a child, which the sanitizer refuses
// unless told otherwise.
extern "C" const char *__tsan_default_options() { return "die_after_fork=0"; }
#endif

namespace kiln {
namespace {

/// Counts how often each index is visited.
struct Visits {
  explicit Visits(int64_t n) : counts(static_cast<size_t>(n)) {}
  static void body(void *context, int64_t begin, int64_t end) {
    auto &self = *static_cast<Visits *>(context);
    for (int64_t i = begin; i < end; ++i)
      self.counts[static_cast<size_t>(i)].fetch_add(1,
                                                    std::memory_order_relaxed);
  }
  bool allEqual(int expected) const {
    for (const auto &count : counts)
      if (count.load() != expected)
        return false;
    return true;
  }
  std::vector<std::atomic<int>> counts;
};

TEST(ThreadPool, EveryIndexIsVisitedOnce) {
  for (int threads : {1, 2, 8}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.numThreads(), threads);
    for (int64_t n : {0, 1, 2, 7, 64, 1000, 4097})
      for (int64_t grain : {0, 1, 3, 64, 10000}) {
        Visits visits(n);
        EXPECT_TRUE(pool.parallelFor(Visits::body, &visits, n, grain));
        EXPECT_TRUE(visits.allEqual(1)) << n << " " << grain;
      }
  }
}

/// The worker's signals: the program's handlers of crashes are to run there.
TEST(ThreadPool, WorkersTakeNoSignalsButThoseOfCrashes) {
  struct Masks {
    std::barrier<> together{2};
    sigset_t of[2];
    static void body(void *context, int64_t begin, int64_t) {
      auto &self = *static_cast<Masks *>(context);
      self.together.arrive_and_wait();
      pthread_sigmask(SIG_SETMASK, nullptr, &self.of[begin]);
    }
  } masks;
  ThreadPool pool(2);
  ASSERT_TRUE(pool.parallelFor(Masks::body, &masks, 2, 1));
  auto blocksOne = [&](int signal) {
    return sigismember(&masks.of[0], signal) +
               sigismember(&masks.of[1], signal) ==
           1;
  };
  for (int signal : {SIGINT, SIGTERM, SIGALRM, SIGUSR1, SIGPROF, SIGCHLD})
    EXPECT_TRUE(blocksOne(signal)) << signal;
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    EXPECT_FALSE(blocksOne(signal)) << signal;
}

TEST(ThreadPool, HasAsManyThreadsAsAskedForUpToItsLimit) {
  constexpr int limit = ThreadPool::threadLimit;
  if (int granted = ThreadPool(limit).numThreads(); granted < limit)
    GTEST_SKIP() << "the system grants " << granted << " threads";
  EXPECT_EQ(ThreadPool(limit - 1).numThreads(), limit - 1);
  EXPECT_EQ(ThreadPool(limit + 1).numThreads(), limit);
}

TEST(ThreadPool, RequestForAMillionThreadsLeavesSomeToTheProgram) {
  ThreadPool pool(1'000'000);
  EXPECT_LE(pool.numThreads(), ThreadPool::threadLimit);
  std::thread([] {}).join();
}

TEST(ThreadPool, ChunksStartAtMultiplesOfTheGrain) {
  ThreadPool pool(3);
  auto body = [](void *context, int64_t begin, int64_t end) {
    if (begin % 48 != 0 || (end % 48 != 0 && end != 1001))
      static_cast<std::atomic<int> *>(context)->fetch_add(1);
  };
  std::atomic<int> wrong{0};
  EXPECT_TRUE(pool.parallelFor(body, &wrong, 1001, 48));
  EXPECT_EQ(wrong.load(), 0);
}

TEST(ThreadPool, HugeRangesDoNotOverflow) {
  ThreadPool pool(2);
  std::atomic<int64_t> total{0};
  auto body = [](void *context, int64_t begin, int64_t end) {
    static_cast<std::atomic<int64_t> *>(context)->fetch_add(end - begin);
  };
  constexpr int64_t n = std::numeric_limits<int64_t>::max();
  EXPECT_TRUE(pool.parallelFor(body, &total, n, 1));
  EXPECT_EQ(total.load(), n);
  total = 0;
  EXPECT_TRUE(pool.parallelFor(body, &total, n, n / 3));
  EXPECT_EQ(total.load(), n);
}

TEST(ThreadPool, EightCallersShareOnePool) {
  ThreadPool pool(4);
  std::barrier start(8);
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int caller = 0; caller < 8; ++caller)
    callers.emplace_back([&] {
      start.arrive_and_wait();
      for (int round = 0; round < 200; ++round) {
        Visits visits(100);
        if (!pool.parallelFor(Visits::body, &visits, 100, 1) ||
            !visits.allEqual(1))
          ++wrong;
      }
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(wrong.load(), 0);
}

TEST(ThreadPool, PlainResultsAreVisibleToTheCaller) {
  ThreadPool pool(4);
  std::vector<int64_t> out(1000);
  auto body = [](void *context, int64_t begin, int64_t end) {
    auto &out = *static_cast<std::vector<int64_t> *>(context);
    for (int64_t i = begin; i < end; ++i)
      out[static_cast<size_t>(i)] += i;
  };
  for (int round = 1; round <= 200; ++round) {
    pool.parallelFor(body, &out, 1000, 10);
    ASSERT_EQ(out[999], 999 * round);
  }
}

TEST(ThreadPool, NestedLoopsRunInline) {
  struct Nest {
    ThreadPool pool{4};
    std::atomic<int> inner{0}, movedThread{0};
  } nest;
  auto outer = [](void *context, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      thread_local std::thread::id here;
      here = std::this_thread::get_id();
      auto inner = [](void *context, int64_t begin, int64_t end) {
        auto &nest = *static_cast<Nest *>(context);
        nest.inner += static_cast<int>(end - begin);
        nest.movedThread += here != std::this_thread::get_id();
      };
      auto &nest = *static_cast<Nest *>(context);
      nest.pool.parallelFor(inner, &nest, 50, 1);
    }
  };
  nest.pool.parallelFor(outer, &nest, 40, 1);
  EXPECT_EQ(nest.inner.load(), 2000);
  EXPECT_EQ(nest.movedThread.load(), 0);
}

TEST(ThreadPool, ErrorLeavesOutTheChunksNotBegun) {
  for (int threads : {1, 4}) {
    ThreadPool pool(threads);
    struct Failing {
      KilnRunState state = makeRunState(nullptr);
      std::atomic<int> chunks{0};
    } run;
    auto body = [](void *context, int64_t begin, int64_t end) {
      auto &run = *static_cast<Failing *>(context);
      ++run.chunks;
      recordError(&run.state, ErrorKind::IntegerDivisionByZero, 3);
    };
    EXPECT_FALSE(pool.parallelFor(body, &run, 1000, 1, &run.state));
    EXPECT_LE(run.chunks.load(), threads);
    EXPECT_EQ(run.state.errorNode, 3);
  }
}

TEST(ThreadPool, BodiesRunUnderTheCallersFloatingPointState) {
  constexpr int threads = 4;
  ThreadPool pool(threads);
  struct Check {
    std::barrier<> met{threads}; ///< each chunk is on a thread of its own
    std::atomic<int> denormals{0};
  } check;
  auto body = [](void *context, int64_t begin, int64_t end) {
    auto &check = *static_cast<Check *>(context);
    check.met.arrive_and_wait();
    volatile float smallest = std::numeric_limits<float>::min(), half = 0.5f;
    volatile float product = smallest * half;
    if (product != 0)
      ++check.denormals;
  };
  FloatEnv env;
  pool.parallelFor(body, &check, threads, 1);
  EXPECT_EQ(check.denormals.load(), 0);
}

TEST(ThreadPool, MaxThreadsOneStaysOnTheCaller) {
  ThreadPool pool(4);
  struct Check {
    std::thread::id caller = std::this_thread::get_id();
    std::atomic<int> elsewhere{0};
  } check;
  auto body = [](void *context, int64_t, int64_t) {
    auto &check = *static_cast<Check *>(context);
    check.elsewhere += check.caller != std::this_thread::get_id();
  };
  pool.parallelFor(body, &check, 100, 1, nullptr, 1);
  EXPECT_EQ(check.elsewhere.load(), 0);
}

TEST(ThreadPool, HostExecutorRunsTheLoops) {
  static std::atomic<int> calls{0};
  HostExecutor host;
  host.numThreads = 4;
  host.parallelFor = [](void *, KilnParallelBody body, void *context, int64_t n,
                        int64_t grain) {
    ++calls;
    for (int64_t begin = 0; begin < n; begin += grain)
      body(context, begin, std::min(n, begin + grain));
  };
  ThreadPool::setHostExecutor(host);
  Visits visits(100);
  EXPECT_TRUE(ThreadPool::process().parallelFor(Visits::body, &visits, 100, 1));
  ThreadPool::setHostExecutor({});
  EXPECT_EQ(calls.load(), 1);
  EXPECT_TRUE(visits.allEqual(1));
}

TEST(ThreadPool, ForkedChildGetsANewPool) {
  Visits before(100);
  ThreadPool::process().grow(4);
  ThreadPool::process().parallelFor(Visits::body, &before, 100, 1);
  ThreadPool *parents = &ThreadPool::process();
  pid_t child = fork();
  if (child == 0) {
    Visits visits(100);
    ThreadPool::process().grow(3);
    bool ok =
        &ThreadPool::process() != parents &&
        ThreadPool::process().parallelFor(Visits::body, &visits, 100, 1) &&
        visits.allEqual(1);
    _exit(ok ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(&ThreadPool::process(), parents);
}

TEST(ThreadPool, AvailableThreadsIsPositive) {
  EXPECT_GE(availableThreads(), 1);
}

TEST(CancelToken, CancelsPresentAndLaterRuns) {
  CancelToken token;
  KilnRunState first = makeRunState(nullptr), second = first, past = first;
  {
    CancelScope scope(&token, &past);
  }
  {
    CancelScope scope(&token, &first);
    EXPECT_EQ(token.numRuns(), 1u);
    EXPECT_FALSE(mustStop(&first));
    token.cancel();
    EXPECT_EQ(runStatus(first, {}).code(), StatusCode::Cancelled);
    CancelScope later(&token, &second);
    EXPECT_TRUE(mustStop(&second));
  }
  EXPECT_FALSE(mustStop(&past));
  EXPECT_EQ(token.numRuns(), 0u);
}

TEST(DeadlineScope, PassedDeadlineEndsALoop) {
  ThreadPool pool(2);
  KilnRunState state = makeRunState(nullptr);
  DeadlineScope deadline(
      DeadlineScope::Clock::now() + std::chrono::milliseconds(5), &state);
  struct Waiter {
    KilnRunState *state;
  } waiter{&state};
  // Each chunk lasts until the run is cancelled: without the deadline this test
  // would not end.
  auto body = [](void *context, int64_t, int64_t) {
    while (!mustStop(static_cast<Waiter *>(context)->state))
      std::this_thread::yield();
  };
  EXPECT_FALSE(pool.parallelFor(body, &waiter, 100, 1, &state));
  EXPECT_EQ(runStatus(state, {}).code(), StatusCode::DeadlineExceeded);
}

TEST(DeadlineScope, PastDeadlineCancelsAtOnceAndNoneNever) {
  KilnRunState late = makeRunState(nullptr), free = late;
  DeadlineScope past(DeadlineScope::Clock::now() - std::chrono::seconds(1),
                     &late);
  EXPECT_TRUE(mustStop(&late));
  DeadlineScope none(DeadlineScope::noDeadline, &free);
  EXPECT_FALSE(mustStop(&free));
}

// The deadline of a scope that is gone ends nothing that comes behind it in the
// same memory.
TEST(DeadlineScope, ManyScopesComeAndGo) {
  using Clock = DeadlineScope::Clock;
  std::atomic<int> ended{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread)
    threads.emplace_back([&] {
      KilnRunState state;
      Clock::time_point last;
      for (int round = 0; round < 100; ++round) {
        state = makeRunState(nullptr);
        last = Clock::now() + std::chrono::microseconds(round * 20);
        DeadlineScope scope(last, &state);
      }
      state = makeRunState(nullptr);
      DeadlineScope later(last + std::chrono::hours(1), &state);
      while (Clock::now() <= last + std::chrono::milliseconds(1))
        std::this_thread::yield();
      ended += mustStop(&state);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(ended.load(), 0);
}

} // namespace
} // namespace kiln
