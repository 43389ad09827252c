// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds what several consumers of a tensor give back to it.
#ifndef KILN_LIB_AUTODIFF_AGGREGATEGRADIENTS_H
#define KILN_LIB_AUTODIFF_AGGREGATEGRADIENTS_H

#include "kiln/Gradients.h"

namespace kiln {

/// The sum of contributions, of which none is empty: an AddN of tensors; slices
/// one behind the other where all are slices. **Source**: _AggregatedGrads.
Gradient aggregateGradients(const std::vector<Gradient> &contributions,
                            const Node &node, AggregationMethod method);

} // namespace kiln

#endif // KILN_LIB_AUTODIFF_AGGREGATEGRADIENTS_H
