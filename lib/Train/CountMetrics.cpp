// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Right and wrong predictions of many batches, as TensorFlow's Python adds
// them.
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/CheckOps.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/StateOps.h"
#include "lib/Build/BuildState.h"
#include "lib/Train/Helpers.h"
#include "lib/Train/MetricParts.h"

namespace kiln::metrics {
namespace {

/// Both as bools.
Adjusted asBools(const Input &labels, const Input &predictions,
                 const std::optional<Input> &weights) {
  Output found = ops::cast(predictions, DType::Bool);
  Output right = ops::cast(labels, DType::Bool);
  if (!found.node || !right.node)
    return {};
  return adjusted(found, right, weights);
}

/// How often a condition held. **Source**: metrics_impl._count_condition.
Metric counted(const Output &condition, const std::optional<Output> &given,
               const MetricOptions &options) {
  if (!ops::assertType(condition, DType::Bool))
    return {};
  Variable count = sumVariable({}, DType::Float32, "count");
  Output values = ops::cast(condition, DType::Float32);
  if (given) {
    Output rank = ops::rank(values);
    const Node *check = ops::assertRankIn(*given, {0, rank});
    if (!check)
      return {};
    ControlScope after({check});
    values = ops::multiply(values, ops::cast(*given, DType::Float32));
  }
  Output value = ops::identity(count);
  Output sum = ops::reduceSum(values);
  if (!sum.node)
    return {};
  return collected(value, ops::assignAdd(count, sum).value(), options);
}

/// Predictions of one kind whose labels are of one kind.
Metric countOf(const Input &labels, const Input &predictions, bool label,
               bool prediction, const char *name,
               const MetricOptions &options) {
  MetricScope scope(predictions, options, name);
  Adjusted both = asBools(labels, predictions, options.weights);
  if (!both.isValid())
    return {};
  Output ofLabel = ops::equal(both.labels, label);
  Output ofPrediction = ops::equal(both.predictions, prediction);
  return counted(ops::logicalAnd(ofLabel, ofPrediction), both.weights, options);
}

/// The share that the first has in the sum; 0 where that is 0.
Output share(const Input &part, const Input &rest, const char *name) {
  Output isThere = binary("add", part, rest) > 0;
  Output sum = binary("add", part, rest);
  return ops::where(isThere, ops::divide(part, sum), 0, {.name = name});
}

using Counting = Metric (*)(const Input &labels, const Input &predictions,
                            const MetricOptions &options);

/// Of what is positive in one way, the share that is right.
Metric shareOf(const Input &labels, const Input &predictions, Counting wrong,
               const char *name, const MetricOptions &options) {
  MetricScope scope(predictions, options, name);
  Adjusted both = asBools(labels, predictions, options.weights);
  if (!both.isValid())
    return {};
  MetricOptions own;
  if (both.weights)
    own.weights = *both.weights;
  Metric right = truePositives(both.labels, both.predictions, own);
  Metric others = wrong(both.labels, both.predictions, own);
  if (!right.value.node || !others.value.node)
    return {};
  Output value = share(right.value, others.value, "value");
  return collected(value, share(right.update, others.update, "update_op"),
                   options);
}

} // namespace

Metric truePositives(const Input &labels, const Input &predictions,
                     const MetricOptions &options) {
  return countOf(labels, predictions, true, true, "true_positives", options);
}
Metric trueNegatives(const Input &labels, const Input &predictions,
                     const MetricOptions &options) {
  return countOf(labels, predictions, false, false, "true_negatives", options);
}
Metric falsePositives(const Input &labels, const Input &predictions,
                      const MetricOptions &options) {
  return countOf(labels, predictions, false, true, "false_positives", options);
}
Metric falseNegatives(const Input &labels, const Input &predictions,
                      const MetricOptions &options) {
  return countOf(labels, predictions, true, false, "false_negatives", options);
}

Metric precision(const Input &labels, const Input &predictions,
                 const MetricOptions &options) {
  return shareOf(labels, predictions, &falsePositives, "precision", options);
}
Metric recall(const Input &labels, const Input &predictions,
              const MetricOptions &options) {
  return shareOf(labels, predictions, &falseNegatives, "recall", options);
}

} // namespace kiln::metrics
