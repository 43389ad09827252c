// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the rows that ops share, and runs ops on slices of them.
#include "lib/Eval/Slices.h"

#include "lib/Eval/SliceRun.h"
#include "lib/Support/StatusMacros.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <unordered_set>

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

int64_t bytesOf(const Shape &shape, DType dtype) {
  auto elements = shape.numElements();
  return elements.ok() ? *elements * static_cast<int64_t>(dtypeSize(dtype)) : 0;
}

/// Whether a row of the result needs that row alone of operand `i`.
bool isSliced(const Op &op, size_t i) {
  return (op.slicedOperands >> i & 1) != 0;
}

} // namespace

/// Whether cutting the result is worth it: what is made of one element is a
/// splat.
bool SliceGroup::isLargeEnough(const Op &op) const {
  int64_t least = minSlices * interpreter.environment().sliceBytes;
  const Type &type = program.typeOf(interpreter.resultOf(op));
  if (type.elements >= 0 &&
      type.elements * static_cast<int64_t>(dtypeSize(type.dtype)) < least)
    return false;
  return !std::ranges::all_of(interpreter.operandsOf(op), [&](ValueId value) {
    return interpreter.contents(value).tensor.numElements() == 1;
  });
}

bool SliceGroup::add(const Op &op) {
  if (const auto *write = std::get_if<VarWriteOp>(&op.what))
    return addWrite(op, write->variable);
  if (op.rows == 0)
    return false;
  bool reads = usesResult(op);
  if (!reads && !isLargeEnough(op))
    return false;
  ValueId result = interpreter.resultOf(op);
  auto shape = interpreter.shapeOf(result);
  if (!shape.ok())
    return false;
  int64_t bytes = bytesOf(*shape, program.dtypeOf(result));
  if (bytes < minSlices * interpreter.environment().sliceBytes && !reads)
    return false;

  std::span<const Dim> dims = program.dimsOf(result);
  int shared = steps.empty() ? op.rows : std::min<int>(op.rows, prefix);
  dims = dims.first(static_cast<size_t>(shared));
  if (!steps.empty() && !std::equal(dims.begin(), dims.end(), rowDims.begin()))
    return false;
  std::vector<Input> read;
  if ((op.mayFail && !writes.empty()) || !findInputs(op, read))
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

  made.emplace(result, steps.size());
  steps.push_back(&op);
  for (const Input &input : read)
    if (std::ranges::find(inputs, input.value, &Input::value) == inputs.end())
      inputs.push_back(input);
  rowDims.assign(dims.begin(), dims.end());
  prefix = shared;
  numRows = rows;
  largestBytes = bytes;
  mayFail |= op.mayFail;
  return true;
}

bool SliceGroup::findInputs(const Op &op, std::vector<Input> &read) const {
  std::span<const ValueId> operands = interpreter.operandsOf(op);
  for (size_t i = 0; i < operands.size(); ++i) {
    ValueId operand = operands[i];
    bool sliced = isSliced(op, i);
    if (made.contains(operand)) {
      if (!sliced)
        return false;
      continue;
    }
    // Other rows of a variable may have been written.
    if (!sliced && isWritten(interpreter.contents(operand).variable))
      return false;
    auto differs = [&](const Input &known) {
      return known.value == operand && known.isSliced != sliced;
    };
    if (std::ranges::any_of(inputs, differs) ||
        std::ranges::any_of(read, differs))
      return false;
    read.push_back({operand, sliced});
  }
  return true;
}

bool SliceGroup::isWritten(int64_t variable) const {
  return std::ranges::find(writes, variable, &Write::variable) != writes.end();
}

bool SliceGroup::addWrite(const Op &op, int64_t variable) {
  if (mayFail || !made.contains(interpreter.operandOf(op)) ||
      !interpreter.environment().variables || isWritten(variable))
    return false;
  for (const Input &input : inputs)
    if (!input.isSliced &&
        interpreter.contents(input.value).variable == variable)
      return false;
  steps.push_back(&op);
  writes.push_back({&op, variable});
  return true;
}

bool SliceGroup::usesResult(const Op &op) const {
  return !made.empty() &&
         std::ranges::any_of(interpreter.operandsOf(op), [&](ValueId value) {
           return made.contains(value);
         });
}

bool SliceGroup::isNeededBy(const Op &op) const {
  if (steps.empty())
    return false;
  return !op.isMovable || usesResult(op) ||
         (std::holds_alternative<VarReadOp>(op.what) && !writes.empty());
}

void SliceGroup::drop(ValueId value) {
  if (std::ranges::find(inputs, value, &Input::value) != inputs.end())
    droppedLater.push_back(value);
  else
    interpreter.drop(value);
}

Status SliceGroup::run() {
  if (steps.empty())
    return okStatus();
  KILN_ASSIGN_OR_RETURN(bool isDone, runSlices());
  if (!isDone)
    for (const Op *step : steps)
      KILN_RETURN_IF_ERROR(interpreter.runOp(*step));
  for (const Op *step : steps)
    for (ValueId value : program.idsOf(step->last))
      interpreter.drop(value);
  for (ValueId value : droppedLater)
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
  std::unordered_set<ValueId> forgotten;
  for (const Op *step : steps)
    for (ValueId value : program.idsOf(step->last))
      forgotten.insert(value);
  std::vector<Output> outputs;
  for (const Op *step : steps) {
    if (step->results.size == 0)
      continue;
    ValueId value = interpreter.resultOf(*step);
    if (forgotten.contains(value))
      continue;
    KILN_ASSIGN_OR_RETURN(Tensor whole, interpreter.allocateFor(value));
    outputs.push_back({value, std::move(whole)});
  }
  for (const Write &write : writes)
    KILN_RETURN_IF_ERROR(interpreter.beforeEffect(*write.op, write.variable));
  std::vector<ValueId> maySee;
  for (const Input &input : inputs)
    if (forgotten.contains(input.value))
      maySee.push_back(input.value);
  // Nothing fails from here on, once the first variable is there to be written.
  for (const Write &write : writes) {
    KILN_RETURN_IF_ERROR(interpreter.detachViews(write.variable, maySee));
    ValueId value = interpreter.operandOf(*write.op);
    KILN_ASSIGN_OR_RETURN(Shape shape, interpreter.shapeOf(value));
    KILN_ASSIGN_OR_RETURN(Tensor place,
                          interpreter.environment().variables->beginWrite(
                              write.variable, program.dtypeOf(value), shape));
    outputs.push_back({value, std::move(place), write.variable});
  }
  return outputs;
}

StatusOr<bool> SliceGroup::runSlices() {
  // A splat has the shape of its type, which is not that of a slice.
  for (const Input &input : inputs)
    if (!input.isSliced)
      KILN_RETURN_IF_ERROR(interpreter.dense(input.value).status());
  KILN_ASSIGN_OR_RETURN(std::vector<Output> outputs, makeOutputs());

  SlicePlan plan{interpreter, steps, made, inputs, outputs, prefix, numRows};
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
        for (int64_t i = begin; i < end && !failed; ++i) {
          if (writes.empty() && !interpreter.pollCancel().ok())
            return;
          if (!run.run(i).ok())
            failed = true;
        }
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
