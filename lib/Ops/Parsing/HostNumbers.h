// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers as the fields of CSV files have them.
#ifndef KILN_LIB_OPS_PARSING_HOSTNUMBERS_H
#define KILN_LIB_OPS_PARSING_HOSTNUMBERS_H

#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace kiln::host {

inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\n\v\f\r";
  const size_t begin = text.find_first_not_of(space);
  if (begin == text.npos)
    return {};
  return text.substr(begin, text.find_last_not_of(space) + 1 - begin);
}

/// Reads all of a text as a number; false where it is none.
template <class T> bool readNumber(std::string_view field, T &number) {
  std::string_view text = trimmed(field);
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-'))
      return false;
  }
  const char *last = text.data() + text.size();
  if constexpr (std::is_floating_point_v<T>)
    if (bool isNegative = text.starts_with('-');
        text.substr(isNegative, 2) == "0x" ||
        text.substr(isNegative, 2) == "0X") {
      auto [end, error] = std::from_chars(text.data() + isNegative + 2, last,
                                          number, std::chars_format::hex);
      number = isNegative ? -number : number;
      return error == std::errc() && end == last;
    }
  auto [end, error] = std::from_chars(text.data(), last, number);
  if constexpr (std::is_floating_point_v<T>)
    if (error == std::errc::result_out_of_range && end == last) {
      const std::string whole(text); // an infinity, or a zero
      number = std::is_same_v<T, float>
                   ? static_cast<T>(std::strtof(whole.c_str(), nullptr))
                   : static_cast<T>(std::strtod(whole.c_str(), nullptr));
      return true;
    }
  return error == std::errc() && end == last;
}

} // namespace kiln::host

#endif // KILN_LIB_OPS_PARSING_HOSTNUMBERS_H
