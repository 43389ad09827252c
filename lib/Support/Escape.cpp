// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Escapes byte by byte.
#include "lib/Support/Escape.h"

namespace kiln {

std::string escapeBytes(std::string_view bytes) {
  constexpr std::string_view special = "\n\r\t\"'\\", letters = "nrt\"'\\";
  std::string text;
  for (char c : bytes) {
    auto byte = static_cast<unsigned char>(c);
    if (size_t at = special.find(c); at != special.npos) {
      text += {'\\', letters[at]};
    } else if (byte < 0x20 || byte >= 0x7f) {
      text += {'\\', static_cast<char>('0' + (byte >> 6)),
               static_cast<char>('0' + (byte >> 3 & 7)),
               static_cast<char>('0' + (byte & 7))};
    } else {
      text += c;
    }
  }
  return text;
}

} // namespace kiln
