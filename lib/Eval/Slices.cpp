// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the rows that ops share by how they say that they access their
// operands.
#include "lib/Eval/Slices.h"

#include "lib/Eval/SliceRun.h"
#include "lib/Support/StatusMacros.h"

#include <algorithm>
#include <atomic>
#include <limits>

using namespace mlir;

namespace kiln::eval {
namespace {

/// Slices from which on a value is worth being cut: a smaller one stays in the
/// cache anyway.
constexpr int64_t minSlices = 4;
/// A row of more slices' bytes does not stay in the cache.
constexpr int64_t maxRowSlices = 8;
/// A slice whose values live for a block alone may be so many times as long, so
/// that less time goes to its ops' beginnings; the threads still share out that
/// many.
constexpr int64_t maxLongSlice = 16, minLongSlices = 64;

/// How an operand depends on the rows of an op's result.
struct OperandRows {
  int sliced = 0; ///< up to this prefix, on the same row
  int whole = 0;  ///< up to this prefix, on none
};

OperandRows rowsOf(ir::TensorOp op, OpOperand &operand,
                   ArrayRef<ir::Extent> loops) {
  ir::Access access = op.getAccess(operand);
  ir::Extents extents = ir::extentsOf(operand.get());
  OperandRows rows{0, std::numeric_limits<int>::max()};
  for (const ir::DimAccess &dim : access)
    if (dim.loop >= 0)
      rows.whole = std::min(rows.whole, dim.loop);
  for (auto [i, dim] : llvm::enumerate(access)) {
    bool isOwnRow = dim.kind != ir::DimAccess::Kind::None &&
                    dim.kind != ir::DimAccess::Kind::Picked &&
                    dim.loop == static_cast<int>(i) && dim.offset == 0 &&
                    dim.stride == 1 && dim.indices < 0 && i < loops.size() &&
                    extents[i] == loops[i];
    if (!isOwnRow)
      break;
    ++rows.sliced;
  }
  // No later dimension may walk the rows once more.
  for (size_t i = static_cast<size_t>(rows.sliced); i < access.size(); ++i)
    if (access[i].loop >= 0)
      rows.sliced = std::min(rows.sliced, access[i].loop);
  return rows;
}

/// How many leading dimensions of the op's result are rows that it computes one
/// by one; 0 where it does not work so.
int rowPrefix(Operation *op) {
  auto tensorOp = dyn_cast<ir::TensorOp>(op);
  if (!tensorOp || op->getNumResults() != 1 || op->getNumOperands() == 0 ||
      tensorOp.getPlacement() != ir::Placement::Nest ||
      tensorOp.getCostKind() == ir::CostKind::Draw || !isMemoryEffectFree(op))
    return 0;
  auto isString = [](Value value) {
    return ir::dtypeOf(value.getType()) == DType::String;
  };
  if (isString(op->getResult(0)) || llvm::any_of(op->getOperands(), isString))
    return 0;
  ir::Extents loops = tensorOp.getLoops();
  int prefix = static_cast<int>(ir::rankOf(op->getResult(0)));
  for (OpOperand &operand : op->getOpOperands()) {
    OperandRows rows = rowsOf(tensorOp, operand, loops);
    prefix = std::min(prefix, std::max(rows.sliced, rows.whole));
  }
  for (int i = 0; i < prefix; ++i)
    if (tensorOp.usesIndexOf(i))
      return i;
  return prefix;
}

bool isSliced(OpOperand &operand) {
  auto op = cast<ir::TensorOp>(operand.getOwner());
  return rowsOf(op, operand, op.getLoops()).sliced > 0;
}

/// Whether what waits may also run after the op. What binds symbols changes
/// shapes.
bool isMovable(Operation *op) {
  return isa<ir::VarReadOp>(op) ||
         (isa<ir::TensorOp>(op) && op->getNumRegions() == 0 &&
          isMemoryEffectFree(op) &&
          !isa<ir::BindOp, ir::DefineOp, ir::GuardOp, ir::RuntimeCallOp>(op));
}

int64_t bytesOf(const Shape &shape, DType dtype) {
  auto elements = shape.numElements();
  return elements.ok() ? *elements * static_cast<int64_t>(dtypeSize(dtype)) : 0;
}

} // namespace

bool SliceGroup::add(const Interpreter::Step &step) {
  Operation *op = step.op;
  if (isa<ir::VarWriteOp>(op))
    return addWrite(step);
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      !isa<RankedTensorType>(op->getResult(0).getType()))
    return false;
  Value result = op->getResult(0);
  bool reads = usesResult(op);
  auto isOneElement = [&](Value value) {
    return interpreter.contents(value).tensor.numElements() == 1;
  };
  // What is made of one element is a splat.
  if (!reads && llvm::all_of(op->getOperands(), isOneElement))
    return false;
  auto shape = interpreter.shapeOf(result.getType());
  if (!shape.ok())
    return false;
  int64_t bytes = bytesOf(*shape, ir::dtypeOf(result.getType()));
  if (bytes < minSlices * interpreter.environment().sliceBytes && !reads)
    return false;

  int own = rowPrefix(op);
  ir::Extents extents = ir::extentsOf(result);
  int shared = steps.empty() ? own : std::min(own, prefix);
  if (shared == 0 ||
      (!steps.empty() && !std::equal(extents.begin(), extents.begin() + shared,
                                     rowExtents.begin())))
    return false;
  bool fails = cast<ir::TensorOp>(op).mayFail();
  llvm::SmallVector<Input, 3> read;
  if ((fails && !writes.empty()) || !findInputs(op, read))
    return false;
  for (const Input &input : read)
    if (input.isSliced)
      bytes = std::max(
          bytes, static_cast<int64_t>(
                     interpreter.contents(input.value).tensor.byteSize()));
  int64_t rows = 1;
  for (int i = 0; i < shared; ++i)
    rows *= shape->dim(i);
  bytes = std::max(bytes, largestBytes);
  bool fits =
      rows > 1 &&
      bytes / rows <= maxRowSlices * interpreter.environment().sliceBytes;
  if (!fits && (steps.empty() || shared < prefix))
    return false;

  steps.push_back(&step);
  made.insert(result);
  for (const Input &input : read)
    if (llvm::none_of(inputs, [&](const Input &known) {
          return known.value == input.value;
        }))
      inputs.push_back(input);
  rowExtents.assign(extents.begin(), extents.begin() + shared);
  prefix = shared;
  numRows = rows;
  largestBytes = bytes;
  mayFail |= fails;
  return true;
}

bool SliceGroup::findInputs(Operation *op,
                            llvm::SmallVector<Input, 3> &read) const {
  for (OpOperand &operand : op->getOpOperands()) {
    bool sliced = isSliced(operand);
    if (made.contains(operand.get())) {
      if (!sliced)
        return false;
      continue;
    }
    // Other rows of a variable may have been written.
    int64_t variable = interpreter.contents(operand.get()).variable;
    if (!sliced && llvm::any_of(writes, [&](ir::VarWriteOp write) {
          return interpreter.variableOf(write) == variable;
        }))
      return false;
    auto differs = [&](const Input &known) {
      return known.value == operand.get() && known.isSliced != sliced;
    };
    if (llvm::any_of(inputs, differs) || llvm::any_of(read, differs))
      return false;
    read.push_back({operand.get(), sliced});
  }
  return true;
}

bool SliceGroup::addWrite(const Interpreter::Step &step) {
  auto write = cast<ir::VarWriteOp>(step.op);
  if (mayFail || !made.contains(write.getValue()))
    return false;
  int64_t variable = interpreter.variableOf(write);
  if (variable < 0 || llvm::any_of(
                          writes,
                          [&](ir::VarWriteOp other) {
                            return interpreter.variableOf(other) == variable;
                          }))
    return false;
  for (const Input &input : inputs)
    if (!input.isSliced &&
        interpreter.contents(input.value).variable == variable)
      return false;
  steps.push_back(&step);
  writes.push_back(write);
  return true;
}

bool SliceGroup::usesResult(Operation *op) const {
  return llvm::any_of(op->getOperands(),
                      [&](Value value) { return made.contains(value); });
}

bool SliceGroup::isNeededBy(Operation *op) const {
  if (steps.empty())
    return false;
  return !isMovable(op) || usesResult(op) ||
         (isa<ir::VarReadOp>(op) && !writes.empty());
}

void SliceGroup::drop(Value value) {
  auto isOf = [&](const Input &input) { return input.value == value; };
  if (llvm::any_of(inputs, isOf))
    droppedLater.push_back(value);
  else
    interpreter.drop(value);
}

Status SliceGroup::run() {
  if (steps.empty())
    return okStatus();
  KILN_ASSIGN_OR_RETURN(bool isDone, runSlices());
  if (!isDone)
    for (const Interpreter::Step *step : steps)
      KILN_RETURN_IF_ERROR(interpreter.runOp(step->op));
  for (const Interpreter::Step *step : steps)
    for (Value value : step->last)
      interpreter.drop(value);
  for (Value value : droppedLater)
    interpreter.drop(value);
  steps.clear();
  made.clear();
  inputs.clear();
  writes.clear();
  droppedLater.clear();
  largestBytes = 0;
  mayFail = false;
  return okStatus();
}

StatusOr<std::vector<SliceGroup::Output>> SliceGroup::makeOutputs() {
  llvm::SmallDenseSet<Value, 16> kept = made, forgotten;
  for (const Interpreter::Step *step : steps)
    for (Value value : step->last) {
      kept.erase(value);
      forgotten.insert(value);
    }
  std::vector<Output> outputs;
  for (const Interpreter::Step *step : steps)
    if (step->op->getNumResults() == 1 &&
        kept.contains(step->op->getResult(0))) {
      Value value = step->op->getResult(0);
      KILN_ASSIGN_OR_RETURN(Tensor whole, interpreter.allocateFor(value));
      outputs.push_back({value, std::move(whole)});
    }
  for (ir::VarWriteOp write : writes)
    KILN_RETURN_IF_ERROR(
        interpreter.beforeEffect(write, interpreter.variableOf(write)));
  // Nothing fails from here on, once the first variable is there to be written.
  for (ir::VarWriteOp write : writes) {
    int64_t variable = interpreter.variableOf(write);
    KILN_RETURN_IF_ERROR(interpreter.detachViews(variable, [&](Value view) {
      return llvm::any_of(inputs, [&](const Input &input) {
        return input.value == view && forgotten.contains(view);
      });
    }));
    KILN_ASSIGN_OR_RETURN(Shape shape,
                          interpreter.shapeOf(write.getValue().getType()));
    KILN_ASSIGN_OR_RETURN(
        Tensor place,
        interpreter.environment().variables->beginWrite(
            variable, ir::dtypeOf(write.getValue().getType()), shape));
    outputs.push_back({write.getValue(), std::move(place), variable});
  }
  return outputs;
}

StatusOr<bool> SliceGroup::runSlices() {
  // A splat has the shape of its type, which is not that of a slice.
  for (const Input &input : inputs)
    if (!input.isSliced)
      KILN_RETURN_IF_ERROR(interpreter.dense(input.value).status());
  KILN_ASSIGN_OR_RETURN(std::vector<Output> outputs, makeOutputs());

  SlicePlan plan{interpreter, steps, inputs, outputs, prefix, numRows};
  SliceLayout layout = layOutSlice(plan);
  // What lives for a block stays in the cache however long the slice is.
  int64_t sliceBytes = interpreter.environment().sliceBytes;
  if (layout.bytesPerRow.empty())
    sliceBytes = std::max(sliceBytes, std::min(sliceBytes * maxLongSlice,
                                               largestBytes / minLongSlices));
  plan.rowsOfSlice = std::max<int64_t>(
      sliceBytes / std::max<int64_t>(largestBytes / numRows, 1), 1);
  EvalEnvironment environment = interpreter.environment();
  environment.buffers = nullptr; // whose lock the threads would share
  environment.budget = nullptr;  // which is one thread's
  // Scratch does not count; and an assignment must not run into the limit.
  environment.maxBytes = std::numeric_limits<int64_t>::max();
  if (!writes.empty())
    environment.state = nullptr; // an assignment is not left half done
  std::atomic<bool> failed = false;
  interpreter.parallelFor(
      (numRows + plan.rowsOfSlice - 1) / plan.rowsOfSlice, 1,
      /*isLeftOut=*/writes.empty(), [&](int64_t begin, int64_t end) {
        SliceRun run(plan, layout, environment);
        for (int64_t i = begin; i < end && !failed; ++i)
          if (!run.run(i).ok())
            failed = true;
      });
  if (!writes.empty() && failed)
    return resourceExhaustedError("expected memory for a slice of rows");
  if (writes.empty())
    KILN_RETURN_IF_ERROR(interpreter.poll());
  for (Output &output : outputs)
    if (output.variable >= 0)
      interpreter.environment().variables->endWrite(output.variable);
    else if (failed)
      interpreter.release(output.whole);
    else
      interpreter.bindOwned(output.value, std::move(output.whole));
  return !failed;
}

} // namespace kiln::eval
