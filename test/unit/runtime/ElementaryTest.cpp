// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elementary functions: accuracy on a sample (bench/ElementaryUlp.cpp looks
// at every float) and special values.
#include "runtime/elementary/ElementaryScalar.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

using namespace kiln::elementary;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNanF = std::numeric_limits<float>::quiet_NaN();

struct Subject {
  ElementaryFunction function;
  double bound; // units in the last place of f32
  double (*reference)(double);
};

double sigmoidOf(double x) { return 1 / (1 + std::exp(-x)); }
double softplusOf(double x) {
  return (x > 0 ? x : 0) + std::log1p(std::exp(-std::fabs(x)));
}
double rsqrtOf(double x) { return 1 / std::sqrt(x); }

const Subject kSubjects[] = {
    {ElementaryFunction::Exp, 1, std::exp},
    {ElementaryFunction::Log, 1, std::log},
    {ElementaryFunction::Sin, 1, std::sin},
    {ElementaryFunction::Cos, 1, std::cos},
    {ElementaryFunction::Atan, 1, std::atan},
    {ElementaryFunction::Expm1, 1.5, std::expm1},
    {ElementaryFunction::Log1p, 1.5, std::log1p},
    {ElementaryFunction::Tanh, 1.5, std::tanh},
    {ElementaryFunction::Tan, 2.5, std::tan},
    {ElementaryFunction::Sinh, 2.5, std::sinh},
    {ElementaryFunction::Cosh, 2.5, std::cosh},
    {ElementaryFunction::Sigmoid, 2.5, sigmoidOf},
    {ElementaryFunction::Erf, 2.5, std::erf},
    {ElementaryFunction::Rsqrt, 2.5, rsqrtOf},
    {ElementaryFunction::Asin, 2, std::asin},
    {ElementaryFunction::Acos, 2, std::acos},
    {ElementaryFunction::Asinh, 2.5, std::asinh},
    {ElementaryFunction::Acosh, 2.5, std::acosh},
    {ElementaryFunction::Atanh, 2.5, std::atanh},
    {ElementaryFunction::Erfc, 2, std::erfc},
    {ElementaryFunction::Softplus, 2.5, softplusOf},
};

/// The error in units in the last place; denormal results count as zero.
double ulps(float got, double want) {
  if (std::isnan(got) || std::isnan(want))
    return std::isnan(got) && std::isnan(want) ? 0 : kInf;
  if (std::fabs(want) < 0x1p-126)
    return std::fabs(got) <= 0x1p-126f ? 0 : kInf;
  if (std::isinf(got) || std::fabs(want) >= 0x1p128)
    return double(got) == want ||
                   (std::isinf(got) && std::fabs(want) >= 0x1.ffffffp127 &&
                    std::signbit(got) == std::signbit(want))
               ? 0
               : kInf;
  return std::ldexp(std::fabs(double(got) - want), 23 - std::ilogb(want));
}

TEST(Elementary, F32StaysWithinItsBound) {
  // Every 3001st bit pattern: 1.4 million arguments of all signs and
  // magnitudes.
  std::vector<float> x;
  for (uint64_t bits = 0; bits < uint64_t(1) << 32; bits += 3001) {
    float value = std::bit_cast<float>(uint32_t(bits));
    if (value == 0 || std::fabs(value) >= 0x1p-126f || std::isnan(value))
      x.push_back(value);
  }
  std::vector<float> y(x.size());
  for (const Subject &subject : kSubjects) {
    evaluate(subject.function, x.data(), y.data(), int64_t(x.size()));
    double worst = 0;
    float argument = 0;
    for (size_t i = 0; i < x.size(); ++i)
      if (double error = ulps(y[i], subject.reference(x[i])); error > worst) {
        worst = error;
        argument = x[i];
      }
    EXPECT_LE(worst, subject.bound)
        << name(subject.function) << " at " << argument;
  }
}

TEST(Elementary, F64StaysWithinAFewUlps) {
  std::vector<double> x;
  for (int i = -4000; i < 4000; ++i) {
    x.push_back(i * 0.00731);
    x.push_back(std::ldexp(1.37, i / 4));
  }
  std::vector<double> y(x.size());
  for (const Subject &subject : kSubjects) {
    evaluate(subject.function, x.data(), y.data(), int64_t(x.size()));
    for (size_t i = 0; i < x.size(); ++i) {
      double want = subject.reference(x[i]);
      if (std::fabs(want) < 0x1p-1022 || std::isnan(want) || std::isinf(want))
        continue;
      ASSERT_LE(std::fabs(y[i] - want), std::ldexp(8.0, std::ilogb(want) - 52))
          << name(subject.function) << " at " << x[i];
    }
  }
}

TEST(Elementary, KeepsTheSignOfZero) {
  for (ElementaryFunction function :
       {ElementaryFunction::Sin, ElementaryFunction::Tan,
        ElementaryFunction::Atan, ElementaryFunction::Tanh,
        ElementaryFunction::Sinh, ElementaryFunction::Expm1,
        ElementaryFunction::Log1p, ElementaryFunction::Erf,
        ElementaryFunction::Asin, ElementaryFunction::Asinh,
        ElementaryFunction::Atanh}) {
    float x[2] = {0.0f, -0.0f}, y[2];
    evaluate(function, x, y, 2);
    EXPECT_EQ(std::bit_cast<uint32_t>(y[0]), 0u) << name(function);
    EXPECT_EQ(std::bit_cast<uint32_t>(y[1]), 0x80000000u) << name(function);
  }
}

TEST(Elementary, GivesTheLimitsAtInfinity) {
  EXPECT_EQ(scalar::exp(-kInf), 0);
  EXPECT_EQ(scalar::exp(kInf), kInf);
  EXPECT_EQ(scalar::exp(-105.0f), 0);
  EXPECT_EQ(scalar::expm1(-kInf), -1);
  EXPECT_EQ(scalar::expm1(kInf), kInf);
  EXPECT_EQ(scalar::log(kInf), kInf);
  EXPECT_EQ(scalar::log1p(kInf), kInf);
  EXPECT_EQ(scalar::tanh(kInf), 1);
  EXPECT_EQ(scalar::tanh(-kInf), -1);
  EXPECT_EQ(scalar::sigmoid(kInf), 1);
  EXPECT_LE(scalar::sigmoid(-kInf), 0x1p-126f);
  EXPECT_EQ(scalar::sinh(-kInf), -kInf);
  EXPECT_EQ(scalar::cosh(-kInf), kInf);
  EXPECT_EQ(scalar::erf(-kInf), -1);
  EXPECT_EQ(scalar::erfc(kInf), 0);
  EXPECT_EQ(scalar::erfc(-kInf), 2);
  EXPECT_EQ(scalar::asinh(-kInf), -kInf);
  EXPECT_EQ(scalar::acosh(kInf), kInf);
  EXPECT_EQ(scalar::softplus(kInf), kInf);
  EXPECT_EQ(scalar::softplus(-kInf), 0);
  EXPECT_EQ(scalar::rsqrt(kInf), 0);
  EXPECT_EQ(scalar::atan(kInf), float(M_PI_2));
  EXPECT_TRUE(std::isnan(scalar::sin(kInf)));
  EXPECT_TRUE(std::isnan(scalar::cos(-kInf)));
  EXPECT_TRUE(std::isnan(scalar::tan(kInf)));
}

TEST(Elementary, GivesPolesAndNanOutsideTheDomain) {
  EXPECT_EQ(scalar::log(0.0f), -kInf);
  EXPECT_EQ(scalar::log(-0.0f), -kInf);
  EXPECT_TRUE(std::isnan(scalar::log(-1.0f)));
  EXPECT_EQ(scalar::log1p(-1.0f), -kInf);
  EXPECT_TRUE(std::isnan(scalar::log1p(-2.0f)));
  EXPECT_EQ(scalar::atanh(1.0f), kInf);
  EXPECT_EQ(scalar::atanh(-1.0f), -kInf);
  EXPECT_TRUE(std::isnan(scalar::atanh(1.5f)));
  EXPECT_TRUE(std::isnan(scalar::acosh(0.5f)));
  EXPECT_TRUE(std::isnan(scalar::asin(1.5f)));
  EXPECT_TRUE(std::isnan(scalar::acos(-1.5f)));
  EXPECT_EQ(scalar::rsqrt(-0.0f), -kInf);
  EXPECT_TRUE(std::isnan(scalar::rsqrt(-1.0f)));
}

TEST(Elementary, PropagatesNanOfEveryPayload) {
  for (uint32_t bits :
       {0x7fc00000u, 0x7fffffffu, 0xffc00000u, 0x7fc001ffu, 0xffd55555u}) {
    float x = std::bit_cast<float>(bits), y;
    for (const Subject &subject : kSubjects) {
      evaluate(subject.function, &x, &y, 1);
      EXPECT_TRUE(std::isnan(y))
          << name(subject.function) << " of " << std::hex << bits;
    }
  }
}

TEST(Elementary, PowHasTheSpecialValuesOfC) {
  const float values[] = {0.0f,  -0.0f, 1.0f,   -1.0f,    0.5f,  -0.5f,  2.0f,
                          -2.0f, 3.0f,  -3.0f,  2.5f,     1e30f, -1e30f, kInf,
                          -kInf, kNanF, 1e-30f, 16777216, 1.5f,  -2.5f};
  for (float x : values)
    for (float y : values) {
      float got = scalar::pow(x, y);
      double want = std::pow(double(x), double(y));
      EXPECT_LE(ulps(got, want), 1.5) << x << " ^ " << y << " = " << got;
      if (want == 0) {
        EXPECT_EQ(std::signbit(got), std::signbit(want)) << x << " ^ " << y;
      }
    }
}

TEST(Elementary, Atan2HasTheSpecialValuesOfC) {
  const float values[] = {0.0f,     -0.0f,     1.0f,   -1.0f,  3.0f,
                          -0.25f,   1e30f,     -1e30f, 1e-30f, -1e-37f,
                          0x1p127f, 0x1p-126f, kInf,   -kInf,  kNanF};
  for (float y : values)
    for (float x : values) {
      float got = scalar::atan2(y, x);
      double want = std::atan2(double(y), double(x));
      EXPECT_LE(ulps(got, want), 2.5) << y << ", " << x << ": " << got;
      if (!std::isnan(want)) {
        EXPECT_EQ(std::signbit(got), std::signbit(want)) << y << ", " << x;
      }
    }
}

TEST(Elementary, PowOfOneIsTheBase) {
  for (uint64_t bits = 0x00800000; bits < 0x7f800000; bits += 99991) {
    float x = std::bit_cast<float>(uint32_t(bits));
    ASSERT_EQ(scalar::pow(x, 1.0f), x);
  }
}

TEST(Elementary, ResultDoesNotDependOnThePlaceInTheArray) {
  std::vector<float> x(131), whole(131);
  for (int i = 0; i < 131; ++i)
    x[i] = float(i) * 0.37f - 20;
  for (const Subject &subject : kSubjects) {
    evaluate(subject.function, x.data(), whole.data(), 131);
    for (int i = 0; i < 131; ++i) {
      float one;
      evaluate(subject.function, &x[i], &one, 1);
      ASSERT_EQ(std::bit_cast<uint32_t>(one), std::bit_cast<uint32_t>(whole[i]))
          << name(subject.function) << " at " << x[i];
    }
  }
}

TEST(Elementary, WorksInPlace) {
  std::vector<float> x(200, 1.0f);
  evaluate(ElementaryFunction::Exp, x.data(), x.data(), 200);
  for (float value : x)
    EXPECT_EQ(value, float(M_E));
}

} // namespace
