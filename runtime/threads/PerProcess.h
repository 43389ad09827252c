// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One object per process that owns threads, made on first use and made anew in
// a forked child.
#ifndef KILN_RUNTIME_THREADS_PERPROCESS_H
#define KILN_RUNTIME_THREADS_PERPROCESS_H

#include <atomic>
#include <mutex>
#include <pthread.h>

namespace kiln {

/// How many times this process is the child of a fork() since Kiln first asked.
/// Tells what belongs to threads of the parent. **Cost**: a load.
inline int processGeneration() {
  static std::atomic<int> generation{0};
  static const int registered = pthread_atfork(nullptr, nullptr, [] {
    generation.fetch_add(1, std::memory_order_relaxed);
  });
  static_cast<void>(registered);
  return generation.load(std::memory_order_relaxed);
}

/// Holds the process's T. In a child of fork() the parent's threads do not
/// exist: its T is left alone there (it can be neither used nor destroyed) and
/// get() makes another.
///
/// Ownership: never destroyed. Thread safety: get(); `mutex` guards making.
template <class T> class PerProcess {
public:
  static T &get() {
    if (T *object = instance.load(std::memory_order_acquire))
      return *object;
    std::lock_guard guard(mutex);
    T *object = instance.load(std::memory_order_relaxed);
    if (!object) {
      static const int registered = pthread_atfork(
          [] { mutex.lock(); }, [] { mutex.unlock(); }, afterForkInChild);
      static_cast<void>(registered);
      object = new T;
      instance.store(object, std::memory_order_release);
    }
    return *object;
  }

  /// Null before the first get() in this process.
  static T *ifMade() { return instance.load(std::memory_order_acquire); }

private:
  static void afterForkInChild() {
    // Still pointed to, so that leak checkers do not count it.
    abandoned = instance.exchange(nullptr, std::memory_order_relaxed);
    mutex.unlock();
  }
  static inline std::atomic<T *> instance{nullptr};
  static inline T *abandoned = nullptr;
  static inline std::mutex mutex;
};

} // namespace kiln

#endif // KILN_RUNTIME_THREADS_PERPROCESS_H
