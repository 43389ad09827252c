// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops at the edges of their domain, with the numbers that TensorFlow 2.21 gave.
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace kiln {
namespace {

using ::testing::ElementsAreArray;
using testing::GraphWriter;
using testing::isOk;
using ::testing::NanSensitiveDoubleEq;
using testing::tensorOf;

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

class Ops : public testing::SessionTest {
protected:
  /// The op of one operand and attribute T, run on rows of three.
  template <class T>
  std::vector<double> run(const char *op, DType dtype,
                          const std::vector<double> &elements) {
    GraphWriter writer;
    writer.placeholder("x", dtype, {-1, 3});
    writer.add("y", op, {"x"}, {{"T", dtype}});
    auto session = open(writer.graph);
    std::vector<T> values(elements.begin(), elements.end());
    auto rows = static_cast<int64_t>(values.size() / 3);
    auto got = session->run({{"x:0", tensorOf<T>({rows, 3}, values)}}, {"y:0"});
    EXPECT_THAT(got, isOk());
    if (!got.ok())
      return {};
    auto result = testing::valuesOf<T>(got->front());
    return {result.begin(), result.end()};
  }
};

INSTANTIATE_TEST_SUITE_P(Modes, Ops,
                         ::testing::Values(ExecutionMode::NativeOnly,
                                           ExecutionMode::EvaluatorOnly),
                         testing::modeName);

auto equal(const std::vector<double> &expected) {
  std::vector<::testing::Matcher<double>> matchers;
  for (double value : expected)
    matchers.push_back(NanSensitiveDoubleEq(value));
  return ElementsAreArray(matchers);
}

const std::vector<double> specialRows = {
    1,    2,     inf, inf,  1,   2,   inf, inf,  1,    -inf, -inf, -inf,
    nan,  1,     2,   1,    nan, 2,   1,   2,    nan,  -inf, 5,    -inf,
    3e38, -3e38, inf, -inf, nan, inf, inf, -inf, -inf, -inf, -inf, nan};

TEST_P(Ops, SoftmaxOfSpecialsIsPerElementInFloat32) {
  EXPECT_THAT(run<float>("Softmax", DType::Float32, specialRows),
              equal({0,   0, nan, nan, 0,   0, nan, nan, 0, nan, nan, nan, nan,
                     0,   0, 0,   nan, 0,   0, 0,   nan, 0, 1,   0,   0,   0,
                     nan, 0, nan, nan, nan, 0, 0,   0,   0, nan}));
}

TEST_P(Ops, SoftmaxOfSpecialsIsPerRowInFloat64) {
  auto got = run<double>("Softmax", DType::Float64, specialRows);
  std::vector<double> expected(36, nan);
  expected[21] = expected[23] = 0;
  expected[22] = 1;
  EXPECT_THAT(got, equal(expected));
}

TEST_P(Ops, SoftmaxSumsToOne) {
  auto got = run<float>("Softmax", DType::Float32,
                        {1, 2, 3, -3e38, 0, -0.0, 88, 89, 90, 3e38, 3e38, 0});
  ASSERT_EQ(got.size(), 12u);
  EXPECT_NEAR(got[0], 0.09003057, 1e-7);
  EXPECT_NEAR(got[2], 0.66524096, 1e-7);
  EXPECT_EQ(got[3], 0);
  EXPECT_EQ(got[4], 0.5);
  EXPECT_EQ(got[6], got[0]);
  EXPECT_EQ(got[9], 0.5);
}

} // namespace
} // namespace kiln
