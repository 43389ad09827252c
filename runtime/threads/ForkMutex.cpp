// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of all ForkMutexes and what fork() does with it.
#include "runtime/threads/ForkMutex.h"

#include <cassert>
#include <pthread.h>

namespace kiln {

/// `mutex` guards the list; fork() holds it, too.
class ForkMutexes {
public:
  static ForkMutexes &get() {
    // Never destroyed: mutexes of static objects outlive it otherwise.
    static ForkMutexes &all = *new ForkMutexes;
    return all;
  }

  void add(ForkMutex *added) {
    std::lock_guard guard(mutex);
    added->next = first;
    if (first)
      first->previous = added;
    first = added;
  }
  void remove(ForkMutex *removed) {
    std::lock_guard guard(mutex);
    (removed->previous ? removed->previous->next : first) = removed->next;
    if (removed->next)
      removed->next->previous = removed->previous;
  }

private:
  ForkMutexes() {
    pthread_atfork([] { get().lockAll(); }, [] { get().unlockAll(); },
                   [] { get().unlockAll(); });
  }
  void lockAll() {
    ForkMutex::assertHoldsNone();
    mutex.lock();
    for (ForkMutex *each = first; each; each = each->next)
      each->mutex.lock();
  }
  void unlockAll() {
    for (ForkMutex *each = first; each; each = each->next)
      each->mutex.unlock();
    mutex.unlock();
  }

  std::mutex mutex;
  ForkMutex *first = nullptr;
};

#ifndef NDEBUG
static thread_local bool holdsOne = false;

void ForkMutex::assertHoldsNone() {
  assert(!holdsOne && "a thread with a ForkMutex needs another one");
}
void ForkMutex::noteHeld(bool isHeld) { holdsOne = isHeld; }
#endif

ForkMutex::ForkMutex() {
  assertHoldsNone();
  ForkMutexes::get().add(this);
}
ForkMutex::~ForkMutex() {
  assertHoldsNone();
  ForkMutexes::get().remove(this);
}

} // namespace kiln
