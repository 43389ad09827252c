// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of neural networks as TensorFlow's Python functions add them.
#ifndef KILN_OPS_NNOPS_H
#define KILN_OPS_NNOPS_H

#include "kiln/OpOptions.h"
#include "kiln/ops/EmbeddingOps.h"

#include <optional>

namespace kiln::ops {

struct BiasAddOptions {
  /// "N...C" where it is empty, or "NC...".
  std::string dataFormat = {};
  std::string name = {};
};
/// **Source**: tf.nn.bias_add, "BiasAdd".
KILN_EXPORT Output biasAdd(const Input &value, const Input &bias,
                           const BiasAddOptions &options = {});

struct SoftmaxOptions {
  int64_t axis = -1;
  std::string name = {};
};
/// **Source**: tf.nn.softmax, "Softmax".
KILN_EXPORT Output softmax(const Input &logits,
                           const SoftmaxOptions &options = {});
/// **Source**: tf.nn.log_softmax, "LogSoftmax".
KILN_EXPORT Output logSoftmax(const Input &logits,
                              const SoftmaxOptions &options = {});

/// The cross entropy of each row. Gradients do not go to the labels.
/// **Source**: tf.nn.softmax_cross_entropy_with_logits.
KILN_EXPORT Output
softmaxCrossEntropyWithLogits(const Input &labels, const Input &logits,
                              const SoftmaxOptions &options = {});
/// Gradients go to the labels too. **Source**:
/// tf.nn.softmax_cross_entropy_with_logits_v2.
KILN_EXPORT Output
softmaxCrossEntropyWithLogitsV2(const Input &labels, const Input &logits,
                                const SoftmaxOptions &options = {});
/// **Errors** of the graph: INVALID_ARGUMENT for shapes that do not fit; of the
/// run, where only a run can tell. **Source**:
/// tf.nn.sparse_softmax_cross_entropy_with_logits.
KILN_EXPORT Output sparseSoftmaxCrossEntropyWithLogits(
    const Input &labels, const Input &logits, const OpOptions &options = {});
/// **Source**: tf.nn.sigmoid_cross_entropy_with_logits, "logistic_loss".
KILN_EXPORT Output sigmoidCrossEntropyWithLogits(const Input &labels,
                                                 const Input &logits,
                                                 const OpOptions &options = {});
/// The same with what is true weighted. **Source**:
/// tf.nn.weighted_cross_entropy_with_logits, "logistic_loss".
KILN_EXPORT Output weightedCrossEntropyWithLogits(
    const Input &labels, const Input &logits, const Input &posWeight,
    const OpOptions &options = {});
struct PoissonLossOptions {
  /// With Stirling's approximation of what does not depend on the input.
  bool computeFullLoss = false;
  std::string name = {};
};
/// The log of the likelihood of counts, given the log of their mean, negative.
/// **Source**: tf.nn.log_poisson_loss, "log_poisson_loss".
KILN_EXPORT Output logPoissonLoss(const Input &targets, const Input &logInput,
                                  const PoissonLossOptions &options = {});

/// Whether the target is among the k largest. **Source**: tf.nn.in_top_k.
KILN_EXPORT Output inTopK(const Input &predictions, const Input &targets,
                          const Input &k, const OpOptions &options = {});

struct DropoutOptions {
  /// What is drawn, and broadcast; extents that it does not know are the
  /// tensor's.
  std::optional<Input> noiseShape = {};
  std::optional<int64_t> seed = {};
  std::string name = {};
};
/// Elements become 0 with this probability, the others are scaled. **Errors**
/// of the graph: INVALID_ARGUMENT for a rate outside of [0, 1). **Source**:
/// tf.nn.dropout(rate=...), "dropout".
KILN_EXPORT Output dropout(const Input &x, const Input &rate,
                           const DropoutOptions &options = {});
/// Elements stay with this probability. **Source**:
/// tf.nn.dropout(keep_prob=...).
KILN_EXPORT Output dropoutKeeping(const Input &x, const Input &keepProb,
                                  const DropoutOptions &options = {});

struct MomentsOptions {
  bool keepDims = false;
  std::string name = {};
};
struct Moments {
  Output mean, variance;
};
/// Mean and variance over the axes; of float16 computed in float32. **Source**:
/// tf.nn.moments, "moments".
KILN_EXPORT Moments moments(const Input &x, const std::vector<int64_t> &axes,
                            const MomentsOptions &options = {});

struct BatchNormalizationOptions {
  std::optional<Input> offset = {};
  std::optional<Input> scale = {};
  double varianceEpsilon = 0.001;
  std::string name = {};
};
/// (x - mean) / sqrt(variance + epsilon) * scale + offset. **Source**:
/// tf.nn.batch_normalization, "batchnorm".
KILN_EXPORT Output
batchNormalization(const Input &x, const Input &mean, const Input &variance,
                   const BatchNormalizationOptions &options = {});

struct L2NormalizeOptions {
  /// A number or a list; nothing: all axes.
  std::optional<Input> axis = {};
  double epsilon = 1e-12;
  std::string name = {};
};
/// x / sqrt(max(sum(x * x), epsilon)). **Source**: tf.nn.l2_normalize,
/// "l2_normalize".
KILN_EXPORT Output l2Normalize(const Input &x,
                               const L2NormalizeOptions &options = {});

struct SufficientStatisticsOptions {
  /// What is taken from the elements first.
  std::optional<Input> shift = {};
  bool keepDims = false;
  std::string name = {};
};
struct SufficientStatistics {
  /// How many elements there are over the axes, their sum, the sum of their
  /// squares, the shift (without a node where there is none).
  Output count, sum, sumOfSquares, shift;
};
/// What moments are made of. **Source**: tf.nn.sufficient_statistics,
/// "sufficient_statistics".
KILN_EXPORT SufficientStatistics
sufficientStatistics(const Input &x, const std::vector<int64_t> &axes,
                     const SufficientStatisticsOptions &options = {});
/// The moments from these. **Source**: tf.nn.normalize_moments, "normalize".
KILN_EXPORT Moments normalizeMoments(const Input &counts, const Input &meanSs,
                                     const Input &varianceSs,
                                     const std::optional<Input> &shift = {},
                                     const OpOptions &options = {});
struct WeightedMomentsOptions {
  std::string name = {};
  bool keepDims = false;
};
/// Moments of elements that count several times. **Source**:
/// tf.nn.weighted_moments, "weighted_moments".
KILN_EXPORT Moments weightedMoments(const Input &x,
                                    const std::vector<int64_t> &axes,
                                    const Input &frequencyWeights,
                                    const WeightedMomentsOptions &options = {});

struct FusedBatchNormalizationOptions {
  std::optional<Input> mean = {};
  std::optional<Input> variance = {};
  double epsilon = 0.001;
  std::string dataFormat = "NHWC";
  bool isTraining = true;
  std::string name = {};
  /// How much of the moments of the batch goes into those that are given.
  double exponentialAvgFactor = 1.0;
};
struct FusedBatchNormalization {
  Output y, mean, variance;
};
/// Normalization of images in one op. **Errors** of the graph: INVALID_ARGUMENT
/// without moments where the batch's are not enough. **Source**:
/// tf.nn.fused_batch_norm, "FusedBatchNormV3".
KILN_EXPORT FusedBatchNormalization
fusedBatchNorm(const Input &x, const Input &scale, const Input &offset,
               const FusedBatchNormalizationOptions &options = {});
/// As batchNormalization(), with the scale where it is wanted. **Source**:
/// tf.nn.batch_norm_with_global_normalization, "batchnorm".
KILN_EXPORT Output batchNormWithGlobalNormalization(
    const Input &t, const Input &m, const Input &v, const Input &beta,
    const Input &gamma, double varianceEpsilon, bool scaleAfterNormalization,
    const OpOptions &options = {});

} // namespace kiln::ops

#endif // KILN_OPS_NNOPS_H
