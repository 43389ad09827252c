// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks that share a batch train as one process does with all of it, with every
// optimizer, dense and sparse gradients; their weights have the same bits.
#include "kiln/BuildOps.h"
#include "kiln/Communicator.h"
#include "kiln/DistributedOptimizer.h"
#include "kiln/GraphBuilder.h"
#include "kiln/Optimizers.h"
#include "test/unit/Collectives/ThreadWorld.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

namespace kiln {
namespace {

using namespace kiln::testing;

constexpr int64_t batch = 8, inputs = 6, rowsOfTable = 12;
constexpr int steps = 500;

struct Training {
  std::string name;
  std::function<std::unique_ptr<Optimizer>()> make;
};

std::vector<Training> trainings() {
  return {
      {"GradientDescent",
       [] { return std::make_unique<GradientDescentOptimizer>(0.02); }},
      {"Momentum",
       [] { return std::make_unique<MomentumOptimizer>(0.01, 0.9); }},
      {"Adam", [] { return std::make_unique<AdamOptimizer>(0.01); }},
      {"Adagrad", [] { return std::make_unique<AdagradOptimizer>(0.05); }},
      {"RMSProp", [] { return std::make_unique<RMSPropOptimizer>(0.005); }},
      {"Ftrl", [] { return std::make_unique<FtrlOptimizer>(0.05); }},
      {"Adadelta", [] { return std::make_unique<AdadeltaOptimizer>(0.5); }},
      {"ProximalGradientDescent",
       [] { return std::make_unique<ProximalGradientDescentOptimizer>(0.02); }},
      {"ProximalAdagrad",
       [] { return std::make_unique<ProximalAdagradOptimizer>(0.05); }}};
}

/// What a run leaves.
struct Trained {
  std::vector<float> losses, table, weights;
};

class DistributedTraining : public ::testing::TestWithParam<Training> {
protected:
  /// Trains one of `size` ranks. Each looks up rows of a table and takes its
  /// share of the batch.
  static Trained train(int rank, int size, std::shared_ptr<Communicator> ranks,
                       const DistributedOptions &options) {
    GraphBuilder graph;
    GraphScope scope(graph);
    Output x = ops::placeholder(DType::Float32, {-1, inputs}, {.name = "x"});
    Output y = ops::placeholder(DType::Float32, {-1}, {.name = "y"});
    Output rows = ops::placeholder(DType::Int32, {-1}, {.name = "rows"});
    // Ranks begin with other values, which rank 0's replace.
    const float start = 0.1f * static_cast<float>(rank + 1);
    Variable table(ops::fill({rowsOfTable, 3}, start), {.name = "table"});
    Variable w(ops::fill({inputs + 3, 1}, start), {.name = "w"});
    Output features = ops::concat({x, ops::gather(table, rows)}, 1);
    Output made = ops::squeeze(ops::tanh(ops::matMul(features, w)));
    Output difference = made - y;
    Output loss = ops::reduceMean(difference * difference);
    std::unique_ptr<Optimizer> optimizer = GetParam().make();
    const Node *step = DistributedOptimizer(*optimizer, options).minimize(loss);
    Output mean = ops::horovodAllreduce(loss, 0, 1, 1);
    const Node *init = globalVariablesInitializer();
    const Node *same = broadcastVariables({table, w});
    EXPECT_THAT(graph.status(), isOk());

    SessionOptions sessionOptions;
    sessionOptions.communicator = std::move(ranks);
    auto session = *Session::create(graph.graph(), sessionOptions);
    EXPECT_THAT(session->run({}, {}, {init->name()}), isOk());
    EXPECT_THAT(session->run({}, {}, {same->name()}), isOk());
    Trained trained;
    std::mt19937 engine(7);
    std::normal_distribution<float> normal;
    const int64_t mine = batch / size;
    for (int i = 0; i < steps; ++i) {
      std::vector<float> xs(batch * inputs), ys(batch);
      std::vector<int32_t> numbers(batch);
      for (float &each : xs)
        each = normal(engine);
      for (int64_t k = 0; k < batch; ++k) {
        ys[size_t(k)] = std::sin(xs[size_t(k * inputs)]);
        numbers[size_t(k)] = static_cast<int32_t>(engine() % rowsOfTable);
      }
      const int64_t first = rank * mine;
      auto results = session->run(
          {{x, *Tensor::borrow(DType::Float32, {mine, inputs},
                               xs.data() + first * inputs)},
           {y, *Tensor::borrow(DType::Float32, {mine}, ys.data() + first)},
           {rows,
            *Tensor::borrow(DType::Int32, {mine}, numbers.data() + first)}},
          {mean}, {step->name()});
      EXPECT_THAT(results, isOk());
      if (!results.ok())
        return trained;
      trained.losses.push_back(results->at(0).data<float>()[0]);
    }
    auto values = session->run({}, {Output(table), Output(w)});
    EXPECT_THAT(values, isOk());
    trained.table = valuesOf<float>(values->at(0));
    trained.weights = valuesOf<float>(values->at(1));
    return trained;
  }

  static std::vector<Trained> trainAll(int size,
                                       const DistributedOptions &options) {
    std::vector<Trained> all(static_cast<size_t>(size));
    asRanks(size, {}, [&](int rank, auto ranks) {
      all[size_t(rank)] = train(rank, size, ranks, options);
    });
    return all;
  }

  static double largestDifference(const std::vector<float> &a,
                                  const std::vector<float> &b) {
    EXPECT_EQ(a.size(), b.size());
    double largest = 0;
    for (size_t i = 0; i < a.size() && i < b.size(); ++i)
      largest = std::max(largest, std::abs(double(a[i]) - double(b[i])) /
                                      std::max(1.0, std::abs(double(b[i]))));
    return largest;
  }
};

TEST_P(DistributedTraining, IsThatOfOneProcessWithTheWholeBatch) {
  // Rows that no rank looks up are stepped, too, where they are dense.
  for (bool sparseAsDense : {false, true}) {
    DistributedOptions options{.sparseAsDense = sparseAsDense};
    Trained alone = train(0, 1, Communicator::alone(), options);
    EXPECT_LT(alone.losses.back(), alone.losses.front());
    std::vector<Trained> two = trainAll(2, options);
    EXPECT_LE(largestDifference(two[0].losses, alone.losses), 1e-5);
    EXPECT_LE(largestDifference(two[0].weights, alone.weights), 1e-5);
    EXPECT_LE(largestDifference(two[0].table, alone.table), 1e-5);
    EXPECT_EQ(two[0].weights, two[1].weights); // bits
    EXPECT_EQ(two[0].table, two[1].table);
  }
}

INSTANTIATE_TEST_SUITE_P(Optimizers, DistributedTraining,
                         ::testing::ValuesIn(trainings()),
                         [](const auto &info) { return info.param.name; });

/// Each gradient goes alone.
class FourRanks : public DistributedTraining {};

TEST_P(FourRanks, GiveTheSameBitsInEachRun) {
  const DistributedOptions options{.bucketBytes = 0};
  std::vector<Trained> one = trainAll(4, options), more = trainAll(4, options);
  Trained alone = train(0, 1, Communicator::alone(), options);
  EXPECT_LE(largestDifference(one[0].losses, alone.losses), 1e-5);
  EXPECT_EQ(one[0].weights, one[3].weights);
  EXPECT_EQ(one[0].losses, more[0].losses);
  EXPECT_EQ(one[0].weights, more[0].weights);
}

INSTANTIATE_TEST_SUITE_P(Adam, FourRanks, ::testing::Values(trainings()[2]));

} // namespace
} // namespace kiln
