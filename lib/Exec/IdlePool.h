// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects that wait for the next run, the last one used first.
#ifndef KILN_LIB_EXEC_IDLEPOOL_H
#define KILN_LIB_EXEC_IDLEPOOL_H

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace kiln {

/// Thread safety: all functions; `hot` is atomic, `mutex` guards `colder`.
/// **Cost**: an atomic exchange while one thread uses it.
template <class T> class IdlePool {
public:
  IdlePool() = default;
  IdlePool(const IdlePool &) = delete;
  IdlePool &operator=(const IdlePool &) = delete;
  ~IdlePool() { clear(); }

  /// Null when there is none.
  std::unique_ptr<T> take() {
    if (T *object = hot.exchange(nullptr, std::memory_order_acquire))
      return std::unique_ptr<T>(object);
    std::lock_guard lock(mutex);
    if (colder.empty())
      return nullptr;
    auto object = std::move(colder.back());
    colder.pop_back();
    return object;
  }
  void giveBack(std::unique_ptr<T> object) {
    if (T *previous = hot.exchange(object.release(), std::memory_order_acq_rel))
        [[unlikely]]
      keep(std::unique_ptr<T>(previous));
  }
  void clear() {
    delete hot.exchange(nullptr, std::memory_order_acquire);
    std::vector<std::unique_ptr<T>> dropped;
    std::lock_guard lock(mutex);
    dropped.swap(colder);
  }
  /// Forgets objects that must not be destroyed. One thread.
  void abandon() {
    (void)hot.exchange(nullptr);
    for (auto &object : colder)
      (void)object.release();
    colder.clear();
  }

private:
  void keep(std::unique_ptr<T> object) {
    std::lock_guard lock(mutex);
    if (colder.size() < maxColder)
      colder.push_back(std::move(object));
  }

  /// A frame is a few hundred bytes: enough for the threads that one expects.
  static constexpr size_t maxColder = 64;

  std::atomic<T *> hot{nullptr};
  std::mutex mutex;
  std::vector<std::unique_ptr<T>> colder;
};

} // namespace kiln

#endif // KILN_LIB_EXEC_IDLEPOOL_H
