// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Losses with weights, which are kept in a collection.
#ifndef KILN_LOSSES_H
#define KILN_LOSSES_H

#include "kiln/OpOptions.h"

#include <string>
#include <vector>

namespace kiln::losses {

/// What is made of the weighted losses: nothing, their sum, the sum by the sum
/// of the weights, by the number of losses, by the number of losses whose
/// weight is not 0. **Source**: tf.losses.Reduction.
enum class Reduction { None, Sum, Mean, SumOverBatchSize, SumByNonzeroWeights };

struct LossOptions {
  /// A number, or a tensor of the losses' rank whose extents are theirs or 1.
  Input weights = 1.0;
  Reduction reduction = Reduction::SumByNonzeroWeights;
  /// Where the loss is added; nowhere where it is empty.
  std::string collection = "losses";
  std::string scope = {};
};

// All compute in float32 but for the cross entropies. **Errors** of the graph:
// INVALID_ARGUMENT for shapes that differ, and for weights that do not fit.

/// **Source**: tf.losses.compute_weighted_loss, "weighted_loss".
KILN_EXPORT Output computeWeightedLoss(const Input &losses,
                                       const LossOptions &options = {});
/// **Source**: tf.losses.absolute_difference, "absolute_difference".
KILN_EXPORT Output absoluteDifference(const Input &labels,
                                      const Input &predictions,
                                      const LossOptions &options = {});
/// **Source**: tf.losses.cosine_distance, "cosine_distance_loss".
KILN_EXPORT Output cosineDistance(const Input &labels, const Input &predictions,
                                  int64_t axis,
                                  const LossOptions &options = {});
/// Labels are 0 and 1. **Source**: tf.losses.hinge_loss, "hinge_loss".
KILN_EXPORT Output hingeLoss(const Input &labels, const Input &logits,
                             const LossOptions &options = {});
/// Quadratic up to delta, linear from there. **Source**: tf.losses.huber_loss,
/// "huber_loss".
KILN_EXPORT Output huberLoss(const Input &labels, const Input &predictions,
                             double delta = 1.0,
                             const LossOptions &options = {});
/// **Source**: tf.losses.log_loss, "log_loss".
KILN_EXPORT Output logLoss(const Input &labels, const Input &predictions,
                           double epsilon = 1e-7,
                           const LossOptions &options = {});
/// **Source**: tf.losses.mean_squared_error, "mean_squared_error".
KILN_EXPORT Output meanSquaredError(const Input &labels,
                                    const Input &predictions,
                                    const LossOptions &options = {});
/// **Source**: tf.losses.sigmoid_cross_entropy, "sigmoid_cross_entropy_loss".
KILN_EXPORT Output sigmoidCrossEntropy(const Input &labels, const Input &logits,
                                       double labelSmoothing = 0,
                                       const LossOptions &options = {});
/// **Source**: tf.losses.softmax_cross_entropy, "softmax_cross_entropy_loss".
KILN_EXPORT Output softmaxCrossEntropy(const Input &onehotLabels,
                                       const Input &logits,
                                       double labelSmoothing = 0,
                                       const LossOptions &options = {});
/// **Source**: tf.losses.sparse_softmax_cross_entropy,
/// "sparse_softmax_cross_entropy_loss".
KILN_EXPORT Output sparseSoftmaxCrossEntropy(const Input &labels,
                                             const Input &logits,
                                             const LossOptions &options = {});

/// The mean of the squares of the differences between the errors of each two
/// elements of a row; the reduction is not looked at. **Source**:
/// tf.losses.mean_pairwise_squared_error, "mean_pairwise_squared_error".
KILN_EXPORT Output meanPairwiseSquaredError(const Input &labels,
                                            const Input &predictions,
                                            const LossOptions &options = {});

/// Puts a loss into the collection "losses". **Source**: tf.losses.add_loss.
KILN_EXPORT void addLoss(const Output &loss);
/// **Source**: tf.losses.get_losses.
KILN_EXPORT std::vector<Output> getLosses(std::string_view scope = {});
/// **Source**: tf.losses.get_regularization_losses.
KILN_EXPORT std::vector<Output>
getRegularizationLosses(std::string_view scope = {});
/// Their sum, 0 where there is none. **Source**:
/// tf.losses.get_regularization_loss.
KILN_EXPORT Output
getRegularizationLoss(std::string_view scope = {},
                      std::string_view name = "total_regularization_loss");
/// The sum of the losses in the collections. **Errors** of the graph:
/// INVALID_ARGUMENT where there is none. **Source**: tf.losses.get_total_loss.
KILN_EXPORT Output getTotalLoss(bool addRegularizationLosses = true,
                                std::string_view name = "total_loss",
                                std::string_view scope = {});

} // namespace kiln::losses

#endif // KILN_LOSSES_H
