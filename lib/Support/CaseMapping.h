// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts in letters of one case.
#ifndef KILN_LIB_SUPPORT_CASEMAPPING_H
#define KILN_LIB_SUPPORT_CASEMAPPING_H

#include <cstddef>
#include <string_view>

namespace kiln {

enum class LetterCase : bool { Lower, Upper };

/// Writes UTF-8 with all letters of one case to `bytes`, which may be null, and
/// returns how many bytes that are. A small sigma that ends a word is a final
/// one; one character may become several. Allocates nothing. **Edges**: a text
/// ends at its first 0, as TensorFlow's does; what is no character becomes
/// U+FFFD. **Source**: StringLower and StringUpper with encoding "utf-8": ICU's
/// root locale, of Unicode 13.
size_t changeCase(std::string_view text, LetterCase to, char *bytes);

} // namespace kiln

#endif // KILN_LIB_SUPPORT_CASEMAPPING_H
