// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions that TensorFlow's Python makes of several ops, and counts.
#ifndef KILN_OPS_REDUCTIONOPS_H
#define KILN_OPS_REDUCTIONOPS_H

#include "kiln/OpOptions.h"

#include <optional>

namespace kiln::ops {

struct ReductionOptions {
  /// A number or a list of them; nothing: all axes.
  std::optional<Input> axis = {};
  bool keepDims = false;
  std::string name = {};
};
/// log(sum(exp(x))), computed beside the largest element. **Source**:
/// tf.reduce_logsumexp, "ReduceLogSumExp".
KILN_EXPORT Output reduceLogSumExp(const Input &x,
                                   const ReductionOptions &options = {});
/// The mean of the squared distances from the mean. **Errors** of the graph:
/// INVALID_ARGUMENT for integers. **Source**: tf.math.reduce_variance,
/// "reduce_variance".
KILN_EXPORT Output reduceVariance(const Input &x,
                                  const ReductionOptions &options = {});
/// The root of the variance. **Source**: tf.math.reduce_std, "reduce_std".
KILN_EXPORT Output reduceStd(const Input &x,
                             const ReductionOptions &options = {});
/// The root of the sum of the squares. **Source**:
/// tf.math.reduce_euclidean_norm, "EuclideanNorm".
KILN_EXPORT Output reduceEuclideanNorm(const Input &x,
                                       const ReductionOptions &options = {});

struct CountNonzeroOptions {
  std::optional<Input> axis = {};
  bool keepDims = false;
  DType dtype = DType::Int64;
  std::string name = {};
};
/// How many elements are not 0, not empty, or true. **Source**:
/// tf.count_nonzero, "count_nonzero".
KILN_EXPORT Output countNonzero(const Input &input,
                                const CountNonzeroOptions &options = {});
/// The share of the elements that are 0, a float32. **Source**:
/// tf.nn.zero_fraction, "zero_fraction".
KILN_EXPORT Output zeroFraction(const Input &value,
                                const OpOptions &options = {});
/// The log of the beta function of the rows. **Source**: tf.lbeta, "lbeta".
KILN_EXPORT Output lbeta(const Input &x, const OpOptions &options = {});

/// The mean of the elements of each segment. **Source**:
/// tf.unsorted_segment_mean, "UnsortedSegmentMean".
KILN_EXPORT Output unsortedSegmentMean(const Input &data,
                                       const Input &segmentIds,
                                       const Input &numSegments,
                                       const OpOptions &options = {});
/// The sum by the root of the number of elements. **Source**:
/// tf.unsorted_segment_sqrt_n, "UnsortedSegmentSqrtN".
KILN_EXPORT Output unsortedSegmentSqrtN(const Input &data,
                                        const Input &segmentIds,
                                        const Input &numSegments,
                                        const OpOptions &options = {});

// Counts of what falls into classes and intervals.

struct LabelsAndPredictions {
  Output labels, predictions;
};
struct SqueezableOptions {
  int64_t expectedRankDifference = 0;
  std::string name = {};
};
/// Both, without the last axis of extent 1 that one of them has too much.
/// **Source**: confusion_matrix.remove_squeezable_dimensions.
KILN_EXPORT LabelsAndPredictions
removeSqueezableDimensions(const Input &labels, const Input &predictions,
                           const SqueezableOptions &options = {});

struct ConfusionMatrixOptions {
  /// Nothing: one more than the largest that there is.
  std::optional<Input> numClasses = {};
  DType dtype = DType::Int32;
  std::string name = {};
  /// What each prediction counts; nothing: 1.
  std::optional<Input> weights = {};
};
/// How often a label, the row, got a prediction, the column. **Source**:
/// tf.confusion_matrix, "confusion_matrix".
KILN_EXPORT Output confusionMatrix(const Input &labels,
                                   const Input &predictions,
                                   const ConfusionMatrixOptions &options = {});

struct HistogramOptions {
  Input nbins = 100;
  /// Of the counts.
  DType dtype = DType::Int32;
  std::string name = {};
};
/// How many values fall into each of as many equal intervals between the two
/// ends of the range. **Source**: tf.histogram_fixed_width,
/// "histogram_fixed_width".
KILN_EXPORT Output histogramFixedWidth(const Input &values,
                                       const Input &valueRange,
                                       const HistogramOptions &options = {});
/// The interval that each value falls into, an int32. **Source**:
/// tf.histogram_fixed_width_bins, "histogram_fixed_width_bins".
KILN_EXPORT Output
histogramFixedWidthBins(const Input &values, const Input &valueRange,
                        const HistogramOptions &options = {});

struct BincountOptions {
  /// What each value counts; nothing: 1.
  std::optional<Input> weights = {};
  std::optional<Input> minLength = {};
  std::optional<Input> maxLength = {};
  /// Of the counts, where there are no weights.
  DType dtype = DType::Int32;
};
/// How often each number from 0 to the largest is there. **Source**:
/// tf.bincount, "bincount".
KILN_EXPORT Output bincount(const Input &values,
                            const BincountOptions &options = {});

} // namespace kiln::ops

#endif // KILN_OPS_REDUCTIONOPS_H
