// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Single ops on edge values, compiled and run, against the evaluator, bit for
// bit.
#include "lib/Support/DTypeDispatch.h"
#include "test/unit/JIT/NativeHarness.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <limits>

namespace kiln {
namespace {

constexpr int64_t sizes[] = {0, 1, 7, 16, 17, 63, 64, 65, 1000, 20000};
constexpr int64_t staticSizes[] = {0, 1, 7, 16, 17, 65, 1000};

const char *const integers[] = {"i8",  "i16",  "i32",  "i64",
                                "ui8", "ui16", "ui32", "ui64"};
const char *const numbers[] = {"f32", "f64", "i8",   "i16",  "i32",
                               "i64", "ui8", "ui16", "ui32", "ui64"};
const char *const allElements[] = {"f32",  "f64",  "f16", "bf16", "i8",
                                   "i16",  "i32",  "i64", "ui8",  "ui16",
                                   "ui32", "ui64", "i1"};

/// An op on operands of one shape: "add", or with what stands between it and
/// its operands ("compare lt").
struct OpCase {
  std::string op;
  std::vector<std::string> operands; ///< elements
  std::string result;
  bool listsAllTypes = false; ///< `: operands -> result` rather than `: result`

  std::string source(const std::vector<Side> &sides) const {
    std::vector<std::string> inputs;
    std::string arguments;
    for (size_t i = 0; i < operands.size(); ++i) {
      inputs.push_back(typeOf(sides, operands[i]));
      arguments += (i ? ", %x" : "%x") + std::to_string(i);
    }
    std::string type = typeOf(sides, result), types = type;
    if (op == "select")
      types = inputs[0] + ", " + type;
    else if (listsAllTypes)
      types = inputs[0] + " -> " + type;
    return function(inputs,
                    "  %r = kiln." + op + " " + arguments + " : " + types +
                        " loc(\"the node\")",
                    "%r", type);
  }
  std::vector<Tensor> feeds(const std::vector<Side> &sides,
                            unsigned seed) const {
    std::vector<Tensor> tensors;
    for (const std::string &operand : operands)
      tensors.push_back(edgeTensor(operand, sides, seed++));
    return tensors;
  }
};

std::vector<OpCase> unaryOps() {
  std::vector<OpCase> cases;
  for (const char *op : {"neg", "abs", "sign"})
    for (const char *element : numbers)
      cases.push_back({op, {element}, element});
  for (const char *op : {"sqrt", "floor", "ceil", "round_even"})
    for (const char *element : {"f32", "f64"})
      cases.push_back({op, {element}, element});
  for (const char *element : integers)
    cases.push_back({"not", {element}, element});
  cases.push_back({"not", {"i1"}, "i1"});
  return cases;
}

std::vector<OpCase> elementaryOps() {
  std::vector<OpCase> cases;
  for (const char *element : {"f32", "f64"}) {
    for (const char *op :
         {"rsqrt", "exp",  "expm1", "log",  "log1p", "sin",     "cos",
          "tan",   "atan", "sinh",  "cosh", "tanh",  "sigmoid", "softplus",
          "erf",   "erfc", "asin",  "acos", "asinh", "acosh",   "atanh"})
      cases.push_back({op, {element}, element});
    for (const char *op : {"pow", "atan2"})
      cases.push_back({op, {element, element}, element});
  }
  return cases;
}

std::vector<OpCase> binaryOps() {
  std::vector<OpCase> cases;
  for (const char *op : {"add", "sub", "mul", "div", "rem", "floor_div",
                         "floor_mod", "max", "min"})
    for (const char *element : numbers)
      cases.push_back({op, {element, element}, element});
  for (const char *element : integers)
    for (const char *op :
         {"pow", "and", "or", "xor", "shift_left", "shift_right"})
      cases.push_back({op, {element, element}, element});
  for (const char *op : {"and", "or", "xor"})
    cases.push_back({op, {"i1", "i1"}, "i1"});
  return cases;
}

std::vector<OpCase> comparisonsAndSelections() {
  std::vector<OpCase> cases;
  for (const char *element : allElements) {
    for (const char *predicate : {"eq", "ne", "lt", "le", "gt", "ge"})
      if (!isNarrowFloat(element))
        cases.push_back({std::string("compare ") + predicate,
                         {element, element},
                         "i1",
                         true});
    cases.push_back({"select", {"i1", element, element}, element, true});
  }
  return cases;
}

std::vector<OpCase> casts() {
  std::vector<OpCase> cases;
  for (const char *from : allElements)
    for (const char *to : allElements)
      if ((!isNarrowFloat(from) || to == std::string("f32")) &&
          (!isNarrowFloat(to) || from == std::string("f32")))
        cases.push_back({"cast", {from}, to, true});
  return cases;
}

class ElementwiseOp : public ::testing::TestWithParam<OpCase> {};

TEST_P(ElementwiseOp, OfDynamicSizeGivesTheBitsOfTheEvaluator) {
  NativeProgram program(GetParam().source({{0, 0}}));
  unsigned seed = 0;
  for (int64_t size : sizes)
    for (int repeat = 0; repeat < 3; ++repeat)
      ASSERT_TRUE(
          program.agrees(GetParam().feeds({{size}}, seed += 3), {size}));
}

TEST_P(ElementwiseOp, OfStaticSizeGivesTheBitsOfTheEvaluator) {
  for (int64_t size : staticSizes) {
    NativeProgram program(GetParam().source({{size}}));
    ASSERT_TRUE(program.agrees(
        GetParam().feeds({{size}}, static_cast<unsigned>(size)), {}));
  }
}

std::string caseName(const ::testing::TestParamInfo<OpCase> &info) {
  std::string name = info.param.op + "_" + info.param.operands.back() + "_to_" +
                     info.param.result;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Unary, ElementwiseOp, ::testing::ValuesIn(unaryOps()),
                         caseName);
INSTANTIATE_TEST_SUITE_P(Binary, ElementwiseOp,
                         ::testing::ValuesIn(binaryOps()), caseName);
INSTANTIATE_TEST_SUITE_P(Comparisons, ElementwiseOp,
                         ::testing::ValuesIn(comparisonsAndSelections()),
                         caseName);
INSTANTIATE_TEST_SUITE_P(Casts, ElementwiseOp, ::testing::ValuesIn(casts()),
                         caseName);

class ElementaryOp : public ElementwiseOp {};

TEST_P(ElementaryOp, GivesTheBitsOfTheEvaluator) {
  NativeProgram program(GetParam().source({{0, 0}}));
  unsigned seed = 0;
  for (int64_t size : sizes) {
    ASSERT_TRUE(program.agrees(GetParam().feeds({{size}}, seed += 3), {size}));
    std::vector<Tensor> feeds;
    for (const std::string &operand : GetParam().operands)
      feeds.push_back(randomTensor(operand, {{size}}, ++seed));
    ASSERT_TRUE(program.agrees(feeds, {size}));
  }
}

INSTANTIATE_TEST_SUITE_P(All, ElementaryOp,
                         ::testing::ValuesIn(elementaryOps()), caseName);

//===--- Integer errors ---------------------------------------------------===//

class IntegerDivision
    : public ::testing::TestWithParam<std::tuple<const char *, const char *>> {
};

Tensor divisors(const std::string &element, int64_t size, int64_t value,
                int64_t at, int64_t bad) {
  Tensor tensor = *Tensor::create(dtypeNamed(element), Shape{size});
  dispatchInteger(tensor.dtype(), [&]<class T>(T) {
    std::fill_n(static_cast<T *>(tensor.mutableRawData()), size,
                static_cast<T>(value));
    if (at >= 0)
      tensor.mutableData<T>()[static_cast<size_t>(at)] = static_cast<T>(bad);
  });
  return tensor;
}

TEST_P(IntegerDivision, ReportsABadDivisorWhereverItStands) {
  std::string op = std::get<0>(GetParam()), element = std::get<1>(GetParam());
  bool neverFails = op == "pow" && element[0] == 'u';
  int bad = op == "pow" ? -1 : 0;
  NativeProgram program(
      OpCase{op, {element, element}, element}.source({{0, 0}}));
  for (int64_t size : {1, 17, 200, 70000})
    for (int64_t at : {int64_t(-1), int64_t(0), size / 2, size - 1})
      for (int good : {1, 3}) {
        Tensor divisor = divisors(element, size, good, at, bad);
        ASSERT_TRUE(program.agrees({edgeTensor(element, {{size}}, 5), divisor},
                                   {size}));
        ASSERT_EQ(program.hasFailed(), at >= 0 && !neverFails);
      }
}

TEST_P(IntegerDivision, TakesMinusOneAndTheSmallestInteger) {
  std::string op = std::get<0>(GetParam()), element = std::get<1>(GetParam());
  if (op == "pow")
    return;
  NativeProgram program(
      OpCase{op, {element, element}, element}.source({{0, 0}}));
  std::vector<int64_t> values = {-1, 1, -2, 7, -7};
  dispatchInteger(dtypeNamed(element), [&]<class T>(T) {
    values.push_back(static_cast<int64_t>(std::numeric_limits<T>::max()));
    if (std::is_signed_v<T>)
      values.push_back(std::numeric_limits<T>::min());
  });
  for (int64_t divisor : values) {
    Tensor by = divisors(element, 300, divisor, -1, 0);
    ASSERT_TRUE(program.agrees({edgeTensor(element, {{300}}, 5), by}, {300}));
    ASSERT_FALSE(program.hasFailed());
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, IntegerDivision,
    ::testing::Combine(::testing::Values("div", "rem", "floor_div", "floor_mod",
                                         "pow"),
                       ::testing::ValuesIn(integers)));

//===--- Generators -------------------------------------------------------===//

class IotaOp : public ::testing::TestWithParam<const char *> {};

TEST_P(IotaOp, CountsAlongEachAxis) {
  std::string element = GetParam(), scalar = typeOf({}, element);
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<Side> sides = {{3}, {0, 0}, {21}};
    std::string type = typeOf(sides, element);
    NativeProgram program(function({scalar, scalar},
                                   "  %r = kiln.iota %x0, %x1 axis " +
                                       std::to_string(axis) + " : " + scalar +
                                       " -> " + type,
                                   "%r", type));
    for (int64_t n : {0, 1, 17, 300})
      for (unsigned seed : {1, 2, 3, 4})
        ASSERT_TRUE(program.agrees(
            {randomTensor(element, {}, seed), edgeTensor(element, {}, seed)},
            {n}));
  }
}

TEST_P(IotaOp, CountsAlongOneDimension) {
  std::string element = GetParam(), scalar = typeOf({}, element);
  std::string type = typeOf({{0, 0}}, element), one = typeOf({{1}}, element),
              many = typeOf({{1000}}, element);
  NativeProgram program(function(
      {scalar, scalar},
      "  %r = kiln.iota %x0, %x1 axis 0 : " + scalar + " -> " + type + "\n" +
          "  %o = kiln.iota %x0, %x1 axis 0 : " + scalar + " -> " + one + "\n" +
          "  %m = kiln.iota %x0, %x1 axis 0 : " + scalar + " -> " + many,
      "%r, %o, %m", type + ", " + one + ", " + many));
  for (int64_t n : sizes)
    ASSERT_TRUE(program.agrees(
        {randomTensor(element, {}, 1), randomTensor(element, {}, 2)}, {n}));
}

INSTANTIATE_TEST_SUITE_P(All, IotaOp, ::testing::ValuesIn(numbers));

class RandomOp
    : public ::testing::TestWithParam<std::tuple<const char *, const char *>> {
};

TEST_P(RandomOp, DrawsWhatTheEvaluatorDraws) {
  auto [kind, element] = GetParam();
  std::vector<std::vector<Side>> shapes = {
      {{0, 0}}, {{0, 0}, {3}}, {{5}, {0, 0}, {1}}, {{1}, {0, 0}}};
  std::string scalar = typeOf({}, element);
  for (const auto &sides : shapes) {
    std::string type = typeOf(sides, element), list;
    for (const Side &side : sides)
      list += (list.empty() ? "" : ", ") +
              (side.symbol < 0 ? std::to_string(side.extent) : "s0");
    std::string body =
        "  %s = kiln.random_reserve 1 [" + list + "] : tensor<6xi32>\n";
    std::vector<std::string> inputs;
    std::vector<Tensor> feeds;
    if (std::string(kind) == "int") {
      inputs = {scalar, scalar};
      feeds = {Tensor::scalar<int32_t>(-5), Tensor::scalar<int32_t>(1000)};
      if (std::string(element) == "i64")
        feeds = {Tensor::scalar<int64_t>(-5),
                 Tensor::scalar<int64_t>(int64_t(1) << 40)};
      body += "  %r = kiln.random_int %s, %x0, %x1 : tensor<6xi32>, " + scalar +
              " -> " + type;
    } else {
      body += "  %r = kiln.random " + std::string(kind) +
              " %s : tensor<6xi32> -> " + type;
    }
    NativeProgram program(
        function(inputs, body, "%r, %s", type + ", tensor<6xi32>"));
    for (int64_t n : sizes)
      ASSERT_TRUE(
          program.agrees({.feeds = feeds, .symbols = {n}, .numStreams = 2}));
  }
}

INSTANTIATE_TEST_SUITE_P(Floats, RandomOp,
                         ::testing::Combine(::testing::Values("uniform",
                                                              "normal"),
                                            ::testing::Values("f32", "f64")));
INSTANTIATE_TEST_SUITE_P(Integers, RandomOp,
                         ::testing::Combine(::testing::Values("int"),
                                            ::testing::Values("i32", "i64")));

TEST(RandomOps, TransposedAndFusedKeepTheirNumbering) {
  NativeProgram program(
      function({"tensor<7x?xf32, #kiln.sym<0>>"},
               R"(  %s = kiln.random_reserve 0 [s0, 7] : tensor<6xi32>
  %r = kiln.random normal %s : tensor<6xi32> -> tensor<?x7xf32, #kiln.sym<0>>
  %t = kiln.transpose %r permutation [1, 0] : tensor<?x7xf32, #kiln.sym<0>> -> tensor<7x?xf32, #kiln.sym<0>>
  %a = kiln.add %t, %x0 : tensor<7x?xf32, #kiln.sym<0>>
  %m = kiln.reduce sum %r axes [1] : tensor<?x7xf32, #kiln.sym<0>> -> tensor<?xf32, #kiln.sym<0>>
  %c = kiln.reduce max %r axes [0] : tensor<?x7xf32, #kiln.sym<0>> -> tensor<7xf32>)",
               "%a, %m, %c",
               "tensor<7x?xf32, #kiln.sym<0>>, tensor<?xf32, #kiln.sym<0>>, "
               "tensor<7xf32>"));
  for (int64_t n : {0, 1, 5, 16, 100, 1000})
    EXPECT_TRUE(program.agrees({.feeds = {randomTensor("f32", {{7}, {n}}, 1)},
                                .symbols = {n},
                                .numStreams = 1}));
}

TEST(RandomOps, RowsOfAnyLengthKeepTheirNumbering) {
  // Of 16 outputs in a row the first is any of its sample's.
  for (const std::string drawn :
       {"kiln.random uniform %s : tensor<6xi32> -> tensor<?x37xf32, "
        "#kiln.sym<0>>",
        "kiln.random normal %s : tensor<6xi32> -> tensor<?x37xf32, "
        "#kiln.sym<0>>",
        "kiln.random_int %s, %x0, %x1 : tensor<6xi32>, tensor<i32> -> "
        "tensor<?x37xi32, #kiln.sym<0>>"}) {
    const std::string element = drawn.find("_int") != std::string::npos ? "i32"
                                                                        : "f32",
                      matrix = "tensor<?x37x" + element + ", #kiln.sym<0>>",
                      column = "tensor<?x" + element + ", #kiln.sym<0>>";
    NativeProgram program(function(
        {"tensor<i32>", "tensor<i32>"},
        "  %s = kiln.random_reserve 0 [s0, 37] : tensor<6xi32>\n  %r = " +
            drawn + "\n  %m = kiln.reduce max %r axes [1] : " + matrix +
            " -> " + column,
        "%r, %m", matrix + ", " + column));
    for (int64_t n : {1, 2, 5, 100})
      EXPECT_TRUE(program.agrees(
          {.feeds = {Tensor::scalar<int32_t>(-9), Tensor::scalar<int32_t>(7)},
           .symbols = {n},
           .numStreams = 1}));
  }
}

TEST(GeneratorOps, DimensionsAndConstants) {
  NativeProgram program(
      function({"tensor<?xf64, #kiln.sym<0>>"},
               R"(  %d = kiln.dims [s0, 9, s1] : tensor<3xi64>
  %e = kiln.dims [s1] : tensor<i32>
  %f = kiln.dims [-4] : tensor<i64>
  %g = kiln.dims [s0] : tensor<1xi32>
  %c = kiln.constant dense<0.1> : tensor<f64> : tensor<?xf64, #kiln.sym<0>>
  %h = kiln.constant dense<[[1, -2], [3, 4]]> : tensor<2x2xi32> : tensor<2x2xi32>
  %t = kiln.constant dense<true> : tensor<i1> : tensor<?x2xi1, #kiln.sym<1>>
  %a = kiln.mul %c, %x0 : tensor<?xf64, #kiln.sym<0>>
  %k = kiln.constant_ref 1 : tensor<5xf32>)",
               "%d, %e, %f, %g, %c, %h, %t, %a, %k",
               "tensor<3xi64>, tensor<i32>, tensor<i64>, tensor<1xi32>, "
               "tensor<?xf64, #kiln.sym<0>>, "
               "tensor<2x2xi32>, tensor<?x2xi1, #kiln.sym<1>>, tensor<?xf64, "
               "#kiln.sym<0>>, tensor<5xf32>"));
  for (int64_t n : {0, 1, 300, 20000})
    EXPECT_TRUE(program.agrees({.feeds = {randomTensor("f64", {{n}}, 1)},
                                .symbols = {n, 4},
                                .constants = {randomTensor("f32", {{2}}, 2),
                                              randomTensor("f32", {{5}}, 3)}}));
}

TEST(RuntimeCalls, GiveTheBitsOfTheEvaluator) {
  NativeProgram program(function(
      {"tensor<?x4x4xf64, #kiln.sym<0>>"},
      R"(  %i = kiln.runtime_call "MatrixInverse" ins(%x0 : tensor<?x4x4xf64, #kiln.sym<0>>) types [tensor<?x4x4xf64, #kiln.sym<0>>, tensor<?x4x4xf64, #kiln.sym<0>>] {numbers = array<i64: 1>} -> tensor<?x4x4xf64, #kiln.sym<0>> loc("inverse")
  %n = kiln.neg %i : tensor<?x4x4xf64, #kiln.sym<0>>
  %s = kiln.random_reserve 0 [s0] : tensor<6xi32>
  %t = kiln.runtime_call "TruncatedNormal" ins(%s : tensor<6xi32>) types [tensor<6xi32>, tensor<?xf32, #kiln.sym<0>>] -> tensor<?xf32, #kiln.sym<0>>)",
      "%n, %i, %t",
      "tensor<?x4x4xf64, #kiln.sym<0>>, tensor<?x4x4xf64, #kiln.sym<0>>, "
      "tensor<?xf32, #kiln.sym<0>>"));
  for (int64_t n : {0, 1, 3, 40})
    EXPECT_TRUE(
        program.agrees({.feeds = {randomTensor("f64", {{n}, {4}, {4}}, 1)},
                        .symbols = {n},
                        .numStreams = 1}));
  EXPECT_TRUE(
      program.agrees({.feeds = {*Tensor::zeros(DType::Float64, Shape{2, 4, 4})},
                      .symbols = {2},
                      .numStreams = 1}));
  EXPECT_TRUE(program.hasFailed());
}

} // namespace
} // namespace kiln
