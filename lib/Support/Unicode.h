// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Characters of Unicode as bytes, in its own encodings and two small ones.
#ifndef KILN_LIB_SUPPORT_UNICODE_H
#define KILN_LIB_SUPPORT_UNICODE_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

enum class Encoding : uint8_t {
  Ascii,
  Latin1,
  Utf8,
  Utf16Be,
  Utf16Le,
  Utf32Be,
  Utf32Le
};

/// By a name of any case, with or without hyphens; none for other encodings.
std::optional<Encoding> encodingOf(std::string_view name);

struct Character {
  int32_t value = 0;
  size_t numBytes = 0;
  bool isValid = true; ///< else value is the replacement character
};

constexpr int32_t replacementCharacter = 0xFFFD, lastCharacter = 0x10FFFF;

constexpr bool isSurrogate(int32_t value) {
  return value >= 0xD800 && value <= 0xDFFF;
}

/// The character at the front of bytes, of which there must be one. What is
/// none is as long as it might have been the beginning of one. **Source**:
/// Unicode 15, 3.9, "U+FFFD Substitution of Maximal Subparts".
Character nextCharacter(std::string_view bytes, Encoding encoding);

/// Appends a character, of one of Unicode's encodings.
void appendCharacter(int32_t value, Encoding encoding, std::string &to);

} // namespace kiln

#endif // KILN_LIB_SUPPORT_UNICODE_H
