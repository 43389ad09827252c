// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text helpers that need no template.
#include "lib/Support/Strings.h"

#include <iterator>

namespace kiln {

std::string quote(std::string_view name) {
  constexpr size_t maxBytes = 256;
  constexpr char hex[] = "0123456789abcdef";
  std::string text = "'";
  for (char c : name.substr(0, maxBytes)) {
    auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      text += "\\x";
      text += hex[byte >> 4];
      text += hex[byte & 15];
      continue;
    }
    if (c == '\'' || c == '\\')
      text += '\\';
    text += c;
  }
  if (name.size() > maxBytes)
    text += "...";
  return text + "'";
}

std::string formatBytes(uint64_t bytes) {
  static constexpr std::string_view units[] = {"bytes", "KiB", "MiB", "GiB",
                                               "TiB",   "PiB", "EiB"};
  size_t unit = 0;
  uint64_t whole = bytes, remainder = 0;
  while (whole >= 1024 && unit + 1 < std::size(units)) {
    remainder = whole % 1024;
    whole /= 1024;
    ++unit;
  }
  uint64_t tenths = remainder * 10 / 1024;
  if (tenths == 0)
    return strCat(whole, " ", units[unit]);
  return strCat(whole, ".", tenths, " ", units[unit]);
}

} // namespace kiln
