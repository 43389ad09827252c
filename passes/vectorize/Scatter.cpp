// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of scatter: rows of updates, one by one, into rows of the result.
//
// Rows of one index have their order, so that threads share a row's elements
// and never the rows. Where the result lies over the base, nothing but the rows
// that the indices name is touched.
#include "passes/vectorize/Conversions.h"
#include "passes/vectorize/Elements.h"
#include "passes/vectorize/KernelBuilder.h"
#include "runtime/abi/Abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
namespace {

/// Elements of a row that one thread combines: every chunk reads all indices.
constexpr int64_t rowChunk = 1024;

class ScatterEmitter {
public:
  ScatterEmitter(ScatterOp op, const KernelBuffers &buffers, KernelBuilder &k)
      : op(op), k(k), builder(k.builder), loc(k.loc), target(buffers.out()),
        indices(buffers.in(op.getIndices())),
        updates(buffers.in(op.getUpdates())),
        element(getElementTypeOrSelf(op.getType())) {}

  void emit() {
    Extents dims = extentsOf(op.getResult());
    available = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                           k.extent(dims[0]));
    inner = k.product(ArrayRef(dims).drop_front());
    auto width = getConstantIntValue(inner);
    if (width && *width <= rowChunk)
      return emitRows(k.index(0), inner, width);
    k.forEach(
        k.index(0), inner, rowChunk,
        [&](Value low) {
          emitRows(low, k.min(k.add(low, k.index(rowChunk)), inner), rowChunk);
        },
        /*parallel=*/true);
  }

private:
  /// Elements [low, high) of all rows.
  void emitRows(Value low, Value high, std::optional<int64_t> most) {
    Type indexElement = getElementTypeOrSelf(op.getIndices().getType());
    k.forEach(
        k.index(0), k.extent(extentsOf(op.getIndices())[0]), 1, [&](Value row) {
          Value number = fromStorage(builder, loc, k.loadScalar(indices, row),
                                     indexElement);
          number = emitConversion(builder, loc, number, indexElement,
                                  builder.getI64Type());
          Value isInside = arith::CmpIOp::create(
              builder, loc, arith::CmpIPredicate::ult, number, available);
          auto inside =
              scf::IfOp::create(builder, loc, isInside, /*withElse=*/false);
          OpBuilder::InsertionGuard guard(builder);
          builder.setInsertionPointToStart(inside.thenBlock());
          Value at = arith::IndexCastOp::create(builder, loc,
                                                builder.getIndexType(), number);
          emitRow(k.mul(at, inner), k.mul(row, inner), low, high, most);
        });
  }

  void emitRow(Value to, Value from, Value low, Value high,
               std::optional<int64_t> most) {
    if (most == 1) {
      Value fresh = k.loadScalar(updates, from);
      if (op.getKind() != ScatterKind::update)
        fresh = combined(k.loadScalar(target, to), fresh, Value());
      return k.storeScalar(fresh, target, to);
    }
    k.forVectors(
        low, high,
        [&](Value base, Value mask) {
          Value place = k.add(to, base);
          Value fresh = k.load(updates, k.add(from, base), mask);
          if (op.getKind() != ScatterKind::update)
            fresh = combined(k.load(target, place, mask), fresh, mask);
          k.store(fresh, target, place, mask);
        },
        most);
  }

  /// What a buffer holds of an element, combined with that of an update.
  Value combined(Value old, Value fresh, Value mask) {
    Value a = fromStorage(builder, loc, old, element),
          b = fromStorage(builder, loc, fresh, element);
    Value result = combine(a, b, mask);
    if (isNarrowFloat(element))
      result =
          emitConversion(builder, loc, result, builder.getF32Type(), element);
    return toStorage(builder, loc, result, element);
  }

  Value combine(Value a, Value b, Value mask) {
    bool isFloat = isa<FloatType>(element);
    auto by = [&](ReduceKind kind) {
      // The larger one of two bools is true.
      Combination how{kind, isUnsigned(element) || element.isInteger(1)};
      return emitCombine(builder, loc, how, a, b);
    };
    switch (op.getKind()) {
    case ScatterKind::update:
      return b;
    case ScatterKind::add:
      return by(ReduceKind::sum);
    case ScatterKind::mul:
      return by(ReduceKind::prod);
    case ScatterKind::min:
    case ScatterKind::segment_min:
      return isFloat ? extreme(a, b) : by(ReduceKind::min);
    case ScatterKind::max:
    case ScatterKind::segment_max:
      return isFloat ? extreme(a, b) : by(ReduceKind::max);
    case ScatterKind::sub:
      return isFloat ? Value(arith::SubFOp::create(builder, loc, a, b))
                     : Value(arith::SubIOp::create(builder, loc, a, b));
    case ScatterKind::div:
      return isFloat ? Value(arith::DivFOp::create(builder, loc, a, b))
                     : integerQuotient(a, b, mask);
    }
    return Value();
  }

  /// The lesser or the greater of what is there and an update, by one
  /// comparison: whichever it does not hold for loses, be it a NaN or a zero.
  Value extreme(Value old, Value fresh) {
    ScatterKind kind = op.getKind();
    bool ofSegment = kind == ScatterKind::segment_min ||
                     kind == ScatterKind::segment_max,
         isMin = kind == ScatterKind::min || kind == ScatterKind::segment_min;
    Value winner = ofSegment ? old : fresh, other = ofSegment ? fresh : old;
    Value wins = emitComparison(builder, loc,
                                isMin ? arith::CmpFPredicate::OLT
                                      : arith::CmpFPredicate::OGT,
                                winner, other);
    return FlushOp::create(
        builder, loc,
        arith::SelectOp::create(builder, loc, wins, winner, other));
  }

  Value isEqual(Value a, int64_t number) {
    return arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, a,
        emitInteger(builder, loc, a.getType(), number));
  }

  /// a / b; a where b is 0, which is reported.
  Value integerQuotient(Value a, Value b, Value mask) {
    Value isZero = isEqual(b, 0), any = isZero;
    if (isa<VectorType>(b.getType())) {
      if (mask)
        any = arith::AndIOp::create(builder, loc, any, mask);
      any = vector::ReductionOp::create(builder, loc, vector::CombiningKind::OR,
                                        any);
    }
    scf::IfOp::create(builder, loc, any, [&](OpBuilder &nested, Location loc) {
      ReportErrorOp::create(nested, loc,
                            nested.getI32IntegerAttr(static_cast<int32_t>(
                                ErrorKind::IntegerDivisionByZero)),
                            ValueRange());
      scf::YieldOp::create(nested, loc);
    });
    Value one = emitInteger(builder, loc, b.getType(), 1);
    b = arith::SelectOp::create(builder, loc, isZero, one, b);
    if (isUnsigned(element))
      return arith::DivUIOp::create(builder, loc, a, b);
    // The lowest number by -1 wraps.
    Value negates = isEqual(b, -1);
    b = arith::SelectOp::create(builder, loc, negates, one, b);
    Value negated = arith::SubIOp::create(
        builder, loc, emitInteger(builder, loc, a.getType(), 0), a);
    return arith::SelectOp::create(builder, loc, negates, negated,
                                   arith::DivSIOp::create(builder, loc, a, b));
  }

  ScatterOp op;
  KernelBuilder &k;
  OpBuilder &builder;
  Location loc;
  Value target, indices, updates;
  Type element;
  Value available, inner; ///< rows of the result, elements of one
};

} // namespace

void emitScatter(ScatterOp op, KernelBuffers &buffers, KernelBuilder &k) {
  Value base = op.getBase();
  if (rankOf(base) == 0) {
    Value filling = k.splat(k.loadScalar(buffers.in(base), k.index(0)));
    k.forChunks(k.product(extentsOf(op.getResult())),
                [&](Value low, Value high) {
                  k.forVectors(low, high, [&](Value at, Value mask) {
                    k.store(filling, buffers.out(), at, mask);
                  });
                });
  } else if (!buffers.writeOver(base)) {
    k.copyShared(buffers.out(), k.index(0), buffers.in(base), k.index(0),
                 k.product(extentsOf(op.getResult())));
  }
  ScatterEmitter(op, buffers, k).emit();
}

} // namespace kiln::passes
