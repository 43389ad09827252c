// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elements of string tensors: immutable, shared byte strings of one
// pointer.
#ifndef KILN_STRING_H
#define KILN_STRING_H

#include "kiln/DType.h"
#include "kiln/Export.h"
#include "kiln/Status.h"

#include <atomic>
#include <cstdint>
#include <string_view>
#include <utility>

namespace kiln {

/// Any number of bytes: zeros and what is no UTF-8 are bytes like others.
///
/// Invariants: (1) the bytes never change; (2) null is the empty string, and no
/// other pointer is, so memory of zeros is an array of empty strings.
/// Ownership: copies share the bytes; the last one frees them. Thread safety:
/// distinct objects may be used from distinct threads even where they share the
/// bytes. **Cost**: one pointer; a copy is one relaxed increment.
class KILN_EXPORT String {
public:
  /// The empty string.
  String() noexcept = default;
  /// Copies the bytes. **Errors**: RESOURCE_EXHAUSTED. **Cost**: one
  /// allocation; none for the empty string.
  static StatusOr<String> create(std::string_view text);
  /// Makes a string of `size` bytes that the caller writes through `bytes`
  /// before any other code sees the string; `bytes` is null when size is 0.
  /// **Errors**: RESOURCE_EXHAUSTED.
  static StatusOr<String> create(size_t size, char *&bytes);

  String(const String &other) noexcept : block(other.block) { retain(); }
  String(String &&other) noexcept
      : block(std::exchange(other.block, nullptr)) {}
  String &operator=(String other) noexcept {
    std::swap(block, other.block);
    return *this;
  }
  ~String() { release(); }

  /// The bytes, valid while a String shares them.
  std::string_view view() const noexcept {
    return block ? std::string_view(reinterpret_cast<const char *>(block + 1),
                                    block->size)
                 : std::string_view();
  }
  operator std::string_view() const noexcept { return view(); }
  size_t size() const noexcept { return block ? block->size : 0; }
  bool empty() const noexcept { return !block; }
  /// How many Strings share the bytes, for tests; 0 for the empty string.
  int64_t useCount() const noexcept {
    return block ? block->references.load(std::memory_order_relaxed) : 0;
  }
  friend bool operator==(const String &a, const String &b) noexcept {
    return a.block == b.block || a.view() == b.view();
  }
  friend bool operator==(const String &a, std::string_view b) noexcept {
    return a.view() == b;
  }

private:
  // The bytes follow. 64 bits: a tensor may hold one string 2^32 times.
  struct Block {
    std::atomic<int64_t> references;
    size_t size;
  };
  void retain() const noexcept {
    if (block)
      block->references.fetch_add(1, std::memory_order_relaxed);
  }
  void release() noexcept {
    if (block && block->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
      free(block);
  }
  static void free(Block *block) noexcept;

  Block *block = nullptr;
};

static_assert(sizeof(String) == 8, "generated code moves strings as 64 bits");

template <> inline constexpr DType dtypeOf<String> = DType::String;

} // namespace kiln

#endif // KILN_STRING_H
