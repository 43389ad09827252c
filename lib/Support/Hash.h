// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 64-bit hashes that are the same in every process, fit for keys that are
// written to disk.
#ifndef KILN_LIB_SUPPORT_HASH_H
#define KILN_LIB_SUPPORT_HASH_H

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace kiln {

/// Spreads every input bit over all output bits. A bijection. **Source**: the
/// finalizer of MurmurHash3 with the constants of Stafford's variant 13.
constexpr uint64_t hashMix(uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// Joins a value to a running hash; order matters.
constexpr uint64_t hashCombine(uint64_t seed, uint64_t value) noexcept {
  return hashMix(std::rotl(seed, 23) + 0x9e3779b97f4a7c15ULL +
                 hashMix(value + 0x632be59bd9b4e019ULL));
}

/// Hashes bytes; the length takes part. Not keyed: no protection against inputs
/// made to collide.
inline uint64_t hashBytes(const void *data, size_t size,
                          uint64_t seed = 0) noexcept {
  const auto *bytes = static_cast<const unsigned char *>(data);
  uint64_t hash = hashCombine(seed, size);
  for (; size >= 8; bytes += 8, size -= 8) {
    uint64_t word;
    std::memcpy(&word, bytes, 8);
    if constexpr (std::endian::native == std::endian::big)
      word = __builtin_bswap64(word);
    hash = (std::rotl(hash, 29) ^ word) * 0x9fb21c651e98df25ULL;
    hash ^= hash >> 32;
  }
  uint64_t tail = 0;
  for (size_t i = 0; i < size; ++i)
    tail |= static_cast<uint64_t>(bytes[i]) << (8 * i);
  return hashCombine(hash, tail);
}

inline uint64_t hashString(std::string_view text, uint64_t seed = 0) noexcept {
  return hashBytes(text.data(), text.size(), seed);
}

/// Collects a hash over parts: `HashBuilder().add(op).add(rank).value()`.
class HashBuilder {
public:
  explicit constexpr HashBuilder(uint64_t seed = 0) noexcept : hash(seed) {}
  template <class T>
    requires(std::integral<T> || std::is_enum_v<T>)
  constexpr HashBuilder &add(T part) noexcept {
    hash = hashCombine(hash, static_cast<uint64_t>(part));
    return *this;
  }
  HashBuilder &add(std::string_view part) noexcept {
    hash = hashString(part, hash);
    return *this;
  }
  HashBuilder &addBytes(const void *data, size_t size) noexcept {
    hash = hashBytes(data, size, hash);
    return *this;
  }
  constexpr uint64_t value() const noexcept { return hash; }

private:
  uint64_t hash;
};

} // namespace kiln

#endif // KILN_LIB_SUPPORT_HASH_H
