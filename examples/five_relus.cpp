// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Five rectified linear units with weights of their own and one threshold that
// they share.
#include "examples/common/Check.h"
#include "kiln/BuildOps.h"
#include "kiln/DefaultSession.h"

using namespace kiln;
using examples::check;

namespace {

/// The first call makes the threshold, the others find it: variables have the
/// scope's name; what only ops are made of gets a new one each time.
Output relu(const Output &x) {
  VariableScope scope("relu", {.reuse = autoReuse});
  Variable threshold = getVariable("threshold", {.initializer = 0.});
  Variable weights(ops::randomNormal({x.shape().dim(1), 1}),
                   {.name = "weights"});
  Variable bias(0., {.name = "bias"});
  Output z = ops::add(ops::matMul(x, weights), bias, {.name = "z"});
  return ops::maximum(z, threshold, {.name = "max"});
}

} // namespace

int main() {
  setRandomSeed(42);
  Output x = ops::placeholder(DType::Float32, {-1, 3}, {.name = "X"});
  std::vector<Output> relus;
  for (int i = 0; i < 5; ++i)
    relus.push_back(relu(x));
  Output sum = ops::addN(relus, {.name = "output"});

  for (const Variable &variable : globalVariables())
    std::cout << variable.name() << "\n";
  for (const Output &each : relus)
    std::cout << each.name() << " of " << each.node->input(0).name() << ", "
              << each.node->input(1).name() << "\n";

  Variable threshold;
  {
    VariableScope scope("relu", {.reuse = true});
    threshold = getVariable("threshold");
  }
  const Node *raise = threshold.assign(100.).operation();
  SessionScope session(check(makeSession()));
  check(run(globalVariablesInitializer()));
  FeedValues feeds = {{x, {{1., 2., 3.}}}};
  float before = check(eval(sum, feeds)).data<float>()[0];
  check(run(raise));
  float after = check(eval(sum, feeds)).data<float>()[0];
  std::cout << "the sum is " << before << " above 0, and " << after
            << " above 100\n";
}
