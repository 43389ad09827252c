// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes that the program which builds a graph has set (Tensor.set_shape).
#ifndef KILN_LIB_GRAPH_PROGRAMSHAPES_H
#define KILN_LIB_GRAPH_PROGRAMSHAPES_H

#include "kiln/Node.h"

namespace kiln {

/// The attribute that has them, a shape for each output. Files are written
/// without it, as TensorFlow's are.
inline constexpr std::string_view programShapesAttr = "_kiln_program_shapes";

/// Adds what the program knows of an output to what was inferred. The node may
/// be published. **Errors**: INVALID_ARGUMENT where they contradict each other.
Status setProgramShape(const Output &output, const Shape &shape);

} // namespace kiln

#endif // KILN_LIB_GRAPH_PROGRAMSHAPES_H
