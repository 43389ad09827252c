// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln.define and kiln.guard as integer arithmetic, with the meaning that
// lib/Shape gives them (applyDef, guardHolds); what reads and binds sizes.
#include "passes/bufferize/ShapeCode.h"

#include "runtime/abi/Abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
namespace {

/// 64-bit integers and conditions at one place.
struct Arithmetic {
  OpBuilder &builder;
  Location loc;
  using Predicate = arith::CmpIPredicate;

  Value number(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  }
  Value extent(const Extent &extent) {
    if (extent.isKnown())
      return number(extent.value);
    return arith::IndexCastOp::create(
        builder, loc, builder.getI64Type(),
        SymbolOp::create(builder, loc, static_cast<uint64_t>(extent.symbol)));
  }
  /// The first or second operand of a kiln.define or kiln.guard.
  template <class Op> Value operand(Op op, size_t i) {
    return extent({op.getValues()[i], op.getSymbols()[i]});
  }
  template <class Op> Value make(Value a, Value b) {
    return Op::create(builder, loc, a, b);
  }
  Value compare(Predicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  Value is(Value a, int64_t value) {
    return compare(Predicate::eq, a, number(value));
  }
  Value isNegative(Value a) { return compare(Predicate::slt, a, number(0)); }
  Value both(Value a, Value b) { return make<arith::AndIOp>(a, b); }
  Value either(Value a, Value b) { return make<arith::OrIOp>(a, b); }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }
  void reportIf(Value condition, ErrorKind kind, ValueRange values) {
    auto branch =
        scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&branch.getThenRegion().front());
    ReportErrorOp::create(builder, loc, static_cast<int32_t>(kind), values);
  }
};

struct Checked {
  Value value;
  Value overflows; ///< null where it cannot
};

Checked compute(Arithmetic &to, DefineKind kind, Value a, Value b) {
  using Predicate = arith::CmpIPredicate;
  // Neither 0 nor -1 divides on the machine; both have an answer of their own.
  auto isSpecial = [&] { return to.either(to.is(b, 0), to.is(b, -1)); };
  auto divisor = [&] { return to.select(isSpecial(), to.number(1), b); };
  auto signsDiffer = [&](Value x, Value y) {
    return to.isNegative(to.make<arith::XOrIOp>(x, y));
  };
  switch (kind) {
  case DefineKind::add: {
    Value sum = to.make<arith::AddIOp>(a, b);
    return {sum, to.both(signsDiffer(a, sum), signsDiffer(b, sum))};
  }
  case DefineKind::sub: {
    Value difference = to.make<arith::SubIOp>(a, b);
    return {difference, to.both(signsDiffer(a, b), signsDiffer(a, difference))};
  }
  case DefineKind::mul: {
    auto wide = arith::MulSIExtendedOp::create(to.builder, to.loc, a, b);
    Value sign = to.make<arith::ShRSIOp>(wide.getLow(), to.number(63));
    return {wide.getLow(), to.compare(Predicate::ne, wide.getHigh(), sign)};
  }
  case DefineKind::floor_div: {
    Value by = divisor();
    Value quotient = to.make<arith::DivSIOp>(a, by);
    Value rest = to.make<arith::RemSIOp>(a, by);
    Value isBelow = to.both(to.compare(Predicate::ne, rest, to.number(0)),
                            signsDiffer(a, by));
    Value rounded = to.select(
        isBelow, to.make<arith::SubIOp>(quotient, to.number(1)), quotient);
    Value negated = to.make<arith::SubIOp>(to.number(0), a);
    Value result = to.select(to.is(b, -1), negated, rounded);
    return {to.select(to.is(b, 0), to.number(0), result),
            to.both(to.is(b, -1), to.is(a, INT64_MIN))};
  }
  case DefineKind::mod: {
    Value by = divisor();
    Value rest = to.make<arith::RemSIOp>(a, by);
    Value isOther = to.both(to.compare(Predicate::ne, rest, to.number(0)),
                            signsDiffer(rest, by));
    Value result = to.select(isOther, to.make<arith::AddIOp>(rest, by), rest);
    return {to.select(isSpecial(), to.number(0), result), Value()};
  }
  case DefineKind::max:
    return {to.make<arith::MaxSIOp>(a, b), Value()};
  case DefineKind::min:
    return {to.make<arith::MinSIOp>(a, b), Value()};
  case DefineKind::broadcast:
    return {to.select(to.is(a, 1), b, a), Value()};
  }
  llvm_unreachable("a kind of kiln.define");
}

Value holds(Arithmetic &to, GuardKind kind, Value a, Value b) {
  using Predicate = arith::CmpIPredicate;
  switch (kind) {
  case GuardKind::equal:
    return to.compare(Predicate::eq, a, b);
  case GuardKind::broadcast_compatible:
    return to.either(to.compare(Predicate::eq, a, b),
                     to.either(to.is(a, 1), to.is(b, 1)));
  case GuardKind::non_negative:
    return to.compare(Predicate::sge, a, to.number(0));
  case GuardKind::non_zero:
    return to.compare(Predicate::ne, a, to.number(0));
  case GuardKind::less_equal:
    return to.compare(Predicate::sle, a, b);
  case GuardKind::divides: {
    Value isMinusOne = to.is(b, -1), isZero = to.is(b, 0);
    Value by = to.select(to.either(isMinusOne, isZero), to.number(1), b);
    Value divides = to.is(to.make<arith::RemSIOp>(a, by), 0);
    return to.select(isZero, isMinusOne, divides);
  }
  }
  llvm_unreachable("a kind of kiln.guard");
}

} // namespace

bool emitDefine(OpBuilder &builder, DefineOp define) {
  Arithmetic to{builder, define.getLoc()};
  Checked result = compute(to, define.getKind(), to.operand(define, 0),
                           to.operand(define, 1));
  SetSymbolOp::create(builder, define.getLoc(), define.getId(), result.value);
  if (result.overflows)
    to.reportIf(result.overflows, ErrorKind::SizeOverflow, {});
  return static_cast<bool>(result.overflows);
}

bool isNumbersRead(RuntimeCallOp call) {
  return call.getCallee() == "ReadNumbers";
}

void emitNumbersRead(OpBuilder &builder, RuntimeCallOp call, Value buffer) {
  Location loc = call.getLoc();
  bool isUnsigned = call.getTensorType(0).getElementType().isUnsignedInteger();
  for (auto [element, id] :
       llvm::zip_equal(call.getNumbers(), call.getBinds())) {
    Value place = arith::ConstantIndexOp::create(builder, loc, element);
    Value number = memref::LoadOp::create(builder, loc, buffer, place);
    if (number.getType() != builder.getI64Type())
      number = isUnsigned ? arith::ExtUIOp::create(builder, loc,
                                                   builder.getI64Type(), number)
                                .getResult()
                          : arith::ExtSIOp::create(builder, loc,
                                                   builder.getI64Type(), number)
                                .getResult();
    SetSymbolOp::create(builder, loc, static_cast<uint64_t>(id), number);
  }
}

void emitBind(OpBuilder &builder, BindOp bind) {
  Arithmetic to{builder, bind.getLoc()};
  llvm::MapVector<int64_t, Value> values;
  for (auto [operand, result] :
       llvm::zip_equal(bind.getIns(), bind.getResults()))
    for (auto [from, extent] :
         llvm::zip_equal(extentsOf(operand), extentsOf(result)))
      if (!extent.isKnown() &&
          llvm::is_contained(bind.getBinds(), extent.symbol) &&
          !values.contains(extent.symbol))
        values[extent.symbol] = to.extent(from);
  for (auto &[id, value] : values)
    SetSymbolOp::create(builder, bind.getLoc(), static_cast<uint64_t>(id),
                        value);
}

void emitGuard(OpBuilder &builder, GuardOp guard) {
  Arithmetic to{builder, guard.getLoc()};
  Value fine =
      holds(to, guard.getKind(), to.operand(guard, 0), to.operand(guard, 1));
  Value yes = arith::ConstantIntOp::create(builder, guard.getLoc(), 1, 1);
  to.reportIf(to.make<arith::XOrIOp>(fine, yes), ErrorKind::GuardFailed,
              to.number(static_cast<int64_t>(guard.getNumber())));
}

} // namespace kiln::passes
