// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that make elements from their position: constants, dimensions, iotas,
// random draws and gathers.
#include "passes/vectorize/NestEmitter.h"

#include "passes/vectorize/Conversions.h"
#include "passes/vectorize/ElementaryIr.h"
#include "passes/vectorize/Elements.h"
#include "passes/vectorize/StackArrays.h"
#include "runtime/abi/Abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

static Type elementOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType();
}

Emitted NestEmitter::computeConstant(ConstantOp op) {
  TypedAttr element = registerAttr(op.getValue().getSplatValue<Attribute>());
  return {{emitConstant(builder, loc, element.getType(), element)}, false};
}

Emitted NestEmitter::computeDims(DimsOp op) {
  Type element = registerType(elementOf(op));
  if (op.getSymbols()[0] < 0)
    return {{emitInteger(builder, loc, element, op.getValues()[0])}, false};
  Value symbol = SymbolOp::create(builder, loc, op.getSymbols()[0]);
  return {{arith::IndexCastOp::create(builder, loc, element, symbol)}, false};
}

Emitted NestEmitter::computeIota(IotaOp op) {
  Type element = registerType(elementOf(op));
  int axis = nest.values.lookup(op.getResult())[op.getAxis()];
  Value start = operandOf(op.getStartMutable()).registers[0],
        step = operandOf(op.getStepMutable()).registers[0];
  bool isVector = axis >= 0 && axis == nest.inner;
  return perRegister(isVector, [&](int64_t i) -> Value {
    Value first = axis < 0   ? index(0)
                  : isVector ? add(columns.base, index(i * lanes))
                             : position[axis];
    Type whole = isa<FloatType>(element) ? Type(builder.getI64Type()) : element;
    Value number =
        isVector
            ? lanesFrom(first, index(1), whole)
            : Value(arith::IndexCastOp::create(builder, loc, whole, first));
    Type type = isVector ? Type(VectorType::get({lanes}, element)) : element;
    Value from = start, by = step;
    if (isVector) {
      from = vector::BroadcastOp::create(builder, loc, type, start);
      by = vector::BroadcastOp::create(builder, loc, type, step);
    }
    if (!isa<FloatType>(element))
      return arith::AddIOp::create(
          builder, loc, from, arith::MulIOp::create(builder, loc, number, by));
    number = arith::SIToFPOp::create(builder, loc, type, number);
    return arith::AddFOp::create(
        builder, loc, from, arith::MulFOp::create(builder, loc, number, by));
  });
}

Emitted NestEmitter::computeRandom(Operation *op, OpOperand &state) {
  Value buffer =
      fusion.getIns()[cast<BlockArgument>(state.get()).getArgNumber()];
  PhiloxValues words;
  for (int i = 0; i < 6; ++i) {
    Value word = memref::LoadOp::create(builder, loc, buffer, index(i));
    (i < 4 ? words.counter[i] : words.key[i - 4]) = word;
  }
  Value result = op->getResult(0);
  Address address = addressOf(result, nest.values.lookup(result), nullptr);
  auto integers = dyn_cast<RandomIntOp>(op);
  auto distribution = RandomDistribution::Uniform;
  if (auto random = dyn_cast<RandomOp>(op);
      random && random.getKind() != RandomKind::uniform)
    distribution = RandomDistribution::Normal;
  Value low, high;
  if (integers) {
    low = operandOf(integers.getLowMutable()).registers[0];
    high = operandOf(integers.getHighMutable()).registers[0];
  }
  Type i64 = builder.getI64Type();
  if (address.innerStride && getConstantIntValue(address.innerStride) == 1 &&
      elementOf(result).getIntOrFloatBitWidth() == 32) {
    Value buffer = allocateScratch(builder, loc, builder.getF32Type(),
                                   randomRunElements, "random");
    return perRegister(true, [&](int64_t i) -> Value {
      Value first = arith::IndexCastOp::create(
          builder, loc, i64, add(address.offset, index(i * lanes)));
      return integers ? emitRandomInt32Run(builder, loc, words, first, low,
                                           high, buffer)
                      : emitRandomRun(builder, loc, distribution, words, first,
                                      buffer);
    });
  }
  return perRegister(
      static_cast<bool>(address.innerStride), [&](int64_t i) -> Value {
        Value at;
        if (address.innerStride)
          at = lanesFrom(add(address.offset,
                             multiply(address.innerStride, index(i * lanes))),
                         address.innerStride, i64);
        else
          at = arith::IndexCastOp::create(builder, loc, i64, address.offset);
        return integers ? emitRandomInt(builder, loc, words, at, low, high)
                        : emitRandom(builder, loc, distribution, words, at,
                                     elementOf(result));
      });
}

/// The position and the index of the first lane of \p bad; the positions begin
/// at \p where, \p stride apart.
static std::pair<Value, Value> firstBadLane(OpBuilder &builder, Value bad,
                                            Value numbers, Value where,
                                            Value stride) {
  Location loc = bad.getLoc();
  auto word = VectorType::get({1}, builder.getIntegerType(lanes));
  Value bits = vector::ExtractOp::create(
      builder, loc, vector::BitCastOp::create(builder, loc, word, bad),
      ArrayRef<int64_t>{0});
  Value lane = arith::IndexCastUIOp::create(
      builder, loc, builder.getIndexType(),
      math::CountTrailingZerosOp::create(builder, loc, bits));
  Value number = vector::ExtractOp::create(builder, loc, numbers, lane);
  Value steps = arith::MulIOp::create(builder, loc, lane, stride);
  return {arith::AddIOp::create(builder, loc, where, steps), number};
}

Emitted NestEmitter::loadUnlessEmpty(Extent extent, Value buffer, Type element,
                                     const Address &address) {
  if (extent.isKnown() && extent.value != 0)
    return loadAt(buffer, element, address);
  Value some = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                     extentValue(extent), index(0));
  bool isVector = false;
  SmallVector<Type> types;
  auto loaded = scf::IfOp::create(
      builder, loc, some,
      [&](OpBuilder &nested, Location loc) {
        Emitted row = loadAt(buffer, element, address);
        isVector = row.isVector;
        llvm::append_range(types, TypeRange(ValueRange(row.registers)));
        scf::YieldOp::create(nested, loc, row.registers);
      },
      [&](OpBuilder &nested, Location loc) {
        SmallVector<Value> zeros;
        for (Type type : types)
          zeros.push_back(
              arith::ConstantOp::create(nested, loc, nested.getZeroAttr(type)));
        scf::YieldOp::create(nested, loc, zeros);
      });
  return {llvm::to_vector<4>(ValueRange(loaded.getResults())), isVector};
}

/// What the elements that a gather picks have in common.
struct NestEmitter::Gather {
  GatherOp op;
  Value buffer;
  Extent bound;    ///< of the indices
  Value extent;    ///< the same, as a value of 64 bits
  Address address; ///< of what index 0 picks
  Value stride;    ///< elements from one index to the next
  /// Where the index stands among all indices, for the message; of a vector the
  /// first lane, and how far the lanes are apart.
  Value where, whereStride;
};

void NestEmitter::reportBadIndex(
    const Gather &gather, Value bad,
    function_ref<std::pair<Value, Value>(OpBuilder &)> find) {
  GatherOp op = gather.op;
  scf::IfOp::create(
      builder, op.getLoc(), bad, [&](OpBuilder &nested, Location loc) {
        auto [position, number] = find(nested);
        Value at = arith::IndexCastOp::create(nested, loc, nested.getI64Type(),
                                              position);
        ReportErrorOp::create(nested, loc,
                              nested.getI32IntegerAttr(static_cast<int32_t>(
                                  extentsOf(op.getIndices()).empty()
                                      ? ErrorKind::ScalarIndexOutOfRange
                                      : ErrorKind::IndexOutOfRange)),
                              ValueRange{at, number, gather.extent});
        scf::YieldOp::create(nested, loc);
      });
}

Emitted NestEmitter::gatherAtOneIndex(Gather gather, Value index) {
  GatherOp op = gather.op;
  Type i64 = builder.getI64Type();
  Value number =
      emitConversion(builder, loc, index, elementOf(op.getIndices()), i64);
  Value bad = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge,
                                    number, gather.extent);
  reportBadIndex(gather, bad,
                 [&](OpBuilder &) { return std::pair(gather.where, number); });
  Value safe = arith::SelectOp::create(
      builder, loc, bad, emitInteger(builder, loc, i64, 0), number);
  Value at =
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), safe);
  gather.address.offset =
      add(gather.address.offset, multiply(at, gather.stride));
  // What a bad index gives in its place is not used: the error is set.
  return loadUnlessEmpty(gather.bound, gather.buffer,
                         elementOf(op.getOperand()), gather.address);
}

Value NestEmitter::gatherLanes(const Gather &gather, Value indices,
                               int64_t part) {
  GatherOp op = gather.op;
  const Address &address = gather.address;
  Type i64 = builder.getI64Type();
  Value number =
      emitConversion(builder, loc, indices, elementOf(op.getIndices()), i64);
  auto vectorType = cast<VectorType>(number.getType());
  Value bound =
      vector::BroadcastOp::create(builder, loc, vectorType, gather.extent);
  Value bad = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge,
                                    number, bound);
  bool masked = !columns.masks.empty() && columns.masks[part];
  if (masked)
    bad = arith::AndIOp::create(builder, loc, bad, columns.masks[part]);
  Value any =
      vector::ReductionOp::create(builder, loc, vector::CombiningKind::OR, bad);
  reportBadIndex(gather, any, [&](OpBuilder &nested) {
    return firstBadLane(
        nested, bad, number,
        add(gather.where, multiply(gather.whereStride, index(part * lanes))),
        gather.whereStride);
  });
  Value zero = emitInteger(builder, loc, vectorType, 0);
  Value safe = arith::SelectOp::create(builder, loc, bad, zero, number);
  Value strides = vector::BroadcastOp::create(
      builder, loc, vectorType,
      Value(arith::IndexCastOp::create(builder, loc, i64, gather.stride)));
  Value steps = arith::MulIOp::create(builder, loc, safe, strides);
  if (address.innerStride) // the inner axis is a batch of the operand
    steps = arith::AddIOp::create(
        builder, loc, steps,
        lanesFrom(multiply(address.innerStride, index(part * lanes)),
                  address.innerStride, i64));
  Type element = elementOf(op.getOperand());
  auto type = VectorType::get({lanes}, storageType(element));
  Value allLanes = emitInteger(
      builder, loc, VectorType::get({lanes}, builder.getI1Type()), 1);
  Value good = arith::XOrIOp::create(builder, loc, bad, allLanes);
  if (masked)
    good = arith::AndIOp::create(builder, loc, good, columns.masks[part]);
  Value none = emitConstant(builder, loc, type,
                            builder.getZeroAttr(storageType(element)));
  Value value =
      vector::GatherOp::create(builder, loc, type, gather.buffer,
                               ValueRange(address.offset), steps, good, none);
  return fromStorage(builder, loc, value, element);
}

Emitted NestEmitter::computeGather(GatherOp op) {
  Value operand = op.getOperand();
  Extents extents = extentsOf(operand);
  AxisList list = nest.leaves.lookup(&op.getOperandMutable());
  list[op.getAxis()] = unwalked;
  Gather gather;
  gather.op = op;
  gather.bound = extents[op.getAxis()];
  gather.address = addressOf(operand, list);
  gather.stride = index(1);
  for (size_t dim = op.getAxis() + 1; dim < extents.size(); ++dim)
    gather.stride = multiply(gather.stride, extentValue(extents[dim]));
  Emitted indices = operandOf(op.getIndicesMutable());
  gather.extent = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                             extentValue(gather.bound));
  gather.buffer = fusion.getIns()[cast<BlockArgument>(operand).getArgNumber()];
  Address indexAddress = addressOf(
      op.getIndices(), nest.leaves.contains(&op.getIndicesMutable())
                           ? nest.leaves.lookup(&op.getIndicesMutable())
                           : nest.values.lookup(op.getIndices()));
  gather.where = indexAddress.offset;
  if (!indices.isVector)
    return gatherAtOneIndex(std::move(gather), indices.registers[0]);
  gather.whereStride =
      indexAddress.innerStride ? indexAddress.innerStride : index(1);
  return perRegister(true, [&](int64_t part) {
    return gatherLanes(gather, indices.registers[part], part);
  });
}

} // namespace kiln::passes
