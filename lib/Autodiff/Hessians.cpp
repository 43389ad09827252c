// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Second derivatives: a loop over the elements of a gradient, each of which is
// differentiated once more.
#include "kiln/ControlFlow.h"
#include "kiln/Gradients.h"
#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/TensorArray.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "lib/Build/BuildState.h"

namespace kiln {
namespace {

Output hessian(const Output &slopes, const Input &x) {
  GraphBuilder graph = GraphBuilder::current();
  Output flat = ops::reshape(slopes, {-1});
  Output count = ops::size(x);
  Output first = ops::constant(0);
  if (graph.internals().failed())
    return {};
  TensorArray rows(slopes.dtype(), count);
  Outputs done = ops::whileLoop(
      [&](const Outputs &v) { return v[0] < count; },
      [&](const Outputs &v) {
        Output next = v[0] + 1;
        std::vector<Gradient> row = gradients({flat[v[0]]}, {x});
        if (row.size() != 1 || row[0].isNone()) {
          graph.fail(invalidArgumentError(
              "expected a gradient that depends on the tensor that it is for"));
          return Outputs();
        }
        return Outputs{
            next, rows.withFlow(v[1]).write(v[0], row[0].toTensor()).flow()};
      },
      {first, rows.flow()});
  if (done.size() != 2)
    return {};
  Output shape = ops::shape(x);
  Output all = rows.withFlow(done[1]).stack();
  return ops::reshape(all, ops::concat({shape, shape}, 0));
}

} // namespace

std::vector<Output> hessians(const InputList &ys, const InputList &xs,
                             const HessianOptions &options) {
  std::vector<Gradient> slopes = gradients(ys, xs,
                                           {.aggregation = options.aggregation,
                                            .colocate = options.colocate,
                                            .gate = options.gate});
  std::vector<Output> all;
  for (size_t i = 0; i < slopes.size(); ++i) {
    Output slope = slopes[i].toTensor();
    if (!slope.node) {
      GraphBuilder::current().fail(invalidArgumentError(
          "expected tensors that depend on those to differentiate by"));
      return {};
    }
    GraphScope graph(GraphBuilder::of(slope));
    all.push_back(hessian(slope, xs.list()[i]));
  }
  return all;
}

} // namespace kiln
