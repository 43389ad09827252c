// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of parts and of what is stitched from parts.
#include "lib/Autodiff/GradientCall.h"

namespace kiln {

namespace {

/// The elements of the block keep their order, so they get the gradients of the
/// results one after another.
void sparseSliceGradient(GradientCall &call) {
  Output indices = call.in(0), begin = call.in(3);
  Output end = begin + call.out(2);
  Output isInside = ops::reduceAll((indices >= begin) & (indices < end), {1});
  Output size = ops::shape(call.in(1), {.outType = DType::Int64});
  call.set(1, addOp("ScatterNd", {ops::where(isInside), call.grad(1), size}));
}

} // namespace

void registerSelectionGradients(GradientRegistry &registry) {
  registry.add({"SparseSlice"}, sparseSliceGradient);
  registry.add({"DynamicPartition"}, [](GradientCall &call) {
    Output data = call.in(0), partitions = call.in(1);
    int64_t count = call.node.numOutputs();
    // Each row's number goes the way of the row.
    Output shape = ops::shape(partitions);
    Output numbers =
        addOp("Reshape", {ops::range(0, ops::reduceProd(shape)), shape});
    auto places =
        addOpOutputs("DynamicPartition", {numbers, partitions},
                     static_cast<size_t>(count), {{"num_partitions", count}});
    std::vector<Output> parts;
    for (int i = 0; i < count; ++i)
      parts.push_back(call.grad(i));
    Output rows = addOp("DynamicStitch", {InputList(places), InputList(parts)});
    call.set(0, reshapeLike(rows, data));
  });
  registry.add({"DynamicStitch", "ParallelDynamicStitch"},
               [](GradientCall &call) {
                 int count = call.node.numInputs() / 2;
                 for (int i = 0; i < count; ++i)
                   call.set(count + i, ops::gather(call.grad(), call.in(i)));
               });
}

} // namespace kiln
