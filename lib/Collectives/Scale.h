// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on what is reduced, before and after it is.
#ifndef KILN_LIB_COLLECTIVES_SCALE_H
#define KILN_LIB_COLLECTIVES_SCALE_H

#include "kiln/Tensor.h"

namespace kiln {

/// Multiplies all elements: float and double in their own precision, half in
/// that of float; integers in that of double, towards zero. **Source**:
/// Horovod's ScaleBuffer.
void scale(Tensor &tensor, double factor);

/// Adds tensors of floats of all ranks pairwise, as a tree, without the share
/// that the two of a pair have in common: of `all` ([ranks, elements]) the
/// elements from `place` on. **Source**: Maleki et al., Scaling distributed
/// training with adaptive summation, 2020; formula (4).
void adasum(const Tensor &all, int64_t place, Tensor &sum);

} // namespace kiln

#endif // KILN_LIB_COLLECTIVES_SCALE_H
