// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops that Kiln knows, as far as a graph needs them.
#ifndef KILN_OPS_H
#define KILN_OPS_H

#include "kiln/Graph.h"

namespace kiln {

/// Makes the checker that a Graph is built or loaded with: op schemas, default
/// attributes, dtypes and shapes of outputs. A node's attribute
/// "_output_shapes" (list(shape), as TensorFlow writes it with the shapes that
/// it knows) adds to what is inferred, and where only a run finds out a rank,
/// it must be that one. It keeps the elements of small integer tensors, so each
/// graph needs its own.
/// **Errors** of the checker: INVALID_ARGUMENT with the node, also where these
/// shapes contradict those that are inferred.
KILN_EXPORT NodeChecker makeNodeChecker();

} // namespace kiln

#endif // KILN_OPS_H
