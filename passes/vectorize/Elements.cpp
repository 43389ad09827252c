// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arithmetic of each elementwise op: checked integer division, NaN-keeping
// maxima.
#include "passes/vectorize/Elements.h"

#include "dialect/Types.h"
#include "passes/IrOps.h"
#include "passes/vectorize/CodeSize.h"
#include "passes/vectorize/Conversions.h"
#include "runtime/Abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kiln::ir;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace kiln::passes {

Value emitConstant(OpBuilder &builder, Location loc, Type type,
                   Attribute scalar) {
  if (auto vector = dyn_cast<VectorType>(type))
    return arith::ConstantOp::create(builder, loc,
                                     DenseElementsAttr::get(vector, scalar));
  return arith::ConstantOp::create(builder, loc, cast<TypedAttr>(scalar));
}

Value emitInteger(OpBuilder &builder, Location loc, Type type, int64_t value) {
  return emitConstant(
      builder, loc, type,
      builder.getIntegerAttr(getElementTypeOrSelf(type), value));
}

Value emitFloat(OpBuilder &builder, Location loc, Type type, double value) {
  return emitConstant(builder, loc, type,
                      builder.getFloatAttr(getElementTypeOrSelf(type), value));
}

namespace {

/// The number that a constant, or all lanes of one, has.
std::optional<double> realConstant(Value value) {
  llvm::APFloat number(0.0);
  if (!matchPattern(value, m_ConstantFloat(&number)))
    return std::nullopt;
  return number.isDenormal() ? std::nullopt
                             : std::optional(number.convertToDouble());
}

/// Whether the value is surely no denormal: arithmetic flushes its results. Not
/// so x + 0 and x * 1, of which LLVM may leave x.
bool isFlushed(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp>(op))
    return llvm::none_of(op->getOperands(), [](Value operand) {
      std::optional<double> number = realConstant(operand);
      return number && (*number == 0 || *number == 1);
    });
  if (isa<arith::NegFOp, math::AbsFOp>(op))
    return isFlushed(op->getOperand(0));
  return isa<math::FmaOp, math::SqrtOp, arith::SIToFPOp, arith::UIToFPOp>(op) ||
         realConstant(value).has_value();
}

/// Whether a condition is a comparison of floats, or the opposite of one.
bool isComparison(Value condition) {
  if (auto opposite = condition.getDefiningOp<arith::XOrIOp>())
    condition = opposite.getLhs();
  return bool(condition.getDefiningOp<arith::CmpFOp>());
}

/// Emits one op; the members are what its parts share.
struct ElementEmitter {
  OpBuilder &builder;
  Location loc;
  Operation *op;
  ValueRange operands;
  Value mask;
  Type type;    ///< of the operands
  Type element; ///< of the tensors that they come from
  bool isFloat = isa<FloatType>(element);
  bool isNatural = !isFloat && (isUnsigned(element) || element.isInteger(1));

  Value x() { return operands[0]; }
  Value y() { return operands[1]; }
  Value integer(int64_t value) {
    return emitInteger(builder, loc, type, value);
  }
  Value real(double value) { return emitFloat(builder, loc, type, value); }
  Value compare(CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
  Value compare(CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }

  template <class Op> Value make(Value a, Value b) {
    return Op::create(builder, loc, a, b);
  }
  /// By whether the operands are unsigned.
  CmpIPredicate order(CmpIPredicate ofSigned, CmpIPredicate ofUnsigned) {
    return isNatural ? ofUnsigned : ofSigned;
  }

  template <class FloatOp, class IntOp> Value binary() {
    if (isFloat)
      return FloatOp::create(builder, loc, x(), y());
    return IntOp::create(builder, loc, x(), y());
  }

  /// Records an error of the op's node when `bad` holds in a real lane.
  void check(Value bad, ErrorKind kind) {
    if (auto vector = dyn_cast<VectorType>(bad.getType())) {
      if (mask)
        bad = arith::AndIOp::create(builder, loc, bad, mask);
      bad = vector::ReductionOp::create(builder, loc, vector::CombiningKind::OR,
                                        bad);
    }
    scf::IfOp::create(builder, loc, bad, [&](OpBuilder &nested, Location loc) {
      ReportErrorOp::create(
          nested, loc, nested.getI32IntegerAttr(static_cast<int32_t>(kind)),
          ValueRange());
      scf::YieldOp::create(nested, loc);
    });
  }

  /// The divisor, 1 in place of 0, which is an error.
  Value nonzeroDivisor() {
    Value zero = compare(CmpIPredicate::eq, y(), integer(0));
    check(zero, ErrorKind::IntegerDivisionByZero);
    return select(zero, integer(1), y());
  }

  /// Integers of 8 and 16 bits divide as f32, because CPUs divide no vectors of
  /// integers. A quotient that is no integer is at least 1 / y away from one,
  /// and rounding moves it by less than 2^16 / y * 2^-24.
  std::pair<Value, Value> narrowDivision(Value divisor) {
    Type f32 = builder.getF32Type(), i32 = builder.getI32Type();
    auto convert = [&](Value value, Type from, Type to) {
      return emitConversion(builder, loc, value, from, to);
    };
    Value real = make<arith::DivFOp>(convert(x(), element, f32),
                                     convert(divisor, element, f32));
    Value whole =
        arith::FPToSIOp::create(builder, loc, inLanesOf(type, i32), real);
    Value quotient = convert(whole, i32, element);
    return {quotient,
            make<arith::SubIOp>(x(), make<arith::MulIOp>(quotient, divisor))};
  }

  /// The quotient rounded towards zero, and the remainder. The smallest integer
  /// by -1 would trap: -1 is a negation.
  std::pair<Value, Value> division() {
    Value divisor = nonzeroDivisor();
    if (element.getIntOrFloatBitWidth() <= 16)
      return narrowDivision(divisor);
    if (isNatural)
      return {make<arith::DivUIOp>(x(), divisor),
              make<arith::RemUIOp>(x(), divisor)};
    Value negate = compare(CmpIPredicate::eq, divisor, integer(-1));
    divisor = select(negate, integer(1), divisor);
    return {select(negate, make<arith::SubIOp>(integer(0), x()),
                   make<arith::DivSIOp>(x(), divisor)),
            select(negate, integer(0), make<arith::RemSIOp>(x(), divisor))};
  }

  /// Whether a remainder has to move to the divisor's sign.
  Value hasOtherSign(Value rest) {
    Value sign =
        compare(CmpIPredicate::slt, make<arith::XOrIOp>(rest, y()), integer(0));
    return make<arith::AndIOp>(sign,
                               compare(CmpIPredicate::ne, rest, integer(0)));
  }

  Value floorDivision() {
    if (isFloat)
      return math::FloorOp::create(builder, loc, make<arith::DivFOp>(x(), y()));
    auto [quotient, rest] = division();
    if (isNatural)
      return quotient;
    Value lower = make<arith::SubIOp>(quotient, integer(1));
    return select(hasOtherSign(rest), lower, quotient);
  }

  Value floorModulo() {
    if (!isFloat) {
      Value rest = division().second;
      return isNatural ? rest
                       : select(hasOtherSign(rest),
                                make<arith::AddIOp>(rest, y()), rest);
    }
    Value rest = arith::RemFOp::create(builder, loc, x(), y());
    Value zero = real(0);
    Value negativeRest = compare(CmpFPredicate::OLT, rest, zero),
          negativeY = compare(CmpFPredicate::OLT, y(), zero);
    Value moves = arith::AndIOp::create(
        builder, loc, compare(CmpFPredicate::UNE, rest, zero),
        compare(CmpIPredicate::ne, negativeRest, negativeY));
    return select(moves, arith::AddFOp::create(builder, loc, rest, y()), rest);
  }

  /// x > y || x != x ? x : y, with < for the minimum: a y that is NaN is taken
  /// because no comparison with it holds. A denormal becomes a zero.
  Value extreme(CmpFPredicate ordered, CmpIPredicate integers) {
    if (!isFloat)
      return select(compare(integers, x(), y()), x(), y());
    Value taken = select(compare(ordered, x(), y()), x(), y());
    // What beats a number on this side of zero is no denormal: relu.
    bool isMax = ordered == CmpFPredicate::OGT;
    std::optional<double> constant = realConstant(y());
    bool beatsZero = constant && (isMax ? *constant >= 0 : *constant <= 0);
    if (!(isFlushed(x()) || beatsZero) || !isFlushed(y()))
      taken = FlushOp::create(builder, loc, taken);
    return select(compare(CmpFPredicate::UNO, x(), x()), x(), taken);
  }

  /// TensorFlow's Select moves elements: denormals stay. LLVM would make of a
  /// comparison and a choice between what it compares a maxps, which flushes
  /// them.
  Value choice() {
    Value onTrue = operands[1], onFalse = operands[2];
    if (isa<FloatType>(getElementTypeOrSelf(onTrue.getType())) &&
        isComparison(operands[0]) && !(isFlushed(onTrue) && isFlushed(onFalse)))
      onTrue = FenceOp::create(builder, loc, onTrue);
    return select(operands[0], onTrue, onFalse);
  }

  /// A count of bits to shift by, brought into its range.
  Value shiftCount() {
    Value last = integer(element.getIntOrFloatBitWidth() - 1);
    Value count = make<arith::MinUIOp>(y(), last);
    if (isNatural)
      return count;
    return select(compare(CmpIPredicate::slt, y(), integer(0)), integer(0),
                  count);
  }

  Value sign() {
    if (isNatural)
      return make<arith::MinUIOp>(x(), integer(1));
    if (!isFloat) {
      Value positive = select(compare(CmpIPredicate::sgt, x(), integer(0)),
                              integer(1), integer(0));
      return select(compare(CmpIPredicate::slt, x(), integer(0)), integer(-1),
                    positive);
    }
    // NaN stays; -0 gives 0, as TensorFlow's.
    Value kept =
        select(compare(CmpFPredicate::OEQ, x(), real(0)), real(0), x());
    kept = select(compare(CmpFPredicate::OLT, x(), real(0)), real(-1), kept);
    return select(compare(CmpFPredicate::OGT, x(), real(0)), real(1), kept);
  }

  /// By repeated squaring over the bits of the exponent.
  Value integerPower() {
    if (!isNatural)
      check(compare(CmpIPredicate::slt, y(), integer(0)),
            ErrorKind::NegativeIntegerPower);
    Value base = x(), exponent = y(), result = integer(1);
    unsigned bits = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    Value low = arith::ConstantIndexOp::create(builder, loc, 0),
          step = arith::ConstantIndexOp::create(builder, loc, 1);
    Value high = arith::ConstantIndexOp::create(builder, loc,
                                                isNatural ? bits : bits - 1);
    auto loop = scf::ForOp::create(
        builder, loc, low, high, step, ValueRange{base, exponent, result},
        [&](OpBuilder &nested, Location loc, Value, ValueRange carried) {
          ElementEmitter inside{nested, loc, op, operands, mask, type, element};
          Value odd = inside.compare(
              CmpIPredicate::ne,
              arith::AndIOp::create(nested, loc, carried[1], inside.integer(1)),
              inside.integer(0));
          Value product =
              arith::MulIOp::create(nested, loc, carried[2], carried[0]);
          scf::YieldOp::create(
              nested, loc,
              ValueRange{
                  arith::MulIOp::create(nested, loc, carried[0], carried[0]),
                  arith::ShRUIOp::create(nested, loc, carried[1],
                                         inside.integer(1)),
                  inside.select(odd, product, carried[2])});
        });
    return loop.getResult(2);
  }

  Value comparison(Predicate predicate) {
    static constexpr CmpFPredicate floats[] = {
        CmpFPredicate::OEQ, CmpFPredicate::UNE, CmpFPredicate::OLT,
        CmpFPredicate::OLE, CmpFPredicate::OGT, CmpFPredicate::OGE};
    static constexpr CmpIPredicate signs[] = {
        CmpIPredicate::eq,  CmpIPredicate::ne,  CmpIPredicate::slt,
        CmpIPredicate::sle, CmpIPredicate::sgt, CmpIPredicate::sge};
    static constexpr CmpIPredicate naturals[] = {
        CmpIPredicate::eq,  CmpIPredicate::ne,  CmpIPredicate::ult,
        CmpIPredicate::ule, CmpIPredicate::ugt, CmpIPredicate::uge};
    auto index = static_cast<size_t>(predicate);
    if (isFloat)
      return compare(floats[index], x(), y());
    return compare(order(signs[index], naturals[index]), x(), y());
  }

  Value elementary(elementary::ElementaryFunction function) {
    return *emitElementaryOrCall(builder, loc, function, operands);
  }

  Value emit();
};

Value ElementEmitter::emit() {
  using elementary::ElementaryFunction;
  return TypeSwitch<Operation *, Value>(op)
      .Case<AddOp>([&](auto) { return binary<arith::AddFOp, arith::AddIOp>(); })
      .Case<SubOp>([&](auto) { return binary<arith::SubFOp, arith::SubIOp>(); })
      .Case<MulOp>([&](auto) { return binary<arith::MulFOp, arith::MulIOp>(); })
      .Case<DivOp>([&](auto) {
        return isFloat ? Value(arith::DivFOp::create(builder, loc, x(), y()))
                       : division().first;
      })
      .Case<RemOp>([&](auto) {
        return isFloat ? Value(arith::RemFOp::create(builder, loc, x(), y()))
                       : division().second;
      })
      .Case<FloorDivOp>([&](auto) { return floorDivision(); })
      .Case<FloorModOp>([&](auto) { return floorModulo(); })
      .Case<MaxOp>([&](auto) {
        return extreme(CmpFPredicate::OGT,
                       order(CmpIPredicate::sgt, CmpIPredicate::ugt));
      })
      .Case<MinOp>([&](auto) {
        return extreme(CmpFPredicate::OLT,
                       order(CmpIPredicate::slt, CmpIPredicate::ult));
      })
      .Case<PowOp>([&](auto) {
        return isFloat ? elementary(ElementaryFunction::Pow) : integerPower();
      })
      .Case<Atan2Op>(
          [&](auto) { return elementary(ElementaryFunction::Atan2); })
      .Case<AndOp>(
          [&](auto) { return arith::AndIOp::create(builder, loc, x(), y()); })
      .Case<OrOp>(
          [&](auto) { return arith::OrIOp::create(builder, loc, x(), y()); })
      .Case<XorOp>([&](auto) { return make<arith::XOrIOp>(x(), y()); })
      .Case<ShiftLeftOp>(
          [&](auto) { return make<arith::ShLIOp>(x(), shiftCount()); })
      .Case<ShiftRightOp>([&](auto) {
        return isNatural ? make<arith::ShRUIOp>(x(), shiftCount())
                         : make<arith::ShRSIOp>(x(), shiftCount());
      })
      .Case<NotOp>([&](auto) { return make<arith::XOrIOp>(x(), integer(-1)); })
      .Case<NegOp>([&](auto) {
        return isFloat ? Value(arith::NegFOp::create(builder, loc, x()))
                       : Value(arith::SubIOp::create(builder, loc, integer(0),
                                                     x()));
      })
      .Case<AbsOp>([&](auto) {
        if (isFloat)
          return Value(math::AbsFOp::create(builder, loc, x()));
        if (isNatural)
          return x();
        Value negative = compare(CmpIPredicate::slt, x(), integer(0));
        return select(negative,
                      arith::SubIOp::create(builder, loc, integer(0), x()),
                      x());
      })
      .Case<SignOp>([&](auto) { return sign(); })
      .Case<SqrtOp>(
          [&](auto) { return math::SqrtOp::create(builder, loc, x()); })
      .Case<FloorOp>(
          [&](auto) { return math::FloorOp::create(builder, loc, x()); })
      .Case<CeilOp>(
          [&](auto) { return math::CeilOp::create(builder, loc, x()); })
      .Case<RoundEvenOp>(
          [&](auto) { return math::RoundEvenOp::create(builder, loc, x()); })
      .Case<CompareOp>(
          [&](CompareOp op) { return comparison(op.getPredicate()); })
      .Case<SelectOp>([&](auto) { return choice(); })
      .Case<CastOp>([&](CastOp op) {
        return emitConversion(builder, loc, x(), element,
                              getElementTypeOrSelf(op.getType()));
      })
#define KILN_ELEMENTARY_UNARY(Enum, Name)                                      \
  .Case<Enum##Op>([&](auto) { return elementary(ElementaryFunction::Enum); })
#include "runtime/Elementary.def"
      .Default([](Operation *) { return Value(); });
}

} // namespace

int64_t estimateVectorOps(Operation *op) {
  return TypeSwitch<Operation *, int64_t>(op)
#define KILN_ELEMENTARY_UNARY(Enum, Name)                                      \
  .Case<Enum##Op>([](auto) { return 32; })
#include "runtime/Elementary.def"
      .Case<PowOp, Atan2Op, RandomOp, RandomIntOp>([](auto) { return 64; })
      .Default([](Operation *) { return 1; });
}

Value emitElements(OpBuilder &builder, Operation *op, ValueRange operands,
                   Value mask) {
  return ElementEmitter{builder,
                        op->getLoc(),
                        op,
                        operands,
                        mask,
                        operands[0].getType(),
                        getElementTypeOrSelf(op->getOperand(0).getType())}
      .emit();
}

//===--- Reductions -------------------------------------------------------===//

Combination::Combination(ReduceOp op)
    : kind(op.getKind()),
      isUnsigned(ir::isUnsigned(getElementTypeOrSelf(op.getType()))) {}

Value emitCombine(OpBuilder &builder, Location loc, Combination how, Value a,
                  Value b) {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(a.getType()));
  switch (how.kind) {
  case ReduceKind::sum:
    return isFloat ? Value(arith::AddFOp::create(builder, loc, a, b))
                   : Value(arith::AddIOp::create(builder, loc, a, b));
  case ReduceKind::prod:
    return isFloat ? Value(arith::MulFOp::create(builder, loc, a, b))
                   : Value(arith::MulIOp::create(builder, loc, a, b));
  case ReduceKind::max:
    if (how.isUnsigned)
      return arith::MaxUIOp::create(builder, loc, a, b);
    return isFloat ? Value(arith::MaximumFOp::create(builder, loc, a, b))
                   : Value(arith::MaxSIOp::create(builder, loc, a, b));
  case ReduceKind::min:
    if (how.isUnsigned)
      return arith::MinUIOp::create(builder, loc, a, b);
    return isFloat ? Value(arith::MinimumFOp::create(builder, loc, a, b))
                   : Value(arith::MinSIOp::create(builder, loc, a, b));
  case ReduceKind::all:
    return arith::AndIOp::create(builder, loc, a, b);
  case ReduceKind::any:
    return arith::OrIOp::create(builder, loc, a, b);
  }
  return Value();
}

Value emitNeutral(OpBuilder &builder, Location loc, Combination how,
                  Type type) {
  Type element = getElementTypeOrSelf(type);
  bool isFloat = isa<FloatType>(element);
  auto number = [&](int64_t value) {
    return isFloat ? emitFloat(builder, loc, type, static_cast<double>(value))
                   : emitInteger(builder, loc, type, value);
  };
  auto extreme = [&](bool isLargest) {
    double infinity = std::numeric_limits<double>::infinity();
    if (isFloat)
      return emitFloat(builder, loc, type, isLargest ? infinity : -infinity);
    unsigned bits = element.getIntOrFloatBitWidth();
    llvm::APInt limit =
        how.isUnsigned ? (isLargest ? llvm::APInt::getMaxValue(bits)
                                    : llvm::APInt::getMinValue(bits))
                       : (isLargest ? llvm::APInt::getSignedMaxValue(bits)
                                    : llvm::APInt::getSignedMinValue(bits));
    return emitConstant(builder, loc, type,
                        builder.getIntegerAttr(element, limit));
  };
  switch (how.kind) {
  case ReduceKind::sum:
    return number(0);
  case ReduceKind::prod:
    return number(1);
  case ReduceKind::max:
    return extreme(false);
  case ReduceKind::min:
    return extreme(true);
  case ReduceKind::all:
    return emitInteger(builder, loc, type, 1);
  case ReduceKind::any:
    return emitInteger(builder, loc, type, 0);
  }
  return Value();
}

Value emitLanesByHalves(OpBuilder &builder, Location loc, Combination how,
                        Value vector) {
  for (int64_t width = cast<VectorType>(vector.getType()).getNumElements() / 2;
       width >= 1; width /= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t lane = 0; lane < width; ++lane) {
      low.push_back(lane);
      high.push_back(lane + width);
    }
    Value a = vector::ShuffleOp::create(builder, loc, vector, vector, low);
    Value b = vector::ShuffleOp::create(builder, loc, vector, vector, high);
    vector = emitCombine(builder, loc, how, a, b);
  }
  return vector::ExtractOp::create(builder, loc, vector, ArrayRef<int64_t>{0});
}

} // namespace kiln::passes
