// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writing tensors for people: numbers in full, long arrays cut.
#include "tools/common/TensorText.h"

#include "lib/Support/Strings.h"

namespace kiln {

std::string bytesText(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  bool hasSingle = bytes.find('\'') != bytes.npos;
  char quoted = hasSingle && bytes.find('"') == bytes.npos ? '"' : '\'';
  std::string text = {'b', quoted};
  for (char byte : bytes) {
    auto code = static_cast<uint8_t>(byte);
    if (byte == quoted || byte == '\\')
      text += {'\\', byte};
    else if (byte == '\t')
      text += "\\t";
    else if (byte == '\n')
      text += "\\n";
    else if (byte == '\r')
      text += "\\r";
    else if (code < 0x20 || code > 0x7e)
      text += {'\\', 'x', digits[code >> 4], digits[code & 15]};
    else
      text += byte;
  }
  return text + quoted;
}

std::string elementText(const Tensor &tensor, int64_t i) {
  if (tensor.dtype() == DType::String)
    return bytesText(tensor.data<String>()[static_cast<size_t>(i)]);
  std::string text;
  bool known =
      visitElement(tensor, i, [&](auto value) { text = strCat(+value); });
  if (known && tensor.dtype() == DType::Bool)
    return text == "0" ? "false" : "true";
  return known ? text : "?";
}

std::string typeText(const Tensor &tensor) {
  return strCat(dtypeName(tensor.dtype()), " ", tensor.shape().toString());
}

std::string elementsText(const Tensor &tensor, int64_t maxElements) {
  int rank = tensor.rank();
  int64_t count = tensor.numElements();
  if (rank == 0)
    return elementText(tensor, 0);
  if (count == 0)
    return "[]";
  std::string text;
  int64_t shown = count < maxElements ? count : maxElements;
  for (int64_t i = 0; i < shown; ++i) {
    // An axis opens where everything inside of it starts anew.
    int open = 0, inner = 1;
    int64_t extent = 1;
    for (; inner <= rank; ++inner) {
      extent *= tensor.dim(rank - inner);
      if (i % extent != 0)
        break;
      ++open;
    }
    if (i > 0)
      text += std::string(static_cast<size_t>(open), ']') + ", ";
    text.append(static_cast<size_t>(open), '[');
    text += elementText(tensor, i);
  }
  return shown < count ? strCat(text, ", ... ", count - shown, " more")
                       : text + std::string(static_cast<size_t>(rank), ']');
}

std::string positionText(const Shape &shape, int64_t i) {
  std::string text;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    int64_t dim = shape.dim(axis);
    text = strCat(i % dim, text.empty() ? "" : ",", text);
    i /= dim;
  }
  return text.empty() ? text : "[" + text + "]";
}

} // namespace kiln
