// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops in the evaluator against numbers of TensorFlow 2.21, written-out
// expectations and sums in the defined order.
#include "test/unit/Eval/EvaluatorFixture.h"

#include "runtime/arithmetic/ReductionOrder.h"

#include "gmock/gmock.h"

#include <cmath>
#include <cstring>
#include <random>
#include <string>

namespace kiln {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::Pointwise;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float inf = std::numeric_limits<float>::infinity();
constexpr int32_t lowest = std::numeric_limits<int32_t>::min();

std::vector<uint32_t> bits(const Tensor &t) {
  std::vector<uint32_t> words(static_cast<size_t>(t.numElements()));
  std::memcpy(words.data(), t.rawData(), t.byteSize());
  return words;
}
void expectSameBits(const StatusOr<Tensor> &got, std::vector<float> expected) {
  ASSERT_TRUE(got.ok()) << got.status().toString();
  std::vector<float> floats = elements<float>(*got);
  ASSERT_EQ(floats.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    if (std::isnan(expected[i]))
      EXPECT_TRUE(std::isnan(floats[i])) << i;
    else
      EXPECT_EQ(bits(*got)[i], bits(vector(expected))[i])
          << i << ": " << floats[i] << " for " << expected[i];
  }
}

TEST_F(Evaluator, UnaryOpsGiveTensorFlowsNumbers) {
  const std::vector<std::pair<std::string, std::vector<float>>> cases = {
      {"exp", {0.0820849985f, 0.606530666f, 1.34985888f, 5.47394753f}},
      {"expm1", {-0.917914987f, -0.393469334f, 0.34985882f, 4.47394753f}},
      {"sin", {-0.598472118f, -0.47942555f, 0.295520216f, 0.991664827f}},
      {"cos", {-0.801143587f, 0.87758255f, 0.955336511f, -0.128844544f}},
      {"tan", {0.747022331f, -0.546302497f, 0.309336275f, -7.69659948f}},
      {"atan", {-1.19028997f, -0.463647604f, 0.291456819f, 1.03907228f}},
      {"sinh", {-6.05020475f, -0.521095276f, 0.304520309f, 2.64563203f}},
      {"cosh", {6.13228941f, 1.12762594f, 1.04533851f, 2.8283155f}},
      {"tanh", {-0.986614347f, -0.462117136f, 0.291312635f, 0.935409069f}},
      {"sigmoid", {0.0758581758f, 0.377540678f, 0.574442565f, 0.845534742f}},
      {"softplus", {0.078889735f, 0.474076986f, 0.854355276f, 1.86778605f}},
      {"erf", {-0.99959296f, -0.520499885f, 0.328626782f, 0.983790398f}},
      {"floor", {-3, -1, 0, 1}},
      {"ceil", {-2, -0.0f, 1, 2}},
      {"round_even", {-2, -0.0f, 0, 2}},
      {"neg", {2.5f, 0.5f, -0.3f, -1.7f}},
      {"abs", {2.5f, 0.5f, 0.3f, 1.7f}},
      {"sign", {-1, -1, 1, 1}}};
  for (const auto &[name, expected] : cases) {
    auto got =
        runOp("kiln." + name + " %a : tensor<4xf32>", {"tensor<4xf32>"},
              "tensor<4xf32>", {vector<float>({-2.5f, -0.5f, 0.3f, 1.7f})});
    ASSERT_TRUE(got.ok()) << name << ": " << got.status().toString();
    EXPECT_THAT(elements<float>(*got), Pointwise(FloatNear(2e-6f), expected))
        << name;
  }
  const std::vector<std::pair<std::string, std::vector<float>>> positive = {
      {"log", {0.91629076f, -0.693147182f, -1.20397282f, 0.530628264f}},
      {"log1p", {1.25276303f, 0.405465096f, 0.262364268f, 0.993251801f}},
      {"sqrt", {1.58113885f, 0.707106769f, 0.547722578f, 1.30384052f}},
      {"rsqrt", {0.632455528f, 1.41421354f, 1.82574177f, 0.766964972f}}};
  for (const auto &[name, expected] : positive) {
    auto got =
        runOp("kiln." + name + " %a : tensor<4xf32>", {"tensor<4xf32>"},
              "tensor<4xf32>", {vector<float>({2.5f, 0.5f, 0.3f, 1.7f})});
    ASSERT_TRUE(got.ok()) << name;
    EXPECT_THAT(elements<float>(*got), Pointwise(FloatNear(2e-7f), expected))
        << name;
  }
}

TEST_F(Evaluator, MaxAndMinKeepNanAndTheSecondZero) {
  std::vector<float> x = {nan, 1, 0.0f, -0.0f, 2, inf},
                     y = {1, nan, -0.0f, 0.0f, 1, -inf};
  expectSameBits(binary("max", "f32", x, y), {nan, nan, -0.0f, 0.0f, 2, inf});
  expectSameBits(binary("min", "f32", x, y), {nan, nan, -0.0f, 0.0f, 1, -inf});
}

TEST_F(Evaluator, SignAndRoundingGiveTensorFlowsSpecialValues) {
  auto type = "tensor<5xf32>";
  expectSameBits(runOp("kiln.sign %a : tensor<5xf32>", {type}, type,
                       {vector<float>({-0.0f, 0.0f, nan, -3, 3})}),
                 {0.0f, 0.0f, nan, -1, 1});
  expectSameBits(runOp("kiln.round_even %a : tensor<5xf32>", {type}, type,
                       {vector<float>({-0.5f, 1.5f, 2.5f, 8388609.f, nan})}),
                 {-0.0f, 2, 2, 8388609.f, nan});
}

TEST_F(Evaluator, FloatDivisionsGiveTensorFlowsNumbers) {
  std::vector<float> x = {5,   -5, 5,  -5, 5.5f, -5.5f, 1, -0.0f,
                          inf, 1,  -1, 6,  -6,   0,     1, -1};
  std::vector<float> y = {3, 3,   -3,  -3, 2, 2,  0,    3,
                          2, inf, inf, 3,  3, -3, -inf, 1e-30f};
  expectSameBits(binary("floor_div", "f32", x, y),
                 {1, -2, -2, 1, 2, -3, inf, -0.0f, inf, 0, -0.0f, 2, -2, -0.0f,
                  -0.0f, -1e30f});
  expectSameBits(binary("floor_mod", "f32", x, y),
                 {2, 1, -1, -2, 1.5f, 0.5f, nan, -0.0f, nan, 1, inf, 0, -0.0f,
                  0, -inf, 2.7278992e-31f});
  expectSameBits(binary("rem", "f32", x, y),
                 {2, -2, 2, -2, 1.5f, -1.5f, nan, -0.0f, nan, 1, -1, 0, -0.0f,
                  0, 1, -7.272101e-31f});
}

TEST_F(Evaluator, IntegerArithmeticWrapsAsTensorFlows) {
  std::vector<int32_t> x = {lowest, lowest, 7, -7, 7, -7, 0},
                       y = {-1, 1, 3, 3, -3, -3, 5};
  EXPECT_THAT(elements<int32_t>(*binary("floor_div", "i32", x, y)),
              ElementsAre(lowest, lowest, 2, -3, -3, 2, 0));
  EXPECT_THAT(elements<int32_t>(*binary("floor_mod", "i32", x, y)),
              ElementsAre(0, 0, 1, 2, -2, -1, 0));
  EXPECT_THAT(elements<int32_t>(*binary("div", "i32", x, y)),
              ElementsAre(lowest, lowest, 2, -2, -2, 2, 0));
  EXPECT_THAT(elements<int32_t>(*binary("rem", "i32", x, y)),
              ElementsAre(0, 0, 1, -1, 1, -1, 0));
  EXPECT_THAT(elements<int32_t>(*binary<int32_t>("pow", "i32",
                                                 {2, 3, -2, 0, 7, 1, lowest},
                                                 {10, 3, 31, 0, 40, 100, 2})),
              ElementsAre(1024, 27, lowest, 1, -142118463, 1, 0));
  EXPECT_THAT(elements<int32_t>(
                  *binary<int32_t>("mul", "i32", {lowest, 65536}, {-1, 65536})),
              ElementsAre(lowest, 0));
  EXPECT_THAT(elements<int32_t>(*runOp("kiln.abs %a : tensor<2xi32>",
                                       {"tensor<2xi32>"}, "tensor<2xi32>",
                                       {vector<int32_t>({lowest, -7})})),
              ElementsAre(lowest, 7));
}

TEST_F(Evaluator, ArithmeticErrorsNameTheNode) {
  for (std::string name : {"div", "rem", "floor_div", "floor_mod"}) {
    Status status = binary<int64_t>(name, "i64", {1, 2}, {1, 0}).status();
    EXPECT_EQ(status.code(), StatusCode::InvalidArgument);
    EXPECT_EQ(status.message(), "Integer division by zero");
    EXPECT_EQ(status.node(), "my_node");
  }
  EXPECT_EQ(binary<int32_t>("pow", "i32", {1}, {-1}).status().message(),
            "Integers to negative integer powers are not allowed");
}

TEST_F(Evaluator, CastsOutOfRangeGiveTheSmallestInteger) {
  std::vector<float> x = {1.9f, -1.9f, nan, inf, 3e9f, 2147483648.f};
  EXPECT_THAT(elements<int32_t>(
                  *runOp("kiln.cast %a : tensor<6xf32> -> tensor<6xi32>",
                         {"tensor<6xf32>"}, "tensor<6xi32>", {vector(x)})),
              ElementsAre(1, -1, lowest, lowest, lowest, lowest));
  EXPECT_THAT(elements<int64_t>(
                  *runOp("kiln.cast %a : tensor<6xf32> -> tensor<6xi64>",
                         {"tensor<6xf32>"}, "tensor<6xi64>", {vector(x)})),
              ElementsAre(1, -1, std::numeric_limits<int64_t>::min(),
                          std::numeric_limits<int64_t>::min(), 3000000000,
                          2147483648));
  EXPECT_THAT(
      elements<bool>(*runOp("kiln.cast %a : tensor<3xf64> -> tensor<3xi1>",
                            {"tensor<3xf64>"}, "tensor<3xi1>",
                            {vector<double>({std::nan(""), -0.0, 1e-310})})),
      ElementsAre(true, false, false));
  EXPECT_THAT(
      elements<int32_t>(*runOp(
          "kiln.cast %a : tensor<2xi64> -> tensor<2xi32>", {"tensor<2xi64>"},
          "tensor<2xi32>",
          {vector<int64_t>({(int64_t(1) << 40) + 5, int64_t(1) << 31})})),
      ElementsAre(5, lowest));
}

TEST_F(Evaluator, CompareAndSelect) {
  auto less = runOp("kiln.compare lt %a, %b : tensor<3xf32> -> tensor<3xi1>",
                    {"tensor<3xf32>", "tensor<3xf32>"}, "tensor<3xi1>",
                    {vector<float>({1, nan, 3}), vector<float>({2, 1, 3})});
  EXPECT_THAT(elements<bool>(*less), ElementsAre(true, false, false));
  auto selected =
      runOp("kiln.select %a, %b, %c : tensor<3xi1>, tensor<3xi64>",
            {"tensor<3xi1>", "tensor<3xi64>", "tensor<3xi64>"}, "tensor<3xi64>",
            {*less, vector<int64_t>({1, 2, 3}), vector<int64_t>({4, 5, 6})});
  EXPECT_THAT(elements<int64_t>(*selected), ElementsAre(1, 5, 6));
}

TEST_F(Evaluator, SelectRepeatsElementsOfSixteenBytes) {
  auto complex = [](double real, double imaginary) {
    Tensor made = *Tensor::create(DType::Complex128, Shape());
    const double parts[] = {real, imaginary};
    std::memcpy(made.mutableRawData(), parts, sizeof parts);
    return made;
  };
  // In one block and in several.
  for (int64_t count : {300, 1200}) {
    Tensor isOn = *Tensor::zeros(DType::Bool, {count});
    isOn.mutableData<bool>()[size_t(count) - 2] = true;
    std::string n = std::to_string(count);
    auto results = run("func.func @f(%a: tensor<" + n +
                           "xi1>, %on: tensor<i128>, %off: tensor<i128>)"
                           " -> tensor<" +
                           n +
                           "xi128> {\n"
                           "%x = kiln.broadcast %on map [] : tensor<i128>"
                           " -> tensor<" +
                           n +
                           "xi128>\n"
                           "%y = kiln.broadcast %off map [] : tensor<i128>"
                           " -> tensor<" +
                           n +
                           "xi128>\n"
                           "%z = kiln.select %a, %x, %y : tensor<" +
                           n + "xi1>, tensor<" + n +
                           "xi128>\n"
                           "return %z : tensor<" +
                           n + "xi128> }",
                       {isOn, complex(1, 2), complex(1, 3)});
    ASSERT_TRUE(results.ok()) << results.status().toString();
    std::vector<double> parts(2 * size_t(count));
    ASSERT_EQ(results->front().byteSize(), parts.size() * sizeof(double));
    std::memcpy(parts.data(), results->front().rawData(),
                results->front().byteSize());
    for (int64_t i = 0; i < count; ++i) {
      EXPECT_EQ(parts[2 * size_t(i)], 1) << i;
      EXPECT_EQ(parts[2 * size_t(i) + 1], i == count - 2 ? 2 : 3) << i;
    }
  }
}

TEST_F(Evaluator, ArrayOpsMoveElements) {
  Tensor matrix = tensor<int32_t>(Shape{2, 3}, {1, 2, 3, 4, 5, 6});
  auto one = [&](const std::string &op, const std::string &result) {
    auto got = runOp(op, {"tensor<2x3xi32>"}, result, {matrix});
    EXPECT_TRUE(got.ok()) << got.status().toString();
    return elements<int32_t>(*got);
  };
  EXPECT_THAT(one("kiln.transpose %a permutation [1, 0] : tensor<2x3xi32> -> "
                  "tensor<3x2xi32>",
                  "tensor<3x2xi32>"),
              ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(one("kiln.reshape %a : tensor<2x3xi32> -> tensor<6xi32>",
                  "tensor<6xi32>"),
              ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(one("kiln.slice %a starts [1, 2] strides [-1, -2] : "
                  "tensor<2x3xi32> -> tensor<2x2xi32>",
                  "tensor<2x2xi32>"),
              ElementsAre(6, 4, 3, 1));
  EXPECT_THAT(
      one("kiln.broadcast %a map [0, 2] : tensor<2x3xi32> -> tensor<2x2x3xi32>",
          "tensor<2x2x3xi32>"),
      ElementsAre(1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6));
  EXPECT_THAT(one("kiln.concat %a, %a axis 1 : tensor<2x3xi32>, "
                  "tensor<2x3xi32> -> tensor<2x6xi32>",
                  "tensor<2x6xi32>"),
              ElementsAre(1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6));
  auto padded = runOp("kiln.pad %a, %b low [1, 0] : tensor<2x3xi32>, "
                      "tensor<i32> -> tensor<3x4xi32>",
                      {"tensor<2x3xi32>", "tensor<i32>"}, "tensor<3x4xi32>",
                      {matrix, Tensor::scalar<int32_t>(9)});
  EXPECT_THAT(elements<int32_t>(*padded),
              ElementsAre(9, 9, 9, 9, 1, 2, 3, 9, 4, 5, 6, 9));
  auto moved = runOp("kiln.slice %a at %b starts [0, 1] strides [1, 1] : "
                     "tensor<2x3xi32>, tensor<2xi64> -> tensor<1x2xi32>",
                     {"tensor<2x3xi32>", "tensor<2xi64>"}, "tensor<1x2xi32>",
                     {matrix, vector<int64_t>({1, 0})});
  EXPECT_THAT(elements<int32_t>(*moved), ElementsAre(5, 6));
  auto counted =
      runOp("kiln.iota %a, %b axis 1 : tensor<f32> -> tensor<2x3xf32>",
            {"tensor<f32>", "tensor<f32>"}, "tensor<2x3xf32>",
            {Tensor::scalar(1.f), Tensor::scalar(0.5f)});
  EXPECT_THAT(elements<float>(*counted), ElementsAre(1, 1.5f, 2, 1, 1.5f, 2));
}

TEST_F(Evaluator, LargeTransposesMoveEveryElement) {
  std::vector<int32_t> values(70 * 5 * 90);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<int32_t>(i);
  auto got = runOp("kiln.transpose %a permutation [2, 1, 0] : "
                   "tensor<70x5x90xi32> -> tensor<90x5x70xi32>",
                   {"tensor<70x5x90xi32>"}, "tensor<90x5x70xi32>",
                   {tensor<int32_t>(Shape{70, 5, 90}, values)});
  ASSERT_TRUE(got.ok());
  auto moved = elements<int32_t>(*got);
  for (size_t i = 0; i < 90; ++i)
    for (size_t j = 0; j < 5; ++j)
      for (size_t k = 0; k < 70; ++k)
        ASSERT_EQ(moved[(i * 5 + j) * 70 + k],
                  static_cast<int32_t>((k * 5 + j) * 90 + i));
}

TEST_F(Evaluator, GatherChecksBounds) {
  auto gather = [&](std::vector<int32_t> indices) {
    return runOp(
        "kiln.gather %a, %b axis 1 : tensor<2x3xf32>, tensor<2xi32> -> "
        "tensor<2x2xf32>",
        {"tensor<2x3xf32>", "tensor<2xi32>"}, "tensor<2x2xf32>",
        {tensor<float>(Shape{2, 3}, {1, 2, 3, 4, 5, 6}), vector(indices)});
  };
  EXPECT_THAT(elements<float>(*gather({2, 0})), ElementsAre(3, 1, 6, 4));
  EXPECT_EQ(gather({0, 3}).status().message(),
            "indices[1] = 3 is not in [0, 3)");
  EXPECT_EQ(gather({-1, 0}).status().node(), "my_node");
}

TEST_F(Evaluator, ReductionsFollowTheDefinedOrder) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  std::vector<float> x(3 * 700 * 37);
  for (float &value : x)
    value = normal(random);
  Tensor feed = tensor<float>(Shape{3, 700, 37}, x);
  auto at = [&](int64_t i, int64_t j, int64_t k) {
    return x[static_cast<size_t>((i * 700 + j) * 37 + k)];
  };
  using reduction::Sum;

  auto last = runOp(
      "kiln.reduce sum %a axes [1, 2] : tensor<3x700x37xf32> -> tensor<3xf32>",
      {"tensor<3x700x37xf32>"}, "tensor<3xf32>", {feed});
  auto middle = runOp(
      "kiln.reduce sum %a axes [1] : tensor<3x700x37xf32> -> tensor<3x37xf32>",
      {"tensor<3x700x37xf32>"}, "tensor<3x37xf32>", {feed});
  auto apart = runOp("kiln.reduce sum %a axes [0, 2] : tensor<3x700x37xf32> -> "
                     "tensor<700xf32>",
                     {"tensor<3x700x37xf32>"}, "tensor<700xf32>", {feed});
  for (int64_t i = 0; i < 3; ++i) {
    EXPECT_EQ(last->data<float>()[static_cast<size_t>(i)],
              (reduction::reduceInnermost<float, Sum>(
                  700 * 37, [&](int64_t n) { return at(i, n / 37, n % 37); })));
    for (int64_t k = 0; k < 37; ++k)
      EXPECT_EQ(middle->data<float>()[static_cast<size_t>(i * 37 + k)],
                (reduction::reduceOuter<float, Sum>(
                    700, [&](int64_t n) { return at(i, n, k); })));
  }
  for (int64_t j = 0; j < 700; ++j)
    EXPECT_EQ(apart->data<float>()[static_cast<size_t>(j)],
              (reduction::reduceInnermost<float, Sum>(
                  3 * 37, [&](int64_t n) { return at(n / 37, j, n % 37); })));
}

TEST_F(Evaluator, PartsOfAReductionThatThreadsShareKeepItsOrder) {
  std::mt19937 random(8);
  std::normal_distribution<float> normal;
  // One part, three and a few blocks, whole ones, a last part that is whole but
  // for some elements.
  for (int64_t count : {2048, 3 * 2048 + 33, 4 * 2048, 3 * 2048 - 1}) {
    std::vector<float> x(static_cast<size_t>(count * 21));
    for (float &value : x)
      value = normal(random);
    auto type = "tensor<" + std::to_string(count) + "x21xf32>";
    Tensor feed = tensor<float>(Shape{count, 21}, x);
    auto columns =
        runOp("kiln.reduce sum %a axes [0] : " + type + " -> tensor<21xf32>",
              {type}, "tensor<21xf32>", {feed});
    auto whole =
        runOp("kiln.reduce sum %a axes [0, 1] : " + type + " -> tensor<f32>",
              {type}, "tensor<f32>", {feed});
    for (int64_t k = 0; k < 21; ++k)
      EXPECT_EQ(
          columns->data<float>()[static_cast<size_t>(k)],
          (reduction::reduceOuter<float, reduction::Sum>(
              count,
              [&](int64_t n) { return x[static_cast<size_t>(n * 21 + k)]; })))
          << count << " rows, column " << k;
    EXPECT_EQ(
        whole->data<float>()[0],
        (reduction::reduceInnermost<float, reduction::Sum>(
            count * 21, [&](int64_t n) { return x[static_cast<size_t>(n)]; })))
        << count;
  }
}

TEST_F(Evaluator, PartsOfACopyThatThreadsShareAreTheWhole) {
  constexpr int64_t rows = 300, columns = 129, planes = 5;
  std::vector<float> x(rows * columns * planes);
  std::iota(x.begin(), x.end(), 0.0f);
  auto turned = runOp(
      "kiln.transpose %a permutation [2, 1, 0] : tensor<300x129x5xf32> -> "
      "tensor<5x129x300xf32>",
      {"tensor<300x129x5xf32>"}, "tensor<5x129x300xf32>",
      {tensor<float>(Shape{rows, columns, planes}, x)});
  auto given = turned->data<float>();
  for (int64_t p = 0; p < planes; ++p)
    for (int64_t c = 0; c < columns; ++c)
      for (int64_t r = 0; r < rows; ++r)
        ASSERT_EQ(given[static_cast<size_t>((p * columns + c) * rows + r)],
                  x[static_cast<size_t>((r * columns + c) * planes + p)]);
}

TEST_F(Evaluator, ReductionsOfNothingAndNan) {
  auto reduce = [&](const std::string &kind, std::vector<float> x) {
    std::string type = "tensor<" + std::to_string(x.size()) + "xf32>";
    return elements<float>(*runOp(
        "kiln.reduce " + kind + " %a axes [0] : " + type + " -> tensor<f32>",
        {type}, "tensor<f32>", {vector(x)}))[0];
  };
  EXPECT_EQ(reduce("max", {}), -inf);
  EXPECT_EQ(reduce("min", {}), inf);
  EXPECT_EQ(reduce("prod", {}), 1);
  EXPECT_EQ(reduce("sum", {}), 0);
  EXPECT_TRUE(std::isnan(reduce("max", {1, nan, 5})));
  auto none = runOp("kiln.reduce sum %a axes [1] : tensor<3x5x0xf32> -> "
                    "tensor<3x0xf32>",
                    {"tensor<3x5x0xf32>"}, "tensor<3x0xf32>",
                    {tensor<float>(Shape{3, 5, 0}, {})});
  EXPECT_EQ(none->shape(), (Shape{3, 0}));
  auto all =
      runOp("kiln.reduce all %a axes [0] : tensor<2x2xi1> -> tensor<2xi1>",
            {"tensor<2x2xi1>"}, "tensor<2xi1>",
            {tensor<bool>(Shape{2, 2}, {true, true, false, true})});
  EXPECT_THAT(elements<bool>(*all), ElementsAre(false, true));
}

TEST_F(Evaluator, ArgReduceSkipsNanAsTensorFlow) {
  std::vector<float> x = {nan, 1, 2, 3, nan, 1, 3, 4, nan};
  auto arg = [&](const std::string &axis, const std::string &smallest) {
    return elements<int64_t>(*runOp(
        "kiln.arg_reduce %a axis " + axis + " {smallest = " + smallest +
            "} : tensor<3x3xf32> -> tensor<3xi64>",
        {"tensor<3x3xf32>"}, "tensor<3xi64>", {tensor<float>(Shape{3, 3}, x)}));
  };
  EXPECT_THAT(arg("0", "false"), ElementsAre(1, 2, 0));
  EXPECT_THAT(arg("1", "false"), ElementsAre(2, 0, 1));
  EXPECT_THAT(arg("0", "true"), ElementsAre(1, 0, 1));
}

TEST_F(Evaluator, MatmulFollowsTheDefinedOrder) {
  std::mt19937 random(11);
  std::normal_distribution<float> normal;
  const int64_t rows = 7, depth = 600, columns = 21;
  std::vector<float> a(2 * rows * depth), b(2 * depth * columns);
  for (float &value : a)
    value = normal(random);
  for (float &value : b)
    value = normal(random);
  auto plain = runOp("kiln.matmul %a, %b : tensor<2x7x600xf32>, "
                     "tensor<2x600x21xf32> -> tensor<2x7x21xf32>",
                     {"tensor<2x7x600xf32>", "tensor<2x600x21xf32>"},
                     "tensor<2x7x21xf32>",
                     {tensor<float>(Shape{2, 7, 600}, a),
                      tensor<float>(Shape{2, 600, 21}, b)});
  ASSERT_TRUE(plain.ok()) << plain.status().toString();
  auto turned = runOp(
      "kiln.matmul %a transposed, %b transposed : tensor<600x7xf32>, "
      "tensor<21x600xf32> -> tensor<7x21xf32>",
      {"tensor<600x7xf32>", "tensor<21x600xf32>"}, "tensor<7x21xf32>",
      {tensor<float>(Shape{600, 7}, {a.begin(), a.begin() + rows * depth}),
       tensor<float>(Shape{21, 600},
                     {b.begin(), b.begin() + depth * columns})});
  ASSERT_TRUE(turned.ok()) << turned.status().toString();
  auto at = [](const std::vector<float> &v, int64_t i) {
    return v[static_cast<size_t>(i)];
  };
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      auto element = static_cast<size_t>(i * columns + j);
      for (int64_t batch = 0; batch < 2; ++batch)
        EXPECT_EQ(
            plain->data<float>()[static_cast<size_t>(batch * rows * columns) +
                                 element],
            reduction::contract<float>(
                depth,
                [&](int64_t k) {
                  return at(a, (batch * rows + i) * depth + k);
                },
                [&](int64_t k) {
                  return at(b, (batch * depth + k) * columns + j);
                }));
      EXPECT_EQ(turned->data<float>()[element],
                reduction::contract<float>(
                    depth, [&](int64_t k) { return at(a, k * rows + i); },
                    [&](int64_t k) { return at(b, j * depth + k); }));
    }
}

TEST_F(Evaluator, IntegerMatmulWraps) {
  auto got = runOp("kiln.matmul %a, %b : tensor<1x2xi32>, tensor<2x1xi32> -> "
                   "tensor<1x1xi32>",
                   {"tensor<1x2xi32>", "tensor<2x1xi32>"}, "tensor<1x1xi32>",
                   {tensor<int32_t>(Shape{1, 2}, {lowest, 3}),
                    tensor<int32_t>(Shape{2, 1}, {3, 5})});
  EXPECT_THAT(elements<int32_t>(*got), ElementsAre(lowest + 15));
}

} // namespace
} // namespace kiln
