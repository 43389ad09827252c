// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops are published in a few fixed places, shrinking chunks of them claimed
// by compare-and-swap, idle workers sleep on one futex.
#include "runtime/threads/ThreadPool.h"

#include "runtime/abi/RunState.h"
#include "runtime/arithmetic/FloatEnv.h"
#include "runtime/threads/BlockedSignals.h"
#include "runtime/threads/Futex.h"
#include "runtime/threads/PerProcess.h"

#include <algorithm>
#include <chrono>

namespace kiln {
namespace {

/// Chunks of a host's loop, and how often one thread alone asks whether it must
/// stop.
constexpr int64_t chunksPerThread = 4;
/// Iterations of a part of so many grains, at most all that there are.
int64_t chunkOf(int64_t grains, int64_t grain, int64_t parts, int64_t all) {
  int64_t each = grains / parts + (grains % parts != 0);
  return each <= all / grain ? each * grain : all;
}

/// How long a caller stays awake for the last chunk, about 100 us.
constexpr int spinsBeforeSleep = 2500;

/// Depth of loop bodies on this thread: a loop inside a body runs inline.
thread_local int bodyDepth = 0;

struct BodyScope {
  BodyScope() noexcept { ++bodyDepth; }
  ~BodyScope() { --bodyDepth; }
};

HostExecutor hostExecutor;
std::atomic<bool> hasHostExecutor{false};

/// What a host executor's threads need besides the body.
struct HostLoop {
  KilnParallelBody body;
  void *context;
  const KilnRunState *state;
  uint64_t floatState;
};

void runHostChunk(void *context, int64_t begin, int64_t end) {
  auto &loop = *static_cast<HostLoop *>(context);
  if (mustStop(loop.state))
    return;
  FloatStateScope floats(loop.floatState);
  BodyScope scope;
  loop.body(loop.context, begin, end);
}

} // namespace

ThreadPool::ThreadPool(int numThreads) { grow(numThreads); }

ThreadPool::~ThreadPool() {
  stopping.store(true, std::memory_order_seq_cst);
  epoch.fetch_add(1, std::memory_order_seq_cst);
  futexWakeAll(epoch);
  for (pthread_t worker : workers)
    pthread_join(worker, nullptr);
}

ThreadPool &ThreadPool::process() { return PerProcess<ThreadPool>::get(); }

void ThreadPool::setHostExecutor(const HostExecutor &executor) noexcept {
  hasHostExecutor.store(false, std::memory_order_release);
  hostExecutor = executor;
  hasHostExecutor.store(executor.parallelFor != nullptr,
                        std::memory_order_release);
}

void ThreadPool::grow(int numThreads) {
  std::lock_guard guard(growth);
  numThreads = std::min(numThreads, threadLimit);
  BlockedSignals blocked;
  while (static_cast<int>(workers.size()) < numThreads - 1) {
    pthread_t worker;
    auto start = [](void *pool) -> void * {
      static_cast<ThreadPool *>(pool)->workerLoop();
      return nullptr;
    };
    if (pthread_create(&worker, nullptr, start, this) != 0)
      break;
    pthread_setname_np(worker, "kiln-worker");
    workers.push_back(worker);
  }
  workerCount.store(static_cast<int>(workers.size()),
                    std::memory_order_relaxed);
}

bool ThreadPool::runInline(KilnParallelBody body, void *context, int64_t n,
                           int64_t chunk, const KilnRunState *state) {
  for (int64_t begin = 0; begin < n;) {
    if (mustStop(state))
      return false;
    int64_t end = n - begin <= chunk ? n : begin + chunk;
    body(context, begin, end);
    begin = end;
  }
  return !mustStop(state);
}

bool ThreadPool::parallelFor(KilnParallelBody body, void *context, int64_t n,
                             int64_t grain, const KilnRunState *state,
                             int maxThreads) {
  if (n <= 0)
    return !mustStop(state);
  grain = std::max<int64_t>(grain, 1);
  bool hosted = hasHostExecutor.load(std::memory_order_acquire);
  int64_t threads =
      hosted ? std::max(hostExecutor.numThreads, 1) : numThreads();
  if (maxThreads > 0)
    threads = std::min<int64_t>(threads, maxThreads);
  int64_t numGrains = n / grain + (n % grain != 0);
  int64_t chunk = chunkOf(numGrains, grain, threads * chunksPerThread, n);
  if (threads == 1 || n <= chunk || bodyDepth > 0)
    return runInline(body, context, n, chunk, state);

  if (hosted) {
    HostLoop loop{body, context, state, FloatEnv::read()};
    hostExecutor.parallelFor(hostExecutor.executor, runHostChunk, &loop, n,
                             chunk);
    return !mustStop(state);
  }

  Job *job = nullptr;
  for (Job &candidate : jobs)
    if (!candidate.taken.load(std::memory_order_relaxed) &&
        !candidate.taken.exchange(true, std::memory_order_acquire)) {
      job = &candidate;
      break;
    }
  if (!job)
    return runInline(body, context, n, chunk, state);

  job->body = body;
  job->context = context;
  job->state = state;
  job->n = n;
  job->grain = grain;
  job->maxWorkers = static_cast<uint32_t>(std::min(threads, numGrains) - 1);
  job->floatState = FloatEnv::read();
  job->next.store(0, std::memory_order_relaxed);
  uint32_t usefulWorkers = job->maxWorkers;
  job->control.fetch_or(Job::openBit, std::memory_order_seq_cst);
  publish(usefulWorkers);

  runChunks(*job);

  // No thread enters from here on; those inside finish the chunk that they
  // have.
  uint32_t control =
      job->control.fetch_and(~Job::openBit, std::memory_order_acquire);
  for (int spins = 0; (control & Job::countMask) != 0;
       control = job->control.load(std::memory_order_acquire)) {
    if (++spins < spinsBeforeSleep) {
      cpuRelax();
    } else {
      control =
          job->control.fetch_or(Job::sleepBit, std::memory_order_acquire) |
          Job::sleepBit;
      if ((control & Job::countMask) != 0)
        futexWait(job->control, control);
    }
  }
  job->control.fetch_and(~Job::sleepBit, std::memory_order_relaxed);
  job->taken.store(false, std::memory_order_release);
  return !mustStop(state);
}

void ThreadPool::publish(uint32_t usefulWorkers) noexcept {
  // Ordered against workerLoop(): either this sees the sleeper, or the sleeper
  // sees the open job or the new epoch.
  epoch.fetch_add(1, std::memory_order_seq_cst);
  if (uint32_t asleep = sleepers.load(std::memory_order_seq_cst))
    futexWake(epoch, static_cast<int>(std::min(asleep, usefulWorkers)));
}

// Guided self-scheduling (Polychronopoulos and Kuck, 1987): a chunk is a share
// of what is left, so that the last ones are small and threads end together.
bool ThreadPool::claim(Job &job, int64_t &begin, int64_t &end) noexcept {
  const int64_t parts = 2 * (int64_t(job.maxWorkers) + 1);
  begin = job.next.load(std::memory_order_relaxed);
  do {
    int64_t left = job.n - begin;
    if (left <= 0)
      return false;
    int64_t grains = left / job.grain + (left % job.grain != 0);
    end = begin + chunkOf(grains, job.grain, parts, left);
  } while (
      !job.next.compare_exchange_weak(begin, end, std::memory_order_relaxed));
  return true;
}

void ThreadPool::runChunks(Job &job) noexcept {
  BodyScope scope;
  int64_t begin, end;
  while (!mustStop(job.state) && claim(job, begin, end))
    job.body(job.context, begin, end);
}

bool ThreadPool::workOnce() noexcept {
  bool worked = false;
  for (Job &job : jobs) {
    if (!(job.control.load(std::memory_order_seq_cst) & Job::openBit))
      continue;
    uint32_t before = job.control.fetch_add(1, std::memory_order_acquire);
    if ((before & Job::openBit) && (before & Job::countMask) < job.maxWorkers &&
        job.next.load(std::memory_order_relaxed) < job.n) {
      FloatStateScope floats(job.floatState);
      runChunks(job);
      worked = true;
    }
    if (job.control.fetch_sub(1, std::memory_order_release) ==
        (Job::sleepBit | 1))
      futexWake(job.control, 1);
  }
  return worked;
}

void ThreadPool::workerLoop() noexcept {
  using Clock = std::chrono::steady_clock;
  auto looked = Clock::now(), spinEnd = looked;
  while (!stopping.load(std::memory_order_relaxed)) {
    if (workOnce()) {
      auto now = Clock::now();
      busyNs.fetch_add(std::chrono::nanoseconds(now - looked).count(),
                       std::memory_order_relaxed);
      looked = now;
      spinEnd = now + std::chrono::microseconds(spinMicroseconds);
      continue;
    }
    looked = Clock::now();
    if (looked < spinEnd) {
      for (int i = 0; i < 8; ++i)
        cpuRelax();
      continue;
    }
    uint32_t seen = epoch.load(std::memory_order_seq_cst);
    sleepers.fetch_add(1, std::memory_order_seq_cst);
    bool idle = std::none_of(jobs.begin(), jobs.end(), [](const Job &job) {
      return job.control.load(std::memory_order_seq_cst) & Job::openBit;
    });
    if (idle && !stopping.load(std::memory_order_seq_cst))
      futexWait(epoch, seen);
    sleepers.fetch_sub(1, std::memory_order_seq_cst);
    looked = Clock::now();
    if (!idle)
      spinEnd = looked + std::chrono::microseconds(spinMicroseconds);
  }
}

} // namespace kiln
