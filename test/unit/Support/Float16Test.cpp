// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The 16-bit floats against their definition, every one of them.
#include "kiln/Float16.h"
#include "kiln/Tensor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace kiln {
namespace {

/// The number by IEEE 754's formula; NaN and infinities apart.
double halfByDefinition(uint16_t bits) {
  int exponent = bits >> 10 & 31, significand = bits & 1023;
  double magnitude = exponent == 0
                         ? std::ldexp(significand, -24)
                         : std::ldexp(1024 + significand, exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

bool isFiniteHalf(uint32_t bits) { return (bits & 0x7c00) != 0x7c00; }
bool isFiniteBFloat16(uint32_t bits) { return (bits & 0x7f80) != 0x7f80; }

TEST(Half, EveryValueIsThatOfTheDefinition) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    float value = Half::fromBits(static_cast<uint16_t>(bits));
    if (isFiniteHalf(bits))
      ASSERT_EQ(value, halfByDefinition(static_cast<uint16_t>(bits)));
    else if (bits & 1023)
      ASSERT_TRUE(std::isnan(value));
    else
      ASSERT_EQ(value, bits & 0x8000 ? -INFINITY : INFINITY);
    ASSERT_EQ(std::signbit(value), bits >= 32768);
  }
}

TEST(Half, EveryValueComesBack) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    bool isNan = !isFiniteHalf(bits) && bits & 1023;
    Half half = Half::fromBits(static_cast<uint16_t>(bits));
    ASSERT_EQ(Half(float(half)).bits, isNan ? bits | 0x200 : bits);
  }
}

/// Between two neighbours: what lies nearer, ties to even.
template <class T> void checkRoundingAbove(uint16_t bits) {
  T low = T::fromBits(bits), high = T::fromBits(uint16_t(bits + 1));
  T even = bits & 1 ? high : low;
  float middle = float((double(float(low)) + double(float(high))) / 2);
  ASSERT_EQ(T(middle).bits, even.bits);
  ASSERT_EQ(T(std::nextafter(middle, -INFINITY)).bits,
            bits & 0x8000 ? high.bits : low.bits);
  ASSERT_EQ(T(std::nextafter(middle, INFINITY)).bits,
            bits & 0x8000 ? low.bits : high.bits);
}

TEST(Half, RoundsToTheNearestAndTiesToEven) {
  for (uint32_t bits = 0; bits < 65536; ++bits)
    if (isFiniteHalf(bits) && isFiniteHalf(bits + 1))
      checkRoundingAbove<Half>(static_cast<uint16_t>(bits));
}

TEST(Half, WhatIsTooLargeIsInfinite) {
  EXPECT_EQ(Half(65519.996f).bits, 0x7bff);
  EXPECT_EQ(Half(65520.0f).bits, 0x7c00);
  EXPECT_EQ(Half(-1e30f).bits, 0xfc00);
  EXPECT_EQ(Half(0x1p-25f).bits, 0);
  EXPECT_EQ(Half(std::nextafter(0x1p-25f, 1.0f)).bits, 1);
  EXPECT_EQ(Half(-1e-30f).bits, 0x8000);
}

TEST(BFloat16, EveryValueIsTheUpperHalfOfAFloat) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    BFloat16 value = BFloat16::fromBits(static_cast<uint16_t>(bits));
    ASSERT_EQ(std::bit_cast<uint32_t>(float(value)), bits << 16);
    bool isNan = !isFiniteBFloat16(bits) && bits & 127;
    ASSERT_EQ(BFloat16(float(value)).bits,
              isNan ? (bits & 0x8000) | 0x7fc0 : bits);
  }
}

TEST(BFloat16, RoundsToTheNearestAndTiesToEven) {
  for (uint32_t bits = 0; bits < 65536; ++bits)
    if (isFiniteBFloat16(bits) && isFiniteBFloat16(bits + 1))
      checkRoundingAbove<BFloat16>(static_cast<uint16_t>(bits));
  EXPECT_EQ(BFloat16(std::numeric_limits<float>::max()).bits, 0x7f80);
}

TEST(Float16, TensorsHoldThem) {
  auto tensor = Tensor::fromValues<Half>({2}, {Half(1.5f), Half(-2.0f)});
  ASSERT_TRUE(tensor.ok());
  EXPECT_EQ(tensor->dtype(), DType::Float16);
  EXPECT_EQ(float(tensor->data<Half>()[1]), -2.0f);
  EXPECT_TRUE(tensor->data<BFloat16>().empty());
  EXPECT_EQ(Tensor::scalar(BFloat16(3.0f)).dtype(), DType::BFloat16);
}

} // namespace
} // namespace kiln
