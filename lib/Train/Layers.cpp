// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dense layers, flattening and dropout, as TensorFlow's Python adds them.
#include "kiln/ControlFlow.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/NnOps.h"
#include "lib/Support/Strings.h"
#include "lib/Train/LayerHelpers.h"

namespace kiln::layers {

Dense::Dense(int64_t units, const DenseOptions &options, std::string kind)
    : Layer(std::move(kind), commonOptions(options)), units(units),
      options(options) {
  setInputSpec({InputSpec{.minRank = 2}});
}

void Dense::build(const Shape &input) {
  if (units <= 0 || !extentOf({&units, 1})) {
    refuse(strCat("Received an invalid value for `units`, expected a positive "
                  "integer. Received: units=",
                  units));
    return;
  }
  const int64_t last = input.rank() > 0 ? input.dim(-1) : -1;
  if (last < 0) {
    refuse("The last dimension of the inputs to `Dense` should be defined. "
           "Found `None`.");
    return;
  }
  setInputSpec({InputSpec{.minRank = 2, .axes = {{-1, last}}}});
  kernel = addWeight("kernel", {last, units}, kernelOptions(options));
  if (options.useBias)
    bias = addWeight("bias", {units}, biasOptions(options));
}

Output Dense::call(const Output &inputs, const Input &) {
  if (!kernel.isValid())
    return {};
  const int rank = inputs.shape().rank();
  Output result;
  if (rank > 2) {
    result = ops::tensordot(inputs, kernel, {rank - 1}, {0});
    if (std::optional<Shape> shape = outputShape(inputs.shape());
        shape && result.node)
      GraphBuilder::current().setShape(result, *shape);
  } else {
    Output x = inputs.dtype() == dtype() ? inputs : ops::cast(inputs, dtype());
    result = ops::matMul(x, kernel);
  }
  if (options.useBias)
    result = ops::biasAdd(result, bias);
  return activated(result, options.activation);
}

std::optional<Shape> Dense::outputShape(const Shape &input) const {
  if (input.rank() < 1)
    return std::nullopt;
  Shape shape = input;
  shape.setDim(shape.rank() - 1, units);
  return shape;
}

Output dense(const Input &inputs, int64_t units, const DenseOptions &options) {
  return applied(Dense(units, options), inputs);
}

Flatten::Flatten(const FlattenOptions &options, std::string kind)
    : Layer(std::move(kind), commonOptions(options)), options(options) {
  setInputSpec({InputSpec{.minRank = 1}});
}

Output Flatten::call(const Output &inputs, const Input &) {
  std::optional<bool> isLast = areLast(options.dataFormat);
  if (!isLast)
    return refuse(formatError(options.dataFormat));
  Output x = inputs;
  if (!*isLast && x.shape().rank() > 1) {
    std::vector<int64_t> order{0};
    for (int axis = 2; axis < x.shape().rank(); ++axis)
      order.push_back(axis);
    order.push_back(1);
    x = ops::permute(x, Input(order));
    if (!x.node)
      return {};
  }
  if (x.shape().rank() == 1)
    return ops::expandDims(x, 1);
  std::span<const int64_t> extents = x.shape().dims();
  if (std::optional<int32_t> rest = extentOf(extents.subspan(1)))
    return ops::reshape(x,
                        ops::constant(Input(std::vector<int32_t>{-1, *rest})));
  if (std::optional<int32_t> rows = extentOf(extents.first(1)); rows && *rows)
    return ops::reshape(x, Input(std::vector<int32_t>{*rows, -1}));
  Output batch = ops::shape(x)[0];
  return ops::reshape(x, Input({batch, -1}));
}

std::optional<Shape> Flatten::outputShape(const Shape &input) const {
  if (input.rank() < 1)
    return std::nullopt;
  std::optional<int32_t> rest = extentOf(input.dims().subspan(1));
  return Shape{input.dim(0), rest ? *rest : Shape::unknownDim};
}

Output flatten(const Input &inputs, const FlattenOptions &options) {
  return applied(Flatten(options), inputs);
}

Dropout::Dropout(const DropoutOptions &options, std::string kind)
    : Layer(std::move(kind), commonOptions(options)), options(options) {}

namespace {

/// The shape of what is drawn, whose unknown extents are those of the inputs;
/// nothing for theirs. **Source**: Dropout._get_noise_shape.
std::optional<Input> noiseShape(const Output &inputs,
                                const std::optional<Input> &given) {
  const Shape *shape = given ? std::get_if<Shape>(&given->value()) : nullptr;
  if (!shape || !shape->hasRank())
    return given;
  Output extents = ops::shape(inputs);
  if (shape->isFullyDefined())
    return ops::constant(Input(
        std::vector<int32_t>(shape->dims().begin(), shape->dims().end())));
  Input::List all;
  for (int i = 0; i < shape->rank(); ++i)
    all.push_back(shape->dim(i) < 0 ? Input(extents[i]) : Input(shape->dim(i)));
  return GraphBuilder::current().convert(Input(all));
}

} // namespace

Output Dropout::call(const Output &inputs, const Input &training) {
  auto drop = [&] {
    return ops::dropout(inputs, options.rate,
                        {.noiseShape = noiseShape(inputs, options.noiseShape),
                         .seed = options.seed});
  };
  auto keep = [&] { return ops::identity(inputs); };
  return ops::smartCond(
             training, [&] { return ops::BranchResult(drop()); },
             [&] { return ops::BranchResult(keep()); })
      .outputs;
}

std::optional<Shape> Dropout::outputShape(const Shape &input) const {
  return input;
}

Output dropout(const Input &inputs, const DropoutOptions &options) {
  return applied(Dropout(options), inputs, options.training);
}

} // namespace kiln::layers
