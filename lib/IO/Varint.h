// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers in as few bytes as they need, seven bits each.
#ifndef KILN_LIB_IO_VARINT_H
#define KILN_LIB_IO_VARINT_H

#include <cstdint>
#include <string>
#include <string_view>

namespace kiln::io {

inline void appendVarint(std::string &bytes, uint64_t number) {
  for (; number >= 0x80; number >>= 7)
    bytes += static_cast<char>(number | 0x80);
  bytes += static_cast<char>(number);
}

/// False where the bytes end before the number does.
inline bool takeVarint(std::string_view &bytes, uint64_t &number) {
  number = 0;
  for (int shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    auto byte = static_cast<uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    number |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80)
      return true;
  }
  return false;
}

} // namespace kiln::io

#endif // KILN_LIB_IO_VARINT_H
