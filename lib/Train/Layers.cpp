// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layers, as TensorFlow's Python adds them.
#include "kiln/ControlFlow.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/NnOps.h"
#include "lib/Support/Strings.h"
#include "lib/Train/LayerScope.h"

namespace kiln::layers {

Output dense(const Input &inputs, int64_t units, const DenseOptions &options) {
  LayerScope layer(inputs, options.name, "dense", options.reuse);
  if (units <= 0 || !extentOf({&units, 1}))
    return layer.refuse(strCat("Received an invalid value for `units`, "
                               "expected a positive integer. Received: units=",
                               units));
  if (!layer.check(2, true, -1))
    return {};
  const Output &x = layer.inputs;
  int rank = x.shape().rank();
  Weight kernel = kernelOf(layer, {x.shape().dim(rank - 1), units}, options);
  Weight bias = biasOf(layer, units, options);
  if (!kernel.isValid())
    return {};
  Output result = rank == 2 ? ops::matMul(x, kernel)
                            : ops::tensordot(x, kernel, {rank - 1}, {0});
  return finished(result, bias, options);
}

Output flatten(const Input &inputs, const OpOptions &options) {
  LayerScope layer(inputs, options.name, "flatten");
  const Output &x = layer.inputs;
  if (!x.node)
    return {};
  const Shape &shape = x.shape();
  if (!shape.hasRank() || shape.rank() < 1)
    return layer.refuse(
        strCat("expected an input of at least one axis, got the shape ",
               shape.toTupleString()));
  std::span<const int64_t> extents = shape.dims();
  if (std::optional<int32_t> rest = extentOf(extents.subspan(1)))
    return ops::reshape(x,
                        ops::constant(Input(std::vector<int32_t>{-1, *rest})));
  if (std::optional<int32_t> rows = extentOf(extents.first(1)); rows && *rows)
    return ops::reshape(x, Input(std::vector<int32_t>{*rows, -1}));
  Output batch = ops::shape(x)[0];
  return ops::reshape(x, Input({batch, -1}));
}

Output dropout(const Input &inputs, const DropoutOptions &options) {
  LayerScope layer(inputs, options.name, "dropout");
  const Output &x = layer.inputs;
  if (!x.node)
    return {};
  auto drop = [&] {
    return ops::dropout(
        x, options.rate,
        {.noiseShape = options.noiseShape, .seed = options.seed});
  };
  auto keep = [&] { return ops::identity(x); };
  return ops::smartCond(
             options.training, [&] { return ops::BranchResult(drop()); },
             [&] { return ops::BranchResult(keep()); })
      .outputs;
}

} // namespace kiln::layers
