// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Metrics over many batches: sums in local variables, and what they come to.
#ifndef KILN_METRICS_H
#define KILN_METRICS_H

#include "kiln/OpOptions.h"

#include <optional>
#include <string>
#include <vector>

namespace kiln::metrics {

/// What the batches came to so far, and the same after it has added one: a run
/// fetches `update` for each batch, and `value` at the end. Both begin with
/// what localVariablesInitializer() sets.
struct Metric {
  Output value, update;
};

struct MetricOptions {
  /// What each value counts: a scalar, or of the values' rank with extents of
  /// theirs or 1. Nothing: 1.
  std::optional<Input> weights = {};
  /// Where the value, and the update, are added.
  std::vector<std::string> valueCollections = {};
  std::vector<std::string> updateCollections = {};
  /// Of the scope of the variables; the function's where it is empty.
  std::string name = {};
};

// The variables are in "local_variables" and "metric_variables". **Errors** of
// the graph: INVALID_ARGUMENT for shapes that do not fit each other.

/// **Source**: tf.metrics.mean, "mean".
KILN_EXPORT Metric mean(const Input &values, const MetricOptions &options = {});
/// Of each element. **Source**: tf.metrics.mean_tensor, "mean".
KILN_EXPORT Metric meanTensor(const Input &values,
                              const MetricOptions &options = {});
/// The share of the predictions that are the label. **Source**:
/// tf.metrics.accuracy, "accuracy".
KILN_EXPORT Metric accuracy(const Input &labels, const Input &predictions,
                            const MetricOptions &options = {});
/// **Source**: tf.metrics.mean_absolute_error, "mean_absolute_error".
KILN_EXPORT Metric meanAbsoluteError(const Input &labels,
                                     const Input &predictions,
                                     const MetricOptions &options = {});
/// **Source**: tf.metrics.mean_squared_error, "mean_squared_error".
KILN_EXPORT Metric meanSquaredError(const Input &labels,
                                    const Input &predictions,
                                    const MetricOptions &options = {});
/// **Source**: tf.metrics.root_mean_squared_error, "root_mean_squared_error".
KILN_EXPORT Metric rootMeanSquaredError(const Input &labels,
                                        const Input &predictions,
                                        const MetricOptions &options = {});
/// |label - prediction| / normalizer, 0 where that is 0. **Source**:
/// tf.metrics.mean_relative_error, "mean_relative_error".
KILN_EXPORT Metric meanRelativeError(const Input &labels,
                                     const Input &predictions,
                                     const Input &normalizer,
                                     const MetricOptions &options = {});
/// 1 - the mean of the products along the axis. **Source**:
/// tf.metrics.mean_cosine_distance, "mean_cosine_distance".
KILN_EXPORT Metric meanCosineDistance(const Input &labels,
                                      const Input &predictions, int64_t axis,
                                      const MetricOptions &options = {});
/// The share of the values below the threshold. **Source**:
/// tf.metrics.percentage_below, "percentage_below_threshold".
KILN_EXPORT Metric percentageBelow(const Input &values, const Input &threshold,
                                   const MetricOptions &options = {});
/// Intersection by union, the mean over the classes; the update is the
/// confusion matrix. **Source**: tf.metrics.mean_iou, "mean_iou".
KILN_EXPORT Metric meanIou(const Input &labels, const Input &predictions,
                           int64_t numClasses,
                           const MetricOptions &options = {});
/// **Source**: tf.metrics.mean_per_class_accuracy, "mean_accuracy".
KILN_EXPORT Metric meanPerClassAccuracy(const Input &labels,
                                        const Input &predictions,
                                        int64_t numClasses,
                                        const MetricOptions &options = {});

// Labels and predictions become bools.

/// **Source**: tf.metrics.true_positives and so on, under their names.
KILN_EXPORT Metric truePositives(const Input &labels, const Input &predictions,
                                 const MetricOptions &options = {});
KILN_EXPORT Metric trueNegatives(const Input &labels, const Input &predictions,
                                 const MetricOptions &options = {});
KILN_EXPORT Metric falsePositives(const Input &labels, const Input &predictions,
                                  const MetricOptions &options = {});
KILN_EXPORT Metric falseNegatives(const Input &labels, const Input &predictions,
                                  const MetricOptions &options = {});
/// Right predictions of all positive ones. **Source**: tf.metrics.precision,
/// "precision".
KILN_EXPORT Metric precision(const Input &labels, const Input &predictions,
                             const MetricOptions &options = {});
/// Positive labels that were found. **Source**: tf.metrics.recall, "recall".
KILN_EXPORT Metric recall(const Input &labels, const Input &predictions,
                          const MetricOptions &options = {});

// Predictions are numbers from 0 to 1, which a run checks; those above a
// threshold are positive. Results have an element a threshold.

/// **Source**: tf.metrics.true_positives_at_thresholds and so on; scopes are
/// "true_positives" and so on.
KILN_EXPORT Metric truePositivesAtThresholds(
    const Input &labels, const Input &predictions,
    const std::vector<double> &thresholds, const MetricOptions &options = {});
KILN_EXPORT Metric trueNegativesAtThresholds(
    const Input &labels, const Input &predictions,
    const std::vector<double> &thresholds, const MetricOptions &options = {});
KILN_EXPORT Metric falsePositivesAtThresholds(
    const Input &labels, const Input &predictions,
    const std::vector<double> &thresholds, const MetricOptions &options = {});
KILN_EXPORT Metric falseNegativesAtThresholds(
    const Input &labels, const Input &predictions,
    const std::vector<double> &thresholds, const MetricOptions &options = {});
/// **Source**: tf.metrics.precision_at_thresholds, "precision_at_thresholds".
KILN_EXPORT Metric precisionAtThresholds(const Input &labels,
                                         const Input &predictions,
                                         const std::vector<double> &thresholds,
                                         const MetricOptions &options = {});
/// **Source**: tf.metrics.recall_at_thresholds, "recall_at_thresholds".
KILN_EXPORT Metric recallAtThresholds(const Input &labels,
                                      const Input &predictions,
                                      const std::vector<double> &thresholds,
                                      const MetricOptions &options = {});

struct AucOptions {
  /// How many there are, equally apart, where none are given.
  int64_t numThresholds = 200;
  /// "ROC": true by false positives; "PR": precision by recall.
  std::string curve = "ROC";
  /// "trapezoidal", "careful_interpolation", "minoring", "majoring".
  std::string summationMethod = "trapezoidal";
  /// Between 0 and 1, which are added.
  std::optional<std::vector<double>> thresholds = {};
};
/// The area under a curve. **Errors** of the graph: INVALID_ARGUMENT for other
/// curves and methods. **Source**: tf.metrics.auc, "auc".
KILN_EXPORT Metric auc(const Input &labels, const Input &predictions,
                       const AucOptions &auc = {},
                       const MetricOptions &options = {});
/// Where the other is nearest to the number, from 0 to 1. **Errors** of the
/// graph: INVALID_ARGUMENT for a number outside of that. **Source**:
/// tf.metrics.sensitivity_at_specificity, specificity_at_sensitivity.
KILN_EXPORT Metric sensitivityAtSpecificity(const Input &labels,
                                            const Input &predictions,
                                            double specificity,
                                            int64_t numThresholds = 200,
                                            const MetricOptions &options = {});
KILN_EXPORT Metric specificityAtSensitivity(const Input &labels,
                                            const Input &predictions,
                                            double sensitivity,
                                            int64_t numThresholds = 200,
                                            const MetricOptions &options = {});

} // namespace kiln::metrics

#endif // KILN_METRICS_H
