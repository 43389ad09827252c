// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops on every dtype through sessions: natively and by the evaluator
// with the same bits, and clear errors for what Kiln does not compute with.
#include "lib/Support/DTypeDispatch.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstring>

namespace kiln {
namespace {

using testing::fails;
using testing::failsAt;
using testing::GraphWriter;
using ::testing::HasSubstr;
using testing::isOk;
using testing::openSession;

Tensor allOf16Bits(DType dtype) {
  Tensor tensor = *Tensor::create(dtype, {65536});
  auto *bits = static_cast<uint16_t *>(tensor.mutableRawData());
  for (int i = 0; i < 65536; ++i)
    bits[i] = static_cast<uint16_t>(i);
  return tensor;
}

bool sameOrNan(const Tensor &a, const Tensor &b) {
  if (a.hasSameBits(b))
    return true;
  return dispatchElement(a.dtype(), [&]<class T>(T) {
    for (size_t i = 0; i < a.data<T>().size(); ++i) {
      T x = a.data<T>()[i], y = b.data<T>()[i];
      bool same = std::memcmp(&x, &y, sizeof x) == 0;
      if constexpr (!std::is_integral_v<T>)
        same |= std::isnan(float(x)) && std::isnan(float(y));
      if (!same)
        return false;
    }
    return true;
  });
}

struct Narrow : ::testing::TestWithParam<DType> {};

TEST_P(Narrow, EveryValueThroughEachFunctionGivesTheSameBitsInBothModes) {
  DType dtype = GetParam();
  GraphWriter writer;
  writer.placeholder("x", dtype, {-1});
  std::vector<std::string> fetches;
  for (const char *op :
       {"Neg",        "Abs",  "Sign",    "Square",   "Sqrt",  "Rsqrt",
        "Reciprocal", "Exp",  "Expm1",   "Log",      "Log1p", "Sin",
        "Cos",        "Tanh", "Sigmoid", "Erf",      "Floor", "Ceil",
        "Round",      "Relu", "Relu6",   "Softplus", "IsNan"}) {
    writer.add(op, op, {"x"}, {{"T", dtype}});
    fetches.push_back(std::string(op) + ":0");
  }
  for (int number = 1; number < 24; ++number) {
    auto to = static_cast<DType>(number);
    if (!isSupported(to) || to == dtype || to == DType::String)
      continue;
    std::string name = "Cast" + std::to_string(number);
    writer.add(name, "Cast", {"x"}, {{"SrcT", dtype}, {"DstT", to}});
    fetches.push_back(name + ":0");
  }
  Tensor all = allOf16Bits(dtype);
  std::vector<Fetch> asked(fetches.begin(), fetches.end());
  auto native = openSession(writer.graph, ExecutionMode::NativeOnly)
                    ->run({{"x:0", all}}, asked);
  auto evaluated = openSession(writer.graph, ExecutionMode::EvaluatorOnly)
                       ->run({{"x:0", all}}, asked);
  ASSERT_THAT(native, isOk());
  ASSERT_THAT(evaluated, isOk());
  for (size_t i = 0; i < fetches.size(); ++i)
    EXPECT_TRUE(sameOrNan((*native)[i], (*evaluated)[i])) << fetches[i];
}

INSTANTIATE_TEST_SUITE_P(All, Narrow,
                         ::testing::Values(DType::Float16, DType::BFloat16),
                         [](const auto &info) {
                           return std::string(dtypeName(info.param));
                         });

class DTypes : public testing::SessionTest {};

INSTANTIATE_TEST_SUITE_P(Modes, DTypes,
                         ::testing::Values(ExecutionMode::NativeOnly,
                                           ExecutionMode::EvaluatorOnly),
                         testing::modeName);

TEST_P(DTypes, HalfRoundsAfterEachOp) {
  GraphWriter writer;
  constexpr DType half = DType::Float16;
  writer.placeholder("x", half, {-1});
  writer.binary("square", "Mul", "x", "x", half);
  writer.binary("y", "Sub", "square", "x", half);
  Tensor x = testing::tensorOf<Half>({1}, {Half(1.0009765625f)});
  auto got = open(writer.graph)->run({{"x:0", x}}, {"y:0"});
  ASSERT_THAT(got, isOk());
  // x = 1 + 2^-10; x * x = 1 + 2^-9 + 2^-20, rounded to 1 + 2^-9.
  EXPECT_EQ(float((*got)[0].data<Half>()[0]), 0x1p-10f);
}

TEST_P(DTypes, VariablesOfEachTypeKeepTheirElements) {
  for (int number = 1; number < 24; ++number) {
    auto dtype = static_cast<DType>(number);
    if (!isSupported(dtype) || dtype == DType::Bool || dtype == DType::String)
      continue;
    SCOPED_TRACE(dtypeName(dtype));
    GraphWriter writer;
    Tensor initial = *Tensor::create(dtype, {3});
    dispatchElement(dtype, [&]<class T>(T) {
      for (T &element : initial.mutableData<T>())
        element = T(100);
    });
    writer.variable("v", initial);
    writer.binary("bump", "AssignAdd", "v", "v/initial", dtype);
    auto session = open(writer.graph);
    ASSERT_THAT(session->run({}, {}, {"v/Assign"}), isOk());
    auto bumped = session->run({}, {"bump:0"});
    ASSERT_THAT(bumped, isOk());
    Tensor expected = *Tensor::create(dtype, {3});
    dispatchElement(dtype, [&]<class T>(T) {
      for (T &element : expected.mutableData<T>())
        element = T(200); // wraps for int8
    });
    EXPECT_TRUE((*bumped)[0].hasSameBits(expected));
  }
}

TEST_P(DTypes, ComplexIsRefusedWhereTensorFlowHasNoKernel) {
  constexpr DType complex = DType::Complex64;
  GraphWriter writer;
  writer.placeholder("x", complex, {2});
  writer.binary("quotient", "FloorDiv", "x", "x", complex);
  writer.placeholder("y", DType::Float32, {2});
  writer.add("rounded", "Round", {"x"}, {{"T", complex}});
  writer.constant("c", *Tensor::zeros(complex, {2}));
  writer.add("v", "VariableV2", {}, {{"dtype", complex}, {"shape", Shape{2}}});
  writer.binary("fine", "AddV2", "y", "y", DType::Float32);
  auto session = open(writer.graph);
  Tensor y = *Tensor::zeros(DType::Float32, {2}),
         x = *Tensor::zeros(complex, {2});
  EXPECT_THAT(session->run({{"y:0", y}}, {"fine:0"}), isOk());
  EXPECT_THAT(session->run({}, {"c:0"}), isOk());
  EXPECT_THAT(session->run({}, {"v:0"}),
              fails(StatusCode::FailedPrecondition, HasSubstr("v")));
  for (const char *name : {"quotient", "rounded"}) {
    auto got = session->run({{"x:0", x}}, {std::string(name) + ":0"});
    EXPECT_THAT(got, fails(StatusCode::Unimplemented, HasSubstr("complex64")))
        << name;
    EXPECT_THAT(got, fails(StatusCode::Unimplemented, HasSubstr("'T'")));
    EXPECT_THAT(got, failsAt(name));
  }
}

TEST_P(DTypes, WhatTensorFlowHasNoKernelForIsAnError) {
  GraphWriter writer;
  writer.placeholder("x", DType::Int32, {2});
  writer.binary("quotient", "RealDiv", "x", "x", DType::Int32);
  auto got =
      open(writer.graph)
          ->run({{"x:0", *Tensor::zeros(DType::Int32, {2})}}, {"quotient:0"});
  EXPECT_THAT(got, fails(StatusCode::InvalidArgument,
                         "No OpKernel was registered to support Op 'RealDiv' "
                         "with these attrs: [T=DT_INT32]"));
  EXPECT_THAT(got, failsAt("quotient"));
}

TEST_P(DTypes, KernelsThatTensorFlowHasForOtherTypesOnlyAreErrors) {
  GraphWriter writer;
  constexpr DType half = DType::Float16, truth = DType::Bool;
  writer.constant("volume", *Tensor::zeros(half, {1, 2, 2, 2, 1}));
  const std::vector<int64_t> ones(5, 1);
  writer.add(
      "pool", "MaxPool3D", {"volume"},
      {{"T", half}, {"ksize", ones}, {"strides", ones}, {"padding", "VALID"}});
  writer.constant("flags", *Tensor::zeros(truth, {2}));
  writer.constant("rows", *Tensor::zeros(DType::Int32, {1}));
  writer.constant("row", *Tensor::zeros(DType::Int32, {1, 1}));
  writer.constant("flag", *Tensor::zeros(truth, {1}));
  writer.add("scattered", "TensorScatterAdd", {"flags", "row", "flag"},
             {{"T", truth}, {"Tindices", DType::Int32}});
  writer.variable("w", *Tensor::zeros(half, {2, 3}));
  writer.constant("rate", *Tensor::zeros(half, {}));
  writer.constant("grad", *Tensor::zeros(half, {1, 3}));
  writer.add("step", "SparseApplyProximalGradientDescent",
             {"w", "rate", "rate", "rate", "grad", "rows"},
             {{"T", half}, {"Tindices", DType::Int32}});
  auto session = open(writer.graph);
  for (const char *name : {"pool", "scattered", "step"}) {
    auto got = session->run({}, {std::string(name) + ":0"});
    EXPECT_THAT(got, fails(StatusCode::InvalidArgument,
                           HasSubstr("No OpKernel was registered")));
    EXPECT_THAT(got, failsAt(name));
  }
}

} // namespace
} // namespace kiln
