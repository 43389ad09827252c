// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mixes bytes, eight at a time.
#include "runtime/kernels/Fingerprints.h"

#include <bit>
#include <cstddef>
#include <cstring>
#include <utility>

namespace kiln {
namespace {

static_assert(std::endian::native == std::endian::little);

template <class T> T load(const char *at) noexcept {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}
uint64_t word(const char *at) noexcept { return load<uint64_t>(at); }

constexpr uint64_t k0 = 0xc3a5c85c97cb3127, k1 = 0xb492b66fbe98f273,
                   k2 = 0x9ae16a3b2f90404f;

uint64_t shiftMix(uint64_t value) noexcept { return value ^ (value >> 47); }

uint64_t mixPair(uint64_t u, uint64_t v, uint64_t mul) noexcept {
  uint64_t a = shiftMix((u ^ v) * mul);
  return shiftMix((v ^ a) * mul) * mul;
}

uint64_t ofUpTo16(const char *s, size_t size) noexcept {
  const uint64_t mul = k2 + size * 2;
  if (size >= 8) {
    uint64_t a = word(s) + k2, b = word(s + size - 8);
    uint64_t c = std::rotr(b, 37) * mul + a, d = (std::rotr(a, 25) + b) * mul;
    return mixPair(c, d, mul);
  }
  if (size >= 4) {
    uint64_t a = load<uint32_t>(s);
    return mixPair(size + (a << 3), load<uint32_t>(s + size - 4), mul);
  }
  if (size > 0) {
    auto byte = [&](size_t i) {
      return static_cast<uint32_t>(static_cast<unsigned char>(s[i]));
    };
    uint32_t y = byte(0) + (byte(size >> 1) << 8),
             z = static_cast<uint32_t>(size) + (byte(size - 1) << 2);
    return shiftMix(y * k2 ^ z * k0) * k2;
  }
  return k2;
}

uint64_t ofUpTo32(const char *s, size_t size) noexcept {
  const uint64_t mul = k2 + size * 2;
  uint64_t a = word(s) * k1, b = word(s + 8), c = word(s + size - 8) * mul,
           d = word(s + size - 16) * k2;
  return mixPair(std::rotr(a + b, 43) + std::rotr(c, 30) + d,
                 a + std::rotr(b + k2, 18) + c, mul);
}

uint64_t ofUpTo64(const char *s, size_t size) noexcept {
  const uint64_t mul = k2 + size * 2;
  uint64_t a = word(s) * k2, b = word(s + 8), c = word(s + size - 8) * mul,
           d = word(s + size - 16) * k2;
  uint64_t y = std::rotr(a + b, 43) + std::rotr(c, 30) + d,
           z = mixPair(y, a + std::rotr(b + k2, 18) + c, mul);
  uint64_t e = word(s + 16) * mul, f = word(s + 24),
           g = (y + word(s + size - 32)) * mul,
           h = (z + word(s + size - 24)) * mul;
  return mixPair(std::rotr(e + f, 43) + std::rotr(g, 30) + h,
                 e + std::rotr(f + a, 18) + g, mul);
}

using Pair = std::pair<uint64_t, uint64_t>;

/// The weak fingerprint of 32 bytes.
Pair weakPair(const char *s, uint64_t a, uint64_t b) noexcept {
  const uint64_t w = word(s), x = word(s + 8), y = word(s + 16),
                 z = word(s + 24);
  a += w;
  b = std::rotr(b + a + z, 21);
  const uint64_t c = a;
  a += x;
  a += y;
  b += std::rotr(a, 44);
  return {a + z, b + c};
}

} // namespace

uint64_t fingerprint64(std::string_view bytes) noexcept {
  const char *s = bytes.data();
  const size_t size = bytes.size();
  if (size <= 16)
    return ofUpTo16(s, size);
  if (size <= 32)
    return ofUpTo32(s, size);
  if (size <= 64)
    return ofUpTo64(s, size);
  constexpr uint64_t seed = 81;
  uint64_t x = seed * k2 + word(s), y = seed * k1 + 113,
           z = shiftMix(y * k2 + 113) * k2;
  Pair v{0, 0}, w{0, 0};
  const char *end = s + ((size - 1) / 64) * 64,
             *last = end + ((size - 1) & 63) - 63;
  do {
    x = std::rotr(x + y + v.first + word(s + 8), 37) * k1;
    y = std::rotr(y + v.second + word(s + 48), 42) * k1;
    x ^= w.second;
    y += v.first + word(s + 40);
    z = std::rotr(z + w.first, 33) * k1;
    v = weakPair(s, v.second * k1, x + w.first);
    w = weakPair(s + 32, z + w.second, y + word(s + 16));
    std::swap(z, x);
    s += 64;
  } while (s != end);
  const uint64_t mul = k1 + ((z & 0xff) << 1);
  s = last;
  w.first += (size - 1) & 63;
  v.first += w.first;
  w.first += v.first;
  x = std::rotr(x + y + v.first + word(s + 8), 37) * mul;
  y = std::rotr(y + v.second + word(s + 48), 42) * mul;
  x ^= w.second * 9;
  y += v.first * 9 + word(s + 40);
  z = std::rotr(z + w.first, 33) * mul;
  v = weakPair(s, v.second * mul, x + w.first);
  w = weakPair(s + 32, z + w.second, y + word(s + 16));
  std::swap(z, x);
  return mixPair(mixPair(v.first, w.first, mul) + shiftMix(y) * k0 + z,
                 mixPair(v.second, w.second, mul) + x, mul);
}

uint64_t sipHash(uint64_t key0, uint64_t key1,
                 std::string_view bytes) noexcept {
  uint64_t a = key0 ^ 0x736f6d6570736575, b = key1 ^ 0x646f72616e646f6d,
           c = key0 ^ 0x6c7967656e657261, d = key1 ^ 0x7465646279746573;
  auto rounds = [&](int count) {
    for (int i = 0; i < count; ++i) {
      a += b;
      b = std::rotl(b, 13) ^ a;
      a = std::rotl(a, 32);
      c += d;
      d = std::rotl(d, 16) ^ c;
      a += d;
      d = std::rotl(d, 21) ^ a;
      c += b;
      b = std::rotl(b, 17) ^ c;
      c = std::rotl(c, 32);
    }
  };
  auto take = [&](uint64_t block) {
    d ^= block;
    rounds(2);
    a ^= block;
  };
  uint64_t rest = uint64_t(bytes.size()) << 56;
  for (; bytes.size() >= 8; bytes.remove_prefix(8))
    take(word(bytes.data()));
  for (size_t i = 0; i < bytes.size(); ++i)
    rest |= uint64_t(static_cast<unsigned char>(bytes[i])) << (8 * i);
  take(rest);
  c ^= 0xff;
  rounds(4);
  return a ^ b ^ c ^ d;
}

uint64_t murmurHash64(std::string_view bytes, uint64_t seed) noexcept {
  constexpr uint64_t mul = 0xc6a4a7935bd1e995;
  uint64_t hash = seed ^ (bytes.size() * mul);
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    uint64_t block = word(bytes.data()) * mul;
    hash = (hash ^ (shiftMix(block) * mul)) * mul;
  }
  if (!bytes.empty()) {
    uint64_t rest = 0;
    for (size_t i = 0; i < bytes.size(); ++i)
      rest |= uint64_t(static_cast<unsigned char>(bytes[i])) << (8 * i);
    hash = (hash ^ rest) * mul;
  }
  return shiftMix(shiftMix(hash) * mul);
}

} // namespace kiln
