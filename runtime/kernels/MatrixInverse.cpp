// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LU decomposition with partial pivoting, by Eigen, in a workspace whose
// allocation may fail without a throw.
#include "runtime/kernels/MatrixInverse.h"

#include "runtime/Memory.h"
#include "runtime/RunState.h"

#include <Eigen/LU>

#include <limits>
#include <memory>

namespace kiln {
namespace {

template <class T>
bool invert(KilnRunState *state, int32_t node, const T *in, T *out,
            int64_t batch, int64_t n, bool adjoint) noexcept {
  using Matrix =
      Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  if (n <= 0 || batch <= 0)
    return !mustStop(state);
  // n is below 2^31 wherever n * n elements were allocated.
  size_t bytes = static_cast<size_t>(n) * static_cast<size_t>(n) * sizeof(T);
  std::unique_ptr<void, void (*)(void *)> workspace(
      allocateAligned(bytes), [](void *data) { freeAligned(data); });
  if (!workspace) {
    recordError(state, ErrorKind::OutOfMemory, node,
                static_cast<int64_t>(bytes));
    return false;
  }
  Eigen::Map<Matrix> factors(static_cast<T *>(workspace.get()), n, n);
  for (int64_t i = 0; i < batch; ++i, in += n * n, out += n * n) {
    if (mustStop(state))
      return false;
    Eigen::Map<const Matrix> source(in, n, n);
    if (adjoint)
      factors = source.transpose();
    else
      factors = source;
    Eigen::PartialPivLU<Eigen::Ref<Matrix>> lu(factors);
    // Written so that NaN, too, is refused.
    if (!(factors.diagonal()
              .cwiseAbs()
              .template minCoeff<Eigen::PropagateNaN>() > T(0))) {
      recordError(state, ErrorKind::MatrixNotInvertible, node);
      return false;
    }
    Eigen::Map<Matrix>(out, n, n).noalias() = lu.inverse();
  }
  return true;
}

} // namespace

bool matrixInverse(KilnRunState *state, int32_t node, const float *in,
                   float *out, int64_t batch, int64_t n,
                   bool adjoint) noexcept {
  return invert(state, node, in, out, batch, n, adjoint);
}

bool matrixInverse(KilnRunState *state, int32_t node, const double *in,
                   double *out, int64_t batch, int64_t n,
                   bool adjoint) noexcept {
  return invert(state, node, in, out, batch, n, adjoint);
}

} // namespace kiln
