// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of ops on sparse tensors: those of their values.
#include "lib/Autodiff/GradientCall.h"
#include "lib/Support/Strings.h"

namespace kiln {
namespace {

Output gatherNd(const Output &params, const Output &indices) {
  return addOp("GatherNd", {params, indices});
}

void reorderGradient(GradientCall &call) {
  Output indices = call.in(0);
  Output numbers =
      ops::range(0, addOp("GatherV2", {ops::shape(indices), 0, 0}));
  Output ordered =
      addOpOutputs("SparseReorder", {indices, numbers, call.in(2)}, 2)[1];
  call.set(1, ops::gather(call.grad(1), addOp("InvertPermutation", {ordered})));
}

/// Each element gets the gradient of the sum that it went into.
void reduceSumGradient(GradientCall &call) {
  Output indices = call.in(0), shape = ops::cast(call.in(2), DType::Int32),
         axes = call.in(3);
  Output rank = ops::size(shape);
  Output positive = addOp("Reshape", {(axes + rank) % rank, vectorOf({-1})});
  Output ones = ops::ones(ops::shape(positive), {.dtype = DType::Int32});
  Output kept =
      addOp("DynamicStitch",
            {InputList{ops::range(0, rank), positive}, InputList{shape, ones}});
  Output dy = addOp("Reshape", {call.grad(), kept});
  Output scale = ops::cast(addOp("FloorDiv", {shape, kept}), DType::Int64);
  call.set(1, gatherNd(dy, addOp("FloorDiv", {indices, scale})));
}

/// Softmax's: y * (dy - sum(y * dy)), of the elements alone.
void softmaxGradient(GradientCall &call) {
  Output indices = call.in(0), shape = call.in(2), y = call.out(),
         dy = call.grad();
  Output sums =
      addOp("SparseReduceSum", {indices, dy * y, shape, vectorOf({-1})},
            {{"keep_dims", true}});
  Output rest = addOp("SparseDenseCwiseAdd", {indices, dy, shape, -sums});
  call.set(1, rest * y);
}

/// The gradient of a product or quotient with a dense tensor that was
/// broadcast.
template <bool isProduct> void denseGradient(GradientCall &call) {
  Output indices = call.in(0), x = call.in(1), shape = call.in(2),
         y = call.in(3), dy = call.grad();
  Output own = ops::shape(y, {.outType = DType::Int64});
  Output added = ops::expandDims(ops::size(shape) - ops::size(own), 0);
  Output padded =
      ops::concat({ops::ones(added, {.dtype = DType::Int64}), own}, 0);
  Output places =
      addOp("FloorDiv", {indices, addOp("FloorDiv", {shape, padded})});
  places = addOp("Slice", {places, ops::concat({vectorOf({0}), added}, 0),
                           vectorOf({-1, -1})});
  Output dense = gatherNd(y, places);
  Output dense2 = dense * dense;
  call.set(1, isProduct ? dy * dense : ops::divide(dy, dense));
  Output values = isProduct ? dy * x : dy * ops::divide(-x, dense2);
  call.set(3, addOp("SparseTensorDenseAdd",
                    {places, values, own, ops::zerosLike(y)}));
}

/// TensorFlow's functions of these raise.
void notImplemented(GradientCall &call) {
  call.fail(unimplementedError(
      strCat("Gradient for ", call.node.op(), " is not implemented.")));
}

} // namespace

void registerSparseGradients(GradientRegistry &registry) {
  registry.add({"SparseReorder"}, reorderGradient);
  registry.add({"SparseReduceSum"}, reduceSumGradient);
  registry.add({"SparseSoftmax"}, softmaxGradient);
  registry.add({"SparseDenseCwiseMul"}, denseGradient<true>);
  registry.add({"SparseDenseCwiseDiv"}, denseGradient<false>);
  registry.add(
      {"SparseDenseCwiseAdd", "SparseSparseMaximum", "SparseSparseMinimum"},
      notImplemented);
  registry.add({"SparseAdd"}, [](GradientCall &call) {
    auto both =
        addOpOutputs("SparseAddGrad",
                     {call.grad(1), call.in(0), call.in(3), call.out(0)}, 2);
    call.set(1, both[0]);
    call.set(4, both[1]);
  });
  registry.add({"SparseTensorDenseAdd"}, [](GradientCall &call) {
    call.set(1, gatherNd(call.grad(), call.in(0)));
    call.set(3, call.grad());
  });
  registry.add({"SparseFillEmptyRows"}, [](GradientCall &call) {
    auto both =
        addOpOutputs("SparseFillEmptyRowsGrad", {call.out(3), call.grad(1)}, 2);
    call.set(1, both[0]);
    call.set(3, both[1]);
  });
  registry.add({"CTCLoss"}, [](GradientCall &call) {
    AttrMap attrs;
    attrs.set("message",
              std::string("Currently there is no way to take the second  "
                          "derivative of ctc_loss due to the fused "
                          "implementation's interaction  with tf.gradients()"));
    Output once = addOp("PreventGradient", {call.out(1)}, attrs);
    call.set(0, ops::expandDims(call.grad(0), -1) * once);
  });
}

} // namespace kiln
