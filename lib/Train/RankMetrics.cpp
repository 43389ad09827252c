// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Metrics of the k best predictions, as TensorFlow's Python adds them.
#include "kiln/RankMetrics.h"

#include "kiln/Operators.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ElementwiseOps.h"
#include "kiln/ops/Layout.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/SetOps.h"
#include "kiln/ops/StateOps.h"
#include "lib/Build/BuildState.h"
#include "lib/Support/Strings.h"
#include "lib/Train/Broadcastable.h"
#include "lib/Train/MetricParts.h"
#include "lib/Train/Rankings.h"

namespace kiln::metrics {
namespace {

std::string atK(const char *what, std::optional<int64_t> k,
                std::optional<int64_t> classId) {
  return strCat(what, "_at_", k ? std::to_string(*k) : std::string("k"),
                classId ? strCat("_class", *classId) : std::string());
}

/// A number for each row, times the row's weight.
Output weightedRows(const Output &rows, const std::optional<Input> &weights) {
  Output numbers = ops::cast(rows, DType::Float64);
  if (!weights || !numbers.node)
    return numbers;
  const Node *check = assertBroadcastable(*weights, numbers);
  if (!check)
    return {};
  ControlScope after({check});
  return ops::multiply(numbers, ops::cast(*weights, DType::Float64));
}

/// What is counted in sets of labels and predictions.
struct Count {
  const char *variable; ///< "true_positive"
  const char *scope;
  SparseTensor (*of)(const Sets &predictions, const Sets &labels);
};
const Count truePositive{"true_positive", "true_positives",
                         [](const Sets &predictions, const Sets &labels) {
                           return ops::setIntersection(predictions, labels);
                         }};
const Count falseNegative{"false_negative", "false_negatives",
                          [](const Sets &predictions, const Sets &labels) {
                            return ops::setDifference(predictions, labels,
                                                      false);
                          }};
const Count falsePositive{"false_positive", "false_positives",
                          [](const Sets &predictions, const Sets &labels) {
                            return ops::setDifference(predictions, labels,
                                                      true);
                          }};

Output countedRows(const Count &count, const Sets &labels,
                   const Sets &predictions, std::optional<int64_t> classId,
                   const std::optional<Input> &weights,
                   std::string_view name = {}) {
  NameScope scope(name.empty() ? std::string_view(count.scope) : name);
  Sets right = classId ? ofClass(labels, *classId) : labels;
  Sets found = classId ? ofClass(predictions, *classId) : predictions;
  return weightedRows(ops::setSize(count.of(found, right)), weights);
}

struct Sum {
  Variable variable;
  Assignment update;
};

Sum summed(const Count &count, const Sets &labels, const Sets &predictions,
           std::optional<int64_t> k, std::optional<int64_t> classId,
           const std::optional<Input> &weights) {
  NameScope scope(atK(count.variable, k, classId));
  Output rows = countedRows(count, labels, predictions, classId, weights);
  if (!rows.node)
    return {};
  Output batch = ops::cast(ops::reduceSum(rows), DType::Float64);
  Variable sum = sumVariable({}, DType::Float64, scope.name());
  return {sum, ops::assignAdd(sum, batch, {.name = "update"})};
}

/// True positives by all that are positive in one way.
Metric shareAtTopK(const TensorOrSparse &labels, const Input &predictions,
                   std::optional<int64_t> k, std::optional<int64_t> classId,
                   const Count &wrong, const char *what,
                   const MetricOptions &options) {
  GraphScope graph(graphOf(predictions).value_or(GraphBuilder::current()));
  NameScope scope(options.name.empty() ? atK(what, k, classId) : options.name);
  Output given = GraphBuilder::current().convert(predictions);
  if (!given.node)
    return {};
  Sets right = expandedLabels(setsOf(labels), given);
  Sets found(ops::cast(given, DType::Int64));
  Sum hits = summed(truePositive, right, found, k, classId, options.weights);
  Sum others = summed(wrong, right, found, k, classId, options.weights);
  if (!others.variable.isValid())
    return {};
  Output all = ops::add(hits.variable, others.variable);
  Output value = ops::divide(hits.variable, all, {.name = scope.name()});
  all = ops::add(hits.update, others.update);
  Output update = ops::divide(hits.update, all, {.name = "update"});
  return collected(value, update, options);
}

/// The same of the k best.
Metric shareAtK(const TensorOrSparse &labels, const Input &predictions,
                int64_t k, std::optional<int64_t> classId, const Count &wrong,
                const char *what, const MetricOptions &options) {
  GraphScope graph(graphOf(predictions).value_or(GraphBuilder::current()));
  NameScope scope(options.name.empty() ? atK(what, k, classId) : options.name);
  Output best = ops::topKV2(predictions, k).indices;
  if (!best.node)
    return {};
  MetricOptions own = options;
  own.name = scope.name();
  return shareAtTopK(labels, best, k, classId, wrong, what, own);
}

} // namespace

Metric recallAtK(const TensorOrSparse &labels, const Input &predictions,
                 int64_t k, std::optional<int64_t> classId,
                 const MetricOptions &options) {
  return shareAtK(labels, predictions, k, classId, falseNegative, "recall",
                  options);
}
Metric recallAtTopK(const TensorOrSparse &labels, const Input &predictions,
                    std::optional<int64_t> k, std::optional<int64_t> classId,
                    const MetricOptions &options) {
  return shareAtTopK(labels, predictions, k, classId, falseNegative, "recall",
                     options);
}
Metric precisionAtK(const TensorOrSparse &labels, const Input &predictions,
                    int64_t k, std::optional<int64_t> classId,
                    const MetricOptions &options) {
  return shareAtK(labels, predictions, k, classId, falsePositive, "precision",
                  options);
}
Metric precisionAtTopK(const TensorOrSparse &labels, const Input &predictions,
                       std::optional<int64_t> k, std::optional<int64_t> classId,
                       const MetricOptions &options) {
  return shareAtTopK(labels, predictions, k, classId, falsePositive,
                     "precision", options);
}

namespace {

/// For each row, the mean of the precisions at the ranks that have a label.
/// **Source**: metrics_impl._sparse_average_precision_at_top_k.
Output averagePrecisions(const Sets &labels, const Output &given, int64_t k) {
  NameScope scope("average_precision");
  Output predictions =
      ops::cast(given, DType::Int64, {.name = "predictions_idx"});
  Sets right = expandedLabels(labels, predictions);
  Output perRank =
      ops::expandDims(predictions, -1, {.name = "predictions_idx_per_k"});
  Sets perRankLabels = repeated(right, k, "labels_per_k");
  Output isRight = countedRows(truePositive, perRankLabels, Sets(perRank), {},
                               {}, "relevant_per_k");
  if (!isRight.node)
    return {};
  Output hits = ops::cumsum(isRight, -1, {.name = "tp_per_k"});
  Output retrieved =
      ops::cumsum(ops::onesLike(isRight), -1, {.name = "retrieved_per_k"});
  Output precisions = ops::divide(ops::cast(hits, DType::Float64),
                                  ops::cast(retrieved, DType::Float64),
                                  {.name = "precision_per_k"});
  Output ofRight = ops::multiply(precisions, ops::cast(isRight, DType::Float64),
                                 {.name = "relevant_precision_per_k"});
  Output sum =
      ops::reduceSumOver(ofRight, Input{-1}, {.name = "precision_sum"});
  Output count = ops::cast(numRelevant(right, k), DType::Float64);
  return ops::divide(sum, count, {.name = scope.name()});
}

} // namespace

Metric averagePrecisionAtK(const TensorOrSparse &labels,
                           const Input &predictions, int64_t k,
                           const MetricOptions &options) {
  GraphScope graph(graphOf(predictions).value_or(GraphBuilder::current()));
  if (k < 1) {
    GraphBuilder::current().fail(
        invalidArgumentError(strCat("Invalid k=", k, ". `k` should be >= 1.")));
    return {};
  }
  NameScope scope(options.name.empty() ? atK("average_precision", k, {})
                                       : options.name);
  Output best = ops::topKV2(predictions, k).indices;
  Output classes = ops::cast(ops::shape(predictions)[-1], DType::Int64);
  if (!best.node || !classes.node)
    return {};
  Sets right = withoutUnknown(setsOf(labels), classes);
  Output rows = averagePrecisions(right, best, k);
  if (!rows.node)
    return {};
  Output weights;
  if (options.weights) {
    weights =
        broadcastWeights(ops::cast(*options.weights, DType::Float64), rows);
    rows = ops::multiply(rows, weights);
  }
  Sum most, total;
  {
    NameScope own("max");
    most.variable = sumVariable({}, DType::Float64, own.name());
    Output batch =
        weights.node
            ? ops::reduceSum(weights, {.name = "batch_max"})
            : ops::cast(ops::size(rows, {.name = "batch_max"}), DType::Float64);
    most.update = ops::assignAdd(most.variable, batch, {.name = "update"});
  }
  {
    NameScope own("total");
    total.variable = sumVariable({}, DType::Float64, own.name());
    Output batch = ops::reduceSum(rows, {.name = "batch_total"});
    total.update = ops::assignAdd(total.variable, batch, {.name = "update"});
  }
  Output value = ops::divNoNan(total.variable, most.variable, {.name = "mean"});
  Output update =
      ops::divNoNan(total.update, most.update, {.name = scope.name()});
  return collected(value, update, options);
}

} // namespace kiln::metrics
