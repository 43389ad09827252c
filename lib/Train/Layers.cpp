// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layers, as TensorFlow's Python adds them.
#include "kiln/Layers.h"

#include "kiln/ControlFlow.h"
#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/NnOps.h"
#include "lib/Build/BuildState.h"
#include "lib/Support/CheckedMath.h"
#include "lib/Support/Strings.h"

#include <limits>
#include <numeric>

namespace kiln::layers {
namespace {

/// The scopes of a layer, and its input as a tensor.
class LayerScope {
public:
  LayerScope(const Input &given, const std::string &name, std::string kind,
             Reuse reuse = false)
      : graph(graphOf(given).value_or(GraphBuilder::current())), layer(kind),
        scope(name.empty() ? std::nullopt
                           : std::optional<std::string_view>(name),
              {.defaultName = name.empty() ? kind : "", .reuse = reuse}),
        inputs(GraphBuilder::current().convert(given)) {}

  Output refuse(std::string text) const {
    GraphBuilder::current().fail(
        invalidArgumentError(std::move(text)).withNode(scope.name()));
    return {};
  }
  /// The input, where its rank is at least or just this, and the extent of the
  /// axis is known. **Source**: InputSpec.
  bool check(int rank, bool isLeast, int axis) const {
    if (!inputs.node)
      return false;
    const Shape &shape = inputs.shape();
    if (!shape.hasRank() ||
        (isLeast ? shape.rank() < rank : shape.rank() != rank)) {
      refuse(strCat(
          "Input 0 of layer ", scope.name(),
          " is incompatible with the layer: ",
          !shape.hasRank()
              ? std::string("its rank is undefined, but the layer "
                            "requires a defined rank.")
              : strCat("expected ", isLeast ? "min_ndim=" : "ndim=", rank,
                       ", found ndim=", shape.rank(),
                       ". Full shape received: ", shape.toTupleString())));
      return false;
    }
    if (shape.dim(axis < 0 ? shape.rank() + axis : axis) < 0) {
      refuse(strCat("The ",
                    layer == "dense" ? "last dimension of the inputs to `Dense`"
                                     : "channel dimension of the inputs",
                    " should be defined. Found `None`."));
      return false;
    }
    return true;
  }

  Variable kernel(Shape shape, const std::optional<Initializer> &initializer,
                  bool trainable) const {
    return getVariable("kernel", {.shape = std::move(shape),
                                  .dtype = inputs.dtype(),
                                  .initializer = initializer,
                                  .trainable = trainable});
  }
  Variable bias(int64_t size, const Initializer &initializer,
                bool trainable) const {
    return getVariable("bias", {.shape = {size},
                                .dtype = inputs.dtype(),
                                .initializer = initializer,
                                .trainable = trainable});
  }

private:
  GraphScope graph;
  std::string layer;
  VariableScope scope;

public:
  Output inputs;
};

Output activated(const Activation &activation, const Output &result) {
  return activation && result.node ? activation(result) : result;
}

/// The product of the extents as a number of a shape that a graph holds, which
/// is an int32; nothing where one is unknown or the product is larger.
std::optional<int32_t> extentOf(std::span<const int64_t> extents) {
  CheckedInt64 product = 1;
  for (int64_t extent : extents) {
    if (extent < 0)
      return std::nullopt;
    product *= extent;
  }
  std::optional<int64_t> number = product.value();
  if (!number || *number > std::numeric_limits<int32_t>::max())
    return std::nullopt;
  return static_cast<int32_t>(*number);
}

/// x * kernel over the last axis of more than two. **Source**:
/// math_ops.tensordot.
Output productOfLastAxis(const Output &x, const Variable &kernel) {
  NameScope scope("Tensordot");
  const int rank = x.shape().rank();
  Output matrix = kernel;
  const auto units = static_cast<int32_t>(matrix.shape().dim(1));
  std::span<const int64_t> extents = x.shape().dims();
  std::optional<int32_t> rows = extentOf(extents.first(extents.size() - 1)),
                         columns = extentOf(extents.last(1));
  if (rows && columns) {
    std::vector<int32_t> result;
    for (int64_t extent : extents.first(extents.size() - 1))
      result.push_back(static_cast<int32_t>(extent));
    result.push_back(units);
    Output flat = ops::reshape(x, Input(std::vector<int32_t>{*rows, *columns}));
    return ops::reshape(ops::matMul(flat, matrix), Input(result),
                        {.name = scope.name()});
  }
  std::vector<int32_t> free(static_cast<size_t>(rank - 1)), last{rank - 1};
  std::iota(free.begin(), free.end(), 0);
  Output axes = ops::constant(Input(last), {.name = "axes"});
  Output others = ops::constant(Input(free), {.name = "free"});
  Output shape = ops::shape(x);
  Output freeExtents = ops::gather(shape, others);
  Output lastExtent = ops::gather(shape, axes);
  Output count = ops::reduceProd(freeExtents);
  Output depth = ops::reduceProd(lastExtent);
  Output perm = ops::concat({others, axes}, 0);
  Output flatShape = ops::stack({count, depth});
  Output flat = ops::reshape(ops::transpose(x, perm), flatShape);
  Output product = ops::matMul(flat, matrix);
  Output width = ops::constant(Input(std::vector<int32_t>{units}));
  Output result = ops::concat({freeExtents, width}, 0);
  return ops::reshape(product, result, {.name = scope.name()});
}

std::string upper(std::string text) {
  for (char &each : text)
    each = static_cast<char>(each >= 'a' && each <= 'z' ? each - 32 : each);
  return text;
}

/// Four numbers, the middle ones or the last two of an image's axes.
std::vector<int64_t> ofImage(std::array<int64_t, 2> pair, bool isLast) {
  if (isLast)
    return {1, pair[0], pair[1], 1};
  return {1, 1, pair[0], pair[1]};
}

std::optional<bool> channelsAreLast(const LayerScope &layer,
                                    const std::string &format) {
  if (format == "channels_last" || format == "channels_first")
    return format == "channels_last";
  layer.refuse(strCat("The `data_format` argument must be one of "
                      "\"channels_first\", \"channels_last\". Received: ",
                      format));
  return std::nullopt;
}

} // namespace

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
  Variable kernel = layer.kernel({x.shape().dim(rank - 1), units},
                                 options.kernelInitializer, options.trainable);
  Variable bias;
  if (options.useBias)
    bias = layer.bias(units, options.biasInitializer, options.trainable);
  if (!kernel.op())
    return {};
  Output result =
      rank == 2 ? ops::matMul(x, kernel) : productOfLastAxis(x, kernel);
  if (options.useBias)
    result = ops::biasAdd(result, bias);
  return activated(options.activation, result);
}

Output conv1D(const Input &inputs, int64_t filters, int64_t size,
              const Conv1DOptions &options) {
  LayerScope layer(inputs, options.name, "conv1d", options.reuse);
  if (!layer.check(3, false, -1))
    return {};
  const Output &x = layer.inputs;
  Variable kernel = layer.kernel({size, x.shape().dim(2), filters},
                                 options.kernelInitializer, options.trainable);
  Variable bias;
  if (options.useBias)
    bias = layer.bias(filters, options.biasInitializer, options.trainable);
  if (!kernel.op())
    return {};
  Output result;
  {
    NameScope scope("conv1d");
    Output image = ops::expandDims(x, -3);
    Output filter = ops::expandDims(kernel, 0);
    Output found = ops::conv2D(image, filter, {1, 1, options.stride, 1},
                               upper(options.padding), {.name = scope.name()});
    result = ops::squeeze(found, {.axis = {-3}});
  }
  if (options.useBias)
    result = ops::biasAdd(result, bias);
  return activated(options.activation, result);
}

Output conv2D(const Input &inputs, int64_t filters,
              std::array<int64_t, 2> kernelSize, const Conv2DOptions &options) {
  LayerScope layer(inputs, options.name, "conv2d", options.reuse);
  std::optional<bool> isLast = channelsAreLast(layer, options.dataFormat);
  if (!isLast || !layer.check(4, false, *isLast ? -1 : 1))
    return {};
  const Output &x = layer.inputs;
  Variable kernel = layer.kernel(
      {kernelSize[0], kernelSize[1], x.shape().dim(*isLast ? 3 : 1), filters},
      options.kernelInitializer, options.trainable);
  Variable bias;
  if (options.useBias)
    bias = layer.bias(filters, options.biasInitializer, options.trainable);
  if (!kernel.op())
    return {};
  std::string format = *isLast ? "NHWC" : "NCHW";
  Output result = ops::conv2D(
      x, kernel, ofImage(options.strides, *isLast), upper(options.padding),
      {.dataFormat = format,
       .dilations = ofImage(options.dilationRate, *isLast)});
  if (options.useBias)
    result = ops::biasAdd(result, bias, {.dataFormat = format});
  return activated(options.activation, result);
}

namespace {

template <class Pool>
Output pooling(const Input &inputs, std::array<int64_t, 2> poolSize,
               std::array<int64_t, 2> strides, const PoolingOptions &options,
               const std::string &kind, Pool pool) {
  LayerScope layer(inputs, options.name, kind);
  std::optional<bool> isLast = channelsAreLast(layer, options.dataFormat);
  if (!isLast || !layer.inputs.node)
    return {};
  return pool(layer.inputs, ofImage(poolSize, *isLast),
              ofImage(strides, *isLast), upper(options.padding),
              ops::PoolOptions{.dataFormat = *isLast ? "NHWC" : "NCHW"});
}

} // namespace

Output maxPooling2D(const Input &inputs, std::array<int64_t, 2> poolSize,
                    std::array<int64_t, 2> strides,
                    const PoolingOptions &options) {
  return pooling(inputs, poolSize, strides, options, "max_pooling2d",
                 ops::maxPool);
}

Output averagePooling2D(const Input &inputs, std::array<int64_t, 2> poolSize,
                        std::array<int64_t, 2> strides,
                        const PoolingOptions &options) {
  return pooling(inputs, poolSize, strides, options, "average_pooling2d",
                 ops::avgPool);
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
  if (const bool *training = std::get_if<bool>(&options.training.value()))
    return *training ? drop() : keep();
  Outputs chosen = ops::cond(
      options.training, [&] { return ops::BranchResult(drop()); },
      [&] { return ops::BranchResult(keep()); });
  return chosen;
}

} // namespace kiln::layers
