// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inner loops of products: rows times one panel of columns, through one
// block of K of the CONTRACTION order.
//
// A tile of rows keeps its sums in registers. The loops are compiled once for
// each class of processors: without an FMA instruction the same bits come from
// libm.
#ifndef KILN_LIB_EVAL_CONTRACTIONTILE_H
#define KILN_LIB_EVAL_CONTRACTIONTILE_H

#include "runtime/arithmetic/CpuVariants.h"
#include "runtime/arithmetic/ReductionOrder.h"

#include <cstdint>
#include <span>
#include <type_traits>

namespace kiln::eval {

template <class T> using TileVector = T __attribute__((vector_size(64)));
template <class T> inline constexpr int64_t vectorWidth = 64 / sizeof(T);
/// Columns that are computed together: two vectors.
template <class T> inline constexpr int64_t panelWidth = 2 * vectorWidth<T>;
/// Rows that lie together where rows are interleaved, and most that a tile has.
inline constexpr int64_t tileRows = 8;
inline constexpr int64_t blockDepth = reduction::contractionBlock;

/// Elements of a block of K that are summed up: of each row those that lie
/// `offset` behind their number.
struct Piece {
  int64_t begin, end, offset;
};

/// A block of K of some rows and one panel. The block's elements of K are
/// numbered from 0.
template <class T> struct TileBlock {
  const T *left;
  /// Where each row begins from `left`; for null, tileRows rows lie
  /// interleaved: element (row, k) is left[row / tileRows * tileRows *
  /// blockDepth + k * tileRows + row % tileRows].
  const int64_t *leftOffsets;
  const T *panel;
  int64_t panelStride; ///< elements from one k to the next
  std::span<const Piece> pieces;
  T *target;              ///< of the panel's first column
  const int64_t *offsets; ///< of the rows, from `target`
  int64_t rows;
  int64_t width; ///< columns that the target has of the panel
  bool isFirst;  ///< otherwise the sums are added to the target's
};

template <class T>
[[gnu::always_inline]] inline void storeSum(TileVector<T> sum, T *target,
                                            size_t bytes, bool isFirst) {
  if (!isFirst) {
    TileVector<T> total = {};
    __builtin_memcpy(&total, target, bytes);
    sum = total + sum;
  }
  __builtin_memcpy(target, &sum, bytes);
}

/// Some rows from `row` on, and some vectors of columns from `column` on.
template <class T, int64_t Rows, int64_t Vectors, bool isInterleaved>
[[gnu::always_inline]] inline void multiplyTile(const TileBlock<T> &block,
                                                int64_t row, int64_t column) {
  using Vector = TileVector<T>;
  constexpr int64_t depthStride = isInterleaved ? tileRows : 1;
  const T *left[Rows];
  for (int64_t i = 0; i < Rows; ++i)
    left[i] = isInterleaved
                  ? block.left + row / tileRows * tileRows * blockDepth +
                        row % tileRows + i
                  : block.left + block.leftOffsets[row + i];
  const T *panel = block.panel + column;
  Vector sums[Rows][Vectors] = {};
  for (const Piece &piece : block.pieces)
    for (int64_t k = piece.begin; k < piece.end; ++k) {
      Vector right[Vectors];
      __builtin_memcpy(&right, panel + k * block.panelStride, sizeof right);
      for (int64_t i = 0; i < Rows; ++i) {
        Vector factor;
        for (int64_t lane = 0; lane < vectorWidth<T>; ++lane)
          factor[lane] = left[i][k * depthStride + piece.offset];
        for (int64_t j = 0; j < Vectors; ++j)
          if constexpr (std::is_floating_point_v<T>)
            sums[i][j] =
                __builtin_elementwise_fma(factor, right[j], sums[i][j]);
          else
            sums[i][j] += factor * right[j];
      }
    }
  for (int64_t j = 0; j < Vectors; ++j, column += vectorWidth<T>) {
    const int64_t width = block.width - column;
    for (int64_t i = 0; i < Rows; ++i) {
      T *target = block.target + block.offsets[row + i] + column;
      if (width >= vectorWidth<T>)
        storeSum<T>(sums[i][j], target, sizeof(Vector), block.isFirst);
      else
        storeSum<T>(sums[i][j], target, static_cast<size_t>(width) * sizeof(T),
                    block.isFirst);
    }
  }
}

template <class T, int64_t Most, int64_t Vectors, bool isInterleaved>
[[gnu::always_inline]] inline void multiplyRows(const TileBlock<T> &block,
                                                int64_t column) {
  int64_t row = 0;
  for (; row + Most <= block.rows; row += Most)
    multiplyTile<T, Most, Vectors, isInterleaved>(block, row, column);
  for (; row + 2 <= block.rows; row += 2)
    multiplyTile<T, 2, Vectors, isInterleaved>(block, row, column);
  if (row < block.rows)
    multiplyTile<T, 1, Vectors, isInterleaved>(block, row, column);
}

/// Tiles of as many sums as there are registers for.
template <class T, CpuVariant variant, bool isInterleaved>
[[gnu::always_inline]] inline void multiplyPanel(const TileBlock<T> &block) {
  constexpr bool isWide = variant == CpuVariant::Avx512;
  if (isWide && block.width > vectorWidth<T>)
    return multiplyRows<T, tileRows, 2, isInterleaved>(block, 0);
  for (int64_t column = 0; column < block.width; column += vectorWidth<T>)
    multiplyRows<T, isWide ? tileRows : 4, 1, isInterleaved>(block, column);
}

#define KILN_BLOCK(Variant, Target)                                            \
  struct Variant {                                                             \
    template <class T>                                                         \
    Target static void multiply(const TileBlock<T> &block) {                   \
      if (!block.leftOffsets)                                                  \
        multiplyPanel<T, CpuVariant::Variant, true>(block);                    \
      else                                                                     \
        multiplyPanel<T, CpuVariant::Variant, false>(block);                   \
    }                                                                          \
  };
namespace tile {
KILN_FOR_EACH_CPU_VARIANT(KILN_BLOCK)
} // namespace tile
#undef KILN_BLOCK

/// The best for this processor.
template <class T> auto multiplyBlock() -> void (*)(const TileBlock<T> &) {
  switch (cpuVariant()) {
#define KILN_SELECT(Variant, Target)                                           \
  case CpuVariant::Variant:                                                    \
    return &tile::Variant::multiply<T>;
    KILN_FOR_EACH_CPU_VARIANT(KILN_SELECT)
#undef KILN_SELECT
  default:
    return &tile::Plain::multiply<T>;
  }
}

} // namespace kiln::eval

#endif // KILN_LIB_EVAL_CONTRACTIONTILE_H
