// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Aligned allocation; first touches of 4 KiB pages cost more than arithmetic, hence the huge ones.
#include "runtime/Memory.h"

#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace kiln {
namespace {

// More than any host's address space: refused before an allocator (or a sanitizer's) sees it.
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
  size_t rounded = bytes == 0 ? bufferAlignment : (bytes + bufferAlignment - 1) & ~(bufferAlignment - 1);
  if (bytes < hugePagesFrom)
    return std::aligned_alloc(bufferAlignment, rounded);
  rounded = (bytes + pageBytes - 1) & ~(pageBytes - 1);
  void *data = std::aligned_alloc(hugePageBytes, rounded);
  if (data)
    madvise(data, rounded, MADV_HUGEPAGE); // advice: without it the block works as well
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
