// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first index of the largest or smallest element along an axis.
//
// Along the last axis each of 16 lanes keeps its own best element and the index
// of it; the best of the lanes with the smallest index is the first one. Along
// another axis lanes are 16 results. A lane starts with the lowest (highest)
// finite number at index 0 and only a strictly better element replaces it: NaN
// never wins.
#include "passes/vectorize/Elements.h"
#include "passes/vectorize/KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
namespace {

class ArgReduceEmitter {
public:
  ArgReduceEmitter(ArgReduceOp op, const KernelBuffers &buffers,
                   KernelBuilder &k)
      : op(op), k(k), builder(k.builder), loc(k.loc),
        source(buffers.in(op.getOperand())), target(buffers.out()),
        element(cast<MemRefType>(source.getType()).getElementType()),
        indices(VectorType::get({lanes}, builder.getI64Type())) {
    Type original = getElementTypeOrSelf(op.getOperand().getType());
    isBool = original.isInteger(1);
    isNatural = isBool || isUnsigned(original);
  }

  void emit() {
    Extents dims = extentsOf(op.getOperand());
    size_t axis = op.getAxis();
    ArrayRef<Extent> outerDims = ArrayRef(dims).take_front(axis),
                     innerDims = ArrayRef(dims).drop_front(axis + 1);
    extent = k.extent(dims[axis]);
    inner = k.product(innerDims);
    bool isLast = llvm::all_of(
        innerDims, [](const Extent &each) { return each.isKnown(1); });
    bool isOnce = llvm::all_of(
        outerDims, [](const Extent &each) { return each.isKnown(1); });
    if (!isLast && isOnce)
      return k.forChunks(inner, [&](Value low, Value high) {
        emitColumns(k.index(0), low, high);
      });
    k.forEach(
        k.index(0), k.product(outerDims), 1,
        [&](Value outer) {
          isLast ? emitRow(outer) : emitColumns(outer, k.index(0), inner);
        },
        /*parallel=*/!isOnce);
  }

private:
  /// What every element is better than, NaN and what equals it apart.
  Value worst() {
    auto type = VectorType::get({lanes}, element);
    if (auto floating = dyn_cast<FloatType>(element))
      return emitConstant(
          builder, loc, type,
          builder.getFloatAttr(
              element, llvm::APFloat::getLargest(floating.getFloatSemantics(),
                                                 !op.getSmallest())));
    if (isBool)
      return emitInteger(builder, loc, type, op.getSmallest() ? 1 : 0);
    unsigned width = element.getIntOrFloatBitWidth();
    llvm::APInt least = isNatural ? llvm::APInt::getMinValue(width)
                                  : llvm::APInt::getSignedMinValue(width);
    return emitConstant(
        builder, loc, type,
        builder.getIntegerAttr(element, op.getSmallest() ? ~least : least));
  }

  Value isBetter(Value a, Value b) {
    if (isa<FloatType>(element))
      return arith::CmpFOp::create(builder, loc,
                                   op.getSmallest() ? arith::CmpFPredicate::OLT
                                                    : arith::CmpFPredicate::OGT,
                                   a, b);
    using Predicate = arith::CmpIPredicate;
    Predicate less = isNatural ? Predicate::ult : Predicate::slt,
              greater = isNatural ? Predicate::ugt : Predicate::sgt;
    return arith::CmpIOp::create(builder, loc,
                                 op.getSmallest() ? less : greater, a, b);
  }

  Value number(Value index) {
    return arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                      index);
  }

  /// {best element, its index} with the elements \p values at the places \p at
  /// taken in.
  SmallVector<Value> taken(ValueRange best, Value values, Value at) {
    Value better = isBetter(values, best[0]);
    return {arith::SelectOp::create(builder, loc, better, values, best[0]),
            arith::SelectOp::create(builder, loc, better, at, best[1])};
  }

  Value asResult(Value number) {
    Type wanted = cast<MemRefType>(target.getType()).getElementType();
    if (wanted.isInteger(64))
      return number;
    Type type = wanted;
    if (isa<VectorType>(number.getType()))
      type = VectorType::get({lanes}, wanted);
    return arith::TruncIOp::create(builder, loc, type, number);
  }

  void emitRow(Value outer) {
    SmallVector<Attribute> laneNumbers;
    for (int64_t lane = 0; lane < lanes; ++lane)
      laneNumbers.push_back(builder.getI64IntegerAttr(lane));
    Value steps = arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(indices, laneNumbers));
    Value start = k.mul(outer, extent), initial = worst();
    auto step = [&](Value base, Value mask, ValueRange best) {
      Value at =
          arith::AddIOp::create(builder, loc, k.splat(number(base)), steps);
      return taken(best, k.load(source, k.add(start, base), mask, initial), at);
    };
    Value whole = k.sub(extent, k.rem(extent, k.index(lanes)));
    SmallVector<Value> first = {initial, emitInteger(builder, loc, indices, 0)};
    ValueRange best = k.forCarried(k.index(0), whole, lanes, first,
                                   [&](Value base, ValueRange carried) {
                                     return step(base, Value(), carried);
                                   });
    best = k.forCarried(
        whole, extent, lanes, best, [&](Value base, ValueRange carried) {
          return step(base, k.maskOf(k.sub(extent, base)), carried);
        });
    bool isFloat = isa<FloatType>(element);
    using Kind = vector::CombiningKind;
    Kind least = isFloat     ? Kind::MINNUMF
                 : isNatural ? Kind::MINUI
                             : Kind::MINSI;
    Kind most = isFloat ? Kind::MAXNUMF : isNatural ? Kind::MAXUI : Kind::MAXSI;
    Kind kind = op.getSmallest() ? least : most;
    Value winner =
        k.splat(vector::ReductionOp::create(builder, loc, kind, best[0]));
    Value equal =
        isFloat ? Value(arith::CmpFOp::create(
                      builder, loc, arith::CmpFPredicate::OEQ, best[0], winner))
                : Value(arith::CmpIOp::create(
                      builder, loc, arith::CmpIPredicate::eq, best[0], winner));
    Value none = emitInteger(builder, loc, indices, INT64_MAX);
    Value candidates =
        arith::SelectOp::create(builder, loc, equal, best[1], none);
    Value index = vector::ReductionOp::create(
        builder, loc, vector::CombiningKind::MINSI, candidates);
    k.storeScalar(asResult(index), target, outer);
  }

  void emitColumns(Value outer, Value low, Value high) {
    Value start = k.mul(outer, k.mul(extent, inner)), to = k.mul(outer, inner);
    k.forVectors(low, high, [&](Value column, Value mask) {
      SmallVector<Value> first = {worst(),
                                  emitInteger(builder, loc, indices, 0)};
      ValueRange best = k.forCarried(
          k.index(0), extent, 1, first, [&](Value row, ValueRange carried) {
            Value values = k.load(
                source, k.add(k.add(start, k.mul(row, inner)), column), mask);
            return taken(carried, values, k.splat(number(row)));
          });
      k.store(asResult(best[1]), target, k.add(to, column), mask);
    });
  }

  ArgReduceOp op;
  KernelBuilder &k;
  OpBuilder &builder;
  Location loc;
  Value source, target;
  Type element; ///< as it is stored
  bool isBool, isNatural;
  VectorType indices;
  Value extent, inner; ///< of the axis; elements between neighbours along it
};

} // namespace

void emitArgReduce(ArgReduceOp op, const KernelBuffers &buffers,
                   KernelBuilder &kernel) {
  ArgReduceEmitter(op, buffers, kernel).emit();
}

} // namespace kiln::passes
