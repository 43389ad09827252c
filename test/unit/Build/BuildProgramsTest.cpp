// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that TensorFlow's Python built, written in C++: the graphs are the
// same, node by node.
#include "kiln/BuildOps.h"
#include "kiln/Saver.h"
#include "test/unit/ProgramFixture.h"

namespace kiln {
namespace {

class BuildPrograms : public ProgramFixture {};

TEST_F(BuildPrograms, FirstGraph) {
  Variable x(3, {.name = "x"}), y(4, {.name = "y"});
  ops::identity(x * x * y + y + 2, {.name = "f"});
  globalVariablesInitializer();
  expectGraph("prog_first_graph");
}

TEST_F(BuildPrograms, FirstGraphOfHandles) {
  useResourceVariables();
  Variable x(3, {.name = "x"}), y(4, {.name = "y"});
  ops::identity(x * x * y + y + 2, {.name = "f"});
  Assignment up = x.assignAdd(2);
  globalVariablesInitializer();
  up.value();
  x.readValue();
  y.readValue();
  expectGraph("res_first_graph");
}

TEST_F(BuildPrograms, ValueLifetime) {
  Output w = ops::constant(3, {.name = "w"});
  Output x = ops::add(w, 2, {.name = "x"});
  ops::add(x, 5, {.name = "y"});
  ops::multiply(x, 3, {.name = "z"});
  Variable v(0, {.name = "counter"});
  Output inc = v.assignAdd(1, {.name = "inc"});
  ops::add(inc, 10, {.name = "a"});
  ops::add(inc, 100, {.name = "b"});
  globalVariablesInitializer();
  expectGraph("prog_value_lifetime");
}

TEST_F(BuildPrograms, NormalEquation) {
  std::string program = "prog_normal_equation";
  Output x = ops::constant(constantOf(program, "X"), {.name = "X"});
  Output y = ops::constant(constantOf(program, "y"), {.name = "y"});
  Output xt = ops::transpose(x);
  ops::matMul(ops::matMul(ops::matrixInverse(ops::matMul(xt, x)), xt), y,
              {.name = "theta"});
  expectGraph(program);
}

TEST_F(BuildPrograms, Placeholder) {
  Output a = ops::placeholder(DType::Float32, {-1, 3}, {.name = "A"});
  ops::add(a, 5, {.name = "B"});
  expectGraph("prog_placeholder");
}

TEST_F(BuildPrograms, BatchGradientDescentByHand) {
  std::string program = "prog_batch_gd_manual";
  Tensor data = constantOf(program, "X");
  double rows = static_cast<double>(data.dim(0));
  Output x = ops::constant(data, {.name = "X"});
  Output y = ops::constant(constantOf(program, "y"), {.name = "y"});
  Variable theta(ops::randomUniform({data.dim(1), 1}, -1.0, 1.0, {.seed = 42}),
                 {.name = "theta"});
  Output predicted = ops::matMul(x, theta, {.name = "predictions"});
  Output error;
  {
    NameScope loss("loss");
    error = predicted - y;
    ops::reduceMean(ops::square(error), {.name = "mse"});
  }
  ops::assign(
      theta, theta - 0.01 * (2 / rows * ops::matMul(ops::transpose(x), error)));
  globalVariablesInitializer();
  expectGraph(program);
}

TEST_F(BuildPrograms, AssignFromPlaceholder) {
  Variable v({1., 2., 3.}, {.name = "v"});
  Output p =
      ops::placeholder(DType::Float32, Shape::unknownRank(), {.name = "p"});
  ops::assign(v, p, {.name = "set"});
  globalVariablesInitializer();
  expectGraph("prog_assign_from_placeholder");
}

TEST_F(BuildPrograms, ReferenceAliasing) {
  Variable v(1.0, {.name = "v"});
  Assignment up = v.assignAdd(1.0, {.name = "up"});
  {
    ControlScope after({up});
    ops::identity(v, {.name = "after"});
    ops::multiply(v, 10.0, {.name = "scaled"});
  }
  Variable w({1.0, 2.0}, {.name = "w"});
  Assignment a = ops::assign(w, {3.0, 4.0}, {.name = "a"}), b;
  {
    ControlScope after({a});
    b = ops::assign(w, w.readValue() * 2.0, {.name = "b"});
  }
  {
    ControlScope after({b});
    ops::identity(w.readValue(), {.name = "d"});
  }
  ops::multiply(v.assignSub(0.5), 2.0, {.name = "out"});
  ops::group({up, b}, {.name = "g"});
  globalVariablesInitializer();
  expectGraph("prog_reference_aliasing");
}

TEST_F(BuildPrograms, ControlFlow) {
  Output p = ops::placeholder(DType::Int32, {}, {.name = "p"});
  Variable v(0, {.name = "v"});
  ops::cond(
      p > 3, [&] { return v.assignAdd(1) * 2; },
      [&] { return ops::identity(p) - 1; }, {.name = "branch"});
  ops::whileLoop([&](const Outputs &x) { return x[0] < p; },
                 [](const Outputs &x) {
                   return Outputs{x[0] + 1,
                                  x[1] * 1.5 + ops::cast(x[0], DType::Float32)};
                 },
                 {0, ops::constant(1.0)}, {.name = "loop"});
  globalVariablesInitializer();
  expectGraph("prog_control_flow_v1");
}

// Five ReLU units, variables shared in four ways.

Output placeholderX() {
  return ops::placeholder(DType::Float32, {-1, 3}, {.name = "X"});
}

Output weighted(const Output &x) {
  Variable w(ops::randomNormal({x.shape().dim(1), 1}), {.name = "weights"});
  Variable b(0.0, {.name = "bias"});
  return ops::add(ops::matMul(x, w), b, {.name = "z"});
}

Output sharedUnit(const Output &x) {
  VariableScope relu("relu", {.reuse = true});
  Variable threshold = getVariable("threshold");
  return ops::maximum(weighted(x), threshold, {.name = "max"});
}

Variable makeThreshold() {
  return getVariable("threshold",
                     {.shape = {}, .initializer = constantInitializer(0.0)});
}

Output newUnit(const Output &x) {
  VariableScope relu("relu");
  Variable threshold = makeThreshold();
  return ops::maximum(weighted(x), threshold, {.name = "max"});
}

TEST_F(BuildPrograms, ReluUnitsNotShared) {
  setRandomSeed(42);
  Output x = placeholderX();
  std::vector<Output> units;
  for (int i = 0; i < 5; ++i) {
    NameScope relu("relu");
    units.push_back(ops::maximum(weighted(x), 0., {.name = "relu"}));
  }
  ops::addN(units, {.name = "output"});
  globalVariablesInitializer();
  expectGraph("prog_relu_modules_0");
}

TEST_F(BuildPrograms, ReluUnitsWithReuse) {
  setRandomSeed(42);
  Output x = placeholderX();
  {
    VariableScope relu("relu");
    makeThreshold();
  }
  std::vector<Output> units;
  for (int i = 0; i < 5; ++i)
    units.push_back(sharedUnit(x));
  ops::addN(units, {.name = "output"});
  globalVariablesInitializer();
  expectGraph("prog_relu_modules_1");
}

TEST_F(BuildPrograms, ReluUnitsWithReuseVariables) {
  setRandomSeed(42);
  Output x = placeholderX();
  std::vector<Output> units;
  {
    VariableScope all("");
    units.push_back(newUnit(x));
    all.reuseVariables();
    for (int i = 0; i < 4; ++i)
      units.push_back(newUnit(x));
  }
  ops::addN(units, {.name = "output"});
  globalVariablesInitializer();
  expectGraph("prog_relu_modules_2");
}

TEST_F(BuildPrograms, ReluUnitsWithReuseFromTheSecondOn) {
  setRandomSeed(42);
  Output x = placeholderX();
  std::vector<Output> units;
  for (int i = 0; i < 5; ++i) {
    VariableScope relu("relu", {.reuse = i >= 1});
    Variable threshold = makeThreshold();
    units.push_back(ops::maximum(weighted(x), threshold, {.name = "max"}));
  }
  ops::addN(units, {.name = "output"});
  globalVariablesInitializer();
  expectGraph("prog_relu_modules_3");
}

// Savers.

TEST_F(BuildPrograms, Saver) {
  std::string program = "prog_saver";
  Variable theta(constantOf(program, "theta/initial_value"), {.name = "theta"});
  Variable step(7, {.trainable = false, .name = "global_step"});
  Saver saver({.name = "save", .saveRelativePaths = true});
  Saver named(std::map<std::string, Saveable>{{"weights", theta}},
              {.name = "save_named"});
  theta.assignAdd(ops::ones({9, 1}), {.name = "bump"});
  globalVariablesInitializer();
  expectGraph(program);
  EXPECT_EQ(saver.def(),
            (SaverDef{.filenameTensorName = "save/Const:0",
                      .saveTensorName = "save/control_dependency:0",
                      .restoreOpName = "save/restore_all"}));
}

TEST_F(BuildPrograms, SaverOfAllTypes) {
  std::string program = "prog_saver_dtypes";
  auto add = [&](const std::string &name) {
    return Variable(constantOf(program, name + "/initial_value"),
                    {.name = name});
  };
  for (const char *type :
       {"float16", "float32", "float64", "int8", "int16", "int32", "int64",
        "uint8", "uint16", "bool", "scalar", "empty"})
    add(std::string("v_") + type);
  Variable(ops::cast({1.5, -2.0}, DType::BFloat16), {.name = "v_bfloat16"});
  add("v_string");
  PartitionedVariable parts = getPartitionedVariable(
      "v_part", fixedSizePartitioner(3),
      {.shape = {7, 2}, .initializer = randomUniformInitializer(0.0, 1.0, 3)});
  Saver saver({.saveRelativePaths = true});
  globalVariablesInitializer();
  parts.asTensor();
  expectGraph(program);
}

} // namespace
} // namespace kiln
