// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates products of matrices, and of the windows of a tensor, in the
// CONTRACTION order of runtime/arithmetic/ReductionOrder.h.
//
// A part of the rows goes through a block of K at a time, against one panel of
// columns after the other (ContractionTile.h). Panels are packed contiguously,
// so that both layouts of an operand are one code. Rows are read where they
// lie, or written down where their elements are no neighbours. Where padding is
// left out of the sums, rows that leave out the same are computed together,
// wherever they lie.
#include "lib/Eval/ContractionRows.h"
#include "lib/Eval/ContractionTile.h"
#include "lib/Eval/ElementwiseLoops.h"
#include "lib/Eval/Interpreter.h"
#include "lib/Support/DataMemory.h"
#include "lib/Support/StatusMacros.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <span>
#include <vector>

namespace kiln::eval {
namespace {

/// Integers multiply as unsigned numbers: they wrap.
template <class T, bool = std::is_integral_v<T>> struct Arithmetic {
  using Type = T;
};
template <class T> struct Arithmetic<T, true> {
  using Type = std::make_unsigned_t<T>;
};

/// Rows that a panel is packed for; with a block of K, what stays in the cache.
constexpr int64_t mostPartRows = 128;

/// Where a thread writes its part down.
template <class T> struct Scratch {
  T *panel, *left;
};

/// The products of a batch, cut into parts that threads share: some rows and
/// some panels of one product.
template <class T> class Products {
public:
  Products(const Factors &factors, const Tensor &lhs, const Tensor &rhs,
           Tensor &result)
      : left(static_cast<const T *>(lhs.rawData()) + factors.leftBegin),
        leftEnd(static_cast<const T *>(lhs.rawData()) + lhs.numElements()),
        right(static_cast<const T *>(rhs.rawData())),
        target(static_cast<T *>(result.mutableRawData())), factors(factors),
        order(factors), rows(factors.rows.count()), columns(factors.columns),
        depth(factors.depth.count()), batch(factors.batch),
        panels((columns + panelWidth<T> - 1) / panelWidth<T>) {
    if (!factors.isMatrix()) {
      rowOffsets = factors.rows.offsets();
      depthOffsets = factors.depth.offsets();
      contiguous = factors.depth.contiguous();
      readsTo = vectorWidth<T>;
      for (int64_t offset : depthOffsets)
        readsTo = std::max(readsTo, offset + vectorWidth<T>);
      rowsAreNeighbours = factors.haveNeighbours(tileRows);
    }
    // Few rows of a product with one panel and a long K, as the gradient of a
    // filter has them, are cut into equal parts for all threads.
    const int64_t rowsOfShare =
        (rows * batch * panels + leastParts - 1) / leastParts;
    const int64_t fewRows = std::max(rowsOfShare, leastPacked);
    partRows = std::min({mostPartRows, fewRows, rows});
    partRows = (partRows + tileRows - 1) / tileRows * tileRows;
    rowParts = partRows == 0 ? 0 : (rows + partRows - 1) / partRows;
    // Each group of panels writes its rows down again.
    const int64_t wanted = leastParts / std::max<int64_t>(batch * rowParts, 1);
    partPanels = std::max<int64_t>(panels / std::max<int64_t>(wanted, 1), 1);
    panelParts = (panels + partPanels - 1) / partPanels;
  }

  int64_t numParts() const { return batch * rowParts * panelParts; }
  /// A chunk is worth waking a thread for.
  int64_t grain() const {
    const int64_t ofPart = std::min(partRows, rows) * depth *
                           std::min(partPanels, panels) * panelWidth<T>;
    return leastShared / std::max<int64_t>(ofPart, 1) + 1;
  }

  int64_t panelElements() const {
    return std::min(depth, blockDepth) * panelWidth<T>;
  }
  int64_t scratchElements() const {
    return panelElements() +
           (readsInPlace() ? 0 : partRows * blockDepth + vectorWidth<T>);
  }

  /// Computes parts [begin, end); `memory` is scratch.
  Status multiply(int64_t begin, int64_t end, T *memory,
                  const Interpreter &interpreter) const {
    const Scratch<T> scratch{memory, memory + panelElements()};
    std::array<int64_t, mostPartRows> offsets, leftOffsets;
    for (int64_t number = begin; number < end; ++number) {
      Part part;
      part.batch = number / (rowParts * panelParts);
      part.rowBegin = number / panelParts % rowParts * partRows;
      part.rowEnd = std::min(part.rowBegin + partRows, rows);
      part.panelBegin = number % panelParts * partPanels;
      part.panelEnd = std::min(part.panelBegin + partPanels, panels);
      for (int64_t i = part.rowBegin; i < part.rowEnd; ++i)
        offsets[static_cast<size_t>(i - part.rowBegin)] =
            (part.batch * rows + order.rowAt(i)) * columns;
      int64_t block = 0;
      do {
        KILN_RETURN_IF_ERROR(interpreter.pollCancel());
        multiplyPart(part, block, offsets.data(), leftOffsets.data(), scratch);
        block += blockDepth;
      } while (block < depth);
    }
    return okStatus();
  }

private:
  /// Whether rows are read where they lie: those of matrices, and windows whose
  /// elements are mostly neighbours.
  bool readsInPlace() const {
    return factors.isMatrix()
               ? factors.depth.loops[0].stride == 1
               : contiguous >= vectorWidth<T> && !rowsAreNeighbours;
  }

  struct Part {
    int64_t batch, rowBegin, rowEnd, panelBegin, panelEnd;
  };

  /// What is worth sharing.
  static constexpr int64_t leastShared = int64_t(1) << 20;
  static constexpr int64_t leastParts = 16;
  /// Fewer rows read a panel where it lies: packing takes as long as a tile.
  static constexpr int64_t leastPacked = 2 * tileRows;

  /// A block of K of a part, from element `begin` on.
  void multiplyPart(const Part &part, int64_t begin, const int64_t *offsets,
                    int64_t *leftOffsets, const Scratch<T> &scratch) const {
    const int64_t end = std::min(begin + blockDepth, depth);
    TileBlock<T> block;
    block.isFirst = begin == 0;
    const T *leftRows = leftOf(part, begin, end, scratch, leftOffsets);
    const bool isInterleaved = isWrittenInterleaved();
    std::vector<Piece> pieces;
    for (int64_t panel = part.panelBegin; panel < part.panelEnd; ++panel) {
      const int64_t column = panel * panelWidth<T>;
      block.width = std::min(panelWidth<T>, columns - column);
      block.target = target + column;
      block.panel = panelOf(part, column, block.width, begin, end, scratch,
                            block.panelStride);
      for (const RowOrder::Stretch &stretch : order.stretches) {
        const int64_t first = std::max(stretch.begin, part.rowBegin),
                      behind = std::min(stretch.end, part.rowEnd);
        if (first >= behind)
          continue;
        piecesWithin(stretch.kept, begin, end,
                     readsInPlace() && !factors.isMatrix() ? depthOffsets.data()
                                                           : nullptr,
                     contiguous, pieces);
        block.pieces = pieces;
        block.rows = behind - first;
        const int64_t passed = first - part.rowBegin;
        block.left = leftRows + (isInterleaved ? passed * blockDepth : 0);
        block.leftOffsets = isInterleaved ? nullptr : leftOffsets + passed;
        block.offsets = offsets + passed;
        multiplyTiles(block);
      }
    }
  }

  bool isWrittenInterleaved() const {
    return !readsInPlace() && (factors.isMatrix() || rowsAreNeighbours);
  }

  /// The part's rows of the left matrix, where they lie or written down, and
  /// where each of them begins.
  const T *leftOf(const Part &part, int64_t begin, int64_t end,
                  const Scratch<T> &scratch, int64_t *offsets) const {
    const bool isMatrix = factors.isMatrix();
    for (int64_t i = part.rowBegin; i < part.rowEnd; ++i)
      *offsets++ = !readsInPlace() ? (i - part.rowBegin) * blockDepth
                   : isMatrix ? i * factors.rows.loops[0].stride
                              : rowOffsets[static_cast<size_t>(order.rowAt(i))];
    const T *from = left + part.batch * rows * depth;
    if (readsInPlace())
      return isMatrix ? from + begin : from;
    T *to = scratch.left;
    const int64_t step = isWrittenInterleaved() ? tileRows : 1;
    for (int64_t i = part.rowBegin; i < part.rowEnd; i += step) {
      if (isMatrix)
        writeColumns(from + begin * factors.depth.loops[0].stride + i,
                     std::min(tileRows, part.rowEnd - i), end - begin, to);
      else
        writeRows(order.rowAt(i), begin, end, to);
      to += step * blockDepth;
    }
    return scratch.left;
  }

  /// Writes rows down that are neighbours, interleaved.
  void writeColumns(const T *from, int64_t count, int64_t depth, T *to) const {
    const int64_t stride = factors.depth.loops[0].stride;
    for (int64_t k = 0; k < depth; ++k)
      std::memcpy(to + k * tileRows, from + k * stride,
                  static_cast<size_t>(count) * sizeof(T));
  }

  /// Writes a row down, or tileRows that are neighbours, interleaved.
  void writeRows(int64_t row, int64_t begin, int64_t end, T *to) const {
    const T *from = left + rowOffsets[static_cast<size_t>(row)];
    const int64_t *offsets = depthOffsets.data();
    if (rowsAreNeighbours) {
      for (int64_t k = begin; k < end; ++k, to += tileRows)
        std::memcpy(to, from + offsets[k], sizeof(T) * tileRows);
      return;
    }
    // Neighbours are copied a vector at a time: what that is too much the next
    // ones overwrite.
    if (contiguous == 1 || leftEnd - from < readsTo) {
      for (int64_t k = begin; k < end; ++k)
        *to++ = from[offsets[k]];
      return;
    }
    for (int64_t k = begin; k < end;) {
      const int64_t some = std::min(contiguous - k % contiguous, end - k);
      std::memcpy(to, from + offsets[k], sizeof(TileVector<T>));
      to += some;
      k += some;
    }
  }

  /// Columns [column, column + width) of the right matrix, where they lie or
  /// packed as rows of panelWidth elements, the rest zero.
  const T *panelOf(const Part &part, int64_t column, int64_t width,
                   int64_t begin, int64_t end, const Scratch<T> &scratch,
                   int64_t &stride) const {
    const bool isTransposed = factors.isRightTransposed;
    const T *from =
        right + part.batch * depth * columns +
        (isTransposed ? column * depth + begin : begin * columns + column);
    stride = columns;
    const bool areFewRows =
        width == panelWidth<T> && part.rowEnd - part.rowBegin < leastPacked;
    // The only panel lies together as it is.
    const bool isWhole = panels == 1 && width % vectorWidth<T> == 0;
    if (!isTransposed && (areFewRows || isWhole))
      return from;
    stride = panelWidth<T>;
    T *to = scratch.panel;
    if (isTransposed) {
      for (int64_t k = 0; k < end - begin; ++k, to += stride) {
        for (int64_t i = 0; i < width; ++i)
          to[i] = from[i * depth + k];
        std::fill(to + width, to + stride, T(0));
      }
    } else if (width == panelWidth<T>) {
      for (int64_t k = 0; k < end - begin; ++k)
        std::memcpy(to + k * stride, from + k * columns,
                    sizeof(T) * panelWidth<T>);
    } else {
      for (int64_t k = 0; k < end - begin; ++k, to += stride) {
        std::copy_n(from + k * columns, width, to);
        std::fill(to + width, to + stride, T(0));
      }
    }
    return scratch.panel;
  }

  const T *left, *leftEnd, *right;
  T *target;
  const Factors &factors;
  const RowOrder order;
  int64_t rows, columns, depth, batch, panels;
  int64_t partRows, rowParts, partPanels, panelParts;
  /// Of windows: where rows and elements of K lie, how many are neighbours.
  std::vector<int64_t> rowOffsets, depthOffsets;
  int64_t contiguous = 1;
  int64_t readsTo = 0; ///< how far from its first element a row is read
  bool rowsAreNeighbours = false;
  void (*const multiplyTiles)(const TileBlock<T> &) = multiplyBlock<T>();
};

/// Binds the products of the op's operands.
Status evaluateProducts(const Op &op, const Factors &factors, const Tensor &lhs,
                        const Tensor &rhs, Tensor result,
                        Interpreter &interpreter) {
  Status status =
      dispatchNumber(result.dtype(), [&]<class Element>(Element) -> Status {
        using T = typename Arithmetic<Element>::Type;
        Products<T> products(factors, lhs, rhs, result);
        const auto bytes =
            static_cast<size_t>(products.scratchElements()) * sizeof(T);
        std::atomic<bool> lacksMemory = false;
        interpreter.parallelFor(
            products.numParts(), products.grain(), /*isLeftOut=*/true,
            [&](int64_t begin, int64_t end) {
              BufferRef scratch = allocateBuffer(bytes);
              if (!scratch)
                lacksMemory = true;
              else // a stop is found below
                (void)products.multiply(
                    begin, end, static_cast<T *>(scratch->data), interpreter);
            });
        if (lacksMemory)
          return outOfMemory(result.dtype(), Shape{products.scratchElements()},
                             bytes);
        return interpreter.poll();
      });
  KILN_RETURN_IF_ERROR(std::move(status));
  interpreter.bindOwned(interpreter.resultOf(op), std::move(result));
  return okStatus();
}

} // namespace

Status evaluateOp(const Op &op, const MatmulOp &matmul,
                  Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(Tensor lhs,
                        interpreter.dense(interpreter.operandOf(op, 0)));
  KILN_ASSIGN_OR_RETURN(Tensor rhs,
                        interpreter.dense(interpreter.operandOf(op, 1)));
  KILN_ASSIGN_OR_RETURN(Tensor result,
                        interpreter.allocateFor(interpreter.resultOf(op)));
  int64_t rows = result.dim(-2), depth = lhs.dim(matmul.transposeLhs ? -2 : -1);
  Factors factors;
  factors.rows.loops = {{rows, matmul.transposeLhs ? 1 : depth}};
  factors.depth.loops = {{depth, matmul.transposeLhs ? rows : 1}};
  factors.columns = result.dim(-1);
  for (int i = 0; i + 2 < result.rank(); ++i)
    factors.batch *= result.dim(i);
  factors.isRightTransposed = matmul.transposeRhs;
  return evaluateProducts(op, factors, lhs, rhs, std::move(result),
                          interpreter);
}

Status evaluateOp(const Op &op, const ConvolveOp &convolve,
                  Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(Tensor lhs,
                        interpreter.dense(interpreter.operandOf(op, 0)));
  KILN_ASSIGN_OR_RETURN(Tensor rhs,
                        interpreter.dense(interpreter.operandOf(op, 1)));
  KILN_ASSIGN_OR_RETURN(Tensor result,
                        interpreter.allocateFor(interpreter.resultOf(op)));
  const Tensor &places = convolve.transposed ? rhs : result,
               &filter = convolve.transposed ? result : rhs;
  std::span<const int64_t> strides =
                               interpreter.program.numbersOf(convolve.strides),
                           dilations = interpreter.program.numbersOf(
                               convolve.dilations);
  Factors factors;
  factors.columns = result.dim(-1);
  factors.depth.loops = {{lhs.dim(-1), 1}};
  int64_t step = lhs.dim(-1); // from one index of the dimension to the next
  for (int i = static_cast<int>(strides.size()); i-- > 0;) {
    auto at = static_cast<size_t>(i);
    factors.rows.loops.insert(factors.rows.loops.begin(),
                              {places.dim(i + 1), step * strides[at]});
    factors.depth.loops.insert(factors.depth.loops.begin(),
                               {filter.dim(i), step * dilations[at]});
    if (dilations[at] < 0) // from its last element on
      factors.leftBegin -=
          std::max<int64_t>(filter.dim(i) - 1, 0) * step * dilations[at];
    step *= lhs.dim(i + 1);
  }
  factors.rows.loops.insert(factors.rows.loops.begin(), {lhs.dim(0), step});
  // [low, high] of the first dimension, and perhaps of the last.
  std::span<const int64_t> padded =
      interpreter.program.numbersOf(convolve.padded);
  for (size_t i = 0; i + 1 < padded.size(); i += 2) {
    const size_t dim = i == 0 ? 0 : strides.size() - 1;
    const int64_t tap = dilations[dim],
                  extent = lhs.dim(static_cast<int>(dim) + 1),
                  taps = filter.dim(static_cast<int>(dim));
    factors.padding.push_back(
        {.begin = padded[i],
         .end = extent - padded[i + 1],
         .first = tap < 0 ? -tap * std::max<int64_t>(taps - 1, 0) : 0,
         .rowStep = strides[dim],
         .depthStep = tap,
         .rowLoop = dim + 1,
         .depthLoop = dim});
  }
  if (convolve.transposed) {
    std::swap(factors.rows, factors.depth);
    for (Padding &of : factors.padding) {
      std::swap(of.rowStep, of.depthStep);
      std::swap(of.rowLoop, of.depthLoop);
    }
  }
  return evaluateProducts(op, factors, lhs, rhs, std::move(result),
                          interpreter);
}

} // namespace kiln::eval
