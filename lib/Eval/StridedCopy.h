// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One copy for everything that rearranges elements: broadcast, transpose,
// slice, pad, concat.
#ifndef KILN_LIB_EVAL_STRIDEDCOPY_H
#define KILN_LIB_EVAL_STRIDEDCOPY_H

#include "kiln/Status.h"
#include "lib/Support/InlineVector.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace kiln::eval {

/// A loop of the copy; strides are in elements and may be 0 (source) or
/// negative.
struct CopyLoop {
  int64_t extent;
  int64_t targetStride;
  int64_t sourceStride;
};

using CopyLoops = InlineVector<CopyLoop, 6>;

/// target[sum of i * targetStride] = source[sum of i * sourceStride] over all
/// indices of the loops, outermost first. Target elements must be distinct and
/// must not overlap the source.
void copyStrided(void *target, const void *source, const CopyLoops &loops,
                 size_t elementSize);

class Interpreter;

/// The same, in parts between which the run may be cancelled.
Status copyStrided(void *target, const void *source, const CopyLoops &loops,
                   size_t elementSize, const Interpreter &interpreter);

/// The strides, in elements, of a contiguous row-major array.
InlineVector<int64_t, 6> rowMajorStrides(std::span<const int64_t> dims);

} // namespace kiln::eval

#endif // KILN_LIB_EVAL_STRIDEDCOPY_H
