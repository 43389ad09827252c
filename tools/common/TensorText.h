// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors and their elements as text for people.
#ifndef KILN_TOOLS_COMMON_TENSORTEXT_H
#define KILN_TOOLS_COMMON_TENSORTEXT_H

#include "kiln/Tensor.h"
#include "lib/Support/DTypeDispatch.h"

#include <string>
#include <type_traits>

namespace kiln {

/// Calls `visitor` with element i as its C++ type, float for floats of 16 bits;
/// returns false, without a call, for a dtype that is no bool, integer or
/// float.
template <class Visitor>
bool visitElement(const Tensor &tensor, int64_t i, Visitor visitor) {
  return dispatchElement(tensor.dtype(), [&]<class T>(T) {
    T element = tensor.data<T>()[static_cast<size_t>(i)];
    if constexpr (std::is_class_v<T>)
      visitor(static_cast<float>(element));
    else
      visitor(element);
    return true;
  });
}

/// A byte string as Python shows it: b'a\\x00'.
std::string bytesText(std::string_view bytes);

/// Element i in the shortest form that reads back as the same number, or as
/// bytesText(); "?" for a dtype that visitElement() does not know.
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
