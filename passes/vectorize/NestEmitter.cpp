// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values at a point of the loops: each op once a scope, at the outermost loop
// that it depends on.
#include "passes/vectorize/NestEmitter.h"

#include "passes/vectorize/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

NestEmitter::NestEmitter(FusionOp fusion, const LoopNest &nest,
                         const Schedule &schedule, OpBuilder &builder,
                         const Streaming *streaming)
    : fusion(fusion), nest(nest), schedule(schedule), builder(builder),
      loc(fusion.getLoc()), streaming(streaming), position(nest.axes.size()) {
  Block &body = fusion.getBody().front();
  for (Operation &op : body.without_terminator())
    ops.push_back(&op);
  yield = cast<YieldOp>(body.getTerminator());
  llvm::DenseMap<Value, SmallVector<OpOperand *, 1>> known;
  for (Operation *op : ops)
    for (OpOperand &use : op->getOpOperands())
      if (!isInside(use.get()))
        firstUses[&use] = firstUseLike(use, known[use.get()]);
}

/// One of the uses that loads what \p use does, which joins them if there is
/// none. A value that thousands of ops use is loaded once: MLIR's CSE looks at
/// all that lies between two loads.
OpOperand *NestEmitter::firstUseLike(OpOperand &use,
                                     SmallVectorImpl<OpOperand *> &known) {
  auto isElsewhere = [](const DimAccess &dim) {
    return dim.needsMemory() || dim.kind == DimAccess::Kind::Repeated;
  };
  if (llvm::any_of(cast<TensorOp>(use.getOwner()).getAccess(use), isElsewhere))
    return &use;
  const AxisList &list = nest.leaves.lookup(&use);
  for (OpOperand *other : known)
    if (nest.leaves.lookup(other) == list)
      return other;
  known.push_back(&use);
  return &use;
}

void NestEmitter::emit() {
  if (schedule.order.form == LoopForm::Tiles)
    emitTiles();
  else
    emitRows();
}

void emit(FusionOp fusion, const LoopNest &nest, const Schedule &schedule,
          OpBuilder &builder) {
  emitStreamedOrNot(
      fusion, schedule.streaming, builder, [&](const Streaming *streaming) {
        NestEmitter(fusion, nest, schedule, builder, streaming).emit();
      });
}

//===--- Index arithmetic, folded where it is known -----------------------===//

Value NestEmitter::index(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value NestEmitter::extentValue(const Extent &extent) {
  return extent.isKnown()
             ? index(extent.value)
             : Value(SymbolOp::create(builder, loc, extent.symbol));
}

Value NestEmitter::axisExtent(int axis) {
  Value product = index(1);
  for (const Extent &factor : nest.axes[axis].factors)
    product = multiply(product, extentValue(factor));
  return product;
}

Value NestEmitter::multiply(Value a, Value b) {
  return builder.createOrFold<arith::MulIOp>(loc, a, b);
}

Value NestEmitter::add(Value a, Value b) {
  return builder.createOrFold<arith::AddIOp>(loc, a, b);
}

//===--- Scopes -----------------------------------------------------------===//

NestEmitter::Scope::~Scope() {
  while (emitter.emitted.size() > mark) {
    auto last = emitter.emitted.pop_back_val();
    if (auto *op = dyn_cast<Operation *>(last))
      emitter.values.erase(op);
    else
      emitter.leaves.erase(cast<OpOperand *>(last));
  }
}

void NestEmitter::remember(Operation *op, Emitted value) {
  values[op] = std::move(value);
  emitted.push_back(op);
}

//===--- Values -----------------------------------------------------------===//

const Emitted &NestEmitter::valueOf(Operation *op) {
  auto it = values.find(op);
  if (it != values.end())
    return it->second;
  remember(op, computeOp(op));
  return values.find(op)->second;
}

Emitted NestEmitter::operandOf(OpOperand &use) {
  if (Operation *def = use.get().getDefiningOp())
    return valueOf(def);
  OpOperand *first = firstUses.lookup(&use);
  auto it = leaves.find(first);
  if (it != leaves.end())
    return it->second;
  Emitted loaded = loadLeaf(use);
  leaves[first] = loaded;
  emitted.push_back(first);
  return loaded;
}

Emitted NestEmitter::computeOp(Operation *op) {
  return TypeSwitch<Operation *, Emitted>(op)
      .Case<BroadcastOp, ReshapeOp, TransposeOp, SliceOp>(
          [&](Operation *op) { return operandOf(op->getOpOperand(0)); })
      .Case<WindowOp>([&](WindowOp op) { return computeWindow(op); })
      .Case<ConstantOp>([&](ConstantOp op) { return computeConstant(op); })
      .Case<DimsOp>([&](DimsOp op) { return computeDims(op); })
      .Case<IotaOp>([&](IotaOp op) { return computeIota(op); })
      .Case<RandomOp>(
          [&](RandomOp op) { return computeRandom(op, op.getStateMutable()); })
      .Case<RandomIntOp>([&](RandomIntOp op) {
        return computeRandom(op, op.getStateMutable());
      })
      .Case<GatherOp>([&](GatherOp op) { return computeGather(op); })
      .Case<ReduceOp>([&](ReduceOp op) { return reduceRegisters(op); })
      .Default([&](Operation *op) { return computeElements(op); });
}

Emitted NestEmitter::perRegister(bool isVector,
                                 function_ref<Value(int64_t)> make) {
  Emitted result;
  result.isVector = isVector;
  for (int64_t i = 0, end = isVector ? columns.registers : 1; i < end; ++i)
    result.registers.push_back(make(i));
  return result;
}

Emitted NestEmitter::splat(Emitted value, int64_t registers) {
  if (value.isVector)
    return value;
  auto type = VectorType::get({lanes}, value.registers[0].getType());
  // Folded here: the greedy driver looks at a whole loop for each that it
  // folds.
  Value vector =
      builder.createOrFold<vector::BroadcastOp>(loc, type, value.registers[0]);
  Emitted result;
  result.isVector = true;
  result.registers.assign(registers, vector);
  return result;
}

Emitted NestEmitter::computeElements(Operation *op) {
  SmallVector<Emitted> operands;
  bool isVector = false;
  for (OpOperand &use : op->getOpOperands()) {
    operands.push_back(operandOf(use));
    isVector |= operands.back().isVector;
  }
  if (isVector)
    for (Emitted &operand : operands)
      operand = splat(operand, columns.registers);
  return perRegister(isVector, [&](int64_t i) {
    SmallVector<Value> own;
    for (const Emitted &operand : operands)
      own.push_back(operand.registers[i]);
    return emitElements(builder, op, own,
                        columns.masks.empty() ? Value() : columns.masks[i]);
  });
}

} // namespace kiln::passes
