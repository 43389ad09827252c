// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors of a graph as Python prints them, for TensorFlow's texts.
#ifndef KILN_LIB_GRAPH_TENSORTEXT_H
#define KILN_LIB_GRAPH_TENSORTEXT_H

#include "kiln/Node.h"

namespace kiln {

/// "Tensor("x:0", shape=(2,), dtype=float32)"; an unknown shape and no device
/// are left out. **Source**: str(tf.Tensor).
std::string tensorText(const Output &tensor);
/// "<tf.Tensor 'x:0' shape=(2,) dtype=float32>". **Source**: repr(tf.Tensor).
std::string tensorRepr(const Output &tensor);

} // namespace kiln

#endif // KILN_LIB_GRAPH_TENSORTEXT_H
