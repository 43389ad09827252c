// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arithmetic of each elementwise op: checked integer division, NaN-keeping
// maxima.
#include "passes/vectorize/Elements.h"

#include "dialect/IntegerOps.h"
#include "dialect/Types.h"
#include "passes/vectorize/CodeSize.h"
#include "passes/vectorize/Conversions.h"
#include "passes/vectorize/IntegerIr.h"
#include "passes/vectorize/IrOps.h"
#include "runtime/abi/Abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
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
/// so x + 0 and x * 1, of which LLVM may leave x. Choices are followed `depth`
/// deep.
bool isFlushed(Value value, int depth = 6) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp>(op))
    return llvm::none_of(op->getOperands(), [](Value operand) {
      std::optional<double> number = realConstant(operand);
      return number && (*number == 0 || *number == 1);
    });
  if (isa<arith::NegFOp, math::AbsFOp>(op))
    return isFlushed(op->getOperand(0), depth);
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    if (depth == 0 || !isFlushed(select.getFalseValue(), depth - 1))
      return false;
    Value other = select.getTrueValue();
    auto test = select.getCondition().getDefiningOp<arith::CmpFOp>();
    bool isNan = test && test.getPredicate() == CmpFPredicate::UNO &&
                 test.getLhs() == other && test.getRhs() == other;
    return isNan || isFlushed(other, depth - 1);
  }
  return isa<FlushOp, math::FmaOp, math::SqrtOp, arith::SIToFPOp,
             arith::UIToFPOp>(op) ||
         realConstant(value).has_value();
}

/// Whether LLVM may see a comparison of floats in a condition: it is one, its
/// opposite, or one of numbers that were chosen by one.
bool isComparison(Value condition, unsigned depth = 6) {
  Operation *op = condition.getDefiningOp();
  if (isa_and_nonnull<arith::CmpFOp>(op))
    return true;
  return depth > 0 &&
         isa_and_nonnull<arith::XOrIOp, arith::AndIOp, arith::OrIOp,
                         arith::CmpIOp, arith::SelectOp>(op) &&
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return getElementTypeOrSelf(operand.getType()).isInteger() &&
                  isComparison(operand, depth - 1);
         });
}

/// Whether a denormal that the op gives becomes a zero before it is seen:
/// it goes into maxima, minima and comparisons alone, by at most so many
/// choices.
bool isFlushedLater(Operation *op) {
  constexpr size_t maxChoices = 64;
  llvm::SmallSetVector<Operation *, 8> choices;
  choices.insert(op);
  for (size_t i = 0; i < choices.size(); ++i)
    for (Operation *user : choices[i]->getUsers()) {
      if (isa<SelectOp>(user) && choices.size() < maxChoices)
        choices.insert(user);
      else if (!isa<MaxOp, MinOp, CompareOp>(user) && !choices.contains(user))
        return false;
    }
  return true;
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
    return emitComparison(builder, loc, predicate, a, b);
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
  /// LLVM takes `x - 0`, `x * 1` and the like for x or its opposite: a
  /// denormal, too, which arithmetic makes a zero.
  template <class Op> Value arithmetic() {
    constexpr bool isAdd = std::is_same_v<Op, arith::AddFOp>,
                   isSub = std::is_same_v<Op, arith::SubFOp>,
                   isDiv = std::is_same_v<Op, arith::DivFOp>;
    auto isNeutral = [](Value operand, double zero) {
      std::optional<double> number = realConstant(operand);
      if (number && (isAdd || isSub))
        return *number == 0 && std::signbit(*number) == std::signbit(zero);
      return number && std::abs(*number) == 1;
    };
    Value result = make<Op>(x(), y());
    bool leavesOut =
        isNeutral(y(), isSub ? 0.0 : -0.0) || (!isDiv && isNeutral(x(), -0.0));
    return leavesOut ? FlushOp::create(builder, loc, result) : result;
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

  /// The function on operands for which it is defined; an error where they are
  /// others.
  Value integers(IntegerFunction function) {
    SmallVector<Value, 2> safe(operands);
    if (domainOf(function) == IntegerDomain::NonZero) {
      Value zero = compare(CmpIPredicate::eq, y(), integer(0));
      check(zero, ErrorKind::IntegerDivisionByZero);
      safe[1] = select(zero, integer(1), y());
    }
    if (domainOf(function) == IntegerDomain::NonNegative && !isNatural)
      check(compare(CmpIPredicate::slt, y(), integer(0)),
            ErrorKind::NegativeIntegerPower);
    return emitIntegerFunction(builder, loc, function, element, safe);
  }

  Value flushed(Value value) {
    return isFlushed(value) ? value : FlushOp::create(builder, loc, value);
  }

  /// What LLVM makes of it works on the bits at times, and keeps denormals.
  Value remainder() {
    return FlushOp::create(
        builder, loc,
        arith::RemFOp::create(builder, loc, flushed(x()), flushed(y())));
  }

  Value floorModulo() {
    Value rest = remainder();
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
  Value extreme(CmpFPredicate ordered) {
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
  /// them. Where that may be, it should: the largest of many.
  Value choice() {
    Value onTrue = operands[1], onFalse = operands[2];
    if (isa<FloatType>(getElementTypeOrSelf(onTrue.getType())) &&
        isComparison(operands[0]) &&
        !(isFlushed(onTrue) && isFlushed(onFalse)) && !isFlushedLater(op))
      onTrue = FenceOp::create(builder, loc, onTrue);
    return select(operands[0], onTrue, onFalse);
  }

  Value sign() {
    // NaN stays; -0 gives 0, as TensorFlow's.
    Value kept =
        select(compare(CmpFPredicate::OEQ, x(), real(0)), real(0), x());
    kept = select(compare(CmpFPredicate::OLT, x(), real(0)), real(-1), kept);
    return select(compare(CmpFPredicate::OGT, x(), real(0)), real(1), kept);
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
    return compare(isNatural ? naturals[index] : signs[index], x(), y());
  }

  Value elementary(elementary::ElementaryFunction function) {
    return *emitElementaryOrCall(builder, loc, function, operands);
  }

  Value emit();
};

Value ElementEmitter::emit() {
  using elementary::ElementaryFunction;
  if (auto function = integerFunctionOf(op); function && !isFloat)
    return integers(*function);
  return TypeSwitch<Operation *, Value>(op)
      .Case<AddOp>([&](auto) { return arithmetic<arith::AddFOp>(); })
      .Case<SubOp>([&](auto) { return arithmetic<arith::SubFOp>(); })
      .Case<MulOp>([&](auto) { return arithmetic<arith::MulFOp>(); })
      .Case<DivOp>([&](auto) { return arithmetic<arith::DivFOp>(); })
      .Case<RemOp>([&](auto) { return remainder(); })
      .Case<FloorDivOp>([&](auto) {
        return math::FloorOp::create(builder, loc,
                                     make<arith::DivFOp>(x(), y()));
      })
      .Case<FloorModOp>([&](auto) { return floorModulo(); })
      .Case<MaxOp>([&](auto) { return extreme(CmpFPredicate::OGT); })
      .Case<MinOp>([&](auto) { return extreme(CmpFPredicate::OLT); })
      .Case<NegOp>(
          [&](auto) { return arith::NegFOp::create(builder, loc, x()); })
      .Case<AbsOp>(
          [&](auto) { return math::AbsFOp::create(builder, loc, x()); })
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
      .Case<RealOp>([&](auto) { return emitPart(builder, loc, x(), false); })
      .Case<ImagOp>([&](auto) { return emitPart(builder, loc, x(), true); })
      .Case<ComplexOp>(
          [&](auto) { return emitComplex(builder, loc, x(), y()); })
#define KILN_ELEMENTARY_UNARY(Enum, Name)                                      \
  .Case<Enum##Op>([&](auto) { return elementary(ElementaryFunction::Enum); })
#define KILN_ELEMENTARY_BINARY(Enum, Name)                                     \
  .Case<Enum##Op>([&](auto) { return elementary(ElementaryFunction::Enum); })
#include "runtime/elementary/Elementary.def"
      .Default([](Operation *) { return Value(); });
}

} // namespace

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
