// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of parameters for ids that may be missing, as TensorFlow's Python looks
// them up.
#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/EmbeddingOps.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/SparseOps.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Build/VariableData.h"

namespace kiln::ops {
namespace {

/// Ids and, where there are any, what they weigh.
struct WeightedIds {
  SparseTensor ids;
  std::optional<SparseTensor> weights;

  void retain(const Output &stays) {
    ids = sparseRetain(ids, stays);
    if (weights)
      weights = sparseRetain(*weights, stays);
  }
};

/// The parameters as tensors, but for handles whose dtype fits.
EmbeddingParameters tensorsOf(const EmbeddingParameters &parameters,
                              DType dtype) {
  std::vector<Output> tensors;
  for (const Input &each : parameters.list()) {
    const auto *data =
        std::get_if<std::shared_ptr<const VariableData>>(&each.value());
    if (data && Variable::of(*data).isResource() &&
        (dtype == DType::Invalid || dtype == (*data)->dtype))
      return parameters;
    tensors.push_back(convert(each, "", dtype));
  }
  return tensors;
}

/// Leaves out ids below 0, and those that weigh nothing.
void prune(WeightedIds &given, bool byWeight) {
  Output isValid = rawOps::greaterEqual(given.ids.values, 0);
  if (given.weights)
    isValid = rawOps::logicalAnd(
        isValid, onesLike(given.weights->values, {.dtype = DType::Bool}));
  given.retain(isValid);
  if (byWeight && given.weights)
    given.retain(rawOps::greater(given.weights->values, 0));
}

} // namespace

Output safeEmbeddingLookupSparse(const EmbeddingParameters &weights,
                                 const SparseTensor &sparseIds,
                                 const SafeEmbeddingOptions &options) {
  using List = Input::List;
  if (weights.list().empty())
    return failed(invalidArgumentError("Missing embedding_weights []."),
                  options.name.empty() ? "embedding_lookup" : options.name);
  Input first(sparseIds.indices);
  GraphScope graph(builderOf(first));
  if (!sparseIds.values.node || !sparseIds.denseShape.node)
    return {};
  DType dtype =
      options.sparseWeights ? options.sparseWeights->dtype() : DType::Invalid;
  EmbeddingParameters parameters = tensorsOf(weights, dtype);
  FunctionScope scope(options.name, "embedding_lookup", {&first});
  const Output &extents = sparseIds.denseShape;
  int64_t known = extents.shape().dim(0);
  Output size = known < 0 ? ops::size(extents) : Output();
  if (known < 0 && !size.node)
    return {};
  auto behind = [&] { return known < 0 ? Input(size - 1) : Input(known - 1); };
  Output outer = reduceProd(rawOps::slice(extents, {0}, Input(List{behind()})));
  Output inner = gather(extents, behind());
  WeightedIds given{sparseReshape(sparseIds, Input(List{outer, inner})), {}};
  if (options.sparseWeights)
    given.weights = makeSparseTensor(
        given.ids.indices, options.sparseWeights->values, given.ids.denseShape);
  prune(given, options.combiner != "sum");
  auto [filled, isEmpty] =
      sparseFillEmptyRows(given.ids, options.defaultId.value_or(0));
  if (given.weights)
    given.weights = sparseFillEmptyRows(*given.weights, 1.0).output;
  Output result = embeddingLookupSparse(
      parameters, filled,
      {.weights = given.weights,
       .combiner = options.combiner,
       .partitionStrategy = options.partitionStrategy,
       .name = options.defaultId ? scope.name() : std::string(),
       .rowFunction = options.rowFunction});
  if (!result.node)
    return {};
  if (!options.defaultId) {
    Output column = rawOps::reshape(isEmpty, {-1, 1});
    Output width = shape(result);
    Output isNone = rawOps::tile(column, stack({1, width[1]}));
    result = where(isNone, zerosLike(result), result, {.name = scope.name()});
  }
  Output rows = cast(extents, DType::Int32);
  rows = rawOps::slice(rows, {0}, Input(List{behind()}));
  Output columns = rawOps::slice(shape(result), {1}, {-1});
  Output whole = concat({rows, columns}, 0);
  Shape expected = Shape::unknownRank();
  if (known >= 1 && result.shape().hasRank()) {
    expected = Shape::unknownDims(static_cast<int>(known - 1));
    for (int64_t dim : result.shape().dims().subspan(1))
      expected.appendDim(dim);
  }
  return withShape(expected, [&] { return rawOps::reshape(result, whole); });
}

} // namespace kiln::ops
