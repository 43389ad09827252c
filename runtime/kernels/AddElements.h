// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds elements one by one, as the op `Add` does for each type.
#ifndef KILN_RUNTIME_KERNELS_ADDELEMENTS_H
#define KILN_RUNTIME_KERNELS_ADDELEMENTS_H

#include "kiln/DType.h"

#include <cstdint>
#include <type_traits>

namespace kiln {

/// The type as whose elements those of a type are added: a complex number is
/// two.
inline DType addedAs(DType type) noexcept {
  return type == DType::Complex64    ? DType::Float32
         : type == DType::Complex128 ? DType::Float64
                                     : type;
}

/// sum[i] += more[i]. Integers wrap, bools are or-ed, float16 and bfloat16 are
/// rounded.
template <class T>
void addElements(T *sum, const T *more, int64_t count) noexcept {
  for (int64_t i = 0; i < count; ++i) {
    if constexpr (std::is_same_v<T, bool>)
      sum[i] = sum[i] || more[i];
    else if constexpr (std::is_integral_v<T>)
      sum[i] = static_cast<T>(static_cast<std::make_unsigned_t<T>>(sum[i]) +
                              static_cast<std::make_unsigned_t<T>>(more[i]));
    else if constexpr (std::is_floating_point_v<T>)
      sum[i] += more[i];
    else
      sum[i] = T(static_cast<float>(sum[i]) + static_cast<float>(more[i]));
  }
}

} // namespace kiln

#endif // KILN_RUNTIME_KERNELS_ADDELEMENTS_H
