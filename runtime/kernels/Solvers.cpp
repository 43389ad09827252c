// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Systems of linear equations, by Eigen, as TensorFlow's kernels use it.
#include "lib/Support/Strings.h"
#include "runtime/kernels/Kernels.h"
#include "runtime/kernels/Matrices.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>

#include <algorithm>

namespace kiln {
namespace {

/// a : [..., n, n], b : [..., n, k] -> x of a x = b; [whether of a's adjoint]
int32_t solve(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchMatrix(call, [&]<class T>(T) {
    return forEachMatrix(call, [&](int64_t k) {
      const auto a = inputMatrix<T>(call, 0, k), b = inputMatrix<T>(call, 1, k);
      if (a.size() == 0 || b.size() == 0)
        return true;
      Eigen::PartialPivLU<RowMatrix<T>> lu;
      if (call.number(0))
        lu.compute(a.adjoint());
      else
        lu.compute(a);
      if (!(lu.matrixLU().diagonal().cwiseAbs().minCoeff() > 0))
        return call.fail(
            invalidArgumentError("Input matrix is not invertible."));
      outputMatrix<T>(call, 0, k) = lu.solve(b);
      return true;
    });
  });
}

/// a : [..., n, n], of which one half counts, b : [..., n, k] -> x of a x = b;
/// [whether the lower half, whether of its adjoint]. **Edges**: what is
/// divided by 0 is infinite.
int32_t triangularSolve(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchMatrix(call, [&]<class T>(T) {
    return forEachMatrix(call, [&](int64_t k) {
      const auto a = inputMatrix<T>(call, 0, k);
      auto x = outputMatrix<T>(call, 0, k);
      x = inputMatrix<T>(call, 1, k);
      if (x.size() == 0)
        return true;
      const bool isLower = call.number(0) != 0;
      if (call.number(1)) {
        if (isLower)
          a.adjoint().template triangularView<Eigen::Upper>().solveInPlace(x);
        else
          a.adjoint().template triangularView<Eigen::Lower>().solveInPlace(x);
      } else if (isLower) {
        a.template triangularView<Eigen::Lower>().solveInPlace(x);
      } else {
        a.template triangularView<Eigen::Upper>().solveInPlace(x);
      }
      return true;
    });
  });
}

/// bands : [..., k, n], of a triangular matrix whose element j beside the
/// diagonal in row i is bands[j, i], or bands[k - 1 - j, i] above it;
/// b : [..., n, m] -> x; [whether the lower half, whether of its adjoint]
int32_t bandedSolve(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchMatrix(call, [&]<class T>(T) {
    return forEachMatrix(call, [&](int64_t k) {
      const auto bands = inputMatrix<T>(call, 0, k);
      auto x = outputMatrix<T>(call, 0, k);
      x = inputMatrix<T>(call, 1, k);
      const bool isLower = call.number(0) != 0, adjoint = call.number(1) != 0,
                 fromBelow = isLower == adjoint;
      const int64_t count = bands.rows(), size = bands.cols();
      auto band = [&](int64_t j) {
        return bands.row(isLower ? j : count - 1 - j);
      };
      if (!(band(0).cwiseAbs().minCoeff() > 0))
        return call.fail(
            invalidArgumentError("Input matrix is not invertible."));
      for (int64_t done = 0; done < size; ++done) {
        const int64_t i = fromBelow ? size - 1 - done : done;
        for (int64_t j = 1; j < std::min(count, done + 1); ++j) {
          const int64_t other = fromBelow ? i + j : i - j;
          const T factor = band(j)(adjoint ? other : i);
          x.row(i) -=
              (adjoint ? Eigen::numext::conj(factor) : factor) * x.row(other);
        }
        const T divisor = band(0)(i);
        x.row(i) /= adjoint ? Eigen::numext::conj(divisor) : divisor;
      }
      return true;
    });
  });
}

template <class T> using RealOf = typename Eigen::NumTraits<T>::Real;

/// The x of least |a x - b|^2 + l2 |x|^2, or of least |x| where there are many,
/// by the normal equations.
template <class T>
bool solveNormal(const KernelCall &call, const ConstMatrixMap<T> &a,
                 const ConstMatrixMap<T> &b, T l2, MatrixMap<T> x) {
  const bool isTall = a.rows() >= a.cols();
  const int64_t size = isTall ? a.cols() : a.rows();
  RowMatrix<T> gram = RowMatrix<T>::Identity(size, size) * l2;
  if (isTall)
    gram.template selfadjointView<Eigen::Lower>().rankUpdate(a.adjoint());
  else
    gram.template selfadjointView<Eigen::Lower>().rankUpdate(a);
  const Eigen::LLT<RowMatrix<T>> llt(gram);
  if (llt.info() != Eigen::Success)
    return call.fail(invalidArgumentError(
        "Input matrix was rank deficient or ill-conditioned. Try setting "
        "fast=False or provide a larger l2_regularizer > 0."));
  if (isTall)
    x = llt.solve(a.adjoint() * b);
  else
    x.noalias() = a.adjoint() * llt.solve(b);
  return true;
}

/// a : [..., m, n], b : [..., m, k], l2 : double -> [..., n, k]; [whether by
/// the normal equations]
int32_t solveLeastSquares(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchMatrix(call, [&]<class T>(T) {
    return forEachMatrix(call, [&](int64_t k) {
      const auto a = inputMatrix<T>(call, 0, k), b = inputMatrix<T>(call, 1, k);
      auto x = outputMatrix<T>(call, 0, k);
      if (a.size() == 0 || b.size() == 0)
        return x.setZero(), true;
      if (call.number(0))
        return solveNormal<T>(
            call, a, b,
            static_cast<T>(static_cast<RealOf<T>>(*call.input<double>(2))), x);
      x = Eigen::CompleteOrthogonalDecomposition<RowMatrix<T>>(a).solve(b);
      return true;
    });
  });
}

} // namespace

std::vector<Kernel> solverKernels() {
  return {{"BandedTriangularSolve", bandedSolve},
          {"MatrixSolve", solve},
          {"MatrixSolveLs", solveLeastSquares},
          {"MatrixTriangularSolve", triangularSolve}};
}

} // namespace kiln
