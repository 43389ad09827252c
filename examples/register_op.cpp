// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An op of one's own: RowDistances, the Euclidean distances of two tables'
// rows.
//
// Three things make an op: what its nodes look like, the shapes of its outputs
// as formulas of those of its inputs, and a kernel that fills the outputs. The
// graph that uses it is text here; a GraphDef that TensorFlow wrote with the op
// registered there works as well.
#include "kiln/GraphDef.h"
#include "kiln/RegisterOp.h"
#include "kiln/Session.h"

#include <cmath>
#include <cstdio>

using namespace kiln;

/// x: [n, d], y: [m, d] -> [n, m]. Compiled once, it serves all n, m and d.
static Status shapeOf(ShapeCall &call) {
  if (call.rank(0) == -1 || call.rank(1) == -1)
    return okStatus(); // not known yet: nothing is said of the output
  if (call.rank(0) != 2 || call.rank(1) != 2)
    return call.error("expected two tables");
  call.setOutput(0, {call.dim(0, 0), call.dim(1, 0)});
  return call.requireEqual(call.dim(0, 1), call.dim(1, 1),
                           "expected rows of one length");
}

static Status compute(OpCall &call) {
  const int64_t n = call.outputShape(0)[0], m = call.outputShape(0)[1],
                d = call.inputShape(0)[1];
  const double scale = call.floatAttr(0);
  auto x = call.input<float>(0), y = call.input<float>(1);
  auto distances = call.output<float>(0);
  for (int64_t i = 0; i < n && !call.mustStop(); ++i)
    for (int64_t j = 0; j < m; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < d; ++k) {
        double difference = x[i * d + k] - y[j * d + k];
        sum += difference * difference;
      }
      if (std::isnan(sum))
        return invalidArgumentError("expected numbers, got NaN in row " +
                                    std::to_string(i));
      distances[i * m + j] = static_cast<float>(scale * std::sqrt(sum));
    }
  return okStatus();
}

constexpr const char *graphText = R"(
  node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
  node { name: "y" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
  node { name: "distances" op: "RowDistances" input: "x" input: "y"
         attr { key: "scale" value { f: 10 } } }
  node { name: "root" op: "Sqrt" input: "distances"
         attr { key: "T" value { type: DT_FLOAT } } })";

static Status run() {
  Status registered = registerOp({.name = "RowDistances",
                                  .inputs = "x: float32, y: float32",
                                  .outputs = "distances: float32",
                                  .attrs = "scale: float = 1",
                                  .doc = "Distances of the rows of two tables.",
                                  .shape = shapeOf,
                                  .kernel = opKernel<compute>});
  if (!registered.ok())
    return registered;
  auto graph = loadGraphDef(graphText);
  if (!graph.ok())
    return graph.status();
  auto session = Session::create(*graph);
  if (!session.ok())
    return session.status();
  float x[] = {0, 0, 3, 4}, y[] = {0, 0, 6, 8, 3, 0};
  auto results =
      (*session)->run({{"x:0", *Tensor::borrow(DType::Float32, {2, 2}, x)},
                       {"y:0", *Tensor::borrow(DType::Float32, {3, 2}, y)}},
                      {"distances:0", "root:0"});
  if (!results.ok())
    return results.status();
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      std::printf("%g%c", results->at(0).data<float>()[i * 3 + j],
                  j == 2 ? '\n' : ' ');
  return okStatus();
}

int main() {
  Status status = run();
  if (!status.ok())
    return std::puts(status.toString().c_str()), 1;
}
