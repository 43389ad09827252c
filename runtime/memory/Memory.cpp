// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Aligned allocation; first touches of 4 KiB pages cost more than arithmetic,
// hence the huge ones.
#include "runtime/memory/Memory.h"

#include "lib/Support/DataMemory.h"

#include <new>
#include <sys/mman.h>

namespace kiln {
namespace {

constexpr size_t pageBytes = 4096;

void releaseAligned(Buffer *buffer) noexcept {
  freeAligned(buffer->data);
  delete buffer;
}

} // namespace

void *allocateAligned(size_t bytes, size_t hugePagesFrom) noexcept {
  if (bytes < hugePagesFrom || bytes > SIZE_MAX - pageBytes)
    return allocateData(bufferAlignment, bytes);
  // Whole pages, so that the advice concerns no neighbour.
  size_t rounded = (bytes + pageBytes - 1) & ~(pageBytes - 1);
  void *data = allocateData(hugePageBytes, rounded);
  if (!data)
    return nullptr;
  madvise(data, rounded, MADV_HUGEPAGE); // without it the block works as well
  return data;
}

void freeAligned(void *data) noexcept { freeData(data); }

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
