// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The buckets of a summary's histogram against a search through their limits.
#include "lib/Ops/Summary/HostHistogram.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace kiln {
namespace {

/// As TensorFlow's histogram.cc makes them.
std::vector<double> allLimits() {
  std::vector<double> limits{0};
  auto add = [&](double limit) {
    limits.push_back(limit);
    limits.push_back(-limit);
  };
  for (double limit = 1e-12; limit < 1e20; limit *= 1.1)
    add(limit);
  add(std::numeric_limits<double>::max());
  std::sort(limits.begin(), limits.end());
  return limits;
}

void expectBucket(const std::vector<double> &limits, double value) {
  host::Histogram histogram;
  histogram.add(value);
  proto::HistogramProto message;
  histogram.encode(message);
  const auto bucket =
      std::find(message.bucket().begin(), message.bucket().end(), 1.0);
  ASSERT_NE(bucket, message.bucket().end());
  auto above = std::upper_bound(limits.begin(), limits.end(), value);
  if (above == limits.end())
    --above;
  ASSERT_EQ(
      message.bucket_limit(static_cast<int>(bucket - message.bucket().begin())),
      *above)
      << value;
}

TEST(HistogramTest, EveryNumberIsInItsBucket) {
  const std::vector<double> limits = allLimits();
  for (double limit : limits)
    for (double value :
         {limit, std::nextafter(limit, 1e300), std::nextafter(limit, -1e300)})
      expectBucket(limits, value);
  for (double value : {-0.0, 5e-324, -5e-324, 1e-40, 1e38, -1e38, 1e300})
    expectBucket(limits, value);
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    const double size =
        std::exp2(std::uniform_real_distribution<>(-60, 80)(random));
    expectBucket(limits, random() % 2 ? size : -size);
  }
}

} // namespace
} // namespace kiln
