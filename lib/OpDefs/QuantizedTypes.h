// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What numbers the elements of quantized types are.
#ifndef KILN_LIB_OPDEFS_QUANTIZEDTYPES_H
#define KILN_LIB_OPDEFS_QUANTIZEDTYPES_H

#include "kiln/DType.h"

namespace kiln {

/// The integer that an element of a quantized type is; other types themselves.
constexpr DType integerOf(DType dtype) {
  switch (dtype) {
  case DType::QInt8:
    return DType::Int8;
  case DType::QUInt8:
    return DType::UInt8;
  case DType::QInt16:
    return DType::Int16;
  case DType::QUInt16:
    return DType::UInt16;
  case DType::QInt32:
    return DType::Int32;
  default:
    return dtype;
  }
}

} // namespace kiln

#endif // KILN_LIB_OPDEFS_QUANTIZEDTYPES_H
