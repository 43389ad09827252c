// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers for the results of runs, used again when the last tensor on them
// goes.
#ifndef KILN_RUNTIME_MEMORY_BUFFERPOOL_H
#define KILN_RUNTIME_MEMORY_BUFFERPOOL_H

#include "kiln/Buffer.h"
#include "kiln/Status.h"

namespace kiln {

/// A session's stock of result buffers, in size classes (four per power of two:
/// at most a quarter is wasted).
///
/// Invariants: (1) every buffer is 64-byte aligned; (2) at most maxIdleBytes
/// are kept idle, or as many as, with those in use, were once in use at a time:
/// the next run of its kind needs them again, and the system takes as long to
/// clear a page as a loop does to fill it; more is freed; (3) buffers may
/// outlive the pool: the part of it that takes them back goes with the last of
/// them. Ownership: BufferRefs own the buffers, the pool the idle ones. Thread
/// safety: all functions and the release of buffers; one mutex
/// (BufferPool::Core::mutex) guards the free lists and the counts. **Cost**:
/// about 25 ns when a buffer of the class is idle, otherwise one allocation.
class BufferPool {
public:
  static constexpr size_t defaultMaxIdleBytes = size_t(256) << 20;

  explicit BufferPool(size_t maxIdleBytes = defaultMaxIdleBytes);
  BufferPool(const BufferPool &) = delete;
  BufferPool &operator=(const BufferPool &) = delete;
  ~BufferPool();

  /// Returns a buffer with room for `bytes` bytes; its contents are undefined.
  /// **Errors**: RESOURCE_EXHAUSTED.
  StatusOr<BufferRef> allocate(size_t bytes);
  /// Frees idle buffers, and forgets how many were in use at a time.
  void trim() noexcept;
  size_t idleBytes() const noexcept;

private:
  struct Core;
  struct Pooled;
  Core *core;
};

} // namespace kiln

#endif // KILN_RUNTIME_MEMORY_BUFFERPOOL_H
