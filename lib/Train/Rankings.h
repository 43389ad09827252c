// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of classes as sets: what predictions and labels have in common.
#ifndef KILN_LIB_TRAIN_RANKINGS_H
#define KILN_LIB_TRAIN_RANKINGS_H

#include "kiln/RankMetrics.h"

namespace kiln::metrics {

/// Sets of classes, each in a row of the last axis: a tensor of the graph, or a
/// sparse one.
using Sets = TensorOrSparse;
Sets setsOf(const TensorOrSparse &labels);

/// The labels with as many axes as the predictions. **Source**:
/// metrics_impl._maybe_expand_labels.
Sets expandedLabels(const Sets &labels, const Output &predictions);
/// The sets without the other classes. **Source**: _select_class_id.
Sets ofClass(const Sets &sets, int64_t classId);
/// -1 for labels that are no class. **Source**: _clean_out_of_range_indices.
Sets withoutUnknown(const Sets &labels, const Output &numClasses);
/// Each set k times, along a new axis before the last one. **Source**:
/// _expand_and_tile.
Sets repeated(const Sets &labels, int64_t k, const char *name);
/// How many labels each row has, at most k. **Source**: _num_relevant.
Output numRelevant(const Sets &labels, int64_t k);

} // namespace kiln::metrics

#endif // KILN_LIB_TRAIN_RANKINGS_H
