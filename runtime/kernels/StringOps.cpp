// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that compare strings, look into them or make new ones, element by
// element.
#include "lib/Support/CaseMapping.h"
#include "runtime/kernels/Kernels.h"
#include "runtime/kernels/Strings.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace kiln {
namespace {

bool isTrailByte(char byte) { return (byte & 0xc0) == 0x80; }

constexpr std::string_view whiteSpace = " \t\n\v\f\r";

/// The place `count` characters behind `from`; npos beyond the end. A string
/// that begins in the middle of a character begins with one of its own.
size_t skipCharacters(std::string_view text, size_t from, int64_t count) {
  for (; count > 0; --count) {
    if (from >= text.size())
      return text.npos;
    do
      ++from;
    while (from < text.size() && isTrailByte(text[from]));
  }
  return from;
}

/// The place `count` characters before the end; npos before the beginning.
size_t skipBack(std::string_view text, int64_t count) {
  size_t at = text.size();
  for (; count > 0; --count) {
    if (at == 0)
      return text.npos;
    do
      --at;
    while (at > 0 && isTrailByte(text[at]));
  }
  return at;
}

/// Where a substring begins; npos for a position outside of the text.
size_t beginOf(std::string_view text, int64_t pos, bool isUtf8) {
  if (isUtf8)
    return pos >= 0 ? skipCharacters(text, 0, pos) : skipBack(text, -pos);
  auto size = static_cast<int64_t>(text.size());
  if (pos < -size || pos > size)
    return text.npos;
  return static_cast<size_t>(pos < 0 ? pos + size : pos);
}

/// As in TensorFlow a negative length is the rest of bytes, and no character.
std::string_view substring(std::string_view text, size_t begin, int64_t length,
                           bool isUtf8) {
  if (!isUtf8)
    return length < 0 ? text.substr(begin)
                      : text.substr(begin, static_cast<size_t>(length));
  if (length < 0)
    return {};
  return text.substr(begin, skipCharacters(text, begin, length) - begin);
}

/// x, y -> bool; [1 to negate]
int32_t stringEqual(const KilnKernelCall *call) noexcept {
  StringKernel kernel(call);
  const auto *x = kernel.input<StringHandle>(0),
             *y = kernel.input<StringHandle>(1);
  bool negate = kernel.number(0) != 0;
  return kernel.forEach(kernel.outputElements(0), [&](int64_t i) {
    bool isEqual = stringOf(x[i]) == stringOf(y[i]);
    kernel.output<bool>(0)[i] = isEqual != negate;
    return true;
  });
}

/// x, y -> x and y in one
int32_t stringConcat(const KilnKernelCall *call) noexcept {
  StringKernel kernel(call);
  return kernel.forEach(kernel.outputElements(0), [&](int64_t i) {
    std::string_view x = kernel.text(0, i), y = kernel.text(1, i);
    StringHandle &out = kernel.output<StringHandle>(0)[i];
    if (x.empty() || y.empty()) {
      out = kernel.input<StringHandle>(x.empty() ? 1 : 0)[i];
      return true;
    }
    char *bytes = nullptr;
    if (!kernel.make(x.size() + y.size(), out, bytes))
      return false;
    std::memcpy(bytes, x.data(), x.size());
    std::memcpy(bytes + x.size(), y.data(), y.size());
    return true;
  });
}

/// x -> i32; [1 to count UTF-8 characters]
int32_t stringLength(const KilnKernelCall *call) noexcept {
  StringKernel kernel(call);
  bool isUtf8 = kernel.number(0) != 0;
  return kernel.forEach(kernel.outputElements(0), [&](int64_t i) {
    std::string_view text = kernel.text(0, i);
    auto length = static_cast<int64_t>(text.size());
    if (isUtf8)
      length -= std::ranges::count_if(text, isTrailByte);
    kernel.output<int32_t>(0)[i] = static_cast<int32_t>(length);
    return true;
  });
}

/// x -> x without white space at its ends
int32_t stringStrip(const KilnKernelCall *call) noexcept {
  StringKernel kernel(call);
  return kernel.forEach(kernel.outputElements(0), [&](int64_t i) {
    std::string_view text = kernel.text(0, i);
    size_t begin = std::min(text.find_first_not_of(whiteSpace), text.size());
    size_t end = text.find_last_not_of(whiteSpace) + 1;
    return kernel.make(text.substr(begin, end > begin ? end - begin : 0),
                       kernel.output<StringHandle>(0)[i]);
  });
}

/// x -> x in letters of one case; [1 for capitals, 1 for UTF-8, else ASCII]
int32_t stringCase(const KilnKernelCall *call) noexcept {
  StringKernel kernel(call);
  const bool isUpper = kernel.number(0) != 0;
  if (kernel.number(1) != 0)
    return kernel.forEach(kernel.outputElements(0), [&](int64_t i) {
      const LetterCase to = isUpper ? LetterCase::Upper : LetterCase::Lower;
      std::string_view text = kernel.text(0, i);
      char *bytes = nullptr;
      if (!kernel.make(changeCase(text, to, nullptr),
                       kernel.output<StringHandle>(0)[i], bytes))
        return false;
      changeCase(text, to, bytes);
      return true;
    });
  char first = isUpper ? 'a' : 'A';
  return kernel.forEach(kernel.outputElements(0), [&](int64_t i) {
    std::string_view text = kernel.text(0, i);
    char *bytes = nullptr;
    if (!kernel.make(text.size(), kernel.output<StringHandle>(0)[i], bytes))
      return false;
    std::ranges::transform(text, bytes, [&](char letter) {
      bool turns = letter >= first && letter <= first + 25;
      return static_cast<char>(turns ? letter ^ 0x20 : letter);
    });
    return true;
  });
}

/// x : [rows, columns], separator -> each row in one
int32_t stringJoinRows(const KilnKernelCall *call) noexcept {
  StringKernel kernel(call);
  int64_t rows = kernel.outputElements(0);
  int64_t columns = rows > 0 ? kernel.inputElements(0) / rows : 0;
  std::string_view separator = kernel.text(1, 0);
  return kernel.forEach(rows, [&](int64_t row) {
    size_t size = 0;
    for (int64_t k = 0; k < columns; ++k)
      size += kernel.text(0, row * columns + k).size() +
              (k > 0 ? separator.size() : 0);
    char *bytes = nullptr;
    if (!kernel.make(size, kernel.output<StringHandle>(0)[row], bytes))
      return false;
    auto append = [&](std::string_view text) {
      bytes = std::ranges::copy(text, bytes).out;
    };
    for (int64_t k = 0; k < columns && size > 0; ++k) {
      if (k > 0)
        append(separator);
      append(kernel.text(0, row * columns + k));
    }
    return true;
  });
}

/// x, pos : i64, len : i64 -> part of x; [1 for UTF-8 characters]
int32_t substr(const KilnKernelCall *call) noexcept {
  StringKernel kernel(call);
  bool isUtf8 = kernel.number(0) != 0;
  return kernel.forEach(kernel.outputElements(0), [&](int64_t i) {
    std::string_view text = kernel.text(0, i);
    int64_t pos = kernel.input<int64_t>(1)[i],
            length = kernel.input<int64_t>(2)[i];
    size_t begin = beginOf(text, pos, isUtf8);
    const bool isBehindItself = isUtf8 && pos < 0 && length < 0;
    if (begin == text.npos || isBehindItself)
      return kernel.failAt(ErrorKind::SubstrOutOfRange, 0, i, pos, i);
    return kernel.make(substring(text, begin, length, isUtf8),
                       kernel.output<StringHandle>(0)[i]);
  });
}

/// base, [shard], how many -> the name of a checkpoint's file, or its pattern
int32_t shardedName(const KilnKernelCall *call) noexcept {
  StringKernel kernel(call);
  char suffix[48];
  if (kernel.numInputs() == 3)
    std::snprintf(suffix, sizeof suffix, "-%05d-of-%05d",
                  *kernel.input<int32_t>(1), *kernel.input<int32_t>(2));
  else
    std::snprintf(suffix, sizeof suffix, "-\?\?\?\?\?-of-%05d",
                  *kernel.input<int32_t>(1));
  std::string_view base = kernel.text(0, 0), end = suffix;
  char *bytes = nullptr;
  if (!kernel.make(base.size() + end.size(), kernel.output<StringHandle>(0)[0],
                   bytes))
    return 1;
  std::ranges::copy(end, std::ranges::copy(base, bytes).out);
  return 0;
}

} // namespace

std::vector<Kernel> stringKernels() {
  constexpr bool hasEffects = false, mayFail = false;
  return {{"ShardedName", shardedName},
          {"StringCase", stringCase},
          {"StringConcat", stringConcat},
          {"StringEqual", stringEqual, hasEffects, mayFail},
          {"StringJoinRows", stringJoinRows},
          {"StringLength", stringLength, hasEffects, mayFail},
          {"StringStrip", stringStrip},
          {"Substr", substr}};
}

} // namespace kiln
