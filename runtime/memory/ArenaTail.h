// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The growing part of a run's arena: memory for values whose sizes the run
// finds out.
#ifndef KILN_RUNTIME_MEMORY_ARENATAIL_H
#define KILN_RUNTIME_MEMORY_ARENATAIL_H

#include "kiln/Tensor.h"
#include "runtime/abi/RunState.h"
#include "runtime/memory/ArenaPool.h"

#include <cstdint>
#include <span>
#include <vector>

namespace kiln {

/// Gives memory by moving a pointer through chunks, each an arena of the
/// session's pool.
///
/// An iteration marks how much is taken when it begins and gives back what
/// it took when it ends. What they hand on lies in kept places, which have
/// memory of their own to the end of the run: a loop of a million of them
/// takes what its largest one takes.
///
/// Invariants: (1) what was given stays where it is until it is released; (2)
/// bytes() is at most maxBytes; (3) the next run has one chunk as large as all
/// of this run's together, so that a steady state allocates nothing. Thread
/// safety: one thread at a time. The pool must outlive it.
class ArenaTail {
public:
  ArenaTail(ArenaPool &pool, int64_t maxBytes) noexcept
      : pool(pool), limit(maxBytes) {}

  /// Returns `bytes` bytes at a multiple of 64, undefined; null where there are
  /// none or that would be beyond the limit, with the error recorded.
  void *allocate(int64_t bytes, KilnRunState *state, int32_t node) noexcept;
  /// The same of memory that there is: keeps the tensor as long as it would
  /// keep what allocate() gives. Null as allocate().
  void *adopt(Tensor tensor, KilnRunState *state, int32_t node) noexcept;
  /// Makes `*place` a pointer to at least `bytes` bytes at a multiple of 64:
  /// what it is, where that is large enough, else to more than before,
  /// undefined. It must be null or from here. False, with the error recorded,
  /// where there is no memory.
  bool keep(void **place, int64_t bytes, KilnRunState *state,
            int32_t node) noexcept;
  /// The beginning of an iteration; marks are released in the order of a stack.
  int64_t mark() noexcept;
  /// Forgets what allocate() and adopt() gave since then.
  void release(int64_t mark) noexcept;

  /// Forgets all that was given; keeps the memory for the next run.
  void clear() noexcept {
    if (!isUntouched())
      rewind();
  }
  /// Gives the memory back to the pool.
  void giveBack() noexcept {
    if (!isUntouched())
      dropChunks();
  }
  /// What is in use.
  int64_t bytes() const noexcept { return iterations.used + kept.used; }

private:
  struct Position {
    size_t chunk = 0;
    char *next = nullptr, *end = nullptr;
    int64_t used = 0;
    size_t numAdopted = 0;
  };
  struct Stack : Position {
    std::vector<Arena> chunks;
    int64_t wanted = 0; ///< what the first chunk of the next run should have
  };

  void *allocate(Stack &stack, int64_t bytes) noexcept;
  bool advance(Stack &stack, int64_t atLeast) noexcept;
  static void enter(Stack &stack, size_t chunk) noexcept;
  bool isUntouched() const noexcept {
    return iterations.chunks.empty() && kept.chunks.empty() && marks.empty() &&
           adopted.empty();
  }
  void rewind() noexcept;
  void dropChunks() noexcept;
  static void clear(Stack &stack) noexcept;
  /// Whether so many more are allowed; records the error where not.
  bool isAllowed(int64_t bytes, KilnRunState *state,
                 int32_t node) const noexcept;

  ArenaPool &pool;
  int64_t limit;
  Stack iterations, kept;
  std::vector<Position> marks;
  std::vector<Tensor> adopted; ///< by `iterations`
};

/// Memory of the run's tail for a tensor; null, with the error recorded, for a
/// negative extent, too many bytes, and where there is none.
void *allocateInTail(KilnRunState *state, int32_t node,
                     std::span<const int64_t> dims,
                     int64_t elementBytes) noexcept;
/// A tensor's own memory as memory of the run's tail; null, with the error
/// recorded, for too many bytes.
void *adoptInTail(KilnRunState *state, int32_t node, Tensor tensor) noexcept;
/// Memory as allocateInTail() gives, in a kept place.
bool keepInTail(KilnRunState *state, int32_t node, void **place,
                std::span<const int64_t> dims, int64_t elementBytes) noexcept;

} // namespace kiln

#endif // KILN_RUNTIME_MEMORY_ARENATAIL_H
