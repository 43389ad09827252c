// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of slices with strides, and of gathers.
#include "kiln/ConstantValue.h"
#include "kiln/Operators.h"
#include "lib/Autodiff/GradientCall.h"
#include "lib/Ops/Array/Gradient.h"

namespace kiln {
namespace {

AttrMap masks(const GradientCall &call) {
  return call.attrs({"begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask",
                     "shrink_axis_mask"});
}

/// What is known is a value, which the node makes a constant of its own.
Input constantOr(const Output &tensor) {
  std::optional<Tensor> known = ops::constantValue(tensor);
  return known ? Input(*known) : Input(tensor);
}

void stridedSliceGradient(GradientCall &call) {
  Output begin = call.in(1);
  Output shape = ops::shape(call.in(0), {.outType = begin.dtype()});
  call.set(0,
           addOp("StridedSliceGrad",
                 {constantOr(shape), constantOr(begin), constantOr(call.in(2)),
                  constantOr(call.in(3)), call.grad()},
                 masks(call)));
}

void sliceUpdateGradient(GradientCall &call) {
  Output begin = call.in(1), end = call.in(2), strides = call.in(3);
  Output dy =
      addOp("StridedSlice", {call.grad(), begin, end, strides}, masks(call));
  call.set(0, addOp("TensorStridedSliceUpdate",
                    {call.grad(), begin, end, strides, ops::zerosLike(dy)},
                    masks(call)));
  // The value may have been broadcast.
  Output slice = ops::shape(dy, {.outType = begin.dtype()});
  Output value = ops::shape(call.in(4), {.outType = begin.dtype()});
  Output axes = addOpOutputs("BroadcastGradientArgs", {slice, value}, 2)[1];
  Output sum = ops::reduceSum(dy, axes, {.keepDims = true});
  call.set(4, addOp("Reshape", {sum, value}));
}

/// Rows of the first axis: the gradient is those rows alone.
void gatherRowsGradient(GradientCall &call, const Output &shape) {
  Output indices = call.in(1);
  Output count = ops::expandDims(ops::size(indices), 0);
  Output valuesShape = ops::concat({count, shape[{sliceFrom(1)}]}, 0);
  Output values = addOp("Reshape", {call.grad(), valuesShape});
  Output rows = addOp("Reshape", {indices, count});
  call.set(0, IndexedSlices{values, rows, shape});
}

/// The indices of each batch moved behind those of the batches before, as if
/// the batches were one axis. **Source**: _GetBatchIndices.
Output batchIndices(const Output &shape, Output indices, int64_t batchDims) {
  DType dtype = indices.dtype();
  Output sizes = ops::cast(shape, dtype), rank = ops::rank(indices);
  Output step = ops::ones(Shape(), {.dtype = dtype});
  for (int64_t dim = batchDims; dim > 0; --dim) {
    Output count = sizes[dim - 1];
    step = step * sizes[dim];
    Output offsets =
        ops::rangeFrom(ops::zeros(Shape(), {.dtype = dtype}), count,
                       ops::ones(Shape(), {.dtype = dtype})) *
        step;
    Output ones = ops::fill(vectorOf({static_cast<int32_t>(dim - 1)}), 1);
    Output others = ops::fill(ops::expandDims(rank - dim, 0), 1);
    Output place = ops::concat(
        {ones, ops::expandDims(ops::cast(count, DType::Int32), 0), others}, 0);
    indices = indices + addOp("Reshape", {offsets, place});
  }
  return indices;
}

/// v[:to] and v[from:] of a vector, by a number of the graph.
Output before(const Output &vector, const Input &to) {
  return addOp("Slice", {vector, vectorOf({0}), ops::expandDims(to, 0)});
}
Output behind(const Output &vector, const Output &from) {
  return addOp("Slice", {vector, ops::expandDims(from, 0), vectorOf({-1})});
}

/// Along another axis: that axis is moved to the front of what is no batch, the
/// rows are summed by their indices, and all is moved back. **Source**:
/// _GatherV2Grad.
void gatherAxisGradient(GradientCall &call, const Output &shape,
                        int64_t batchDims) {
  Output indices = call.in(1), dy = call.grad();
  Output axis = ops::cast(call.in(2), DType::Int32);
  axis = (axis + ops::size(shape)) % ops::size(shape);
  Output outer = before(shape, axis), inner = behind(shape, axis + 1);
  Output valuesShape = ops::concat({outer, Input(vectorOf({-1})), inner}, 0);
  Output values = addOp("Reshape", {dy, valuesShape});
  Output batches = ops::range(0, batchDims);
  Output between = ops::rangeFrom(batchDims, axis);
  Output rest = ops::rangeFrom(axis + 1, ops::size(valuesShape));
  Output order =
      ops::concat({batches, ops::expandDims(axis, 0), between, rest}, 0);
  values = ops::permute(values, order);
  Output movedShape = ops::gather(shape, order);
  Output count = ops::gather(shape, axis);
  Output flatShape = ops::shape(values), outerShape;
  if (batchDims > 0) {
    outerShape = before(flatShape, Input(batchDims));
    Output innerShape = behind(
        flatShape, ops::constant(batchDims + 1, {.dtype = DType::Int32}));
    flatShape = ops::concat({Input(vectorOf({-1})), innerShape}, 0);
    count = count * ops::reduceProd(outerShape, 0);
    indices = batchIndices(movedShape, indices, batchDims);
    values = addOp("Reshape", {values, flatShape});
  }
  Output flat = addOp("Reshape", {indices, vectorOf({-1})});
  Output sum = addOp("UnsortedSegmentSum", {values, flat, count});
  if (batchDims > 0)
    sum = addOp("Reshape", {sum, ops::concat({outerShape, flatShape}, 0)});
  Output back = ops::permute(sum, addOp("InvertPermutation", {order}));
  call.set(0, reshapeLike(back, call.in(0)));
}

void gatherGradient(GradientCall &call) {
  Output shape;
  {
    ColocationScope there(call.in(0).node);
    shape = ops::shape(call.in(0));
  }
  auto axis = call.node.numInputs() > 2 ? knownIntegers(call.in(2))
                                        : std::vector<int64_t>{0};
  if (axis == std::vector<int64_t>{0})
    return gatherRowsGradient(call, shape);
  int64_t batchDims = call.attr<int64_t>("batch_dims");
  if (batchDims < 0) {
    if (!call.in(1).shape().hasRank())
      return call.fail(invalidArgumentError(
          "Currently, it is unsupported to take the gradient of tf.gather when "
          "batch_dims < 0 and the rank of the indices is unknown."));
    batchDims += call.in(1).shape().rank();
  }
  gatherAxisGradient(call, shape, batchDims);
}

} // namespace

void registerArrayIndexing(GradientRegistry &registry) {
  registry.add({"StridedSlice"}, stridedSliceGradient);
  registry.add({"StridedSliceGrad"}, [](GradientCall &call) {
    call.set(4, addOp("StridedSlice",
                      {call.grad(), call.in(1), call.in(2), call.in(3)},
                      masks(call)));
  });
  registry.add({"TensorStridedSliceUpdate"}, sliceUpdateGradient);
  registry.add({"Gather", "GatherV2"}, gatherGradient);
  registry.add({"ResourceGather"}, [](GradientCall &call) {
    gatherRowsGradient(call, addOp("VariableShape", {call.in(0)}));
  });
}

} // namespace kiln
