// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops of a product of matrices.
//
//   for items = (batch, panels of columns, chunk of rows)     (parallel)
//     for blocks of K
//       pack the chunk's rows of the left operand, tile by tile
//         (where the schedule says that it pays)
//       for panels of the item, mostly one
//         pack the panel's rows of the right operand
//           (where they are not contiguous and alone already)
//         for runs of rows, for tiles of a run
//           for runs of K
//             accumulate in registers
//           add to what earlier blocks stored
//           after the last block: what follows the product in its fusion
//     the same on the item's results, where it is long
//
// A matrix has one run of rows and one of K. The windows of a tensor, which
// are not written down, have more: an image's row of places is a run of rows, a
// window's row of elements one of K. A run of K, or a part of it, that is
// padding for a run of rows is passed over.
//
// A tile is sums in three quarters of the registers. What does not fill a tile
// is computed by the tile as well: rows behind the last one are the last one
// once more, which stores the same sums, since all that is read for a tile is
// read before anything is stored; lanes behind the last column read anything
// and are not stored.
#include "passes/vectorize/Contraction.h"
#include "passes/vectorize/Elements.h"
#include "passes/vectorize/Packing.h"
#include "passes/vectorize/RowChunks.h"
#include "passes/vectorize/StackArrays.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
namespace {

constexpr int64_t depthBlock = reduction::contractionBlock;
/// Steps that asking for a tile's results ahead of them pays for.
constexpr int64_t minFetchingDepth = 32;

/// A block of K of a panel: row k, register r at base + k * stride + 16 r.
struct Panel {
  Value buffer, base, stride;
  bool masked = false; ///< lanes behind the last column must not be read
  /// Where the block behind this one begins in the right operand, if this one
  /// was packed.
  Value next;
};

class ContractionEmitter {
public:
  ContractionEmitter(Contraction contraction, KernelBuilder &k)
      : c(std::move(contraction)), k(k), builder(k.builder), loc(k.loc),
        element(c.element), vectorType(VectorType::get({lanes}, element)),
        sizes(sizesOf(c, k)),
        schedule(chooseContractionSchedule(sizes, k.registers)),
        tile(schedule.tile) {}

  void emit() {
    columns = c.columns;
    depth = c.depth.count(k);
    if (isPacked())
      packed = allocateScratch(builder, loc, element,
                               packedDepth() * tile.columns(), "right");
    left = {c.lhs, c.depth.run().stride};
    if (schedule.packsLeft) // a vector more, which packing may overwrite
      left = {
          allocateScratch(
              builder, loc, element,
              chunksOfRows().mostRows(sizes.rowsOfRun) * packedDepth() + lanes,
              "left"),
          k.index(tile.rows)};
    const Value columnsOfItem = k.index(schedule.panelsOfItem * tile.columns());
    Value panels = k.ceilDiv(columns, columnsOfItem);
    bool isOneRun = c.rows.around().empty();
    Value run = c.rows.run().count;
    Value runs = c.rows.runs(k);
    // An item is a chunk of some runs of rows, or of some rows of one run.
    Value chunkRows, runsOfChunk = k.index(1), chunksOfRun;
    if (isOneRun) {
      chunksOfRun = chunksOfRows().count(k, run, panels);
      chunkRows = k.mul(k.ceilDiv(k.ceilDiv(run, chunksOfRun), // whole tiles
                                  k.index(tile.rows)),
                        k.index(tile.rows));
      chunkRows = k.max(chunkRows, k.index(tile.rows));
      chunksOfRun = k.ceilDiv(run, chunkRows);
    } else {
      chunkRows = k.index(chunksOfRows().wantedRows());
      chunksOfRun = k.ceilDiv(run, chunkRows);
      Value chunks = chunksOfRows().count(k, k.mul(runs, run), panels);
      runsOfChunk = k.max(k.min(k.ceilDiv(runs, chunks),
                                k.div(k.index(chunksOfRows().mostRows()),
                                      k.max(run, k.index(1)))),
                          k.index(1));
    }
    Value chunks = k.mul(k.ceilDiv(runs, runsOfChunk), chunksOfRun);
    Value perBatch = k.mul(panels, chunks);
    Value items = k.mul(k.product(c.batch), perBatch);
    k.forEach(
        k.index(0), items, 1,
        [&](Value item) {
          Value batch = c.batch.empty() ? k.index(0) : k.div(item, perBatch);
          Value rest = c.batch.empty() ? item : k.rem(item, perBatch);
          // Packed ahead, a panel is less than the chunk's rows, which stay in
          // the cache; one that is packed here stays itself, as its source.
          Value chunk = c.panels ? k.div(rest, panels) : k.rem(rest, chunks);
          Value panel = c.panels ? k.rem(rest, panels) : k.div(rest, chunks);
          Value begin = k.mul(k.rem(chunk, chunksOfRun), chunkRows);
          Rows rows = {k.index(0), k.index(1), begin,
                       k.min(k.add(begin, chunkRows), run)};
          if (!isOneRun) {
            rows.firstRun = k.mul(k.div(chunk, chunksOfRun), runsOfChunk);
            rows.endRun = k.min(k.add(rows.firstRun, runsOfChunk), runs);
          }
          emitItem(batch, k.mul(panel, columnsOfItem), rows);
        },
        /*parallel=*/true);
  }

private:
  /// Rows [begin, end) of each of some runs.
  struct Rows {
    Value firstRun, endRun, begin, end;
  };

  static ContractionSizes sizesOf(const Contraction &c, KernelBuilder &k) {
    ContractionSizes sizes;
    sizes.element = c.element;
    sizes.columns = getConstantIntValue(c.columns);
    sizes.depth = getConstantIntValue(c.depth.count(k));
    sizes.rowsOfRun = getConstantIntValue(c.rows.run().count);
    sizes.rows = getConstantIntValue(c.rows.count(k));
    sizes.isRightTransposed = c.transposeRhs;
    sizes.isLeftMatrix = c.rows.around().empty() && c.depth.around().empty();
    Value rowStride = c.rows.run().stride, depthStride = c.depth.run().stride;
    if (getConstantIntValue(rowStride) == 1) {
      sizes.isLeftTransposed = true;
      sizes.leftStride = getConstantIntValue(depthStride);
    } else if (getConstantIntValue(depthStride) == 1) {
      sizes.leftStride = getConstantIntValue(rowStride);
    }
    sizes.panelColumns = c.panels ? c.panelColumns : 0;
    return sizes;
  }

  bool isPacked() const { return schedule.right == RightOperand::Packed; }
  RowChunks chunksOfRows() const { return {schedule.right, tile.rows}; }

  /// Where a block begins in the depth, and how long it is; notes whether it is
  /// a later one, and whether it is the last one.
  std::pair<Value, Value> depthOf(Value block, Value blocks, Value one) {
    Value from = k.mul(block, k.index(depthBlock));
    Value count = k.min(k.sub(depth, from), k.index(depthBlock));
    if (sizes.depth && *sizes.depth <= depthBlock) {
      isLater = Value();
      return {k.index(0), depth};
    }
    isLater = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                    block, k.index(0));
    if (isEpilogueInTiles())
      isLast = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                     block, k.sub(blocks, one));
    return {from, count};
  }

  /// These rows of the panels from \p first on.
  void emitItem(Value batch, Value first, const Rows &rows) {
    Value one = k.index(1), allRows = c.rows.count(k);
    lhsBase = k.add(c.lhsBegin, k.mul(batch, k.mul(allRows, depth)));
    rhsBase = k.mul(batch, k.mul(depth, columns));
    Value blocks = k.ceilDiv(depth, k.index(depthBlock));
    blocks = k.max(blocks, one); // K = 0 is one empty block: zeros are stored
    k.forEach(k.index(0), blocks, 1, [&](Value block) {
      auto [from, count] = depthOf(block, blocks, one);
      if (schedule.packsLeft)
        packLeft(from, count, rows);
      forEachPanel(first, [&, from = from, count = count](Value column) {
        emitPanel(batch, column, rows, from, count);
      });
    });
    if (!c.epilogue || c.epilogue->empty() || isEpilogueInTiles())
      return;
    Value run = c.rows.run().count, firstRow = k.mul(batch, allRows);
    Value low = k.add(firstRow, k.add(k.mul(rows.firstRun, run), rows.begin));
    Value high =
        k.add(firstRow, k.add(k.mul(k.sub(rows.endRun, one), run), rows.end));
    forEachPanel(first, [&](Value column) {
      c.epilogue->emit(k, {c.result, c.resultBegin, c.resultWidth, columns, low,
                           high, column, masksOf(widthOf(column))});
    });
  }

  void forEachPanel(Value first, function_ref<void(Value)> body) {
    if (schedule.panelsOfItem == 1)
      return body(first);
    Value end = k.add(first, k.index(schedule.panelsOfItem * tile.columns()));
    k.forEach(first, k.min(end, columns), tile.columns(), body);
  }

  bool isAlwaysFull() const {
    return sizes.columns && *sizes.columns % tile.columns() == 0;
  }

  /// How many columns the panel at \p column has.
  Value widthOf(Value column) {
    return schedule.isSinglePanel
               ? columns
               : k.min(k.sub(columns, column), k.index(tile.columns()));
  }

  SmallVector<Value> masksOf(Value width) {
    SmallVector<Value> masks(tile.registers);
    for (int64_t r = 0; r < tile.registers && !isAlwaysFull(); ++r)
      masks[r] = k.maskOf(k.sub(width, k.index(r * lanes)));
    return masks;
  }

  /// A block of K of the panel at \p column.
  void emitPanel(Value batch, Value column, const Rows &rows, Value from,
                 Value count) {
    // At most some 100 us of work; kiln-insert-polls, which sees loops of
    // unknown length, looks after small products alone.
    if (!schedule.isSmall)
      PollOp::create(builder, loc);
    Value allRows = c.rows.count(k), width = widthOf(column);
    const SmallVector<Value> masks = masksOf(width), none(tile.registers);
    Value base = k.add(k.mul(batch, k.mul(allRows, c.resultWidth)),
                       k.add(c.resultBegin, column));
    Panel panel = panelAt(from, count, column, masks);
    auto emitRun = [&](Value run) {
      runBase = k.add(lhsBase, c.rows.offsetOf(run, k));
      runRow = k.mul(run, c.rows.run().count);
      resultBase = k.add(base, k.mul(runRow, c.resultWidth));
      if (c.padding)
        runBegin = c.padding->beginOf(c.rows, run, k);
      if (c.runPadding)
        runPart = c.runPadding->partOfRun(c.rows, run, k);
      runRow = k.add(runRow, k.mul(batch, allRows));
      std::optional<int64_t> ofRun = getConstantIntValue(c.rows.run().count);
      bool isWhole = ofRun && *ofRun % tile.rows == 0;
      auto tiles = [&](Value low, Value high, ArrayRef<Value> stored) {
        k.forEach(low, high, tile.rows, [&](Value row) {
          emitTile(row, rows.begin, isWhole ? Value() : rows.end, panel, from,
                   count, column, stored);
        });
      };
      // Masks cost a register of AVX-512 nothing; stores of others a lot.
      bool isMaskFree = k.registers.bytes == 64;
      if (isAlwaysFull() || schedule.isSinglePanel || isMaskFree) {
        tiles(rows.begin, rows.end, masks);
        return;
      }
      Value full = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         width, k.index(tile.columns()));
      Value whole = builder.createOrFold<arith::SelectOp>(loc, full, rows.end,
                                                          rows.begin);
      tiles(rows.begin, whole, none);
      tiles(whole, rows.end, masks);
    };
    if (c.rows.around().empty())
      emitRun(k.index(0));
    else
      k.forEach(rows.firstRun, rows.endRun, 1, emitRun);
  }

  bool isEpilogueInTiles() const {
    return c.epilogue && !c.epilogue->empty() && c.epilogue->isShort();
  }

  //===--- Panels ---------------------------------------------------------===//

  /// Rows of a packed block of K. Packing what is transposed writes 16 at once.
  int64_t packedDepth() const {
    return sizes.depth ? std::clamp<int64_t>(llvm::alignTo(*sizes.depth, lanes),
                                             lanes, depthBlock)
                       : depthBlock;
  }

  /// Whether blocks of K are whole squares, all of them.
  bool hasWholeSquares() const {
    return sizes.depth && *sizes.depth % lanes == 0;
  }

  /// A block of K of a chunk of rows, each tile as a panel of the transposed
  /// matrix.
  void packLeft(Value from, Value count, const Rows &rows) {
    k.forEach(rows.begin, rows.end, tile.rows, [&](Value row) {
      PanelColumns source = {
          c.lhs,
          lhsBase,
          c.depth.run().stride,
          c.rows.run().count,
          row,
          tile.rows,
          left.buffer,
          k.mul(k.sub(row, rows.begin), k.index(packedDepth()))};
      if (!sizes.isLeftTransposed) {
        source.pitch = c.rows.run().stride;
        packTransposed(k, source, from, count, hasWholeSquares());
        return;
      }
      SmallVector<Value> masks;
      for (int64_t r = 0; r < tile.rows; r += lanes)
        masks.push_back(
            k.maskOf(k.sub(k.sub(source.columns, row), k.index(r))));
      packRows(k, source, from, count, masks);
    });
  }

  Panel panelAt(Value from, Value count, Value column, ArrayRef<Value> masks) {
    if (c.panels) {
      Value stride = k.index(tile.columns());
      Value panel = k.add(k.mul(column, depth), k.mul(from, stride));
      return {c.panels, panel, stride, false, Value()};
    }
    if (!isPacked())
      return {c.rhs, k.add(k.add(rhsBase, k.mul(from, columns)), column),
              columns, true, Value()};
    Value stride = k.index(tile.columns());
    PanelColumns source = {c.rhs,  rhsBase,        columns, columns,
                           column, tile.columns(), packed,  k.index(0)};
    if (c.transposeRhs) {
      source.pitch = depth;
      packTransposed(k, source, from, count, hasWholeSquares());
    } else {
      packRows(k, source, from, count, masks);
    }
    Value next;
    if (!schedule.isSmall && schedule.panelsOfItem == 1 &&
        sizes.depth.value_or(depthBlock + 1) > depthBlock) {
      Value behind = k.add(from, k.index(depthBlock));
      next = c.transposeRhs
                 ? k.add(k.add(rhsBase, k.mul(column, depth)), behind)
                 : k.add(k.add(rhsBase, k.mul(behind, columns)), column);
    }
    return {packed, k.index(0), stride, false, next};
  }

  //===--- Tiles ----------------------------------------------------------===//

  Value multiplyAdd(Value a, Value b, Value c) {
    if (isa<FloatType>(element))
      return math::FmaOp::create(builder, loc, a, b, c);
    return arith::AddIOp::create(builder, loc, c,
                                 arith::MulIOp::create(builder, loc, a, b));
  }

  /// The tile at \p row. Rows from \p end on, where given, are the last one;
  /// masks say which columns are there.
  void emitTile(Value row, Value begin, Value end, const Panel &panel,
                Value from, Value count, Value column, ArrayRef<Value> masks) {
    SmallVector<Value> rowsOf, lefts;
    for (int64_t i = 0; i < tile.rows; ++i) {
      rowsOf.push_back(k.add(row, k.index(i)));
      if (end && i > 0)
        rowsOf[i] = k.min(rowsOf[i], k.sub(end, k.index(1)));
      lefts.push_back(
          schedule.packsLeft
              ? k.add(k.mul(k.sub(row, begin), k.index(packedDepth())),
                      k.sub(rowsOf[i], row))
              : k.add(runBase, k.mul(rowsOf[i], c.rows.run().stride)));
    }
    Value zero =
        emitConstant(builder, loc, vectorType, builder.getZeroAttr(element));
    SmallVector<Value> initial(tile.rows * tile.registers, zero);
    if (!schedule.isSmall &&
        sizes.depth.value_or(depthBlock) >= minFetchingDepth)
      fetchTile(rowsOf, column);
    ValueRange sums = addDepth(lefts, panel, from, count, masks, initial);
    storeTile(rowsOf, sums, column, masks);
  }

  /// Adds the products of `count` elements of depth from `from` on, run by run.
  ValueRange addDepth(ArrayRef<Value> lefts, const Panel &panel, Value from,
                      Value count, ArrayRef<Value> masks, ValueRange sums) {
    Value stride = c.depth.run().stride;
    if (c.depth.around().empty())
      return addRun(lefts,
                    schedule.packsLeft ? k.index(0) : k.mul(from, stride),
                    panel, k.index(0), count, masks, sums);
    Value run = k.max(c.depth.run().count, k.index(1));
    Value end = k.add(from, count);
    return k.forCarried(
        k.div(from, run), k.ceilDiv(end, run), 1, sums,
        [&](Value number, ValueRange carried) {
          Value begin = k.mul(number, run);
          Value low = k.max(from, begin), high = k.min(end, k.add(begin, run));
          if (c.runPadding) {
            low = k.max(low, k.add(begin, runPart.first));
            high = k.min(high, k.add(begin, runPart.second));
          }
          auto addNumber = [&] {
            Value offset = k.add(c.depth.offsetOf(number, k),
                                 k.mul(k.sub(low, begin), stride));
            return addRun(lefts, offset, panel, k.sub(low, from),
                          k.sub(high, low), masks, carried);
          };
          if (!c.padding)
            return SmallVector<Value>(addNumber());
          Value isInside = c.padding->isInside(runBegin, c.depth, number, k);
          auto branch = scf::IfOp::create(
              builder, loc, isInside,
              [&](OpBuilder &, Location) {
                scf::YieldOp::create(builder, loc, addNumber());
              },
              [&](OpBuilder &, Location) {
                scf::YieldOp::create(builder, loc, carried);
              });
          return SmallVector<Value>(branch.getResults());
        });
  }

  /// The same of elements of one run: `count` from `offset` on, which meet the
  /// rows of the panel from `first` on.
  ValueRange addRun(ArrayRef<Value> lefts, Value offset, const Panel &panel,
                    Value first, Value count, ArrayRef<Value> masks,
                    ValueRange sums) {
    SmallVector<Value> rows;
    for (Value left : lefts)
      rows.push_back(k.add(left, offset));
    Value panelBase = k.add(panel.base, k.mul(first, panel.stride));
    return k.forCarried(
        k.index(0), count, 1, sums, [&](Value at, ValueRange carried) {
          SmallVector<Value> rights, next(carried);
          Value base = k.add(panelBase, k.mul(at, panel.stride));
          for (int64_t r = 0; r < tile.registers; ++r)
            rights.push_back(k.load(panel.buffer,
                                    k.add(base, k.index(r * lanes)),
                                    panel.masked ? masks[r] : Value()));
          Value step = k.mul(at, left.stride);
          if (isFetchingRows())
            fetchAhead(rows.front(), at);
          else if (!schedule.isSmall && !schedule.packsLeft &&
                   getConstantIntValue(c.rows.run().stride) == 1)
            k.fetch(left.buffer,
                    k.add(k.add(rows.front(), step), k.index(lanes)),
                    Fetch::ToRead);
          if (panel.next)
            fetchNextBlock(panel, k.add(first, at));
          for (int64_t i = 0; i < tile.rows; ++i) {
            Value factor =
                k.splat(k.loadScalar(left.buffer, k.add(rows[i], step)));
            for (int64_t r = 0; r < tile.registers; ++r) {
              Value &sum = next[i * tile.registers + r];
              sum = multiplyAdd(factor, rights[r], sum);
            }
          }
          return next;
        });
  }

  /// Where the next rows begin no prefetcher knows: each step asks for a line
  /// of one of them, 16 steps for the same of all. On Zen 4 products of 200 to
  /// 300 elements come from memory 15 to 30 % faster with it. A tile of AVX2
  /// has a fourth of the columns, and walks the rows so much more often: on Zen
  /// 3 the same products are 15 % slower with it, those of rows 4 KB apart,
  /// which are sent to one set of the cache, half as fast.
  bool isFetchingRows() const {
    return !schedule.isSmall && k.registers.bytes == 64 &&
           !schedule.packsLeft && getConstantIntValue(left.stride) == 1;
  }

  void fetchAhead(Value row, Value step) {
    Value line = arith::AndIOp::create(builder, loc, step, k.index(-lanes)),
          which = arith::AndIOp::create(builder, loc, step, k.index(lanes - 1));
    Value next = k.mul(k.add(which, k.index(tile.rows)), c.rows.run().stride);
    k.fetch(left.buffer, k.add(k.add(row, next), line), Fetch::ToReadLater);
  }

  /// Asks for what step number \p step finds in the block of K behind this one,
  /// to be packed: its rows lie too far apart for a prefetcher.
  void fetchNextBlock(const Panel &panel, Value step) {
    constexpr int64_t linesOfBlock = depthBlock / lanes;
    for (int64_t r = 0; r < tile.registers; ++r) {
      Value at;
      if (c.transposeRhs) {
        Value line = k.add(k.mul(step, k.index(tile.registers)), k.index(r));
        at = k.add(k.mul(k.div(line, k.index(linesOfBlock)), depth),
                   k.mul(k.rem(line, k.index(linesOfBlock)), k.index(lanes)));
      } else {
        at = k.add(k.mul(step, columns), k.index(r * lanes));
      }
      k.fetch(c.rhs, k.add(panel.next, at), Fetch::ToReadLater);
    }
  }

  /// Asks for what is read and written behind the tile's sums.
  void fetchTile(ArrayRef<Value> rowsOf, Value column) {
    auto fetch = [&](Value buffer, Value row, Fetch how) {
      for (int64_t r = 0; r < tile.registers; ++r)
        k.fetch(buffer, k.add(row, k.index(r * lanes)), how);
    };
    SmallVector<Value> read;
    if (isEpilogueInTiles())
      read = c.epilogue->elementBuffers();
    for (Value row : rowsOf) {
      fetch(c.result, k.add(resultBase, k.mul(row, c.resultWidth)),
            Fetch::ToWrite);
      for (Value buffer : read)
        fetch(buffer, k.add(k.mul(k.add(runRow, row), columns), column),
              Fetch::ToRead);
    }
  }

  /// Adds the sums of a block to what earlier blocks left. Before the first
  /// there is -0, which changes no number. All loads come before the stores: a
  /// masked load right behind a masked store near it waits for that, and a row
  /// may be there twice. What follows the product is computed of complete sums.
  void storeTile(ArrayRef<Value> rowsOf, ValueRange sums, Value column,
                 ArrayRef<Value> masks) {
    auto both = [&](Value mask, Value condition) -> Value {
      Value all = k.splat(condition);
      return mask ? Value(arith::AndIOp::create(builder, loc, mask, all)) : all;
    };
    SmallVector<Value> totals, offsets, stored;
    for (auto [index, sum] : llvm::enumerate(sums)) {
      int64_t i = index / tile.registers, r = index % tile.registers;
      stored.push_back(masks[r]);
      offsets.push_back(
          k.add(k.add(resultBase, k.mul(rowsOf[i], c.resultWidth)),
                k.index(r * lanes)));
      if (!isLater) {
        totals.push_back(sum);
      } else if (isa<FloatType>(element)) {
        Value before =
            k.load(c.result, offsets.back(), both(stored.back(), isLater),
                   emitFloat(builder, loc, vectorType, -0.0));
        totals.push_back(arith::AddFOp::create(builder, loc, before, sum));
      } else {
        Value before =
            k.load(c.result, offsets.back(), both(stored.back(), isLater));
        totals.push_back(arith::AddIOp::create(builder, loc, before, sum));
      }
    }
    auto store = [&](ArrayRef<Value> results) {
      for (auto [value, offset, mask] :
           llvm::zip_equal(results, offsets, stored))
        k.store(value, c.result, offset, mask);
    };
    if (!isEpilogueInTiles())
      return store(totals);
    SmallVector<Value> rows;
    for (Value row : rowsOf)
      rows.push_back(k.add(runRow, row));
    Epilogue::Part part;
    part.columns = columns;
    part.column = column;
    part.masks = masks;
    auto storeComplete = [&] {
      store(c.epilogue->compute(k, part, rows, totals));
    };
    if (!isLast)
      return storeComplete();
    auto branch =
        scf::IfOp::create(builder, loc, isLast, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    storeComplete();
    builder.setInsertionPointToStart(branch.elseBlock());
    store(totals);
  }

  const Contraction c;
  KernelBuilder &k;
  OpBuilder &builder;
  Location loc;
  Type element;
  VectorType vectorType;
  const ContractionSizes sizes;
  const ContractionSchedule schedule;
  const TileShape tile;
  struct {
    Value buffer, stride; ///< from one element of K to the next
  } left;
  Value columns, depth, packed;
  Value lhsBase, rhsBase;    ///< of the product
  Value runBase, resultBase; ///< of the run, and of its rows' sums
  Value runRow;              ///< the run's first row, of those of all batches
  Value runBegin;            ///< Padding::beginOf() the run
  std::pair<Value, Value> runPart; ///< and partOfRun()
  /// Whether there are sums of earlier blocks of K, and whether this block is
  /// the last; null where there is one block.
  Value isLater, isLast;
};

} // namespace

void emitContraction(Contraction contraction, KernelBuilder &kernel) {
  ContractionEmitter(std::move(contraction), kernel).emit();
}

} // namespace kiln::passes
