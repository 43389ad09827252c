// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Metrics of rankings: which of the k best predictions are labels.
#ifndef KILN_RANKMETRICS_H
#define KILN_RANKMETRICS_H

#include "kiln/Metrics.h"
#include "kiln/SparseTensor.h"

namespace kiln::metrics {

// **Shapes**: labels are classes, int64: `[..., labels]`, or a sparse tensor of
// such rows, or one label a row, without the last axis. predictions: `[...,
// classes]`; those of "TopK" are the classes themselves, `[..., k]`.

/// Labels among the k best, of all labels, or of those of one class.
/// **Source**: tf.metrics.recall_at_k, "recall_at_<k>".
KILN_EXPORT Metric recallAtK(const TensorOrSparse &labels,
                             const Input &predictions, int64_t k,
                             std::optional<int64_t> classId = {},
                             const MetricOptions &options = {});
/// **Source**: tf.metrics.recall_at_top_k.
KILN_EXPORT Metric recallAtTopK(const TensorOrSparse &labels,
                                const Input &predictions,
                                std::optional<int64_t> k = {},
                                std::optional<int64_t> classId = {},
                                const MetricOptions &options = {});
/// Labels among the k best, of these. **Source**: tf.metrics.precision_at_k,
/// "precision_at_<k>".
KILN_EXPORT Metric precisionAtK(const TensorOrSparse &labels,
                                const Input &predictions, int64_t k,
                                std::optional<int64_t> classId = {},
                                const MetricOptions &options = {});
/// **Source**: tf.metrics.precision_at_top_k.
KILN_EXPORT Metric precisionAtTopK(const TensorOrSparse &labels,
                                   const Input &predictions,
                                   std::optional<int64_t> k = {},
                                   std::optional<int64_t> classId = {},
                                   const MetricOptions &options = {});
/// The mean of the precisions at 1 to k. **Errors** of the graph:
/// INVALID_ARGUMENT for a k below 1. **Source**:
/// tf.metrics.average_precision_at_k, "average_precision_at_<k>".
KILN_EXPORT Metric averagePrecisionAtK(const TensorOrSparse &labels,
                                       const Input &predictions, int64_t k,
                                       const MetricOptions &options = {});

} // namespace kiln::metrics

#endif // KILN_RANKMETRICS_H
