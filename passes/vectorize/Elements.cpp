// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arithmetic of each elementwise op: checked integer division, NaN-keeping
// maxima, casts as x86 and TensorFlow do.
#include "passes/vectorize/Elements.h"

#include "passes/ElementaryIr.h"
#include "runtime/Abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kiln::ir;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace kiln::passes {

static Type withElement(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return VectorType::get(vector.getShape(), element);
  return element;
}

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

/// Emits one op; the members are what its parts share.
struct ElementEmitter {
  OpBuilder &builder;
  Location loc;
  Operation *op;
  ValueRange operands;
  Value mask;
  Type type;    ///< of the operands
  bool isFloat; ///< of the operands

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

  /// A divisor that traps nowhere: 1 in place of 0 and of -1; `negate` says
  /// where it was -1.
  Value safeDivisor(Value &negate) {
    Value zero = compare(CmpIPredicate::eq, y(), integer(0));
    check(zero, ErrorKind::IntegerDivisionByZero);
    negate = compare(CmpIPredicate::eq, y(), integer(-1));
    return select(arith::OrIOp::create(builder, loc, zero, negate), integer(1),
                  y());
  }

  Value truncatedDivision() {
    Value negate, divisor = safeDivisor(negate);
    Value quotient = arith::DivSIOp::create(builder, loc, x(), divisor);
    return select(negate, arith::SubIOp::create(builder, loc, integer(0), x()),
                  quotient);
  }

  Value remainder() {
    Value negate, divisor = safeDivisor(negate);
    Value rest = arith::RemSIOp::create(builder, loc, x(), divisor);
    return select(negate, integer(0), rest);
  }

  /// Whether a remainder has to move to the divisor's sign.
  Value hasOtherSign(Value rest) {
    Value sign =
        compare(CmpIPredicate::slt,
                arith::XOrIOp::create(builder, loc, rest, y()), integer(0));
    return arith::AndIOp::create(builder, loc, sign,
                                 compare(CmpIPredicate::ne, rest, integer(0)));
  }

  Value floorDivision() {
    if (isFloat)
      return math::FloorOp::create(
          builder, loc, arith::DivFOp::create(builder, loc, x(), y()));
    Value negate, divisor = safeDivisor(negate);
    Value quotient = arith::DivSIOp::create(builder, loc, x(), divisor);
    Value rest = select(negate, integer(0),
                        arith::RemSIOp::create(builder, loc, x(), divisor));
    quotient = select(
        negate, arith::SubIOp::create(builder, loc, integer(0), x()), quotient);
    Value lower = arith::SubIOp::create(builder, loc, quotient, integer(1));
    return select(hasOtherSign(rest), lower, quotient);
  }

  Value floorModulo() {
    if (!isFloat) {
      Value rest = remainder();
      return select(hasOtherSign(rest),
                    arith::AddIOp::create(builder, loc, rest, y()), rest);
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
  /// because no comparison with it holds.
  Value extreme(CmpFPredicate ordered, CmpIPredicate integers) {
    if (!isFloat)
      return select(compare(integers, x(), y()), x(), y());
    Value keep = arith::OrIOp::create(builder, loc, compare(ordered, x(), y()),
                                      compare(CmpFPredicate::UNO, x(), x()));
    return select(keep, x(), y());
  }

  Value sign() {
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
    check(compare(CmpIPredicate::slt, y(), integer(0)),
          ErrorKind::NegativeIntegerPower);
    Value base = x(), exponent = y(), result = integer(1);
    unsigned bits = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    Value low = arith::ConstantIndexOp::create(builder, loc, 0),
          step = arith::ConstantIndexOp::create(builder, loc, 1);
    Value high = arith::ConstantIndexOp::create(builder, loc, bits - 1);
    auto loop = scf::ForOp::create(
        builder, loc, low, high, step, ValueRange{base, exponent, result},
        [&](OpBuilder &nested, Location loc, Value, ValueRange carried) {
          ElementEmitter inside{nested, loc, op, operands, mask, type, isFloat};
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
    static constexpr CmpIPredicate bools[] = {
        CmpIPredicate::eq,  CmpIPredicate::ne,  CmpIPredicate::ult,
        CmpIPredicate::ule, CmpIPredicate::ugt, CmpIPredicate::uge};
    auto index = static_cast<size_t>(predicate);
    if (isFloat)
      return compare(floats[index], x(), y());
    return compare(getElementTypeOrSelf(type).isInteger(1) ? bools[index]
                                                           : signs[index],
                   x(), y());
  }

  Value conversion(Type to) {
    Type from = getElementTypeOrSelf(type), target = withElement(type, to);
    if (from == to)
      return x();
    if (to.isInteger(1))
      return isFloat ? compare(CmpFPredicate::UNE, x(), real(0))
                     : compare(CmpIPredicate::ne, x(), integer(0));
    if (from.isInteger(1)) {
      if (isa<FloatType>(to))
        return arith::UIToFPOp::create(builder, loc, target, x());
      return arith::ExtUIOp::create(builder, loc, target, x());
    }
    bool widens = to.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth();
    if (isFloat && isa<FloatType>(to))
      return widens ? Value(arith::ExtFOp::create(builder, loc, target, x()))
                    : Value(arith::TruncFOp::create(builder, loc, target, x()));
    if (!isFloat && isa<IntegerType>(to))
      return widens ? Value(arith::ExtSIOp::create(builder, loc, target, x()))
                    : Value(arith::TruncIOp::create(builder, loc, target, x()));
    if (!isFloat)
      return arith::SIToFPOp::create(builder, loc, target, x());
    // Out of range and NaN give the smallest integer; LLVM leaves them
    // undefined.
    double limit = std::ldexp(1.0, to.getIntOrFloatBitWidth() - 1);
    Value inRange = arith::AndIOp::create(
        builder, loc, compare(CmpFPredicate::OGE, x(), real(-limit)),
        compare(CmpFPredicate::OLT, x(), real(limit)));
    Value safe = select(inRange, x(), real(0));
    Value converted = arith::FPToSIOp::create(builder, loc, target, safe);
    int64_t smallest = to.isInteger(32) ? INT32_MIN : INT64_MIN;
    return select(inRange, converted,
                  emitInteger(builder, loc, target, smallest));
  }

  Value elementary(elementary::ElementaryFunction function) {
    return *emitElementary(builder, loc, function, operands);
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
                       : truncatedDivision();
      })
      .Case<RemOp>([&](auto) {
        return isFloat ? Value(arith::RemFOp::create(builder, loc, x(), y()))
                       : remainder();
      })
      .Case<FloorDivOp>([&](auto) { return floorDivision(); })
      .Case<FloorModOp>([&](auto) { return floorModulo(); })
      .Case<MaxOp>(
          [&](auto) { return extreme(CmpFPredicate::OGT, CmpIPredicate::sgt); })
      .Case<MinOp>(
          [&](auto) { return extreme(CmpFPredicate::OLT, CmpIPredicate::slt); })
      .Case<PowOp>([&](auto) {
        return isFloat ? elementary(ElementaryFunction::Pow) : integerPower();
      })
      .Case<Atan2Op>(
          [&](auto) { return elementary(ElementaryFunction::Atan2); })
      .Case<AndOp>(
          [&](auto) { return arith::AndIOp::create(builder, loc, x(), y()); })
      .Case<OrOp>(
          [&](auto) { return arith::OrIOp::create(builder, loc, x(), y()); })
      .Case<NotOp>([&](auto) {
        return arith::XOrIOp::create(builder, loc, x(), integer(1));
      })
      .Case<NegOp>([&](auto) {
        return isFloat ? Value(arith::NegFOp::create(builder, loc, x()))
                       : Value(arith::SubIOp::create(builder, loc, integer(0),
                                                     x()));
      })
      .Case<AbsOp>([&](auto) {
        if (isFloat)
          return Value(math::AbsFOp::create(builder, loc, x()));
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
      .Case<SelectOp>(
          [&](auto) { return select(operands[0], operands[1], operands[2]); })
      .Case<CastOp>([&](CastOp op) {
        return conversion(getElementTypeOrSelf(op.getType()));
      })
#define KILN_ELEMENTARY_UNARY(Enum, Name)                                      \
  .Case<Enum##Op>([&](auto) { return elementary(ElementaryFunction::Enum); })
#include "runtime/Elementary.def"
      .Default([](Operation *) { return Value(); });
}

} // namespace

Value emitElements(OpBuilder &builder, Operation *op, ValueRange operands,
                   Value mask) {
  Type type = operands[0].getType();
  return ElementEmitter{builder,
                        op->getLoc(),
                        op,
                        operands,
                        mask,
                        type,
                        isa<FloatType>(getElementTypeOrSelf(type))}
      .emit();
}

//===------------------------------------------------------------------------------------------------------------===//
// Reductions
//===------------------------------------------------------------------------------------------------------------===//

Value emitCombine(OpBuilder &builder, Location loc, ReduceKind kind, Value a,
                  Value b) {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(a.getType()));
  switch (kind) {
  case ReduceKind::sum:
    return isFloat ? Value(arith::AddFOp::create(builder, loc, a, b))
                   : Value(arith::AddIOp::create(builder, loc, a, b));
  case ReduceKind::prod:
    return isFloat ? Value(arith::MulFOp::create(builder, loc, a, b))
                   : Value(arith::MulIOp::create(builder, loc, a, b));
  case ReduceKind::max:
    return isFloat ? Value(arith::MaximumFOp::create(builder, loc, a, b))
                   : Value(arith::MaxSIOp::create(builder, loc, a, b));
  case ReduceKind::min:
    return isFloat ? Value(arith::MinimumFOp::create(builder, loc, a, b))
                   : Value(arith::MinSIOp::create(builder, loc, a, b));
  case ReduceKind::all:
    return arith::AndIOp::create(builder, loc, a, b);
  case ReduceKind::any:
    return arith::OrIOp::create(builder, loc, a, b);
  }
  return Value();
}

Value emitNeutral(OpBuilder &builder, Location loc, ReduceKind kind,
                  Type type) {
  Type element = getElementTypeOrSelf(type);
  bool isFloat = isa<FloatType>(element);
  double infinity = std::numeric_limits<double>::infinity();
  auto number = [&](double real, int64_t integer) {
    return isFloat ? emitFloat(builder, loc, type, real)
                   : emitInteger(builder, loc, type, integer);
  };
  bool narrow = element.isInteger(32);
  switch (kind) {
  case ReduceKind::sum:
    return number(0, 0);
  case ReduceKind::prod:
    return number(1, 1);
  case ReduceKind::max:
    return number(-infinity, narrow ? INT32_MIN : INT64_MIN);
  case ReduceKind::min:
    return number(infinity, narrow ? INT32_MAX : INT64_MAX);
  case ReduceKind::all:
    return emitInteger(builder, loc, type, 1);
  case ReduceKind::any:
    return emitInteger(builder, loc, type, 0);
  }
  return Value();
}

Value emitLanesByHalves(OpBuilder &builder, Location loc, ReduceKind kind,
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
    vector = emitCombine(builder, loc, kind, a, b);
  }
  return vector::ExtractOp::create(builder, loc, vector, ArrayRef<int64_t>{0});
}

} // namespace kiln::passes
