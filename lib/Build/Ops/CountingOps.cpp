// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts of what falls into classes and intervals, as TensorFlow's Python adds
// them.
#include "kiln/ops/Counting.h"

#include "kiln/ControlFlow.h"
#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/CheckOps.h"
#include "kiln/ops/ControlOps.h"
#include "kiln/ops/Indexing.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/ReductionOps.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Graph/TensorText.h"
#include "lib/Support/Strings.h"

namespace kiln::ops {
namespace {

/// Whether the last axis may be of extent 1.
bool mayEndInOne(const Shape &shape) {
  if (!shape.hasRank())
    return true;
  int64_t last = shape.rank() > 0 ? shape.dim(-1) : 0;
  return last == 1 || last == Shape::unknownDim;
}

Output squeezedIf(const Input &difference, const Output &known,
                  const Output &tensor) {
  return cond(
      rawOps::equal(difference, known),
      [&] { return BranchResult(squeeze(tensor, {.axis = {-1}})); },
      [&] { return BranchResult(tensor); });
}

} // namespace

LabelsAndPredictions
removeSqueezableDimensions(const Input &labels, const Input &predictions,
                           const SqueezableOptions &options) {
  FunctionScope scope(options.name, "remove_squeezable_dimensions",
                      {&labels, &predictions});
  Output y = valueOf(predictions), x = valueOf(labels);
  if (!x.node || !y.node)
    return {};
  const Shape &rows = x.shape(), &columns = y.shape();
  int64_t expected = options.expectedRankDifference;
  if (rows.hasRank() && columns.hasRank()) {
    int64_t difference = columns.rank() - rows.rank();
    if (difference == expected + 1 && mayEndInOne(columns))
      y = squeeze(y, {.axis = {-1}});
    else if (difference == expected - 1 && mayEndInOne(rows))
      x = squeeze(x, {.axis = {-1}});
    return {x, y};
  }
  Output difference = rank(y);
  difference = difference - rank(x);
  if (mayEndInOne(columns))
    y = squeezedIf(expected + 1, difference, y);
  if (mayEndInOne(rows))
    x = squeezedIf(expected - 1, difference, x);
  return {x, y};
}

namespace {

/// The numbers, once they are known to be at least 0.
Output withoutNegatives(const Output &numbers, std::string message) {
  return withDependencies(
      {assertNonNegative(numbers, {.message = std::move(message)})}, numbers);
}
/// The numbers, once they are known to be below a limit.
Output below(const Output &numbers, const Output &limit, std::string message) {
  return withDependencies(
      {assertLess(numbers, limit, {.message = std::move(message)})}, numbers);
}

} // namespace

Output confusionMatrix(const Input &labels, const Input &predictions,
                       const ConfusionMatrixOptions &options) {
  FunctionScope scope(options.name, "confusion_matrix",
                      {&predictions, &labels});
  Output given = convert(labels, "labels");
  auto [rows, columns] =
      removeSqueezableDimensions(given, convert(predictions, "predictions"));
  if (!rows.node || !columns.node)
    return {};
  columns = cast(columns, DType::Int64);
  rows = cast(rows, DType::Int64);
  rows = withoutNegatives(rows, "`labels` contains negative values");
  columns = withoutNegatives(columns, "`predictions` contains negative values");
  Input classes = 0;
  if (options.numClasses) {
    classes = *options.numClasses;
    Output limit = cast(classes, DType::Int64);
    rows = below(rows, limit, "`labels` out of bound");
    columns = below(columns, limit, "`predictions` out of bound");
  } else {
    Output largest = reduceMax(columns);
    Output most = rawOps::maximum(largest, reduceMax(rows));
    if (!most.node)
      return {};
    classes = most + 1;
  }
  Output weights;
  if (options.weights) {
    weights = convert(*options.weights, "weights");
    if (weights.node && columns.node &&
        !columns.shape().isCompatibleWith(weights.shape()))
      return failed(invalidArgumentError(strCat(
                        "Shapes ", columns.shape().toTupleString(), " and ",
                        weights.shape().toTupleString(), " are incompatible")),
                    scope);
    weights = cast(weights, options.dtype);
  }
  Output extents = stack({classes, classes});
  Output indices = stack({rows, columns}, {.axis = 1});
  if (!weights.node)
    weights = onesLike(columns, {.dtype = options.dtype});
  return rawOps::scatterNd(indices, weights, cast(extents, DType::Int64));
}

Output histogramFixedWidth(const Input &values, const Input &valueRange,
                           const HistogramOptions &options) {
  FunctionScope scope(options.name, "histogram_fixed_width",
                      {&values, &valueRange, &options.nbins});
  return rawOps::histogramFixedWidth(values, valueRange, options.nbins,
                                     {.dtype = options.dtype, .name = scope});
}

Output histogramFixedWidthBins(const Input &values, const Input &valueRange,
                               const HistogramOptions &options) {
  FunctionScope scope(options.name, "histogram_fixed_width_bins",
                      {&values, &valueRange, &options.nbins});
  Output given = convert(values, "values");
  Output extents = shape(given);
  Output flat = rawOps::reshape(given, {-1});
  Output range = convert(valueRange, "value_range");
  Output bins = convert(options.nbins, "nbins", DType::Int32);
  if (!flat.node || !range.node || !bins.node)
    return {};
  Output isPositive = rawOps::greater(bins, 0);
  const Node *check =
      assertThat(isPositive, {strCat("nbins ", tensorText(bins), " must > 0")});
  Output number = cast(withDependencies({check}, bins), flat.dtype());
  if (!number.node)
    return {};
  Output distance = flat - range[0];
  Output width = range[1];
  width = width - range[0];
  Output scaled = trueDiv(distance, width, {.name = "scaled_values"});
  Output indices = rawOps::floor(number * scaled, {.name = "indices"});
  indices = cast(clipByValue(indices, 0, number - 1), DType::Int32);
  return rawOps::reshape(indices, extents);
}

Output bincount(const Input &values, const BincountOptions &options) {
  FunctionScope scope("", "bincount", {&values});
  Output numbers = convert(values, "arr");
  Output weights =
      options.weights ? convert(*options.weights, "weights") : Output();
  if (!numbers.node)
    return {};
  if (!isInteger(numbers.dtype()))
    numbers = cast(numbers, DType::Int32);
  if (!numbers.node)
    return {};
  DType dtype = numbers.dtype();
  Output isFilled = size(numbers) > 0;
  Output length = cast(isFilled, dtype);
  Output most = reduceMax(numbers) + 1;
  length = length * most;
  if (options.minLength)
    length = rawOps::maximum(convert(*options.minLength, "minlength", dtype),
                             length);
  if (options.maxLength)
    length = rawOps::minimum(convert(*options.maxLength, "maxlength", dtype),
                             length);
  if (weights.node)
    weights = rawOps::reshape(weights, {-1});
  Output flat = rawOps::reshape(numbers, {-1});
  if (!weights.node)
    weights = constant(Input(Input::List()), {.dtype = options.dtype});
  return rawOps::denseBincount(flat, length, weights);
}

} // namespace kiln::ops
