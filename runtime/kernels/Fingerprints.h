// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hashes of bytes that TensorFlow's buckets of strings are made of. Their
// values are part of what a graph means: a vocabulary is looked up by them.
#ifndef KILN_RUNTIME_KERNELS_FINGERPRINTS_H
#define KILN_RUNTIME_KERNELS_FINGERPRINTS_H

#include <cstdint>
#include <string_view>

namespace kiln {

/// FarmHash's Fingerprint64: the same on every machine and for ever.
/// **Source**: G. Pike, FarmHash (farmhashna::Hash64).
uint64_t fingerprint64(std::string_view bytes) noexcept;

/// SipHash-2-4 with a key of two words. **Source**: J.-P. Aumasson, D. J.
/// Bernstein: SipHash, a fast short-input PRF (2012).
uint64_t sipHash(uint64_t key0, uint64_t key1, std::string_view bytes) noexcept;

/// TensorFlow's Hash64: A. Appleby's MurmurHash64A.
uint64_t murmurHash64(std::string_view bytes,
                      uint64_t seed = 0xDECAFCAFFE) noexcept;

} // namespace kiln

#endif // KILN_RUNTIME_KERNELS_FINGERPRINTS_H
