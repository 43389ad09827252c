// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is cancelled when SIGINT comes.
#include "python/bind/Interrupt.h"

#include "python/bind/Gil.h"
#include "python/bind/SignalHook.h"

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <thread>

namespace kiln::python {
namespace {

namespace nb = nanobind;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

/// A run this short is not worth a thread.
constexpr int64_t shortNs = 20'000'000;
/// How often a handler of the user's is called.
constexpr auto handlerPeriod = 50ms;
/// signal.signal() takes longer than this, and sigaction() 0.3 µs.
constexpr auto hookPeriod = 5us;

/// The main thread's runs, and the thread that cancels them.
///
/// `run` and `isCancelling` are atomics that order the two: the canceller says
/// that it is about to and then looks for a run, the main thread takes its run
/// back and then waits while that is said. The GIL guards the others.
struct Interrupts {
  std::atomic<Cancellation *> run{nullptr};
  std::atomic<bool> isCancelling{false};
  std::atomic<bool> wasInterrupted{false};
  sem_t wake;
  bool hasThread = false;
  pthread_t mainThread{};
  enum class Handler { None, Pythons, Users } handler = Handler::None;
  Clock::time_point hookedAt{};
  /// For the next run of the main thread; a new one after each that was used.
  std::unique_ptr<Cancellation> cancellation;
};

/// Never destroyed: the thread uses it until the process ends.
Interrupts &state() {
  static auto *const interrupts = new Interrupts;
  return *interrupts;
}

/// In the signal handler.
void notify() {
  Interrupts &interrupts = state();
  if (interrupts.run.load())
    sem_post(&interrupts.wake);
}

void cancelInterrupted() {
  Interrupts &interrupts = state();
  while (true) {
    if (sem_wait(&interrupts.wake) != 0)
      continue;
    interrupts.isCancelling.store(true);
    if (Cancellation *run = interrupts.run.load()) {
      interrupts.wasInterrupted.store(true);
      run->cancel();
    }
    interrupts.isCancelling.store(false);
  }
}

void startThread() {
  sigset_t all, before;
  sigfillset(&all);
  // Signals are the main thread's.
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread(cancelInterrupted).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

/// Looks whose handler is installed, now and then.
void followHandlers(Interrupts &interrupts) {
  Clock::time_point now = Clock::now();
  if (now - interrupts.hookedAt < hookPeriod) [[likely]]
    return;
  interrupts.hookedAt = now;
  InterruptHook hook = hookInterrupt(notify);
  if (hook == InterruptHook::Kept) [[likely]]
    return;
  interrupts.handler = Interrupts::Handler::None;
  if (hook == InterruptHook::None)
    return;
  nb::module_ signal = nb::module_::import_("_signal");
  nb::object handler = signal.attr("getsignal")(SIGINT);
  interrupts.handler = handler.is(signal.attr("default_int_handler"))
                           ? Interrupts::Handler::Pythons
                           : Interrupts::Handler::Users;
}

void checkSignals() {
  if (PyErr_CheckSignals() < 0)
    throw nb::python_error();
}

/// Makes a run the one to cancel; runs of handlers and callbacks are nested.
class Announced {
public:
  Announced(Interrupts &interrupts, Cancellation *run)
      : interrupts(interrupts), outer(interrupts.run.exchange(run)) {}
  ~Announced() {
    interrupts.run.store(outer);
    while (interrupts.isCancelling.load()) [[unlikely]]
      std::this_thread::yield();
  }

private:
  Interrupts &interrupts;
  Cancellation *const outer;
};

Status runHere(Interrupts &interrupts, const RunWork &work) {
  std::unique_ptr<Cancellation> cancellation =
      std::move(interrupts.cancellation);
  if (!cancellation)
    cancellation = std::make_unique<Cancellation>();
  if (!interrupts.hasThread) [[unlikely]]
    startThread();
  interrupts.hasThread = true;
  Status status;
  {
    Announced announced(interrupts, cancellation.get());
    checkSignals(); // those that came before the announcement
    ReleasedGil released;
    status = work(cancellation.get());
  }
  if (!cancellation->isCancelled()) [[likely]]
    interrupts.cancellation = std::move(cancellation);
  if (interrupts.wasInterrupted.exchange(false)) [[unlikely]]
    checkSignals();
  return status;
}

Status runBeside(const RunWork &work) {
  Cancellation cancellation;
  Status status;
  std::mutex mutex;
  std::condition_variable ended;
  bool isDone = false;
  ReleasedGil released;
  std::thread worker([&] {
    Status result = work(&cancellation);
    std::lock_guard lock(mutex);
    status = std::move(result);
    isDone = true;
    ended.notify_one();
  });
  bool hasRaised = false;
  while (!hasRaised) {
    {
      std::unique_lock lock(mutex);
      if (ended.wait_for(lock, handlerPeriod, [&] { return isDone; }))
        break;
    }
    nb::gil_scoped_acquire acquire;
    hasRaised = PyErr_CheckSignals() < 0;
  }
  if (hasRaised)
    cancellation.cancel();
  worker.join();
  if (hasRaised) {
    nb::gil_scoped_acquire acquire;
    throw nb::python_error();
  }
  return status;
}

} // namespace

Status runInterruptibly(RunWork work, int64_t &lastNs) {
  Interrupts &interrupts = state();
  using Handler = Interrupts::Handler;
  bool isMain = pthread_equal(pthread_self(), interrupts.mainThread);
  if (isMain)
    followHandlers(interrupts);
  if (!isMain || interrupts.handler == Handler::None) {
    ReleasedGil released;
    return work(nullptr);
  }
  if (interrupts.handler == Handler::Pythons) [[likely]]
    return runHere(interrupts, work);
  Clock::time_point start = Clock::now();
  Status status;
  if (lastNs < shortNs) {
    ReleasedGil released;
    status = work(nullptr);
  } else {
    status = runBeside(work);
  }
  lastNs = std::chrono::nanoseconds(Clock::now() - start).count();
  return status;
}

void initInterrupts() {
  Interrupts &interrupts = state();
  sem_init(&interrupts.wake, 0, 0);
  nb::object thread = nb::module_::import_("threading").attr("main_thread")();
  interrupts.mainThread =
      static_cast<pthread_t>(nb::cast<uintptr_t>(thread.attr("ident")));
  pthread_atfork(nullptr, nullptr, [] {
    // The forking thread is the child's main one, and its only one.
    Interrupts &interrupts = state();
    interrupts.mainThread = pthread_self();
    sem_init(&interrupts.wake, 0, 0);
    interrupts.run.store(nullptr);
    interrupts.isCancelling.store(false);
    interrupts.wasInterrupted.store(false);
    interrupts.hasThread = false;
  });
}

} // namespace kiln::python
