// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for the temporaries of runs: arenas that a session's runs take and
// give back.
#ifndef KILN_RUNTIME_MEMORY_ARENAPOOL_H
#define KILN_RUNTIME_MEMORY_ARENAPOOL_H

#include "kiln/Status.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace kiln {

class ArenaPool;

/// One run's temporaries; goes back to its pool in the end.
///
/// Invariants: data() is 64-byte aligned with size() bytes or more behind it,
/// null only for size 0. Thread safety: as an int. The pool must outlive it.
class Arena {
public:
  Arena() noexcept = default;
  Arena(Arena &&other) noexcept
      : pool(std::exchange(other.pool, nullptr)),
        block(std::exchange(other.block, nullptr)) {}
  Arena &operator=(Arena &&other) noexcept {
    std::swap(pool, other.pool);
    std::swap(block, other.block);
    return *this;
  }
  ~Arena();

  void *data() const noexcept;
  /// The bytes that may be used: at least what was asked for.
  size_t size() const noexcept;

private:
  friend class ArenaPool;
  struct Block {
    void *data;
    size_t bytes;
  };
  Arena(ArenaPool *pool, Block *block) noexcept : pool(pool), block(block) {}

  ArenaPool *pool = nullptr;
  Block *block = nullptr;
};

/// The free list of one session's arenas, which programs of all sizes share:
/// there are as many as runs at once, each as large as the largest of them.
///
/// Invariants: (1) an arena belongs to one run at a time; (2) arenas grow to
/// the largest size asked for and do not shrink, so that a steady state
/// allocates nothing; (3) idle arenas hold at most maxIdleBytes, or are one:
/// what was idle longest is freed; trim() frees all. Thread safety: all
/// functions. `hot`, maxIdleBytes and the count of bytes are atomics; `idle` is
/// guarded by `mutex`. **Cost**: one exchange when runs do not overlap, a mutex
/// when they do.
class ArenaPool {
public:
  ArenaPool() = default;
  ArenaPool(const ArenaPool &) = delete;
  ArenaPool &operator=(const ArenaPool &) = delete;
  /// All arenas must be back.
  ~ArenaPool();

  /// Takes an arena of at least `bytes` bytes. **Edges**: 0 bytes gives an
  /// arena without memory. **Errors**: RESOURCE_EXHAUSTED.
  StatusOr<Arena> take(size_t bytes);
  /// Counts from the next arena that comes back.
  void setMaxIdleBytes(size_t bytes) noexcept {
    maxIdleBytes.store(bytes, std::memory_order_relaxed);
  }
  /// Frees idle arenas.
  void trim() noexcept;
  /// Bytes of all arenas, idle or not.
  size_t totalBytes() const noexcept {
    return bytesInPool.load(std::memory_order_relaxed);
  }

private:
  friend class Arena;
  using Block = Arena::Block;
  Block *takeIdle(size_t bytes) noexcept;
  void giveBack(Block *block) noexcept;
  void destroy(Block *block) noexcept;

  std::atomic<Block *> hot{nullptr};
  std::atomic<size_t> bytesInPool{0};
  std::atomic<size_t> maxIdleBytes{SIZE_MAX};
  std::mutex mutex;
  std::vector<Block *> idle; ///< in the order in which they came
  size_t idleBytes = 0;      ///< of `idle`
};

} // namespace kiln

#endif // KILN_RUNTIME_MEMORY_ARENAPOOL_H
