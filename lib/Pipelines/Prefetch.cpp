// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that makes elements ahead of who asks for them.
#include "lib/Pipelines/Datasets.h"
#include "lib/Pipelines/Rows.h"
#include "lib/Support/CallWithMemory.h"
#include "lib/Support/StatusMacros.h"
#include "runtime/threads/BlockedSignals.h"
#include "runtime/threads/Cancel.h"
#include "runtime/threads/ForkMutex.h"
#include "runtime/threads/Futex.h"
#include "runtime/threads/PerProcess.h"
#include "runtime/threads/ThreadPool.h"

#include <deque>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace kiln {
namespace {

/// Makes elements of its input while its buffer has room.
///
/// Thread safety: one consumer; `mutex` guards what both threads use. The
/// thread has the input from the first element to its end. In a child of
/// fork() the thread does not exist: another one takes its place, unless it
/// was in the input when the process forked.
class Prefetcher {
public:
  Prefetcher(IteratorPtr input, const PrefetchSpec &spec,
             std::shared_ptr<StreamTable> streams)
      : input(std::move(input)), spec(spec), streams(std::move(streams)) {}
  /// The thread must have ended.
  ~Prefetcher() = default;

  StatusOr<bool> next(Element &element, PullContext &pull);
  Status save(StateWriter &to);
  Status restore(StateReader &from, PullContext &pull);
  /// Ends the thread, and waits for it. False where it is lost, and what it
  /// was in with it.
  bool end();

private:
  /// An element, or the error that took its place.
  struct Made {
    Status status;
    Element element;
    int64_t bytes = 0;
  };

  Status beginThread(const PullContext &pull);
  bool isThreadHere() const { return generation == processGeneration(); }
  Status lostError() const;
  /// Keeps the thread out of the input while it lives.
  class Pause;
  std::optional<StatusOr<bool>> takeMade(Element &element);
  void makeAll(int depth);
  bool waitForRoom();
  bool hasRoom() const {
    return !isPaused && (made.empty() || isBelowBounds());
  }
  bool isBelowBounds() const {
    return made.size() < static_cast<size_t>(spec.bufferSize) &&
           heldBytes < spec.maxBytes;
  }
  /// Nothing is the end.
  void give(std::optional<Made> next);

  const IteratorPtr input;
  const PrefetchSpec spec;
  const std::shared_ptr<StreamTable> streams; ///< of the functions behind it
  CancelToken token;                          ///< of what the thread does
  std::optional<std::thread> thread;
  int generation = 0;    ///< the process that the thread was begun in
  bool isAlone = false;  ///< no thread is to be had
  bool hasBegun = false; ///< a thread, at some time

  ForkMutex mutex;
  std::deque<Made> made;                    ///< guarded
  int64_t heldBytes = 0;                    ///< guarded
  bool hasEnded = false;                    ///< guarded: the input
  bool isPaused = false;                    ///< guarded: the thread
  bool mustEnd = false;                     ///< guarded: the thread
  bool isMaking = false;                    ///< guarded: it is in the input
  bool isWaiting = false;                   ///< guarded: it waits for room
  std::atomic<uint32_t> given{0}, taken{0}; ///< events
};

Status Prefetcher::beginThread(const PullContext &pull) {
  if (isAlone || (hasBegun && isThreadHere()))
    return okStatus();
  {
    std::lock_guard lock(mutex);
    if (isMaking)
      return lostError();
    if (hasEnded) // as it was restored
      return okStatus();
    isWaiting = false;
  }
  if (thread) // of the parent: it can be neither joined nor let go of
    new std::thread(*std::move(thread));
  try {
    BlockedSignals blocked;
    thread.emplace([this, depth = pull.depth] { makeAll(depth); });
  } catch (const std::system_error &) {
    thread.reset();
    isAlone = true;
    return okStatus();
  }
  pthread_setname_np(thread->native_handle(), "kiln-prefetch");
  generation = processGeneration();
  hasBegun = true;
  return okStatus();
}

Status Prefetcher::lostError() const {
  return failedPreconditionError(
      "expected an iterator whose prefetching thread made no element when the "
      "process forked");
}

StatusOr<bool> Prefetcher::next(Element &element, PullContext &pull) {
  constexpr int64_t pollNanoseconds = 5'000'000;
  KILN_RETURN_IF_ERROR(beginThread(pull));
  for (;;) {
    const uint32_t seen = given.load(std::memory_order_acquire);
    if (auto has = takeMade(element))
      return *std::move(has);
    if (isAlone)
      return input->next(element, pull);
    KILN_RETURN_IF_ERROR(pull.poll());
    futexWait(given, seen, pollNanoseconds);
  }
}

std::optional<StatusOr<bool>> Prefetcher::takeMade(Element &element) {
  Made next;
  bool mayGoOn = false;
  {
    std::lock_guard lock(mutex);
    if (made.empty())
      return hasEnded ? std::optional<StatusOr<bool>>(false) : std::nullopt;
    next = std::move(made.front());
    made.pop_front();
    heldBytes -= next.bytes;
    // Not for each element: a wake-up costs more than many of them.
    mayGoOn =
        isWaiting && made.size() <= static_cast<size_t>(spec.bufferSize) / 2;
    if (mayGoOn) {
      isWaiting = false;
      taken.fetch_add(1, std::memory_order_release);
    }
  }
  if (mayGoOn)
    futexWake(taken, 1);
  element = std::move(next.element);
  return next.status.ok() ? StatusOr<bool>(true) : std::move(next.status);
}

void Prefetcher::makeAll(int depth) {
  RunContext context;
  KilnRunState state = makeRunState(&context);
  const WaitControl wait{.cancel = &token};
  WaitScope scope(wait, &state);
  PullContext pull{
      .state = &state, .wait = &wait, .streams = streams.get(), .depth = depth};
  while (waitForRoom()) {
    Made next;
    bool isThere = true;
    next.status = callWithMemory([&]() -> Status {
      KILN_ASSIGN_OR_RETURN(isThere, input->next(next.element, pull));
      return okStatus();
    });
    if (!isThere)
      return give(std::nullopt);
    if (!next.status.ok())
      next.element.clear();
    next.bytes = HeldBytes::bytesOf(next.element);
    give(std::move(next));
  }
}

bool Prefetcher::waitForRoom() {
  for (;;) {
    const uint32_t seen = taken.load(std::memory_order_acquire);
    {
      std::lock_guard lock(mutex);
      if (mustEnd)
        return false;
      isMaking = hasRoom();
      isWaiting = !isMaking;
      if (isMaking)
        return true;
    }
    futexWait(taken, seen);
  }
}

void Prefetcher::give(std::optional<Made> next) {
  {
    std::lock_guard lock(mutex);
    isMaking = false;
    if (next) {
      heldBytes += next->bytes;
      made.push_back(*std::move(next));
    } else {
      hasEnded = true;
    }
    given.fetch_add(1, std::memory_order_release);
  }
  futexWake(given, 1);
}

class Prefetcher::Pause {
public:
  explicit Pause(Prefetcher &of) : of(of) {
    for (;;) {
      const uint32_t seen = of.given.load(std::memory_order_acquire);
      {
        std::lock_guard lock(of.mutex);
        of.isPaused = true;
        if (!of.isMaking || !of.isThreadHere())
          return;
      }
      futexWait(of.given, seen);
    }
  }
  ~Pause() {
    {
      std::lock_guard lock(of.mutex);
      of.isPaused = false;
      of.taken.fetch_add(1, std::memory_order_release);
    }
    futexWake(of.taken, 1);
  }
  Pause(const Pause &) = delete;
  Pause &operator=(const Pause &) = delete;

private:
  Prefetcher &of;
};

Status Prefetcher::save(StateWriter &to) {
  Pause pause(*this);
  // The thread, which is not in the input, changes nothing meanwhile.
  if (isMaking)
    return lostError();
  to.name("Prefetch");
  to.number(static_cast<int64_t>(made.size()));
  for (const Made &each : made) {
    to.status(each.status);
    if (each.status.ok())
      to.element(each.element);
  }
  to.flag(hasEnded);
  return hasEnded ? okStatus() : input->save(to);
}

Status Prefetcher::restore(StateReader &from, PullContext &pull) {
  // No thread has begun.
  int64_t count = 0;
  KILN_RETURN_IF_ERROR(from.name("Prefetch"));
  KILN_RETURN_IF_ERROR(from.number(count, 0));
  for (int64_t i = 0; i < count; ++i) {
    Made each;
    KILN_RETURN_IF_ERROR(from.status(each.status));
    if (each.status.ok())
      KILN_RETURN_IF_ERROR(from.element(each.element));
    each.bytes = HeldBytes::bytesOf(each.element);
    heldBytes += each.bytes;
    made.push_back(std::move(each));
  }
  KILN_RETURN_IF_ERROR(from.flag(hasEnded));
  return hasEnded ? okStatus() : input->restore(from, pull);
}

bool Prefetcher::end() {
  if (!thread)
    return true;
  if (!isThreadHere()) {
    new std::thread(*std::move(thread));
    std::lock_guard lock(mutex);
    return !isMaking;
  }
  {
    std::lock_guard lock(mutex);
    mustEnd = true;
    taken.fetch_add(1, std::memory_order_release);
  }
  futexWake(taken, 1);
  token.cancel();
  thread->join();
  return true;
}

class PrefetchIterator final : public DatasetIterator {
public:
  explicit PrefetchIterator(std::unique_ptr<Prefetcher> prefetcher)
      : prefetcher(std::move(prefetcher)) {}
  ~PrefetchIterator() override {
    if (!prefetcher->end())
      static_cast<void>(prefetcher.release());
  }
  StatusOr<bool> next(Element &element, PullContext &pull) override {
    return prefetcher->next(element, pull);
  }
  Status save(StateWriter &to) const override { return prefetcher->save(to); }
  Status restore(StateReader &from, PullContext &pull) override {
    return prefetcher->restore(from, pull);
  }

private:
  std::unique_ptr<Prefetcher> prefetcher;
};

class Prefetched final : public Dataset {
public:
  Prefetched(DatasetPtr input, PrefetchSpec spec)
      : Dataset(input), input(std::move(input)), spec(spec) {}
  int64_t cardinality() const override { return input->cardinality(); }
  int64_t rowsOfElements() const override { return input->rowsOfElements(); }
  StatusOr<IteratorPtr> iterate(IterationState &state) const override {
    KILN_ASSIGN_OR_RETURN(IteratorPtr of, input->iterate(state.input(0)));
    return std::make_unique<PrefetchIterator>(std::make_unique<Prefetcher>(
        std::move(of), spec,
        state.keep<StreamTable>([] { return new StreamTable; })));
  }

private:
  const DatasetPtr input;
  const PrefetchSpec spec;
};

} // namespace

DatasetPtr prefetched(DatasetPtr input, PrefetchSpec spec) {
  if (spec.bufferSize == 0)
    return input;
  if (spec.bufferSize < 0)
    spec.bufferSize = availableThreads();
  return std::make_shared<Prefetched>(std::move(input), spec);
}

} // namespace kiln
