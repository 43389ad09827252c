// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear regression by gradient descent, with gradients by hand, by the graph
// and by optimizers, on all rows at once and in batches:
// gradient_descent FILE.csv (examples/data).
#include "examples/common/Check.h"
#include "examples/common/Regression.h"
#include "kiln/BuildOps.h"
#include "kiln/DefaultSession.h"
#include "kiln/Gradients.h"
#include "kiln/Optimizers.h"

#include <cstdio>

using namespace kiln;
using examples::check;

namespace {

constexpr double rate = 0.05;

/// What all ways have in common, in the current graph.
struct Model {
  explicit Model(int64_t features) {
    setRandomSeed(42);
    x = ops::placeholder(DType::Float32, {-1, features}, {.name = "X"});
    y = ops::placeholder(DType::Float32, {-1, 1}, {.name = "y"});
    theta =
        Variable(ops::randomUniform({features, 1}, -1., 1.), {.name = "theta"});
    error = ops::matMul(x, theta) - y;
    mse = ops::reduceMean(ops::square(error), {.name = "mse"});
  }
  Output x, y, error, mse;
  Variable theta;
};

using Step = const Node *(const Model &);

/// The derivative of the mean of the squares is known.
const Node *byHand(const Model &model) {
  Output rows = ops::cast(ops::shape(model.x)[0], DType::Float32);
  Output slope =
      2. / rows * ops::matMul(model.x, model.error, {.transposeA = true});
  return model.theta.assignSub(rate * slope).operation();
}

const Node *byGradients(const Model &model) {
  Output slope = gradients({model.mse}, {model.theta})[0];
  return model.theta.assignSub(rate * slope).operation();
}

const Node *byOptimizer(const Model &model) {
  return GradientDescentOptimizer(rate).minimize(model.mse);
}

const Node *byMomentum(const Model &model) {
  return MomentumOptimizer(rate / 10, 0.9).minimize(model.mse);
}

const Node *byAdam(const Model &model) {
  return AdamOptimizer(0.5).minimize(model.mse);
}

/// Goes through the data so often, and returns the loss over all of it.
float train(const examples::RegressionData &data, Step step, int64_t batchSize,
            int epochs) {
  GraphBuilder graph;
  GraphScope scope(graph);
  Model model(data.features());
  const Node *once = step(model);
  const Node *init = globalVariablesInitializer();

  SessionScope session(check(makeSession()));
  check(run(init));
  for (int epoch = 0; epoch < epochs; ++epoch)
    for (int64_t begin = 0; begin < data.rows(); begin += batchSize) {
      auto rows = check(examples::batch(data, begin, batchSize));
      check(run(once, {{model.x, rows.x}, {model.y, rows.y}}));
    }
  return check(eval(model.mse, {{model.x, data.x}, {model.y, data.y}}))
      .data<float>()[0];
}

} // namespace

int main(int argc, char **argv) {
  auto table = check(examples::readCsv(argc > 1 ? argv[1] : "diabetes.csv"));
  auto data = check(examples::standardize(table));
  const std::pair<const char *, Step *> ways[] = {
      {"by hand", byHand},
      {"gradients()", byGradients},
      {"gradient descent", byOptimizer},
      {"momentum", byMomentum},
      {"Adam", byAdam}};
  std::printf("%-18s %14s %18s\n", "loss after", "1000 x all rows",
              "100 x batches of 50");
  for (auto [name, step] : ways)
    std::printf("%-18s %14.1f %18.1f\n", name,
                train(data, step, data.rows(), 1000),
                train(data, step, 50, 100));
}
