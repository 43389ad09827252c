// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eigenvalues and eigenvectors of any square matrices, which are complex, by
// Eigen, as TensorFlow's kernel finds them.
#include "kiln/Status.h"
#include "runtime/arithmetic/FloatEnv.h"
#include "runtime/kernels/Kernels.h"
#include "runtime/kernels/Matrices.h"

#include <Eigen/Eigenvalues>

#include <type_traits>

namespace kiln {
namespace {

/// x : [..., n, n] -> eigenvalues, and eigenvectors as columns, if asked;
/// [whether they are]. Denormals count here: without them the iteration may not
/// end.
int32_t eigenvalues(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  const FloatStateScope denormals(FloatEnv::withDenormals);
  return dispatchMatrix(call, [&]<class T>(T) {
    constexpr bool isComplex = Eigen::NumTraits<T>::IsComplex;
    using Whole = std::complex<typename Eigen::NumTraits<T>::Real>;
    using Solver =
        std::conditional_t<isComplex, Eigen::ComplexEigenSolver<RowMatrix<T>>,
                           Eigen::EigenSolver<RowMatrix<T>>>;
    return forEachMatrix(call, [&](int64_t k) {
      const auto x = inputMatrix<T>(call, 0, k);
      if (x.size() == 0)
        return true;
      const bool hasVectors = call.number(0) != 0;
      const Solver of(x, hasVectors);
      if (of.info() != Eigen::Success)
        return call.fail(
            invalidArgumentError("Eigen decomposition was not successful. The "
                                 "input might not be valid."));
      Eigen::Map<Eigen::Vector<Whole, Eigen::Dynamic>>(
          call.output<Whole>(0) + k * x.rows(), x.rows()) = of.eigenvalues();
      if (hasVectors)
        outputMatrix<Whole>(call, 1, k) = of.eigenvectors();
      return true;
    });
  });
}

} // namespace

std::vector<Kernel> eigenvalueKernels() { return {{"Eig", eigenvalues}}; }

} // namespace kiln
