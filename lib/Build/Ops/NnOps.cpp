// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of neural networks as TensorFlow's Python functions add them.
#include "kiln/ops/NnOps.h"

#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/Convolution.h"
#include "kiln/ops/Indexing.h"
#include "kiln/ops/Losses.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/Pooling.h"
#include "kiln/ops/RandomOps.h"
#include "kiln/ops/Selection.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/Strings.h"

namespace kiln::ops {

Output biasAdd(const Input &value, const Input &bias,
               const BiasAddOptions &options) {
  FunctionScope scope(options.name, "BiasAdd", {&value, &bias});
  Output x = convert(value, "input");
  if (!x.node)
    return {};
  Output b = convert(bias, "bias", x.dtype());
  return rawOps::biasAdd(x, b,
                         {.dataFormat = options.dataFormat, .name = scope});
}

namespace {

/// A function of the last axis on another one. **Source**:
/// nn_ops._wrap_2d_function.
template <class Function>
Output alongAxis(const Input &logits, const SoftmaxOptions &options,
                 Function function) {
  GraphScope graph(builderOf(logits));
  Output inputs = valueOf(logits);
  if (!inputs.node)
    return {};
  int rank = inputs.shape().rank();
  if (options.axis == -1 || options.axis == rank - 1)
    return function(inputs, options.name);
  if (options.axis < -rank || options.axis >= rank)
    return failed(
        invalidArgumentError(strCat(
            "`dim` must be in the range [", -rank, ", ", rank, ") where ", rank,
            " is the number of dimensions in the input. Received: "
            "dim=",
            options.axis)),
        options.name);
  int64_t axis = options.axis < 0 ? options.axis + rank : options.axis;
  std::vector<int32_t> perm(static_cast<size_t>(rank));
  for (size_t i = 0; i < perm.size(); ++i)
    perm[i] = static_cast<int32_t>(i);
  std::swap(perm[static_cast<size_t>(axis)], perm.back());
  Output moved = transpose(inputs, perm);
  return transpose(function(moved, std::string()), perm,
                   {.name = options.name});
}

/// All axes but the last as one.
Output flattenOuter(const Output &logits) {
  Output rank = ops::rank(logits);
  Output last =
      rawOps::slice(shape(logits), Input(Input::List{subtract(rank, 1)}), {1});
  return rawOps::reshape(logits, concat({Input(Input::List{-1}), last}, 0));
}

} // namespace

Output softmax(const Input &logits, const SoftmaxOptions &options) {
  return alongAxis(logits, options,
                   [](const Output &x, const std::string &name) {
                     return rawOps::softmax(x, {.name = name});
                   });
}
Output logSoftmax(const Input &logits, const SoftmaxOptions &options) {
  return alongAxis(logits, options,
                   [](const Output &x, const std::string &name) {
                     return rawOps::logSoftmax(x, {.name = name});
                   });
}

Output softmaxCrossEntropyWithLogits(const Input &labels, const Input &logits,
                                     const OpOptions &options) {
  Output stopped;
  {
    FunctionScope scope(options.name, "softmax_cross_entropy_with_logits_sg",
                        {&logits, &labels});
    stopped = rawOps::stopGradient(labels, {.name = "labels_stop_gradient"});
    if (!stopped.node)
      return {};
    return softmaxCrossEntropyWithLogitsV2(stopped, logits, {.name = scope});
  }
}

Output softmaxCrossEntropyWithLogitsV2(const Input &labels, const Input &logits,
                                       const OpOptions &options) {
  FunctionScope scope(options.name, "softmax_cross_entropy_with_logits",
                      {&logits, &labels});
  Output x = convert(logits, "logits"), y = convert(labels, "labels");
  if (!x.node || !y.node)
    return {};
  DType dtype = x.dtype();
  bool isNarrow = dtype == DType::Float16 || dtype == DType::BFloat16;
  if (isNarrow)
    x = cast(x, DType::Float32);
  y = cast(y, x.node ? x.dtype() : DType::Float32);
  if (!x.node || !y.node)
    return {};
  Output rank = ops::rank(x), inputShape = shape(x);
  Output cost = rawOps::softmaxCrossEntropyWithLogits(
                    flattenOuter(x), flattenOuter(y), {.name = scope})
                    .loss;
  Output outputShape =
      rawOps::slice(inputShape, {0}, Input(Input::List{subtract(rank, 1)}));
  cost = rawOps::reshape(cost, outputShape);
  return isNarrow ? cast(cost, dtype) : cost;
}

Output sparseSoftmaxCrossEntropyWithLogits(const Input &labels,
                                           const Input &logits,
                                           const OpOptions &options) {
  FunctionScope scope(options.name, "SparseSoftmaxCrossEntropyWithLogits",
                      {&labels, &logits});
  Output y = valueOf(labels), x = valueOf(logits);
  if (!x.node || !y.node)
    return {};
  DType dtype = x.dtype();
  bool isNarrow = dtype == DType::Float16;
  if (isNarrow)
    x = cast(x, DType::Float32);
  Output labelsShape = shape(y);
  if (!x.node)
    return {};
  if (x.shape().rank() == 0)
    return failed(
        invalidArgumentError(
            strCat("`logits` cannot be a scalar. Received logits=", x.name())),
        scope);
  if (x.shape().hasRank() && y.shape().hasRank() &&
      y.shape().rank() != x.shape().rank() - 1)
    return failed(invalidArgumentError(strCat(
                      "`labels.shape.rank` must equal `logits.shape.rank - 1`. "
                      "Received: labels.shape=",
                      y.shape().toTupleString(), " of rank ", y.shape().rank(),
                      " and logits.shape=", x.shape().toTupleString(),
                      " of rank ", x.shape().rank())),
                  scope);
  Output cost;
  if (x.shape().rank() == 2) {
    cost = rawOps::sparseSoftmaxCrossEntropyWithLogits(x, y,
                                                       {.name = options.name})
               .loss;
  } else {
    Output classes = shape(x)[rank(x) - 1];
    Output flat = rawOps::reshape(x, Input({-1, classes}));
    cost = rawOps::sparseSoftmaxCrossEntropyWithLogits(
               flat, rawOps::reshape(y, {-1}), {.name = options.name})
               .loss;
    cost = rawOps::reshape(cost, labelsShape);
  }
  return isNarrow ? cast(cost, dtype) : cost;
}

Output sigmoidCrossEntropyWithLogits(const Input &labels, const Input &logits,
                                     const OpOptions &options) {
  FunctionScope scope(options.name, "logistic_loss", {&logits, &labels});
  Output x = convert(logits, "logits"), y = convert(labels, "labels");
  if (!x.node || !y.node)
    return {};
  if (!x.shape().isCompatibleWith(y.shape()))
    return failed(
        invalidArgumentError(
            strCat("`logits` and `labels` must have the same shape, received (",
                   x.shape().toTupleString(), " vs ", y.shape().toTupleString(),
                   ").")),
        scope);
  Output zero = zerosLike(x, {.dtype = x.dtype()});
  Output isPositive = x >= zero;
  Output relu = where(isPositive, x, zero);
  Output negative = where(isPositive, -x, x);
  Output product = x * y;
  return add(relu - product, rawOps::log1p(rawOps::exp(negative)),
             {.name = scope});
}

Output conv2D(const Input &input, const Input &filter,
              const std::vector<int64_t> &strides, const std::string &padding,
              const Conv2DOptions &options) {
  return rawOps::conv2D(input, filter, strides, padding,
                        {.useCudnnOnGpu = options.useCudnnOnGpu,
                         .explicitPaddings = options.explicitPaddings,
                         .dataFormat = options.dataFormat,
                         .dilations = options.dilations,
                         .name = options.name});
}

Output separableConv2D(const Input &input, const Input &depthwiseFilter,
                       const Input &pointwiseFilter,
                       const std::vector<int64_t> &strides,
                       const std::string &padding,
                       const SeparableConv2DOptions &options) {
  FunctionScope scope(options.name, "separable_conv2d",
                      {&input, &depthwiseFilter, &pointwiseFilter});
  Output x = convert(input, "tensor_in");
  Output depthwise = convert(depthwiseFilter, "depthwise_filter");
  Output pointwise = convert(pointwiseFilter, "pointwise_filter");
  if (!pointwise.node)
    return {};
  shape(depthwise); // TensorFlow adds both without a use for them
  convert({1, 1}, "dilation_rate");
  Output ofChannels = rawOps::depthwiseConv2dNative(
      x, depthwise, strides, padding,
      {.dataFormat = options.dataFormat, .name = "depthwise"});
  return conv2D(ofChannels, pointwise, {1, 1, 1, 1}, "VALID",
                {.dataFormat = options.dataFormat, .name = scope});
}

Output conv2DTranspose(const Input &value, const Input &filter,
                       const Input &outputShape,
                       const std::vector<int64_t> &strides,
                       const std::string &padding,
                       const Conv2DTransposeOptions &options) {
  FunctionScope scope(options.name, "conv2d_transpose",
                      {&value, &filter, &outputShape});
  return rawOps::conv2DBackpropInput(
      outputShape, filter, value, strides, padding,
      {.dataFormat = options.dataFormat, .name = scope});
}

Output maxPool(const Input &value, const std::vector<int64_t> &ksize,
               const std::vector<int64_t> &strides, const std::string &padding,
               const PoolOptions &options) {
  FunctionScope scope(options.name, "MaxPool", {&value});
  return rawOps::maxPool(value, ksize, strides, padding,
                         {.dataFormat = options.dataFormat, .name = scope});
}
Output avgPool(const Input &value, const std::vector<int64_t> &ksize,
               const std::vector<int64_t> &strides, const std::string &padding,
               const PoolOptions &options) {
  FunctionScope scope(options.name, "AvgPool", {&value});
  return rawOps::avgPool(value, ksize, strides, padding,
                         {.dataFormat = options.dataFormat, .name = scope});
}

Output inTopK(const Input &predictions, const Input &targets, const Input &k,
              const OpOptions &options) {
  FunctionScope scope(options.name, "in_top_k", {&predictions, &targets});
  return rawOps::inTopKV2(predictions, targets, k, {.name = options.name});
}

Output dropout(const Input &x, const Input &rate,
               const DropoutOptions &options) {
  FunctionScope scope(options.name, "dropout", {&x});
  const double *number = std::get_if<double>(&rate.value());
  const int64_t *integer = std::get_if<int64_t>(&rate.value());
  std::optional<double> known;
  if (number || integer)
    known = number ? *number : static_cast<double>(*integer);
  if (known && !(*known >= 0 && *known < 1))
    return failed(invalidArgumentError(
                      strCat("`rate` must be a scalar tensor or a float in the "
                             "range [0, 1). Received: rate=",
                             *known)),
                  scope);
  Output input = convert(x, "x");
  if (!input.node)
    return {};
  if (!isFloating(input.dtype()))
    return failed(
        invalidArgumentError(strCat("`x.dtype` must be a floating point tensor "
                                    "as `x` will be scaled. Received: x_dtype=",
                                    dtypeName(input.dtype()))),
        scope);
  if (known && *known == 0) {
    GraphBuilder::current().seedsFor(options.seed); // counts as one that asked
    return input;
  }
  Output scaled;
  Input threshold = rate;
  if (known) {
    scaled = rawOps::mul(input, convert(1 / (1 - *known), "", input.dtype()));
  } else {
    Output given = valueOf(rate);
    if (given.node && given.dtype() != input.dtype())
      given = rawOps::cast(given, input.dtype(), {.name = "rate"});
    threshold = given;
    Output one = constant(1, {.dtype = input.dtype()});
    scaled = rawOps::realDiv(input, rawOps::sub(one, given));
  }
  Input noise = options.noiseShape ? *options.noiseShape : Input(shape(input));
  Output random =
      randomUniform(noise, {.dtype = input.dtype(), .seed = options.seed});
  Output kept = detail::comparison("GreaterEqual", random, threshold);
  return rawOps::selectV2(kept, scaled, constant(0, {.dtype = input.dtype()}));
}

} // namespace kiln::ops
