// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What lives how long: graphs, the values of nodes, and the values of
// variables.
#include "examples/common/Check.h"
#include "kiln/BuildOps.h"
#include "kiln/DefaultSession.h"

using namespace kiln;
using examples::check;

namespace {

int32_t number(const Tensor &tensor) { return tensor.data<int32_t>()[0]; }

/// Nodes go to the default graph, unless another one takes its place.
void useSeveralGraphs() {
  Variable inDefault(1);
  GraphBuilder other;
  Variable inOther;
  {
    GraphScope scope(other);
    inOther = Variable(2);
  }
  std::cout << "two graphs, two nodes of one name: " << inDefault.op()->name()
            << ", " << inOther.op()->name() << "; "
            << (inOther.graph() == other ? "each in its own" : "?") << "\n";

  // A session runs one graph, and no node of another.
  auto session = check(makeSession());
  Status refused = fetch(*session, inOther).status();
  std::cout << refused.toString() << "\n";
}

/// A node's value ends with the run; x is computed once for what is fetched
/// together, and again for each further run.
void shareOneRun() {
  Variable draws(0);
  Output x = draws.assignAdd(1).value() + 2;
  Output y = x + 5;
  Output z = x * 3;
  SessionScope scope(check(makeSession()));
  check(run(globalVariablesInitializer()));
  check(eval(y));
  check(eval(z));
  std::cout << "two runs compute x " << number(check(eval(draws)))
            << " times, ";
  check(eval(std::pair(y, z)));
  std::cout << "one for both once more: " << number(check(eval(draws))) << "\n";
}

/// A variable lives in a session, from its initializer to the session's end.
void keepVariables() {
  Variable count(10, {.name = "count"});
  Assignment more = count.assignAdd(1);
  const Node *init = count.initializer();
  auto one = check(makeSession()), two = check(makeSession());
  std::cout << fetch(*one, count).status().toString() << "\n";
  check(run(*one, init));
  check(run(*two, init));
  for (int i = 0; i < 5; ++i)
    check(run(*one, more.operation()));
  std::cout << "sessions share no values: " << number(check(fetch(*one, count)))
            << " and " << number(check(fetch(*two, count))) << "\n";
  one->close();
  std::cout << fetch(*one, count).status().toString() << "\n";
}

} // namespace

int main() {
  useSeveralGraphs();
  shareOneRun();
  keepVariables();
}
