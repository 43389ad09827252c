// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that train, as TensorFlow's Python built them: the same graphs, the
// same values after the same steps.
#include "kiln/BuildOps.h"
#include "kiln/Clipping.h"
#include "kiln/Optimizers.h"
#include "kiln/SampledLosses.h"
#include "kiln/Summary.h"
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
  ops::assign(model.theta, model.theta - 0.01 * slope);
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

// Two-layer classifiers, trained by each optimizer with clipped gradients.

class Classifiers : public TrainingPrograms {
protected:
  void train(const std::string &program,
             const std::function<std::unique_ptr<Optimizer>()> &make) {
    setRandomSeed(7);
    Output x = ops::placeholder(DType::Float32, {-1, 12}, {.name = "X"});
    Output y = ops::placeholder(DType::Int64, {-1}, {.name = "y"});
    Variable w1(valueOf(program, "w1"), {.name = "w1"});
    Output first = ops::matMul(x, w1);
    Variable b1(ops::zeros({16}), {.name = "b1"});
    Output h = ops::relu(first + b1);
    Variable w2(valueOf(program, "w2"), {.name = "w2"});
    Output second = ops::matMul(h, w2);
    Variable b2(ops::zeros({4}), {.name = "b2"});
    Output logits = second + b2;
    Output loss = ops::reduceMean(
        ops::sparseSoftmaxCrossEntropyWithLogits(y, logits), {.name = "loss"});
    ops::reduceMean(ops::cast(ops::inTopK(logits, y, 1), DType::Float32),
                    {.name = "accuracy"});
    std::unique_ptr<Optimizer> optimizer = make();
    std::vector<GradientAndVariable> all = optimizer->computeGradients(loss);
    std::vector<Gradient> slopes;
    for (const GradientAndVariable &each : all)
      slopes.push_back(each.gradient);
    std::vector<Gradient> clipped = ops::clipByGlobalNorm(slopes, 1.0).list;
    for (size_t i = 0; i < all.size(); ++i)
      all[i].gradient = clipped[i];
    optimizer->applyGradients(all);
    globalVariablesInitializer();
    expectGraph(program);
  }
};

TEST_F(Classifiers, Adam) {
  train("prog_mlp_adam", [] { return std::make_unique<AdamOptimizer>(0.01); });
}
TEST_F(Classifiers, Adagrad) {
  train("prog_mlp_adagrad",
        [] { return std::make_unique<AdagradOptimizer>(0.1); });
}
TEST_F(Classifiers, RMSProp) {
  train("prog_mlp_rmsprop", [] {
    return std::make_unique<RMSPropOptimizer>(0.01,
                                              RMSPropOptions{.momentum = 0.5});
  });
}
TEST_F(Classifiers, Ftrl) {
  train("prog_mlp_ftrl", [] {
    return std::make_unique<FtrlOptimizer>(
        0.1, FtrlOptions{.l1RegularizationStrength = 0.01});
  });
}
TEST_F(Classifiers, Adadelta) {
  train("prog_mlp_adadelta",
        [] { return std::make_unique<AdadeltaOptimizer>(1.0); });
}
TEST_F(Classifiers, Nesterov) {
  train("prog_mlp_momentum_nesterov", [] {
    return std::make_unique<MomentumOptimizer>(
        0.05, 0.9, MomentumOptions{.useNesterov = true});
  });
}
TEST_F(Classifiers, ProximalGradientDescent) {
  train("prog_mlp_proximalgradientdescent", [] {
    return std::make_unique<ProximalGradientDescentOptimizer>(
        0.1, ProximalGradientDescentOptions{.l2RegularizationStrength = 0.01});
  });
}

TEST_F(TrainingPrograms, ConvolutionalNetwork) {
  std::string program = "prog_lenet";
  Output x = ops::placeholder(DType::Float32, {-1, 14, 14, 1}, {.name = "X"});
  Output y = ops::placeholder(DType::Int32, {-1}, {.name = "y"});
  Output h = x;
  int64_t side = 14, channels = 1;
  for (int64_t filters : {4, 8}) {
    std::string number = std::to_string(filters / 8);
    Variable kernel(valueOf(program, "k" + number), {.name = "k" + number});
    h = ops::conv2D(h, kernel, {1, 1, 1, 1}, "SAME");
    Variable bias(ops::zeros(Input(std::vector<int32_t>{int32_t(filters)})),
                  {.name = "c" + number});
    h = ops::maxPool(ops::relu(ops::biasAdd(h, bias)), {1, 2, 2, 1},
                     {1, 2, 2, 1}, "SAME");
    side = (side + 1) / 2;
    channels = filters;
  }
  h = ops::reshape(h, {-1, side * side * channels});
  Variable w(valueOf(program, "w"), {.name = "w"});
  Output product = ops::matMul(h, w);
  Variable b(ops::zeros(Input(std::vector<int32_t>{10})), {.name = "b"});
  Output loss =
      ops::reduceMean(ops::sparseSoftmaxCrossEntropyWithLogits(y, product + b));
  GradientDescentOptimizer(0.05).minimize(loss);
  globalVariablesInitializer();
  expectGraph(program);
}

TEST_F(TrainingPrograms, WordsByNoiseContrastiveEstimation) {
  std::string program = "prog_word2vec_nce";
  setRandomSeed(42);
  int64_t words = 200, dim = 16;
  Output centre, target, loss;
  {
    NameScope data("data");
    centre = ops::placeholder(DType::Int32, {8}, {.name = "center_words"});
    target = ops::placeholder(DType::Int32, {8, 1}, {.name = "target_words"});
  }
  {
    DeviceScope device("/cpu:0");
    Variable matrix;
    {
      NameScope embed("embed");
      matrix = Variable(ops::randomUniform({words, dim}, -1.0, 1.0),
                        {.name = "embed_matrix"});
    }
    {
      NameScope scope("loss");
      Output embed = ops::embeddingLookup(matrix, centre, {.name = "embed"});
      Variable w(ops::truncatedNormal({words, dim}, {.stddev = 0.25}),
                 {.name = "nce_weight"});
      Variable b(ops::zeros(Input(std::vector<int64_t>{words})),
                 {.name = "nce_bias"});
      loss = ops::reduceMean(ops::nceLoss(w, b, target, embed, 5, words),
                             {.name = "loss"});
    }
    Variable step(0, {.trainable = false, .name = "global_step"});
    GradientDescentOptimizer(1.0).minimize(loss, {.globalStep = step});
  }
  summary::scalar("loss", loss);
  globalVariablesInitializer();
  expectGraph(program);
}

} // namespace
} // namespace kiln
