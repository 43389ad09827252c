// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Aligned memory for variables, arenas and results, on huge pages where it is
// large.
#ifndef KILN_RUNTIME_MEMORY_MEMORY_H
#define KILN_RUNTIME_MEMORY_MEMORY_H

#include "kiln/Buffer.h"

namespace kiln {

/// The size of a huge page, and with it the least block that is worth one.
inline constexpr size_t hugePageBytes = size_t(2) << 20;

/// Allocates `bytes` at a multiple of bufferAlignment; blocks of at least
/// hugePagesFrom bytes start on a huge page and are advised to use them.
/// Returns null when memory cannot be had. Contents are undefined; pages come
/// when touched.
void *allocateAligned(size_t bytes,
                      size_t hugePagesFrom = hugePageBytes) noexcept;
/// Frees what allocateAligned returned; null is fine.
void freeAligned(void *data) noexcept;

/// Allocates a stand-alone buffer of that memory; null when it cannot be had.
BufferRef allocateAlignedBuffer(size_t bytes,
                                size_t hugePagesFrom = hugePageBytes) noexcept;

} // namespace kiln

#endif // KILN_RUNTIME_MEMORY_MEMORY_H
