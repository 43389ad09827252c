// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One queue, what fork() does with it, and why exit() need not ask it.
#include "lib/JIT/CompileThreads.h"

#include "runtime/threads/BlockedSignals.h"
#include "runtime/threads/ForkMutex.h"
#include "runtime/threads/PerProcess.h"
#include "runtime/threads/ThreadPool.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

#include <dlfcn.h>
#include <pthread.h>
#include <utility>

namespace kiln {

thread_local CompileThreads::Job *CompileThreads::current = nullptr;
thread_local int64_t CompileThreads::numPassed = 0;

CompileThreads::Waiting::Waiting(std::shared_ptr<CompileWork> awaited)
    : work(std::move(awaited)) {
  CompileThreads &threads = process();
  std::lock_guard lock(threads.mutex);
  if (work->waiting.fetch_add(1, std::memory_order_relaxed) == 0)
    threads.reconsider();
}

CompileThreads::Waiting::~Waiting() {
  // Without the mutex, as who has waited may hold another one: jobs find out
  // at their next checkpoint or end.
  work->waiting.fetch_sub(1, std::memory_order_relaxed);
}

CompileThreads::CompileThreads() {
  // fork() runs handlers backwards: jobs must come to rest, for which they need
  // these mutexes, before those are taken.
  ForkMutex registered;
  static const int handlers = pthread_atfork(
      [] {
        if (auto *threads = PerProcess<CompileThreads>::ifMade())
          threads->pause();
      },
      [] {
        if (auto *threads = PerProcess<CompileThreads>::ifMade())
          threads->resume();
      },
      nullptr);
  static_cast<void>(handlers);
}

CompileThreads &CompileThreads::process() {
  return PerProcess<CompileThreads>::get();
}

bool CompileThreads::submit(std::function<void()> job,
                            std::shared_ptr<CompileWork> work) {
  if (!work)
    work = std::make_shared<CompileWork>();
  std::lock_guard lock(mutex);
  cpus = availableThreads();
  jobs.push_back({*this, std::move(job), std::move(work), Clock::now()});
  reconsider();
  if (threads == 0)
    jobs.pop_back();
  return threads != 0;
}

void CompileThreads::runAndWait(const std::function<void()> &job) {
  struct {
    std::mutex mutex;
    std::condition_variable changed;
    bool isDone = false;
  } wait;
  auto work = std::make_shared<CompileWork>();
  Waiting waiting(work);
  bool taken = process().submit(
      [&] {
        job();
        // Under the mutex: the waiter destroys what is notified.
        std::lock_guard lock(wait.mutex);
        wait.isDone = true;
        wait.changed.notify_one();
      },
      work);
  if (!taken)
    return job();
  std::unique_lock lock(wait.mutex);
  wait.changed.wait(lock, [&] { return wait.isDone; });
}

std::shared_ptr<CompileWork> CompileThreads::currentWork() {
  return current ? current->work : nullptr;
}

std::chrono::nanoseconds CompileThreads::waitedFor() {
  return current ? current->waited : std::chrono::nanoseconds(0);
}

int64_t CompileThreads::numCheckpoints() { return numPassed; }

void CompileThreads::checkpoint() {
  ++numPassed;
  if (current)
    current->home.yield(*current);
}

void CompileThreads::yield(Job &job) {
  if (!forking && (!isAnyAwaited || job.work->isAwaited()))
    return;
  std::unique_lock lock(mutex);
  if (!mayGoOn(job))
    pause(job, lock, {});
  else if (numBegun(true) ==
           0) // no thread waits any more: others may go on, too
    reconsider();
}

void CompileThreads::rest(const std::function<void()> &wait) {
  if (!current)
    return wait();
  std::unique_lock lock(current->home.mutex);
  current->home.pause(*current, lock, wait);
}

void CompileThreads::pause(Job &job, std::unique_lock<std::mutex> &lock,
                           const std::function<void()> &wait) {
  job.state = State::Paused;
  reconsider();
  if (wait) {
    lock.unlock();
    wait();
    lock.lock();
  }
  Clock::time_point begin = Clock::now();
  changed.wait(lock, [&] { return mayGoOn(job); });
  job.state = State::Running;
  job.waited += Clock::now() - begin;
}

int CompileThreads::numThreads() const {
  std::lock_guard lock(mutex);
  return threads;
}

int CompileThreads::numPaused() const {
  std::lock_guard lock(mutex);
  return count([](const Job &job) { return job.state == State::Paused; });
}

/// The caller holds the mutex here and below.
int CompileThreads::numBegun(bool isAwaited) const {
  return count([&](const Job &job) {
    return job.hasThread() && job.work->isAwaited() == isAwaited;
  });
}

/// Whether a job in the background, or one more for null, may go on.
bool CompileThreads::hasCpuFor(const Job *background) const {
  // What is waited for and has no thread needs one of those that go on.
  int awaited = numBegun(true);
  if (awaited == 0)
    return true;
  return awaited + count([&](const Job &job) {
           return &job != background && job.isGoingOn() &&
                  !job.work->isAwaited();
         }) <
         cpus;
}

bool CompileThreads::mayGoOn(const Job &job) const {
  return !forking && (job.work->isAwaited() || hasCpuFor(&job));
}

/// The job that is to begin now; null for none.
CompileThreads::Job *CompileThreads::next() {
  auto first = [&](bool isAwaited) -> Job * {
    auto found = std::find_if(jobs.begin(), jobs.end(), [&](const Job &job) {
      return !job.hasThread() && job.work->isAwaited() == isAwaited;
    });
    return found == jobs.end() ? nullptr : &*found;
  };
  Job *job = numBegun(true) < mostOfAKind() ? first(true) : nullptr;
  if (!job && numBegun(false) < mostOfAKind() && hasCpuFor(nullptr))
    job = first(false);
  return job;
}

/// Begins jobs, and lets those go on that may. For all that changes the answer.
void CompileThreads::reconsider() {
  while (Job *job = next()) {
    if (count(std::mem_fn(&Job::hasThread)) >= threads && !addThread())
      break;
    job->state = State::Begun;
  }
  isAnyAwaited = numBegun(true) != 0;
  changed.notify_all();
}

bool CompileThreads::addThread() {
  if (threads >= 2 * mostOfAKind())
    return false;
  BlockedSignals blocked;
  auto start = [](void *threads) -> void * {
    static_cast<CompileThreads *>(threads)->loop();
    return nullptr;
  };
  bool isMade = false;
  for (size_t bytes = stackBytes; !isMade && bytes >= size_t(1) << 20;
       bytes /= 4) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, bytes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    isMade = pthread_create(&thread, &attributes, start, this) == 0;
    if (isMade)
      pthread_setname_np(thread, "kiln-compile");
    pthread_attr_destroy(&attributes);
  }
  threads += isMade;
  return isMade;
}

void CompileThreads::loop() {
  std::unique_lock lock(mutex);
  for (;;) {
    auto job = jobs.end();
    changed.wait(lock, [&] {
      job = std::find_if(jobs.begin(), jobs.end(), [](const Job &each) {
        return each.state == State::Begun;
      });
      return !forking && job != jobs.end();
    });
    job->state = State::Running;
    job->waited = Clock::now() - job->submitted;
    current = &*job;
    lock.unlock();
    job->run();
    job->run = nullptr; // what the job holds may be large
    lock.lock();
    current = nullptr;
    jobs.erase(job);
    reconsider();
  }
}

void CompileThreads::pause() {
  std::unique_lock lock(mutex);
  forking = true;
  changed.wait(lock, [&] {
    return count([](const Job &job) { return job.state == State::Running; }) ==
           0;
  });
}

void CompileThreads::resume() {
  {
    std::lock_guard lock(mutex);
    forking = false;
  }
  changed.notify_all();
}

} // namespace kiln

// Static objects of the compiler are never destroyed.
//
// exit() destroys static objects while other threads go on. LLVM and MLIR make
// theirs when they first need them, on a compile thread and in the middle of a
// step, and would lose them under its hands. No handler of exit() can stop the
// thread before that: handlers run backwards, and whatever is registered before
// such an object is made comes too late. So they stay, and a compilation may go
// on until the process ends, which then waits for none of them.
//
// All code says with this function what exit() is to destroy. libkiln.so, where
// the compiler is inside, keeps it to itself (exports.map) and destroys none of
// its objects. A program of this tree has the compiler in shared libraries and
// exports it, so that they find it before libc's.

/// A function of the sanitizers, in programs that have one.
extern "C" [[gnu::weak]] int
__interceptor___cxa_atexit(void (*)(void *), void *, void *); // NOLINT
extern "C" [[gnu::visibility("hidden")]] void *__dso_handle;  // NOLINT

extern "C" [[gnu::visibility("default")]] int
__cxa_atexit(void (*destroy)(void *), void *object, void *library) { // NOLINT
  dl_find_object found;
  if (_dl_find_object(library, &found) == 0) {
    auto holds = [&](auto *function) {
      auto *address = reinterpret_cast<void *>(function);
      return address >= found.dlfo_map_start && address < found.dlfo_map_end;
    };
    using EmitError = mlir::InFlightDiagnostic (*)(mlir::Location);
    if (holds(&llvm::errs) || holds(static_cast<EmitError>(&mlir::emitError)))
      return 0;
  }
  // Kiln's own; a function that is given to atexit() has no object.
  if (library == &__dso_handle && object)
    return 0;
  if (__interceptor___cxa_atexit)
    return __interceptor___cxa_atexit(destroy, object, library);
  static const auto next = reinterpret_cast<decltype(&__cxa_atexit)>(
      dlsym(RTLD_NEXT, "__cxa_atexit"));
  return next(destroy, object, library);
}
