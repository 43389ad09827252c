// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Casts as x86 and TensorFlow do, and the two floats of 16 bits.
//
// f16 and bf16 live in registers as the f32 of the same value, so that a chain
// of ops on them is arithmetic in f32 with a rounding behind each. f16 goes
// through the CPU's own conversions, which keep f16's denormals whatever the
// run's floating-point state. bf16 is rounded by integer arithmetic: the CPU's
// instruction (AVX512_BF16) takes denormals for zeros and not every CPU has it.
#include "passes/vectorize/Conversions.h"

#include "dialect/Types.h"
#include "passes/IrOps.h"
#include "passes/vectorize/Elements.h"

#include "llvm/ADT/APFloat.h"
#include <cmath>

using namespace mlir;
using namespace kiln::ir;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace kiln::passes {
namespace {

/// Makes arith ops on values of the lanes of one value.
struct Converter {
  OpBuilder &builder;
  Location loc;
  Type lanes;

  Type inLanes(Type element) const { return inLanesOf(lanes, element); }
  Type integers(unsigned bits) const {
    return inLanes(builder.getIntegerType(bits));
  }
  Value integer(unsigned bits, uint64_t value) {
    return emitConstant(
        builder, loc, integers(bits),
        builder.getIntegerAttr(builder.getIntegerType(bits),
                               llvm::APInt(bits, value, false, true)));
  }
  Value real(Type element, double value) {
    return emitFloat(builder, loc, inLanes(element), value);
  }
  template <class Op> Value to(Type element, Value value) {
    return Op::create(builder, loc, inLanes(element), value);
  }
  template <class Op> Value make(Value a, Value b) {
    return Op::create(builder, loc, a, b);
  }
  Value compare(CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }

  /// runtime's bfloat16BitsOf, but the bits stay where they are.
  Value roundToBFloat16(Value x) {
    Value bits = to<arith::BitcastOp>(builder.getI32Type(), x);
    Value odd = make<arith::AndIOp>(make<arith::ShRUIOp>(bits, integer(32, 16)),
                                    integer(32, 1));
    Value rounded = make<arith::AddIOp>(
        bits, make<arith::AddIOp>(odd, integer(32, 0x7fff)));
    rounded = make<arith::AndIOp>(rounded, integer(32, 0xffff0000));
    Value nan =
        make<arith::OrIOp>(make<arith::AndIOp>(bits, integer(32, 0x80000000)),
                           integer(32, 0x7fc00000));
    Value result = select(compare(CmpFPredicate::UNO, x, x), nan, rounded);
    return to<arith::BitcastOp>(builder.getF32Type(), result);
  }

  Value roundToHalf(Value x) {
    return to<arith::ExtFOp>(builder.getF32Type(),
                             to<arith::TruncFOp>(builder.getF16Type(), x));
  }

  /// Towards zero; NaN and what is out of range give the smallest integer: LLVM
  /// leaves them undefined.
  Value signedOf(Value x, unsigned bits) {
    Type real = getElementTypeOrSelf(x.getType());
    double limit = std::ldexp(1.0, static_cast<int>(bits) - 1);
    Value inRange = make<arith::AndIOp>(
        compare(CmpFPredicate::OGE, x, this->real(real, -limit)),
        compare(CmpFPredicate::OLT, x, this->real(real, limit)));
    Value safe = select(inRange, x, this->real(real, 0));
    Value converted = to<arith::FPToSIOp>(builder.getIntegerType(bits), safe);
    return select(inRange, converted, integer(bits, uint64_t(1) << (bits - 1)));
  }

  Value integerOf(Value x, Type target) {
    unsigned bits = target.getIntOrFloatBitWidth();
    bool wide = bits == 64 || (bits == 32 && isUnsigned(target));
    Value plain = signedOf(x, wide ? 64 : 32);
    if (bits < (wide ? 64 : 32))
      return to<arith::TruncIOp>(builder.getIntegerType(bits), plain);
    if (bits != 64 || !isUnsigned(target))
      return plain;
    Type real = getElementTypeOrSelf(x.getType());
    Value half = this->real(real, 0x1p63);
    Value isUpper = make<arith::AndIOp>(
        compare(CmpFPredicate::OGE, x, half),
        compare(CmpFPredicate::OLT, x, this->real(real, 0x1p64)));
    Value upper =
        make<arith::AddIOp>(signedOf(make<arith::SubFOp>(x, half), 64),
                            integer(64, uint64_t(1) << 63));
    return select(isUpper, upper, plain);
  }
};

Converter converterOf(OpBuilder &builder, Location loc, Value value) {
  return {builder, loc, value.getType()};
}

} // namespace

Value fromStorage(OpBuilder &builder, Location loc, Value stored,
                  Type element) {
  Converter c = converterOf(builder, loc, stored);
  if (element.isInteger(1))
    return arith::CmpIOp::create(builder, loc, CmpIPredicate::ne, stored,
                                 c.integer(8, 0));
  if (element.isF16())
    return c.to<arith::ExtFOp>(
        builder.getF32Type(),
        c.to<arith::BitcastOp>(builder.getF16Type(), stored));
  if (element.isBF16())
    return c.to<arith::BitcastOp>(
        builder.getF32Type(),
        c.make<arith::ShLIOp>(
            c.to<arith::ExtUIOp>(builder.getI32Type(), stored),
            c.integer(32, 16)));
  return stored;
}

Value toStorage(OpBuilder &builder, Location loc, Value value, Type element) {
  Converter c = converterOf(builder, loc, value);
  if (element.isInteger(1))
    return c.to<arith::ExtUIOp>(builder.getI8Type(), value);
  if (element.isF16())
    return c.to<arith::BitcastOp>(
        builder.getI16Type(),
        c.to<arith::TruncFOp>(builder.getF16Type(), value));
  if (element.isBF16())
    return c.to<arith::TruncIOp>(
        builder.getI16Type(),
        c.make<arith::ShRUIOp>(
            c.to<arith::BitcastOp>(builder.getI32Type(), value),
            c.integer(32, 16)));
  return value;
}

Value emitConversion(OpBuilder &builder, Location loc, Value x, Type from,
                     Type to) {
  Converter c = converterOf(builder, loc, x);
  Type target = registerType(to);
  bool isFloat = isa<FloatType>(from), toFloat = isa<FloatType>(to);
  if (from == to || isNarrowFloat(from))
    return x;
  if (to.isBF16())
    return c.roundToBFloat16(x);
  if (to.isF16())
    return c.roundToHalf(x);
  if (to.isInteger(1)) {
    if (isFloat)
      return c.compare(CmpFPredicate::UNE, x, c.real(from, 0));
    return arith::CmpIOp::create(builder, loc, CmpIPredicate::ne, x,
                                 c.integer(from.getIntOrFloatBitWidth(), 0));
  }
  int64_t bits = from.getIntOrFloatBitWidth(),
          wanted = to.getIntOrFloatBitWidth();
  if (isFloat && toFloat)
    return wanted > bits ? c.to<arith::ExtFOp>(target, x)
                         : c.to<arith::TruncFOp>(target, x);
  if (isFloat)
    return c.integerOf(x, to);
  bool isNatural = isUnsigned(from) || bits == 1;
  if (toFloat)
    return isNatural ? c.to<arith::UIToFPOp>(target, x)
                     : c.to<arith::SIToFPOp>(target, x);
  if (wanted == bits)
    return x;
  if (wanted < bits)
    return c.to<arith::TruncIOp>(target, x);
  return isNatural ? c.to<arith::ExtUIOp>(target, x)
                   : c.to<arith::ExtSIOp>(target, x);
}

TypedAttr registerAttr(Attribute element) {
  auto typed = cast<TypedAttr>(element);
  Type type = registerType(typed.getType());
  if (type == typed.getType())
    return typed;
  if (auto integer = dyn_cast<IntegerAttr>(element))
    return IntegerAttr::get(type, integer.getValue());
  llvm::APFloat value = cast<FloatAttr>(element).getValue();
  bool losesInfo = false;
  value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
  return FloatAttr::get(type, value);
}

TypedAttr storageAttr(Attribute element) {
  auto typed = cast<TypedAttr>(element);
  Type type = storageType(typed.getType());
  if (type == typed.getType())
    return typed;
  if (auto integer = dyn_cast<IntegerAttr>(element))
    return IntegerAttr::get(
        type, integer.getValue().zextOrTrunc(type.getIntOrFloatBitWidth()));
  return IntegerAttr::get(type,
                          cast<FloatAttr>(element).getValue().bitcastToAPInt());
}

} // namespace kiln::passes
