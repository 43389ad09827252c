// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mutex that no child of fork() finds locked by a thread that it does not
// have.
#ifndef KILN_RUNTIME_THREADS_FORKMUTEX_H
#define KILN_RUNTIME_THREADS_FORKMUTEX_H

#include <mutex>

namespace kiln {

/// A std::mutex that fork() takes in the parent and gives back in parent and
/// child, so that what it guards is whole in both.
///
/// For leaf mutexes that are held shortly: fork() waits for each of them.
/// Invariant: a thread that holds one takes, makes and destroys no other and
/// does not fork; otherwise fork() and the thread may wait for each other.
/// Builds with asserts check it. **Cost**: locking is that of std::mutex;
/// making and destroying one takes a mutex of the process.
class ForkMutex {
public:
  ForkMutex();
  ~ForkMutex();
  ForkMutex(const ForkMutex &) = delete;
  ForkMutex &operator=(const ForkMutex &) = delete;

  void lock() {
    assertHoldsNone();
    mutex.lock();
    noteHeld(true);
  }
  bool try_lock() {
    assertHoldsNone();
    bool isTaken = mutex.try_lock();
    if (isTaken)
      noteHeld(true);
    return isTaken;
  }
  void unlock() {
    noteHeld(false);
    mutex.unlock();
  }

private:
  friend class ForkMutexes;
#ifdef NDEBUG
  static void assertHoldsNone() {}
  static void noteHeld(bool) {}
#else
  /// Both are about the calling thread.
  static void assertHoldsNone();
  static void noteHeld(bool isHeld);
#endif

  std::mutex mutex;
  ForkMutex *previous = nullptr, *next = nullptr;
};

} // namespace kiln

#endif // KILN_RUNTIME_THREADS_FORKMUTEX_H
