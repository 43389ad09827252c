// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of integers against arithmetic that is wide enough to be exact.
#include "lib/Support/Integers.h"

#include "lib/Support/IntegerFunctions.h"
#include "lib/Support/IntegerOfFloat.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace kiln {
namespace {

using F = IntegerFunction;

/// The function of numbers of at most 8 bits, not wrapped; nothing where it is
/// not defined.
std::optional<int64_t> exact(F function, int bits, int64_t x, int64_t y) {
  int64_t count = std::clamp<int64_t>(y, 0, bits - 1);
  auto floor = [&] { return int64_t(std::floor(double(x) / double(y))); };
  switch (function) {
  case F::Neg:
    return -x;
  case F::Abs:
    return x < 0 ? -x : x;
  case F::Sign:
    return (x > 0) - (x < 0);
  case F::Not:
    return ~x;
  case F::Add:
    return x + y;
  case F::Sub:
    return x - y;
  case F::Mul:
    return x * y;
  case F::Max:
    return std::max(x, y);
  case F::Min:
    return std::min(x, y);
  case F::And:
    return x & y;
  case F::Or:
    return x | y;
  case F::Xor:
    return x ^ y;
  case F::ShiftLeft:
    return x << count;
  case F::ShiftRight:
    return int64_t(std::floor(double(x) / double(int64_t(1) << count)));
  case F::Pow: {
    if (y < 0)
      return std::nullopt;
    uint64_t product = 1;
    for (int64_t i = 0; i < y; ++i)
      product *= uint64_t(x);
    return int64_t(product);
  }
  default:
    break;
  }
  if (y == 0)
    return std::nullopt;
  switch (function) {
  case F::Div:
    return int64_t(std::trunc(double(x) / double(y)));
  case F::Rem:
    return int64_t(std::fmod(double(x), double(y)));
  case F::FloorDiv:
    return floor();
  default:
    return x - y * floor();
  }
}

constexpr F allFunctions[] = {
#define KILN_INTEGER_UNARY(Enum, name, types) F::Enum,
#define KILN_INTEGER_BINARY(Enum, name, types, domain) F::Enum,
#include "lib/Support/Integers.def"
};

template <class T> void expectExact(DType dtype) {
  int64_t low = std::numeric_limits<T>::min(),
          high = std::numeric_limits<T>::max();
  for (F function : allFunctions)
    for (int64_t x = low; x <= high; ++x)
      for (int64_t y = low; y <= high; ++y) {
        auto wide = exact(function, 8, x, y);
        auto expected =
            wide ? std::optional<int64_t>(static_cast<T>(*wide)) : wide;
        ASSERT_EQ(evaluateInteger(function, dtype, x, y), expected)
            << "function " << int(function) << " of " << x << " and " << y;
      }
}

TEST(Integers, AllPairsOfSignedBytesAreExact) {
  expectExact<int8_t>(DType::Int8);
}

TEST(Integers, AllPairsOfUnsignedBytesAreExact) {
  expectExact<uint8_t>(DType::UInt8);
}

// The smallest integer by -1 would trap on x86.
TEST(Integers, SmallestByMinusOneWraps) {
  auto expectWrapped = [](DType dtype, int64_t low) {
    EXPECT_EQ(evaluateInteger(F::Div, dtype, low, -1), low);
    EXPECT_EQ(evaluateInteger(F::Rem, dtype, low, -1), 0);
    EXPECT_EQ(evaluateInteger(F::FloorDiv, dtype, low, -1), low);
    EXPECT_EQ(evaluateInteger(F::FloorMod, dtype, low, -1), 0);
    EXPECT_EQ(evaluateInteger(F::Abs, dtype, low), low);
  };
  expectWrapped(DType::Int32, INT32_MIN);
  expectWrapped(DType::Int64, INT64_MIN);
}

TEST(Integers, ShiftsTakeTheNearestCount) {
  EXPECT_EQ(evaluateInteger(F::ShiftLeft, DType::Int32, 1, 40), INT32_MIN);
  EXPECT_EQ(evaluateInteger(F::ShiftLeft, DType::Int64, 5, -3), 5);
  EXPECT_EQ(evaluateInteger(F::ShiftRight, DType::Int64, -9, 99), -1);
  EXPECT_EQ(evaluateInteger(F::ShiftRight, DType::UInt64, -1, 63), 1);
}

TEST(Integers, BoolsHaveBitsAlone) {
  EXPECT_EQ(evaluateInteger(F::Not, DType::Bool, 1), 0);
  EXPECT_EQ(evaluateInteger(F::Xor, DType::Bool, 1, 1), 0);
  EXPECT_EQ(evaluateInteger(F::Add, DType::Bool, 1, 1), std::nullopt);
  EXPECT_EQ(evaluateInteger(F::Add, DType::Float32, 1, 1), std::nullopt);
}

TEST(Integers, FloatsOutOfRangeGiveTheSmallest) {
  using integers::fromFloat;
  integers::ScalarFloats<float> floats;
  float infinity = std::numeric_limits<float>::infinity();
  for (float x : {0x1p31f, infinity, -infinity, std::nanf("")})
    EXPECT_EQ((fromFloat<32, false>(floats, x)), INT32_MIN) << x;
  EXPECT_EQ((fromFloat<32, false>(floats, -0x1p31f)), INT32_MIN);
  EXPECT_EQ((fromFloat<32, false>(floats, -2.9f)), -2);
  EXPECT_EQ(uint32_t(fromFloat<32, true>(floats, 3e9f)), 3'000'000'000u);
  EXPECT_EQ(uint64_t(fromFloat<64, true>(floats, 0x1.8p63f)), uint64_t(3)
                                                                  << 62);
  EXPECT_EQ(uint64_t(fromFloat<64, true>(floats, 0x1p64f)), uint64_t(1) << 63);
  EXPECT_EQ(uint64_t(fromFloat<64, true>(floats, -1.0f)), ~uint64_t(0));
}

} // namespace
} // namespace kiln
