// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instantiates the functions of integers with a builder of IR.
#include "passes/vectorize/IntegerIr.h"

#include "dialect/Types.h"
#include "lib/Support/IntegerFunctions.h"
#include "passes/vectorize/Conversions.h"
#include "passes/vectorize/Elements.h"
#include "passes/vectorize/IrOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace kiln::ir;
using arith::CmpIPredicate;

namespace kiln::passes {
namespace {

using Quotient = integers::Quotient<Value>;

struct IrIntegers {
  using Int = Value;
  using Bool = Value;

  OpBuilder &builder;
  Location loc;
  Type type;    ///< of the values
  Type element; ///< of the tensors that they come from
  int bits = static_cast<int>(element.getIntOrFloatBitWidth());
  bool isUnsigned = ir::isUnsigned(element) || element.isInteger(1);
  bool dividesByMinusOne = bits <= 16;

  Value constant(int64_t n) const { return emitInteger(builder, loc, type, n); }
  Value add(Value a, Value b) const { return make<arith::AddIOp>(a, b); }
  Value sub(Value a, Value b) const { return make<arith::SubIOp>(a, b); }
  Value mul(Value a, Value b) const { return make<arith::MulIOp>(a, b); }
  Value bitAnd(Value a, Value b) const { return make<arith::AndIOp>(a, b); }
  Value bitOr(Value a, Value b) const { return make<arith::OrIOp>(a, b); }
  Value bitXor(Value a, Value b) const { return make<arith::XOrIOp>(a, b); }
  Value shl(Value a, Value n) const { return make<arith::ShLIOp>(a, n); }
  Value shr(Value a, Value n) const {
    return isUnsigned ? lshr(a, n) : make<arith::ShRSIOp>(a, n);
  }
  Value lshr(Value a, Value n) const { return make<arith::ShRUIOp>(a, n); }
  Value minUnsigned(Value a, Value b) const {
    return make<arith::MinUIOp>(a, b);
  }
  Value less(Value a, Value b) const {
    return compare(isUnsigned ? CmpIPredicate::ult : CmpIPredicate::slt, a, b);
  }
  Value greater(Value a, Value b) const {
    return compare(isUnsigned ? CmpIPredicate::ugt : CmpIPredicate::sgt, a, b);
  }
  Value equal(Value a, Value b) const {
    return compare(CmpIPredicate::eq, a, b);
  }
  Value unequal(Value a, Value b) const {
    return compare(CmpIPredicate::ne, a, b);
  }
  Value both(Value p, Value q) const { return make<arith::AndIOp>(p, q); }
  Value select(Value p, Value a, Value b) const {
    return arith::SelectOp::create(builder, loc, p, a, b);
  }

  Quotient divide(Value a, Value b) const {
    if (bits <= 16)
      return divideAsFloats(a, b);
    if (isUnsigned)
      return {make<arith::DivUIOp>(a, b), make<arith::RemUIOp>(a, b)};
    return {make<arith::DivSIOp>(a, b), make<arith::RemSIOp>(a, b)};
  }

  template <class State, class Body>
  State repeat(int iterations, State state, Body body) const {
    auto index = [&](int64_t n) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, n);
    };
    Value low = index(0), step = index(1), high = index(iterations);
    auto loop = scf::ForOp::create(
        builder, loc, low, high, step,
        ValueRange{state.square, state.rest, state.product},
        [&](OpBuilder &nested, Location loc, Value, ValueRange carried) {
          State next = body(IrIntegers{nested, loc, type, element},
                            State{carried[0], carried[1], carried[2]});
          scf::YieldOp::create(
              nested, loc, ValueRange{next.square, next.rest, next.product});
        });
    return {loop.getResult(0), loop.getResult(1), loop.getResult(2)};
  }

private:
  template <class Op> Value make(Value a, Value b) const {
    return Op::create(builder, loc, a, b);
  }
  Value compare(CmpIPredicate predicate, Value a, Value b) const {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }

  /// Integers of 8 and 16 bits divide as f32, because CPUs divide no vectors of
  /// integers. A quotient that is no integer is at least 1 / b away from one,
  /// and rounding moves it by less than 2^16 / b * 2^-24.
  Quotient divideAsFloats(Value a, Value b) const {
    Type f32 = builder.getF32Type(), i32 = builder.getI32Type();
    auto convert = [&](Value value, Type from, Type to) {
      return emitConversion(builder, loc, value, from, to);
    };
    Value real =
        make<arith::DivFOp>(convert(a, element, f32), convert(b, element, f32));
    Value whole =
        arith::FPToSIOp::create(builder, loc, inLanesOf(type, i32), real);
    Value quotient = convert(whole, i32, element);
    return {quotient, sub(a, mul(quotient, b))};
  }
};

} // namespace

Value emitIntegerFunction(OpBuilder &builder, Location loc,
                          IntegerFunction function, Type element,
                          ValueRange operands) {
  IrIntegers ops{builder, loc, operands[0].getType(), element};
  switch (function) {
#define KILN_INTEGER_UNARY(Enum, name, types)                                  \
  case IntegerFunction::Enum:                                                  \
    return integers::name(ops, operands[0]);
#define KILN_INTEGER_BINARY(Enum, name, types, domain)                         \
  case IntegerFunction::Enum:                                                  \
    return integers::name(ops, operands[0], operands[1]);
#include "lib/Support/Integers.def"
  }
  return Value();
}

} // namespace kiln::passes
