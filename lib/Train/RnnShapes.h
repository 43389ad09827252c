// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What recurrent networks have of each sequence: shapes of a batch that is
// known or not, and values that stand still behind its end.
#ifndef KILN_LIB_TRAIN_RNNSHAPES_H
#define KILN_LIB_TRAIN_RNNSHAPES_H

#include "kiln/ControlFlow.h"

namespace kiln {

/// An extent that all of these tensors have: a number where it is known of one,
/// otherwise a scalar. **Source**: _best_effort_input_batch_size.
Input batchOf(const Outputs &tensors, int axis);

/// `[batch, size…]`, as nodes: a number, a Shape, or a tensor of extents.
/// **Errors** of the graph: INVALID_ARGUMENT for a shape that is not known.
/// **Source**: rnn_cell_impl._concat.
Output extentsOf(const Input &batch, const Input &size);
/// What TensorFlow adds and does not use where it asks for the same as numbers.
void addUnusedExtents(const Input &batch, const Input &size);

/// Zeros of these extents.
Output zerosOf(const Input &batch, const Input &size, DType dtype);

/// The old value where a sequence is over. **Source**: _copy_one_through.
Output unlessOver(const Output &isOver, const Output &old, const Output &next);

} // namespace kiln

#endif // KILN_LIB_TRAIN_RNNSHAPES_H
