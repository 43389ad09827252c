// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions between numeric types; expectations are NumPy's.
#include "tools/common/CastTensor.h"

#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <cmath>
#include <limits>

namespace kiln {
namespace {

using ::testing::ElementsAre;
using testing::fails;
using ::testing::HasSubstr;
using testing::isOk;

template <class To, class From> std::vector<To> cast(std::vector<From> values) {
  auto count = static_cast<int64_t>(values.size());
  auto result = castTensor(testing::tensorOf<From>({count}, std::move(values)),
                           dtypeOf<To>);
  EXPECT_THAT(result, isOk());
  return result.ok() ? testing::valuesOf<To>(*result) : std::vector<To>();
}

TEST(CastTensor, IntegersWrap) {
  EXPECT_THAT((cast<int32_t, int64_t>({1, (int64_t{1} << 32) + 5, INT64_MIN})),
              ElementsAre(1, 5, 0));
  EXPECT_THAT((cast<uint8_t, int32_t>({-1, 256})), ElementsAre(255, 0));
  EXPECT_THAT((cast<int64_t, uint64_t>({UINT64_MAX})), ElementsAre(-1));
}

TEST(CastTensor, FloatsRoundToTheNearest) {
  EXPECT_THAT((cast<float, double>({0.1, 1e300, -1e-300})),
              ElementsAre(0.1f, HUGE_VALF, -0.0f));
  EXPECT_THAT((cast<float, int64_t>({(1 << 24) + 1, (1 << 24) + 3})),
              ElementsAre(16777216.0f, 16777220.0f));
}

/// 1 + 2^-11 + 2^-40 lies above the middle of two float16; rounded to float32
/// first it would lie upon it, and go to the even one below.
TEST(CastTensor, NothingIsRoundedTwiceOnTheWayToFloat16) {
  double middle = 1 + std::ldexp(1.0, -11);
  auto halves = cast<Half, double>({middle, middle + std::ldexp(1.0, -40),
                                    middle - std::ldexp(1.0, -40), 1e300});
  EXPECT_THAT(std::vector<float>(halves.begin(), halves.end()),
              ElementsAre(1.0f, 1 + std::ldexp(1.0f, -10), 1.0f, HUGE_VALF));
}

TEST(CastTensor, WhatIsNotZeroIsTrue) {
  EXPECT_THAT((cast<bool, double>({0.0, -0.0, 0.5, NAN})),
              ElementsAre(false, false, true, true));
  auto one = castTensor(Tensor::scalar(true), DType::Float32);
  ASSERT_THAT(one, isOk());
  EXPECT_EQ(one->data<float>()[0], 1.0f);
}

TEST(CastTensor, FractionsAreCutOffUpToTheLimitsOfTheType) {
  EXPECT_THAT((cast<int8_t, double>({127.9, -128.9, -0.5})),
              ElementsAre(127, -128, 0));
  EXPECT_THAT((cast<uint8_t, float>({255.5f, -0.5f})), ElementsAre(255, 0));
  for (double value : {128.0, -129.0, double(NAN), HUGE_VAL})
    EXPECT_THAT(
        castTensor(testing::tensorOf<double>({2}, {1, value}), DType::Int8),
        fails(StatusCode::InvalidArgument,
              HasSubstr("values that int8 holds, element 1")));
  EXPECT_THAT((cast<int64_t, double>({-0x1p63})), ElementsAre(INT64_MIN));
  EXPECT_THAT(castTensor(Tensor::scalar(0x1p63), DType::Int64),
              fails(StatusCode::InvalidArgument, HasSubstr("int64")));
}

TEST(CastTensor, StringsAreNoNumbers) {
  EXPECT_FALSE(isCastable(DType::String));
  EXPECT_THAT(castTensor(Tensor::scalar("1"), DType::Float32),
              fails(StatusCode::InvalidArgument, HasSubstr("got string")));
}

} // namespace
} // namespace kiln
