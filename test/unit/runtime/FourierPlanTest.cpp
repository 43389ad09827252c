// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transforms of all small lengths, and of some large ones, against the sums
// that they stand for.
#include "runtime/fourier/Plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace kiln::fourier {
namespace {

template <class T> struct Sequences {
  Sequences(int64_t length, int64_t lanes)
      : real(static_cast<size_t>(length * lanes)), imag(real.size()) {
    std::mt19937 engine(static_cast<unsigned>(length));
    std::normal_distribution<double> normal;
    for (auto *part : {&real, &imag})
      for (T &number : *part)
        number = static_cast<T>(normal(engine));
  }
  std::vector<T> real, imag;
};

/// Sums for every `step`th element; the largest distance from them, relative to
/// the largest of them.
template <class T>
double errorOf(int64_t length, int64_t lanes, int64_t step = 1) {
  auto plan = Plan<T>::of(length);
  Sequences<T> x(length, lanes), work = x;
  std::vector<T> real(static_cast<size_t>(plan->scratchSize(lanes))),
      imag(real.size());
  Split<T> got = plan->run({work.real.data(), work.imag.data()},
                           {real.data(), imag.data()}, lanes);
  std::vector<std::complex<double>> roots;
  for (int64_t k = 0; k < length; ++k)
    roots.push_back(
        std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) /
                            static_cast<double>(length)));
  double error = 0, largest = 0;
  for (int64_t lane = 0; lane < lanes; ++lane)
    for (int64_t k = 0; k < length; k += step) {
      std::complex<double> sum = 0;
      for (int64_t j = 0; j < length; ++j) {
        const auto at = static_cast<size_t>(j * lanes + lane);
        sum += std::complex<double>(x.real[at], x.imag[at]) *
               roots[static_cast<size_t>(j * k % length)];
      }
      const int64_t at = k * lanes + lane;
      error = std::max(error, std::abs(sum - std::complex<double>(
                                                 got.real[at], got.imag[at])));
      largest = std::max(largest, std::abs(sum));
    }
  return error / largest;
}

TEST(FourierPlan, SmallLengths) {
  for (int64_t length = 1; length <= 130; ++length)
    for (int64_t lanes : {1, 3, 16}) {
      EXPECT_LT(errorOf<float>(length, lanes), 1e-6) << length << " " << lanes;
      EXPECT_LT(errorOf<double>(length, lanes), 2e-15)
          << length << " " << lanes;
    }
}

TEST(FourierPlan, LargeLengths) {
  for (int64_t length : {256, 512, 529, 961, 1000, 1009, 1024, 2048, 2310, 4096,
                         4099, 8192, 30030}) {
    const int64_t step = 1 + length / 50;
    EXPECT_LT(errorOf<float>(length, 1, step), 1e-6) << length;
    EXPECT_LT(errorOf<double>(length, 1, step), 3e-14) << length;
  }
}

TEST(FourierPlan, ALengthIsPlannedOnce) {
  EXPECT_EQ(Plan<float>::of(48), Plan<float>::of(48));
  EXPECT_EQ(Plan<float>::of(48)->length(), 48);
}

} // namespace
} // namespace kiln::fourier
