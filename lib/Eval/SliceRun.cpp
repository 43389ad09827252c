// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interprets the ops of a group on views of some rows.
#include "lib/Eval/SliceRun.h"

#include "lib/Eval/StridedCopy.h"
#include "lib/Support/DataMemory.h"
#include "lib/Support/StatusMacros.h"

namespace kiln::eval {
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
  for (size_t i = 0; i < plan.outputs.size(); ++i)
    if (layout.isPlaced[i]) {
      KILN_ASSIGN_OR_RETURN(Tensor place, viewOf(plan.outputs[i].whole, begin));
      slice.placeResult(plan.outputs[i].value, std::move(place));
    }
  for (const SliceLayout::Step &step : layout.steps) {
    if (step.isFolded)
      continue;
    if (step.blocks.loop) {
      KILN_RETURN_IF_ERROR(together.add(step.blocks));
    } else if (step.blocks.op->results.size == 1) {
      KILN_RETURN_IF_ERROR(together.run());
      KILN_RETURN_IF_ERROR(slice.runOp(*step.blocks.op));
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
  if (rows == 0) {
    for (int64_t bytes : layout.bytesPerRow) {
      auto size = static_cast<size_t>(bytes * count);
      BufferRef buffer = allocateBuffer(size);
      if (!buffer)
        return outOfMemory("a slice", size);
      memory.push_back(std::move(buffer));
    }
    KILN_RETURN_IF_ERROR(together.makeBlocks(layout.blockBytes));
  }
  rows = count;
  slice.setSlice(plan.prefix, count);
  for (const SliceLayout::Step &step : layout.steps) {
    if (step.buffer < 0)
      continue;
    ValueId result = slice.resultOf(*step.blocks.op);
    KILN_ASSIGN_OR_RETURN(Shape shape, slice.shapeOf(result));
    KILN_ASSIGN_OR_RETURN(
        Tensor place,
        Tensor::fromBuffer(slice.program.dtypeOf(result), shape,
                           memory[static_cast<size_t>(step.buffer)]));
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
