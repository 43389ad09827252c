// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that train, as TensorFlow's Python built them: the same graphs, the
// same values after the same steps.
#include "kiln/BuildOps.h"
#include "kiln/Optimizers.h"
#include "test/unit/ProgramFixture.h"

namespace kiln {
namespace {

class TrainingPrograms : public ProgramFixture {
protected:
  TrainingPrograms() { comparison.ignores = isOfGradients; }

  struct Linear {
    Variable theta;
    Output mse;
  };
  Linear linear(const Output &x, const Output &y) {
    Linear made;
    made.theta = Variable(
        ops::randomUniform({x.shape().dim(1), 1}, -1.0, 1.0, {.seed = 42}),
        {.name = "theta"});
    Output predicted = ops::matMul(x, made.theta, {.name = "predictions"});
    NameScope loss("loss");
    made.mse = ops::reduceMean(ops::square(predicted - y), {.name = "mse"});
    return made;
  }

  Linear batchLinear(const std::string &program) {
    Output x = ops::constant(constantOf(program, "X"), {.name = "X"});
    return linear(x, ops::constant(constantOf(program, "y"), {.name = "y"}));
  }

  /// The first value of a variable of the recorded graph.
  static Tensor valueOf(const std::string &program, const std::string &name) {
    return constantOf(program, name + "/initial_value");
  }
};

TEST_F(TrainingPrograms, BatchGradientDescentByGradients) {
  Linear model = batchLinear("prog_batch_gd_gradients");
  Output slope = gradients({model.mse}, {model.theta})[0];
  model.theta.assign(model.theta - 0.01 * slope);
  globalVariablesInitializer();
  expectGraph("prog_batch_gd_gradients");
}

TEST_F(TrainingPrograms, BatchGradientDescent) {
  Linear model = batchLinear("prog_batch_gd_sgd");
  GradientDescentOptimizer(0.01).minimize(model.mse);
  globalVariablesInitializer();
  expectGraph("prog_batch_gd_sgd");
}

TEST_F(TrainingPrograms, BatchGradientDescentWithMomentum) {
  Linear model = batchLinear("prog_batch_gd_momentum");
  MomentumOptimizer(0.01, 0.9).minimize(model.mse);
  globalVariablesInitializer();
  expectGraph("prog_batch_gd_momentum");
}

TEST_F(TrainingPrograms, MiniBatchGradientDescent) {
  Output x = ops::placeholder(DType::Float32, {-1, 11}, {.name = "X"});
  Output y = ops::placeholder(DType::Float32, {-1, 1}, {.name = "y"});
  GradientDescentOptimizer(0.01).minimize(linear(x, y).mse);
  globalVariablesInitializer();
  expectGraph("prog_minibatch_gd");
}

TEST_F(TrainingPrograms, GradientsFromOutside) {
  Output x = ops::placeholder(DType::Float32, {-1, 4}, {.name = "X"});
  Variable w(ops::ones({4, 1}), {.name = "w"}), b(0.5, {.name = "b"});
  Output loss =
      ops::reduceMean(ops::square(ops::matMul(x, w) + b), {.name = "loss"});
  GradientDescentOptimizer optimizer(0.1);
  std::vector<GradientAndVariable> given = optimizer.computeGradients(loss);
  for (size_t i = 0; i < given.size(); ++i)
    given[i].gradient = ops::placeholder(DType::Float32, Shape::unknownRank(),
                                         {.name = "g" + std::to_string(i)});
  optimizer.applyGradients(given);
  globalVariablesInitializer();
  expectGraph("prog_prune_grads_and_vars");
}

TEST_F(TrainingPrograms, Variables) {
  Variable a(ops::zeros({2, 2}), {.name = "a"});
  Variable b(ops::ones({2, 2}), {.name = "b"});
  Variable t(5.0, {.trainable = false, .name = "t"});
  variablesInitializer({a}, "some");
  Assignment up = a.assignAdd({{1., 2.}, {3., 4.}}, {.name = "up"});
  b.assignSub(a, {.name = "down"});
  {
    ControlScope after({up});
    ops::identity(a.readValue() * 10, {.name = "after"});
  }
  GradientDescentOptimizer(0.1).minimize(ops::reduceSum(a * b * t));
  globalVariablesInitializer();
  expectGraph("prog_variables");
}

TEST_F(TrainingPrograms, FetchBesideUpdate) {
  Variable w({1.0, 2.0}, {.name = "w"});
  Variable step(0, {.trainable = false, .name = "global_step"});
  Output x = ops::placeholder(DType::Float32, {2}, {.name = "x"});
  Output loss = ops::reduceSum(ops::square(w * x - 1.0), {.name = "loss"});
  GradientDescentOptimizer(0.1).minimize(loss,
                                         {.globalStep = step, .name = "train"});
  ops::identity(w, {.name = "a"});
  ops::reshape(w, {2, 1}, {.name = "b"});
  globalVariablesInitializer();
  Variable v(0, {.name = "v"});
  Assignment p = v.assignAdd(1, {.name = "p"});
  {
    ControlScope after({p});
    v.assignAdd(10, {.name = "q"});
  }
  expectGraph("prog_fetch_beside_update");
}

TEST_F(TrainingPrograms, FetchBesideUpdateOfHandles) {
  useResourceVariables();
  Variable w({1.0, 2.0}, {.name = "w"});
  Output loss = ops::reduceSum(ops::square(w - 1.0));
  GradientDescentOptimizer(0.1).minimize(loss);
  Assignment up = w.assignAdd({1.0, 1.0});
  {
    ControlScope after({up});
    w.readValue();
  }
  globalVariablesInitializer();
  up.value();
  w.readValue();
  expectGraph("res_fetch_beside_update");
}

TEST_F(TrainingPrograms, MiniBatchOfHandles) {
  useResourceVariables();
  Output x = ops::placeholder(DType::Float32, {-1, 5}, {.name = "X"});
  Output y = ops::placeholder(DType::Float32, {-1, 1}, {.name = "y"});
  Variable theta(ops::randomUniform({5, 1}, -1., 1., {.seed = 42}),
                 {.name = "theta"});
  Variable b(0., {.name = "b"});
  Output mse = ops::reduceMean(ops::square(ops::matMul(x, theta) + b - y),
                               {.name = "mse"});
  GradientDescentOptimizer(.05).minimize(mse);
  MomentumOptimizer(.05, .9).minimize(mse);
  AdamOptimizer(.01).minimize(mse);
  globalVariablesInitializer();
  for (int i = 0; i < 9; ++i) {
    theta.readValue();
    b.readValue();
  }
  expectGraph("res_minibatch");
}

TEST_F(TrainingPrograms, EmbeddingOfHandles) {
  useResourceVariables();
  Output u = ops::placeholder(DType::Int64, {-1}, {.name = "u"});
  Variable e(constantOf("res_embedding", "E/Initializer/initial_value"),
             {.name = "E"});
  Output loss = ops::reduceMean(ops::square(ops::embeddingLookup(e, u) - 1.));
  AdagradOptimizer(.3).minimize(loss);
  AdamOptimizer(.1).minimize(loss);
  GradientDescentOptimizer(.3).minimize(loss);
  globalVariablesInitializer();
  for (int i = 0; i < 3; ++i)
    e.readValue();
  expectGraph("res_embedding");
}

} // namespace
} // namespace kiln
