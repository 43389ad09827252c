// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first graph: building it computes nothing, running it does.
#include "examples/common/Check.h"
#include "kiln/BuildOps.h"
#include "kiln/DefaultSession.h"

using namespace kiln;
using examples::check;

int main() {
  Variable x(3, {.name = "x"});
  Variable y(4, {.name = "y"});
  Output f = x * x * y + y + 2;
  const Node *init = globalVariablesInitializer();
  std::cout << "nothing is computed yet; " << f.node->name() << " is a node of "
            << GraphBuilder::current().graph()->numNodes() << "\n";

  SessionScope session(check(makeSession()));
  check(run(init));
  std::cout << "f = " << check(eval(f)).data<int32_t>()[0] << "\n";

  // The assignment is an operation like any other: nothing until it runs.
  Assignment next = x.assign(5);
  check(run(next.operation()));
  std::cout << "f = " << check(eval(f)).data<int32_t>()[0] << " once x is 5\n";
}
