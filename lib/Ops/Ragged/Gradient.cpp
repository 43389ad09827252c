// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of ops on rows of several lengths.
#include "lib/Autodiff/GradientCall.h"

#include <algorithm>

namespace kiln {
namespace {

Output gatherNd(const Output &params, const Output &indices) {
  return addOp("GatherNd", {params, indices});
}

/// Each value's number goes the way of the value.
void toTensorGradient(GradientCall &call) {
  Output values = call.in(1), fill = call.in(2), dy = call.grad();
  auto types = call.attr<std::vector<std::string>>("row_partition_types");
  const auto rank = static_cast<int32_t>(
      types.size() - static_cast<size_t>(std::ranges::count(
                         types, std::string("FIRST_DIM_SIZE"))));
  std::vector<Output> partitions;
  for (int i = 3; i < call.node.numInputs(); ++i)
    partitions.push_back(call.in(i));
  Output count = addOp("GatherV2", {ops::shape(values), 0, 0});
  Output outer =
      addOp("Slice", {ops::shape(dy), vectorOf({0}), vectorOf({rank + 1})});
  Output numbers =
      addOp("RaggedTensorToTensor",
            {outer, ops::range(0, count), -1, InputList(partitions)},
            call.attrs({"row_partition_types", "num_row_partition_tensors"}));
  Output isValue = addOp("NotEqual", {numbers, -1});
  Output places = ops::where(isValue);
  call.set(1, IndexedSlices{gatherNd(dy, places), gatherNd(numbers, places),
                            ops::shape(values)});
  Output rest = gatherNd(dy, ops::where(addOp("LogicalNot", {isValue})));
  Output sum = ops::reduceSum(rest, {0});
  call.set(2, sumToOperands(ops::shape(fill), ops::shape(sum), sum, {}).first);
}

/// The rows' elements, in the order in which they were gathered.
void gatherGradient(GradientCall &call) {
  const int splits = call.node.numInputs() - 2;
  Output values = call.in(-2);
  Output ends = call.in(0);
  for (int i = 1; i < splits; ++i)
    ends = ops::gather(call.in(i), ends);
  Output rows = addOp("Reshape", {call.in(-1), vectorOf({-1})});
  DType dtype = ends.dtype();
  Output begins = ops::gather(ends, rows);
  Output next = ops::gather(ends, rows + ops::onesLike(rows));
  Output one = ops::cast(ops::constant(Tensor::scalar<int32_t>(1)), dtype);
  Output places = addOpOutputs("RaggedRange", {begins, next, one}, 2)[1];
  call.set(-2, IndexedSlices{call.grad(call.node.numOutputs() - 1), places,
                             ops::shape(values)});
}

} // namespace

void registerRaggedGradients(GradientRegistry &registry) {
  registry.add({"RaggedTensorToSparse"}, [](GradientCall &call) {
    call.set(-1, reshapeLike(call.grad(1), call.in(-1)));
  });
  registry.add({"RaggedTensorToTensor"}, toTensorGradient);
  registry.add({"RaggedGather"}, gatherGradient);
  registry.add({"RaggedFillEmptyRows"}, [](GradientCall &call) {
    auto both =
        addOpOutputs("RaggedFillEmptyRowsGrad", {call.out(3), call.grad(1)}, 2);
    call.set(1, both[0]);
    call.set(3, both[1]);
  });
}

} // namespace kiln
