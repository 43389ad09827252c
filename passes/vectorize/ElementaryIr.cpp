// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instantiates the elementary functions and random generators with a builder of
// IR.
#include "passes/vectorize/ElementaryIr.h"

#include "dialect/Kiln.h"
#include "passes/vectorize/IrOps.h"
#include "runtime/random/Random.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::ir;
using elementary::ElementaryFunction;

namespace {

template <int Bits>
Value emit(IrOps<Bits> ops, ElementaryFunction function, ValueRange operands) {
  switch (function) {
#define KILN_ELEMENTARY_UNARY(Enum, Name)                                      \
  case ElementaryFunction::Enum:                                               \
    return elementary::Name(ops, operands[0]);
#define KILN_ELEMENTARY_BINARY(Enum, Name)                                     \
  case ElementaryFunction::Enum:                                               \
    return elementary::Name(ops, operands[0], operands[1]);
#include "runtime/elementary/Elementary.def"
  }
  return Value();
}

/// The scalar in all lanes of `type`.
Value broadcastTo(OpBuilder &builder, Location loc, Type type, Value scalar) {
  if (scalar.getType() == type)
    return scalar;
  return vector::BroadcastOp::create(builder, loc, type, scalar);
}

/// The state in lanes of `wordType`, from scalar arithmetic.
random::PhiloxBase<IrRandomOps> baseOf(OpBuilder &builder, Location loc,
                                       Type wordType,
                                       const PhiloxValues &state) {
  Type i64 = builder.getI64Type();
  auto extend = [&](Value word) -> Value {
    return arith::ExtUIOp::create(builder, loc, i64, word);
  };
  IrOps<64> scalar(builder, loc, i64);
  auto join = [&](Value low, Value high) {
    return scalar.ior(extend(low),
                      scalar.shl(extend(high), scalar.iconstant(32)));
  };
  auto inLanes = [&](Value value) {
    return broadcastTo(builder, loc, wordType, value);
  };
  Value low = join(state.counter[0], state.counter[1]);
  Value high = join(state.counter[2], state.counter[3]);
  Value key0 = extend(state.key[0]), key1 = extend(state.key[1]);
  return {inLanes(low), inLanes(high), inLanes(key0), inLanes(key1)};
}

} // namespace

bool kiln::ir::isElementary(Operation &op) {
  return isa<PowOp, Atan2Op
#define KILN_ELEMENTARY_UNARY(Enum, Name) , Enum##Op
#include "runtime/elementary/Elementary.def"
             >(op);
}

FailureOr<Value> kiln::ir::emitElementary(OpBuilder &builder, Location loc,
                                          ElementaryFunction function,
                                          ValueRange operands) {
  if (int(operands.size()) != elementary::arity(function))
    return failure();
  Type type = operands.front().getType();
  if (!llvm::all_equal(operands.getTypes()))
    return failure();
  if (!isa<FloatType, VectorType>(type))
    return failure();
  Type element = getElementTypeOrSelf(type);
  if (element.isF32())
    return emit(IrOps<32>(builder, loc, type), function, operands);
  if (element.isF64())
    return emit(IrOps<64>(builder, loc, type), function, operands);
  return failure();
}

Value kiln::ir::emitRandom(OpBuilder &builder, Location loc,
                           RandomDistribution distribution,
                           const PhiloxValues &state, Value index,
                           Type elementType) {
  IrRandomOps ops(builder, loc, index.getType());
  auto base = baseOf(builder, loc, index.getType(), state);
  bool isUniform = distribution == RandomDistribution::Uniform;
  if (elementType.isF32())
    return isUniform ? random::uniformF32(ops, base, index)
                     : random::normalF32(ops, base, index);
  return isUniform ? random::uniformF64(ops, base, index)
                   : random::normalF64(ops, base, index);
}

Value kiln::ir::emitRandomInt(OpBuilder &builder, Location loc,
                              const PhiloxValues &state, Value index, Value low,
                              Value high) {
  Type wordType = index.getType();
  IrRandomOps ops(builder, loc, wordType);
  auto base = baseOf(builder, loc, wordType, state);
  bool is32 = low.getType().isInteger(32);
  IrOps<64> scalar(builder, loc, builder.getI64Type());
  Value range = arith::SubIOp::create(builder, loc, high, low);
  if (is32)
    range = arith::ExtUIOp::create(builder, loc, builder.getI64Type(), range);
  // A remainder by 0 would be undefined.
  Value isEmpty = scalar.icmpEq(range, scalar.iconstant(0));
  range = scalar.selectInt(isEmpty, scalar.iconstant(1), range);
  range = broadcastTo(builder, loc, wordType, range);
  low = broadcastTo(builder, loc, inLanesOf(wordType, low.getType()), low);
  return is32 ? random::uniformInt32(ops, base, index, low, range)
              : random::uniformInt64(ops, base, index, low, range);
}
