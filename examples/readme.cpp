// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program whose main() README.md shows, line by line.
#include "kiln/GraphDef.h"
#include "kiln/Session.h"

#include <cstdio>

using namespace kiln;

int main(int, char **argv) {
  auto graph = *loadGraphDefFile(argv[1]);
  auto session = *Session::create(graph);
  auto initialized = session->run({}, {"init"});
  std::vector<float> rows(100 * 11, 0.5f), labels(100, 3.0f);
  std::vector<Feed> feeds = {
      {"X:0", *Tensor::borrow(DType::Float32, {100, 11}, rows.data())},
      {"y:0", *Tensor::borrow(DType::Float32, {100, 1}, labels.data())}};
  for (int step = 0; step < 10; ++step) {
    auto results = session->run(feeds, {"mse:0"}, {"train_op"});
    if (!results.ok())
      return std::puts(results.status().toString().c_str()), 1;
    std::printf("loss %g\n", results->at(0).data<float>()[0]);
  }
}
