// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that only move elements: pad, slices from computed starts, small
// constants.
#include "passes/LoopNest.h"
#include "passes/vectorize/Conversions.h"
#include "passes/vectorize/Elements.h"
#include "passes/vectorize/KernelBuilder.h"
#include "runtime/Abi.h"

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

void emitPad(PadOp op, const KernelBuffers &buffers, KernelBuilder &k) {
  Extents from = extentsOf(op.getOperand()), to = extentsOf(op.getResult());
  ArrayRef<int64_t> low = op.getLow();
  Value padding = k.loadScalar(buffers.in(op.getPadding()), k.index(0));
  Value filling = k.splat(padding);
  k.forChunks(k.product(to), [&](Value begin, Value end) {
    k.forVectors(
        begin, end,
        [&](Value base, Value mask) {
          k.store(filling, buffers.out(), base, mask);
        },
        chunkElements);
  });
  // What lies behind the last padded dimension is contiguous in both.
  size_t split = from.size();
  while (split > 0 && low[split - 1] == 0 && from[split - 1] == to[split - 1])
    --split;
  SmallVector<Value> toStrides = stridesOf(to, k),
                     fromStrides = stridesOf(from, k);
  ArrayRef<Extent> lead = ArrayRef(from).take_front(split > 0 ? split - 1 : 0);
  Value run = k.product(ArrayRef(from).drop_front(lead.size()));
  copyRuns(buffers.out(), buffers.in(op.getOperand()), lead, run, k,
           [&](ArrayRef<Value> indices) {
             Value target = k.index(0), source = k.index(0);
             for (size_t i = 0; i < split; ++i) {
               Value at = i < indices.size() ? indices[i] : k.index(0);
               target = k.add(target,
                              k.mul(k.add(at, k.index(low[i])), toStrides[i]));
               source = k.add(source, k.mul(at, fromStrides[i]));
             }
             return std::pair(target, source);
           });
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
