// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes datasets of sparse tensors, of lists and of other batches, and tells
// how long datasets are.
#include "lib/Ops/Pipeline/Host.h"
#include "lib/Ops/Pipeline/HostInputs.h"
#include "lib/Pipelines/Datasets.h"

#include <utility>

namespace kiln {
namespace {

StatusOr<DatasetPtr> makeSparseRows(const Node &, Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(Element parts, inputs.tensors(3));
  return sparseRows(
      {std::move(parts[0]), std::move(parts[1]), std::move(parts[2])});
}

StatusOr<DatasetPtr> makeSparseBatches(const Node &, Inputs &inputs) {
  KILN_ASSIGN_OR_RETURN(DatasetPtr input, inputs.dataset());
  BatchSpec batch{.maxBytes = inputs.maxBytes};
  KILN_ASSIGN_OR_RETURN(batch.size, inputs.scalar<int64_t>("batch_size"));
  KILN_ASSIGN_OR_RETURN(const Element rowShape, inputs.tensors(1));
  return sparseBatches(std::move(input), batch, rowShape[0]);
}

StatusOr<DatasetPtr> makeRebatched(const Node &node, Inputs &inputs) {
  RebatchSpec spec{.types = node.attrOr<std::vector<DType>>("output_types", {}),
                   .shapes =
                       node.attrOr<std::vector<Shape>>("output_shapes", {}),
                   .maxBytes = inputs.maxBytes};
  KILN_ASSIGN_OR_RETURN(DatasetPtr input, inputs.dataset());
  KILN_ASSIGN_OR_RETURN(const Element sizes, inputs.tensors(1));
  if (sizes[0].rank() > 1)
    return invalidArgumentError("`batch_sizes` must be a scalar or a vector.");
  const auto numbers = sizes[0].data<int64_t>();
  spec.sizes.assign(numbers.begin(), numbers.end());
  KILN_ASSIGN_OR_RETURN(spec.dropsRemainder,
                        inputs.scalar<bool>("drop_remainder"));
  return rebatched(std::move(input), std::move(spec));
}

/// Elements that lie one behind the other among the inputs.
StatusOr<DatasetPtr> makeList(const Node &node, Inputs &inputs) {
  const size_t width =
      node.attrOr<std::vector<DType>>("output_types", {}).size();
  if (width == 0 || inputs.count() % width != 0)
    return invalidArgumentError(strCat("expected whole elements of ", width,
                                       " components, got ", inputs.count(),
                                       " tensors"));
  std::vector<Element> elements;
  while (inputs.count() != 0) {
    KILN_ASSIGN_OR_RETURN(elements.emplace_back(), inputs.tensors(width));
  }
  return ofElements(std::move(elements));
}

Status giveCardinality(const HostCall &call) {
  Inputs inputs(call, anyBytes);
  KILN_ASSIGN_OR_RETURN(const DatasetPtr dataset, inputs.dataset());
  call.outputs[0] = Tensor::scalar(dataset->cardinality());
  return okStatus();
}

} // namespace

void addSparseDatasetKernels(HostKernels &kernels) {
  const HostKernels::Names both = {"", "Experimental"};
  kernels.addOwn("DatasetCardinality", {.run = giveCardinality}, both);
  kernels.addOwn("DenseToSparseBatchDataset",
                 {.bindBody = bindDataset<makeSparseBatches>}, both);
  kernels.addOwn("ListDataset", {.bindBody = bindDataset<makeList>});
  kernels.addOwn("RebatchDatasetV2", {.bindBody = bindDataset<makeRebatched>});
  kernels.addOwn("SparseTensorSliceDataset",
                 {.bindBody = bindDataset<makeSparseRows>});
}

} // namespace kiln
