// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two matrices that a product or a convolution multiplies, as walks through
// a tensor, and which rows leave out the same products.
#ifndef KILN_LIB_EVAL_CONTRACTIONROWS_H
#define KILN_LIB_EVAL_CONTRACTIONROWS_H

#include "lib/Eval/ContractionTile.h"
#include "lib/Support/InlineVector.h"

#include <cstdint>
#include <vector>

namespace kiln::eval {

/// Elements of K that are summed up.
struct Kept {
  int64_t begin, end;
};
using KeptList = InlineVector<Kept, 1>; // most products keep all

/// How the rows of a matrix, or its columns, lie in memory: numbered with the
/// index of the last loop running.
struct Walk {
  struct Loop {
    int64_t count, stride;
  };
  std::vector<Loop> loops;

  int64_t count() const;
  /// The offset of each number, in order.
  std::vector<int64_t> offsets() const;
  int64_t indexOf(size_t loop, int64_t number) const {
    return number / inside(loop) % loops[loop].count;
  }
  /// Elements to an index of this loop.
  int64_t inside(size_t loop) const;
  /// How many numbers from one that it divides on lie one element apart.
  int64_t contiguous() const;
};

/// Which products are left out: those of elements outside of [begin, end) along
/// a dimension of the image. Index i of a loop of the rows and index j of one
/// of K make first + i * rowStep + j * depthStep.
struct Padding {
  int64_t begin, end;
  int64_t first, rowStep, depthStep;
  size_t rowLoop, depthLoop;

  /// The indices of the loop of K that are kept, of `count`.
  Kept keptOf(int64_t rowIndex, int64_t count) const;
};

/// What products are made of.
struct Factors {
  Walk rows, depth;      ///< of the left matrix
  int64_t leftBegin = 0; ///< where its first element lies
  int64_t columns = 0, batch = 1;
  bool isRightTransposed = false;
  std::vector<Padding> padding; ///< from outer to inner loops

  bool isMatrix() const {
    return rows.loops.size() == 1 && depth.loops.size() == 1;
  }
  /// Whether the rows, so many at a time, lie one element apart and leave out
  /// the same.
  bool haveNeighbours(int64_t together) const;
  /// What this row does not leave out.
  KeptList keptOf(int64_t row) const;
};

/// Rows in the order in which they are computed.
struct RowOrder {
  /// Rows that leave out the same, which a tile may hold together.
  struct Stretch {
    int64_t begin, end; ///< positions in the order
    KeptList kept;
  };

  explicit RowOrder(const Factors &factors);

  int64_t rowAt(int64_t position) const {
    return rows.empty() ? position : rows[static_cast<size_t>(position)];
  }

  std::vector<int64_t> rows; ///< empty: as they are numbered
  std::vector<Stretch> stretches;
};

/// Those of `kept` that lie in [begin, end), from `begin` on, in pieces of
/// which each lies in one stretch of `contiguous` elements of K, whose offsets
/// are `offsets`; null where all of K is one.
void piecesWithin(const KeptList &kept, int64_t begin, int64_t end,
                  const int64_t *offsets, int64_t contiguous,
                  std::vector<Piece> &pieces);

} // namespace kiln::eval

#endif // KILN_LIB_EVAL_CONTRACTIONROWS_H
