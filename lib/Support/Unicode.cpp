// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes characters byte by byte.
#include "lib/Support/Unicode.h"

#include <utility>

namespace kiln {
namespace {

constexpr std::pair<std::string_view, Encoding> names[] = {
    {"ascii", Encoding::Ascii},     {"usascii", Encoding::Ascii},
    {"iso88591", Encoding::Latin1}, {"latin1", Encoding::Latin1},
    {"utf8", Encoding::Utf8},       {"utf16be", Encoding::Utf16Be},
    {"utf16le", Encoding::Utf16Le}, {"utf32be", Encoding::Utf32Be},
    {"utf32le", Encoding::Utf32Le}};

int32_t byteAt(std::string_view bytes, size_t i) {
  return static_cast<unsigned char>(bytes[i]);
}

Character invalid(size_t numBytes) {
  return {replacementCharacter, numBytes, false};
}

Character nextUtf8(std::string_view bytes) {
  const int32_t lead = byteAt(bytes, 0);
  if (lead < 0x80)
    return {lead, 1};
  const size_t size = lead >= 0xC2 && lead <= 0xDF   ? 2
                      : lead >= 0xE0 && lead <= 0xEF ? 3
                      : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                     : 1;
  if (size == 1)
    return invalid(1);
  int32_t value = lead & (0xFF >> (size + 1));
  for (size_t i = 1; i < size; ++i) {
    // The second byte decides about overlong forms, surrogates and the end.
    int32_t first = 0x80, last = 0xBF;
    if (i == 1 && (lead == 0xE0 || lead == 0xF0))
      first = lead == 0xE0 ? 0xA0 : 0x90;
    if (i == 1 && (lead == 0xED || lead == 0xF4))
      last = lead == 0xED ? 0x9F : 0x8F;
    if (i >= bytes.size() || byteAt(bytes, i) < first ||
        byteAt(bytes, i) > last)
      return invalid(i);
    value = value << 6 | (byteAt(bytes, i) & 0x3F);
  }
  return {value, size};
}

Character nextUtf16(std::string_view bytes, bool isBig) {
  auto unit = [&](size_t i) {
    return isBig ? byteAt(bytes, i) << 8 | byteAt(bytes, i + 1)
                 : byteAt(bytes, i + 1) << 8 | byteAt(bytes, i);
  };
  if (bytes.size() < 2)
    return invalid(bytes.size());
  const int32_t first = unit(0);
  if (!isSurrogate(first))
    return {first, 2};
  if (first >= 0xDC00)
    return invalid(2);
  if (bytes.size() < 4)
    return invalid(bytes.size());
  const int32_t second = unit(2);
  if (second < 0xDC00 || second > 0xDFFF)
    return invalid(2);
  return {0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00), 4};
}

Character nextUtf32(std::string_view bytes, bool isBig) {
  if (bytes.size() < 4)
    return invalid(bytes.size());
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i)
    value =
        value << 8 | static_cast<uint32_t>(byteAt(bytes, isBig ? i : 3 - i));
  const auto character = static_cast<int32_t>(value);
  if (value > static_cast<uint32_t>(lastCharacter) || isSurrogate(character))
    return invalid(4);
  return {character, 4};
}

} // namespace

std::optional<Encoding> encodingOf(std::string_view name) {
  std::string plain;
  for (char c : name)
    if (c != '-' && c != '_' && c != ' ')
      plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  for (const auto &[known, encoding] : names)
    if (known == plain)
      return encoding;
  return std::nullopt;
}

Character nextCharacter(std::string_view bytes, Encoding encoding) {
  switch (encoding) {
  case Encoding::Utf8:
    return nextUtf8(bytes);
  case Encoding::Utf16Be:
  case Encoding::Utf16Le:
    return nextUtf16(bytes, encoding == Encoding::Utf16Be);
  case Encoding::Utf32Be:
  case Encoding::Utf32Le:
    return nextUtf32(bytes, encoding == Encoding::Utf32Be);
  case Encoding::Ascii:
    if (byteAt(bytes, 0) >= 0x80)
      return invalid(1);
    break;
  case Encoding::Latin1:
    break;
  }
  return {byteAt(bytes, 0), 1};
}

void appendCharacter(int32_t value, Encoding encoding, std::string &to) {
  auto append = [&](int32_t byte) { to += static_cast<char>(byte); };
  auto appendUnit = [&](int32_t unit) {
    append(unit >> 8);
    append(unit & 0xFF);
  };
  if (encoding == Encoding::Utf32Be) {
    appendUnit(value >> 16);
    appendUnit(value & 0xFFFF);
  } else if (encoding == Encoding::Utf16Be) {
    if (value >= 0x10000) {
      appendUnit(0xD800 + ((value - 0x10000) >> 10));
      appendUnit(0xDC00 + ((value - 0x10000) & 0x3FF));
    } else {
      appendUnit(value);
    }
  } else if (value < 0x80) {
    append(value);
  } else {
    const int more = value < 0x800 ? 1 : value < 0x10000 ? 2 : 3;
    append((0xF80 >> more & 0xFF) | value >> (6 * more));
    for (int i = more - 1; i >= 0; --i)
      append(0x80 | (value >> (6 * i) & 0x3F));
  }
}

} // namespace kiln
