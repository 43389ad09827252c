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
[[gnu::target("sse4.2")]] uint32_t
extendByInstruction(uint32_t crc, std::string_view bytes) noexcept {
  uint64_t wide = crc;
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    uint64_t word;
    std::memcpy(&word, bytes.data(), 8);
    wide = _mm_crc32_u64(wide, word);
  }
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

} // namespace kiln
