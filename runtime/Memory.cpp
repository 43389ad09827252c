// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Aligned allocation; first touches of 4 KiB pages cost more than arithmetic,
// hence the huge ones.
#include "runtime/Memory.h"

#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace kiln {
namespace {

// More than any host's address space: refused before an allocator (or a
// sanitizer's) sees it.
constexpr size_t maxBytes = size_t(1) << 46;
constexpr size_t pageBytes = 4096;

void releaseAligned(Buffer *buffer) noexcept {
  freeAligned(buffer->data);
  delete buffer;
}

} // namespace

void *allocateAligned(size_t bytes, size_t hugePagesFrom) noexcept {
  if (bytes > maxBytes)
    return nullptr;
  void *data = nullptr;
  if (bytes < hugePagesFrom)
    return posix_memalign(&data, bufferAlignment, bytes == 0 ? 1 : bytes) == 0
               ? data
               : nullptr;
  // Whole pages, so that the advice concerns no neighbour.
  size_t rounded = (bytes + pageBytes - 1) & ~(pageBytes - 1);
  if (posix_memalign(&data, hugePageBytes, rounded) != 0)
    return nullptr;
  madvise(data, rounded, MADV_HUGEPAGE); // without it the block works as well
  return data;
}

void freeAligned(void *data) noexcept { std::free(data); }

BufferRef allocateAlignedBuffer(size_t bytes, size_t hugePagesFrom) noexcept {
  void *data = allocateAligned(bytes, hugePagesFrom);
  if (!data)
    return {};
  auto *buffer = new (std::nothrow) Buffer;
  if (!buffer) {
    freeAligned(data);
    return {};
  }
  buffer->data = data;
  buffer->bytes = bytes;
  buffer->release = releaseAligned;
  return BufferRef::adopt(buffer);
}

} // namespace kiln
