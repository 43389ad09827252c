// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Right and wrong predictions at several thresholds, as TensorFlow's Python
// adds them.
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/CheckOps.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/ElementwiseOps.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/StateOps.h"
#include "lib/Build/BuildState.h"
#include "lib/Support/Strings.h"
#include "lib/Train/Broadcastable.h"
#include "lib/Train/Helpers.h"
#include "lib/Train/MetricParts.h"

#include <algorithm>

namespace kiln::metrics {
namespace {

/// What a prediction and its label may be.
enum Cell { TruePositive, FalseNegative, TrueNegative, FalsePositive };
constexpr const char *cellNames[] = {"true_positives", "false_negatives",
                                     "true_negatives", "false_positives"};

/// A sum an element of the thresholds, for each cell that was asked for.
class Cells {
public:
  /// **Source**: metrics_impl._confusion_matrix_at_thresholds.
  static std::optional<Cells> of(const Input &labels, const Input &predictions,
                                 const std::vector<double> &thresholds,
                                 const std::optional<Input> &weights,
                                 const std::vector<Cell> &asked);
  Input value(Cell cell) const { return variables[cell]; }
  Input update(Cell cell) const { return updates[cell]; }

private:
  std::array<Variable, 4> variables;
  std::array<Assignment, 4> updates;
};

/// Both with a check that predictions lie in [0, 1].
Adjusted checked(const Input &labels, const Input &given,
                 const std::optional<Input> &weights) {
  Output predictions = GraphBuilder::current().convert(given);
  if (!predictions.node)
    return {};
  auto limit = [&](double number) {
    return ops::cast(number, predictions.dtype());
  };
  const std::string message = "predictions must be in [0, 1]";
  const Node *least =
      ops::assertGreaterEqual(predictions, limit(0), {.message = message});
  const Node *most =
      ops::assertLessEqual(predictions, limit(1), {.message = message});
  if (!least || !most)
    return {};
  ControlScope after({least, most});
  Output found = ops::cast(predictions, DType::Float32);
  Output right = ops::cast(labels, DType::Bool);
  if (!found.node || !right.node)
    return {};
  return adjusted(found, right, weights);
}

std::optional<Cells> Cells::of(const Input &labels, const Input &predictions,
                               const std::vector<double> &thresholds,
                               const std::optional<Input> &weights,
                               const std::vector<Cell> &asked) {
  Adjusted both = checked(labels, predictions, weights);
  if (!both.isValid())
    return std::nullopt;
  auto has = [&](Cell cell) {
    return std::ranges::find(asked, cell) != asked.end();
  };
  const auto count = static_cast<int64_t>(thresholds.size());
  Output column = ops::reshape(both.predictions, Input{-1, 1});
  Output row = ops::reshape(ops::cast(both.labels, DType::Bool), Input{1, -1});
  if (!column.node || !row.node)
    return std::nullopt;
  Input number = column.shape().dim(0);
  if (column.shape().dim(0) < 0)
    number = ops::shape(column)[0];
  Output limits = ops::expandDims(ops::constant(thresholds), Input{1});
  limits = ops::tile(limits, ops::stack({1, number}));
  Output isPositive =
      ops::greater(ops::tile(ops::transpose(column), Input{count, 1}), limits);
  Output isNegative;
  if (has(FalseNegative) || has(TrueNegative))
    isNegative = ops::logicalNot(isPositive);
  Output ofPositive = ops::tile(row, Input{count, 1}), ofNegative;
  if (has(FalsePositive) || has(TrueNegative))
    ofNegative = ops::logicalNot(ofPositive);
  Output weight;
  if (both.weights) {
    weight = broadcastWeights(ops::cast(*both.weights, DType::Float32),
                              both.predictions);
    weight = ops::tile(ops::reshape(weight, Input{1, -1}), Input{count, 1});
    if (!areCompatible(limits, weight))
      return std::nullopt;
  }
  Cells cells;
  for (Cell cell : {TruePositive, FalseNegative, TrueNegative, FalsePositive}) {
    if (!has(cell))
      continue;
    const bool label = cell == TruePositive || cell == FalseNegative;
    const bool found = cell == TruePositive || cell == FalsePositive;
    Variable sum = sumVariable({count}, DType::Float32, cellNames[cell]);
    Output is = ops::cast(ops::logicalAnd(label ? ofPositive : ofNegative,
                                          found ? isPositive : isNegative),
                          DType::Float32);
    if (weight.node)
      is = is * weight;
    Output added = ops::reduceSumOver(is, 1);
    if (!added.node)
      return std::nullopt;
    cells.variables[cell] = sum;
    cells.updates[cell] = ops::assignAdd(sum, added);
  }
  return cells;
}

Output tensorOf(const Input &value) {
  return GraphBuilder::current().convert(value);
}
Output divided(const Input &x, const Input &y, const std::string &name = {}) {
  return ops::divide(x, y, {.name = name});
}

/// The sums of one cell.
Metric cellAt(const Input &labels, const Input &predictions,
              const std::vector<double> &thresholds, Cell cell,
              const MetricOptions &options) {
  MetricScope scope(predictions, options, cellNames[cell]);
  auto cells =
      Cells::of(labels, predictions, thresholds, options.weights, {cell});
  if (!cells)
    return {};
  Output value = ops::identity(cells->value(cell));
  return collected(value, tensorOf(cells->update(cell)), options);
}

/// True positives of all that are positive in one way.
Metric shareAt(const Input &labels, const Input &predictions,
               const std::vector<double> &thresholds, Cell wrong,
               const char *name, const char *scopeName,
               const MetricOptions &options) {
  MetricScope scope(predictions, options, scopeName);
  auto cells = Cells::of(labels, predictions, thresholds, options.weights,
                         {TruePositive, wrong});
  if (!cells)
    return {};
  auto share = [&](const Input &right, const Input &others, const char *what) {
    Output sum = binary("add", 1e-7, right);
    return divided(right, binary("add", sum, others), strCat(name, what));
  };
  Output value =
      share(cells->value(TruePositive), cells->value(wrong), "_value");
  Output update =
      share(cells->update(TruePositive), cells->update(wrong), "_update_op");
  return collected(value, update, options);
}

/// So many thresholds, equally apart, the first and the last beyond the ends.
std::vector<double> evenThresholds(int64_t count, double last) {
  std::vector<double> all{0.0 - 1e-7};
  for (int64_t i = 0; i < count - 2; ++i)
    all.push_back(static_cast<double>(i + 1) * 1.0 /
                  static_cast<double>(count - 1));
  all.push_back(last);
  return all;
}

const std::vector<Cell> allCells{TruePositive, FalseNegative, TrueNegative,
                                 FalsePositive};

} // namespace

Metric truePositivesAtThresholds(const Input &labels, const Input &predictions,
                                 const std::vector<double> &thresholds,
                                 const MetricOptions &options) {
  return cellAt(labels, predictions, thresholds, TruePositive, options);
}
Metric trueNegativesAtThresholds(const Input &labels, const Input &predictions,
                                 const std::vector<double> &thresholds,
                                 const MetricOptions &options) {
  return cellAt(labels, predictions, thresholds, TrueNegative, options);
}
Metric falsePositivesAtThresholds(const Input &labels, const Input &predictions,
                                  const std::vector<double> &thresholds,
                                  const MetricOptions &options) {
  return cellAt(labels, predictions, thresholds, FalsePositive, options);
}
Metric falseNegativesAtThresholds(const Input &labels, const Input &predictions,
                                  const std::vector<double> &thresholds,
                                  const MetricOptions &options) {
  return cellAt(labels, predictions, thresholds, FalseNegative, options);
}

Metric precisionAtThresholds(const Input &labels, const Input &predictions,
                             const std::vector<double> &thresholds,
                             const MetricOptions &options) {
  return shareAt(labels, predictions, thresholds, FalsePositive, "precision",
                 "precision_at_thresholds", options);
}
Metric recallAtThresholds(const Input &labels, const Input &predictions,
                          const std::vector<double> &thresholds,
                          const MetricOptions &options) {
  return shareAt(labels, predictions, thresholds, FalseNegative, "recall",
                 "recall_at_thresholds", options);
}

namespace {

/// The area under the curve of points at thresholds.
class Area {
public:
  Area(const AucOptions &options, int64_t count)
      : options(options), last(count - 1) {}

  Output of(const Input &tp, const Input &fn, const Input &tn, const Input &fp,
            const char *name) const {
    constexpr double epsilon = 1e-6;
    const bool isRoc = options.curve == "ROC";
    if (!isRoc && options.summationMethod == "careful_interpolation")
      return interpolated(tp, fp, fn);
    Output plus = binary("add", tp, epsilon);
    Output positives = binary("add", binary("add", tp, fn), epsilon);
    Output recall = divided(plus, positives);
    Output x = recall, y = recall;
    if (isRoc) {
      Output negatives = binary("add", binary("add", fp, tn), epsilon);
      x = divided(fp, negatives);
    } else {
      plus = binary("add", tp, epsilon);
      Output found = binary("add", binary("add", tp, fp), epsilon);
      y = divided(plus, found);
    }
    Output before = head(x);
    Output width = before - tail(x);
    before = head(y);
    Output height;
    if (options.summationMethod == "minoring")
      height = ops::minimum(before, tail(y));
    else if (options.summationMethod == "majoring")
      height = ops::maximum(before, tail(y));
    else
      height = (before + tail(y)) / 2.0;
    return ops::reduceSum(ops::multiply(width, height), {.name = name});
  }

private:
  Output head(const Input &x) const { return tensorOf(x)[{sliceTo(last)}]; }
  Output tail(const Input &x) const { return tensorOf(x)[{sliceFrom(1)}]; }

  /// Of precision by recall, between the points as the counts are.
  Output interpolated(const Input &tp, const Input &fp, const Input &fn) const {
    Output before = head(tp);
    Output change = before - tail(tp);
    Output positives = binary("add", tp, fp);
    before = head(positives);
    Output difference = ops::maximum(before - tail(positives), 0);
    Output slope = ops::divNoNan(change, difference, {.name = "prec_slope"});
    Output right = tail(tp);
    Output intercept = right - ops::multiply(slope, tail(positives));
    Output isBefore = head(positives) > 0;
    Output isThere = ops::logicalAnd(isBefore, tail(positives) > 0);
    before = head(positives);
    Output ratio = ops::divNoNan(before, ops::maximum(tail(positives), 0),
                                 {.name = "recall_relative_ratio"});
    Output one = ops::onesLike(tail(positives));
    Output safe = ops::where(isThere, ratio, one);
    Output grown = change + intercept * ops::log(safe);
    Output area = slope * grown;
    right = tail(tp);
    Output all = ops::maximum(right + tail(fn), 0);
    Output each = ops::divNoNan(area, all, {.name = "pr_auc_increment"});
    return ops::reduceSum(each, {.name = "interpolate_pr_auc"});
  }

  const AucOptions &options;
  int64_t last;
};

} // namespace

Metric auc(const Input &labels, const Input &predictions,
           const AucOptions &given, const MetricOptions &options) {
  MetricScope scope(predictions, options, "auc");
  if (given.curve != "ROC" && given.curve != "PR")
    return scope.refuse(strCat("Curve must be either ROC or PR. Curve ",
                               given.curve, " is unknown."));
  const std::string &method = given.summationMethod;
  if (method != "trapezoidal" && method != "careful_interpolation" &&
      method != "minoring" && method != "majoring")
    return scope.refuse(strCat("Invalid summation_method: ", method,
                               " summation_method should be 'trapezoidal', "
                               "'careful_interpolation', 'minoring', or "
                               "'majoring'."));
  std::vector<double> thresholds =
      evenThresholds(given.numThresholds, 1.0 + 1e-7);
  if (given.thresholds) {
    thresholds = *given.thresholds;
    std::ranges::sort(thresholds);
    thresholds.insert(thresholds.begin(), 0.0 - 1e-7);
    thresholds.push_back(1.0 + 1e-7);
  }
  auto cells =
      Cells::of(labels, predictions, thresholds, options.weights, allCells);
  if (!cells)
    return {};
  Area area(given, static_cast<int64_t>(thresholds.size()));
  Output value =
      area.of(cells->value(TruePositive), cells->value(FalseNegative),
              cells->value(TrueNegative), cells->value(FalsePositive), "value");
  Output update = area.of(
      cells->update(TruePositive), cells->update(FalseNegative),
      cells->update(TrueNegative), cells->update(FalsePositive), "update_op");
  return collected(value, update, options);
}

namespace {

Output at(const Input &values, const Output &index) {
  return tensorOf(values)[index];
}

Metric outsideOfRange(const MetricScope &scope, const char *name,
                      double number) {
  return scope.refuse(strCat("`", name,
                             "` must be in the range [0, 1]. "
                             "Currently, `",
                             name, "` got ", number, "."));
}

/// right / (right + wrong) at an index of the thresholds.
Output shareAtIndex(const Input &right, const Input &wrong, const Output &index,
                    const char *name) {
  Output part = at(right, index);
  Output again = at(right, index);
  Output sum = again + at(wrong, index);
  return divided(part, sum + 1e-7, name);
}

} // namespace

Metric sensitivityAtSpecificity(const Input &labels, const Input &predictions,
                                double specificity, int64_t numThresholds,
                                const MetricOptions &options) {
  MetricScope scope(predictions, options, "sensitivity_at_specificity");
  if (!(specificity >= 0 && specificity <= 1))
    return outsideOfRange(scope, "specificity", specificity);
  auto cells =
      Cells::of(labels, predictions, evenThresholds(numThresholds, 1.0 + 1e-7),
                options.weights, allCells);
  if (!cells)
    return {};
  auto compute = [&](const Input &tp, const Input &tn, const Input &fp,
                     const Input &fn, const char *name) {
    Output negatives = binary("add", binary("add", tn, fp), 1e-7);
    Output each = divided(tn, negatives);
    Output nearest = ops::argMin(ops::abs(each - specificity), 0);
    return shareAtIndex(tp, fn, ops::cast(nearest, DType::Int32), name);
  };
  Output value = compute(cells->value(TruePositive), cells->value(TrueNegative),
                         cells->value(FalsePositive),
                         cells->value(FalseNegative), "value");
  Output update = compute(
      cells->update(TruePositive), cells->update(TrueNegative),
      cells->update(FalsePositive), cells->update(FalseNegative), "update_op");
  return collected(value, update, options);
}

Metric specificityAtSensitivity(const Input &labels, const Input &predictions,
                                double sensitivity, int64_t numThresholds,
                                const MetricOptions &options) {
  MetricScope scope(predictions, options, "specificity_at_sensitivity");
  if (!(sensitivity >= 0 && sensitivity <= 1))
    return outsideOfRange(scope, "sensitivity", sensitivity);
  auto cells =
      Cells::of(labels, predictions, evenThresholds(numThresholds, 1.0 - 1e-7),
                options.weights, allCells);
  if (!cells)
    return {};
  // The last of the nearest: the first of the largest numbers of them so far.
  auto compute = [&](const Input &tp, const Input &tn, const Input &fp,
                     const Input &fn, const char *name) {
    Output positives = binary("add", binary("add", tp, fn), 1e-7);
    Output each = divided(tp, positives);
    Output least = ops::reduceMin(ops::abs(each - sensitivity));
    Output isNearest = ops::equal(ops::abs(each - sensitivity), least);
    Output counted = ops::cumsum(ops::cast(isNearest, DType::Int64));
    Output index = ops::cast(ops::argMax(counted, 0), DType::Int32);
    return shareAtIndex(tn, fp, index, name);
  };
  Output value = compute(cells->value(TruePositive), cells->value(TrueNegative),
                         cells->value(FalsePositive),
                         cells->value(FalseNegative), "value");
  Output update = compute(
      cells->update(TruePositive), cells->update(TrueNegative),
      cells->update(FalsePositive), cells->update(FalseNegative), "update_op");
  return collected(value, update, options);
}

} // namespace kiln::metrics
