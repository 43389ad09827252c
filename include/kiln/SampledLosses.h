// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Losses over many classes, of which some are drawn.
#ifndef KILN_SAMPLEDLOSSES_H
#define KILN_SAMPLEDLOSSES_H

#include "kiln/OpOptions.h"
#include "kiln/ops/EmbeddingOps.h"

#include <optional>

namespace kiln::ops {

/// Classes that were drawn, as the samplers of rawOps give them.
struct SampledCandidates {
  Output sampled;
  Output trueExpectedCount;
  Output sampledExpectedCount;
};

struct SampledLossOptions {
  int64_t numTrue = 1;
  /// Nothing: drawn by Zipf's law, each once.
  std::optional<SampledCandidates> sampledValues = {};
  /// Nothing: nceLoss() keeps classes that are drawn though they are true,
  /// sampledSoftmaxLoss() does not.
  std::optional<bool> removeAccidentalHits = {};
  /// The sampler's seed; nceLoss() has none in TensorFlow.
  std::optional<int64_t> seed = {};
  /// How weights and biases lie in several parts: "mod" or "div".
  std::string partitionStrategy = "mod";
  std::string name = {};
};
/// Noise-contrastive estimation: a loss for each row of the inputs. **Shapes**:
/// weights: [classes, dim], biases: [classes], labels: [batch, numTrue],
/// inputs: [batch, dim]. **Source**: tf.nn.nce_loss, "nce_loss".
KILN_EXPORT Output nceLoss(const EmbeddingParameters &weights,
                           const EmbeddingParameters &biases,
                           const Input &labels, const Input &inputs,
                           int64_t numSampled, int64_t numClasses,
                           const SampledLossOptions &options = {});
/// The softmax over the true classes and those drawn. **Shapes**: as nceLoss().
/// **Source**: tf.nn.sampled_softmax_loss, "sampled_softmax_loss".
KILN_EXPORT Output sampledSoftmaxLoss(const EmbeddingParameters &weights,
                                      const EmbeddingParameters &biases,
                                      const Input &labels, const Input &inputs,
                                      int64_t numSampled, int64_t numClasses,
                                      const SampledLossOptions &options = {});

} // namespace kiln::ops

#endif // KILN_SAMPLEDLOSSES_H
