// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inverses of batches of square matrices.
#ifndef KILN_RUNTIME_KERNELS_MATRIXINVERSE_H
#define KILN_RUNTIME_KERNELS_MATRIXINVERSE_H

#include "runtime/Abi.h"

namespace kiln {

/// Inverts `batch` matrices; returns false when the run is to stop: on an error
/// and when `watched` (null: nothing) says so, which is looked at every 10 ms
/// or so. **Shapes**: in, out: [batch, n, n], row-major, not overlapping.
/// **Edges**: n = 0 or batch = 0 writes nothing; adjoint inverts the
/// transposes; infinities and NaN give what the LU decomposition makes of them.
/// **Errors**, recorded in `state` with the node: INVALID_ARGUMENT "Input is
/// not invertible." when a pivot is zero (denormals are zero in a run) or the
/// first is NaN;
/// RESOURCE_EXHAUSTED.
/// **Source**: TensorFlow's MatrixInverse, the same Eigen decomposition; of
/// matrices above 512 x 512 the same algorithm in smaller steps.
bool matrixInverse(KilnRunState *state, int32_t node, const float *in,
                   float *out, int64_t batch, int64_t n, bool adjoint,
                   const KilnRunState *watched) noexcept;
bool matrixInverse(KilnRunState *state, int32_t node, const double *in,
                   double *out, int64_t batch, int64_t n, bool adjoint,
                   const KilnRunState *watched) noexcept;

} // namespace kiln

#endif // KILN_RUNTIME_KERNELS_MATRIXINVERSE_H
