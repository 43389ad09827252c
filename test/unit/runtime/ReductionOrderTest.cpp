// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of sums, checked against the words of its definition written down a
// second time.
#include "runtime/arithmetic/ReductionOrder.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <vector>

namespace kiln::reduction {
namespace {

constexpr int64_t lengths[] = {0,   1,   2,   15,   16,   17,   31,   32,
                               33,  255, 256, 257,  300,  511,  512,  513,
                               768, 769, 900, 1024, 1280, 1792, 2047, 70000};

std::vector<float> randomValues(size_t n, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> value(-1.0f, 1.0f), scale(-8.0f, 8.0f);
  std::vector<float> values(n);
  for (float &x : values)
    x = std::ldexp(value(engine), static_cast<int>(scale(engine)));
  return values;
}

/// The counter as the tree that it stands for: blocks [first, first + count),
/// count a power of two.
float pairwise(const std::vector<float> &blocks, size_t first, size_t count) {
  if (count == 1)
    return blocks[first];
  return pairwise(blocks, first, count / 2) +
         pairwise(blocks, first + count / 2, count / 2);
}

/// Full trees from left to right, then joined from the right.
float counterTotal(const std::vector<float> &blocks) {
  std::vector<float> trees;
  size_t first = 0;
  for (size_t size = std::bit_floor(blocks.size()); size != 0; size /= 2)
    if (blocks.size() & size) {
      trees.push_back(pairwise(blocks, first, size));
      first += size;
    }
  if (trees.empty())
    return 0.0f;
  float total = trees.back();
  for (size_t i = trees.size() - 1; i-- > 0;)
    total = trees[i] + total;
  return total;
}

float outerReference(const std::vector<float> &values, size_t blockSize) {
  std::vector<float> blocks;
  for (size_t begin = 0; begin < values.size(); begin += blockSize) {
    float acc = 0.0f;
    for (size_t i = begin; i < std::min(values.size(), begin + blockSize); ++i)
      acc += values[i];
    blocks.push_back(acc);
  }
  return counterTotal(blocks);
}

float innermostReference(const std::vector<float> &values) {
  float lane[16];
  for (size_t l = 0; l < 16; ++l) {
    // Every lane counts every block, also one in which it has no element.
    std::vector<float> blocks;
    for (size_t begin = 0; begin < values.size(); begin += 256) {
      float acc = 0.0f;
      for (size_t i = begin + l; i < std::min(values.size(), begin + 256);
           i += 16)
        acc += values[i];
      blocks.push_back(acc);
    }
    lane[l] = counterTotal(blocks);
  }
  for (size_t half = 8; half != 0; half /= 2)
    for (size_t l = 0; l < half; ++l)
      lane[l] += lane[l + half];
  return lane[0];
}

TEST(ReductionOrder, InnermostSumIsAsDefined) {
  for (int64_t n : lengths) {
    auto values = randomValues(static_cast<size_t>(n), 7);
    float got = reduceInnermost<float, Sum>(
        n, [&](int64_t i) { return values[static_cast<size_t>(i)]; });
    EXPECT_EQ(std::bit_cast<uint32_t>(got),
              std::bit_cast<uint32_t>(innermostReference(values)))
        << n;
  }
}

TEST(ReductionOrder, OuterSumIsAsDefined) {
  for (int64_t n : lengths) {
    auto values = randomValues(static_cast<size_t>(n), 8);
    float got = reduceOuter<float, Sum>(
        n, [&](int64_t i) { return values[static_cast<size_t>(i)]; });
    EXPECT_EQ(std::bit_cast<uint32_t>(got),
              std::bit_cast<uint32_t>(outerReference(values, 32)))
        << n;
  }
}

TEST(ReductionOrder, OneBlockIsAPlainSum) {
  auto values = randomValues(32, 9);
  float plain = 0.0f;
  for (float x : values)
    plain += x;
  EXPECT_EQ((reduceOuter<float, Sum>(
                32, [&](int64_t i) { return values[static_cast<size_t>(i)]; })),
            plain);
}

TEST(ReductionOrder, EmptyRangesGiveNeutralElements) {
  auto none = [](int64_t) { return 0.0f; };
  EXPECT_EQ((reduceInnermost<float, Sum>(0, none)), 0.0f);
  EXPECT_EQ((reduceInnermost<float, Prod>(0, none)), 1.0f);
  EXPECT_EQ((reduceInnermost<float, Max>(0, none)),
            -std::numeric_limits<float>::infinity());
  EXPECT_EQ((reduceInnermost<float, Min>(0, none)),
            std::numeric_limits<float>::infinity());
  EXPECT_EQ((reduceOuter<int32_t, Max>(0, [](int64_t) { return 0; })),
            std::numeric_limits<int32_t>::lowest());
  EXPECT_TRUE((reduceOuter<bool, All>(0, [](int64_t) { return false; })));
  EXPECT_FALSE((reduceOuter<bool, Any>(0, [](int64_t) { return true; })));
  EXPECT_EQ((contract<float>(0, none, none)), 0.0f);
}

TEST(ReductionOrder, NanWinsInMaxAndMinWhereverItStands) {
  for (int64_t at : {0, 1, 13, 255, 256, 299}) {
    auto load = [&](int64_t i) {
      return i == at ? std::nanf("") : static_cast<float>(i);
    };
    EXPECT_TRUE(std::isnan(reduceInnermost<float, Max>(300, load))) << at;
    EXPECT_TRUE(std::isnan(reduceInnermost<float, Min>(300, load))) << at;
    EXPECT_TRUE(std::isnan(reduceOuter<float, Max>(300, load))) << at;
    EXPECT_TRUE(std::isnan(reduceOuter<float, Min>(300, load))) << at;
  }
}

TEST(ReductionOrder, MaxAndMinOrderSignedZeros) {
  EXPECT_FALSE(std::signbit(Max::combine(-0.0f, 0.0f)));
  EXPECT_FALSE(std::signbit(Max::combine(0.0f, -0.0f)));
  EXPECT_TRUE(std::signbit(Min::combine(-0.0f, 0.0f)));
  EXPECT_TRUE(std::signbit(Min::combine(0.0f, -0.0f)));
}

TEST(ReductionOrder, IntegersWrap) {
  int32_t largest = std::numeric_limits<int32_t>::max();
  EXPECT_EQ(Sum::combine(largest, 1), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(Prod::combine(largest, 2), -2);
  EXPECT_EQ(Prod::combine(std::numeric_limits<int64_t>::min(), int64_t(-1)),
            std::numeric_limits<int64_t>::min());
}

TEST(ReductionOrder, ColumnOfEqualNumbersStaysWithinEightUnits) {
  // NumPy is off by 2,862 units here.
  float exact = static_cast<float>(20000 * static_cast<double>(0.1f));
  float unit = std::nextafter(exact, INFINITY) - exact;
  auto load = [](int64_t) { return 0.1f; };
  EXPECT_LE(std::abs(reduceOuter<float, Sum>(20000, load) - exact), 8 * unit);
  EXPECT_LE(std::abs(reduceInnermost<float, Sum>(20000, load) - exact),
            8 * unit);
}

TEST(ReductionOrder, ContractionAddsChainsOf256) {
  auto a = randomValues(600, 1), b = randomValues(600, 2);
  float blocks[3] = {};
  for (size_t k = 0; k < 600; ++k)
    blocks[k / 256] = std::fma(a[k], b[k], blocks[k / 256]);
  float got = contract<float>(
      600, [&](int64_t k) { return a[static_cast<size_t>(k)]; },
      [&](int64_t k) { return b[static_cast<size_t>(k)]; });
  EXPECT_EQ(got, (blocks[0] + blocks[1]) + blocks[2]);
}

} // namespace
} // namespace kiln::reduction
