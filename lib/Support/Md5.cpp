// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MD5: blocks of 64 bytes, each mixed into four words in 64 steps.
#include "lib/Support/Md5.h"

#include <bit>
#include <string>

namespace kiln {
namespace {

constexpr std::array<uint8_t, 16> shifts{7, 12, 17, 22, 5, 9,  14, 20,
                                         4, 11, 16, 23, 6, 10, 15, 21};
/// floor(2^32 |sin(i + 1)|).
constexpr std::array<uint32_t, 64> sines{
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a,
    0xa8304613, 0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be,
    0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340,
    0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8,
    0x676f02d9, 0x8d2a4c8a, 0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c,
    0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa,
    0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92,
    0xffeff47d, 0x85845dd1, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1,
    0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};

using Words = std::array<uint32_t, 4>;

uint32_t wordAt(std::string_view block, size_t word) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i)
    value |= static_cast<uint32_t>(static_cast<uint8_t>(block[word * 4 + i]))
             << (8 * i);
  return value;
}

void mix(Words &state, std::string_view block) {
  auto [a, b, c, d] = state;
  for (size_t i = 0; i < 64; ++i) {
    uint32_t mixed;
    size_t word;
    switch (i / 16) {
    case 0:
      mixed = (b & c) | (~b & d);
      word = i;
      break;
    case 1:
      mixed = (d & b) | (~d & c);
      word = 5 * i + 1;
      break;
    case 2:
      mixed = b ^ c ^ d;
      word = 3 * i + 5;
      break;
    default:
      mixed = c ^ (b | ~d);
      word = 7 * i;
    }
    uint32_t sum = a + mixed + sines[i] + wordAt(block, word % 16);
    a = d;
    d = c;
    c = b;
    b += std::rotl(sum, shifts[i / 16 * 4 + i % 4]);
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
}

} // namespace

std::array<uint8_t, 16> md5(std::string_view text) {
  Words state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  size_t whole = text.size() / 64 * 64;
  for (size_t at = 0; at < whole; at += 64)
    mix(state, text.substr(at, 64));
  // A bit, zeros, and the length in bits fill the last block.
  std::string rest(text.substr(whole));
  rest += '\x80';
  while (rest.size() % 64 != 56)
    rest += '\0';
  uint64_t bits = static_cast<uint64_t>(text.size()) * 8;
  for (int i = 0; i < 8; ++i)
    rest += static_cast<char>(bits >> (8 * i) & 0xff);
  for (size_t at = 0; at < rest.size(); at += 64)
    mix(state, std::string_view(rest).substr(at, 64));
  std::array<uint8_t, 16> digest;
  for (size_t i = 0; i < 16; ++i)
    digest[i] = static_cast<uint8_t>(state[i / 4] >> (8 * (i % 4)));
  return digest;
}

int64_t seedOf(std::string_view text) {
  int64_t seed = 0;
  std::array<uint8_t, 16> digest = md5(text);
  for (size_t i = 0; i < 4; ++i)
    seed = seed << 8 | digest[i];
  return seed & 0x7fffffff;
}

} // namespace kiln
