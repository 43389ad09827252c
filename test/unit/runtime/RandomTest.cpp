// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow's random streams. The expected numbers were printed by
// TensorFlow 2.21 (CPU, graph mode, graph seed 1, op seed 2): two executions of
// an op with five outputs in one session.
#include "runtime/random/RandomScalar.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <cmath>
#include <vector>

using namespace kiln::random;

namespace {

/// The outputs of two executions with half of the numbers each.
template <class T, class Fill> std::vector<T> twoRuns(size_t count, Fill fill) {
  std::vector<T> out(2 * count);
  PhiloxState state = initPhilox(1, 2);
  fill(state, std::span<T>(out).first(count));
  skip(state, samplesTaken(count));
  fill(state, std::span<T>(out).last(count));
  return out;
}

template <class T>
void expectNear(const std::vector<T> &got, const std::vector<double> &want,
                double tolerance) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(double(got[i]), want[i], tolerance * std::fabs(want[i]))
        << "output " << i;
}

auto uniform = [](const PhiloxState &state, auto out) {
  fillUniform(state, out);
};
auto normal = [](const PhiloxState &state, auto out) {
  fillNormal(state, out);
};
auto truncated = [](const PhiloxState &state, auto out) {
  fillTruncatedNormal(state, out);
};

TEST(Random, UniformF32IsTensorFlows) {
  expectNear(twoRuns<float>(5, uniform),
             {0.406396746635437, 0.8575996160507202, 0.05539584159851074,
              0.08587229251861572, 0.41215360164642334, 0.15982985496520996,
              0.3912637233734131, 0.9523847103118896, 0.584368109703064,
              0.7269216775894165},
             0);
}

TEST(Random, UniformF64IsTensorFlows) {
  expectNear(twoRuns<double>(5, uniform),
             {0.2511744980841868, 0.44316677020093853, 0.2972296290781924,
              0.2577066944684787, 0.9527181182843207, 0.278639287485301,
              0.6190779909200372, 0.8153742432743751, 0.03020991117343086,
              0.12967122512561158},
             0);
}

TEST(Random, UniformIntIsTensorFlows) {
  EXPECT_EQ(twoRuns<int32_t>(5,
                             [](auto &state, auto out) {
                               fillUniformInt(state, -7, 1000003, out);
                             }),
            (std::vector<int32_t>{907212, 369268, 418725, 490822, 45704, 948787,
                                  527911, 803833, 8458, 640188}));
  EXPECT_EQ(twoRuns<int64_t>(5,
                             [](auto &state, auto out) {
                               fillUniformInt(state, int64_t(-7),
                                              int64_t(1000000000000), out);
                             }),
            (std::vector<int64_t>{248626968902, 816828349276, 863418470456,
                                  556788807811, 656249109075, 48388005079,
                                  588531949628, 849827580963, 304029498060,
                                  324051596283}));
}

TEST(Random, NormalIsTensorFlows) {
  expectNear(twoRuns<float>(5, normal),
             {-1.0467792749404907, 0.8397045731544495, 1.235836386680603,
              2.0637853145599365, 0.3037427067756653, 1.208923578262329,
              -1.485191822052002, -0.1579384207725525, -0.2694956064224243,
              -0.5014103055000305},
             1e-6);
  expectNear(twoRuns<double>(5, normal),
             {0.58105877128258, -1.557429113677359, 1.555896998265924,
              -0.07539950171215416, -0.27352397455564637, -1.0875801872475817,
              -1.1716841538542269, 0.12054893173418961, 0.6274425144439184,
              1.0565444642336512},
             1e-14);
}

TEST(Random, TruncatedNormalIsTensorFlows) {
  expectNear(twoRuns<float>(5, truncated),
             {-1.0467792749404907, 0.8397045731544495, 1.235836386680603,
              0.3037427067756653, 0.38869091868400574, 1.208923578262329,
              -1.485191822052002, -0.1579384207725525, -0.2694956064224243,
              0.453302264213562},
             1e-6);
  expectNear(twoRuns<double>(5, truncated),
             {0.58105877128258, -1.557429113677359, -1.1295845092323191,
              -0.5156530039692888, -1.1279218571369347, -1.0875801872475817,
              -1.1716841538542269, -0.3394448292736481, -0.5852322527807744,
              -0.08471485746960353},
             1e-14);
}

/// Fills in pieces of every length and compares with one fill.
template <class T, class Fill> void expectSplits(Fill fill) {
  PhiloxState state = initPhilox(3, 4);
  std::vector<T> whole(700);
  fill(state, std::span<T>(whole), 0);
  for (size_t piece : {1, 3, 64, 255, 257}) {
    std::vector<T> parts(whole.size());
    for (size_t i = 0; i < parts.size(); i += piece)
      fill(state,
           std::span<T>(parts).subspan(i, std::min(piece, parts.size() - i)),
           int64_t(i));
    EXPECT_EQ(parts, whole) << "pieces of " << piece;
  }
}

TEST(Random, AnySplitGivesTheSameNumbers) {
  auto uniformAt = [](auto &state, auto out, int64_t first) {
    fillUniform(state, out, first);
  };
  auto normalAt = [](auto &state, auto out, int64_t first) {
    fillNormal(state, out, first);
  };
  auto truncatedAt = [](auto &state, auto out, int64_t first) {
    fillTruncatedNormal(state, out, first);
  };
  expectSplits<float>(uniformAt);
  expectSplits<double>(uniformAt);
  expectSplits<float>(normalAt);
  expectSplits<double>(normalAt);
  expectSplits<float>(truncatedAt);
  expectSplits<double>(truncatedAt);
  expectSplits<int32_t>([](auto &state, auto out, int64_t first) {
    fillUniformInt(state, -5, 77, out, first);
  });
}

TEST(Random, SkipCarriesIntoTheUpperHalf) {
  PhiloxState state = initPhilox(1, 0x00000001ffffffff);
  skip(state, ~uint64_t(0));
  skip(state, 2);
  EXPECT_EQ(state.counter[0], 1u);
  EXPECT_EQ(state.counter[1], 0u);
  EXPECT_EQ(state.counter[2], 0u);
  EXPECT_EQ(state.counter[3], 2u);
}

TEST(Random, FillCarriesAsSkipDoes) {
  PhiloxState state = initPhilox(1, 2);
  skip(state, ~uint64_t(0) - 1);
  std::vector<float> whole(16), parts(16);
  fillUniform(state, whole);
  for (int i = 0; i < 4; ++i) {
    fillUniform(state, std::span<float>(parts).subspan(size_t(4 * i), 4));
    skip(state, 1);
  }
  EXPECT_EQ(whole, parts);
}

TEST(Random, IntegerRangeMayCoverTheWholeType) {
  std::vector<int32_t> out(1000);
  fillUniformInt(initPhilox(1, 2), INT32_MIN, INT32_MAX, out);
  EXPECT_LT(*std::min_element(out.begin(), out.end()), -2000000000);
  EXPECT_GT(*std::max_element(out.begin(), out.end()), 2000000000);
}

} // namespace
