// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of probabilities as logarithms.
#ifndef KILN_LIB_OPS_SPARSE_HOSTLOGSUM_H
#define KILN_LIB_OPS_SPARSE_HOSTLOGSUM_H

#include <cmath>
#include <limits>

namespace kiln::host {

/// The logarithm of a probability of 0.
template <class T>
inline constexpr T impossible = -std::numeric_limits<T>::infinity();

/// log(exp(a) + exp(b)) without an overflow.
template <class T> T logSum(T a, T b) {
  if (a == impossible<T>)
    return b;
  if (b == impossible<T>)
    return a;
  return a > b ? a + std::log1p(std::exp(b - a))
               : b + std::log1p(std::exp(a - b));
}

} // namespace kiln::host

#endif // KILN_LIB_OPS_SPARSE_HOSTLOGSUM_H
