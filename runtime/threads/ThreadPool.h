// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process's threads for parallel loops inside runs.
#ifndef KILN_RUNTIME_THREADS_THREADPOOL_H
#define KILN_RUNTIME_THREADS_THREADPOOL_H

#include "runtime/abi/Abi.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <pthread.h>
#include <vector>

namespace kiln {

/// An embedding program's own pool, behind one C function: it calls body over
/// disjoint parts of [0, n) that cover it, on any of its threads, and returns
/// when all have returned.
struct HostExecutor {
  void (*parallelFor)(void *executor, KilnParallelBody body, void *context,
                      int64_t n, int64_t grain) = nullptr;
  void *executor = nullptr;
  int numThreads = 1;
};

/// Returns the CPUs that this process may use: the affinity mask, cut to the
/// cgroup's quota; at least 1.
int availableThreads() noexcept;

/// Workers that share out the chunks of parallel loops; the calling thread
/// always takes part.
///
/// Invariants:
///  1. A loop's chunks start at multiples of the grain; which thread takes
///     which chunk, and how large chunks are, is open: bodies must give the
///     same bits for any split at multiples of grain.
///  2. A job's fields are read only by the caller and by workers that entered
///     while the job was open; it is closed and empty before the caller
///     returns.
///  3. Workers spin for spinMicroseconds after their last work, then sleep
///     until a loop is published. With nothing running all of them sleep. One
///     thread: no worker.
///  4. A loop inside a body runs inline, as does one that finds all places for
///  jobs taken.
/// Thread safety: all functions; `growth` guards workers and their number, jobs
/// are atomics. After fork() the child has no workers; process() makes a new
/// pool there.
class ThreadPool {
public:
  static constexpr int spinMicroseconds = 50;
  /// A pool that took every thread that the system grants would leave none to
  /// the program.
  static constexpr int threadLimit = 1024;

  /// Starts numThreads - 1 workers, or as many as the system grants.
  explicit ThreadPool(int numThreads);
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;
  /// No loop may be running.
  ~ThreadPool();

  ThreadPool() : ThreadPool(availableThreads()) {}

  /// The process's pool, made on first use; never destroyed.
  static ThreadPool &process();
  /// Lets an embedding program's pool run all loops from now on; parallelFor
  /// null brings Kiln's own back. Call it while no run is active.
  static void setHostExecutor(const HostExecutor &executor) noexcept;

  /// Adds workers until loops can use `numThreads` threads: options may ask for
  /// more than there are CPUs, up to threadLimit.
  void grow(int numThreads);
  int numThreads() const noexcept {
    return workerCount.load(std::memory_order_relaxed) + 1;
  }

  /// How long workers have worked in all.
  int64_t workerNanoseconds() const noexcept {
    return busyNs.load(std::memory_order_relaxed);
  }

  /// Calls body over [0, n), in chunks of a multiple of grain iterations, on at
  /// most maxThreads threads (0: all). Bodies run under the caller's
  /// floating-point state. Chunks not yet begun are left out once
  /// mustStop(state). Returns false when that happened.
  bool parallelFor(KilnParallelBody body, void *context, int64_t n,
                   int64_t grain, const KilnRunState *state = nullptr,
                   int maxThreads = 0);

private:
  /// A published loop. control: the number of workers inside, openBit while
  /// more may enter, sleepBit while the caller sleeps until they have left.
  struct alignas(64) Job {
    static constexpr uint32_t openBit = 1u << 31, sleepBit = 1u << 30,
                              countMask = sleepBit - 1;
    std::atomic<uint32_t> control{0};
    std::atomic<bool> taken{false};
    KilnParallelBody body = nullptr;
    void *context = nullptr;
    const KilnRunState *state = nullptr;
    int64_t n = 0;
    int64_t grain = 1;
    uint32_t maxWorkers = 0;
    uint64_t floatState = 0;
    /// On a line of its own: every claim writes it.
    alignas(64) std::atomic<int64_t> next{0};
  };
  static constexpr size_t numJobs = 8;

  /// Gives the calling thread a part that no other has, if there is one.
  static bool claim(Job &job, int64_t &begin, int64_t &end) noexcept;
  static void runChunks(Job &job) noexcept;
  static bool runInline(KilnParallelBody body, void *context, int64_t n,
                        int64_t chunk, const KilnRunState *state);
  bool workOnce() noexcept;
  void workerLoop() noexcept;
  void publish(uint32_t usefulWorkers) noexcept;

  std::array<Job, numJobs> jobs;
  /// Counts published loops; workers sleep on it.
  alignas(64) std::atomic<uint32_t> epoch{0};
  std::atomic<uint32_t> sleepers{0};
  std::atomic<bool> stopping{false};
  std::atomic<int> workerCount{0};
  alignas(64) std::atomic<int64_t> busyNs{0};
  std::mutex growth;
  std::vector<pthread_t> workers;
};

} // namespace kiln

#endif // KILN_RUNTIME_THREADS_THREADPOOL_H
