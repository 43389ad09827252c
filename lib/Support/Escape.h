// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes as text that a message can show.
#ifndef KILN_LIB_SUPPORT_ESCAPE_H
#define KILN_LIB_SUPPORT_ESCAPE_H

#include <string>
#include <string_view>

namespace kiln {

/// As C writes bytes in a string: quotes, backslashes, line ends and tabs
/// behind a backslash, other bytes that are no ASCII characters as three octal
/// digits.
std::string escapeBytes(std::string_view bytes);

} // namespace kiln

#endif // KILN_LIB_SUPPORT_ESCAPE_H
