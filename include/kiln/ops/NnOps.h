// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of neural networks as TensorFlow's Python functions add them.
#ifndef KILN_OPS_NNOPS_H
#define KILN_OPS_NNOPS_H

#include "kiln/OpOptions.h"
#include "kiln/ops/EmbeddingOps.h"

#include <optional>

namespace kiln::ops {

struct BiasAddOptions {
  std::string dataFormat = "NHWC";
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
KILN_EXPORT Output softmaxCrossEntropyWithLogits(const Input &labels,
                                                 const Input &logits,
                                                 const OpOptions &options = {});
/// Gradients go to the labels too. **Source**:
/// tf.nn.softmax_cross_entropy_with_logits_v2.
KILN_EXPORT Output softmaxCrossEntropyWithLogitsV2(
    const Input &labels, const Input &logits, const OpOptions &options = {});
/// **Source**: tf.nn.sparse_softmax_cross_entropy_with_logits.
KILN_EXPORT Output sparseSoftmaxCrossEntropyWithLogits(
    const Input &labels, const Input &logits, const OpOptions &options = {});
/// **Source**: tf.nn.sigmoid_cross_entropy_with_logits, "logistic_loss".
KILN_EXPORT Output sigmoidCrossEntropyWithLogits(const Input &labels,
                                                 const Input &logits,
                                                 const OpOptions &options = {});

struct Conv2DOptions {
  bool useCudnnOnGpu = true;
  std::vector<int64_t> explicitPaddings = {};
  std::string dataFormat = "NHWC";
  std::vector<int64_t> dilations = {1, 1, 1, 1};
  std::string name = {};
};
/// **Shapes**: input: [n, h, w, c], filter: [h, w, c, channels]. **Source**:
/// tf.nn.conv2d, "Conv2D".
KILN_EXPORT Output conv2D(const Input &input, const Input &filter,
                          const std::vector<int64_t> &strides,
                          const std::string &padding,
                          const Conv2DOptions &options = {});

struct PoolOptions {
  std::string dataFormat = "NHWC";
  std::string name = {};
};
/// **Source**: tf.nn.max_pool, "MaxPool".
KILN_EXPORT Output maxPool(const Input &value,
                           const std::vector<int64_t> &ksize,
                           const std::vector<int64_t> &strides,
                           const std::string &padding,
                           const PoolOptions &options = {});
/// **Source**: tf.nn.avg_pool, "AvgPool".
KILN_EXPORT Output avgPool(const Input &value,
                           const std::vector<int64_t> &ksize,
                           const std::vector<int64_t> &strides,
                           const std::string &padding,
                           const PoolOptions &options = {});

/// Whether the target is among the k largest. **Source**: tf.nn.in_top_k.
KILN_EXPORT Output inTopK(const Input &predictions, const Input &targets,
                          const Input &k, const OpOptions &options = {});

struct DropoutOptions {
  std::optional<Input> noiseShape = {};
  std::optional<int64_t> seed = {};
  std::string name = {};
};
/// Elements become 0 with this probability, the others are scaled. **Errors**
/// of the graph: INVALID_ARGUMENT for a rate outside of [0, 1). **Source**:
/// tf.nn.dropout(rate=...), "dropout".
KILN_EXPORT Output dropout(const Input &x, const Input &rate,
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

struct SeparableConv2DOptions {
  std::string dataFormat = "NHWC";
  std::string name = {};
};
/// A convolution of each channel, then one over the channels. **Shapes**:
/// depthwiseFilter: [h, w, c, multiplier], pointwiseFilter: [1, 1, c *
/// multiplier, channels]. **Source**: tf.nn.separable_conv2d,
/// "separable_conv2d", without dilations.
KILN_EXPORT Output separableConv2D(const Input &input,
                                   const Input &depthwiseFilter,
                                   const Input &pointwiseFilter,
                                   const std::vector<int64_t> &strides,
                                   const std::string &padding,
                                   const SeparableConv2DOptions &options = {});

struct Conv2DTransposeOptions {
  std::string dataFormat = "NHWC";
  std::string name = {};
};
/// The gradient of a convolution whose input had this shape. **Shapes**:
/// filter: [h, w, channels, c]. **Source**: tf.nn.conv2d_transpose,
/// "conv2d_transpose".
KILN_EXPORT Output conv2DTranspose(const Input &value, const Input &filter,
                                   const Input &outputShape,
                                   const std::vector<int64_t> &strides,
                                   const std::string &padding,
                                   const Conv2DTransposeOptions &options = {});

} // namespace kiln::ops

#endif // KILN_OPS_NNOPS_H
