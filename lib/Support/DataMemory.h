// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where all memory for data comes from: tensors, variables, arenas, results,
// file buffers, code. One place, so that a test can make each of them fail.
#ifndef KILN_LIB_SUPPORT_DATAMEMORY_H
#define KILN_LIB_SUPPORT_DATAMEMORY_H

#include "kiln/DType.h"
#include "kiln/Shape.h"
#include "kiln/Status.h"

#include <algorithm>
#include <cstddef>
#include <new>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace kiln {

/// Allocates `bytes` at a multiple of `alignment`, a power of two; null when
/// memory cannot be had. Freed by freeData(). Contents are undefined.
void *allocateData(size_t alignment, size_t bytes) noexcept;
void freeData(void *data) noexcept;

/// Decides whether an allocation of so many bytes may succeed.
using AllocationFilter = bool (*)(size_t bytes) noexcept;
/// For tests: asked before each allocation of data from now on; null for none.
/// **Thread safety**: any thread; other threads see it in their next
/// allocation.
void setAllocationFilter(AllocationFilter filter) noexcept;
/// For data that is not allocated here (pages of code).
bool mayAllocateData(size_t bytes) noexcept;

/// Makes room for `count` elements, at least twice the room there was. Returns
/// false, with the bytes that could not be had, in place of a throw: for lists
/// that are as long as the data.
template <class T>
bool reserveData(std::vector<T> &list, size_t count,
                 uint64_t &failedBytes) noexcept {
  if (count <= list.capacity())
    return true;
  count = std::max(count, 2 * list.capacity());
  if (__builtin_mul_overflow(count, sizeof(T), &failedBytes))
    failedBytes = UINT64_MAX;
  if (!mayAllocateData(failedBytes))
    return false;
  try {
    list.reserve(count);
    return true;
  } catch (const std::bad_alloc &) {
    return false;
  } catch (const std::length_error &) {
    return false;
  }
}

/// RESOURCE_EXHAUSTED "OOM when allocating tensor with shape[20,30] and type
/// float (2400 bytes, 2.34 KiB)". **Source**: the text of TensorFlow's
/// OP_REQUIRES in OpKernelContext::allocate_tensor, with the size added.
Status outOfMemory(DType dtype, const Shape &shape, uint64_t bytes);
/// The same for what is no tensor: "OOM when allocating <what> (24 bytes)".
Status outOfMemory(std::string_view what, uint64_t bytes);

} // namespace kiln

#endif // KILN_LIB_SUPPORT_DATAMEMORY_H
