// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which script a character is part of.
#ifndef KILN_LIB_SUPPORT_UNICODESCRIPT_H
#define KILN_LIB_SUPPORT_UNICODESCRIPT_H

#include <cstdint>

namespace kiln {

/// ICU's number of a character's script; -1 for what is no character.
/// **Source**: TensorFlow's UnicodeScript, of Unicode 13.
int32_t unicodeScript(int32_t character) noexcept;

} // namespace kiln

#endif // KILN_LIB_SUPPORT_UNICODESCRIPT_H
