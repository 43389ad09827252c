// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MurmurHash64A, eight bytes at a time in the order of little-endian machines.
#include "lib/Support/MurmurHash.h"

namespace kiln {

uint64_t murmurHash64(std::string_view bytes, uint64_t seed) noexcept {
  constexpr uint64_t mul = 0xc6a4a7935bd1e995;
  auto shiftMix = [](uint64_t value) { return value ^ (value >> 47); };
  auto take = [&](size_t count) {
    uint64_t block = 0;
    for (size_t i = 0; i < count; ++i)
      block |= uint64_t(static_cast<unsigned char>(bytes[i])) << (8 * i);
    bytes.remove_prefix(count);
    return block;
  };
  uint64_t hash = seed ^ (bytes.size() * mul);
  while (bytes.size() >= 8)
    hash = (hash ^ (shiftMix(take(8) * mul) * mul)) * mul;
  if (!bytes.empty())
    hash = (hash ^ take(bytes.size())) * mul;
  return shiftMix(shiftMix(hash) * mul);
}

} // namespace kiln
