// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process's threads for compilations: a caller that waits for one is not
// bound to its end, its recursions have a stack of their own, and what a caller
// waits for goes first.
#ifndef KILN_LIB_JIT_COMPILETHREADS_H
#define KILN_LIB_JIT_COMPILETHREADS_H

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>

namespace kiln {

/// What one or several jobs are a part of, and how many wait for it. Thread
/// safety: all functions.
class CompileWork {
public:
  bool isAwaited() const noexcept { return numWaiting() != 0; }
  int numWaiting() const noexcept {
    return waiting.load(std::memory_order_relaxed);
  }

private:
  friend class CompileThreads;
  std::atomic<int> waiting{0};
};

/// A few threads that take jobs: those that a thread waits for, in order, then
/// those in the background, in order.
///
/// Threads are made when a job finds none idle, and stay. Of either kind as
/// many jobs run as there are CPUs (two at least), so that one that is waited
/// for need not wait for a thread that one in the background has. Meanwhile
/// those in the background have what is left of the CPUs: where that is
/// nothing they pause between two steps (checkpoint()). A hop costs 20 to 50
/// us, a compilation milliseconds.
///
/// **Compiling and answering share the CPUs as equals**: a compilation behind a
/// program begins when it is worth its price (Program::isWorthReplacing), and
/// is then over soon. Where its threads are nicer than those that answer, the
/// evaluator, which has work for all CPUs, keeps a compilation waiting that
/// would spare it the work, and other programs do so for good.
///
/// **fork()** waits until every job stands between two steps or has ended, so
/// that a child finds no lock of LLVM or MLIR taken; the child has no jobs and
/// makes threads of its own. **exit()** waits for no job: jobs end with the
/// process, since no static object of Kiln, MLIR and LLVM is destroyed before
/// (CompileThreads.cpp says how). The library must stay loaded while the
/// process lives.
///
/// Invariant: at a checkpoint a job holds nothing that another work waits for.
/// Thread safety: all functions; `mutex` guards everything but the atomics. A
/// job starts and ends without locks.
class CompileThreads {
public:
  /// What a thread's stack may grow to; memory is taken as it is used. 100,000
  /// nodes in a chain need about 100 MiB somewhere in LLVM.
  static constexpr size_t stackBytes = size_t(256) << 20;

  /// A caller waits for the work as long as this lives.
  class Waiting {
  public:
    explicit Waiting(std::shared_ptr<CompileWork> awaited);
    ~Waiting();
    Waiting(const Waiting &) = delete;
    Waiting &operator=(const Waiting &) = delete;

  private:
    const std::shared_ptr<CompileWork> work;
  };

  CompileThreads();
  static CompileThreads &process();

  /// Takes the job and returns true; false when there is no thread for it: the
  /// caller does it itself. Without work no thread waits for it.
  bool submit(std::function<void()> job,
              std::shared_ptr<CompileWork> work = nullptr);
  /// Does the job on one of the threads and waits for its end.
  static void runAndWait(const std::function<void()> &job);

  /// What the calling job is a part of; null on other threads.
  static std::shared_ptr<CompileWork> currentWork();
  /// How long the calling job has waited in the queue and at checkpoints; zero
  /// on other threads.
  static std::chrono::nanoseconds waitedFor();
  /// Between two steps of a job: waits while the process forks, and in the
  /// background while jobs that are waited for need the CPU. On other threads
  /// it does nothing. **Cost**: a few loads where there is nothing to wait for.
  static void checkpoint();
  /// How many the calling thread has come to.
  static int64_t numCheckpoints();
  /// Calls what waits for another job of the same work; the calling job is at a
  /// checkpoint meanwhile.
  static void rest(const std::function<void()> &wait);

  int numThreads() const;
  /// How many jobs wait at a checkpoint.
  int numPaused() const;

private:
  using Clock = std::chrono::steady_clock;
  enum class State : uint8_t { Queued, Begun, Running, Paused };
  struct Job {
    CompileThreads &home;
    std::function<void()> run;
    const std::shared_ptr<CompileWork> work;
    const Clock::time_point submitted;
    State state = State::Queued; ///< Begun: a thread is about to run it
    Clock::duration waited{0};   ///< its thread's alone
    bool hasThread() const { return state != State::Queued; }
    bool isGoingOn() const { return hasThread() && state != State::Paused; }
  };

  int mostOfAKind() const { return std::max(cpus, 2); }
  template <class Is> int count(const Is &is) const {
    return static_cast<int>(std::count_if(jobs.begin(), jobs.end(), is));
  }
  int numBegun(bool isAwaited) const;
  bool hasCpuFor(const Job *background) const;
  Job *next();
  void reconsider();
  bool addThread();
  void loop();
  bool mayGoOn(const Job &job) const;
  void yield(Job &job);
  void pause(Job &job, std::unique_lock<std::mutex> &lock,
             const std::function<void()> &wait);
  void pause();
  void resume();

  mutable std::mutex mutex;
  std::condition_variable changed;
  std::list<Job> jobs; ///< as they came, until they end
  int cpus = 1;
  int threads = 0;
  std::atomic<bool> forking{false};
  std::atomic<bool> isAnyAwaited{false}; ///< of the jobs that have a thread
  static thread_local Job *current;
  static thread_local int64_t numPassed;
};

} // namespace kiln

#endif // KILN_LIB_JIT_COMPILETHREADS_H
