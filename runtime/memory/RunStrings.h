// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who owns the strings that a run sees: generated code and the evaluator move
// handles, which own nothing.
#ifndef KILN_RUNTIME_MEMORY_RUNSTRINGS_H
#define KILN_RUNTIME_MEMORY_RUNSTRINGS_H

#include "kiln/String.h"
#include "kiln/Tensor.h"
#include "runtime/abi/Abi.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

namespace kiln {

/// The bits of a String that something else owns; 0 is the empty string.
using StringHandle = uint64_t;

/// The String behind a handle, for reading and copying while its owner lives.
inline const String &stringOf(const StringHandle &handle) noexcept {
  return reinterpret_cast<const String &>(handle);
}

inline StringHandle handleOf(const String &string) noexcept {
  StringHandle handle;
  std::memcpy(&handle, static_cast<const void *>(&string), sizeof handle);
  return handle;
}

/// The elements of an int64 tensor of handles.
inline std::span<const StringHandle> handlesIn(const Tensor &tensor) noexcept {
  return {static_cast<const StringHandle *>(tensor.rawData()),
          static_cast<size_t>(tensor.numElements())};
}

/// Makes elements that were assigned as plain bits owners of what they point
/// to; what they were before is not released.
inline void adoptHandles(std::span<String> elements) noexcept {
  for (String &element : elements) {
    StringHandle handle = handleOf(element);
    std::construct_at(&element, stringOf(handle));
  }
}

/// Why a run cannot have a string: an error kind and its values.
struct StringLack {
  ErrorKind kind = ErrorKind::None;
  int64_t values[3] = {0, 0, 0};

  Status status() const;
};

/// Strings that live as long as a run: what its runtime calls made, and what it
/// overwrote.
///
/// Invariants: (1) a handle given out stays valid until clear(); (2) `bytes`,
/// those of the strings that were made, are at most maxBytes.
/// Thread safety: one thread at a time.
class RunStrings {
public:
  explicit RunStrings(int64_t maxBytes = INT64_MAX) : limit(maxBytes) {}
  RunStrings(const RunStrings &) = delete;
  RunStrings &operator=(const RunStrings &) = delete;

  /// Keeps a string of the run's own. **Errors**: RESOURCE_EXHAUSTED beyond the
  /// limit or without memory.
  StatusOr<StringHandle> make(std::string_view text);
  /// As make(), with bytes for the caller to write; null for size 0. Returns
  /// false with what was lacking; `handle` is as before then.
  bool make(size_t size, StringHandle &handle, char *&bytes,
            StringLack &lack) noexcept;
  /// Shares strings that a call has made, and gives their handles. **Errors**:
  /// as make().
  Status share(std::span<const String> made, StringHandle *handles);
  /// Makes room to keep() so many strings more. Returns false with what was
  /// lacking.
  bool reserve(size_t more, StringLack &lack) noexcept;
  /// Keeps what a variable gives up: the run may still hold its handle. There
  /// must be room, by reserve().
  void keep(String old) noexcept;
  /// Lets everything go; the run holds no handle any more.
  void clear() noexcept {
    if (!owned.empty())
      owned.clear();
    bytes = 0;
  }

private:
  /// Takes bytes out of the limit. Returns false with what was lacking.
  bool count(size_t size, StringLack &lack) noexcept;

  std::vector<String> owned; ///< grows by reserve() alone, which never throws
  int64_t limit;
  int64_t bytes = 0;
};

/// Memory for handles, kept from run to run.
class HandleMemory {
public:
  /// Makes room for `count` handles, whose values are undefined. **Errors**:
  /// RESOURCE_EXHAUSTED; the size is 0 then.
  Status resize(size_t count);
  std::span<StringHandle> handles() const noexcept {
    return {buffer ? static_cast<StringHandle *>(buffer->data) : nullptr, size};
  }

private:
  BufferRef buffer;
  size_t size = 0;
};

/// The elements of a string variable while a run may write handles over them.
///
/// Before the run, remember() notes what the variable owns; after it, adopt()
/// makes the variable own what it now holds, and release() lets go of what it
/// held before; memory that the variable gives up meanwhile owns nothing. All
/// three under the run's locks, the last one after every result and every other
/// variable has adopted: what one held may have moved to another.
class VariableStrings {
public:
  /// **Errors**: RESOURCE_EXHAUSTED; nothing may be written then.
  Status remember(std::span<const String> elements);
  void adopt(std::span<String> elements) noexcept;
  void release() noexcept;

private:
  HandleMemory before;
};

} // namespace kiln

#endif // KILN_RUNTIME_MEMORY_RUNSTRINGS_H
