// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products in the CONTRACTION order of runtime/ReductionOrder.h.
//
//   for items = (batch, panel of columns, chunk of rows)      (parallel)
//     for blocks of K
//       pack the panel's rows of the right operand
//         (where they are not contiguous and alone already)
//       for tiles of rows
//         accumulate in registers, add to what earlier blocks stored
//
// A tile is sums in three quarters of the registers. What does not fill a tile
// is computed by the tile as well: rows behind the last one read the last one
// again, lanes behind the last column read anything, and neither is stored.
#include "passes/LoopNest.h"
#include "passes/vectorize/Elements.h"
#include "passes/vectorize/KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
namespace {

constexpr int64_t depthBlock = reduction::contractionBlock;
/// Rows that one item takes: a packed panel must serve enough of them to pay.
constexpr int64_t packedChunkRows = 192, plainChunkRows = 48;
constexpr int64_t maxSmallProduct = 1 << 16;
/// Packing for fewer rows than these costs more than it saves.
constexpr int64_t minPackedRows = 24;

/// Rows and registers of 16 lanes of the micro-kernel: the cheapest one for the
/// sizes that are known.
struct TileShape {
  int64_t rows = 0, registers = 0;

  TileShape(Type element, const Extent &allRows, const Extent &allColumns,
            VectorRegisters available) {
    // Registers that a vector of 16 lanes takes.
    int64_t words = std::max<int64_t>(
        lanes * element.getIntOrFloatBitWidth() / 8 / available.bytes, 1);
    int64_t maxSums = available.count * 3 / 4;
    double best = std::numeric_limits<double>::max();
    for (int64_t width : {4, 3, 2, 1, 5, 6, 7})
      for (int64_t height = 12; height > 0; --height) {
        // Sums, right operand and one element of the left one must fit into
        // the registers; a single row always does, by reading the right operand
        // where it is used.
        bool fits = height * width * words <= maxSums &&
                    (height + 1) * width * words < available.count;
        if (!fits && (height > 1 || width > 1))
          continue;
        double cost = count(allRows, height) *
                      count(allColumns, width * lanes) *
                      costOf(height, width * words);
        if (allRows.isKnown() && allRows.value % height != 0)
          cost *= 1.03; // the remainder is as much code again
        if (cost < best * 0.999) {
          best = cost;
          rows = height;
          registers = width;
        }
      }
  }
  int64_t columns() const { return registers * lanes; }

private:
  /// Products of one turn of the micro-kernel, and what its loads cost beside
  /// them.
  static double costOf(int64_t height, int64_t width) {
    return height * width + 0.5 * width + 0.25 * height;
  }
  /// Tiles along a dimension.
  static double count(const Extent &extent, int64_t size) {
    return extent.isKnown()
               ? std::max<double>(llvm::divideCeil(extent.value, size), 1)
               : 1000.0 / size;
  }
};

/// An operand: element (i, j) is at base + i * rowStride + j * columnStride.
struct Matrix {
  Value buffer, base, rowStride, columnStride;
};

/// A block of K of a panel: row k, register r at base + k * stride + 16 r.
struct Panel {
  Value buffer, base, stride;
  bool masked = false; ///< lanes behind the last column must not be read
};

class MatmulEmitter {
public:
  MatmulEmitter(MatmulOp op, const KernelBuffers &buffers, KernelBuilder &k)
      : op(op), k(k), builder(k.builder), loc(k.loc),
        dims(extentsOf(op.getResult())),
        element(
            storageType(cast<RankedTensorType>(op.getType()).getElementType())),
        vectorType(VectorType::get({lanes}, element)),
        rowExtent(dims[dims.size() - 2]), columnExtent(dims.back()),
        tile(element, rowExtent, columnExtent, k.registers) {
    Extents left = extentsOf(op.getLhs());
    depthExtent = left[left.size() - (op.getTransposeLhs() ? 2 : 1)];
    isSinglePanel =
        columnExtent.isKnown() && columnExtent.value <= tile.columns();
    bool fewRows = rowExtent.isKnown() && rowExtent.value <= minPackedRows;
    isPacked = op.getTransposeRhs() || (!isSinglePanel && !fewRows);
    lhs.buffer = buffers.in(op.getLhs());
    rhs.buffer = buffers.in(op.getRhs());
    result = buffers.out();
  }

  void emit() {
    rows = k.extent(rowExtent);
    columns = k.extent(columnExtent);
    depth = k.extent(depthExtent);
    if (isPacked)
      allocatePanel();
    int64_t chunkRows =
        (isPacked ? packedChunkRows : plainChunkRows) / tile.rows * tile.rows;
    Value panels = k.ceilDiv(columns, k.index(tile.columns()));
    Value chunks = k.ceilDiv(rows, k.index(chunkRows));
    Value perBatch = k.mul(panels, chunks);
    Value items = k.mul(k.product(ArrayRef(dims).drop_back(2)), perBatch);
    k.forEach(
        k.index(0), items, 1,
        [&](Value item) {
          Value batch = dims.size() == 2 ? k.index(0) : k.div(item, perBatch);
          Value rest = dims.size() == 2 ? item : k.rem(item, perBatch);
          Value begin = k.mul(k.rem(rest, chunks), k.index(chunkRows));
          emitItem(batch, k.mul(k.div(rest, chunks), k.index(tile.columns())),
                   begin, k.min(k.add(begin, k.index(chunkRows)), rows));
        },
        /*parallel=*/true);
  }

private:
  /// Rows [begin, end) of the panel at \p column.
  void emitItem(Value batch, Value column, Value begin, Value end) {
    Value one = k.index(1);
    lhs.base = k.mul(batch, k.mul(rows, depth));
    lhs.rowStride = op.getTransposeLhs() ? one : depth;
    lhs.columnStride = op.getTransposeLhs() ? rows : one;
    rhs.base = k.mul(batch, k.mul(depth, columns));
    rhs.rowStride = op.getTransposeRhs() ? one : columns;
    rhs.columnStride = op.getTransposeRhs() ? depth : one;
    resultBase = k.add(k.mul(batch, k.mul(rows, columns)), column);

    Value width = k.min(k.sub(columns, column), k.index(tile.columns()));
    bool alwaysFull =
        columnExtent.isKnown() && columnExtent.value % tile.columns() == 0;
    SmallVector<Value> masks(tile.registers), none(tile.registers);
    if (isSinglePanel)
      width = columns;
    for (int64_t r = 0; r < tile.registers && !alwaysFull; ++r)
      masks[r] = k.maskOf(k.sub(width, k.index(r * lanes)));

    Value blocks = k.ceilDiv(depth, k.index(depthBlock));
    blocks = builder.createOrFold<arith::MaxUIOp>(
        loc, blocks, one); // K = 0 is one empty block: zeros are stored
    k.forEach(k.index(0), blocks, 1, [&](Value block) {
      // A block is at most some 100 us of work; kiln-insert-polls, which sees
      // loops of unknown length, looks after the small ones alone.
      if (!isKnownSmall())
        PollOp::create(builder, loc);
      Value from = k.mul(block, k.index(depthBlock));
      Value count = k.min(k.sub(depth, from), k.index(depthBlock));
      bool oneBlock = depthExtent.isKnown() && depthExtent.value <= depthBlock;
      isLater = oneBlock ? Value()
                         : Value(arith::CmpIOp::create(builder, loc,
                                                       arith::CmpIPredicate::ne,
                                                       block, k.index(0)));
      if (oneBlock) {
        from = k.index(0);
        count = depth;
      }
      Panel panel = panelAt(from, count, column, masks);
      auto tiles = [&](Value low, Value high, bool clamped,
                       ArrayRef<Value> stored) {
        k.forEach(low, high, tile.rows, [&](Value row) {
          emitTile(row, clamped ? end : Value(), panel, from, count, stored);
        });
      };
      Value whole = k.sub(end, k.rem(k.sub(end, begin), k.index(tile.rows)));
      bool alwaysWhole =
          rowExtent.isKnown() && rowExtent.value % tile.rows == 0;
      if (alwaysFull || isSinglePanel) {
        tiles(begin, whole, false, masks);
        if (!alwaysWhole)
          tiles(whole, end, true, masks);
        return;
      }
      Value full = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         width, k.index(tile.columns()));
      whole = builder.createOrFold<arith::SelectOp>(loc, full, whole, begin);
      tiles(begin, whole, false, none);
      tiles(whole, end, true, masks);
    });
  }

  /// Less than a few microseconds for a product of two matrices.
  bool isKnownSmall() const {
    int64_t multiplications = 1;
    for (const Extent &extent : {rowExtent, columnExtent, depthExtent}) {
      if (!extent.isKnown() || extent.value > maxSmallProduct)
        return false;
      multiplications *= extent.value;
    }
    return multiplications <= maxSmallProduct;
  }

  //===--- Panels ---------------------------------------------------------===//

  /// On the stack, where kiln-parallelize gives each task its own.
  void allocatePanel() {
    OpBuilder::InsertionGuard guard(builder);
    Operation *parent = builder.getInsertionBlock()->getParentOp();
    auto function = isa<func::FuncOp>(parent)
                        ? cast<func::FuncOp>(parent)
                        : parent->getParentOfType<func::FuncOp>();
    builder.setInsertionPointToStart(&function.front());
    int64_t height = depthBlock;
    if (depthExtent
            .isKnown()) // packing a transposed operand writes 16 rows at once
      height = std::clamp<int64_t>(llvm::alignTo(depthExtent.value, lanes),
                                   lanes, depthBlock);
    packed = memref::AllocaOp::create(
        builder, loc, MemRefType::get({height * tile.columns()}, element),
        builder.getI64IntegerAttr(64));
  }

  Panel panelAt(Value from, Value count, Value column, ArrayRef<Value> masks) {
    if (!isPacked)
      return {rhs.buffer, k.add(k.add(rhs.base, k.mul(from, columns)), column),
              columns, true};
    Value stride = k.index(tile.columns());
    if (op.getTransposeRhs())
      packTransposed(from, count, column);
    else
      k.forEach(k.index(0), count, 1, [&](Value row) {
        Value source =
            k.add(k.add(rhs.base, k.mul(k.add(from, row), columns)), column);
        for (int64_t r = 0; r < tile.registers; ++r)
          k.store(
              k.load(rhs.buffer, k.add(source, k.index(r * lanes)), masks[r]),
              packed, k.add(k.mul(row, stride), k.index(r * lanes)), Value());
      });
    return {packed, k.index(0), stride, false};
  }

  /// Squares of 16 x 16 elements, transposed in registers.
  void packTransposed(Value from, Value count, Value column) {
    Value last = k.sub(columns, k.index(1));
    bool wholeSquares = depthExtent.isKnown() && depthExtent.value % lanes == 0;
    k.forEach(k.index(0), k.index(tile.columns()), lanes, [&](Value at) {
      SmallVector<Value> sources;
      for (int64_t i = 0; i < lanes; ++i) {
        Value source = k.min(k.add(k.add(column, at), k.index(i)), last);
        sources.push_back(k.add(k.add(rhs.base, k.mul(source, depth)), from));
      }
      k.forEach(k.index(0), count, lanes, [&](Value base) {
        Value mask = wholeSquares ? Value() : k.maskOf(k.sub(count, base));
        SmallVector<Value> square;
        for (Value source : sources)
          square.push_back(k.load(rhs.buffer, k.add(source, base), mask));
        transposeSquare(square);
        for (auto [i, vector] : llvm::enumerate(square))
          k.store(vector, packed,
                  k.add(k.mul(k.add(base, k.index(i)), k.index(tile.columns())),
                        at),
                  Value());
      });
    });
  }

  /// Exchanges halves, quarters, eighths and single elements of the
  /// off-diagonal squares.
  void transposeSquare(MutableArrayRef<Value> square) {
    for (int64_t half = lanes / 2; half > 0; half /= 2) {
      SmallVector<int64_t> low, high;
      for (int64_t lane = 0; lane < lanes; ++lane) {
        low.push_back(lane & half ? lanes + lane - half : lane);
        high.push_back(lane & half ? lanes + lane : lane + half);
      }
      for (int64_t i = 0; i < lanes; ++i) {
        if (i & half)
          continue;
        Value a = square[i], b = square[i + half];
        square[i] = vector::ShuffleOp::create(builder, loc, a, b, low);
        square[i + half] = vector::ShuffleOp::create(builder, loc, a, b, high);
      }
    }
  }

  //===--- Tiles ----------------------------------------------------------===//

  Value multiplyAdd(Value a, Value b, Value c) {
    if (isa<FloatType>(element))
      return math::FmaOp::create(builder, loc, a, b, c);
    return arith::AddIOp::create(builder, loc, c,
                                 arith::MulIOp::create(builder, loc, a, b));
  }

  /// The tile at \p row. Rows from \p end on, where given, are not there; masks
  /// say which columns are.
  void emitTile(Value row, Value end, const Panel &panel, Value from,
                Value count, ArrayRef<Value> masks) {
    SmallVector<Value> rowsOf, there, lefts;
    for (int64_t i = 0; i < tile.rows; ++i) {
      rowsOf.push_back(k.add(row, k.index(i)));
      there.push_back(Value());
      if (end && i > 0) {
        there[i] = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::ult, rowsOf[i], end);
        rowsOf[i] = k.min(rowsOf[i], k.sub(end, k.index(1)));
      }
      lefts.push_back(k.add(k.add(lhs.base, k.mul(rowsOf[i], lhs.rowStride)),
                            k.mul(from, lhs.columnStride)));
    }
    Value zero =
        emitConstant(builder, loc, vectorType, builder.getZeroAttr(element));
    SmallVector<Value> initial(tile.rows * tile.registers, zero);
    ValueRange sums = k.forCarried(
        k.index(0), count, 1, initial, [&](Value at, ValueRange carried) {
          SmallVector<Value> rights, next(carried);
          Value base = k.add(panel.base, k.mul(at, panel.stride));
          for (int64_t r = 0; r < tile.registers; ++r)
            rights.push_back(k.load(panel.buffer,
                                    k.add(base, k.index(r * lanes)),
                                    panel.masked ? masks[r] : Value()));
          for (int64_t i = 0; i < tile.rows; ++i) {
            Value left = k.splat(k.loadScalar(
                lhs.buffer, k.add(lefts[i], k.mul(at, lhs.columnStride))));
            for (int64_t r = 0; r < tile.registers; ++r) {
              Value &sum = next[i * tile.registers + r];
              sum = multiplyAdd(left, rights[r], sum);
            }
          }
          return next;
        });
    storeTile(rowsOf, there, sums, masks);
  }

  /// Adds the sums of a block to what earlier blocks left. Before the first
  /// there is -0, which changes no number. All loads come before the stores: a
  /// masked load right behind a masked store near it waits for that.
  void storeTile(ArrayRef<Value> rowsOf, ArrayRef<Value> there, ValueRange sums,
                 ArrayRef<Value> masks) {
    auto both = [&](Value mask, Value condition) -> Value {
      if (!condition)
        return mask;
      Value all = k.splat(condition);
      return mask ? Value(arith::AndIOp::create(builder, loc, mask, all)) : all;
    };
    SmallVector<Value> totals, offsets, stored;
    for (auto [index, sum] : llvm::enumerate(sums)) {
      int64_t i = index / tile.registers, r = index % tile.registers;
      stored.push_back(both(masks[r], there[i]));
      offsets.push_back(k.add(k.add(resultBase, k.mul(rowsOf[i], columns)),
                              k.index(r * lanes)));
      if (!isLater) {
        totals.push_back(sum);
      } else if (isa<FloatType>(element)) {
        Value before =
            k.load(result, offsets.back(), both(stored.back(), isLater),
                   emitFloat(builder, loc, vectorType, -0.0));
        totals.push_back(arith::AddFOp::create(builder, loc, before, sum));
      } else {
        Value before =
            k.load(result, offsets.back(), both(stored.back(), isLater));
        totals.push_back(arith::AddIOp::create(builder, loc, before, sum));
      }
    }
    for (auto [total, offset, mask] : llvm::zip_equal(totals, offsets, stored))
      k.store(total, result, offset, mask);
  }

  MatmulOp op;
  KernelBuilder &k;
  OpBuilder &builder;
  Location loc;
  Extents dims;
  Type element;
  VectorType vectorType;
  Extent rowExtent, columnExtent, depthExtent;
  TileShape tile;
  bool isSinglePanel = false, isPacked = false;
  Matrix lhs, rhs;
  Value result, rows, columns, depth, resultBase, packed;
  Value isLater; ///< whether there are sums of earlier blocks of K; null where
                 ///< there is one block
};

} // namespace

void emitMatmul(MatmulOp op, const KernelBuffers &buffers,
                KernelBuilder &kernel) {
  MatmulEmitter(op, buffers, kernel).emit();
}

} // namespace kiln::passes
