// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A network trained by several processes, each with its share of every batch:
// mpirun -np 4 kiln-example-ranks mpi. Without an argument one process trains
// alone, on whole batches; the loss is the same.
#include "examples/common/Check.h"
#include "kiln/BuildOps.h"
#include "kiln/Communicator.h"
#include "kiln/DefaultSession.h"
#include "kiln/DistributedOptimizer.h"
#include "kiln/Layers.h"
#include "kiln/Losses.h"
#include "kiln/Optimizers.h"
#include "kiln/ops/Collective.h"

#include <cstdio>
#include <string>

using namespace kiln;
using examples::check;

int main(int argc, char **argv) {
  if (argc > 1)
    Communicator::setOfProcess(check(Communicator::load(argv[1])));
  const int rank = Communicator::ofProcess()->rank();
  const int size = Communicator::ofProcess()->size();

  setRandomSeed(7 + rank);
  Output x = ops::placeholder(DType::Float32, {-1, 1});
  Output y = layers::dense(ops::tanh(layers::dense(x, 16)), 1);
  Output loss = losses::meanSquaredError(ops::sin(x), y);
  AdamOptimizer adam(0.03);
  const Node *train = DistributedOptimizer(adam).minimize(loss);
  Output mean = ops::horovodAllreduce(loss, /*reduceOp: average*/ 0, 1, 1);
  // Each rank has drawn weights of its own; the first one's are taken.
  const Node *initialize = globalVariablesInitializer();
  const Node *alike = broadcastVariables(globalVariables());

  auto session = check(makeSession());
  check(run(*session, initialize));
  check(run(*session, alike));
  constexpr int64_t batch = 60;
  const int64_t share = batch / size;
  std::vector<float> points(batch);
  for (int64_t i = 0; i < batch; ++i)
    points[static_cast<size_t>(i)] = static_cast<float>(i) * 0.1f - 3;
  Tensor mine = check(
      Tensor::borrow(DType::Float32, {share, 1}, points.data() + rank * share));
  for (int step = 0; step < 500; ++step)
    check(run(*session, train, {{x, mine}}));
  Tensor last = check(fetch(*session, mean, {{x, mine}}));
  if (rank == 0)
    std::printf("%d ranks end with a loss of %.4f\n", size,
                last.data<float>()[0]);
  Communicator::setOfProcess(nullptr); // waits for the others
}
