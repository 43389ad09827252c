// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts a run's strings, and settles what its variables own.
#include "runtime/memory/RunStrings.h"

#include "lib/Support/DataMemory.h"
#include "lib/Support/StatusMacros.h"
#include "runtime/abi/RunState.h"
#include "runtime/memory/Memory.h"

namespace kiln {

Status StringLack::status() const { return errorStatus(kind, {}, values); }

bool RunStrings::reserve(size_t more, StringLack &lack) noexcept {
  if (more <= owned.capacity() - owned.size())
    return true;
  uint64_t failedBytes = 0;
  if (reserveData(owned, owned.size() + more, failedBytes))
    return true;
  lack = {ErrorKind::OutOfStrings, {static_cast<int64_t>(failedBytes)}};
  return false;
}

bool RunStrings::count(size_t size, StringLack &lack) noexcept {
  // What stands beside the bytes counts as well: a run of many empty strings
  // has none of it, one of many short ones mostly that.
  constexpr size_t overhead = 32;
  if (size > static_cast<uint64_t>(INT64_MAX) - overhead ||
      static_cast<int64_t>(size + overhead) > limit - bytes) {
    lack = {ErrorKind::StringsBeyondLimit,
            {limit, bytes, static_cast<int64_t>(size)}};
    return false;
  }
  if (size != 0)
    bytes += static_cast<int64_t>(size + overhead);
  return true;
}

bool RunStrings::make(size_t size, StringHandle &handle, char *&out,
                      StringLack &lack) noexcept {
  const int64_t before = bytes;
  if (!count(size, lack))
    return false;
  StatusOr<String> made =
      reserve(1, lack) ? String::create(size, out) : StatusOr<String>(String());
  if (lack.kind == ErrorKind::None && !made.ok())
    lack = {ErrorKind::OutOfStrings, {static_cast<int64_t>(size)}};
  if (lack.kind != ErrorKind::None) {
    bytes = before;
    return false;
  }
  handle = handleOf(*made);
  keep(*std::move(made));
  return true;
}

StatusOr<StringHandle> RunStrings::make(std::string_view text) {
  StringHandle handle = 0;
  char *out = nullptr;
  StringLack lack;
  if (!make(text.size(), handle, out, lack))
    return lack.status();
  if (out)
    std::memcpy(out, text.data(), text.size());
  return handle;
}

Status RunStrings::share(std::span<const String> made, StringHandle *handles) {
  StringLack lack;
  if (!reserve(made.size(), lack))
    return lack.status();
  for (const String &string : made) {
    if (!count(string.size(), lack))
      return lack.status();
    *handles++ = handleOf(string);
    keep(string);
  }
  return okStatus();
}

void RunStrings::keep(String old) noexcept {
  if (!old.empty())
    owned.push_back(std::move(old));
}

Status HandleMemory::resize(size_t count) {
  size_t bytes = count * sizeof(StringHandle);
  if (!buffer || buffer->bytes < bytes) {
    size = 0;
    buffer = allocateAlignedBuffer(bytes);
    if (!buffer)
      return outOfMemory("the handles of strings", bytes);
  }
  size = count;
  return okStatus();
}

Status VariableStrings::remember(std::span<const String> elements) {
  KILN_RETURN_IF_ERROR(before.resize(elements.size()));
  if (!elements.empty())
    std::memcpy(before.handles().data(),
                static_cast<const void *>(elements.data()),
                elements.size_bytes());
  return okStatus();
}

void VariableStrings::adopt(std::span<String> elements) noexcept {
  if (elements.size() != before.handles().size())
    return adoptHandles(elements); // in memory of its new shape
  for (size_t i = 0; i < elements.size(); ++i) {
    StringHandle &old = before.handles()[i];
    if (handleOf(elements[i]) == old)
      old = 0; // it owns it already
    else
      adoptHandles(elements.subspan(i, 1));
  }
}

void VariableStrings::release() noexcept {
  for (StringHandle &handle : before.handles())
    std::destroy_at(&const_cast<String &>(stringOf(handle)));
  (void)before.resize(0);
}

} // namespace kiln
