// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors and their elements as text for people.
#ifndef KILN_TOOLS_COMMON_TENSORTEXT_H
#define KILN_TOOLS_COMMON_TENSORTEXT_H

#include "kiln/Tensor.h"

#include <string>

namespace kiln {

/// Calls `visitor` with element i as its C++ type; returns false, without a
/// call, for a dtype that is no bool, integer, float32 or float64.
template <class Visitor>
bool visitElement(const Tensor &tensor, int64_t i, Visitor visitor) {
  auto visit = [&]<class T>(T) {
    visitor(tensor.data<T>()[static_cast<size_t>(i)]);
    return true;
  };
  switch (tensor.dtype()) {
  case DType::Float32:
    return visit(float());
  case DType::Float64:
    return visit(double());
  case DType::Bool:
    return visit(bool());
  case DType::Int8:
    return visit(int8_t());
  case DType::Int16:
    return visit(int16_t());
  case DType::Int32:
    return visit(int32_t());
  case DType::Int64:
    return visit(int64_t());
  case DType::UInt8:
    return visit(uint8_t());
  case DType::UInt16:
    return visit(uint16_t());
  case DType::UInt32:
    return visit(uint32_t());
  case DType::UInt64:
    return visit(uint64_t());
  default:
    return false;
  }
}

/// Element i in the shortest form that reads back as the same number; "?" for a
/// dtype that visitElement() does not know.
std::string elementText(const Tensor &tensor, int64_t i);

/// "float32 [2,3]".
std::string typeText(const Tensor &tensor);

/// The elements as nested lists, "[[1, 2], [3, 4]]"; beyond `maxElements` the
/// rest is "...".
std::string elementsText(const Tensor &tensor, int64_t maxElements);

/// The position of element i: "[1,0]"; empty for a scalar.
std::string positionText(const Shape &shape, int64_t i);

} // namespace kiln

#endif // KILN_TOOLS_COMMON_TENSORTEXT_H
