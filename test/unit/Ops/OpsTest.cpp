// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops at the edges of their domain, with the numbers that TensorFlow 2.21 gave.
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace kiln {
namespace {

using ::testing::ElementsAreArray;
using testing::fails;
using testing::failsAt;
using testing::GraphWriter;
using ::testing::HasSubstr;
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

/// The op of two float operands of one length; further attributes beside T.
std::vector<double> runTwo(Session &session, const std::string &first,
                           const std::vector<float> &x,
                           const std::string &second,
                           const std::vector<float> &y) {
  auto length = static_cast<int64_t>(x.size());
  auto got = session.run({{first, tensorOf<float>({length}, x)},
                          {second, tensorOf<float>({length}, y)}},
                         {"z:0"});
  EXPECT_THAT(got, isOk());
  if (!got.ok())
    return {};
  auto result = testing::valuesOf<float>(got->front());
  return {result.begin(), result.end()};
}

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

/// Rows with NaN or +infinity are NaN, and those of -infinity alone.
std::vector<double> softmaxOfSpecialRows() {
  std::vector<double> expected(36, nan);
  expected[21] = expected[23] = 0;
  expected[22] = 1;
  return expected;
}

TEST_P(Ops, SoftmaxOfSpecialsIsPerRow) {
  const std::vector<double> expected = softmaxOfSpecialRows();
  EXPECT_THAT(run<float>("Softmax", DType::Float32, specialRows),
              equal(expected));
  EXPECT_THAT(run<double>("Softmax", DType::Float64, specialRows),
              equal(expected));
  EXPECT_THAT(run<Half>("Softmax", DType::Float16, specialRows),
              equal(expected));
  EXPECT_THAT(run<BFloat16>("Softmax", DType::BFloat16, specialRows),
              equal(expected));
}

/// The number of each of 1.5, 0, -0, 0, 3, -0 among the distinct ones.
template <class T>
std::vector<int32_t> placesOfZeros(Session &session, const char *fetch) {
  std::vector<T> numbers;
  for (float number : {1.5f, 0.0f, -0.0f, 0.0f, 3.0f, -0.0f})
    numbers.push_back(T(number));
  auto got = session.run({{"x:0", tensorOf<T>({6}, numbers)}}, {fetch});
  EXPECT_THAT(got, isOk());
  return got.ok() ? testing::valuesOf<int32_t>(got->front())
                  : std::vector<int32_t>();
}

TEST_P(Ops, UniqueTellsZerosOf16BitsApart) {
  auto places = [&]<class T>(T, DType dtype) {
    GraphWriter writer;
    writer.placeholder("x", dtype, {-1});
    writer.add("y", "Unique", {"x"}, {{"T", dtype}, {"out_idx", DType::Int32}});
    return placesOfZeros<T>(*open(writer.graph), "y:1");
  };
  const std::vector<int32_t> apart = {0, 1, 2, 1, 3, 2},
                             equal = {0, 1, 1, 1, 2, 1};
  EXPECT_EQ(places(Half(), DType::Float16), apart);
  EXPECT_EQ(places(BFloat16(), DType::BFloat16), apart);
  EXPECT_EQ(places(0.0f, DType::Float32), equal);
  EXPECT_EQ(places(0.0, DType::Float64), equal);
}

TEST_P(Ops, UnsortedSegmentsOfNoElementsTakeAnyIds) {
  GraphWriter writer;
  writer.placeholder("x", DType::Float32, {-1, -1});
  writer.placeholder("ids", DType::Int32, {-1});
  writer.placeholder("n", DType::Int32, {});
  writer.add("y", "UnsortedSegmentSum", {"x", "ids", "n"},
             {{"T", DType::Float32},
              {"Tindices", DType::Int32},
              {"Tnumsegments", DType::Int32}});
  auto session = open(writer.graph);
  auto sum = [&](int64_t columns, int32_t segments) {
    std::vector<float> ones(static_cast<size_t>(2 * columns), 1);
    return session->run({{"x:0", tensorOf<float>({2, columns}, ones)},
                         {"ids:0", tensorOf<int32_t>({2}, {0, 7})},
                         {"n:0", Tensor::scalar<int32_t>(segments)}},
                        {"y:0"});
  };
  auto got = sum(0, 2);
  ASSERT_THAT(got, isOk());
  EXPECT_EQ(got->front().shape(), Shape({2, 0}));
  EXPECT_THAT(sum(1, 2), failsAt("y"));
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

std::vector<::testing::Matcher<double>>
near(const std::vector<double> &values) {
  std::vector<::testing::Matcher<double>> matchers;
  for (double value : values)
    matchers.push_back(std::isfinite(value) ? ::testing::DoubleNear(value, 1e-6)
                                            : NanSensitiveDoubleEq(value));
  return matchers;
}

// Every pair of these, x running faster.
const std::vector<float> pairX = {0,          -0.0f,       1,         -1,
                                  float(inf), float(-inf), float(nan)};
const std::vector<float> pairY = {0, -0.0f, 1, -1, float(inf), float(nan)};

std::vector<double> runPairs(Session &session) {
  std::vector<float> x, y;
  for (float second : pairY)
    for (float first : pairX) {
      x.push_back(first);
      y.push_back(second);
    }
  return runTwo(session, "x:0", x, "y:0", y);
}

/// A graph with z = op(x, y).
std::shared_ptr<Graph> pairGraph(const char *op, AttrMap attrs = {}) {
  GraphWriter writer;
  attrs.set("T", DType::Float32);
  for (const char *name : {"x", "y"})
    writer.placeholder(name, DType::Float32, {-1});
  writer.add("z", op, {"x", "y"}, attrs);
  return writer.graph;
}

TEST_P(Ops, ZeroTimesOrOverAnythingIsThatZero) {
  EXPECT_THAT(
      runPairs(*open(pairGraph("Xdivy"))),
      equal({0,    -0.0, inf, -inf, inf,  -inf, nan, 0,    -0.0, -inf, inf,
             -inf, inf,  nan, 0,    -0.0, 1,    -1,  inf,  -inf, nan,  0,
             -0.0, -1,   1,   -inf, inf,  nan,  0,   -0.0, 0,    -0.0, nan,
             nan,  nan,  0,   -0.0, nan,  nan,  nan, nan,  nan}));
  EXPECT_THAT(
      runPairs(*open(pairGraph("Xlogy"))),
      equal({0,    -0.0, -inf, inf,  -inf, inf, nan,  0,    -0.0, -inf, inf,
             -inf, inf,  nan,  0,    -0.0, 0,   -0.0, nan,  nan,  nan,  0,
             -0.0, nan,  nan,  nan,  nan,  nan, 0,    -0.0, inf,  -inf, inf,
             -inf, nan,  0,    -0.0, nan,  nan, nan,  nan,  nan}));
  float log2 = 0.6931472f;
  EXPECT_THAT(
      runPairs(*open(pairGraph("Xlog1py"))),
      equal({0,    -0.0, 0,   -0.0, nan,  nan,  nan,   0,    -0.0, -0.0, 0,
             nan,  nan,  nan, 0,    -0.0, log2, -log2, inf,  -inf, nan,  0,
             -0.0, -inf, inf, -inf, inf,  nan,  0,     -0.0, inf,  -inf, inf,
             -inf, nan,  0,   -0.0, nan,  nan,  nan,   nan,  nan}));
}

TEST_P(Ops, Atan2TakesTheSignsOfZerosAndInfinities) {
  float pi = 3.1415927f, half = 1.5707964f, quarter = 0.7853982f,
        most = 2.3561945f;
  // The angle of (y, x): x:0 is the first operand.
  EXPECT_THAT(
      runPairs(*open(pairGraph("Atan2"))),
      ElementsAreArray(near(
          {0,    -0.0,  half, -half, half, -half,   nan,      pi,      -pi,
           half, -half, half, -half, nan,  0,       -0.0,     quarter, -quarter,
           half, -half, nan,  pi,    -pi,  most,    -most,    half,    -half,
           nan,  0,     -0.0, 0,     -0.0, quarter, -quarter, nan,     nan,
           nan,  nan,   nan,  nan,   nan,  nan})));
}

const std::vector<double> activationRow = {nan, 0,    -0.0, inf, -inf,
                                           -1,  -1e4, 1,    -1.5};

TEST_P(Ops, ActivationsGiveTensorFlowsNumbers) {
  auto of = [&](const char *op) {
    return run<float>(op, DType::Float32, activationRow);
  };
  EXPECT_THAT(of("Elu"), ElementsAreArray(near({nan, 0, 0, inf, -1, -0.63212055,
                                                -1, 1, -0.77686983})));
  EXPECT_THAT(of("Selu"),
              ElementsAreArray(near({nan, 0, 0, inf, -1.7580993, -1.1113307,
                                     -1.7580993, 1.050701, -1.3658143})));
  EXPECT_THAT(of("LeakyRelu"), ElementsAreArray(near({nan, 0, 0, inf, -inf,
                                                      -0.2, -2000, 1, -0.3})));
  EXPECT_THAT(of("Softsign"), ElementsAreArray(near({nan, 0, 0, nan, nan, -0.5,
                                                     -0.99990001, 0.5, -0.6})));
}

TEST_P(Ops, GradientsOfActivationsGiveTensorFlowsNumbers) {
  std::vector<float> features(activationRow.begin(), activationRow.end()),
      threes(features.size(), 3);
  auto of = [&](const char *op, AttrMap attrs = {}) {
    return runTwo(*open(pairGraph(op, attrs)), "x:0", threes, "y:0", features);
  };
  EXPECT_THAT(of("EluGrad"),
              ElementsAreArray(near({3, 3, 3, 3, -inf, 0, -29997, 3, -1.5})));
  EXPECT_THAT(
      of("SeluGrad"),
      ElementsAreArray(near({3.152103, 3.152103, 3.152103, 3.152103, -inf,
                             2.274298, -29994.7265625, 3.152103, 0.77429795})));
  EXPECT_THAT(
      of("LeakyReluGrad", {{"alpha", 0.5f}}),
      ElementsAreArray(near({1.5, 1.5, 1.5, 3, 1.5, 1.5, 1.5, 3, 1.5})));
  EXPECT_THAT(of("SoftplusGrad"),
              ElementsAreArray(near({nan, 1.5, 1.5, 3, 0, 0.80682427, 0,
                                     2.1931758, 0.54727656})));
  EXPECT_THAT(
      of("SoftsignGrad"),
      ElementsAreArray(near({nan, 3, 3, 0, 0, 0.75, 2.9994e-8, 0.75, 0.48})));
}

// TensorFlow's kernel gives zeros; its tf.round does not call it for integers.
TEST_P(Ops, RoundKeepsIntegers) {
  EXPECT_THAT(run<int32_t>("Round", DType::Int32, {3, -1, 2147483647}),
              equal({3, -1, 2147483647}));
}

TEST_P(Ops, ASizeBeyond64BitsNamesTheNodeThatAskedForIt) {
  GraphWriter writer;
  writer.placeholder("x", DType::Float32, {-1});
  writer.constant("multiples", tensorOf<int64_t>({1}, {INT64_MAX}));
  writer.add("tiled", "Tile", {"x", "multiples"},
             {{"T", DType::Float32}, {"Tmultiples", DType::Int64}});
  writer.add("y", "Neg", {"tiled"}, {{"T", DType::Float32}});
  Feed x = {"x:0", tensorOf<float>({2}, {1, 2})};
  auto got = open(writer.graph)->run({x}, {"y:0"});
  EXPECT_THAT(got, fails(StatusCode::InvalidArgument,
                         HasSubstr("does not fit 64 bits")));
  EXPECT_THAT(got, failsAt("tiled"));
}

TEST_P(Ops, ConcatOffsetOfShapesThatDoNotFitIsTheRunsError) {
  GraphWriter writer;
  writer.constant("axis", Tensor::scalar<int32_t>(0));
  writer.constant("a", tensorOf<int32_t>({2}, {4, 9}));
  writer.constant("b", tensorOf<int32_t>({2}, {2, 3}));
  for (std::string other : {"a", "b"})
    writer.add("offset_" + other, "ConcatOffset", {"axis", "a", other},
               {{"N", int64_t{2}}});
  auto session = open(writer.graph);
  auto fitting = session->run({}, {"offset_a:0", "offset_a:1"});
  ASSERT_THAT(fitting, isOk());
  EXPECT_THAT(testing::valuesOf<int32_t>((*fitting)[0]),
              ::testing::ElementsAre(0, 0));
  EXPECT_THAT(testing::valuesOf<int32_t>((*fitting)[1]),
              ::testing::ElementsAre(4, 0));
  auto got = session->run({}, {"offset_b:1"});
  EXPECT_THAT(got, fails(StatusCode::InvalidArgument,
                         HasSubstr("Input 1 has shape [2 3] and doesn't match "
                                   "input 0 with shape [4 9].")));
  EXPECT_THAT(got, failsAt("offset_b"));
}

TEST_P(Ops, ConcatOffsetOfWhatIsNoShapeIsTheRunsError) {
  GraphWriter writer;
  writer.constant("axis", Tensor::scalar<int32_t>(0));
  writer.constant("vector", tensorOf<int32_t>({2}, {4, 9}));
  writer.constant("longer", tensorOf<int32_t>({3}, {4, 9, 1}));
  writer.constant("matrix", tensorOf<int32_t>({1, 2}, {4, 9}));
  writer.constant("one", tensorOf<int32_t>({1}, {0}));
  auto offset = [&](std::string name, std::string axis, std::string other) {
    writer.add(name, "ConcatOffset", {axis, "vector", other},
               {{"N", int64_t{2}}});
  };
  offset("of_matrix", "axis", "matrix");
  offset("of_longer", "axis", "longer");
  offset("along_vector", "one", "vector");
  auto session = open(writer.graph);
  auto failing = [&](const char *fetch, const char *text) {
    EXPECT_THAT(session->run({}, {fetch}),
                fails(StatusCode::InvalidArgument, HasSubstr(text)));
  };
  failing("of_matrix:0", "input 2 should be a vector, but got shape [1,2]");
  failing("of_longer:0", "input 1 should contain 2 elements, but got 3");
  failing("along_vector:0",
          "Concat dim tensor should be a scalar integer, but got shape [1]");
}

TEST_P(Ops, APermutationThatIsTooLongToFollowIsRefusedByItsLength) {
  std::vector<int64_t> extents(100, 1);
  std::vector<int32_t> permutation(100);
  std::iota(permutation.rbegin(), permutation.rend(), 0);
  GraphWriter writer;
  Shape shape = *Shape::fromDims(extents);
  writer.placeholder("x", DType::Float32, shape);
  writer.constant("p", tensorOf<int32_t>({100}, permutation));
  writer.add("y", "Transpose", {"x", "p"},
             {{"T", DType::Float32}, {"Tperm", DType::Int32}});
  auto got =
      open(writer.graph)->run({{"x:0", tensorOf<float>(shape, {1})}}, {"y:0"});
  EXPECT_THAT(got, fails(StatusCode::Unimplemented,
                         "expected input 1 ('p:0') of node 'y', on whose value "
                         "a shape depends, to have at most 64 elements, got "
                         "100"));
  EXPECT_THAT(got, failsAt("y"));
}

} // namespace
} // namespace kiln
