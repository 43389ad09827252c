// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A transpose that moves the last dimension: by squares of 16 x 16 elements,
// which are read and written in rows.
#include "passes/vectorize/KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

/// The two dimensions that are last on one side each: of `across` elements that
/// are neighbours in the operand, `along` that are in the result.
namespace {
struct Square {
  Value across, along;
  Value readStride, writeStride; ///< from one row to the next
  Value buffer, target;
};
} // namespace

/// Elements of a band that an item takes at most: there may be one band.
static constexpr int64_t stripElements = 4096;

/// Moves the square at these places; the last ones of a dimension are cut off.
static void moveSquare(const Square &s, Value read, Value write, Value a,
                       Value b, bool isCut, KernelBuilder &k) {
  Value aMask = isCut ? k.maskOf(k.sub(s.across, a)) : Value(),
        bMask = isCut ? k.maskOf(k.sub(s.along, b)) : Value();
  SmallVector<Value> square;
  for (int64_t i = 0; i < lanes; ++i) {
    Value row = k.add(b, k.index(i));
    if (isCut) // rows that are not there are read twice
      row = k.min(row, k.sub(s.along, k.index(1)));
    square.push_back(k.load(
        s.buffer, k.add(k.add(read, a), k.mul(row, s.readStride)), aMask));
  }
  k.transposeSquare(square);
  for (auto [i, vector] : llvm::enumerate(square)) {
    Value row = k.add(a, k.index(static_cast<int64_t>(i)));
    Value place = k.add(k.add(write, b), k.mul(row, s.writeStride));
    Value mask = bMask;
    if (isCut) {
      Value isThere = arith::CmpIOp::create(
          k.builder, k.loc, arith::CmpIPredicate::ult, row, s.across);
      Value all = k.splat(isThere);
      mask = mask ? Value(arith::AndIOp::create(k.builder, k.loc, mask, all))
                  : all;
    }
    k.store(vector, s.target, place, mask);
  }
}

void emitTranspose(TransposeOp op, const KernelBuffers &buffers,
                   KernelBuilder &k) {
  ArrayRef<int64_t> permutation = op.getPermutation();
  Extents from = extentsOf(op.getOperand()), to = extentsOf(op.getResult());
  const int64_t last = static_cast<int64_t>(from.size()) - 1;
  auto stridesOf = [&](ArrayRef<Extent> dims) {
    SmallVector<Value> strides(dims.size());
    Value stride = k.index(1);
    for (size_t i = dims.size(); i-- > 0;) {
      strides[i] = stride;
      stride = k.mul(stride, k.extent(dims[i]));
    }
    return strides;
  };
  SmallVector<Value> reads = stridesOf(from), writes = stridesOf(to);
  int64_t moved = llvm::find(permutation, last) - permutation.begin();
  Square square{k.extent(from[last]),        k.extent(to[last]),
                reads[permutation[last]],    writes[moved],
                buffers.in(op.getOperand()), buffers.out()};
  // An item is a strip of 16 rows of the result, written in order; or of 16 of
  // the operand, read in order, where writing is streamed, which needs no
  // order. (4096, 2048) on Zen 4 (26 November 2026, two threads, huge pages):
  // cached 3.3 and 2.2 ms, streamed 2.2 and 1.4; (512, 784), which lies in the
  // caches: 30 and 39 us.
  const bool isRead = k.streaming != nullptr;
  Value banded = isRead ? square.along : square.across,
        walked = isRead ? square.across : square.along;
  SmallVector<int64_t> others;
  Value bands = k.ceilDiv(banded, k.index(lanes)),
        strips = k.ceilDiv(walked, k.index(stripElements)),
        items = k.mul(bands, strips);
  for (int64_t dim = 0; dim < last; ++dim)
    if (dim != moved) {
      others.push_back(dim);
      items = k.mul(items, k.extent(to[dim]));
    }
  k.forEach(
      k.index(0), items, 1,
      [&](Value item) {
        Value low = k.mul(k.rem(item, strips), k.index(stripElements)),
              high = k.min(k.add(low, k.index(stripElements)), walked);
        Value rest = k.div(item, strips);
        Value band = k.mul(k.rem(rest, bands), k.index(lanes));
        Value read = k.index(0), write = k.index(0);
        rest = k.div(rest, bands);
        for (int64_t dim : llvm::reverse(others)) {
          Value at = k.rem(rest, k.extent(to[dim]));
          rest = k.div(rest, k.extent(to[dim]));
          read = k.add(read, k.mul(at, reads[permutation[dim]]));
          write = k.add(write, k.mul(at, writes[dim]));
        }
        auto isWhole = [](Value extent) {
          auto known = getConstantIntValue(extent);
          return known && *known % lanes == 0;
        };
        auto move = [&](Value low, Value high, bool isCut) {
          k.forEach(low, high, lanes, [&](Value at) {
            moveSquare(square, read, write, isRead ? at : band,
                       isRead ? band : at, isCut, k);
          });
        };
        if (isWhole(square.across) && isWhole(square.along))
          return move(low, high, false);
        // Whole squares first, where the band is whole.
        Value isBandWhole =
            arith::CmpIOp::create(k.builder, k.loc, arith::CmpIPredicate::ule,
                                  k.add(band, k.index(lanes)), banded);
        Value whole = k.sub(high, k.rem(high, k.index(lanes)));
        whole = k.builder.createOrFold<arith::SelectOp>(k.loc, isBandWhole,
                                                        whole, low);
        move(low, whole, false);
        move(whole, high, true);
      },
      /*parallel=*/true);
}

} // namespace kiln::passes
