// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process's threads for compilations: nobody who waits for one is bound to
// its end, and its recursions have a stack of their own.
#ifndef KILN_LIB_JIT_COMPILETHREADS_H
#define KILN_LIB_JIT_COMPILETHREADS_H

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

namespace kiln {

/// A few threads that take jobs in order.
///
/// Threads are made when a job finds none idle, at most one a CPU (two at
/// least), and stay. A hop costs 20 to 50 us, a compilation milliseconds.
///
/// **fork()** waits until every job stands between two steps (checkpoint()) or
/// has ended, so that a child finds no lock of LLVM or MLIR taken; the child
/// has no jobs and makes threads of its own. **exit()** waits for nobody: jobs
/// end with the process, since no static object of Kiln, MLIR and LLVM is
/// destroyed before (CompileThreads.cpp says how). The library must stay loaded
/// while the process lives.
///
/// Thread safety: all functions; `mutex` guards everything but the atomics. A
/// job starts and ends without locks.
class CompileThreads {
public:
  /// What a thread's stack may grow to; memory is taken as it is used. 100,000
  /// nodes in a chain need about 100 MiB somewhere in LLVM.
  static constexpr size_t stackBytes = size_t(256) << 20;

  CompileThreads();
  static CompileThreads &process();

  /// Takes the job and returns true; false when there is no thread for it: the
  /// caller does it himself.
  bool submit(std::function<void()> job);
  /// Does the job on one of the threads and waits for its end.
  static void runAndWait(const std::function<void()> &job);

  /// Between two steps of a job: waits while the process forks. On other
  /// threads it does nothing.
  static void checkpoint();

  int numThreads() const;

private:
  bool addThread();
  void loop();
  void pause();
  void resume();

  mutable std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> jobs;
  int threads = 0;
  int idle = 0;
  int working = 0; ///< inside of a step
  std::atomic<bool> forking{false};
};

} // namespace kiln

#endif // KILN_LIB_JIT_COMPILETHREADS_H
