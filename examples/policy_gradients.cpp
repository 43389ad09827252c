// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Learns to balance a pole on a cart by policy gradients: the gradients leave
// the graph, are weighed by what came of the actions, and are fed back.
#include "examples/common/Check.h"
#include "kiln/BuildOps.h"
#include "kiln/DefaultSession.h"
#include "kiln/Layers.h"
#include "kiln/Optimizers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>

using namespace kiln;
using examples::check;

namespace {

constexpr int maxSteps = 200, gamesPerUpdate = 10, updates = 80;
constexpr double discount = 0.95;

/// A pole on a cart that is pushed to the left or right at each step of 20 ms
/// (Barto, Sutton and Anderson, 1983).
struct CartPole {
  double x, velocity, angle, spin;

  explicit CartPole(std::mt19937 &random) {
    std::uniform_real_distribution<double> small(-0.05, 0.05);
    for (double *part : {&x, &velocity, &angle, &spin})
      *part = small(random);
  }
  std::array<double, 4> state() const { return {x, velocity, angle, spin}; }
  bool isStanding() const {
    return std::abs(x) < 2.4 && std::abs(angle) < 12 * M_PI / 180;
  }
  void push(bool left) {
    constexpr double gravity = 9.8, poleMass = 0.1, mass = 1.1, half = 0.5,
                     force = 10, seconds = 0.02;
    const double sine = std::sin(angle), cosine = std::cos(angle);
    const double push =
        ((left ? -force : force) + poleMass * half * spin * spin * sine) / mass;
    const double turn = (gravity * sine - cosine * push) /
                        (half * (4. / 3 - poleMass * cosine * cosine / mass));
    const double speedUp = push - poleMass * half * turn * cosine / mass;
    x += seconds * velocity;
    velocity += seconds * speedUp;
    angle += seconds * spin;
    spin += seconds * turn;
  }
};

/// What each step led to: one for each later step, less the later.
std::vector<double> discountedRewards(size_t steps) {
  std::vector<double> rewards(steps, 1);
  for (size_t i = steps - 1; i-- > 0;)
    rewards[i] += discount * rewards[i + 1];
  return rewards;
}

/// One for each step of all games: above 0 for those that turned out better
/// than most.
std::vector<double> advantages(const std::vector<size_t> &lengths) {
  std::vector<double> all;
  for (size_t steps : lengths) {
    auto rewards = discountedRewards(steps);
    all.insert(all.end(), rewards.begin(), rewards.end());
  }
  const auto count = static_cast<double>(all.size());
  const double mean = std::accumulate(all.begin(), all.end(), 0.) / count;
  double variance = 0;
  for (double value : all)
    variance += (value - mean) * (value - mean) / count;
  for (double &value : all)
    value = (value - mean) / std::sqrt(variance);
  return all;
}

} // namespace

int main() {
  setRandomSeed(3);
  Output state = ops::placeholder(DType::Float32, {-1, 4}, {.name = "state"});
  Output hidden = layers::dense(
      state, 8, {.activation = [](const Output &z) { return ops::elu(z); }});
  Output logits = layers::dense(hidden, 1);
  Output left = ops::sigmoid(logits);
  Output action = ops::multinomial(ops::log(ops::concat({left, 1. - left}, 1)),
                                   1, {.seed = 3});
  // The drawn action is taken for the right one; what came of it says later
  // whether it was.
  Output taken = 1. - ops::cast(action, DType::Float32);
  Output entropy = ops::sigmoidCrossEntropyWithLogits(taken, logits);

  AdamOptimizer optimizer(0.02);
  auto computed = optimizer.computeGradients(entropy);
  std::vector<Output> slopes, fed;
  for (GradientAndVariable &each : computed) {
    slopes.push_back(each.gradient.tensor());
    fed.push_back(ops::placeholder(DType::Float32, each.variable.shape()));
    each.gradient = fed.back();
  }
  const Node *train = optimizer.applyGradients(computed);

  SessionScope session(check(makeSession()));
  check(run(globalVariablesInitializer()));
  std::mt19937 random(1);
  double firstMean = 0, mean = 0;
  for (int update = 0; update < updates; ++update) {
    std::vector<size_t> lengths;
    std::vector<std::vector<Tensor>> gradients; // of each step
    for (int game = 0; game < gamesPerUpdate; ++game) {
      CartPole cart(random);
      size_t steps = 0;
      for (; steps < maxSteps && cart.isStanding(); ++steps) {
        auto [drawn, values] =
            check(eval(std::pair(action, slopes), {{state, {cart.state()}}}));
        cart.push(drawn.data<int64_t>()[0] == 0);
        gradients.push_back(std::move(values));
      }
      lengths.push_back(steps);
    }
    auto weights = advantages(lengths);
    FeedValues feeds;
    for (size_t v = 0; v < fed.size(); ++v) {
      Tensor sum = check(Tensor::create(DType::Float32, fed[v].shape()));
      std::span<float> total = sum.mutableData<float>();
      std::ranges::fill(total, 0.f);
      for (size_t i = 0; i < weights.size(); ++i)
        for (size_t k = 0; k < total.size(); ++k)
          total[k] += static_cast<float>(weights[i]) *
                      gradients[i][v].data<float>()[k] /
                      static_cast<float>(weights.size());
      feeds.emplace_back(fed[v], sum);
    }
    check(run(train, feeds));
    mean = static_cast<double>(weights.size()) / gamesPerUpdate;
    firstMean = update == 0 ? mean : firstMean;
    if (update % 20 == 0)
      std::printf("update %3d: the pole stands for %.0f steps\n", update, mean);
  }
  std::printf(
      "after %d updates it stands for %.0f steps of %d, at first %.0f\n",
      updates, mean, maxSteps, firstMean);
}
