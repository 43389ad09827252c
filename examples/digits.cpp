// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Learns to read handwritten digits with a network of one hidden layer, or of
// two convolutions: digits FILE.csv [--convolutions] (examples/data).
#include "examples/common/Check.h"
#include "examples/common/Csv.h"
#include "kiln/BuildOps.h"
#include "kiln/DefaultSession.h"
#include "kiln/Layers.h"
#include "kiln/Losses.h"
#include "kiln/Optimizers.h"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <span>
#include <string_view>

using namespace kiln;
using examples::check;

namespace {

constexpr size_t pixels = 64, batchSize = 50, epochs = 30;

struct Images {
  Tensor values; ///< [n, 64], 0 to 16
  Tensor digits; ///< [n]
};

Images pick(const examples::Table &table, std::span<const size_t> rows) {
  const auto count = static_cast<int64_t>(rows.size());
  Images images = {
      check(Tensor::create(DType::Float32, {count, int64_t(pixels)})),
      check(Tensor::create(DType::Int32, {count}))};
  auto values = images.values.mutableData<float>();
  auto digits = images.digits.mutableData<int32_t>();
  for (size_t i = 0; i < rows.size(); ++i) {
    const double *row = &table.values[rows[i] * (pixels + 1)];
    std::copy_n(row, pixels, values.begin() + i * pixels);
    digits[i] = static_cast<int32_t>(row[pixels]);
  }
  return images;
}

/// One hidden layer.
Output perceptron(const Output &image) {
  return layers::dense(ops::relu(layers::dense(image, 128)), 10);
}

Output convolutions(const Output &image) {
  Output grid = ops::reshape(image, {-1, 8, 8, 1});
  Output edges = ops::relu(layers::conv2D(grid, 16, {3, 3}));
  Output strokes = ops::relu(layers::conv2D(edges, 32, {3, 3}));
  Output places = layers::maxPooling2D(strokes, {2, 2}, {2, 2});
  return layers::dense(ops::relu(layers::dense(layers::flatten(places), 64)),
                       10);
}

void showProgress(size_t epoch, float loss) {
  std::string bar(epoch, '=');
  bar.resize(epochs, ' ');
  std::printf("\r[%s] epoch %zu, loss %.4f", bar.c_str(), epoch, loss);
  std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
  auto table = check(examples::readCsv(argc > 1 ? argv[1] : "digits.csv"));
  if (table.columns.size() != pixels + 1)
    check(invalidArgumentError("expected 64 pixels and a digit in each row"));
  std::vector<size_t> rows(table.numRows());
  std::iota(rows.begin(), rows.end(), 0);
  std::mt19937 random(1);
  std::shuffle(rows.begin(), rows.end(), random);
  const size_t forTests = rows.size() / 5;
  Images tests = pick(table, std::span(rows).first(forTests));
  std::span training = std::span(rows).subspan(forTests);

  setRandomSeed(1);
  Output x = ops::placeholder(DType::Float32, {-1, pixels}, {.name = "pixels"});
  Output digit = ops::placeholder(DType::Int32, {-1}, {.name = "digit"});
  Output logits = argc > 2 && argv[2] == std::string_view("--convolutions")
                      ? convolutions(x / 16.)
                      : perceptron(x / 16.);
  Output loss = losses::sparseSoftmaxCrossEntropy(digit, logits);
  const Node *train = AdamOptimizer(0.003).minimize(loss);
  Output read = ops::cast(ops::argMax(logits, 1), DType::Int32);
  Output accuracy =
      ops::reduceMean(ops::cast(ops::equal(read, digit), DType::Float32));

  auto session = check(makeSession());
  check(run(*session, globalVariablesInitializer()));
  for (size_t epoch = 1; epoch <= epochs; ++epoch) {
    std::shuffle(training.begin(), training.end(), random);
    float last = 0;
    for (size_t i = 0; i < training.size(); i += batchSize) {
      Images batch = pick(table, training.subspan(i).first(
                                     std::min(batchSize, training.size() - i)));
      FeedValues feeds = {{x, batch.values}, {digit, batch.digits}};
      auto [value, done] =
          check(fetch(*session, std::pair(loss, train), feeds));
      last = value.data<float>()[0];
    }
    showProgress(epoch, last);
  }
  Tensor right = check(
      fetch(*session, accuracy, {{x, tests.values}, {digit, tests.digits}}));
  std::printf("\n%.1f %% of %zu digits that it had not seen are read right\n",
              100 * right.data<float>()[0], forTests);
}
