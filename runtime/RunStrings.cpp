// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts a run's strings, and settles what its variables own.
#include "runtime/RunStrings.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/Memory.h"

namespace kiln {

StatusOr<StringHandle> RunStrings::make(size_t size, char *&out) {
  // What stands beside the bytes counts as well: a run of many empty strings
  // has none of it, one of many short ones mostly that.
  constexpr size_t overhead = 32;
  if (size > static_cast<uint64_t>(INT64_MAX) - overhead ||
      static_cast<int64_t>(size + overhead) > limit - bytes)
    return resourceExhaustedError(
        strCat("expected a run to make strings of at most ", limit,
               " bytes, got ", bytes, " and ", size, " more"));
  KILN_ASSIGN_OR_RETURN(String made, String::create(size, out));
  if (made.empty())
    return StringHandle(0);
  bytes += static_cast<int64_t>(size + overhead);
  StringHandle handle = handleOf(made);
  owned.push_back(std::move(made));
  return handle;
}

StatusOr<StringHandle> RunStrings::make(std::string_view text) {
  char *out = nullptr;
  KILN_ASSIGN_OR_RETURN(StringHandle handle, make(text.size(), out));
  if (out)
    std::memcpy(out, text.data(), text.size());
  return handle;
}

void RunStrings::keep(String old) {
  if (!old.empty())
    owned.push_back(std::move(old));
}

Status HandleMemory::resize(size_t count) {
  size_t bytes = count * sizeof(StringHandle);
  if (!buffer || buffer->bytes < bytes) {
    size = 0;
    buffer = allocateAlignedBuffer(bytes);
    if (!buffer)
      return resourceExhaustedError(strCat("out of memory allocating ",
                                           formatBytes(bytes),
                                           " for the handles of strings"));
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
