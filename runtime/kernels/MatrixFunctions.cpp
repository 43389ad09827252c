// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of batches of matrices that are series: exponentials and roots, by
// Eigen, as TensorFlow's kernels use it.
#include "runtime/kernels/Kernels.h"
#include "runtime/kernels/Matrices.h"

#include <unsupported/Eigen/MatrixFunctions>

namespace kiln {
namespace {

/// x : [..., n, n] -> e to the power of each. **Source**: N. Higham, The
/// scaling and squaring method for the matrix exponential revisited (2005).
int32_t matrixExponential(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchReal(call, [&]<class T>(T) {
    return forEachMatrix(call, [&](int64_t k) {
      const RowMatrix<T> x = inputMatrix<T>(call, 0, k);
      if (x.size() != 0)
        outputMatrix<T>(call, 0, k) = x.exp();
      return true;
    });
  });
}

/// x : [..., n, n] -> the principal root of each. **Edges**: NaN where there is
/// no real one. **Source**: Å. Björck, S. Hammarling, A Schur method for the
/// square root of a matrix (1983).
int32_t matrixSquareRoot(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchReal(call, [&]<class T>(T) {
    return forEachMatrix(call, [&](int64_t k) {
      const RowMatrix<T> x = inputMatrix<T>(call, 0, k);
      if (x.size() != 0)
        outputMatrix<T>(call, 0, k) = x.sqrt();
      return true;
    });
  });
}

} // namespace

std::vector<Kernel> matrixFunctionKernels() {
  return {{"MatrixExponential", matrixExponential},
          {"MatrixSquareRoot", matrixSquareRoot}};
}

} // namespace kiln
