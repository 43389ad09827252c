// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where an element stands, as TensorFlow's messages have it.
#ifndef KILN_RUNTIME_KERNELS_COORDINATES_H
#define KILN_RUNTIME_KERNELS_COORDINATES_H

#include "lib/Support/Strings.h"

#include <cstdint>
#include <span>
#include <string>

namespace kiln {

/// "[1,0]": where something stands among the dimensions, or nothing of none.
inline std::string coordinatesOf(std::span<const int64_t> dims,
                                 int64_t position) {
  std::string place;
  for (size_t d = dims.size(); d > 0; --d) {
    place = strCat(position % dims[d - 1], place.empty() ? "" : ",", place);
    position /= dims[d - 1];
  }
  return dims.empty() ? place : strCat("[", place, "]");
}

} // namespace kiln

#endif // KILN_RUNTIME_KERNELS_COORDINATES_H
