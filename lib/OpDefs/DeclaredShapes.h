// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes that who made a graph knew of its nodes: the attribute
// "_output_shapes", where TensorFlow puts what it inferred and what a program
// has set (Tensor.set_shape).
#ifndef KILN_LIB_OPDEFS_DECLAREDSHAPES_H
#define KILN_LIB_OPDEFS_DECLAREDSHAPES_H

#include "lib/OpDefs/Inference.h"

namespace kiln {

/// Adds what a node declares to what was inferred of its outputs, unless it
/// contradicts: of some ops Kiln infers more than TensorFlow, and a run of such
/// a node has an error of its own. **Difference**: TensorFlow's importer
/// refuses what contradicts its own inference
/// (GraphConstructor::ValidateShape).
void mergeDeclaredShapes(const Node &node, std::vector<ValueInfo> &outputs);

/// What is known of an output while its inputs are not looked at: as above, of
/// a node in the body of a function what it declares alone. A run may find
/// another shape, as TensorFlow checks none.
Shape declaredShape(const Node &node, int output);

} // namespace kiln

#endif // KILN_LIB_OPDEFS_DECLAREDSHAPES_H
