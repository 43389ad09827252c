// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks the dimensions of a tensor and prints what is to be shown of it.
#include "runtime/kernels/Summaries.h"

#include "kiln/Float16.h"
#include "lib/Support/DTypeDispatch.h"
#include "runtime/memory/RunStrings.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

namespace kiln {
namespace {

/// As few digits as give the number back: C's digits10, or two or three more.
template <class T> void append(std::string &text, T value) {
  char buffer[64];
  constexpr int digits = std::numeric_limits<T>::digits10,
                enough = std::numeric_limits<T>::max_digits10;
  for (int precision : {digits, enough}) {
    std::snprintf(buffer, sizeof buffer, "%.*g", precision,
                  static_cast<double>(value));
    T back = 0;
    std::string_view printed = buffer;
    std::from_chars(printed.data(), printed.data() + printed.size(), back);
    if (back == value)
      break;
  }
  text += buffer;
}

/// C's escapes; bytes of UTF-8 stay.
void appendEscaped(std::string &text, std::string_view string) {
  for (char c : string) {
    constexpr std::string_view escaped = "\n\r\t\"'\\", letters = "nrt\"'\\";
    auto byte = static_cast<unsigned char>(c);
    if (size_t place = escaped.find(c); place != escaped.npos) {
      text += '\\';
      text += letters[place];
    } else if (byte < 0x20 || byte == 0x7f) {
      char octal[5];
      std::snprintf(octal, sizeof octal, "\\%03o", byte);
      text += octal;
    } else {
      text += c;
    }
  }
}

/// One tensor.
class Summary {
public:
  Summary(const KilnTensor &tensor, bool quotesStrings)
      : tensor(tensor), dims(tensor.dims, static_cast<size_t>(tensor.rank)),
        quotesStrings(quotesStrings) {
    for (int64_t dim : dims)
      total *= dim;
  }

  std::string first(int64_t count) {
    limit = count < 0 ? total : std::min(count, total);
    if (dims.empty() && limit > 0)
      element(0);
    else if (!dims.empty())
      addFirst(0);
    if (limit < total)
      text += "...";
    return std::move(text);
  }

  std::string edges(int64_t count) {
    limit = count < 0 ? total : std::min(count, total);
    if (!dims.empty())
      addEdges(0, 0);
    else if (limit > 0)
      element(0);
    else
      text += "...";
    return std::move(text);
  }

private:
  bool isLast(size_t axis) const { return axis + 1 == dims.size(); }

  void addFirst(size_t axis) {
    for (int64_t i = 0; i < dims[axis] && next < limit; ++i) {
      if (isLast(axis)) {
        text += i > 0 ? " " : "";
        element(next++);
        if (next == limit && i + 1 < dims[axis] && axis > 0)
          text += "...";
        continue;
      }
      text += '[';
      addFirst(axis + 1);
      text += ']';
    }
  }

  /// Elements from `begin` on.
  void addEdges(size_t axis, int64_t begin) {
    int64_t stride = 1;
    for (int64_t dim : dims.subspan(axis + 1))
      stride *= dim;
    auto separate = [&] {
      if (isLast(axis)) {
        text += ' ';
        return;
      }
      text.append(dims.size() - axis - 1, '\n');
      text.append(axis + 1, ' ');
    };
    auto add = [&](int64_t i) {
      if (isLast(axis))
        element(begin + i);
      else
        addEdges(axis + 1, begin + i * stride);
    };
    text += '[';
    int64_t extent = dims[axis];
    bool isWhole = extent / 2 < limit || extent == 2 * limit;
    int64_t head = isWhole ? extent : limit;
    for (int64_t i = 0; i < head; ++i) {
      if (i > 0)
        separate();
      add(i);
    }
    if (!isWhole) {
      separate();
      text += "...";
      for (int64_t i = extent - limit; i < extent; ++i) {
        separate();
        add(i);
      }
    }
    text += ']';
  }

  void element(int64_t i) {
    auto dtype = static_cast<DType>(tensor.dtype);
    if (dtype == DType::String) {
      text += quotesStrings ? "\"" : "";
      auto handle = static_cast<const StringHandle *>(tensor.data)[i];
      appendEscaped(text, stringOf(handle).view());
      text += quotesStrings ? "\"" : "";
      return;
    }
    dispatchElement(dtype, [&]<class T>(T) {
      T value = static_cast<const T *>(tensor.data)[i];
      if constexpr (std::is_integral_v<T>)
        text += std::to_string(value);
      else if constexpr (std::is_same_v<T, double>)
        append(text, value);
      else
        append(text, static_cast<float>(value));
    });
  }

  const KilnTensor &tensor;
  std::span<const int64_t> dims;
  bool quotesStrings;
  std::string text;
  int64_t total = 1, limit = 0, next = 0;
};

} // namespace

std::string summaryOfFirst(const KilnTensor &tensor, int64_t count) {
  return Summary(tensor, /*quotesStrings=*/false).first(count);
}

std::string summaryOfEdges(const KilnTensor &tensor, int64_t count) {
  // TensorFlow writes the brackets of every dtype but bool where there are no
  // elements.
  const auto dims = std::span(tensor.dims, static_cast<size_t>(tensor.rank));
  if (static_cast<DType>(tensor.dtype) == DType::Bool &&
      std::ranges::find(dims, 0) != dims.end())
    return {};
  return Summary(tensor, /*quotesStrings=*/true).edges(count);
}

} // namespace kiln
