// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One queue, and what fork() and exit() do with it.
#include "lib/JIT/CompileThreads.h"

#include "runtime/ForkMutex.h"
#include "runtime/PerProcess.h"
#include "runtime/ThreadPool.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
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
  std::atexit(stopProcess);
}

CompileThreads &CompileThreads::process() {
  return PerProcess<CompileThreads>::get();
}

bool CompileThreads::submit(std::function<void()> job) {
  {
    std::lock_guard lock(mutex);
    if (ending)
      return false;
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

Status CompileThreads::checkpoint() {
  if (!home)
    return okStatus();
  CompileThreads &self = *home;
  if (self.forking) {
    std::unique_lock lock(self.mutex);
    --self.working;
    self.changed.notify_all();
    self.changed.wait(lock, [&] { return !self.forking; });
    ++self.working;
  }
  return self.ending ? cancelledError("the process ends") : okStatus();
}

int CompileThreads::numThreads() const {
  std::lock_guard lock(mutex);
  return threads;
}

/// The caller holds the mutex.
bool CompileThreads::addThread() {
  // Signals are for the program's own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
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
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  threads += isMade;
  return isMade;
}

void CompileThreads::loop() {
  home = this;
  std::unique_lock lock(mutex);
  for (;;) {
    ++idle;
    changed.wait(lock, [&] { return !jobs.empty() && !forking && !ending; });
    --idle;
    {
      std::function<void()> job = std::move(jobs.front());
      jobs.pop_front();
      ++working;
      lock.unlock();
      job();
    } // what the job holds may be large
    // Handlers run backwards, and by now the compiler has made the static
    // objects that it makes at its first use.
    static const int registered = std::atexit(stopProcess);
    static_cast<void>(registered);
    lock.lock();
    --working;
    changed.notify_all();
  }
}

void CompileThreads::stopProcess() {
  if (auto *threads = PerProcess<CompileThreads>::ifMade())
    threads->stop();
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

void CompileThreads::stop() {
  std::unique_lock lock(mutex);
  ending = true;
  changed.wait(lock, [&] { return working == 0; });
}

} // namespace kiln
