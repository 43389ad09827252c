// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that only move elements: pad, slices from computed starts, small
// constants.
#include "passes/vectorize/Conversions.h"
#include "passes/vectorize/Elements.h"
#include "passes/vectorize/KernelBuilder.h"
#include "runtime/abi/Abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

/// Elements between neighbours along each dimension.
static SmallVector<Value> stridesOf(ArrayRef<Extent> dims, KernelBuilder &k) {
  SmallVector<Value> strides(dims.size());
  Value stride = k.index(1);
  for (size_t i = dims.size(); i-- > 0;) {
    strides[i] = stride;
    stride = k.mul(stride, k.extent(dims[i]));
  }
  return strides;
}

/// Copies a run for each index of the dimensions \p lead; \p offsets gives
/// where it lies in target and source. Without such dimensions the run itself
/// is shared among threads.
static void
copyRuns(Value to, Value from, ArrayRef<Extent> lead, Value run,
         KernelBuilder &k,
         function_ref<std::pair<Value, Value>(ArrayRef<Value>)> offsets) {
  if (lead.empty()) {
    auto [target, source] = offsets({});
    return k.copyShared(to, target, from, source, run);
  }
  k.forNest(lead, [&](ArrayRef<Value> indices) {
    auto [target, source] = offsets(indices);
    k.copyRun(to, target, from, source, run);
  });
}

namespace {

/// Writes each element of a pad's result once: what lies before, inside and
/// behind the operand, one dimension in the other.
class PadWriter {
public:
  PadWriter(PadOp op, const KernelBuffers &buffers, KernelBuilder &k)
      : k(k), from(extentsOf(op.getOperand())), to(extentsOf(op.getResult())),
        source(buffers.in(op.getOperand())), target(buffers.out()),
        toStrides(stridesOf(to, k)), fromStrides(stridesOf(from, k)),
        filling(k.splat(k.loadScalar(buffers.in(op.getPadding()), k.index(0)))),
        split(from.size()) {
    while (split > 0 && !isPadded(split - 1))
      --split;
    for (int64_t amount : op.getLow())
      low.push_back(k.index(amount));
    if (op.getDynamicLow())
      addDynamic(buffers.in(op.getDynamicLow()));
  }

  void emit() {
    // Where import's guards have not held nothing is written.
    OpBuilder::InsertionGuard guard(k.builder);
    if (fits)
      k.builder.setInsertionPointToStart(
          scf::IfOp::create(k.builder, k.loc, fits, /*withElseRegion=*/false)
              .thenBlock());
    if (split <= 1)
      return emitWhole();
    // Threads share the rows of the result: a batch may be one image.
    size_t shared = countOf(ArrayRef(to).drop_front(2)) < leastRow ? 1 : 2;
    Value rows = k.product(ArrayRef(to).take_front(shared));
    k.forEach(
        k.index(0), rows, 1, [&](Value row) { emitRow(row, shared); },
        /*parallel=*/true);
  }

private:
  /// Elements that are worth a look at whether they are padding.
  static constexpr int64_t leastRow = 4 * lanes;

  /// The operand may lie elsewhere only where it is not all of the result.
  bool isPadded(size_t i) const { return from[i] != to[i]; }

  void addDynamic(Value dynamic) {
    OpBuilder &builder = k.builder;
    for (size_t i = 0; i < from.size(); ++i) {
      Value amount = arith::IndexCastOp::create(
          builder, k.loc, builder.getIndexType(),
          k.loadScalar(dynamic, k.index(static_cast<int64_t>(i))));
      low[i] = k.add(low[i], amount);
      // In one unsigned comparison: a padding below 0 is a huge one.
      Value room = k.sub(k.extent(to[i]), k.extent(from[i])),
            fit = arith::AndIOp::create(
                builder, k.loc,
                arith::CmpIOp::create(builder, k.loc, arith::CmpIPredicate::sge,
                                      room, k.index(0)),
                arith::CmpIOp::create(builder, k.loc, arith::CmpIPredicate::ule,
                                      low[i], room));
      fits =
          fits ? Value(arith::AndIOp::create(builder, k.loc, fits, fit)) : fit;
    }
  }
  /// Elements where they are known; an unknown extent counts as few.
  static int64_t countOf(ArrayRef<Extent> extents) {
    int64_t count = 1;
    for (const Extent &each : extents)
      count = llvm::SaturatingMultiply<uint64_t>(
          count, each.isKnown() ? each.value : lanes);
    return count;
  }

  void fill(Value offset, Value count, std::optional<int64_t> most = {}) {
    if (getConstantIntValue(count) == 0)
      return;
    k.forVectors(
        k.index(0), count,
        [&](Value base, Value mask) {
          k.store(filling, target, k.add(offset, base), mask);
        },
        most);
  }

  /// Without leading dimensions the run itself is shared among threads.
  void emitWhole() {
    Value before = split ? k.mul(low[0], toStrides[0]) : k.index(0),
          count = k.product(from), end = k.add(before, count);
    auto fillShared = [&](Value offset, Value count) {
      k.forChunks(count, [&](Value begin, Value end) {
        fill(k.add(offset, begin), k.sub(end, begin), chunkElements);
      });
    };
    fillShared(k.index(0), before);
    k.copyShared(target, before, source, k.index(0), count);
    fillShared(end, k.sub(k.product(to), end));
  }

  /// A row has the first \p shared indices; where one of them lies outside of
  /// the operand all of the row is padding.
  void emitRow(Value row, size_t shared) {
    OpBuilder &builder = k.builder;
    SmallVector<Value, 2> at{row};
    if (shared == 2)
      at = {k.div(row, k.extent(to[1])), k.rem(row, k.extent(to[1]))};
    Value offset = k.mul(row, toStrides[shared - 1]), origin = k.index(0),
          inside;
    for (size_t i = 0; i < shared; ++i) {
      Value index = at[i];
      if (isPadded(i)) {
        index = k.sub(index, low[i]);
        Value here =
            arith::CmpIOp::create(builder, k.loc, arith::CmpIPredicate::ult,
                                  index, k.extent(from[i]));
        inside =
            inside ? Value(arith::AndIOp::create(builder, k.loc, inside, here))
                   : here;
      }
      origin = k.add(origin, k.mul(index, fromStrides[i]));
    }
    if (!inside)
      return emitInside(shared, offset, origin);
    auto branch =
        scf::IfOp::create(builder, k.loc, inside, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    emitInside(shared, offset, origin);
    builder.setInsertionPointToStart(branch.elseBlock());
    fill(offset, toStrides[shared - 1]);
  }

  /// What has the indices of an element of the operand before dimension \p i.
  void emitInside(size_t i, Value offset, Value origin) {
    if (i == split)
      return k.copyRun(target, offset, source, origin, toStrides[i - 1]);
    Value before = k.mul(low[i], toStrides[i]);
    fill(offset, before);
    Value start = k.add(offset, before),
          size = k.mul(k.extent(from[i]), toStrides[i]);
    if (i + 1 == split)
      k.copyRun(target, start, source, origin, size);
    else
      k.forEach(k.index(0), k.extent(from[i]), 1, [&](Value index) {
        emitInside(i + 1, k.add(start, k.mul(index, toStrides[i])),
                   k.add(origin, k.mul(index, fromStrides[i])));
      });
    fill(k.add(start, size),
         k.mul(k.sub(k.extent(to[i]), k.add(low[i], k.extent(from[i]))),
               toStrides[i]));
  }

  KernelBuilder &k;
  Extents from, to;
  SmallVector<Value> low;
  /// Whether the operand lies inside, where that is not known; null where it
  /// is.
  Value fits;
  Value source, target;
  SmallVector<Value> toStrides, fromStrides;
  Value filling;
  /// What lies behind the first so many dimensions is contiguous in both.
  size_t split;
};

} // namespace

void emitPad(PadOp op, const KernelBuffers &buffers, KernelBuilder &k) {
  PadWriter(op, buffers, k).emit();
}

void emitComputedSlice(SliceOp op, const KernelBuffers &buffers,
                       KernelBuilder &k) {
  OpBuilder &builder = k.builder;
  Location loc = k.loc;
  OpBuilder::InsertionGuard guard(builder);
  Extents from = extentsOf(op.getOperand()), to = extentsOf(op.getResult());
  SmallVector<Value> fromStrides = stridesOf(from, k),
                     toStrides = stridesOf(to, k);
  Value starts = buffers.in(op.getDynamicStarts());

  // Every element must lie inside, unless there is none.
  auto compare = [&](arith::CmpIPredicate predicate, Value a,
                     Value b) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  };
  Value offset = k.index(0),
        some = compare(arith::CmpIPredicate::ne, k.product(to), k.index(0)),
        good = some;
  for (size_t i = 0; i < from.size(); ++i) {
    Value dynamic = k.loadScalar(starts, k.index(i));
    Value start = arith::IndexCastOp::create(builder, loc,
                                             builder.getIndexType(), dynamic);
    start = k.add(start, k.index(op.getStarts()[i]));
    Value available = k.extent(from[i]);
    Value last = k.add(start, k.mul(k.sub(k.extent(to[i]), k.index(1)),
                                    k.index(op.getStrides()[i])));
    Value bad = arith::OrIOp::create(
        builder, loc, compare(arith::CmpIPredicate::uge, start, available),
        compare(arith::CmpIPredicate::uge, last, available));
    bad = arith::AndIOp::create(builder, loc, bad, some);
    scf::IfOp::create(builder, loc, bad, [&](OpBuilder &nested, Location loc) {
      auto number = [&](Value index) -> Value {
        return arith::IndexCastOp::create(nested, loc, nested.getI64Type(),
                                          index);
      };
      ReportErrorOp::create(
          nested, loc,
          nested.getI32IntegerAttr(
              static_cast<int32_t>(ErrorKind::SliceBeginOutOfRange)),
          ValueRange{number(k.index(i)), number(available), number(start)});
      scf::YieldOp::create(nested, loc);
    });
    good = arith::AndIOp::create(
        builder, loc, good,
        arith::XOrIOp::create(builder, loc, bad,
                              emitInteger(builder, loc, bad.getType(), 1)));
    offset = k.add(offset, k.mul(start, fromStrides[i]));
  }
  auto inside = scf::IfOp::create(builder, loc, good, /*withElseRegion=*/false);
  builder.setInsertionPointToStart(inside.thenBlock());

  bool contiguous = to.empty() || op.getStrides().back() == 1;
  ArrayRef<Extent> lead = ArrayRef(to).take_front(
      to.empty() || !contiguous ? to.size() : to.size() - 1);
  auto offsets = [&](ArrayRef<Value> indices) {
    Value target = k.index(0), source = offset;
    for (auto [i, index] : llvm::enumerate(indices)) {
      target = k.add(target, k.mul(index, toStrides[i]));
      source = k.add(source, k.mul(k.mul(index, k.index(op.getStrides()[i])),
                                   fromStrides[i]));
    }
    return std::pair(target, source);
  };
  copyRuns(buffers.out(), buffers.in(op.getOperand()), lead,
           to.empty() || !contiguous ? k.index(1) : k.extent(to.back()), k,
           offsets);
}

void emitSmallConstant(ConstantOp op, const KernelBuffers &buffers,
                       KernelBuilder &k) {
  OpBuilder &builder = k.builder;
  Type element = cast<MemRefType>(buffers.out().getType()).getElementType();
  SmallVector<Attribute> elements(op.getValue().getValues<Attribute>());
  for (Attribute &each : elements)
    each = storageAttr(each);
  ArrayRef<Attribute> rest = elements;
  for (int64_t at = 0; !rest.empty();) {
    // Powers of two: vectors of other lengths are taken apart.
    int64_t width = std::min<int64_t>(lanes, llvm::bit_floor(rest.size()));
    auto type = VectorType::get({width}, element);
    Value vector = arith::ConstantOp::create(
        builder, k.loc, DenseElementsAttr::get(type, rest.take_front(width)));
    k.store(vector, buffers.out(), k.index(at), Value());
    rest = rest.drop_front(width);
    at += width;
  }
}

void emitDims(DimsOp op, const KernelBuffers &buffers, KernelBuilder &k) {
  Type element = cast<MemRefType>(buffers.out().getType()).getElementType();
  for (auto [i, symbol, value] :
       llvm::enumerate(op.getSymbols(), op.getValues())) {
    Value number = symbol < 0 ? emitInteger(k.builder, k.loc, element, value)
                              : Value(arith::IndexCastOp::create(
                                    k.builder, k.loc, element,
                                    k.extent(Extent::ofSymbol(symbol))));
    k.storeScalar(number, buffers.out(), k.index(static_cast<int64_t>(i)));
  }
}

} // namespace kiln::passes
