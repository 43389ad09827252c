// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reference-counted memory blocks that tensors stand on.
#ifndef KILN_BUFFER_H
#define KILN_BUFFER_H

#include "kiln/Export.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace kiln {

/// A block of memory and the function that takes it back when the last
/// reference goes.
///
/// Invariants: (1) references counts the BufferRefs; (2) release is called
/// exactly once, with references at 0, by the thread that dropped the last one;
/// it may free the Buffer or recycle it (a pool sets references to 1 again).
/// Ownership: the code that made it decides, through release, where data and
/// the Buffer itself live. Thread safety: counting is atomic; the bytes are the
/// users' affair.
struct Buffer {
  using ReleaseFn = void (*)(Buffer *) noexcept;

  void *data = nullptr;
  size_t bytes = 0;
  ReleaseFn release = nullptr;
  /// For the maker's own use, for example the pool to return to.
  void *owner = nullptr;
  /// False for borrowed const memory.
  bool writable = true;
  /// The bytes are kiln::String objects: code that writes them assigns, and
  /// release destroys them (or, for borrowed memory, leaves them to the
  /// caller).
  bool holdsStrings = false;
  std::atomic<int32_t> references{1};
};

/// An owning reference to a Buffer. **Cost**: one pointer; a copy is one
/// relaxed increment.
class BufferRef {
public:
  BufferRef() noexcept = default;
  /// Takes over one reference that the caller holds (a new Buffer has one).
  static BufferRef adopt(Buffer *buffer) noexcept {
    BufferRef ref;
    ref.buffer = buffer;
    return ref;
  }
  BufferRef(const BufferRef &other) noexcept : buffer(other.buffer) {
    if (buffer)
      buffer->references.fetch_add(1, std::memory_order_relaxed);
  }
  BufferRef(BufferRef &&other) noexcept
      : buffer(std::exchange(other.buffer, nullptr)) {}
  BufferRef &operator=(BufferRef other) noexcept {
    std::swap(buffer, other.buffer);
    return *this;
  }
  ~BufferRef() { reset(); }

  void reset() noexcept {
    Buffer *old = std::exchange(buffer, nullptr);
    if (old && old->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
      old->release(old);
  }
  /// True when this is the only reference. The answer lasts only if no other
  /// thread can copy from this very object.
  bool isUnique() const noexcept {
    return buffer && buffer->references.load(std::memory_order_acquire) == 1;
  }
  Buffer *get() const noexcept { return buffer; }
  Buffer *operator->() const noexcept { return buffer; }
  explicit operator bool() const noexcept { return buffer != nullptr; }

private:
  Buffer *buffer = nullptr;
};

/// Every buffer that Kiln allocates starts at a multiple of this many bytes.
inline constexpr size_t bufferAlignment = 64;

/// Allocates a buffer of its own, aligned to bufferAlignment; null when memory
/// cannot be had. Zero bytes are allowed and give a pointer that is not null.
/// **Cost**: one allocation; contents are not initialized.
KILN_EXPORT BufferRef allocateBuffer(size_t bytes) noexcept;

} // namespace kiln

#endif // KILN_BUFFER_H
