// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of runtime/elementary/Elementary.h as a builder of IR, without
// fast-math flags. A Value is of one element type, as a scalar or in lanes of
// one shape; constants are splats.
#ifndef KILN_PASSES_VECTORIZE_IROPS_H
#define KILN_PASSES_VECTORIZE_IROPS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

namespace kiln::ir {

/// `element`, in as many lanes as `like` has.
inline mlir::Type inLanesOf(mlir::Type like, mlir::Type element) {
  if (auto vector = llvm::dyn_cast<mlir::VectorType>(like))
    return vector.clone(element);
  return element;
}

template <int Bits> class IrOps {
public:
  static constexpr int kBits = Bits;
  using Float = mlir::Value;
  using Int = mlir::Value;
  using Bool = mlir::Value;

  /// `lanes`: a type whose shape the values have; its elements do not matter.
  IrOps(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type lanes)
      : builder(builder), loc(loc),
        floatType(inLanesOf(lanes, Bits == 32 ? mlir::Type(builder.getF32Type())
                                              : builder.getF64Type())),
        intType(inLanesOf(lanes, builder.getIntegerType(Bits))) {}

  Float constant(double value) {
    mlir::FloatAttr attr =
        builder.getFloatAttr(mlir::getElementTypeOrSelf(floatType), value);
    return splat(floatType, attr);
  }
  Int iconstant(int64_t value) {
    llvm::APInt bits(64, uint64_t(value));
    auto attr = builder.getIntegerAttr(mlir::getElementTypeOrSelf(intType),
                                       bits.trunc(Bits));
    return splat(intType, attr);
  }

  Float add(Float a, Float b) { return make<mlir::arith::AddFOp>(a, b); }
  Float sub(Float a, Float b) { return make<mlir::arith::SubFOp>(a, b); }
  Float mul(Float a, Float b) { return make<mlir::arith::MulFOp>(a, b); }
  Float div(Float a, Float b) { return make<mlir::arith::DivFOp>(a, b); }
  Float neg(Float a) { return make<mlir::arith::NegFOp>(a); }
  Float abs(Float a) { return make<mlir::math::AbsFOp>(a); }
  Float sqrt(Float a) { return make<mlir::math::SqrtOp>(a); }
  Float floor(Float a) { return make<mlir::math::FloorOp>(a); }
  Float roundEven(Float a) { return make<mlir::math::RoundEvenOp>(a); }
  Float fma(Float a, Float b, Float c) {
    return make<mlir::math::FmaOp>(a, b, c);
  }

  Bool lt(Float a, Float b) { return compare(FPredicate::OLT, a, b); }
  Bool le(Float a, Float b) { return compare(FPredicate::OLE, a, b); }
  Bool gt(Float a, Float b) { return compare(FPredicate::OGT, a, b); }
  Bool ge(Float a, Float b) { return compare(FPredicate::OGE, a, b); }
  Bool eq(Float a, Float b) { return compare(FPredicate::OEQ, a, b); }
  Bool ne(Float a, Float b) { return compare(FPredicate::UNE, a, b); }
  Bool unordered(Float a) { return compare(FPredicate::UNO, a, a); }
  Float select(Bool c, Float a, Float b) {
    return make<mlir::arith::SelectOp>(c, a, b);
  }
  Int selectInt(Bool c, Int a, Int b) {
    return make<mlir::arith::SelectOp>(c, a, b);
  }
  Bool band(Bool a, Bool b) { return make<mlir::arith::AndIOp>(a, b); }
  Bool bor(Bool a, Bool b) { return make<mlir::arith::OrIOp>(a, b); }
  Bool bnot(Bool a) {
    mlir::Type type = a.getType();
    return make<mlir::arith::XOrIOp>(a, splat(type, builder.getBoolAttr(true)));
  }

  Int bitsOf(Float a) { return make<mlir::arith::BitcastOp>(intType, a); }
  Float floatOf(Int a) { return make<mlir::arith::BitcastOp>(floatType, a); }
  Int toInt(Float a) { return make<mlir::arith::FPToSIOp>(intType, a); }
  Float fromInt(Int a) { return make<mlir::arith::SIToFPOp>(floatType, a); }

  Int iadd(Int a, Int b) { return make<mlir::arith::AddIOp>(a, b); }
  Int isub(Int a, Int b) { return make<mlir::arith::SubIOp>(a, b); }
  Int imul(Int a, Int b) { return make<mlir::arith::MulIOp>(a, b); }
  Int iurem(Int a, Int b) { return make<mlir::arith::RemUIOp>(a, b); }
  Int iand(Int a, Int b) { return make<mlir::arith::AndIOp>(a, b); }
  Int ior(Int a, Int b) { return make<mlir::arith::OrIOp>(a, b); }
  Int ixor(Int a, Int b) { return make<mlir::arith::XOrIOp>(a, b); }
  Int shl(Int a, Int n) { return make<mlir::arith::ShLIOp>(a, n); }
  Int lshr(Int a, Int n) { return make<mlir::arith::ShRUIOp>(a, n); }
  Int ashr(Int a, Int n) { return make<mlir::arith::ShRSIOp>(a, n); }
  Int umulHigh(Int a, Int b) {
    if constexpr (Bits == 32) {
      auto product = mlir::arith::MulUIExtendedOp::create(builder, loc, a, b);
      return product.getHigh();
    } else {
      // By halves: products of 128 bits are not vectorized.
      Int mask = iconstant(0xffffffff), half = iconstant(32);
      Int aLow = iand(a, mask), aHigh = lshr(a, half);
      Int bLow = iand(b, mask), bHigh = lshr(b, half);
      Int middle = iadd(imul(aHigh, bLow), lshr(imul(aLow, bLow), half));
      Int other = iadd(imul(aLow, bHigh), iand(middle, mask));
      return iadd(imul(aHigh, bHigh),
                  iadd(lshr(middle, half), lshr(other, half)));
    }
  }
  Bool icmpEq(Int a, Int b) { return compare(IPredicate::eq, a, b); }
  Bool icmpLt(Int a, Int b) { return compare(IPredicate::slt, a, b); }
  Bool icmpUlt(Int a, Int b) { return compare(IPredicate::ult, a, b); }

  mlir::OpBuilder &builder;
  const mlir::Location loc;
  const mlir::Type floatType, intType;

private:
  using FPredicate = mlir::arith::CmpFPredicate;
  using IPredicate = mlir::arith::CmpIPredicate;

  template <class Op, class... Arguments>
  mlir::Value make(Arguments &&...arguments) {
    return Op::create(builder, loc, std::forward<Arguments>(arguments)...)
        .getResult();
  }
  Bool compare(FPredicate predicate, Float a, Float b) {
    return make<mlir::arith::CmpFOp>(predicate, a, b);
  }
  Bool compare(IPredicate predicate, Int a, Int b) {
    return make<mlir::arith::CmpIOp>(predicate, a, b);
  }
  mlir::Value splat(mlir::Type type, mlir::TypedAttr element) {
    if (auto vector = llvm::dyn_cast<mlir::VectorType>(type))
      element = mlir::DenseElementsAttr::get(vector, mlir::Attribute(element));
    return make<mlir::arith::ConstantOp>(element);
  }
};

/// The RandomOps of runtime/random/Random.h.
struct IrRandomOps {
  IrOps<32> f32;
  IrOps<64> f64, one;

  IrRandomOps(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type lanes)
      : f32(builder, loc, lanes), f64(builder, loc, lanes),
        one(builder, loc, builder.getI64Type()) {}
  mlir::Value narrow(mlir::Value word) {
    return mlir::arith::TruncIOp::create(f32.builder, f32.loc, f32.intType,
                                         word);
  }
  mlir::Value spread(mlir::Value word) {
    if (word.getType() == f64.intType)
      return word;
    return mlir::vector::BroadcastOp::create(f64.builder, f64.loc, f64.intType,
                                             word);
  }
  /// A loop, where the registers of AVX2 hold the words: LLVM takes longer for
  /// ten rounds of Philox in one block than for the rest of a kernel. More
  /// words than that are moved to and from memory less often without one.
  template <class Words, class Body>
  Words repeat(int count, Words words, Body body) {
    constexpr int64_t mostLanes = 8;
    if (auto type = llvm::dyn_cast<mlir::VectorType>(f64.intType);
        type && type.getNumElements() > mostLanes) {
      for (int i = 0; i < count; ++i)
        words = body(*this, words);
      return words;
    }
    mlir::OpBuilder &builder = f32.builder;
    auto index = [&](int64_t n) -> mlir::Value {
      return mlir::arith::ConstantIndexOp::create(builder, f32.loc, n);
    };
    mlir::Value low = index(0), high = index(count), step = index(1);
    auto loop = mlir::scf::ForOp::create(
        builder, f32.loc, low, high, step, mlir::ValueRange(words),
        [&](mlir::OpBuilder &nested, mlir::Location loc, mlir::Value,
            mlir::ValueRange carried) {
          IrRandomOps ops(nested, loc, f64.intType);
          Words next;
          llvm::copy(carried, next.begin());
          next = body(ops, next);
          mlir::scf::YieldOp::create(nested, loc, mlir::ValueRange(next));
        });
    Words results;
    llvm::copy(loop.getResults(), results.begin());
    return results;
  }
};

} // namespace kiln::ir

#endif // KILN_PASSES_VECTORIZE_IROPS_H
