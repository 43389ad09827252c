// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole functions in the evaluator: random streams, variables, fusions,
// symbols, cancellation, memory, and folding by it.
#include "test/unit/Eval/EvaluatorFixture.h"

#include "lib/Translate/Fold.h"
#include "runtime/abi/RunState.h"

#include "gmock/gmock.h"

#include <cstring>
#include <optional>
#include <string>
#include <thread>

namespace kiln {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::Pointwise;

using EvaluatorRun = Evaluator;

TEST_F(EvaluatorRun, RandomOpsGiveTensorFlowsStreams) {
  // tf.set_random_seed(42), seed=7.
  environment.reserveRandom = [](int64_t stream, int64_t count,
                                 uint32_t state[6]) {
    EXPECT_EQ(stream, 4);
    EXPECT_EQ(count, 3 * 256);
    const uint32_t words[] = {0, 0, 7, 0, 42, 0};
    std::memcpy(state, words, sizeof words);
    return okStatus();
  };
  symbols = {3};
  auto results = run(R"(func.func @f(%low: tensor<i32>, %high: tensor<i32>)
      -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf64>, tensor<3xi32>) {
    %s = kiln.random_reserve 4 [s0] : tensor<6xi32>
    %u = kiln.random uniform %s : tensor<6xi32> -> tensor<3xf32>
    %n = kiln.random normal %s : tensor<6xi32> -> tensor<3xf32>
    %d = kiln.random uniform %s : tensor<6xi32> -> tensor<3xf64>
    %i = kiln.random_int %s, %low, %high : tensor<6xi32>, tensor<i32> -> tensor<3xi32>
    return %u, %n, %d, %i : tensor<3xf32>, tensor<3xf32>, tensor<3xf64>, tensor<3xi32> })",
                     {Tensor::scalar<int32_t>(3), Tensor::scalar<int32_t>(9)});
  ASSERT_TRUE(results.ok()) << results.status().toString();
  EXPECT_THAT(elements<float>((*results)[0]),
              ElementsAre(0.8627677f, 0.6567626f, 0.99054587f));
  EXPECT_THAT(
      elements<float>((*results)[1]),
      Pointwise(FloatNear(1e-7f), {-0.45274156f, -0.30040753f, -0.07882862f}));
  EXPECT_NEAR((*results)[2].data<double>()[1], 0.92436727, 1e-8);
  EXPECT_THAT(elements<int32_t>((*results)[3]), ElementsAre(7, 5, 6));
}

TEST_F(EvaluatorRun, AViewOfAVariableKeepsItsValueAcrossAWrite) {
  variables.values[5] = vector<float>({1, 2});
  auto results = run(R"(module { kiln.variable @v index 5 : tensor<2xf32>
    kiln.variable @w index 6 : tensor<f32>
    func.func @f(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<1x2xf32>, tensor<i1>, tensor<2xf32>) {
      %old = kiln.var_read @v : tensor<2xf32>
      %view = kiln.reshape %old : tensor<2xf32> -> tensor<1x2xf32>
      kiln.var_write @v, %a : tensor<2xf32>
      %new = kiln.var_read @v : tensor<2xf32>
      %is = kiln.var_is_initialized @w : tensor<i1>
      return %old, %view, %is, %new : tensor<2xf32>, tensor<1x2xf32>, tensor<i1>, tensor<2xf32> } })",
                     {vector<float>({3, 4})});
  ASSERT_TRUE(results.ok()) << results.status().toString();
  EXPECT_THAT(elements<float>((*results)[0]), ElementsAre(1, 2));
  EXPECT_THAT(elements<float>((*results)[1]), ElementsAre(1, 2));
  EXPECT_THAT(elements<bool>((*results)[2]), ElementsAre(false));
  EXPECT_THAT(elements<float>((*results)[3]), ElementsAre(3, 4));
  EXPECT_NE((*results)[3].rawData(), variables.values[5].rawData());
}

TEST_F(EvaluatorRun,
       ABroadcastViewThatWasMadeDenseIsGoneWhenItsVariableIsWritten) {
  variables.values[0] = tensor<float>(Shape(), {2});
  auto results = run(R"(module { kiln.variable @v index 0 : tensor<f32>
    func.func @f(%a: tensor<f32>) -> tensor<f32> {
      %old = kiln.var_read @v : tensor<f32>
      %all = kiln.broadcast %old map [] : tensor<f32> -> tensor<4x2xf32>
      %sum = kiln.reduce sum %all axes [0, 1] : tensor<4x2xf32> -> tensor<f32>
      kiln.var_write @v, %a : tensor<f32>
      return %sum : tensor<f32> } })",
                     {tensor<float>(Shape(), {3})});
  ASSERT_TRUE(results.ok()) << results.status().toString();
  EXPECT_THAT(elements<float>((*results)[0]), ElementsAre(16));
  EXPECT_THAT(elements<float>(variables.values[0]), ElementsAre(3));
}

TEST_F(EvaluatorRun, FusionsAndSymbolsRun) {
  symbols = {3};
  auto results = run(R"(func.func @f(%x: tensor<?x2xf32, #kiln.sym<0>>)
      -> (tensor<?x2xf32, #kiln.sym<0>>, tensor<2xi32>, tensor<?x2xf32, #kiln.sym<0>>) {
    %d = kiln.dims [s0, 9] : tensor<2xi32>
    %f = kiln.fusion (%a: tensor<?x2xf32, #kiln.sym<0>> = %x : tensor<?x2xf32, #kiln.sym<0>>) -> tensor<?x2xf32, #kiln.sym<0>> {
      %c = kiln.constant dense<2.0> : tensor<f32> : tensor<?x2xf32, #kiln.sym<0>>
      %m = kiln.mul %a, %c : tensor<?x2xf32, #kiln.sym<0>>
      kiln.yield %m : tensor<?x2xf32, #kiln.sym<0>>
    }
    %c = kiln.constant dense<7.0> : tensor<f32> : tensor<?x2xf32, #kiln.sym<0>>
    return %f, %d, %c : tensor<?x2xf32, #kiln.sym<0>>, tensor<2xi32>, tensor<?x2xf32, #kiln.sym<0>> })",
                     {tensor<float>(Shape{3, 2}, {1, 2, 3, 4, 5, 6})});
  ASSERT_TRUE(results.ok()) << results.status().toString();
  EXPECT_THAT(elements<float>((*results)[0]), ElementsAre(2, 4, 6, 8, 10, 12));
  EXPECT_THAT(elements<int32_t>((*results)[1]), ElementsAre(3, 9));
  EXPECT_THAT(elements<float>((*results)[2]), ElementsAre(7, 7, 7, 7, 7, 7));
}

// Values, constants, variables and nodes of a program are its own.
TEST_F(EvaluatorRun, AProgramOutlivesItsContextAndRunsOnManyThreads) {
  std::optional<eval::Program> program;
  {
    mlir::MLIRContext own;
    own.loadDialect<ir::KilnDialect, mlir::func::FuncDialect>();
    auto module = mlir::parseSourceString<mlir::ModuleOp>(
        R"(module { kiln.variable @v index 3 : tensor<2xi32>
      func.func @f(%a: tensor<2xi32>, %n: tensor<i32>) -> tensor<2xi32> {
        %v = kiln.var_read @v : tensor<2xi32>
        %c = kiln.constant dense<[10, 20]> : tensor<2xi32> : tensor<2xi32>
        %one = kiln.constant dense<1> : tensor<i32> : tensor<i32>
        %r:2 = kiln.while (%i: tensor<i32> = %n, %x: tensor<2xi32> = %v) -> (tensor<i32>, tensor<2xi32>) {
          %q = kiln.compare ge %i, %one : tensor<i32> -> tensor<i1>
          kiln.condition %q, %i, %x : tensor<i32>, tensor<2xi32>
        } do (%j: tensor<i32>, %y: tensor<2xi32>) {
          %s = kiln.add %y, %c : tensor<2xi32>
          %k = kiln.sub %j, %one : tensor<i32>
          kiln.yield %k, %s : tensor<i32>, tensor<2xi32>
        }
        %d = kiln.div %r#1, %a : tensor<2xi32> loc("quotient")
        return %d : tensor<2xi32> } })",
        &own);
    ASSERT_TRUE(module);
    auto made = translate(*module->getOps<mlir::func::FuncOp>().begin());
    ASSERT_TRUE(made.ok()) << made.status().toString();
    program = *std::move(made);
  }
  EXPECT_GT(program->bytes(), 0);
  EXPECT_LT(program->bytes(), 8192);
  variables.values[3] = vector<int32_t>({1, 2});
  auto runWith = [&](std::vector<int32_t> divisors) {
    std::vector<Tensor> feeds = {vector(divisors), Tensor::scalar(4)};
    EvalEnvironment own;
    own.feeds = feeds;
    own.variables = &variables;
    return evaluate(*program, own);
  };
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) {
        auto results = runWith({1, 2});
        ASSERT_TRUE(results.ok()) << results.status().toString();
        EXPECT_THAT(elements<int32_t>((*results)[0]), ElementsAre(41, 41));
      }
    });
  threads.clear();
  EXPECT_EQ(runWith({1, 0}).status().node(), "quotient");
}

TEST_F(EvaluatorRun, WhatItDoesNotRunIsNotTranslated) {
  auto results = run(R"(func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    %b = kiln.buffer feed 0 : memref<?xf32> loc("late")
    return %x : tensor<4xf32> })",
                     {vector<float>({1, 2, 3, 4})});
  EXPECT_EQ(results.status().code(), StatusCode::Internal);
  EXPECT_EQ(results.status().message(),
            "expected an op on tensors, got kiln.buffer");
  EXPECT_EQ(results.status().node(), "late");
}

TEST_F(EvaluatorRun, CancellationAndLimitsEndTheRun) {
  KilnRunState state = makeRunState(nullptr);
  requestCancel(&state, StatusCode::DeadlineExceeded);
  environment.state = &state;
  EXPECT_EQ(binary<float>("add", "f32", {1}, {2}).status().code(),
            StatusCode::DeadlineExceeded);
  environment.state = nullptr;
  environment.maxBytes = 100;
  EXPECT_TRUE(binary<float>("add", "f32", std::vector<float>(25),
                            std::vector<float>(25))
                  .ok());
  Status status = binary<float>("add", "f32", std::vector<float>(26),
                                std::vector<float>(26))
                      .status();
  EXPECT_EQ(status.code(), StatusCode::ResourceExhausted);
  EXPECT_THAT(
      std::string(status.message()),
      ::testing::HasSubstr(
          "at most 100 bytes of temporary values, got 104 with shape [26]"));
  EXPECT_EQ(status.node(), "my_node");
}

TEST_F(EvaluatorRun, MemoryOfDeadValuesIsUsedAgain) {
  environment.maxBytes = 2 * 4000;
  std::string body;
  for (int i = 0; i < 20; ++i)
    body += "%v" + std::to_string(i + 1) + " = kiln.neg %v" +
            std::to_string(i) + " : tensor<1000xf32>\n";
  auto results = run(
      "func.func @f(%v0: tensor<1000xf32>) -> tensor<1000xf32> {\n" + body +
          "%r = kiln.reshape %v20 : tensor<1000xf32> -> tensor<10x100xf32>\n"
          "%s = kiln.reshape %r : tensor<10x100xf32> -> tensor<1000xf32>\n"
          "%t = kiln.abs %s : tensor<1000xf32>\n%u = kiln.abs %t : "
          "tensor<1000xf32>\n"
          "return %u : tensor<1000xf32> }",
      {vector(std::vector<float>(1000, -1.0f))});
  ASSERT_TRUE(results.ok()) << results.status().toString();
  EXPECT_EQ((*results)[0].data<float>()[999], 1.0f);
}

TEST_F(EvaluatorRun, FoldConstantFoldsSmallOpsAndLeavesErrorsToTheRun) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(R"(
    func.func @f(%a: tensor<3xi32>, %b: tensor<3xi32>, %d: tensor<?xf32, #kiln.sym<0>>) {
      %0 = kiln.add %a, %b : tensor<3xi32>
      %1 = kiln.div %a, %b : tensor<3xi32>
      %2 = kiln.exp %d : tensor<?xf32, #kiln.sym<0>>
      return })",
                                                        &context);
  ASSERT_TRUE(module);
  mlir::func::FuncOp function = *module->getOps<mlir::func::FuncOp>().begin();
  auto body = function.getBody().front().begin();
  auto type =
      mlir::RankedTensorType::get({3}, mlir::IntegerType::get(&context, 32));
  auto scalar =
      mlir::RankedTensorType::get({}, mlir::Float32Type::get(&context));
  mlir::Attribute x =
      mlir::DenseElementsAttr::get(type, llvm::ArrayRef<int32_t>{1, 2, 3});
  mlir::Attribute y =
      mlir::DenseElementsAttr::get(type, llvm::ArrayRef<int32_t>{10, 0, 30});
  llvm::SmallVector<mlir::Attribute> results;
  ASSERT_TRUE(llvm::succeeded(foldConstant(&*body, {x, y}, results)));
  EXPECT_EQ(results[0], mlir::DenseElementsAttr::get(
                            type, llvm::ArrayRef<int32_t>{11, 2, 33}));
  results.clear();
  EXPECT_TRUE(llvm::failed(foldConstant(&*body, {x, nullptr}, results)));
  EXPECT_TRUE(llvm::failed(foldConstant(&*++body, {x, y}, results)));
  EXPECT_TRUE(results.empty());
  mlir::Attribute zero =
      mlir::DenseElementsAttr::get(scalar, llvm::ArrayRef<float>{0.0f});
  ASSERT_TRUE(llvm::succeeded(foldConstant(&*++body, {zero}, results)));
  EXPECT_EQ(results[0],
            mlir::DenseElementsAttr::get(scalar, llvm::ArrayRef<float>{1.0f}));
}

} // namespace
} // namespace kiln
