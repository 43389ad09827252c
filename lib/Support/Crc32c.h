// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checksum of checkpoints, records and tables.
#ifndef KILN_LIB_SUPPORT_CRC32C_H
#define KILN_LIB_SUPPORT_CRC32C_H

#include <cstdint>
#include <string_view>

namespace kiln {

/// Returns the CRC32C of some bytes behind which `bytes` follow, whose own is
/// `crc`; 0 is that of none. **Cost**: 8 bytes a cycle on processors with SSE
/// 4.2, in three where there are few, else a byte in four.
uint32_t extendCrc32c(uint32_t crc, std::string_view bytes) noexcept;

/// The CRC32C of some bytes, whose own is `first`, behind which `secondBytes`
/// follow, whose own is `second`. **Cost**: some thousand cycles.
uint32_t joinCrc32c(uint32_t first, uint32_t second,
                    uint64_t secondBytes) noexcept;

/// The form in which files hold a checksum, for what is checked may hold
/// checksums itself. **Source**: LevelDB's crc32c::Mask.
inline uint32_t maskCrc(uint32_t crc) noexcept {
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}
inline uint32_t unmaskCrc(uint32_t masked) noexcept {
  uint32_t rotated = masked - 0xa282ead8u;
  return (rotated >> 17) | (rotated << 15);
}

} // namespace kiln

#endif // KILN_LIB_SUPPORT_CRC32C_H
