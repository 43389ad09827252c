// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inverses of batches of square matrices: LU decomposition with partial
// pivoting, by Eigen, in a workspace whose allocation may fail without a throw.
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Kernels.h"
#include "runtime/kernels/Matrices.h"
#include "runtime/memory/Memory.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <numeric>

namespace kiln {
namespace {

template <class T>
using Matrix =
    Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Larger ones would keep a cancelled run for more than some 30 ms.
constexpr int64_t maxWholeSize = 512;

/// LU decomposition and inverse in blocks, between which the run may stop.
template <class T> class BlockedInverse {
public:
  /// `rows` has room for n indices. Decomposes `factors` in place.
  BlockedInverse(Eigen::Map<Matrix<T>> factors, int64_t *rows,
                 const KilnRunState *state)
      : factors(factors), n(factors.rows()), rows(rows), state(state) {}

  /// Takes the matrix, or its adjoint; false when the run is to stop. Memory
  /// that is touched for the first time makes this as slow as arithmetic.
  bool copyFrom(Eigen::Map<const Matrix<T>> source, bool adjoint) {
    for (int64_t row = 0; row < n; row += blockSize) {
      if (mustStop(state))
        return false;
      int64_t size = std::min(blockSize, n - row);
      auto part = factors.middleRows(row, size);
      if (adjoint)
        part = source.middleCols(row, size).adjoint();
      else
        part = source.middleRows(row, size);
    }
    return true;
  }

  /// False when the run is to stop.
  bool decompose() {
    std::iota(rows, rows + n, int64_t(0));
    for (int64_t k = 0; k < n; k += blockSize) {
      int64_t size = std::min(blockSize, n - k), rest = n - k - size;
      if (!decomposePanel(k, size))
        return false;
      if (rest == 0)
        break;
      auto right = factors.block(k, k + size, size, rest);
      factors.block(k, k, size, size)
          .template triangularView<Eigen::UnitLower>()
          .solveInPlace(right);
      // A part of about 10 ms at a time.
      int64_t part =
          std::max<int64_t>(blockSize * 1'000'000 / (size * rest), 1);
      for (int64_t row = k + size; row < n; row += part) {
        if (mustStop(state))
          return false;
        int64_t count = std::min(part, n - row);
        factors.block(row, k + size, count, rest).noalias() -=
            factors.block(row, k, count, size) * right;
      }
    }
    return true;
  }

  /// Writes the inverse of what was decomposed; false when the run is to stop.
  bool invertTo(Eigen::Map<Matrix<T>> out) {
    for (int64_t i = 0; i < n; ++i) {
      if (mustStop(state))
        return false;
      out.row(i).setZero();
      out(i, rows[i]) = T(1);
    }
    for (int64_t column = 0; column < n; column += stripeSize)
      if (!solve(out.middleCols(column, std::min(stripeSize, n - column))))
        return false;
    return true;
  }

private:
  static constexpr int64_t blockSize = 64, stripeSize = 256;

  bool decomposePanel(int64_t k, int64_t size) {
    for (int64_t j = k; j < k + size; ++j) {
      if (mustStop(state))
        return false;
      Eigen::Index pivot = 0;
      factors.col(j).tail(n - j).cwiseAbs().maxCoeff(&pivot);
      if (pivot != 0) {
        factors.row(j).swap(factors.row(j + pivot));
        std::swap(rows[j], rows[j + pivot]);
      }
      int64_t below = n - j - 1, right = k + size - j - 1;
      if (factors(j, j) != T(0))
        factors.col(j).tail(below) /= factors(j, j);
      factors.block(j + 1, j + 1, below, right).noalias() -=
          factors.col(j).tail(below) * factors.row(j).segment(j + 1, right);
    }
    return true;
  }

  /// Solves L U x = b in place.
  template <class Block> bool solve(Block b) {
    int64_t last = (n - 1) / blockSize * blockSize;
    for (int64_t k = 0; k < n; k += blockSize) {
      if (mustStop(state))
        return false;
      int64_t size = std::min(blockSize, n - k);
      auto rowsOf = b.middleRows(k, size);
      rowsOf.noalias() -= factors.block(k, 0, size, k) * b.topRows(k);
      factors.block(k, k, size, size)
          .template triangularView<Eigen::UnitLower>()
          .solveInPlace(rowsOf);
    }
    for (int64_t k = last; k >= 0; k -= blockSize) {
      if (mustStop(state))
        return false;
      int64_t size = std::min(blockSize, n - k), done = n - k - size;
      auto rowsOf = b.middleRows(k, size);
      rowsOf.noalias() -=
          factors.block(k, k + size, size, done) * b.bottomRows(done);
      factors.block(k, k, size, size)
          .template triangularView<Eigen::Upper>()
          .solveInPlace(rowsOf);
    }
    return true;
  }

  Eigen::Map<Matrix<T>> factors;
  int64_t n;
  int64_t *rows; ///< rows[i]: which row of the matrix became row i
  const KilnRunState *state;
};

/// As TensorFlow's smallest pivot says, which starts with the first and skips
/// later NaN.
template <class T> bool isSingular(const Eigen::Map<Matrix<T>> &factors) {
  auto pivots = factors.diagonal().array();
  return std::isnan(std::abs(pivots[0])) || (pivots == T(0)).any();
}

/// As matrixInverse; may throw std::bad_alloc: Eigen packs the operands of
/// large products into memory of its own.
template <class T>
bool invertBatch(const KernelCall &call, int64_t batch, int64_t n) {
  const KilnRunState *state = call.state();
  if (n <= 0 || batch <= 0)
    return !mustStop(state);
  const T *in = call.input<T>(0);
  T *out = call.output<T>(0);
  bool adjoint = call.number(0) != 0;
  // n is below 2^31 wherever n * n elements were allocated.
  size_t matrixBytes =
      static_cast<size_t>(n) * static_cast<size_t>(n) * sizeof(T);
  matrixBytes = (matrixBytes + 7) / 8 * 8;
  size_t bytes = matrixBytes + static_cast<size_t>(n) * sizeof(int64_t);
  std::unique_ptr<void, void (*)(void *)> workspace(
      allocateAligned(bytes), [](void *data) { freeAligned(data); });
  if (!workspace)
    return call.fail(ErrorKind::OutOfMemory, static_cast<int64_t>(bytes));
  char *memory = static_cast<char *>(workspace.get());
  Eigen::Map<Matrix<T>> factors(reinterpret_cast<T *>(memory), n, n);
  auto *rows = reinterpret_cast<int64_t *>(memory + matrixBytes);
  for (int64_t i = 0; i < batch; ++i, in += n * n, out += n * n) {
    if (mustStop(state))
      return false;
    Eigen::Map<const Matrix<T>> source(in, n, n);
    Eigen::Map<Matrix<T>> inverse(out, n, n);
    if (n > maxWholeSize) {
      BlockedInverse<T> blocked(factors, rows, state);
      if (!blocked.copyFrom(source, adjoint) || !blocked.decompose())
        return false;
      if (isSingular(factors))
        return call.fail(ErrorKind::MatrixNotInvertible);
      if (!blocked.invertTo(inverse))
        return false;
      continue;
    }
    if (adjoint)
      factors = source.adjoint();
    else
      factors = source;
    Eigen::PartialPivLU<Eigen::Ref<Matrix<T>>> lu(factors);
    if (isSingular(factors))
      return call.fail(ErrorKind::MatrixNotInvertible);
    inverse.noalias() = lu.inverse();
  }
  return true;
}

template <class T>
bool invert(const KernelCall &call, int64_t batch, int64_t n) noexcept {
  try {
    return invertBatch<T>(call, batch, n);
  } catch (const std::bad_alloc &) {
    return call.fail(ErrorKind::OutOfMemory,
                     n * n * static_cast<int64_t>(sizeof(T)));
  }
}

/// x : [..., n, n] -> the inverse of each matrix; [1 to invert the adjoints].
/// Looks every 10 ms or so whether it is to stop.
/// **Edges**: n = 0 or an empty batch writes nothing; infinities and NaN give
/// what the LU decomposition makes of them. **Errors**: INVALID_ARGUMENT "Input
/// is not invertible." when a pivot is zero (denormals are zero in a run) or
/// the first is NaN; RESOURCE_EXHAUSTED.
/// **Source**: TensorFlow's MatrixInverse, the same Eigen decomposition; of
/// matrices above 512 x 512 the same algorithm in smaller steps.
int32_t matrixInverse(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  std::span<const int64_t> dims = call.inputDims(0);
  int64_t n = dims.back(), batch = 1;
  for (int64_t dim : dims.first(dims.size() - 2))
    batch *= dim;
  return dispatchMatrix(
      call, [&]<class T>(T) -> int32_t { return !invert<T>(call, batch, n); });
}

} // namespace

std::vector<Kernel> matrixInverseKernels() {
  return {{"MatrixInverse", matrixInverse}};
}

} // namespace kiln
