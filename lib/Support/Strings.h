// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Building messages from parts.
#ifndef KILN_LIB_SUPPORT_STRINGS_H
#define KILN_LIB_SUPPORT_STRINGS_H

#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace kiln {

namespace detail {
inline void appendPart(std::string &out, std::string_view part) { out += part; }
inline void appendPart(std::string &out, char part) { out += part; }
// A template, because a plain bool would be a better match than string_view for
// a string literal.
template <std::same_as<bool> B> void appendPart(std::string &out, B part) {
  out += part ? "true" : "false";
}
template <class N>
  requires((std::integral<N> && !std::same_as<N, bool>) ||
           std::floating_point<N>)
void appendPart(std::string &out, N part) {
  char digits[64];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, part).ptr);
}
} // namespace detail

/// Joins texts and numbers: strCat("expected ", 3, " inputs"). Floats are
/// written in the shortest form that reads back as the same number.
template <class... Parts> std::string strCat(const Parts &...parts) {
  std::string out;
  (detail::appendPart(out, parts), ...);
  return out;
}

/// Joins parts with a separator between them.
template <class Range>
std::string strJoin(const Range &parts, std::string_view separator) {
  std::string out;
  bool first = true;
  for (const auto &part : parts) {
    if (!first)
      out += separator;
    first = false;
    detail::appendPart(out, part);
  }
  return out;
}

/// Puts a name from outside into single quotes, as Python's repr does: quotes,
/// backslashes and control characters escaped; cut after 256 bytes.
std::string quote(std::string_view name);

/// Writes a size for people: "512 bytes", "1.5 GiB".
std::string formatBytes(uint64_t bytes);

} // namespace kiln

#endif // KILN_LIB_SUPPORT_STRINGS_H
