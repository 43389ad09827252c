// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What metrics have in common.
#include "lib/Train/MetricParts.h"

#include "kiln/ControlFlow.h"
#include "kiln/Operators.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/ReductionOps.h"
#include "lib/Build/BuildState.h"
#include "lib/Support/Strings.h"

namespace kiln::metrics {

MetricScope::MetricScope(const Input &graphOfThis, const MetricOptions &options,
                         const char *defaultName)
    : graph(graphOf(graphOfThis).value_or(GraphBuilder::current())),
      scope(options.name.empty()
                ? std::nullopt
                : std::optional<std::string_view>(options.name),
            {.defaultName = defaultName}) {}

Metric MetricScope::refuse(std::string text) const {
  GraphBuilder::current().fail(
      invalidArgumentError(std::move(text)).withNode(scope.name()));
  return {};
}

Variable sumVariable(const Shape &shape, DType dtype, const std::string &name) {
  return Variable(
      InitialValue([=] {
        std::vector<int64_t> extents(shape.dims().begin(), shape.dims().end());
        return ops::zeros(extents, {.dtype = dtype});
      }),
      {.trainable = false,
       .name = name,
       .collections = std::vector<std::string>{
           std::string(keys::localVariables), std::string(metricVariables)}});
}

bool areCompatible(const Output &x, const Output &y) {
  if (!x.node || !y.node)
    return false;
  if (x.shape().isCompatibleWith(y.shape()))
    return true;
  GraphBuilder::current().fail(invalidArgumentError(
      strCat("Shapes ", x.shape().toTupleString(), " and ",
             y.shape().toTupleString(), " are incompatible")));
  return false;
}

namespace {

/// The weights with as many axes as the predictions, as the run finds out.
Output adjustedInRun(const Output &weights, const Output &predictions) {
  Output rank = ops::rank(weights);
  Output difference = rank - ops::rank(predictions);
  const Shape &shape = weights.shape();
  const bool maySqueeze =
      !shape.hasRank() || shape.dim(-1) < 0 || shape.dim(-1) == 1;
  auto keep = [&] { return ops::BranchResult(weights); };
  auto expand = [&] {
    Output isOneLess = ops::equal(difference, -1);
    return ops::BranchResult(ops::cond(
        isOneLess,
        [&] { return ops::BranchResult(ops::expandDims(weights, Input{-1})); },
        keep));
  };
  auto adjust = [&] {
    Output isOneMore = ops::equal(difference, 1);
    return ops::BranchResult(ops::cond(
        isOneMore,
        [&] {
          return ops::BranchResult(
              maySqueeze ? ops::squeeze(weights, {.axis = {-1}}) : weights);
        },
        expand));
  };
  Output isScalar = ops::equal(rank, 0);
  return ops::cond(isScalar, keep, adjust);
}

Output adjustedWeights(const Input &given, const Output &predictions) {
  Output weights = GraphBuilder::current().convert(given);
  if (!weights.node || weights.shape().rank() == 0)
    return weights;
  const int rank = weights.shape().rank();
  if (!weights.shape().hasRank() || !predictions.shape().hasRank())
    return adjustedInRun(weights, predictions);
  if (rank - predictions.shape().rank() == 1)
    return ops::squeeze(weights, {.axis = {-1}});
  if (predictions.shape().rank() - rank == 1)
    return ops::expandDims(weights, Input{-1});
  return weights;
}

} // namespace

Adjusted adjusted(const Input &predictions, const std::optional<Input> &labels,
                  const std::optional<Input> &weights) {
  Adjusted found;
  found.predictions = GraphBuilder::current().convert(predictions);
  if (labels && found.predictions.node) {
    auto both = ops::removeSqueezableDimensions(*labels, found.predictions);
    if (!areCompatible(both.predictions, both.labels))
      return {};
    found.predictions = both.predictions;
    found.labels = both.labels;
  }
  if (weights && found.predictions.node) {
    found.weights = adjustedWeights(*weights, found.predictions);
    if (!found.weights->node)
      return {};
  }
  return found;
}

Metric collected(const Output &value, const Output &update,
                 const MetricOptions &options) {
  if (!value.node || !update.node)
    return {};
  GraphBuilder graph = GraphBuilder::current();
  for (const std::string &key : options.valueCollections)
    graph.addToCollection(key, value);
  for (const std::string &key : options.updateCollections)
    graph.addToCollection(key, update);
  return {value, update};
}

MetricOptions partOf(const MetricOptions &options, std::string name) {
  return {.weights = options.weights, .name = std::move(name)};
}

} // namespace kiln::metrics
