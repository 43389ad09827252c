// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tf.losses and tf.metrics.
#include "kiln/Losses.h"
#include "kiln/Metrics.h"
#include "kiln/RankMetrics.h"
#include "python/bind/front/Call.h"
#include "python/bind/front/Modules.h"

#include <algorithm>
#include <array>

namespace kiln::python::front {
namespace nb = nanobind;

/// By TensorFlow's texts, which Python has checked.
template <> struct From<losses::Reduction> {
  static losses::Reduction convert(PyObject *value) {
    constexpr std::array<std::string_view, 5> texts{
        "none", "weighted_sum", "weighted_mean", "weighted_sum_over_batch_size",
        "weighted_sum_by_nonzero_weights"};
    auto found = std::ranges::find(texts, from<std::string_view>(value));
    return static_cast<losses::Reduction>(found - texts.begin());
  }
};

namespace {

PyMethodDef lossFunctions[] = {
    function_<&losses::computeWeightedLoss>("compute_weighted_loss"),
    function_<&losses::absoluteDifference>("absolute_difference"),
    function_<&losses::cosineDistance>("cosine_distance"),
    function_<&losses::hingeLoss>("hinge_loss"),
    function_<&losses::huberLoss>("huber_loss"),
    function_<&losses::logLoss>("log_loss"),
    function_<&losses::meanPairwiseSquaredError>("mean_pairwise_squared_error"),
    function_<&losses::meanSquaredError>("mean_squared_error"),
    function_<&losses::sigmoidCrossEntropy>("sigmoid_cross_entropy"),
    function_<&losses::softmaxCrossEntropy>("softmax_cross_entropy"),
    function_<&losses::sparseSoftmaxCrossEntropy>(
        "sparse_softmax_cross_entropy"),
    function_<[](const std::string &scope, const std::string &name) {
      return losses::getRegularizationLoss(scope, name);
    }>("get_regularization_loss"),
    function_<[](bool addRegularizationLosses, const std::string &name,
                 const std::string &scope) {
      return losses::getTotalLoss(addRegularizationLosses, name, scope);
    }>("get_total_loss"),
    {nullptr, nullptr, 0, nullptr}};

PyMethodDef metricFunctions[] = {
    function_<&metrics::mean>("metric_mean"),
    function_<&metrics::meanTensor>("metric_mean_tensor"),
    function_<&metrics::accuracy>("metric_accuracy"),
    function_<&metrics::meanAbsoluteError>("metric_mean_absolute_error"),
    function_<&metrics::meanSquaredError>("metric_mean_squared_error"),
    function_<&metrics::rootMeanSquaredError>("metric_root_mean_squared_error"),
    function_<&metrics::meanRelativeError>("metric_mean_relative_error"),
    function_<&metrics::meanCosineDistance>("metric_mean_cosine_distance"),
    function_<&metrics::percentageBelow>("metric_percentage_below"),
    function_<&metrics::meanIou>("metric_mean_iou"),
    function_<&metrics::meanPerClassAccuracy>("metric_mean_per_class_accuracy"),
    function_<&metrics::truePositives>("metric_true_positives"),
    function_<&metrics::trueNegatives>("metric_true_negatives"),
    function_<&metrics::falsePositives>("metric_false_positives"),
    function_<&metrics::falseNegatives>("metric_false_negatives"),
    function_<&metrics::precision>("metric_precision"),
    function_<&metrics::recall>("metric_recall"),
    function_<&metrics::truePositivesAtThresholds>(
        "metric_true_positives_at_thresholds"),
    function_<&metrics::trueNegativesAtThresholds>(
        "metric_true_negatives_at_thresholds"),
    function_<&metrics::falsePositivesAtThresholds>(
        "metric_false_positives_at_thresholds"),
    function_<&metrics::falseNegativesAtThresholds>(
        "metric_false_negatives_at_thresholds"),
    function_<&metrics::precisionAtThresholds>(
        "metric_precision_at_thresholds"),
    function_<&metrics::recallAtThresholds>("metric_recall_at_thresholds"),
    function_<&metrics::auc>("metric_auc"),
    function_<&metrics::sensitivityAtSpecificity>(
        "metric_sensitivity_at_specificity"),
    function_<&metrics::specificityAtSensitivity>(
        "metric_specificity_at_sensitivity"),
    function_<&metrics::recallAtK>("metric_recall_at_k"),
    function_<&metrics::recallAtTopK>("metric_recall_at_top_k"),
    function_<&metrics::precisionAtK>("metric_precision_at_k"),
    function_<&metrics::precisionAtTopK>("metric_precision_at_top_k"),
    function_<&metrics::averagePrecisionAtK>("metric_average_precision_at_k"),
    {nullptr, nullptr, 0, nullptr}};

} // namespace

void bindLosses(nb::module_ &module) {
  addFunctions(module, lossFunctions);
  addFunctions(module, metricFunctions);
}

} // namespace kiln::python::front
