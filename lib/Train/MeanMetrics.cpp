// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Means over many batches, as TensorFlow's Python adds them.
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ElementwiseOps.h"
#include "kiln/ops/Indexing.h"
#include "kiln/ops/Layout.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/ReductionOps.h"
#include "kiln/ops/StateOps.h"
#include "lib/Build/BuildState.h"
#include "lib/Train/Broadcastable.h"
#include "lib/Train/MetricParts.h"

namespace kiln::metrics {
namespace {

std::string nameOr(const MetricOptions &options, const char *name) {
  return options.name.empty() ? name : options.name;
}

/// The mean under the function's own name.
Metric meanOf(const Output &values, const std::optional<Output> &weights,
              const MetricOptions &options, const char *name) {
  if (!values.node)
    return {};
  MetricOptions own = options;
  own.name = nameOr(options, name);
  own.weights = weights ? std::optional<Input>(*weights) : std::nullopt;
  return mean(values, own);
}

Output quotient(const Input &total, const Input &count, const char *name) {
  Output atLeast = ops::maximum(count, 0);
  return ops::divNoNan(total, atLeast, {.name = name});
}

struct Weighted {
  Output values;
  Output weights; ///< none where there are none
};

/// The values times the weights, in their shape.
Weighted weighted(const Output &given, const MetricOptions &options) {
  if (!options.weights)
    return {given, {}};
  Adjusted both = adjusted(given, std::nullopt, options.weights);
  if (!both.isValid())
    return {};
  Output weights = broadcastWeights(ops::cast(*both.weights, DType::Float32),
                                    both.predictions);
  return {ops::multiply(both.predictions, weights), weights};
}

/// Adds what a batch has to both sums, and divides them.
Metric meanOfSums(const Variable &total, const Variable &count,
                  const Output &values, const Output &sum, const Output &number,
                  const MetricOptions &options) {
  if (!sum.node || !number.node)
    return {};
  Assignment newTotal = ops::assignAdd(total, sum), newCount;
  {
    ControlScope after({values});
    newCount = ops::assignAdd(count, number);
  }
  Output value = quotient(total, count, "value");
  Output update = quotient(newTotal, newCount, "update_op");
  return collected(value, update, options);
}

} // namespace

Metric mean(const Input &given, const MetricOptions &options) {
  MetricScope scope(given, options, "mean");
  Output values = ops::cast(given, DType::Float32);
  if (!values.node)
    return {};
  Variable total = sumVariable({}, DType::Float32, "total");
  Variable count = sumVariable({}, DType::Float32, "count");
  Output number;
  if (!options.weights)
    number = ops::cast(ops::size(values), DType::Float32);
  Weighted all = weighted(values, options);
  if (!all.values.node)
    return {};
  if (options.weights)
    number = ops::reduceSum(all.weights);
  return meanOfSums(total, count, all.values, ops::reduceSum(all.values),
                    number, options);
}

Metric meanTensor(const Input &given, const MetricOptions &options) {
  MetricScope scope(given, options, "mean");
  Output values = ops::cast(given, DType::Float32);
  if (!values.node)
    return {};
  Variable total = sumVariable(values.shape(), DType::Float32, "total_tensor");
  Variable count = sumVariable(values.shape(), DType::Float32, "count_tensor");
  Output number = ops::onesLike(values);
  Weighted all = weighted(values, options);
  if (!all.values.node)
    return {};
  if (options.weights)
    number = ops::multiply(number, all.weights);
  return meanOfSums(total, count, all.values, all.values, number, options);
}

Metric accuracy(const Input &labels, const Input &predictions,
                const MetricOptions &options) {
  GraphScope graph(graphOf(predictions).value_or(GraphBuilder::current()));
  Adjusted both = adjusted(predictions, labels, options.weights);
  if (!both.isValid())
    return {};
  Output found = both.predictions;
  if (both.labels.dtype() != found.dtype())
    found = ops::cast(found, both.labels.dtype());
  Output isRight = ops::cast(ops::equal(found, both.labels), DType::Float32);
  return meanOf(isRight, both.weights, options, "accuracy");
}

Metric meanAbsoluteError(const Input &labels, const Input &predictions,
                         const MetricOptions &options) {
  GraphScope graph(graphOf(predictions).value_or(GraphBuilder::current()));
  Adjusted both = adjusted(predictions, labels, options.weights);
  if (!both.isValid())
    return {};
  Output errors = ops::abs(both.predictions - both.labels);
  return meanOf(errors, both.weights, options, "mean_absolute_error");
}

Metric meanSquaredError(const Input &labels, const Input &predictions,
                        const MetricOptions &options) {
  GraphScope graph(graphOf(predictions).value_or(GraphBuilder::current()));
  Adjusted both = adjusted(predictions, labels, options.weights);
  if (!both.isValid())
    return {};
  Output errors = ops::squaredDifference(both.labels, both.predictions);
  return meanOf(errors, both.weights, options, "mean_squared_error");
}

Metric rootMeanSquaredError(const Input &labels, const Input &predictions,
                            const MetricOptions &options) {
  GraphScope graph(graphOf(predictions).value_or(GraphBuilder::current()));
  Adjusted both = adjusted(predictions, labels, options.weights);
  if (!both.isValid())
    return {};
  MetricOptions own{.name = nameOr(options, "root_mean_squared_error")};
  if (both.weights)
    own.weights = *both.weights;
  Metric squares = meanSquaredError(both.labels, both.predictions, own);
  if (!squares.value.node)
    return {};
  Output value = ops::sqrt(squares.value);
  return collected(value, ops::sqrt(squares.update), options);
}

Metric meanRelativeError(const Input &labels, const Input &predictions,
                         const Input &normalizer,
                         const MetricOptions &options) {
  GraphScope graph(graphOf(predictions).value_or(GraphBuilder::current()));
  Adjusted both = adjusted(predictions, labels, options.weights);
  if (!both.isValid())
    return {};
  auto scaled = ops::removeSqueezableDimensions(both.predictions, normalizer);
  Output found = scaled.labels, scale = scaled.predictions;
  if (!areCompatible(found, scale))
    return {};
  Output isZero = ops::equal(scale, 0.0);
  Output zeros = ops::zerosLike(both.labels);
  Output distance = ops::abs(both.labels - found);
  Output errors = ops::where(isZero, zeros, ops::divide(distance, scale));
  return meanOf(errors, both.weights, options, "mean_relative_error");
}

Metric meanCosineDistance(const Input &labels, const Input &predictions,
                          int64_t axis, const MetricOptions &options) {
  GraphScope graph(graphOf(predictions).value_or(GraphBuilder::current()));
  Adjusted both = adjusted(predictions, labels, options.weights);
  if (!both.isValid())
    return {};
  Output products = ops::multiply(both.predictions, both.labels);
  products = ops::reduceSumOver(products, Input{axis}, {.keepDims = true});
  Metric similar = meanOf(products, both.weights, {.name = options.name},
                          "mean_cosine_distance");
  if (!similar.value.node)
    return {};
  Output value = ops::subtract(1.0, similar.value);
  return collected(value, ops::subtract(1.0, similar.update), options);
}

Metric percentageBelow(const Input &values, const Input &threshold,
                       const MetricOptions &options) {
  GraphScope graph(graphOf(values).value_or(GraphBuilder::current()));
  Output isBelow = ops::cast(ops::less(values, threshold), DType::Float32);
  if (!isBelow.node)
    return {};
  MetricOptions own = options;
  own.name = nameOr(options, "percentage_below_threshold");
  return mean(isBelow, own);
}

namespace {

/// A tensor with one axis.
Output flat(const Output &x) {
  return x.node && x.shape().rank() > 1 ? ops::reshape(x, Input{-1}) : x;
}

} // namespace

Metric meanIou(const Input &labels, const Input &predictions,
               int64_t numClasses, const MetricOptions &options) {
  MetricScope scope(predictions, options, "mean_iou");
  GraphBuilder graph = GraphBuilder::current();
  Output found = graph.convert(predictions), right = graph.convert(labels);
  if (!areCompatible(found, right))
    return {};
  Variable total = sumVariable({numClasses, numClasses}, DType::Float64,
                               "total_confusion_matrix");
  found = ops::cast(found, DType::Int64);
  right = ops::cast(right, DType::Int64);
  Output classes = ops::cast(numClasses, DType::Int64);
  found = flat(found);
  right = flat(right);
  std::optional<Input> weights;
  if (options.weights)
    weights = flat(graph.convert(*options.weights));
  Output matrix = ops::confusionMatrix(
      right, found,
      {.numClasses = classes, .dtype = DType::Float64, .weights = weights});
  if (!matrix.node)
    return {};
  Assignment update = ops::assignAdd(total, matrix);
  Output ofRows = ops::cast(ops::reduceSumOver(total, 0), DType::Float32);
  Output ofColumns = ops::cast(ops::reduceSumOver(total, 1), DType::Float32);
  Output diagonal = ops::cast(ops::diagPart(total), DType::Float32);
  Output denominator = ofRows + ofColumns;
  denominator = denominator - diagonal;
  Output isThere = ops::cast(ops::notEqual(denominator, 0), DType::Float32);
  Output numThere = ops::reduceSum(isThere);
  Output isPositive = denominator > 0;
  denominator = ops::where(isPositive, denominator, ops::onesLike(denominator));
  Output iou = ops::divide(diagonal, denominator);
  Output isAny = numThere > 0;
  Output sum = ops::reduceSum(iou, {.name = "mean_iou"});
  Output value = ops::where(isAny, sum / numThere, 0);
  return collected(value, update.value(), options);
}

namespace {

/// Adds rows to a variable's; gives what it becomes.
Output scatterAdded(const Variable &variable, const Output &indices,
                    const Output &updates) {
  if (!variable.isResource())
    return rawOps::scatterAdd(variable.handle(), indices, updates);
  const Node *done =
      rawOps::resourceScatterAdd(variable.handle(), indices, updates);
  if (!done)
    return {};
  ControlScope after({done});
  return variable.readValue();
}

} // namespace

Metric meanPerClassAccuracy(const Input &labels, const Input &predictions,
                            int64_t numClasses, const MetricOptions &options) {
  MetricScope scope(predictions, options, "mean_accuracy");
  GraphBuilder graph = GraphBuilder::current();
  Output right = flat(ops::cast(labels, DType::Int64));
  Output found = flat(graph.convert(predictions));
  if (!areCompatible(found, right))
    return {};
  Variable total = sumVariable({numClasses}, DType::Float32, "total");
  Variable count = sumVariable({numClasses}, DType::Float32, "count");
  Output ones = ops::ones(Input{ops::size(right)}, {.dtype = DType::Float32});
  if (right.dtype() != found.dtype())
    found = ops::cast(found, right.dtype());
  Output isRight = ops::cast(ops::equal(found, right), DType::Float32);
  if (options.weights) {
    Output weights =
        ops::cast(flat(graph.convert(*options.weights)), DType::Float32);
    isRight = isRight * weights;
    ones = ones * weights;
  }
  Output newTotal = scatterAdded(total, right, ones);
  Output newCount = scatterAdded(count, right, isRight);
  if (!newTotal.node || !newCount.node)
    return {};
  Output atLeast = ops::maximum(total, 0);
  Output each = ops::divNoNan(count, atLeast);
  Output value = ops::reduceMean(each, {.name = "mean_accuracy"});
  atLeast = ops::maximum(newTotal, 0);
  Output update = ops::divNoNan(newCount, atLeast, {.name = "update_op"});
  return collected(value, update, options);
}

} // namespace kiln::metrics
