// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Aligned allocation behind one filter.
#include "lib/Support/DataMemory.h"

#include "lib/Support/Strings.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>

namespace kiln {
namespace {

/// More than any host's address space: refused before an allocator (or a
/// sanitizer's) sees it.
constexpr size_t maxBytes = size_t(1) << 46;

std::atomic<AllocationFilter> currentFilter{nullptr};

} // namespace

void setAllocationFilter(AllocationFilter filter) noexcept {
  currentFilter.store(filter, std::memory_order_release);
}

bool mayAllocateData(size_t bytes) noexcept {
  AllocationFilter filter = currentFilter.load(std::memory_order_acquire);
  return bytes <= maxBytes && (!filter || filter(bytes));
}

void *allocateData(size_t alignment, size_t bytes) noexcept {
  if (!mayAllocateData(bytes))
    return nullptr;
  alignment = std::max(alignment, sizeof(void *)); // as it asks for
  void *data = nullptr;
  return posix_memalign(&data, alignment, bytes == 0 ? 1 : bytes) == 0
             ? data
             : nullptr;
}

void freeData(void *data) noexcept { std::free(data); }

Status outOfMemory(DType dtype, const Shape &shape, uint64_t bytes) {
  return outOfMemory(strCat("tensor with shape", shape.toString(), " and type ",
                            dtypeTfName(dtype)),
                     bytes);
}

Status outOfMemory(std::string_view what, uint64_t bytes) {
  return resourceExhaustedError(
      strCat("OOM when allocating ", what, " (", bytes, " bytes",
             bytes < 1024 ? "" : ", " + formatBytes(bytes), ")"));
}

} // namespace kiln
