// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Metrics add TensorFlow's nodes and come to its values. Graphs and values are
// recorded by test/golden_kiln/make_metric_cases.py.
#include "kiln/Metrics.h"
#include "kiln/BuildOps.h"
#include "kiln/Operators.h"
#include "kiln/RankMetrics.h"
#include "test/unit/ProgramFixture.h"

namespace kiln {
namespace {

using namespace metrics;

class Metrics : public ProgramFixture {
protected:
  static Output input(DType dtype, const Shape &shape, std::string name) {
    return ops::placeholder(dtype, shape, {.name = std::move(name)});
  }
  static Output floats(const Shape &shape, std::string name) {
    return input(DType::Float32, shape, std::move(name));
  }
  /// What make_metric_cases.py feeds as bits(), as a value.
  static Input bits(int64_t rows, int64_t columns) {
    Tensor tensor = *Tensor::zeros(DType::Bool, {rows, columns});
    for (int64_t i = 0; i < rows * columns; ++i)
      tensor.mutableData<bool>()[static_cast<size_t>(i)] = i * 7 % 5 % 2;
    return tensor;
  }
  std::string error() { return std::string(graph.takeStatus().message()); }
  static MetricOptions weighted(const Input &weights, std::string name = {}) {
    return {.weights = weights, .name = std::move(name)};
  }
  static MetricOptions collected(const Input &weights, std::string name = {}) {
    return {.weights = weights,
            .valueCollections = {"values"},
            .updateCollections = {"updates"},
            .name = std::move(name)};
  }

  void expectMeans(const std::string &kind) {
    useResourceVariables(kind == "handles");
    Output x = floats({-1, 3}, "x"), y = floats({-1, 3}, "y");
    Output w = floats({-1, 1}, "w"), wide = floats({4, 3}, "wide");
    Output labels = input(DType::Int64, {-1}, "labels");
    Output found = input(DType::Int64, {-1, 1}, "found");
    Output number = input(DType::Float64, {}, "number");
    Output row = floats({-1}, "row");
    mean(x);
    mean(x, weighted(w));
    mean(x, weighted(0.5, "half"));
    mean(number);
    mean(wide, collected(wide));
    meanTensor(wide);
    meanTensor(wide, weighted({{1.0}, {2.0}, {0.0}, {1.0}}));
    accuracy(labels, found);
    accuracy(labels, found, weighted(row));
    Output right = ops::constant({1, 2, 3});
    accuracy(right, ops::constant({1.0, 5.0, 3.0}), {.name = "own"});
    meanAbsoluteError(x, y);
    meanSquaredError(x, y, weighted(w));
    rootMeanSquaredError(x, y);
    rootMeanSquaredError(x, y, collected(w, "rmse"));
    meanRelativeError(x, y, y);
    meanCosineDistance(x, y, 1);
    meanCosineDistance(x, y, 1, weighted(w));
    percentageBelow(x, 0.5);
    percentageBelow(x, 0.25, weighted(w, "quarter"));
    localVariablesInitializer();
    expectGraph("metric_means_" + kind);
    EXPECT_EQ(graph.collection("values").size(), 2u);
    EXPECT_EQ(graph.collection("updates").size(), 2u);
    EXPECT_EQ(graph.collection("metric_variables").size(),
              graph.collection(keys::localVariables).size());
  }
};

TEST_F(Metrics, MeansInReferences) { expectMeans("references"); }
TEST_F(Metrics, MeansInHandles) { expectMeans("handles"); }

TEST_F(Metrics, Counts) {
  Output labels = input(DType::Bool, {-1}, "labels");
  Output found = input(DType::Bool, {-1}, "found");
  Output whole = input(DType::Int32, {-1, 1}, "whole");
  Output score = floats({-1}, "score"), w = floats({-1}, "w");
  for (auto count :
       {truePositives, trueNegatives, falsePositives, falseNegatives})
    count(labels, found, {});
  for (auto count :
       {truePositives, trueNegatives, falsePositives, falseNegatives})
    count(whole, found, weighted(w));
  precision(labels, found);
  recall(labels, found);
  precision(whole, found, collected(w, "own"));
  recall(whole, found, weighted(w));
  for (auto count : {truePositivesAtThresholds, trueNegativesAtThresholds,
                     falsePositivesAtThresholds, falseNegativesAtThresholds})
    count(labels, score, {0.25, 0.5}, {});
  precisionAtThresholds(labels, score, {0.5, 0.75});
  recallAtThresholds(whole, score, {0.5}, weighted(w));
  localVariablesInitializer();
  expectGraph("metric_counts");
}

TEST_F(Metrics, Curves) {
  Output labels = input(DType::Bool, {-1}, "labels");
  Output score = floats({-1}, "score"), w = floats({-1}, "w");
  Output known = floats({4, 2}, "known");
  auc(labels, score);
  auc(labels, score, {.numThresholds = 5}, weighted(w, "few"));
  auc(bits(4, 2), known, {.numThresholds = 4},
      {.valueCollections = {"values"}, .updateCollections = {"updates"}});
  for (const char *method :
       {"careful_interpolation", "minoring", "majoring", "trapezoidal"})
    auc(labels, score,
        {.numThresholds = 6, .curve = "PR", .summationMethod = method});
  for (const char *method : {"careful_interpolation", "minoring", "majoring"})
    auc(labels, score, {.numThresholds = 6, .summationMethod = method});
  auc(labels, score, {.thresholds = std::vector<double>{0.7, 0.2, 0.4}});
  sensitivityAtSpecificity(labels, score, 0.6, 8);
  specificityAtSensitivity(labels, score, 0.4, 8, weighted(w));
  localVariablesInitializer();
  expectGraph("metric_curves");
}

TEST_F(Metrics, Classes) {
  Output labels = input(DType::Int32, {-1, 2}, "labels");
  Output found = input(DType::Int32, {-1, 2}, "found");
  Output w = floats({-1, 2}, "w");
  meanIou(labels, found, 3);
  meanIou(labels, found, 4, collected(w, "own"));
  meanPerClassAccuracy(labels, found, 3);
  meanPerClassAccuracy(labels, found, 4, weighted(w));
  localVariablesInitializer();
  expectGraph("metric_classes");
}

TEST_F(Metrics, Ranks) {
  Output scores = floats({-1, 5}, "scores");
  Output label = input(DType::Int64, {-1}, "label");
  Output labels = input(DType::Int64, {-1, 2}, "labels");
  Output w = floats({-1}, "w");
  ops::SparseTensor sparse;
  sparse.indices = input(DType::Int64, {-1, 2}, "indices");
  sparse.values = input(DType::Int64, {-1}, "values");
  sparse.denseShape = input(DType::Int64, {2}, "dense_shape");
  Output best = input(DType::Int64, {-1, 3}, "best");
  recallAtK(label, scores, 2);
  recallAtK(labels, scores, 3, {}, weighted(w));
  recallAtK(labels, scores, 3, 1);
  recallAtK(sparse, scores, 2);
  recallAtTopK(labels, best);
  recallAtTopK(sparse, best, 3, 2, {.name = "own"});
  precisionAtK(
      label, scores, 2, {},
      {.valueCollections = {"values"}, .updateCollections = {"updates"}});
  precisionAtK(sparse, scores, 2, 2, weighted(w));
  precisionAtTopK(labels, best);
  averagePrecisionAtK(labels, scores, 3);
  averagePrecisionAtK(labels, scores, 1, weighted(w));
  averagePrecisionAtK(sparse, scores, 2);
  localVariablesInitializer();
  expectGraph("metric_ranks");
}

TEST_F(Metrics, Errors) {
  Output x = floats({2, 3}, "x"), y = floats({3, 2}, "y");
  accuracy(x, y);
  EXPECT_EQ(error(), "Shapes (3, 2) and (2, 3) are incompatible");
  auc(x, x, {.curve = "ABC"});
  EXPECT_EQ(error(), "Curve must be either ROC or PR. Curve ABC is unknown.");
  auc(x, x, {.summationMethod = "none"});
  EXPECT_THAT(error(), ::testing::StartsWith("Invalid summation_method: none"));
  sensitivityAtSpecificity(x, x, 1.5);
  EXPECT_EQ(error(), "`specificity` must be in the range [0, 1]. Currently, "
                     "`specificity` got 1.5.");
  averagePrecisionAtK(x, x, 0);
  EXPECT_EQ(error(), "Invalid k=0. `k` should be >= 1.");
}

} // namespace
} // namespace kiln
