// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CRC32C by the processor's instruction, or by a table. Debian packages no
// library for it.
#include "lib/Support/Crc32c.h"

#include <array>
#include <cstring>
#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace kiln {
namespace {

constexpr std::array<uint32_t, 256> makeTable() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit)
      crc = (crc >> 1) ^ (crc & 1 ? 0x82f63b78u : 0);
    table[i] = crc;
  }
  return table;
}
constexpr std::array<uint32_t, 256> table = makeTable();

uint32_t extendByTable(uint32_t crc, std::string_view bytes) noexcept {
  for (char byte : bytes)
    crc = (crc >> 8) ^ table[(crc ^ static_cast<uint8_t>(byte)) & 0xff];
  return crc;
}

#if defined(__x86_64__)
/// The instruction takes three cycles, but one may begin in each: three lanes
/// of so many bytes are summed up side by side.
constexpr size_t laneBytes = 2048;

/// What a lane of zeros behind it makes of a sum: by byte of the sum, for it is
/// linear in its bits.
constexpr std::array<std::array<uint32_t, 256>, 4> makeLaneTable() {
  std::array<uint32_t, 32> ofBit{};
  for (uint32_t bit = 0; bit < 32; ++bit) {
    uint32_t crc = 1u << bit;
    for (size_t i = 0; i < laneBytes; ++i)
      crc = (crc >> 8) ^ table[crc & 0xff];
    ofBit[bit] = crc;
  }
  std::array<std::array<uint32_t, 256>, 4> result{};
  for (uint32_t byte = 0; byte < 4; ++byte)
    for (uint32_t value = 0; value < 256; ++value)
      for (uint32_t bit = 0; bit < 8; ++bit)
        if (value >> bit & 1)
          result[byte][value] ^= ofBit[8 * byte + bit];
  return result;
}
constexpr std::array<std::array<uint32_t, 256>, 4> laneTable = makeLaneTable();

uint64_t behindLane(uint64_t crc) noexcept {
  return laneTable[0][crc & 0xff] ^ laneTable[1][crc >> 8 & 0xff] ^
         laneTable[2][crc >> 16 & 0xff] ^ laneTable[3][crc >> 24 & 0xff];
}

uint64_t wordAt(const char *bytes) noexcept {
  uint64_t word;
  std::memcpy(&word, bytes, 8);
  return word;
}

[[gnu::target("sse4.2")]] uint32_t
extendByInstruction(uint32_t crc, std::string_view bytes) noexcept {
  uint64_t wide = crc;
  for (; bytes.size() >= 3 * laneBytes; bytes.remove_prefix(3 * laneBytes)) {
    uint64_t second = 0, third = 0;
    for (size_t i = 0; i < laneBytes; i += 8) {
      const char *at = bytes.data() + i;
      wide = _mm_crc32_u64(wide, wordAt(at));
      second = _mm_crc32_u64(second, wordAt(at + laneBytes));
      third = _mm_crc32_u64(third, wordAt(at + 2 * laneBytes));
    }
    wide = behindLane(behindLane(wide) ^ second) ^ third;
  }
  for (; bytes.size() >= 8; bytes.remove_prefix(8))
    wide = _mm_crc32_u64(wide, wordAt(bytes.data()));
  crc = static_cast<uint32_t>(wide);
  for (char byte : bytes)
    crc = _mm_crc32_u8(crc, static_cast<uint8_t>(byte));
  return crc;
}
#endif

} // namespace

uint32_t extendCrc32c(uint32_t crc, std::string_view bytes) noexcept {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.2"))
    return ~extendByInstruction(~crc, bytes);
#endif
  return ~extendByTable(~crc, bytes);
}

namespace {

/// The product of two polynomials modulo the checksum's; the highest bit is the
/// coefficient of 1.
uint32_t multiply(uint32_t a, uint32_t b) noexcept {
  uint32_t product = 0;
  for (; a != 0; a <<= 1) {
    if (a & 0x80000000u)
      product ^= b;
    b = (b >> 1) ^ (b & 1 ? 0x82f63b78u : 0);
  }
  return product;
}

} // namespace

uint32_t joinCrc32c(uint32_t first, uint32_t second,
                    uint64_t secondBytes) noexcept {
  // Each zero behind it multiplies by x^8.
  uint32_t power = 0x00800000u;
  for (; secondBytes != 0; secondBytes >>= 1) {
    if (secondBytes & 1)
      first = multiply(first, power);
    power = multiply(power, power);
  }
  return first ^ second;
}

} // namespace kiln
