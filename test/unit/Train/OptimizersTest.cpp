// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every optimizer adds TensorFlow's nodes and slots, and says what is wrong in
// its words. Graphs and values are recorded by
// test/golden_kiln/make_optimizer_cases.py and make_constraint_cases.py.
#include "kiln/Optimizers.h"
#include "kiln/BuildOps.h"
#include "kiln/Constraints.h"
#include "kiln/GlobalStep.h"
#include "kiln/InputPipeline.h"
#include "kiln/Layers.h"
#include "test/unit/ProgramFixture.h"

namespace kiln {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::unique_ptr<Optimizer>> allOptimizers(const Variable &step) {
  std::vector<std::unique_ptr<Optimizer>> all;
  auto add = [&]<class T>(std::unique_ptr<T> each) {
    all.push_back(std::move(each));
  };
  add(std::make_unique<GradientDescentOptimizer>(0.1));
  add(std::make_unique<MomentumOptimizer>(0.1, 0.9));
  add(std::make_unique<MomentumOptimizer>(
      0.1, 0.9, MomentumOptions{.useNesterov = true, .name = "Nesterov"}));
  add(std::make_unique<AdamOptimizer>(0.1));
  add(std::make_unique<AdagradOptimizer>(0.1));
  add(std::make_unique<AdagradDAOptimizer>(
      0.1, step, AdagradDAOptions{.l1RegularizationStrength = 0.001}));
  add(std::make_unique<RMSPropOptimizer>(0.1, RMSPropOptions{.momentum = 0.5}));
  add(std::make_unique<RMSPropOptimizer>(
      0.1, RMSPropOptions{.centered = true, .name = "Centered"}));
  add(std::make_unique<FtrlOptimizer>(
      0.1, FtrlOptions{.l1RegularizationStrength = 0.01}));
  add(std::make_unique<FtrlOptimizer>(
      0.1, FtrlOptions{.l2ShrinkageRegularizationStrength = 0.01,
                       .beta = 0.5,
                       .name = "Shrinkage"}));
  add(std::make_unique<AdadeltaOptimizer>(1.0,
                                          AdadeltaOptions{.useLocking = true}));
  add(std::make_unique<ProximalGradientDescentOptimizer>(
      0.1, ProximalGradientDescentOptions{.l2RegularizationStrength = 0.01}));
  add(std::make_unique<ProximalAdagradOptimizer>(
      0.1, ProximalAdagradOptions{.l1RegularizationStrength = 0.01}));
  return all;
}

class Optimizers : public ProgramFixture {
protected:
  Optimizers() { comparison.ignores = isOfGradients; }

  void expectSteps(const std::string &program, bool isResource) {
    Variable step(0, {.trainable = false,
                      .dtype = DType::Int64,
                      .name = "global_step",
                      .useResource = isResource});
    Variable w, b;
    {
      NameScope sc("sc");
      w = Variable(firstValue(program, "sc/w", isResource),
                   {.name = "w", .useResource = isResource});
      b = Variable(firstValue(program, "sc/b", isResource),
                   {.name = "b", .useResource = isResource});
    }
    Output gw = ops::placeholder(DType::Float32, {4, 3}, {.name = "gw"});
    Output gb = ops::placeholder(DType::Float32, {3}, {.name = "gb"});
    IndexedSlices rows;
    rows.values = ops::placeholder(DType::Float32, {-1, 3}, {.name = "values"});
    rows.indices = ops::placeholder(DType::Int64, {-1}, {.name = "indices"});
    rows.denseShape = ops::constant({4, 3});
    std::vector<std::unique_ptr<Optimizer>> all = allOptimizers(step);
    for (auto &each : all) {
      each->applyGradients({{gw, w}, {{}, step}, {gb, b}},
                           {.globalStep = step});
      each->applyGradients({{rows, w}}, {.name = "rows_" + each->name()});
    }
    globalVariablesInitializer();
    for (size_t i = 0; i < all.size(); ++i) {
      w.readValue();
      b.readValue();
    }
    if (isResource)
      step.value();
    expectGraph(program);
    EXPECT_THAT(graph.collection(keys::trainOp), SizeIs(2 * all.size()));
    EXPECT_THAT(all[3]->slotNames(), ElementsAre("m", "v"));
    EXPECT_EQ(all[3]->slot(w, "v").name(), "sc/w/Adam_1:0");
    EXPECT_FALSE(all[3]->slot(step, "v").isValid());
    EXPECT_THAT(all[3]->variables(), SizeIs(6));
  }

  void expectConstraints(const std::string &kind) {
    const bool isResource = kind == "handles";
    Output x = ops::placeholder(DType::Float32, {-1, 3}, {.name = "x"});
    Variable rows, free;
    Output h;
    {
      VariableScope limited("limited",
                            {.constraint = constraints::unitNorm({0, 1}),
                             .useResource = isResource});
      rows = getVariable("rows",
                         {.shape = {2, 3}, .initializer = onesInitializer()});
      free = getVariable(
          "free", {.shape = {3},
                   .initializer = onesInitializer(),
                   .constraint = constraints::minMaxNorm(0.5, 1.5, 0.7)});
      h = layers::dense(x, 2,
                        {.kernelInitializer = constantInitializer(0.75),
                         .kernelConstraint = constraints::maxNorm(1.0),
                         .biasConstraint = constraints::nonNeg()});
    }
    Variable twice({{2.0, 0.5}}, {.dtype = DType::Float64,
                                  .name = "double",
                                  .useResource = isResource,
                                  .constraint = constraints::maxNorm(1.25, 1)});
    auto clip = [](const Variable &v) {
      return ops::clipByValue(v, -0.5, 0.5);
    };
    Variable plain(
        {1.0, -1.0},
        {.name = "plain", .useResource = isResource, .constraint = clip});
    Output loss =
        ops::reduceSum(ops::square(h - plain)) - ops::reduceSum(rows * free);
    loss = loss + ops::cast(ops::reduceSum(ops::square(twice)), DType::Float32);
    Variable step = getOrCreateGlobalStep();
    GradientDescentOptimizer(0.25).minimize(loss, {.globalStep = step});
    AdamOptimizer(0.5).minimize(loss);
    globalVariablesInitializer();
    expectGraph("optimizer_constraints_" + kind);
  }

  static Tensor firstValue(const std::string &program, const std::string &name,
                           bool isResource) {
    return constantOf(program, name + (isResource ? "/Initializer/initial_value"
                                                  : "/initial_value"));
  }

  /// The error of the graph, which is taken away.
  std::string error() { return std::string(graph.takeStatus().message()); }
};

TEST_F(Optimizers, StepsOfReferences) {
  expectSteps("optimizer_steps_references", false);
}

TEST_F(Optimizers, StepsOfHandles) {
  expectSteps("optimizer_steps_handles", true);
}

TEST_F(Optimizers, ConstraintsOfReferences) { expectConstraints("references"); }

TEST_F(Optimizers, ConstraintsOfHandles) { expectConstraints("handles"); }

TEST_F(Optimizers, AssignmentsSumsAndSecondDerivatives) {
  setRandomSeed(2);
  comparison.ignores = [](const Node &node) {
    return node.name().find("gradients") != std::string::npos;
  };
  Variable v({1.0, 2.0}, {.name = "v"});
  Variable r({3.0, 4.0}, {.name = "r", .useResource = true});
  auto make = [](const char *name, const Initializer &initializer) {
    getVariable(name, {.shape = {3, 2}, .initializer = initializer});
  };
  make("he_normal", heNormalInitializer());
  make("he_uniform", heUniformInitializer(4));
  make("lecun_normal", lecunNormalInitializer(7));
  make("lecun_uniform", lecunUniformInitializer());
  Output total = ops::addN({v, r, {1.0, 1.0}});
  layers::dense(ops::expandDims(total, 0), 3);
  layers::dense(ops::expandDims(v, 0), 3, {.reuse = true});
  Output cubes = ops::reduceSum(v * v * v);
  Output squares = ops::reduceSum(r * r);
  cubes = cubes + squares * v.value()[0];
  ops::reduceProd(r, {.name = "product"});
  EXPECT_EQ(hessians({cubes}, {v, r}).size(), 2u);
  globalVariablesInitializer();
  v.assign({5.0, 6.0});
  ops::assign(v, {7.0, 8.0});
  v.assignAdd({1.0, 1.0});
  ops::assignAdd(v, v);
  ops::assignSub(v, {0.5, 0.5}, {.useLocking = true});
  r.assign({5.0, 6.0});
  ops::assign(r, v);
  ops::assignAdd(r, v);
  r.assignSub(v);
  for (int i = 0; i < 9; ++i)
    r.value();
  matchFilenamesOnce({"/nowhere/*.a", "/nowhere/*.b"});
  localVariablesInitializer();
  expectGraph("optimizer_pieces");
}

TEST_F(Optimizers, RowsOfALimitedVariableAreRefused) {
  for (bool isResource : {false, true}) {
    Variable v({{1.0}, {2.0}}, {.useResource = isResource,
                                .constraint = constraints::nonNeg()});
    Output loss = ops::reduceSum(ops::gather(v, {1}));
    GradientDescentOptimizer(0.1).minimize(loss, {.variables = {{v}}});
    EXPECT_EQ(error(),
              "Cannot use a constraint function on a sparse variable.");
  }
}

TEST_F(Optimizers, DoublesAndPartsOfVariables) {
  std::string program = "optimizer_doubles";
  Output rate = ops::placeholder(DType::Float32, {}, {.name = "rate"});
  Variable d(constantOf(program, "d/initial_value"), {.name = "d"});
  PartitionedVariable part;
  {
    VariableScope layer("layer");
    part = getPartitionedVariable(
        "part", fixedSizePartitioner(2),
        {.shape = {5, 2}, .initializer = constantInitializer(0.25)});
  }
  Output loss = ops::reduceSum(ops::square(d - 0.25)) +
                ops::cast(ops::reduceSum(ops::square(part.asTensor() * 3)),
                          DType::Float64);
  AdamOptimizer adam(rate);
  adam.minimize(loss, {.gate = GateGradients::Graph});
  AdagradOptimizer(rate).minimize(loss, {.gate = GateGradients::Graph});
  RMSPropOptimizer(rate).minimize(loss, {.gate = GateGradients::Graph});
  FtrlOptimizer(rate).minimize(loss, {.gate = GateGradients::Graph});
  MomentumOptimizer again(0.1, 0.5);
  again.minimize(loss,
                 {.variables = std::vector{d}, .gate = GateGradients::None});
  again.minimize(loss,
                 {.gradLoss = ops::constant(2.0, {.dtype = DType::Float64})});
  globalVariablesInitializer();
  for (int i = 0; i < 6; ++i) {
    d.readValue();
    for (const Variable &each : part.parts())
      each.readValue();
  }
  expectGraph(program);
  const VariableSlice *slice = adam.slot(part.parts()[1], "v").slice();
  ASSERT_NE(slice, nullptr);
  EXPECT_EQ(slice->fullName, "layer/part/Adam_1");
  EXPECT_EQ(slice->spec(), "5 2 3,2:0,2");
}

TEST_F(Optimizers, SlotsOfShapesThatAreNotKnown) {
  Output p = ops::placeholder(DType::Float32, {-1});
  Variable w(p, {.name = "w", .validateShape = false});
  Output loss = ops::reduceSum(ops::square(w));
  MomentumOptimizer(0.1, 0.9).minimize(loss);
  RMSPropOptimizer(0.1).minimize(loss);
  AdagradOptimizer(0.1).minimize(loss);
  EXPECT_THAT(graph.status(), testing::isOk());
  EXPECT_NE(graph.graph()->lookup("w/Momentum"), nullptr);
  EXPECT_NE(graph.graph()->lookup("w/RMSProp"), nullptr);
  EXPECT_NE(graph.graph()->lookup("w/Adagrad"), nullptr);
}

TEST_F(Optimizers, ErrorsOfLossesAndVariables) {
  GradientDescentOptimizer optimizer(0.1);
  Output number = ops::constant(1.0);
  optimizer.minimize(number);
  EXPECT_EQ(error(), "No variables to optimize.");
  Variable w({1.0, 2.0}, {.name = "w"});
  Variable r(1.0, {.name = "r", .useResource = true});
  optimizer.minimize(number);
  EXPECT_EQ(error(),
            "No gradients provided for any variable, check your graph for ops "
            "that do not support gradients, between variables [\"<tf.Variable "
            "'w:0' shape=(2,) dtype=float32_ref>\", \"<tf.Variable 'r:0' "
            "shape=() dtype=float32>\"] and loss Tensor(\"Const:0\", shape=(), "
            "dtype=float32).");
  optimizer.applyGradients({});
  EXPECT_EQ(error(), "No variables provided.");
  optimizer.applyGradients({{{}, w}});
  EXPECT_EQ(error(), "No gradients provided for any variable: "
                     "[\"<tf.Variable 'w:0' shape=(2,) dtype=float32_ref>\"].");
  optimizer.minimize(ops::constant(3, {.name = "three"}));
  EXPECT_EQ(error(),
            "Invalid type tf.int32 for three:0, expected: [tf.float32, "
            "tf.float64, tf.float16, tf.bfloat16].");
  optimizer.minimize({});
  EXPECT_THAT(graph.status(), testing::isOk());
}

TEST_F(Optimizers, ErrorsOfArguments) {
  GradientDescentOptimizer(0.1, {.name = ""});
  EXPECT_EQ(error(), "Must specify the optimizer name");
  AdagradOptimizer(0.1, {.initialAccumulatorValue = 0});
  EXPECT_EQ(error(), "initial_accumulator_value must be positive: 0.0");
  ProximalAdagradOptimizer(0.1, {.initialAccumulatorValue = -0.25});
  EXPECT_EQ(error(), "initial_accumulator_value must be positive: -0.25");
  FtrlOptimizer(0.1, {.learningRatePower = 0.5});
  EXPECT_EQ(error(),
            "learning_rate_power 0.500000 needs to be negative or zero");
  FtrlOptimizer(0.1, {.l1RegularizationStrength = -1});
  EXPECT_EQ(error(),
            "l1_regularization_strength -1.000000 needs to be positive "
            "or zero");
}

TEST_F(Optimizers, AfterAnErrorNothingIsAdded) {
  Variable w({1.0, 2.0}, {.name = "w"});
  Output loss = ops::reduceSum(ops::square(w));
  graph.fail(invalidArgumentError("broken"));
  int nodes = graph.graph()->numNodes();
  AdamOptimizer adam(0.1);
  EXPECT_EQ(adam.minimize(loss), nullptr);
  EXPECT_THAT(adam.slotNames(), IsEmpty());
  EXPECT_EQ(graph.graph()->numNodes(), nodes);
  EXPECT_THAT(error(), HasSubstr("broken"));
}

} // namespace
} // namespace kiln
