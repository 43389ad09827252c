// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program whose main() README.md shows, line by line.
#include "kiln/BuildOps.h"
#include "kiln/DefaultSession.h"
#include "kiln/Layers.h"
#include "kiln/Losses.h"
#include "kiln/Optimizers.h"
#include "kiln/Saver.h"

#include <cstdio>

using namespace kiln;

int main(int argc, char **argv) {
  setRandomSeed(7);
  Output x = ops::placeholder(DType::Float32, {-1, 1});
  Output hidden = ops::tanh(layers::dense(x, 16));
  Output y = layers::dense(hidden, 1);
  Output loss = losses::meanSquaredError(ops::sin(x), y);
  const Node *train = AdamOptimizer(0.03).minimize(loss);
  Saver saver;

  auto session = *makeSession();
  auto points =
      fetch(*session, ops::reshape(ops::range(-3., 3., 0.1), {-1, 1}));
  std::ignore = run(*session, globalVariablesInitializer());
  for (int step = 0; step < 500; ++step)
    std::ignore = run(*session, train, {{x, *points}});
  auto path = saver.save(*session, argc > 1 ? argv[1] : "model");

  auto later = *makeSession(); // with the graph as it is, and no values
  Status restored = saver.restore(*later, *path);
  auto answer = fetch(*later, y, {{x, {{0.5}}}});
  if (!restored.ok() || !answer.ok())
    return std::puts(answer.status().toString().c_str()), 1;
  std::printf("sin(0.5) is about %.2f\n", answer->data<float>()[0]);
}
