// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies between strided layouts without a division per element.
#include "lib/Eval/StridedCopy.h"

#include "lib/Eval/Interpreter.h"
#include "lib/Support/StatusMacros.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace kiln::eval {
namespace {

/// Drops loops of one iteration and joins neighbours that walk both sides as
/// one loop would.
CopyLoops simplified(const CopyLoops &loops) {
  CopyLoops result;
  for (const CopyLoop &loop : loops) {
    if (loop.extent == 1)
      continue;
    if (!result.empty() &&
        result.back().targetStride == loop.extent * loop.targetStride &&
        result.back().sourceStride == loop.extent * loop.sourceStride) {
      result.back() = {result.back().extent * loop.extent, loop.targetStride,
                       loop.sourceStride};
      continue;
    }
    result.push_back(loop);
  }
  while (result.size() < 2)
    result.insertFirst({1, 0, 0});
  return result;
}

template <class T>
void copyRow(T *target, const T *source, const CopyLoop &loop) {
  if (loop.targetStride == 1 && loop.sourceStride == 1) {
    std::memcpy(target, source, static_cast<size_t>(loop.extent) * sizeof(T));
  } else if (loop.targetStride == 1 && loop.sourceStride == 0) {
    std::fill_n(target, loop.extent, *source);
  } else {
    for (int64_t i = 0; i < loop.extent; ++i)
      target[i * loop.targetStride] = source[i * loop.sourceStride];
  }
}

/// The two innermost loops; in tiles where rows of one side are columns of the
/// other, so that both stay in cache.
template <class T>
void copyPlane(T *target, const T *source, const CopyLoop &outer,
               const CopyLoop &inner) {
  constexpr int64_t tile = 32;
  if (outer.sourceStride != 1 || inner.sourceStride == 1 ||
      inner.sourceStride == 0) {
    for (int64_t i = 0; i < outer.extent; ++i)
      copyRow(target + i * outer.targetStride, source + i * outer.sourceStride,
              inner);
    return;
  }
  for (int64_t row = 0; row < outer.extent; row += tile)
    for (int64_t column = 0; column < inner.extent; column += tile) {
      int64_t rowEnd = std::min(outer.extent, row + tile),
              columnEnd = std::min(inner.extent, column + tile);
      for (int64_t i = row; i < rowEnd; ++i)
        for (int64_t j = column; j < columnEnd; ++j)
          target[i * outer.targetStride + j * inner.targetStride] =
              source[i * outer.sourceStride + j * inner.sourceStride];
    }
}

template <class T>
void copyAll(T *target, const T *source, const CopyLoops &loops) {
  const CopyLoop &inner = loops[loops.size() - 1],
                 &outer = loops[loops.size() - 2];
  size_t rank = loops.size() - 2;
  InlineVector<int64_t, 6> index(rank, 0);
  while (true) {
    copyPlane(target, source, outer, inner);
    size_t i = rank;
    for (; i > 0; --i) {
      const CopyLoop &loop = loops[i - 1];
      target += loop.targetStride;
      source += loop.sourceStride;
      if (++index[i - 1] < loop.extent)
        break;
      target -= loop.extent * loop.targetStride;
      source -= loop.extent * loop.sourceStride;
      index[i - 1] = 0;
    }
    if (i == 0)
      return;
  }
}

} // namespace

void copyStrided(void *target, const void *source, const CopyLoops &all,
                 size_t elementSize) {
  for (const CopyLoop &loop : all)
    if (loop.extent <= 0)
      return;
  CopyLoops loops = simplified(all);
  // The loop along contiguous source elements belongs beside the innermost one:
  // the order of a copy is free.
  if (loops.back().sourceStride != 1)
    for (size_t i = 0; i + 2 < loops.size(); ++i)
      if (loops[i].sourceStride == 1) {
        std::rotate(loops.begin() + i, loops.begin() + i + 1, loops.end() - 1);
        break;
      }
  switch (elementSize) {
  case 1:
    return copyAll(static_cast<uint8_t *>(target),
                   static_cast<const uint8_t *>(source), loops);
  case 2:
    return copyAll(static_cast<uint16_t *>(target),
                   static_cast<const uint16_t *>(source), loops);
  case 4:
    return copyAll(static_cast<uint32_t *>(target),
                   static_cast<const uint32_t *>(source), loops);
  case 8:
    return copyAll(static_cast<uint64_t *>(target),
                   static_cast<const uint64_t *>(source), loops);
  default: {
    using Pair = std::array<uint64_t, 2>;
    return copyAll(static_cast<Pair *>(target),
                   static_cast<const Pair *>(source), loops);
  }
  }
}

Status copyStrided(void *target, const void *source, const CopyLoops &all,
                   size_t elementSize, const Interpreter &interpreter) {
  // Threads share copies of more elements, in parts of so many at least.
  constexpr int64_t partElements = int64_t(1) << 14;
  KILN_RETURN_IF_ERROR(interpreter.poll());
  int64_t inside = 1;
  for (const CopyLoop &loop : all)
    inside *= loop.extent; // of a tensor that exists
  if (inside <= partElements) {
    copyStrided(target, source, all, elementSize);
    return okStatus();
  }
  // The outermost loop that is long enough, so that a part's elements lie
  // together; where none is, the longest.
  constexpr int64_t enoughParts = 64;
  size_t shared = 0;
  for (size_t i = 1; i < all.size(); ++i)
    if (all[shared].extent < std::min(enoughParts, all[i].extent))
      shared = i;
  const CopyLoop whole = all[shared];
  const int64_t each = inside / whole.extent;
  const auto size = static_cast<int64_t>(elementSize);
  interpreter.parallelFor(
      whole.extent, (partElements - 1) / each + 1, /*isLeftOut=*/true,
      [&](int64_t begin, int64_t end) {
        // Between two of these a run may be cancelled.
        const int64_t turns =
            std::max<int64_t>((int64_t(1) << 22) / each, int64_t(1));
        CopyLoops loops = all;
        for (; begin < end && interpreter.pollCancel().ok(); begin += turns) {
          loops[shared].extent = std::min(turns, end - begin);
          copyStrided(static_cast<char *>(target) +
                          begin * whole.targetStride * size,
                      static_cast<const char *>(source) +
                          begin * whole.sourceStride * size,
                      loops, elementSize);
        }
      });
  return interpreter.poll();
}

InlineVector<int64_t, 6> rowMajorStrides(std::span<const int64_t> dims) {
  InlineVector<int64_t, 6> strides(dims.size());
  int64_t stride = 1;
  for (size_t i = dims.size(); i > 0; --i) {
    strides[i - 1] = stride;
    stride *= dims[i - 1];
  }
  return strides;
}

} // namespace kiln::eval
