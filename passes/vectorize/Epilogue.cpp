// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits what follows a product over the elements of an item, which are still
// in the cache:
//
//   for groups of registers of a panel
//     load what is one for each column
//     for rows
//       load the product and what is one for each element, compute, store
//
// A group is one register: functions are long enough, and every copy of them
// costs compile time. What is short is computed where the sums are, in the
// registers of a tile.
#include "passes/vectorize/Epilogue.h"

#include "dialect/Cost.h"
#include "passes/simplify/Patterns.h"
#include "passes/vectorize/Elements.h"
#include "runtime/arithmetic/ReductionOrder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

// The product itself, or what is read elsewhere: f32 and f64 lie in memory as
// they are computed with.
static bool isReal(Value value) {
  Type element = elementTypeOf(value);
  return element.isF32() || element.isF64();
}

/// How a value that is not computed with the product is read.
enum class Leaf { None, Splat, Scalar, Column, Element };

/// `last`: the extent of the product's columns.
static Leaf leafOf(Value value, const Extent &last) {
  if (splatElement(value))
    return Leaf::Splat;
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  if (!broadcast)
    return isReal(value) ? Leaf::Element : Leaf::None;
  Extents from = extentsOf(broadcast.getOperand());
  if (!isReal(value))
    return Leaf::None;
  if (llvm::all_of(from, [](const Extent &e) { return e.isKnown(1); }))
    return Leaf::Scalar;
  bool isColumn = from.size() == 1 && from.front() == last &&
                  broadcast.getMap().front() == rankOf(value) - 1;
  return isColumn ? Leaf::Column : Leaf::None;
}

bool canFollowProduct(Operation *op, function_ref<bool(Value)> isInside) {
  auto tensorOp = dyn_cast<TensorOp>(op);
  // The same elements in the same rows, however those are numbered.
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return isInside(reshape.getOperand()) && rankOf(reshape) != 0 &&
           rankOf(reshape.getOperand()) != 0 &&
           extentsOf(reshape.getResult()).back() ==
               extentsOf(reshape.getOperand()).back();
  if (!tensorOp || !op->hasTrait<OpTrait::Elementwise>() ||
      tensorOp.mayFail() || op->getNumResults() != 1 ||
      rankOf(op->getResult(0)) == 0)
    return false;
  Value result = op->getResult(0);
  if (!isReal(result) && !elementTypeOf(result).isInteger(1))
    return false;
  Extent last = extentsOf(result).back();
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    if (isInside(operand))
      return true;
    if (auto broadcast = operand.getDefiningOp<BroadcastOp>())
      if (isInside(broadcast.getOperand()))
        return false;
    return leafOf(operand, last) != Leaf::None;
  });
}

Epilogue::Epilogue(FusionOp fusion, Operation *contraction)
    : fusion(fusion), product(contraction->getResult(0)) {
  Block &body = fusion.getBody().front();
  yielded = cast<YieldOp>(body.getTerminator()).getValues().front();
  llvm::SmallPtrSet<Value, 16> computed = {product};
  for (Operation &op : body.without_terminator())
    if (op.hasTrait<OpTrait::Elementwise>() ||
        (isa<ReshapeOp>(op) && computed.contains(op.getOperand(0)))) {
      ops.push_back(&op);
      computed.insert(op.getResult(0));
    }
}

/// What is read for a value: views of all of it are the same elements.
static Value readValue(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getOperand();
  return value;
}

/// At one part.
class Epilogue::Emitter {
public:
  Emitter(const Epilogue &epilogue, KernelBuilder &k, const Part &part)
      : epilogue(epilogue), k(k), part(part), buffers(epilogue.fusion),
        last(extentsOf(epilogue.product).back()) {}

  void emit() {
    const auto registers = static_cast<int64_t>(part.masks.size());
    if (registers == 1)
      return emitGroup(k.index(0), part.masks[0]);
    // Whether a register has all its lanes, its mask says alone.
    bool isWhole =
        llvm::none_of(part.masks, [](Value mask) { return bool(mask); });
    if (isWhole)
      return k.forEach(k.index(0), k.index(registers * lanes), lanes,
                       [&](Value at) { emitGroup(at, Value()); });
    k.forEach(k.index(0), k.index(registers * lanes), lanes, [&](Value at) {
      Value left = k.sub(part.columns, k.add(part.column, at));
      left = k.max(left, k.index(0));
      emitGroup(at, k.maskOf(left));
    });
  }

  SmallVector<Value> compute(ArrayRef<Value> rows, ValueRange sums) {
    masks.assign(part.masks.begin(), part.masks.end());
    readColumns(part.column);
    SmallVector<Value> results;
    for (Value row : rows) {
      llvm::append_range(results,
                         computeRow(row, part.column,
                                    Registers(sums.take_front(masks.size()))));
      sums = sums.drop_front(masks.size());
    }
    return results;
  }

private:
  static constexpr int64_t lanes = reduction::lanes;
  using Registers = SmallVector<Value, 4>;

  void emitGroup(Value at, Value mask) {
    Value column = k.add(part.column, at);
    masks = {mask};
    readColumns(column);
    k.forEach(part.low, part.high, 1, [&](Value row) {
      Value at = k.add(k.add(part.begin, k.mul(row, part.width)), column);
      Registers results =
          computeRow(row, column, loadElements(part.product, at));
      k.store(results.front(), part.product, at, mask);
    });
  }

  void readColumns(Value column) {
    columnLeaves.clear();
    for (Operation *op : epilogue.ops)
      for (Value operand : op->getOperands())
        if (!isComputed(operand) && leafOf(operand, last) != Leaf::Element &&
            !columnLeaves.contains(operand))
          columnLeaves[operand] = loadColumns(operand, column);
  }

  Registers computeRow(Value row, Value column, Registers product) {
    Value offset = k.add(k.mul(row, part.columns), column);
    values.clear();
    values[epilogue.product] = std::move(product);
    for (Operation *op : epilogue.ops)
      compute(op, offset);
    return values[epilogue.yielded];
  }

  bool isComputed(Value value) const {
    Operation *op = value.getDefiningOp();
    return value == epilogue.product || llvm::is_contained(epilogue.ops, op);
  }

  void compute(Operation *op, Value offset) {
    if (isa<ReshapeOp>(op)) {
      Registers same = values[op->getOperand(0)];
      values[op->getResult(0)] = same;
      return;
    }
    SmallVector<Registers> operands;
    for (Value operand : op->getOperands()) {
      if (auto known = columnLeaves.find(operand);
          known != columnLeaves.end()) {
        operands.push_back(known->second);
        continue;
      }
      if (!values.contains(operand))
        values[operand] = loadElements(buffers.in(readValue(operand)), offset);
      operands.push_back(values[operand]);
    }
    Registers results;
    for (size_t i = 0; i < masks.size(); ++i) {
      SmallVector<Value> own;
      for (const Registers &operand : operands)
        own.push_back(operand[i]);
      results.push_back(emitElements(k.builder, op, own, masks[i]));
    }
    values[op->getResult(0)] = results;
  }

  Registers loadElements(Value buffer, Value offset) {
    Registers loaded;
    for (auto [i, mask] : llvm::enumerate(masks))
      loaded.push_back(k.load(
          buffer, k.add(offset, k.index(static_cast<int64_t>(i) * lanes)),
          mask));
    return loaded;
  }

  Registers loadColumns(Value operand, Value column) {
    Type element = elementTypeOf(operand);
    if (TypedAttr splat = splatElement(operand))
      return Registers(masks.size(),
                       emitConstant(k.builder, k.loc,
                                    VectorType::get({lanes}, element), splat));
    Value buffer = buffers.in(
        readValue(operand.getDefiningOp<BroadcastOp>().getOperand()));
    if (leafOf(operand, last) == Leaf::Scalar)
      return Registers(masks.size(), k.splat(k.loadScalar(buffer, k.index(0))));
    return loadElements(buffer, column);
  }

  const Epilogue &epilogue;
  KernelBuilder &k;
  const Part &part;
  KernelBuffers buffers;
  Extent last;
  SmallVector<Value, 4> masks;
  llvm::DenseMap<Value, Registers> columnLeaves, values;
};

SmallVector<Value> Epilogue::elementBuffers() const {
  KernelBuffers buffers(fusion);
  Extent last = extentsOf(product).back();
  llvm::SetVector<Value> read;
  for (Operation *op : ops)
    for (Value operand : op->getOperands())
      if (operand != product &&
          !llvm::is_contained(ops, operand.getDefiningOp()) &&
          leafOf(operand, last) == Leaf::Element)
        read.insert(buffers.in(readValue(operand)));
  return read.takeVector();
}

bool Epilogue::isShort() const {
  return llvm::all_of(
      ops, [](Operation *op) { return stepCost(op).vectorOps <= 1; });
}

SmallVector<Value> Epilogue::compute(KernelBuilder &k, const Part &part,
                                     ArrayRef<Value> rows,
                                     ValueRange sums) const {
  return Emitter(*this, k, part).compute(rows, sums);
}

void Epilogue::emit(KernelBuilder &k, const Part &part) const {
  Emitter(*this, k, part).emit();
}

} // namespace kiln::passes
