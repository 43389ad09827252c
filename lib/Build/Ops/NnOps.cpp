// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of neural networks as TensorFlow's Python functions add them.
#include "kiln/ops/NnOps.h"

#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/CheckOps.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/Losses.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/RandomOps.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Build/VariableData.h"
#include "lib/Graph/TensorText.h"
#include "lib/Support/Strings.h"

#include <numbers>

namespace kiln::ops {

Output biasAdd(const Input &value, const Input &bias,
               const BiasAddOptions &options) {
  FunctionScope scope(options.name, "BiasAdd", {&value, &bias});
  const std::string &given = options.dataFormat;
  bool isFirst = given.starts_with("NC");
  if (!isFirst && !given.empty() &&
      !(given.starts_with("N") && given.ends_with("C")))
    return failed(invalidArgumentError(
                      strCat("`data_format` must be of the form `N...C` or "
                             "`NC...`. Received: data_format=",
                             given)),
                  scope);
  Output x = convert(value, "input");
  if (!x.node)
    return {};
  Output b = convert(bias, "bias", x.dtype());
  return rawOps::biasAdd(
      x, b, {.dataFormat = isFirst ? "NCHW" : "NHWC", .name = scope});
}

namespace {

/// The axis in the place of the last one, and the last one in its place.
Output swapped(const Output &tensor, const Input &axis, const Output &last,
               const std::string &name) {
  if (!tensor.node || !last.node)
    return {};
  Output before = range(axis);
  Input next = axis.output() ? Input(binary("add", axis, 1))
                             : Input(std::get<int64_t>(axis.value()) + 1);
  Output between = rangeFrom(next, last);
  Output perm = concat(
      {before, Input(Input::List{last}), between, Input(Input::List{axis})}, 0);
  return transpose(tensor, perm, {.name = name});
}

/// A function of the last axis on another one. **Source**:
/// nn_ops._wrap_2d_function.
template <class Function>
Output alongAxis(const Input &logits, const SoftmaxOptions &options,
                 Function function) {
  GraphScope graph(builderOf(logits));
  Output inputs = valueOf(logits);
  if (!inputs.node)
    return {};
  const Shape shape = inputs.shape();
  int rank = shape.rank();
  if (options.axis == -1 || (rank >= 0 && options.axis == rank - 1))
    return function(inputs, options.name);
  if (options.axis < -rank || options.axis >= rank)
    return failed(
        invalidArgumentError(strCat(
            "`dim` must be in the range [", -rank, ", ", rank, ") where ", rank,
            " is the number of dimensions in the input. Received: "
            "dim=",
            options.axis)),
        options.name);
  Output ranks = ops::rank(inputs);
  Input axis = options.axis;
  if (options.axis < 0)
    axis = binary("add", options.axis, ranks);
  ranks = ops::rank(inputs);
  if (axis.output())
    axis = binary("mod", axis, rank);
  Output moved = swapped(inputs, axis, rawOps::sub(ranks, 1), "");
  Output result = function(moved, std::string());
  Output last = rawOps::sub(ranks, 1);
  return withShape(shape,
                   [&] { return swapped(result, axis, last, options.name); });
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
                                     const SoftmaxOptions &options) {
  SoftmaxOptions inner = options;
  Output stopped;
  {
    FunctionScope scope(options.name, "softmax_cross_entropy_with_logits_sg",
                        {&logits, &labels});
    stopped = rawOps::stopGradient(labels, {.name = "labels_stop_gradient"});
    inner.name = scope;
  }
  if (!stopped.node)
    return {};
  return softmaxCrossEntropyWithLogitsV2(stopped, logits, inner);
}

namespace {

bool isNarrow(DType dtype) {
  return dtype == DType::Float16 || dtype == DType::BFloat16;
}

/// The axis as the last one.
Output movedToEnd(const Output &tensor, int64_t axis, const Output &rank) {
  if (!tensor.node)
    return {};
  Output before = range(axis), behind = rangeFrom(axis + 1, rank);
  return transpose(tensor, concat({before, behind, Input({axis})}, 0));
}

Shape without(const Shape &shape, int64_t axis) {
  if (!shape.hasRank())
    return shape;
  Shape rest;
  int64_t place = axis < 0 ? axis + shape.rank() : axis;
  for (int i = 0; i < shape.rank(); ++i)
    if (i != place)
      rest.appendDim(shape.dim(i));
  return rest;
}

} // namespace

Output softmaxCrossEntropyWithLogitsV2(const Input &labels, const Input &logits,
                                       const SoftmaxOptions &options) {
  FunctionScope scope(options.name, "softmax_cross_entropy_with_logits",
                      {&logits, &labels});
  Output given = convert(logits, "logits"), y = convert(labels, "labels");
  if (!given.node || !y.node)
    return {};
  Output x = isNarrow(given.dtype()) ? cast(given, DType::Float32) : given;
  y = cast(y, x.node ? x.dtype() : DType::Float32);
  if (!x.node || !y.node)
    return {};
  Output rank = ops::rank(x);
  if (options.axis != -1) {
    x = movedToEnd(x, options.axis, rank);
    y = movedToEnd(y, options.axis, rank);
    if (!x.node || !y.node)
      return {};
  }
  Output inputShape = shape(x);
  x = flattenOuter(x);
  Output cost =
      rawOps::softmaxCrossEntropyWithLogits(x, flattenOuter(y), {.name = scope})
          .loss;
  Output outputShape =
      rawOps::slice(inputShape, {0}, Input(Input::List{subtract(rank, 1)}));
  cost = withShape(without(given.shape(), options.axis),
                   [&] { return rawOps::reshape(cost, outputShape); });
  return isNarrow(given.dtype()) && cost.node ? cast(cost, given.dtype())
                                              : cost;
}

namespace {

/// **Errors**: INVALID_ARGUMENT with TensorFlow's texts.
Status checkSparse(const Output &labels, const Output &logits) {
  const Shape &y = labels.shape(), &x = logits.shape();
  if (x.rank() == 0)
    return invalidArgumentError(strCat(
        "`logits` cannot be a scalar. Received logits=", tensorText(logits)));
  if (!x.hasRank() || !y.hasRank())
    return okStatus();
  if (y.rank() != x.rank() - 1)
    return invalidArgumentError(
        strCat("`labels.shape.rank` must equal `logits.shape.rank - 1`. "
               "Received: labels.shape=",
               y.toTupleString(), " of rank ", y.rank(),
               " and logits.shape=", x.toTupleString(), " of rank ", x.rank()));
  Shape rows = without(x, -1);
  if (y.isFullyDefined() && rows.isFullyDefined() && !(y == rows))
    return invalidArgumentError(
        strCat("`labels.shape` must equal `logits.shape` except for the last "
               "dimension. Received: labels.shape=",
               y.toTupleString(), " and logits.shape=", x.toTupleString()));
  return okStatus();
}

Output sparseCost(const Output &logits, const Output &labels,
                  const std::string &name) {
  return rawOps::sparseSoftmaxCrossEntropyWithLogits(logits, labels,
                                                     {.name = name})
      .loss;
}

} // namespace

Output sparseSoftmaxCrossEntropyWithLogits(const Input &labels,
                                           const Input &logits,
                                           const OpOptions &options) {
  FunctionScope scope(options.name, "SparseSoftmaxCrossEntropyWithLogits",
                      {&labels, &logits});
  Output y = valueOf(labels), x = valueOf(logits);
  if (!x.node || !y.node)
    return {};
  bool isHalf = x.dtype() == DType::Float16;
  Output precise = isHalf ? cast(x, DType::Float32) : x;
  Output labelsShape = shape(y);
  if (!precise.node || !labelsShape.node)
    return {};
  if (Status status = checkSparse(y, x); !status.ok())
    return failed(status, scope);
  Output cost;
  if (x.shape().rank() == 2) {
    cost = sparseCost(precise, y, options.name);
  } else {
    std::vector<ControlInput> checks;
    if (!y.shape().isFullyDefined() ||
        !without(x.shape(), -1).isFullyDefined()) {
      Output rows = shape(y), extents = shape(x);
      if (!extents.node)
        return {};
      checks.emplace_back(assertEqual(rows, extents[{sliceTo(-1)}]));
    }
    ControlScope after(checks);
    Output classes = shape(x);
    if (!classes.node)
      return {};
    classes = classes[rank(x) - 1];
    precise = rawOps::reshape(precise, Input({-1, classes}));
    Output flat = rawOps::reshape(y, {-1});
    cost = sparseCost(precise, flat, options.name);
    cost = withShape(y.shape(),
                     [&] { return rawOps::reshape(cost, labelsShape); });
    if (isHalf && cost.node)
      return cast(cost, DType::Float16);
  }
  return isHalf && cost.node ? cast(cost, DType::Float16) : cost;
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

Output weightedCrossEntropyWithLogits(const Input &labels, const Input &logits,
                                      const Input &posWeight,
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
  Input more = 0;
  if (posWeight.output() ||
      std::holds_alternative<std::shared_ptr<const VariableData>>(
          posWeight.value()))
    more = binary("sub", posWeight, 1);
  else if (const auto *number = std::get_if<double>(&posWeight.value()))
    more = *number - 1;
  else if (const auto *integer = std::get_if<int64_t>(&posWeight.value()))
    more = *integer - 1;
  else
    more = binary("sub", valueOf(posWeight), 1);
  Output weight = binary("mul", more, y);
  weight = binary("add", 1, weight);
  Output rest = binary("sub", 1, y) * x;
  Output loss = rawOps::log1p(rawOps::exp(-abs(x)));
  loss = loss + rawOps::relu(-x);
  return add(rest, weight * loss, {.name = scope});
}

Output logPoissonLoss(const Input &targets, const Input &logInput,
                      const PoissonLossOptions &options) {
  FunctionScope scope(options.name, "log_poisson_loss", {&logInput, &targets});
  Output x = convert(logInput, "log_input"), y = convert(targets, "targets");
  if (!x.node || !y.node)
    return {};
  if (!x.shape().isCompatibleWith(y.shape()))
    return failed(invalidArgumentError(
                      strCat("`log_input` and `targets` must have the same "
                             "shape, received (",
                             x.shape().toTupleString(), " vs ",
                             y.shape().toTupleString(), ").")),
                  scope);
  Output result = rawOps::exp(x);
  result = result - x * y;
  if (!options.computeFullLoss)
    return result;
  DType dtype = y.dtype();
  Output half = constant(0.5, {.dtype = dtype});
  Output twoPi = constant(2 * std::numbers::pi, {.dtype = dtype});
  Output stirling = y * rawOps::log(y);
  stirling = stirling - y;
  stirling = stirling + half * rawOps::log(twoPi * y);
  Output zeros = zerosLike(y, {.dtype = dtype});
  Output ones = onesLike(y, {.dtype = dtype});
  Output isSmall = y >= zeros;
  isSmall = rawOps::logicalAnd(isSmall, y <= ones);
  return result + where(isSmall, zeros, stirling);
}

Output inTopK(const Input &predictions, const Input &targets, const Input &k,
              const OpOptions &options) {
  FunctionScope scope(options.name, "in_top_k", {&predictions, &targets});
  return rawOps::inTopKV2(predictions, targets, k, {.name = options.name});
}

namespace {

/// The shape of what is drawn. **Source**: nn_ops._get_noise_shape.
Input noiseShape(const Output &x, const std::optional<Input> &given) {
  if (!given)
    return shape(x);
  const Shape *noise = std::get_if<Shape>(&given->value());
  if (!noise || noise->rank() != x.shape().rank() || noise->rank() < 0)
    return *given;
  Shape filled = *noise;
  for (int i = 0; i < filled.rank(); ++i)
    if (filled.dim(i) < 0)
      filled.setDim(i, x.shape().dim(i));
  return filled;
}

std::optional<double> numberOf(const Input &value) {
  if (const double *number = std::get_if<double>(&value.value()))
    return *number;
  if (const int64_t *integer = std::get_if<int64_t>(&value.value()))
    return static_cast<double>(*integer);
  return std::nullopt;
}

/// **Errors**: INVALID_ARGUMENT with TensorFlow's texts.
Status checkDropout(const Output &x, const Output &rate) {
  if (!isFloating(x.dtype()))
    return invalidArgumentError(
        strCat("`x.dtype` must be a floating point tensor as `x` will be "
               "scaled. Received: x_dtype=",
               dtypeName(x.dtype())));
  if (!rate.node)
    return okStatus();
  if (rate.shape().rank() > 0)
    return invalidArgumentError(
        strCat("Shape ", rate.shape().toTupleString(), " must have rank 0"));
  if (rate.dtype() != x.dtype())
    return invalidArgumentError(strCat(
        "`x.dtype` must be compatible with `rate.dtype`. Received: x.dtype="
        "<dtype: '",
        dtypeName(x.dtype()), "'> and rate.dtype=<dtype: '",
        dtypeName(rate.dtype()), "'>"));
  return okStatus();
}

} // namespace

Output dropout(const Input &x, const Input &rate,
               const DropoutOptions &options) {
  FunctionScope scope(options.name, "dropout", {&x});
  std::optional<double> known = numberOf(rate);
  if (known && !(*known >= 0 && *known < 1))
    return failed(invalidArgumentError(
                      strCat("`rate` must be a scalar tensor or a float in the "
                             "range [0, 1). Received: rate=",
                             *known)),
                  scope);
  Output input = convert(x, "x");
  if (!input.node)
    return {};
  Output given = known ? Output() : valueOf(rate);
  if (Status status = checkDropout(input, given); !status.ok())
    return failed(status, scope);
  if (known && *known == 0) {
    GraphBuilder::current().seedsFor(options.seed); // counts as one that asked
    return input;
  }
  DType dtype = input.dtype();
  Output scaled;
  if (known) {
    scaled = rawOps::mul(input, convert(1 / (1 - *known), "", dtype));
  } else {
    Output one = constant(1, {.dtype = dtype});
    scaled = rawOps::realDiv(input, rawOps::sub(one, given));
  }
  Input noise = noiseShape(input, options.noiseShape);
  Output random = randomUniform(noise, {.dtype = dtype, .seed = options.seed});
  Output kept =
      detail::comparison("GreaterEqual", random, known ? rate : Input(given));
  Output zero = constant(0, {.dtype = dtype});
  return withShape(input.shape(),
                   [&] { return rawOps::selectV2(kept, scaled, zero); });
}

Output dropoutKeeping(const Input &x, const Input &keepProb,
                      const DropoutOptions &options) {
  GraphScope graph(builderOf(x));
  if (auto known = numberOf(keepProb))
    return dropout(x, 1.0 - *known, options);
  return dropout(x, binary("sub", 1.0, keepProb), options);
}

} // namespace kiln::ops
