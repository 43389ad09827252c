// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slices that indices name, as TensorFlow's Python functions add them.
#include "kiln/ops/ArrayOps.h"

#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/Variable.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/Indexing.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/Reduction.h"
#include "kiln/ops/SequenceOps.h"
#include "lib/Build/BuildState.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/Strings.h"

namespace kiln::ops {
namespace {

/// The variable that an input is, where it is a resource.
std::optional<Variable> resourceOf(const Input &input) {
  const auto *data =
      std::get_if<std::shared_ptr<const VariableData>>(&input.value());
  if (!data || !Variable::of(*data).isResource())
    return std::nullopt;
  return Variable::of(*data);
}

bool isFirst(const Input &axis) {
  const int64_t *number = std::get_if<int64_t>(&axis.value());
  return number && *number == 0;
}

/// What is wrong with batch axes; empty where nothing is.
std::string batchError(int64_t batchDims, const Shape &params,
                       const Shape &indices) {
  if (batchDims < 0)
    return "tf.gather_nd does not allow negative batch_dims.";
  if (indices.hasRank() && batchDims >= indices.rank())
    return strCat("Argument `batch_dims` = ", batchDims,
                  " must be less than rank(`indices`) = ", indices.rank());
  if (params.hasRank() && batchDims >= params.rank())
    return strCat("Argument `batch_dims` = ", batchDims,
                  " must be less than rank(`params`) = ", params.rank());
  return {};
}

/// The indices of all batches, a row each.
Output batchGrid(const Output &batchShape, DType dtype) {
  std::vector<Output> extents = unstack(batchShape), ranges;
  for (const Output &extent : extents)
    ranges.push_back(rawOps::cast(
        rawOps::range(0, rawOps::cast(extent, DType::Int32), 1), dtype));
  std::vector<Output> flat;
  for (const Output &each : meshgrid(ranges, {.indexing = "ij"}))
    flat.push_back(rawOps::reshape(each, {-1}));
  return transpose(stack(flat, {.axis = 0}));
}

/// **Source**: array_ops.batch_gather_nd.
Output gatherInBatches(const Input &given, const Input &givenIndices,
                       const GatherNdOptions &options) {
  FunctionScope scope(options.name, "BatchGatherND", {&given, &givenIndices});
  Output indices = convert(givenIndices, "indices");
  Output params = convert(given, "params");
  if (!indices.node || !params.node)
    return {};
  const int64_t dims = options.batchDims;
  if (std::string error = batchError(dims, params.shape(), indices.shape());
      !error.empty())
    return failed(invalidArgumentError(error), scope);
  Output paramsShape = shape(params), indicesShape = shape(indices);
  Output batchShape = paramsShape[{sliceTo(dims)}];
  Output batchSize = rawOps::prod(batchShape, {0});
  Output inner = rank(indices) - dims - 1;
  Output innerShape = indicesShape[{kiln::slice(dims, -1)}];
  Output grid = batchGrid(batchShape, indices.dtype());
  Output gridShape = shape(grid);
  Output ofOnes = ones(inner, {.dtype = gridShape.dtype()});
  grid = rawOps::reshape(
      grid,
      concat({gridShape[{sliceTo(1)}], ofOnes, gridShape[{sliceFrom(1)}]}, 0));
  grid = rawOps::tile(grid, concat({{1}, innerShape, {1}}, 0));
  Output flatShape = concat(
      {Input(Input::List{batchSize}), indicesShape[{sliceFrom(dims)}]}, 0);
  Output flat = rawOps::reshape(indices, flatShape);
  Output found = rawOps::gatherNd(params, concat({grid, flat}, -1));
  Output foundShape = shape(found);
  return rawOps::reshape(found,
                         concat({batchShape, foundShape[{sliceFrom(1)}]}, 0));
}

} // namespace

Output gather(const Input &params, const Input &indices,
              const GatherOptions &options) {
  if (isFirst(options.axis) && options.batchDims == 0)
    if (auto variable = resourceOf(params))
      return rawOps::resourceGather(
          variable->handle(), indices, variable->dtype(),
          {.name = options.name.empty() ? "Gather" : options.name});
  return rawOps::gatherV2(
      params, indices, options.axis,
      {.batchDims = options.batchDims, .name = options.name});
}

Output gatherNd(const Input &params, const Input &indices,
                const GatherNdOptions &options) {
  if (options.batchDims != 0)
    return gatherInBatches(params, indices, options);
  if (auto variable = resourceOf(params))
    return rawOps::identity(rawOps::resourceGatherNd(
        variable->handle(), indices, variable->dtype(),
        {.name = options.name.empty() ? "GatherNd" : options.name}));
  return rawOps::gatherNd(params, indices, {.name = options.name});
}

} // namespace kiln::ops
