// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Systems of equations with three diagonals.
//
// Elimination with exchanges of neighboring rows, as LAPACK's xGTSV, or with
// pivots that are moved away from 0, as its xLAGTF and xLAGTS; or without
// exchanges (Thomas' algorithm). Where a pivot is 0, all of x is NaN, or 0 of
// complex numbers, as TensorFlow has it.
#include "runtime/kernels/Kernels.h"
#include "runtime/kernels/Matrices.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kiln {
namespace {

template <class T> using Row = Eigen::Array<T, 1, Eigen::Dynamic>;
template <class T> using Real = typename Eigen::NumTraits<T>::Real;

/// One system: the superdiagonal's last and the subdiagonal's first element
/// mean nothing.
template <class T> struct System {
  ConstMatrixMap<T> diagonals, rhs;
  MatrixMap<T> x;

  Eigen::Index size() const { return diagonals.cols(); }
  T above(Eigen::Index i) const { return diagonals(0, i); }
  T middle(Eigen::Index i) const { return diagonals(1, i); }
  T below(Eigen::Index i) const { return diagonals(2, i); }
  // Complex numbers have no such limit, and get their zero.
  void fail() { x.fill(std::numeric_limits<T>::quiet_NaN()); }
};

template <class T> void solveThomas(System<T> system) {
  const Eigen::Index n = system.size();
  Row<T> factors(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    T pivot = system.middle(i);
    if (i > 0)
      pivot -= system.below(i) * factors(i - 1);
    if (pivot == T(0))
      return system.fail();
    factors(i) = system.above(i) / pivot;
    if (i > 0)
      system.x.row(i) =
          (system.rhs.row(i) - system.below(i) * system.x.row(i - 1)) / pivot;
    else
      system.x.row(i) = system.rhs.row(i) / pivot;
  }
  for (Eigen::Index i = n - 2; i >= 0; --i)
    system.x.row(i) -= factors(i) * system.x.row(i + 1);
}

/// The upper factor: its diagonal and the two above it.
template <class T> using Upper = Eigen::Array<T, Eigen::Dynamic, 3>;

/// Eliminates row i + 1 with row i, as they stand.
template <class T> void eliminate(System<T> &system, Upper<T> &u, int64_t i) {
  const T factor = system.below(i + 1) / u(i, 0);
  u(i + 1, 0) = system.middle(i + 1) - factor * u(i, 1);
  u(i + 1, 1) = system.above(i + 1);
  u(i, 2) = 0;
  system.x.row(i + 1) = system.rhs.row(i + 1) - factor * system.x.row(i);
}
/// The same after they have changed places.
template <class T> void exchange(System<T> &system, Upper<T> &u, int64_t i) {
  const bool isLast = i + 2 == system.size();
  const T factor = u(i, 0) / system.below(i + 1);
  u(i, 0) = system.below(i + 1);
  u(i + 1, 0) = u(i, 1) - factor * system.middle(i + 1);
  u(i, 1) = system.middle(i + 1);
  u(i, 2) = isLast ? T(0) : system.above(i + 1);
  u(i + 1, 1) = isLast ? T(0) : -factor * system.above(i + 1);
  system.x.row(i + 1) = system.x.row(i) - factor * system.rhs.row(i + 1);
  system.x.row(i) = system.rhs.row(i + 1);
}

template <class T> void begin(System<T> &system, Upper<T> &u) {
  u(0, 0) = system.middle(0);
  u(0, 1) = system.above(0);
  system.x.row(0) = system.rhs.row(0);
}

template <class T> void solvePivoted(System<T> system) {
  const Eigen::Index n = system.size();
  Upper<T> u(n, 3);
  begin(system, u);
  for (Eigen::Index i = 0; i + 1 < n; ++i) {
    if (std::abs(u(i, 0)) < std::abs(system.below(i + 1))) {
      exchange(system, u, i);
    } else if (u(i, 0) == T(0)) {
      return system.fail();
    } else {
      eliminate(system, u, i);
    }
  }
  if (u(n - 1, 0) == T(0))
    return system.fail();
  auto &x = system.x;
  x.row(n - 1) /= u(n - 1, 0);
  if (n > 1)
    x.row(n - 2) = (x.row(n - 2) - u(n - 2, 1) * x.row(n - 1)) / u(n - 2, 0);
  for (Eigen::Index i = n - 3; i >= 0; --i)
    x.row(i) =
        (x.row(i) - u(i, 1) * x.row(i + 1) - u(i, 2) * x.row(i + 2)) / u(i, 0);
}

/// Moves a pivot away from 0, or scales it with its row, so that neither what
/// is divided by it nor its inverse overflows.
template <class T> void perturb(Real<T> by, T &pivot, Row<T> &row) {
  constexpr Real<T> smallest = std::numeric_limits<Real<T>>::min(),
                    largest = 1 / smallest;
  by = std::copysign(std::max(std::abs(by), smallest), std::real(pivot));
  const Real<T> height = row.size() ? row.abs().maxCoeff() : Real<T>(0);
  while (std::abs(pivot) < 1) {
    const Real<T> size = std::abs(pivot);
    const bool isTiny = size < smallest;
    if (isTiny ? size == 0 || height * smallest > size
               : height > size * largest) {
      pivot += by;
      by *= 2;
    } else if (isTiny) {
      pivot *= largest;
      row *= largest;
      return;
    } else {
      return;
    }
  }
}

template <class T> void solvePerturbed(System<T> system) {
  const Eigen::Index n = system.size();
  Upper<T> u(n, 3);
  begin(system, u);
  if (n == 1)
    u(0, 1) = 0;
  Real<T> largest = std::max(std::abs(u(0, 0)), std::abs(u(0, 1)));
  Real<T> scale = std::abs(u(0, 0)) + std::abs(u(0, 1));
  for (Eigen::Index i = 0; i + 1 < n; ++i) {
    const bool isLast = i + 2 == n;
    Real<T> nextScale =
        std::abs(system.below(i + 1)) + std::abs(system.middle(i + 1));
    if (!isLast)
      nextScale += std::abs(system.above(i + 1));
    const Real<T> first =
                      u(i, 0) == T(0) ? Real<T>(0) : std::abs(u(i, 0)) / scale,
                  second = std::abs(system.below(i + 1)) / nextScale;
    if (system.below(i + 1) == T(0)) {
      scale = nextScale;
      u(i + 1, 0) = system.middle(i + 1);
      u(i + 1, 1) = system.above(i + 1);
      u(i, 2) = 0;
      system.x.row(i + 1) = system.rhs.row(i + 1);
    } else if (second <= first) {
      scale = nextScale;
      eliminate(system, u, i);
    } else {
      exchange(system, u, i);
    }
    if (!isLast)
      for (int k = 0; k < 3; ++k)
        largest = std::max(largest, std::abs(u(i, k)));
  }
  largest = std::max(largest, std::abs(u(n - 1, 0)));
  const Real<T> tolerance = std::numeric_limits<Real<T>>::epsilon() * largest;
  for (Eigen::Index i = n - 1; i >= 0; --i) {
    Row<T> row = system.x.row(i).array();
    if (i + 1 < n)
      row -= u(i, 1) * system.x.row(i + 1).array();
    if (i + 2 < n)
      row -= u(i, 2) * system.x.row(i + 2).array();
    T pivot = u(i, 0);
    perturb(tolerance, pivot, row);
    system.x.row(i) = (row * (T(1) / pivot)).matrix();
  }
}

/// diagonals : [..., 3, n], rhs : [..., n, k] -> [..., n, k]; [whether rows
/// change places, whether pivots are moved]
int32_t solveTridiagonal(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchMatrix(call, [&]<class T>(T) {
    return forEachMatrix(call, [&](int64_t k) {
      System<T> system{inputMatrix<T>(call, 0, k), inputMatrix<T>(call, 1, k),
                       outputMatrix<T>(call, 0, k)};
      if (system.x.size() == 0)
        return true;
      if (call.number(1))
        solvePerturbed(system);
      else if (call.number(0))
        solvePivoted(system);
      else
        solveThomas(system);
      return true;
    });
  });
}

} // namespace

std::vector<Kernel> tridiagonalKernels() {
  return {{"TridiagonalSolve", solveTridiagonal}};
}

} // namespace kiln
