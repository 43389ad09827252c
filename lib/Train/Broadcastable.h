// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weights that must be scalars, or of their values' rank with extents of theirs
// or 1.
#ifndef KILN_LIB_TRAIN_BROADCASTABLE_H
#define KILN_LIB_TRAIN_BROADCASTABLE_H

#include "kiln/OpOptions.h"

namespace kiln {

/// An operation that fails where the weights do not fit; one that does nothing
/// where the shapes say already that they do. Null after an error. **Source**:
/// weights_broadcast_ops.assert_broadcastable, but for how shapes are compared
/// that are not known.
const Node *assertBroadcastable(const Input &weights, const Input &values);
/// The weights in the shape of the values. **Source**:
/// weights_broadcast_ops.broadcast_weights.
Output broadcastWeights(const Output &weights, const Output &values);

} // namespace kiln

#endif // KILN_LIB_TRAIN_BROADCASTABLE_H
