// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The 16-bit floating-point types: how their elements lie in memory, and
// conversions from and to float.
#ifndef KILN_FLOAT16_H
#define KILN_FLOAT16_H

#include <bit>
#include <cstdint>

namespace kiln {

/// Rounds to the nearest half, ties to even, and returns its bits. **Edges**:
/// from 65520 on infinity; below 2^-14 denormal halfs; a NaN stays one, quiet,
/// with the upper bits of its payload (as the CPU's own instruction has it).
/// Branch-free, so that loops of it become vectors.
constexpr uint16_t halfBitsOf(float value) noexcept {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint32_t magnitude = bits & 0x7fffffff;
  // Adding one half aligns a denormal's bits and rounds them.
  uint32_t denormal =
      std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) -
      0x3f000000;
  uint32_t odd = (magnitude >> 13) & 1;
  uint32_t normal = (magnitude - (uint32_t(112) << 23) + 0xfff + odd) >> 13;
  uint32_t special =
      magnitude > 0x7f800000 ? 0x7e00 | ((magnitude >> 13) & 0x3ff) : 0x7c00;
  uint32_t finite = magnitude < 0x38800000 ? denormal : normal;
  uint32_t result = magnitude >= 0x47800000 ? special : finite;
  return static_cast<uint16_t>(result | ((bits >> 16) & 0x8000));
}

/// The number that a half's bits mean: exact; a NaN becomes quiet.
constexpr float floatOfHalfBits(uint16_t bits) noexcept {
  uint32_t magnitude = bits & 0x7fff, shifted = magnitude << 13;
  uint32_t denormal =
      std::bit_cast<uint32_t>(static_cast<float>(magnitude) * 0x1p-24f);
  uint32_t normal = shifted + (uint32_t(112) << 23);
  uint32_t special =
      (shifted | 0x7f800000) | (magnitude > 0x7c00 ? 0x400000 : 0);
  uint32_t finite = magnitude < 0x400 ? denormal : normal;
  uint32_t result = magnitude >= 0x7c00 ? special : finite;
  return std::bit_cast<float>(result | (uint32_t(bits & 0x8000) << 16));
}

/// Rounds to the nearest bfloat16, ties to even, and returns its bits.
/// **Edges**: a NaN becomes the one quiet NaN of its sign, as in TensorFlow;
/// denormals stay.
constexpr uint16_t bfloat16BitsOf(float value) noexcept {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint32_t rounded = bits + 0x7fff + ((bits >> 16) & 1);
  uint32_t nan = (bits & 0x80000000) | 0x7fc00000;
  uint32_t result = (bits & 0x7fffffff) > 0x7f800000 ? nan : rounded;
  return static_cast<uint16_t>(result >> 16);
}

/// The number that a bfloat16's bits mean: exact.
constexpr float floatOfBFloat16Bits(uint16_t bits) noexcept {
  return std::bit_cast<float>(uint32_t(bits) << 16);
}

/// An element of DType::Float16: IEEE 754's binary16. Arithmetic is float's:
/// convert, compute, convert back. **Source**: Eigen::half.
struct Half {
  uint16_t bits = 0;

  Half() = default;
  constexpr explicit Half(float value) noexcept : bits(halfBitsOf(value)) {}
  static constexpr Half fromBits(uint16_t bits) noexcept {
    Half value;
    value.bits = bits;
    return value;
  }
  constexpr operator float() const noexcept { return floatOfHalfBits(bits); }
};

/// An element of DType::BFloat16: the upper half of a float. Arithmetic is
/// float's: convert, compute, convert back. **Source**: Eigen::bfloat16.
struct BFloat16 {
  uint16_t bits = 0;

  BFloat16() = default;
  constexpr explicit BFloat16(float value) noexcept
      : bits(bfloat16BitsOf(value)) {}
  static constexpr BFloat16 fromBits(uint16_t bits) noexcept {
    BFloat16 value;
    value.bits = bits;
    return value;
  }
  constexpr operator float() const noexcept {
    return floatOfBFloat16Bits(bits);
  }
};

static_assert(sizeof(Half) == 2 && sizeof(BFloat16) == 2);

} // namespace kiln

#endif // KILN_FLOAT16_H
