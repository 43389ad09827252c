// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values as Python prints them, for TensorFlow's texts.
#include "lib/Build/Ops/ValueText.h"

#include "kiln/Node.h"
#include "lib/Build/Literal.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Graph/TensorText.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <cmath>

namespace kiln::ops {
namespace {

/// How many elements are written out, and how long a line may become.
constexpr int64_t maxElements = 1000;
constexpr size_t lineWidth = 75;
/// How many digits an array shows behind the point.
constexpr int maxDigits = 8;

/// The shortest digits of a number that read back as it, without an exponent or
/// with one.
template <class T> std::string digitsOf(T number, std::chars_format format) {
  char text[512];
  auto end = std::to_chars(text, text + sizeof text, number, format).ptr;
  std::string shortest(text, end);
  size_t point = shortest.find('.'), tail = shortest.find('e');
  size_t digits = tail == std::string::npos ? shortest.size() : tail;
  if (point != std::string::npos && digits - point - 1 > maxDigits) {
    end =
        std::to_chars(text, text + sizeof text, number, format, maxDigits).ptr;
    shortest.assign(text, end);
    digits = std::min(shortest.find('e'), shortest.size());
    size_t last = shortest.find_last_not_of('0', digits - 1);
    shortest.erase(last + 1, digits - last - 1);
  }
  if (shortest.find('.') == std::string::npos)
    shortest.insert(std::min(shortest.find('e'), shortest.size()), ".");
  return shortest;
}

/// Texts of one width: so many places before the point and so many behind it.
void align(std::vector<std::string> &texts, char fill) {
  size_t before = 0, behind = 0;
  auto partsOf = [](const std::string &text) {
    size_t point = text.find('.');
    if (point == std::string::npos)
      return std::pair(text.size(), size_t{0});
    return std::pair(point, std::min(text.find('e'), text.size()) - point - 1);
  };
  for (const std::string &text : texts) {
    before = std::max(before, partsOf(text).first);
    behind = std::max(behind, partsOf(text).second);
  }
  for (std::string &text : texts) {
    auto [own, digits] = partsOf(text);
    if (text.find('.') == std::string::npos) { // nan or inf
      text.insert(0, before + behind + 1 - std::min(before + behind + 1, own),
                  ' ');
      continue;
    }
    text.insert(own + 1 + digits, behind - digits, fill);
    text.insert(0, before - own, ' ');
  }
}

template <class T> std::vector<std::string> floatTexts(std::span<const T> all) {
  T most = 0, least = 0;
  for (T each : all)
    if (T size = std::abs(each); std::isfinite(each) && size != 0) {
      most = std::max(most, size);
      least = least == 0 ? size : std::min(least, size);
    }
  bool hasExponent = most >= T(1e8) || (least != 0 && least < T(1e-4)) ||
                     (least != 0 && most / least > T(1000));
  std::vector<std::string> texts;
  for (T each : all)
    texts.push_back(std::isnan(each) ? "nan"
                    : std::isinf(each)
                        ? (each < 0 ? "-inf" : "inf")
                        : digitsOf(each, hasExponent
                                             ? std::chars_format::scientific
                                             : std::chars_format::fixed));
  align(texts, hasExponent ? '0' : ' ');
  return texts;
}

void padLeft(std::vector<std::string> &texts) {
  size_t width = 0;
  for (const std::string &text : texts)
    width = std::max(width, text.size());
  for (std::string &text : texts)
    text.insert(0, width - text.size(), ' ');
}

std::vector<std::string> elementTexts(const Tensor &tensor) {
  std::vector<std::string> texts;
  if (tensor.dtype() == DType::String)
    for (const String &text : tensor.data<String>())
      texts.push_back(strCat("b", quote(std::string_view(text))));
  else if (tensor.dtype() == DType::Bool)
    for (bool each : tensor.data<bool>())
      texts.push_back(each ? "True" : "False");
  else if (tensor.dtype() == DType::Float32)
    texts = floatTexts(tensor.data<float>());
  else if (tensor.dtype() == DType::Float64)
    texts = floatTexts(tensor.data<double>());
  else
    dispatchInteger(tensor.dtype(), [&](auto sample) {
      for (auto each : tensor.data<decltype(sample)>())
        texts.push_back(strCat(static_cast<int64_t>(each)));
      return true;
    });
  if (tensor.dtype() != DType::String && !isFloating(tensor.dtype()))
    padLeft(texts);
  return texts;
}

/// Writes the elements under an axis, and goes on behind them.
std::string nested(const Shape &shape, int axis,
                   const std::vector<std::string> &texts, size_t &next) {
  std::string text = "[", indent(static_cast<size_t>(axis) + 1, ' ');
  int64_t extent = shape.dim(axis);
  bool isLast = axis + 1 == shape.rank();
  std::string line = indent;
  std::string body;
  for (int64_t i = 0; i < extent; ++i) {
    if (!isLast) {
      if (i > 0)
        body +=
            std::string(static_cast<size_t>(shape.rank() - axis - 1), '\n') +
            indent;
      body += nested(shape, axis + 1, texts, next);
      continue;
    }
    std::string word = texts[next++];
    if (line.size() > indent.size()) {
      if (line.size() + 1 + word.size() > lineWidth - 1) {
        body += line.substr(body.empty() ? indent.size() : 0) + "\n";
        line = indent;
      } else {
        line += ' ';
      }
    }
    line += word;
  }
  if (isLast)
    body += line.substr(body.empty() ? indent.size() : 0);
  return text + body + "]";
}

std::string scalarText(const Tensor &tensor) {
  if (tensor.dtype() == DType::String)
    return strCat("b", quote(std::string_view(tensor.data<String>()[0])));
  std::string text = elementTexts(tensor)[0];
  if (isFloating(tensor.dtype()) && text.ends_with('.'))
    text += '0';
  return text;
}

std::string arrayText(const Tensor &tensor) {
  if (tensor.rank() == 0)
    return scalarText(tensor);
  if (tensor.numElements() == 0)
    return "[]";
  size_t next = 0;
  return nested(tensor.shape(), 0, elementTexts(tensor), next);
}

bool isWritten(const Tensor &tensor) {
  DType dtype = tensor.dtype();
  return tensor.numElements() <= maxElements &&
         (isInteger(dtype) || dtype == DType::Bool || dtype == DType::String ||
          dtype == DType::Float32 || dtype == DType::Float64);
}

} // namespace

std::string valueText(const Input &value) {
  if (const auto *text = std::get_if<std::string>(&value.value()))
    return *text;
  if (!value.output() && !std::holds_alternative<Tensor>(value.value()))
    return pythonText(value).first;
  auto known = constantValue(value);
  if (known && isWritten(*known))
    return arrayText(*known);
  return value.output() ? tensorText(*value.output()) : pythonText(value).first;
}

} // namespace kiln::ops
