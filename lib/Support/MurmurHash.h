// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow's Hash64.
#ifndef KILN_LIB_SUPPORT_MURMURHASH_H
#define KILN_LIB_SUPPORT_MURMURHASH_H

#include <cstdint>
#include <string_view>

namespace kiln {

/// What TensorFlow begins with.
inline constexpr uint64_t murmurSeed = 0xDECAFCAFFE;

/// TensorFlow's Hash64: A. Appleby's MurmurHash64A.
uint64_t murmurHash64(std::string_view bytes,
                      uint64_t seed = murmurSeed) noexcept;

} // namespace kiln

#endif // KILN_LIB_SUPPORT_MURMURHASH_H
