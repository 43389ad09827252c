// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Factorizations of batches of matrices, by Eigen, as TensorFlow's kernels use
// it.
#include "runtime/kernels/Kernels.h"
#include "runtime/kernels/Matrices.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

#include <cmath>
#include <limits>

namespace kiln {
namespace {

template <class T> constexpr T nan() {
  return T(
      std::numeric_limits<typename Eigen::NumTraits<T>::Real>::quiet_NaN());
}

/// x : [..., n, n], of which the lower half counts -> L of L L^H. **Edges**:
/// NaN where x is not positive definite.
int32_t cholesky(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchMatrix(call, [&]<class T>(T) {
    return forEachMatrix(call, [&](int64_t k) {
      auto lower = outputMatrix<T>(call, 0, k);
      lower =
          inputMatrix<T>(call, 0, k).template triangularView<Eigen::Lower>();
      Eigen::LLT<Eigen::Ref<RowMatrix<T>>> inPlace(lower);
      if (lower.size() != 0 && inPlace.info() != Eigen::Success)
        lower.template triangularView<Eigen::Lower>().setConstant(nan<T>());
      return true;
    });
  });
}

/// L, the gradient of L -> the gradient of x, symmetric. **Source**: Murray,
/// "Differentiation of the Cholesky decomposition", 2016, (9) and (10).
int32_t choleskyGrad(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchReal(call, [&]<class T>(T) {
    return forEachMatrix(call, [&](int64_t k) {
      const auto given = inputMatrix<T>(call, 0, k);
      if (given.size() == 0)
        return true;
      const auto lower = given.template triangularView<Eigen::Lower>();
      RowMatrix<T> slope =
          inputMatrix<T>(call, 1, k).template triangularView<Eigen::Lower>();
      RowMatrix<T> inner = lower.transpose() * slope;
      inner.diagonal() /= 2;
      slope = inner.template triangularView<Eigen::Lower>();
      lower.transpose().solveInPlace(slope);
      lower.template solveInPlace<Eigen::OnTheRight>(slope);
      outputMatrix<T>(call, 0, k) = (slope + slope.transpose()) / 2;
      return true;
    });
  });
}

template <class T> T directionOf(T x) {
  return x > 0 ? T(1) : x < 0 ? T(-1) : x;
}
template <class T> std::complex<T> directionOf(std::complex<T> x) {
  const T size = std::abs(x);
  return size > 0 ? x / size : x;
}

/// The determinant as a sign and the logarithm of its size.
template <class T> struct LogDeterminant {
  explicit LogDeterminant(const ConstMatrixMap<T> &x) {
    if (x.size() == 0)
      return;
    const Eigen::PartialPivLU<RowMatrix<T>> lu(x);
    const auto pivots = lu.matrixLU().diagonal().array();
    logarithm = pivots.abs().log().sum();
    sign = static_cast<T>(lu.permutationP().determinant());
    for (T pivot : pivots) // of 0 and NaN themselves
      sign *= directionOf(pivot);
  }
  T sign = 1, logarithm = 0;
};

/// x : [..., n, n] -> [...]
int32_t determinant(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchMatrix(call, [&]<class T>(T) {
    return forEachMatrix(call, [&](int64_t k) {
      const LogDeterminant<T> of(inputMatrix<T>(call, 0, k));
      call.output<T>(0)[k] = of.sign * std::exp(of.logarithm);
      return true;
    });
  });
}

/// x : [..., n, n] -> its sign, the logarithm of its size : [...]
int32_t logDeterminant(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchMatrix(call, [&]<class T>(T) {
    return forEachMatrix(call, [&](int64_t k) {
      const LogDeterminant<T> of(inputMatrix<T>(call, 0, k));
      call.output<T>(0)[k] = of.sign;
      call.output<T>(1)[k] = of.logarithm;
      return true;
    });
  });
}

/// x : [..., n, n] -> L below U, the order of the rows : [..., n]
int32_t luDecomposition(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchMatrix(call, [&]<class T>(T) {
    return forEachMatrix(call, [&](int64_t k) {
      const auto x = inputMatrix<T>(call, 0, k);
      if (x.size() == 0)
        return true;
      const Eigen::PartialPivLU<RowMatrix<T>> lu(x);
      if (!(lu.matrixLU().diagonal().cwiseAbs().minCoeff() > 0))
        return call.fail(ErrorKind::MatrixNotInvertible);
      outputMatrix<T>(call, 0, k) = lu.matrixLU();
      const int64_t n = x.rows();
      for (int64_t row = 0; row < n; ++row) {
        const int64_t at = k * n + lu.permutationP().indices()[row];
        if (call.outputDType(1) == DType::Int32)
          call.output<int32_t>(1)[at] = static_cast<int32_t>(row);
        else
          call.output<int64_t>(1)[at] = row;
      }
      return true;
    });
  });
}

/// x : [..., m, n] -> Q, R; [whether Q is m x m]
int32_t qrDecomposition(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchMatrix(call, [&]<class T>(T) {
    return forEachMatrix(call, [&](int64_t k) {
      auto q = outputMatrix<T>(call, 0, k), r = outputMatrix<T>(call, 1, k);
      const auto x = inputMatrix<T>(call, 0, k);
      q.setIdentity();
      if (x.size() == 0)
        return true;
      const Eigen::HouseholderQR<RowMatrix<T>> qr(x);
      q.applyOnTheLeft(qr.householderQ());
      r = qr.matrixQR()
              .topRows(r.rows())
              .template triangularView<Eigen::Upper>();
      return true;
    });
  });
}

/// x : [..., m, n] -> singular values : [..., min(m, n)], and with three
/// outputs U and V; [whether they are square]. **Edges**: NaN for an x that is
/// not finite.
int32_t svd(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchMatrix(call, [&]<class T>(T) {
    return forEachMatrix(call, [&](int64_t k) {
      const auto x = inputMatrix<T>(call, 0, k);
      const int64_t count = std::min(x.rows(), x.cols());
      const bool hasVectors = call.number(0) != 0, isFull = call.number(1) != 0;
      Eigen::Map<Eigen::Vector<T, Eigen::Dynamic>> values(
          call.output<T>(0) + k * count, count);
      if (x.size() != 0 && !x.allFinite()) {
        values.setConstant(nan<T>());
        for (int i = 1; hasVectors && i < 3; ++i)
          outputMatrix<T>(call, i, k).setConstant(nan<T>());
        return true;
      }
      unsigned options = 0;
      if (hasVectors)
        options = isFull ? Eigen::ComputeFullU | Eigen::ComputeFullV
                         : Eigen::ComputeThinU | Eigen::ComputeThinV;
      if (x.size() == 0) {
        for (int i = 1; hasVectors && i < 3; ++i)
          outputMatrix<T>(call, i, k).setIdentity();
        return true;
      }
      const Eigen::BDCSVD<RowMatrix<T>> of(x, options);
      values = of.singularValues().template cast<T>();
      if (hasVectors) {
        outputMatrix<T>(call, 1, k) = of.matrixU();
        outputMatrix<T>(call, 2, k) = of.matrixV();
      }
      return true;
    });
  });
}

/// x : [..., n, n], of which the lower half counts -> eigenvalues, and
/// eigenvectors as columns, if asked; [whether they are]
int32_t selfAdjointEig(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchMatrix(call, [&]<class T>(T) {
    return forEachMatrix(call, [&](int64_t k) {
      const auto x = inputMatrix<T>(call, 0, k);
      if (x.size() == 0)
        return true;
      const bool hasVectors = call.number(0) != 0;
      const Eigen::SelfAdjointEigenSolver<RowMatrix<T>> of(
          x, hasVectors ? Eigen::ComputeEigenvectors : Eigen::EigenvaluesOnly);
      if (of.info() != Eigen::Success)
        return call.fail(ErrorKind::EigenvaluesNotFound);
      Eigen::Map<Eigen::Vector<T, Eigen::Dynamic>>(
          call.output<T>(0) + k * x.rows(), x.rows()) =
          of.eigenvalues().template cast<T>();
      if (hasVectors)
        outputMatrix<T>(call, 1, k) = of.eigenvectors();
      return true;
    });
  });
}

} // namespace

std::vector<Kernel> factorizationKernels() {
  return {{"Cholesky", cholesky},
          {"CholeskyGrad", choleskyGrad},
          {"LogMatrixDeterminant", logDeterminant},
          {"Lu", luDecomposition},
          {"MatrixDeterminant", determinant},
          {"Qr", qrDecomposition},
          {"SelfAdjointEigV2", selfAdjointEig},
          {"Svd", svd}};
}

} // namespace kiln
