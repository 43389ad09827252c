// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers as text and back: C's printf, and the grammar of TensorFlow's
// StringToNumber.
#include "lib/Support/DataMemory.h"
#include "lib/Support/Strings.h"
#include "runtime/kernels/Kernels.h"
#include "runtime/kernels/Strings.h"

#include <algorithm>
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace kiln {
namespace {

//===--- Numbers as text --------------------------------------------------===//

/// "%", fill, width, precision, conversion.
struct Format {
  char text[64];
  Format(const StringKernel &kernel, const char *conversion) {
    char fill[2] = {static_cast<char>(kernel.number(4)), 0};
    char width[24] = "", precision[24] = "";
    if (kernel.number(3) > -1)
      std::snprintf(width, sizeof width, "%" PRId64, kernel.number(3));
    if (kernel.number(0) > -1)
      std::snprintf(precision, sizeof precision, ".%" PRId64, kernel.number(0));
    std::snprintf(text, sizeof text, "%%%s%s%s%s", fill, width, precision,
                  conversion);
  }
};

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
/// Prints one value into a string of the run.
template <class T>
bool print(const StringKernel &kernel, const Format &format, T value,
           StringHandle &out) noexcept {
  char small[128];
  int size = std::snprintf(small, sizeof small, format.text, value);
  if (size < 0)
    return kernel.fail(ErrorKind::OutOfStrings,
                       std::numeric_limits<int>::max());
  if (static_cast<size_t>(size) < sizeof small)
    return kernel.make({small, static_cast<size_t>(size)}, out);
  // printf's text ends in a zero, for which a string has no place.
  size_t room = static_cast<size_t>(size) + 1;
  std::unique_ptr<void, void (*)(void *)> large(
      allocateData(alignof(char), room), freeData);
  if (!large)
    return kernel.fail(ErrorKind::OutOfMemory, static_cast<int64_t>(room));
  auto *text = static_cast<char *>(large.get());
  std::snprintf(text, room, format.text, value);
  return kernel.make({text, static_cast<size_t>(size)}, out);
}
#pragma clang diagnostic pop

/// Strings are padded like printf's "%s", whatever bytes they hold.
bool padded(const StringKernel &kernel, std::string_view text,
            StringHandle &out) noexcept {
  int64_t precision = kernel.number(0), width = kernel.number(3);
  if (precision >= 0)
    text = text.substr(0, static_cast<size_t>(precision));
  size_t size =
      std::max(text.size(), static_cast<size_t>(std::max<int64_t>(width, 0)));
  char *bytes = nullptr;
  if (!kernel.make(size, out, bytes))
    return false;
  if (!bytes)
    return true;
  bool isLeft = kernel.number(4) == '-';
  std::memset(bytes, ' ', size);
  std::ranges::copy(text, isLeft ? bytes : bytes + size - text.size());
  return true;
}

template <class T, class Printed>
int32_t printAll(const StringKernel &kernel, const char *conversion) noexcept {
  Format format(kernel, conversion);
  return kernel.forEach(kernel.outputElements(0), [&](int64_t i) {
    return print(kernel, format, static_cast<Printed>(kernel.input<T>(0)[i]),
                 kernel.output<StringHandle>(0)[i]);
  });
}

//===--- Text as numbers --------------------------------------------------===//

/// What a float that from_chars finds out of range is: infinite or zero, by
/// the exponent of its first digit that is not 0.
template <class T> T saturated(std::string_view digits, bool isHex) {
  int64_t exponent = 0;
  size_t mark = digits.find_first_of(isHex ? "pP" : "eE");
  if (mark != digits.npos) {
    std::string_view text = digits.substr(mark + 1);
    if (text.starts_with('+'))
      text.remove_prefix(1);
    auto read =
        std::from_chars(text.data(), text.data() + text.size(), exponent);
    if (read.ec == std::errc::result_out_of_range)
      exponent = text.starts_with('-') ? INT32_MIN : INT32_MAX;
  }
  std::string_view mantissa = digits.substr(0, mark);
  auto point =
      static_cast<int64_t>(std::min(mantissa.find('.'), mantissa.size()));
  auto first = static_cast<int64_t>(mantissa.find_first_not_of("0."));
  int64_t digitsBefore = first < point ? point - first : point - first + 1;
  int64_t magnitude = digitsBefore * (isHex ? 4 : 1) +
                      std::clamp<int64_t>(exponent, INT32_MIN, INT32_MAX);
  return magnitude > 0 ? std::numeric_limits<T>::infinity() : T(0);
}

template <class T> std::optional<T> parseFloat(std::string_view text) {
  bool isNegative = text.starts_with('-');
  if (isNegative || text.starts_with('+'))
    text.remove_prefix(1);
  bool isHex = text.starts_with("0x") || text.starts_with("0X");
  if (isHex)
    text.remove_prefix(2);
  if (text.starts_with('-')) // a second sign
    return std::nullopt;
  T value = 0;
  auto [end, error] = std::from_chars(
      text.data(), text.data() + text.size(), value,
      isHex ? std::chars_format::hex : std::chars_format::general);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument)
    return std::nullopt;
  if (error == std::errc::result_out_of_range)
    value = saturated<T>(text, isHex);
  return isNegative ? -value : value;
}

template <class T> std::optional<T> parseInteger(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-'))
      return std::nullopt;
  }
  T value = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || error != std::errc())
    return std::nullopt;
  return value;
}

template <class T> int32_t parseAll(const StringKernel &kernel) noexcept {
  constexpr std::string_view whiteSpace = " \t\n\v\f\r";
  return kernel.forEach(kernel.outputElements(0), [&](int64_t i) {
    std::string_view text = kernel.text(0, i);
    size_t begin = text.find_first_not_of(whiteSpace);
    std::optional<T> value;
    if (begin != text.npos) {
      text = text.substr(begin, text.find_last_not_of(whiteSpace) + 1 - begin);
      if constexpr (std::is_floating_point_v<T>)
        value = parseFloat<T>(text);
      else
        value = parseInteger<T>(text);
    }
    if (!value)
      return kernel.failAt(ErrorKind::StringNotNumber, 0, i);
    kernel.output<T>(0)[i] = *value;
    return true;
  });
}

/// x -> text; [precision, scientific, shortest, width, fill or 0]
int32_t asString(const KilnKernelCall *call) noexcept {
  StringKernel kernel(call);
  const char *floats = kernel.number(1) != 0   ? "e"
                       : kernel.number(2) != 0 ? "g"
                                               : "f";
  StringHandle *out = kernel.output<StringHandle>(0);
  switch (kernel.inputDType(0)) {
  case DType::Float32:
    return printAll<float, double>(kernel, floats);
  case DType::Float64:
    return printAll<double, double>(kernel, floats);
  case DType::Int8:
    return printAll<int8_t, int64_t>(kernel, PRId64);
  case DType::Int16:
    return printAll<int16_t, int64_t>(kernel, PRId64);
  case DType::Int32:
    return printAll<int32_t, int64_t>(kernel, PRId64);
  case DType::Int64:
    return printAll<int64_t, int64_t>(kernel, PRId64);
  case DType::UInt8:
    return printAll<uint8_t, uint64_t>(kernel, PRIu64);
  case DType::UInt16:
    return printAll<uint16_t, uint64_t>(kernel, PRIu64);
  case DType::UInt32:
    return printAll<uint32_t, uint64_t>(kernel, PRIu64);
  case DType::UInt64:
    return printAll<uint64_t, uint64_t>(kernel, PRIu64);
  case DType::Bool:
    return kernel.forEach(kernel.outputElements(0), [&](int64_t i) {
      return kernel.make(kernel.input<bool>(0)[i] ? "true" : "false", out[i]);
    });
  default:
    return kernel.forEach(kernel.outputElements(0), [&](int64_t i) {
      return padded(kernel, kernel.text(0, i), out[i]);
    });
  }
}

/// x -> number
int32_t stringToNumber(const KilnKernelCall *call) noexcept {
  StringKernel kernel(call);
  switch (kernel.outputDType(0)) {
  case DType::Float32:
    return parseAll<float>(kernel);
  case DType::Float64:
    return parseAll<double>(kernel);
  case DType::Int32:
    return parseAll<int32_t>(kernel);
  case DType::UInt32:
    return parseAll<uint32_t>(kernel);
  case DType::UInt64:
    return parseAll<uint64_t>(kernel);
  default:
    return parseAll<int64_t>(kernel);
  }
}

/// strings : [...] of one size -> their bytes as numbers : [..., n]; finds out
/// n; [whether the first byte is the lowest; the parts of a number, which each
/// have their bytes in order: two of a complex one]
int32_t decodeRaw(const KilnKernelCall *raw) noexcept {
  StringKernel kernel(raw);
  const DType dtype = kernel.outputDType(0);
  const size_t width = dtypeSize(dtype);
  const int64_t count = kernel.inputElements(0);
  const size_t size = count == 0 ? 0 : kernel.text(0, 0).size();
  for (int64_t i = 1; i < count; ++i)
    if (kernel.text(0, i).size() != size)
      return !kernel.KernelCall::fail(invalidArgumentError(
          strCat("DecodeRaw requires input strings to all be the same size, "
                 "but element ",
                 i, " has size ", size, " != ", kernel.text(0, i).size())));
  if (size % width != 0)
    return !kernel.KernelCall::fail(invalidArgumentError(strCat(
        "Input to DecodeRaw has length ", size, " that is not a multiple of ",
        width, ", the size of ", dtypeTfName(dtype))));
  const size_t partWidth = width / static_cast<size_t>(kernel.number(1));
  kernel.bind(0, static_cast<int64_t>(size / width));
  char *out = kernel.allocateOutput<char>(0);
  if (!out)
    return 1;
  return kernel.forEach(count, [&](int64_t i) {
    std::copy_n(kernel.text(0, i).data(), size, out);
    for (size_t at = 0; !kernel.number(0) && at < size; at += partWidth)
      std::reverse(out + at, out + at + partWidth);
    // Any byte but 0 is true.
    for (size_t at = 0; dtype == DType::Bool && at < size; ++at)
      out[at] = out[at] != 0;
    out += size;
    return true;
  });
}

} // namespace

std::vector<Kernel> stringNumberKernels() {
  return {{"AsString", asString},
          {"DecodeRaw", decodeRaw},
          {"StringToNumber", stringToNumber}};
}

} // namespace kiln
