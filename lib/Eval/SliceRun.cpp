// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lays out the results of a slice by how long they live, and interprets the ops
// on views of some rows.
#include "lib/Eval/SliceRun.h"

#include "lib/Eval/StridedCopy.h"
#include "lib/Support/DataMemory.h"
#include "lib/Support/StatusMacros.h"

using namespace mlir;

namespace kiln::eval {
namespace {

/// Whether the output may be written as soon as it is made: nobody reads the
/// old rows of its variable later.
bool mayBePlaced(const SlicePlan &plan, const SliceGroup::Output &output) {
  if (output.variable < 0)
    return true;
  auto isOld = [&](Value operand) {
    return llvm::any_of(plan.inputs, [&](const SliceGroup::Input &input) {
      return input.value == operand &&
             plan.outside.contents(operand).variable == output.variable;
    });
  };
  bool isMade = false;
  for (const Interpreter::Step *step : plan.steps) {
    if ((isMade || mayGiveView(step->op)) &&
        llvm::any_of(step->op->getOperands(), isOld))
      return false;
    isMade |= step->op == output.value.getDefiningOp();
  }
  return true;
}

/// Counts who needs each buffer.
class BufferUses {
public:
  explicit BufferUses(SliceLayout &layout) : layout(layout) {}

  int take(int64_t bytesPerRow) {
    for (size_t i = 0; i < uses.size(); ++i)
      if (uses[i] == 0 && layout.bytesPerRow[i] == bytesPerRow) {
        uses[i] = 1;
        return static_cast<int>(i);
      }
    uses.push_back(1);
    layout.bytesPerRow.push_back(bytesPerRow);
    return static_cast<int>(uses.size()) - 1;
  }
  void hold(int buffer) { ++uses[static_cast<size_t>(buffer)]; }
  void release(int buffer) { --uses[static_cast<size_t>(buffer)]; }

private:
  SliceLayout &layout;
  llvm::SmallVector<int, 8> uses;
};

} // namespace

SliceLayout layOutSlice(const SlicePlan &plan) {
  SliceLayout layout;
  BufferUses uses(layout);
  // What a value keeps from being used again: its own buffer, and those that it
  // may be a view of.
  DenseMap<Value, llvm::SmallVector<int, 2>> holds;
  llvm::SmallDenseSet<Value, 8> kept, placed;
  for (const SliceGroup::Output &output : plan.outputs) {
    kept.insert(output.value);
    layout.isPlaced.push_back(!placed.contains(output.value) &&
                              mayBePlaced(plan, output));
    if (layout.isPlaced.back())
      placed.insert(output.value);
  }
  for (const Interpreter::Step *step : plan.steps) {
    Operation *op = step->op;
    int own = -1;
    if (op->getNumResults() == 1) {
      llvm::SmallVector<int, 2> held;
      if (mayGiveView(op))
        held = holds.lookup(op->getOperand(0));
      llvm::for_each(held, [&](int buffer) { uses.hold(buffer); });
      if (!placed.contains(op->getResult(0))) {
        auto type = cast<RankedTensorType>(op->getResult(0).getType());
        auto bytes = static_cast<int64_t>(dtypeSize(ir::dtypeOf(type)));
        auto shape = plan.outside.shapeOf(type);
        auto elements = shape.ok() ? shape->numElements() : shape.status();
        own = uses.take(elements.ok() ? *elements / plan.numRows * bytes : 0);
        held.push_back(own);
      }
      holds[op->getResult(0)] = std::move(held);
    }
    layout.bufferOf.push_back(own);
    layout.kernels.push_back(elementwiseKernel(op));
    for (Value value : step->last)
      if (auto held = holds.find(value);
          held != holds.end() && !kept.contains(value))
        llvm::for_each(held->second, [&](int buffer) { uses.release(buffer); });
  }
  return layout;
}

Status SliceRun::run(int64_t index) {
  int64_t begin = index * plan.rowsOfSlice;
  KILN_RETURN_IF_ERROR(
      setRows(std::min(plan.rowsOfSlice, plan.numRows - begin)));
  for (const SliceGroup::Input &input : plan.inputs) {
    EvalValue value = plan.outside.contents(input.value);
    if (input.isSliced && !value.isSplat) {
      KILN_ASSIGN_OR_RETURN(value.tensor, viewOf(value.tensor, begin));
    }
    value.isOwned = false;
    slice.bind(input.value, std::move(value));
  }
  for (auto [output, isPlaced] : llvm::zip_equal(plan.outputs, layout.isPlaced))
    if (isPlaced) {
      KILN_ASSIGN_OR_RETURN(Tensor place, viewOf(output.whole, begin));
      slice.placeResult(output.value, std::move(place));
    }
  for (auto [step, kernel] : llvm::zip_equal(plan.steps, layout.kernels)) {
    if (kernel) {
      KILN_RETURN_IF_ERROR(together.add(step->op, kernel));
    } else if (step->op->getNumResults() == 1) {
      KILN_RETURN_IF_ERROR(together.run());
      KILN_RETURN_IF_ERROR(slice.runOp(step->op));
    }
  }
  KILN_RETURN_IF_ERROR(together.run());
  for (const SliceGroup::Output &output : plan.outputs)
    store(output, begin);
  slice.clear();
  return okStatus();
}

/// Gives the results their places.
Status SliceRun::setRows(int64_t count) {
  if (count == rows)
    return okStatus();
  if (memory.empty())
    for (int64_t bytes : layout.bytesPerRow) {
      auto size = static_cast<size_t>(bytes * count);
      BufferRef buffer = allocateBuffer(size);
      if (!buffer)
        return outOfMemory("a slice", size);
      memory.push_back(std::move(buffer));
    }
  rows = count;
  slice.setSlice(plan.prefix, count);
  for (auto [step, buffer] : llvm::zip_equal(plan.steps, layout.bufferOf)) {
    if (buffer < 0)
      continue;
    Value result = step->op->getResult(0);
    KILN_ASSIGN_OR_RETURN(Shape shape, slice.shapeOf(result.getType()));
    KILN_ASSIGN_OR_RETURN(
        Tensor place, Tensor::fromBuffer(ir::dtypeOf(result.getType()), shape,
                                         memory[static_cast<size_t>(buffer)]));
    slice.placeResult(result, std::move(place));
  }
  return okStatus();
}

StatusOr<Tensor> SliceRun::viewOf(const Tensor &whole, int64_t begin) const {
  Shape shape = whole.shape();
  for (int i = 0; i < plan.prefix; ++i)
    shape.setDim(i, i + 1 < plan.prefix ? 1 : rows);
  int64_t rowBytes = static_cast<int64_t>(whole.byteSize()) / plan.numRows;
  // Only outputs, which are the group's own, are written.
  auto *data = const_cast<char *>(static_cast<const char *>(whole.rawData()));
  return Tensor::borrow(whole.dtype(), shape,
                        static_cast<void *>(data + begin * rowBytes));
}

void SliceRun::store(const SliceGroup::Output &output, int64_t begin) {
  const EvalValue &value = slice.contents(output.value);
  Tensor whole = output.whole;
  int64_t elements = whole.numElements() / plan.numRows;
  size_t size = dtypeSize(whole.dtype());
  char *place = static_cast<char *>(whole.mutableRawData()) +
                begin * elements * static_cast<int64_t>(size);
  if (value.tensor.rawData() != place)
    copyStrided(place, value.tensor.rawData(),
                {{elements * rows, 1, value.isSplat ? 0 : 1}}, size);
}

} // namespace kiln::eval
