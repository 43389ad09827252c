// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is said where the inputs of a new node do not fit.
#ifndef KILN_LIB_BUILD_SHAPEERRORS_H
#define KILN_LIB_BUILD_SHAPEERRORS_H

#include "kiln/Graph.h"

namespace kiln {

/// Returns the error of a shape function with the node and its input shapes, as
/// TensorFlow words it while a graph is built; other errors as they are.
Status withShapes(const Status &error, const NodeSpec &spec);

} // namespace kiln

#endif // KILN_LIB_BUILD_SHAPEERRORS_H
