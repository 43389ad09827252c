// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tells values apart by their contents.
#ifndef KILN_LIB_COMPILED_DIGEST_H
#define KILN_LIB_COMPILED_DIGEST_H

#include <array>
#include <cstdint>

namespace kiln {

/// BLAKE3 of bytes (lib/Loader/Hasher.h): no two values are found that have
/// the same.
using Digest = std::array<uint8_t, 32>;

} // namespace kiln

#endif // KILN_LIB_COMPILED_DIGEST_H
