// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of neural networks as TensorFlow's Python functions add them.
#ifndef KILN_OPS_NNOPS_H
#define KILN_OPS_NNOPS_H

#include "kiln/OpOptions.h"

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

struct EmbeddingOptions {
  std::string name = {};
};
/// Rows of params, or of its parts, row i in part i mod n. **Source**:
/// tf.nn.embedding_lookup, "embedding_lookup".
KILN_EXPORT Output embeddingLookup(const Input &params, const Input &ids,
                                   const EmbeddingOptions &options = {});

} // namespace kiln::ops

#endif // KILN_OPS_NNOPS_H
