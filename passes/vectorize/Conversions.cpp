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
#include "lib/Support/IntegerOfFloat.h"
#include "passes/vectorize/Elements.h"
#include "passes/vectorize/IrOps.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/APFloat.h"

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
  Value integer(unsigned bits, uint64_t value) const {
    return emitConstant(
        builder, loc, integers(bits),
        builder.getIntegerAttr(builder.getIntegerType(bits),
                               llvm::APInt(bits, value, false, true)));
  }
  Value real(Type element, double value) const {
    return emitFloat(builder, loc, inLanes(element), value);
  }
  template <class Op> Value to(Type element, Value value) const {
    return Op::create(builder, loc, inLanes(element), value);
  }
  template <class Op> Value make(Value a, Value b) const {
    return Op::create(builder, loc, a, b);
  }
  Value compare(CmpFPredicate predicate, Value a, Value b) const {
    return emitComparison(builder, loc, predicate, a, b);
  }
  Value select(Value condition, Value a, Value b) const {
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
};

/// The operations of lib/Support/IntegerOfFloat.h on floats of one type.
struct IrFloats {
  using Float = Value;
  using Bool = Value;

  const Converter &c;
  Type type; ///< of the floats, in registers

  Value real(double n) const { return c.real(type, n); }
  Value less(Value a, Value b) const {
    return c.compare(CmpFPredicate::OLT, a, b);
  }
  Value greaterEqual(Value a, Value b) const {
    return c.compare(CmpFPredicate::OGE, a, b);
  }
  Value both(Value p, Value q) const { return c.make<arith::AndIOp>(p, q); }
  Value select(Value p, Value a, Value b) const { return c.select(p, a, b); }
  Value sub(Value a, Value b) const { return c.make<arith::SubFOp>(a, b); }
  template <int bits> Value truncate(Value a) const {
    return c.to<arith::FPToSIOp>(c.builder.getIntegerType(bits), a);
  }
  template <int bits> Value power() const {
    return c.integer(bits, uint64_t(1) << (bits - 1));
  }
  template <int bits> Value add(Value a, Value b) const {
    return c.make<arith::AddIOp>(a, b);
  }
};

Value integerOf(const Converter &c, Value x, Type target) {
  IrFloats floats{c, getElementTypeOrSelf(x.getType())};
  int bits = static_cast<int>(target.getIntOrFloatBitWidth());
  if (bits == 64 && isUnsigned(target))
    return integers::unsignedOf(floats, x);
  int plain = integers::conversionBits(bits, isUnsigned(target));
  Value converted = plain == 64 ? integers::signedOf<64>(floats, x)
                                : integers::signedOf<32>(floats, x);
  return bits < plain
             ? c.to<arith::TruncIOp>(c.builder.getIntegerType(bits), converted)
             : converted;
}

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

/// The floats that complex numbers, one or a vector of them, lie in memory as.
static VectorType pairsOf(Type part, Type lanes) {
  auto vector = dyn_cast<VectorType>(lanes);
  return VectorType::get({2 * (vector ? vector.getNumElements() : 1)}, part);
}

Value emitPart(OpBuilder &builder, Location loc, Value whole,
               bool isImaginary) {
  Type type = whole.getType();
  bool isVector = isa<VectorType>(type);
  Type part = getElementTypeOrSelf(type).isInteger(64)
                  ? Type(builder.getF32Type())
                  : builder.getF64Type();
  // LLVM makes shuffles of loads of this, where shifts of i128 would go one by
  // one through general registers.
  if (!isVector)
    whole = vector::BroadcastOp::create(builder, loc,
                                        VectorType::get({1}, type), whole);
  VectorType pairs = pairsOf(part, type);
  Value parts = vector::BitCastOp::create(builder, loc, pairs, whole);
  if (!isVector)
    return vector::ExtractOp::create(builder, loc, parts,
                                     ArrayRef<int64_t>{isImaginary});
  SmallVector<int64_t> chosen;
  for (int64_t lane = isImaginary; lane < pairs.getNumElements(); lane += 2)
    chosen.push_back(lane);
  return vector::ShuffleOp::create(builder, loc, parts, parts, chosen);
}

Value emitComplex(OpBuilder &builder, Location loc, Value real,
                  Value imaginary) {
  Type part = getElementTypeOrSelf(real.getType());
  Type whole = builder.getIntegerType(2 * part.getIntOrFloatBitWidth());
  auto vector = dyn_cast<VectorType>(real.getType());
  int64_t count = vector ? vector.getNumElements() : 1;
  if (!vector)
    for (Value *scalar : {&real, &imaginary})
      *scalar = vector::BroadcastOp::create(
          builder, loc, VectorType::get({1}, part), *scalar);
  SmallVector<int64_t> order;
  for (int64_t lane = 0; lane < count; ++lane)
    order.append({lane, count + lane});
  Value pairs = vector::ShuffleOp::create(builder, loc, real, imaginary, order);
  Value numbers = vector::BitCastOp::create(
      builder, loc, VectorType::get({count}, whole), pairs);
  return vector ? numbers
                : Value(vector::ExtractOp::create(builder, loc, numbers,
                                                  ArrayRef<int64_t>{0}));
}

/// Whether LLVM may see the bits that a float is made of.
static bool isMadeOfBits(Value value) {
  return isa_and_nonnull<arith::BitcastOp, vector::ShuffleOp,
                         vector::ExtractOp>(value.getDefiningOp());
}

Value emitComparison(OpBuilder &builder, Location loc, CmpFPredicate predicate,
                     Value a, Value b) {
  // LLVM compares bits with those of zero where a float is made of bits, also
  // in functions whose denormals are zeros.
  if (predicate == CmpFPredicate::OEQ || predicate == CmpFPredicate::UNE)
    for (Value *operand : {&a, &b})
      if (isMadeOfBits(*operand))
        *operand = FenceOp::create(builder, loc, *operand);
  return arith::CmpFOp::create(builder, loc, predicate, a, b);
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
    return integerOf(c, x, to);
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
