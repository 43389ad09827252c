// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One queue, what fork() does with it, and why exit() need not ask it.
#include "lib/JIT/CompileThreads.h"

#include "runtime/BlockedSignals.h"
#include "runtime/ForkMutex.h"
#include "runtime/PerProcess.h"
#include "runtime/ThreadPool.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <dlfcn.h>
#include <pthread.h>

namespace kiln {
namespace {

/// The threads that this thread is one of.
thread_local CompileThreads *home = nullptr;

} // namespace

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

bool CompileThreads::submit(std::function<void()> job) {
  {
    std::lock_guard lock(mutex);
    int most = std::max(availableThreads(), 2);
    if (static_cast<int>(jobs.size()) >= idle && threads < most &&
        !addThread() && threads == 0)
      return false;
    jobs.push_back(std::move(job));
  }
  changed.notify_all();
  return true;
}

void CompileThreads::runAndWait(const std::function<void()> &job) {
  struct {
    std::mutex mutex;
    std::condition_variable changed;
    bool isDone = false;
  } wait;
  bool taken = process().submit([&] {
    job();
    // Under the mutex: the waiter destroys what is notified.
    std::lock_guard lock(wait.mutex);
    wait.isDone = true;
    wait.changed.notify_one();
  });
  if (!taken)
    return job();
  std::unique_lock lock(wait.mutex);
  wait.changed.wait(lock, [&] { return wait.isDone; });
}

void CompileThreads::checkpoint() {
  if (!home || !home->forking)
    return;
  CompileThreads &self = *home;
  std::unique_lock lock(self.mutex);
  --self.working;
  self.changed.notify_all();
  self.changed.wait(lock, [&] { return !self.forking; });
  ++self.working;
}

int CompileThreads::numThreads() const {
  std::lock_guard lock(mutex);
  return threads;
}

/// The caller holds the mutex.
bool CompileThreads::addThread() {
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
  home = this;
  std::unique_lock lock(mutex);
  for (;;) {
    ++idle;
    changed.wait(lock, [&] { return !jobs.empty() && !forking; });
    --idle;
    {
      std::function<void()> job = std::move(jobs.front());
      jobs.pop_front();
      ++working;
      lock.unlock();
      job();
    } // what the job holds may be large
    lock.lock();
    --working;
    changed.notify_all();
  }
}

void CompileThreads::pause() {
  std::unique_lock lock(mutex);
  forking = true;
  changed.wait(lock, [&] { return working == 0; });
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
// on until the process ends, which then waits for nobody.
//
// All code says with this function what exit() is to destroy. libkiln.so, where
// the compiler is inside, keeps it to itself (exports.map) and destroys none of
// its objects. A program of this tree has the compiler in shared libraries and
// exports it, so that they find it before libc's.

/// Of the sanitizers, in programs that have one.
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
