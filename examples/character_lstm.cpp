// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Learns to write a text, character by character, with a long short-term
// memory: character_lstm FILE [STEPS] (examples/data/alice.txt).
#include "examples/common/Check.h"
#include "kiln/BuildOps.h"
#include "kiln/Clipping.h"
#include "kiln/DefaultSession.h"
#include "kiln/Layers.h"
#include "kiln/Losses.h"
#include "kiln/Optimizers.h"
#include "kiln/Rnn.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>

using namespace kiln;
using examples::check;

namespace {

constexpr int64_t units = 128, batchSize = 32, sequence = 32;

/// A text as numbers of its characters.
struct Text {
  std::string alphabet;
  std::vector<int32_t> letters;

  explicit Text(const std::string &path) {
    std::ifstream file(path);
    std::string all(std::istreambuf_iterator<char>(file), {});
    if (all.size() <= batchSize * (sequence + 1))
      check(invalidArgumentError(path + ": expected a longer text"));
    alphabet = all;
    std::ranges::sort(alphabet);
    alphabet.erase(std::ranges::unique(alphabet).begin(), alphabet.end());
    for (char c : all)
      letters.push_back(static_cast<int32_t>(alphabet.find(c)));
  }

  /// The characters of step `step` and those that follow them: each row goes on
  /// where it was, at its own place of the text.
  std::array<Tensor, 2> batch(int64_t step) const {
    const int64_t stride = static_cast<int64_t>(letters.size()) / batchSize;
    const int64_t place = step * sequence % (stride - sequence);
    std::array<Tensor, 2> shifted;
    for (int64_t shift : {0, 1}) {
      shifted[shift] =
          check(Tensor::create(DType::Int32, {batchSize, sequence}));
      auto values = shifted[shift].mutableData<int32_t>();
      for (int64_t row = 0; row < batchSize; ++row)
        std::copy_n(letters.begin() + row * stride + place + shift, sequence,
                    values.begin() + row * sequence);
    }
    return shifted;
  }
};

} // namespace

int main(int argc, char **argv) {
  Text text(argc > 1 ? argv[1] : "alice.txt");
  const int64_t steps = argc > 2 ? std::atoll(argv[2]) : 400;
  const auto numLetters = static_cast<int64_t>(text.alphabet.size());

  setRandomSeed(1);
  Output input = ops::placeholder(DType::Int32, {-1, -1}, {.name = "input"});
  Output next = ops::placeholder(DType::Int32, {-1, -1}, {.name = "next"});
  BasicLstmCell cell(units);
  auto zeros = cell.zeroState(ops::shape(input)[0], DType::Float32);
  auto [outputs, state, others] =
      dynamicRnn(cell, ops::oneHot(input, numLetters), {.initialState = zeros});
  Output logits = layers::dense(outputs, numLetters);
  Output loss = losses::sparseSoftmaxCrossEntropy(next, logits);
  Output drawn = ops::multinomial(logits[{0}] * 1.5, 1, {.seed = 1});

  // Gradients through many steps may explode: their norm is bounded.
  AdamOptimizer optimizer(0.005);
  auto computed = optimizer.computeGradients(loss);
  std::vector<Gradient> slopes;
  for (const auto &each : computed)
    slopes.push_back(each.gradient);
  auto clipped = ops::clipByGlobalNorm(slopes, 5.).list;
  for (size_t i = 0; i < computed.size(); ++i)
    computed[i].gradient = clipped[i];
  const Node *train = optimizer.applyGradients(computed);

  SessionScope session(check(makeSession()));
  check(run(globalVariablesInitializer()));
  // The state goes from batch to batch: it is fetched, and fed to the next.
  auto memory = check(eval(zeros, {{input, text.batch(0)[0]}}));
  float mean = 0;
  for (int64_t step = 0; step < steps; ++step) {
    auto [letters, following] = text.batch(step);
    auto [value, reached, done] =
        check(eval(std::tuple(loss, state, train), {{input, letters},
                                                    {next, following},
                                                    {zeros[0], memory[0]},
                                                    {zeros[1], memory[1]}}));
    memory = std::move(reached);
    mean += value.data<float>()[0] / 50;
    if ((step + 1) % 50 == 0) {
      std::printf("step %4lld, loss %.3f\n", static_cast<long long>(step + 1),
                  mean);
      std::fflush(stdout);
      mean = step + 1 < steps ? 0 : mean;
    }
  }

  // It reads what it wrote.
  std::string written = "Alice ";
  memory = check(eval(zeros, {{input, {{0}}}}));
  for (size_t i = 0; written.size() < 300; ++i) {
    auto letter = static_cast<int32_t>(text.alphabet.find(written[i]));
    auto [last, reached] = check(eval(
        std::pair(drawn, state),
        {{input, {{letter}}}, {zeros[0], memory[0]}, {zeros[1], memory[1]}}));
    memory = std::move(reached);
    if (i + 1 == written.size())
      written += text.alphabet[last.data<int64_t>()[0]];
  }
  std::printf("%s\n", written.c_str());
  std::printf("a letter takes %.2f bits, of %zu by chance %.2f\n",
              mean / std::log(2), text.alphabet.size(), std::log2(numLetters));
}
