// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instantiates the elementary functions and random generators with a builder of
// IR.
#include "passes/vectorize/ElementaryIr.h"

#include "dialect/Kiln.h"
#include "passes/vectorize/IrOps.h"
#include "runtime/arithmetic/ReductionOrder.h"
#include "runtime/random/Random.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::ir;
using elementary::ElementaryFunction;
using kiln::reduction::lanes;

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

/// The state, from scalar arithmetic.
random::PhiloxBase<IrRandomOps> baseOf(OpBuilder &builder, Location loc,
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
  return {join(state.counter[0], state.counter[1]),
          join(state.counter[2], state.counter[3]), extend(state.key[0]),
          extend(state.key[1])};
}

/// Samples of four outputs among which any 16 outputs in a row are; a power of
/// two.
constexpr int64_t samplesOfRun = 8;
static_assert(randomRunElements == 4 * samplesOfRun);

Type inSamplesOfRun(Type element) {
  return VectorType::get({samplesOfRun}, element);
}

/// The words of the samples from that of output `first` on.
std::array<Value, 4> wordsOfRun(IrRandomOps &ops, const PhiloxValues &state,
                                Value first) {
  OpBuilder &builder = ops.f64.builder;
  Location loc = ops.f64.loc;
  auto numbers = llvm::to_vector(llvm::seq<int64_t>(0, samplesOfRun));
  Value lane = arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(cast<VectorType>(ops.f64.intType),
                             ArrayRef<int64_t>(numbers)));
  Value sample = ops.one.lshr(first, ops.one.iconstant(2));
  return random::philox(ops, baseOf(builder, loc, state),
                        ops.f64.iadd(ops.spread(sample), lane));
}

/// Outputs [first, first + 16) of those that the samples give, of each sample
/// the first one in outputs[0]. They go through the memory of `buffer`: where
/// the first one is among the lanes only the run knows.
Value takeRun(OpBuilder &builder, Location loc,
              const std::array<Value, 4> &outputs, Value first, Value buffer) {
  auto interleave = [&](Value a, Value b, int64_t group) -> Value {
    const int64_t half = cast<VectorType>(a.getType()).getDimSize(0);
    SmallVector<int64_t> order;
    for (int64_t at = 0; at < half; at += group)
      for (int64_t from : {at, half + at})
        llvm::append_range(order, llvm::seq(from, from + group));
    return vector::ShuffleOp::create(builder, loc, a, b, order);
  };
  Value all = interleave(interleave(outputs[0], outputs[1], 1),
                         interleave(outputs[2], outputs[3], 1), 2);
  IrOps<64> scalar(builder, loc, builder.getI64Type());
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value skipped =
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                 scalar.iand(first, scalar.iconstant(3)));
  vector::StoreOp::create(builder, loc, all, buffer, zero);
  auto type = VectorType::get({lanes},
                              cast<VectorType>(all.getType()).getElementType());
  return vector::LoadOp::create(builder, loc, type, buffer, skipped);
}

/// The words of 32 bits of outputs [first, first + 16), zero-extended.
Value wordRun(OpBuilder &builder, Location loc, const PhiloxValues &state,
              Value first, Value buffer) {
  IrRandomOps ops(builder, loc, inSamplesOfRun(builder.getI64Type()));
  std::array<Value, 4> words = wordsOfRun(ops, state, first);
  for (Value &word : words)
    word = arith::BitcastOp::create(
        builder, loc, inSamplesOfRun(builder.getF32Type()), ops.narrow(word));
  Value run = takeRun(builder, loc, words, first, buffer);
  IrRandomOps wide(builder, loc, run.getType());
  return arith::ExtUIOp::create(builder, loc, wide.f64.intType,
                                wide.f32.bitsOf(run));
}

/// The range of RandomUniformInt, as an i64: a remainder by 0 would be
/// undefined.
Value rangeOf(OpBuilder &builder, Location loc, Value low, Value high) {
  IrOps<64> scalar(builder, loc, builder.getI64Type());
  Value range = arith::SubIOp::create(builder, loc, high, low);
  if (range.getType().isInteger(32))
    range = arith::ExtUIOp::create(builder, loc, builder.getI64Type(), range);
  Value isEmpty = scalar.icmpEq(range, scalar.iconstant(0));
  return scalar.selectInt(isEmpty, scalar.iconstant(1), range);
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
  auto base = baseOf(builder, loc, state);
  bool isUniform = distribution == RandomDistribution::Uniform;
  if (elementType.isF32())
    return isUniform ? random::uniformF32(ops, base, index)
                     : random::normalF32(ops, base, index);
  return isUniform ? random::uniformF64(ops, base, index)
                   : random::normalF64(ops, base, index);
}

Value kiln::ir::emitRandomRun(OpBuilder &builder, Location loc,
                              RandomDistribution distribution,
                              const PhiloxValues &state, Value first,
                              Value buffer) {
  if (distribution == RandomDistribution::Uniform) {
    Value word = wordRun(builder, loc, state, first, buffer);
    IrRandomOps ops(builder, loc, word.getType());
    return random::unitF32(ops, word);
  }
  IrRandomOps ops(builder, loc, inSamplesOfRun(builder.getI64Type()));
  std::array<Value, 4> words = wordsOfRun(ops, state, first);
  return takeRun(builder, loc, random::normalsF32(ops, words), first, buffer);
}

Value kiln::ir::emitRandomInt(OpBuilder &builder, Location loc,
                              const PhiloxValues &state, Value index, Value low,
                              Value high) {
  Type wordType = index.getType();
  IrRandomOps ops(builder, loc, wordType);
  auto base = baseOf(builder, loc, state);
  bool is32 = low.getType().isInteger(32);
  Value range =
      broadcastTo(builder, loc, wordType, rangeOf(builder, loc, low, high));
  low = broadcastTo(builder, loc, inLanesOf(wordType, low.getType()), low);
  return is32 ? random::uniformInt32(ops, base, index, low, range)
              : random::uniformInt64(ops, base, index, low, range);
}

Value kiln::ir::emitRandomInt32Run(OpBuilder &builder, Location loc,
                                   const PhiloxValues &state, Value first,
                                   Value low, Value high, Value buffer) {
  Value word = wordRun(builder, loc, state, first, buffer);
  IrRandomOps ops(builder, loc, word.getType());
  Value range = ops.spread(rangeOf(builder, loc, low, high));
  low = broadcastTo(builder, loc, ops.f32.intType, low);
  return random::uniformInt32(ops, word, low, range);
}
