// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of convolutions as functions of their own.
#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/Convolution.h"
#include "kiln/ops/ConvolutionOps.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Build/Ops/Windows.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::ops {
namespace {

struct Steps {
  Numbers strides, dilations;
};
StatusOr<Steps> stepsOf(const Numbers &strides, const Numbers &dilations,
                        size_t spatial, bool isFirst, std::string_view name) {
  Steps steps;
  KILN_ASSIGN_OR_RETURN(steps.strides,
                        perAxis(strides, spatial, isFirst, name));
  KILN_ASSIGN_OR_RETURN(steps.dilations,
                        perAxis(dilations, spatial, isFirst, "dilations"));
  return steps;
}

} // namespace

Output conv2DTranspose(const Input &value, const Input &filter,
                       const Input &outputShape, const Numbers &strides,
                       const Padding &padding,
                       const ConvTransposeOptions &options) {
  FunctionScope scope(options.name, "conv2d_transpose",
                      {&value, &filter, &outputShape});
  std::string format = options.dataFormat.empty() ? "NHWC" : options.dataFormat;
  auto steps =
      stepsOf(strides, options.dilations, 2, channelsFirst(format), "strides");
  if (!steps.ok())
    return failed(steps.status(), scope);
  auto attrs = attrsOf(padding);
  if (!attrs.ok())
    return failed(attrs.status(), scope);
  return rawOps::conv2DBackpropInput(outputShape, filter, value, steps->strides,
                                     attrs->name,
                                     {.explicitPaddings = attrs->numbers,
                                      .dataFormat = format,
                                      .dilations = steps->dilations,
                                      .name = scope});
}

Output conv3DTranspose(const Input &value, const Input &filter,
                       const Input &outputShape, const Numbers &strides,
                       const std::string &padding,
                       const ConvTransposeOptions &options) {
  FunctionScope scope(options.name, "conv3d_transpose",
                      {&value, &filter, &outputShape});
  std::string format =
      options.dataFormat.empty() ? "NDHWC" : options.dataFormat;
  auto steps =
      stepsOf(strides, options.dilations, 3, channelsFirst(format), "strides");
  if (!steps.ok())
    return failed(steps.status(), scope);
  return rawOps::conv3DBackpropInputV2(
      outputShape, filter, value, steps->strides, padding,
      {.dataFormat = format, .dilations = steps->dilations, .name = scope});
}

Output conv1DTranspose(const Input &input, const Input &filters,
                       const Input &outputShape, const Numbers &strides,
                       const std::string &padding,
                       const ConvTransposeOptions &options) {
  FunctionScope scope(options.name, "conv1d_transpose",
                      {&input, &filters, &outputShape});
  const std::string &format = options.dataFormat;
  bool isFirst = format == "NCW";
  if (!isFirst && !format.empty() && format != "NWC")
    return failed(invalidArgumentError(
                      strCat("`data_format` must be 'NWC' or 'NCW'. Received: "
                             "data_format=",
                             format)),
                  scope);
  auto steps = stepsOf(strides, options.dilations, 1, isFirst, "stride");
  if (!steps.ok())
    return failed(steps.status(), scope);
  steps->strides.insert(steps->strides.begin(), 1);
  steps->dilations.insert(steps->dilations.begin(), 1);
  int64_t axis = isFirst ? 2 : 1;
  Output image = expandDims(input, axis), filter = expandDims(filters, 0);
  Input before = 0, behind = 0;
  if (const Output *extents = outputShape.output()) {
    if (!extents->node)
      return {};
    before = (*extents)[{sliceTo(axis)}];
    behind = (*extents)[{sliceFrom(axis)}];
  } else if (auto known = knownIntegers(outputShape);
             known && static_cast<int64_t>(known->size()) >= axis) {
    before = Numbers(known->begin(), known->begin() + axis);
    behind = Numbers(known->begin() + axis, known->end());
  } else {
    return failed(invalidArgumentError("expected a shape of three extents"),
                  scope);
  }
  Output whole = concat({before, Input({1}), behind}, 0);
  Output result =
      rawOps::conv2DBackpropInput(whole, filter, image, steps->strides, padding,
                                  {.dataFormat = isFirst ? "NCHW" : "NHWC",
                                   .dilations = steps->dilations,
                                   .name = scope});
  return squeeze(result, {.axis = {axis}});
}

Output convTranspose(const Input &input, const Input &filters,
                     const Input &outputShape, const Numbers &strides,
                     const std::string &padding,
                     const ConvTransposeOptions &options) {
  FunctionScope scope(options.name, "conv_transpose",
                      {&input, &filters, &outputShape});
  int64_t length = -1;
  if (const Output *tensor = outputShape.output())
    length = tensor->node ? tensor->shape().dim(0) : -1;
  else if (const auto *list = std::get_if<std::shared_ptr<const Input::List>>(
               &outputShape.value()))
    length = static_cast<int64_t>((*list)->size());
  else if (auto known = knownIntegers(outputShape))
    length = static_cast<int64_t>(known->size());
  ConvTransposeOptions inner = options;
  inner.name = scope;
  if (length == 3)
    return conv1DTranspose(input, filters, outputShape, strides, padding,
                           inner);
  if (length == 4)
    return conv2DTranspose(input, filters, outputShape, strides, padding,
                           inner);
  if (length == 5)
    return conv3DTranspose(input, filters, outputShape, strides, padding,
                           inner);
  return failed(
      invalidArgumentError(strCat("`output_shape` must be of length 3, 4 or 5. "
                                  "Received: output_shape of length ",
                                  length)),
      scope);
}

namespace {

/// A number of a shape: known, or an element of a tensor.
Input extentOf(const Input &shape, int64_t i) {
  if (const Output *tensor = shape.output())
    return tensor->node ? Input((*tensor)[static_cast<int>(i)]) : Output();
  if (const auto *list =
          std::get_if<std::shared_ptr<const Input::List>>(&shape.value()))
    return (**list)[static_cast<size_t>(i)];
  return (*knownIntegers(shape))[static_cast<size_t>(i)];
}

/// x OP y of numbers, or what the operator adds.
Input compute(char op, const Input &x, const Input &y) {
  const auto *a = std::get_if<int64_t>(&x.value()),
             *b = std::get_if<int64_t>(&y.value());
  if (!a || !b)
    return op == '+'   ? binary("add", x, y)
           : op == '-' ? binary("sub", x, y)
           : op == '*' ? binary("mul", x, y)
           : op == '%' ? binary("mod", x, y)
                       : binary("floordiv", x, y);
  int64_t quotient = *b == 0 ? 0 : *a / *b, rest = *b == 0 ? 0 : *a % *b;
  if (rest != 0 && (rest < 0) != (*b < 0)) {
    --quotient;
    rest += *b;
  }
  return op == '+'   ? *a + *b
         : op == '-' ? *a - *b
         : op == '*' ? *a * *b
         : op == '%' ? rest
                     : quotient;
}

/// What is put around one axis of space, and cut off again.
struct Around {
  Input before = 0, behind = 0, extra = 0, extent = 0;
};

/// **Errors**: INVALID_ARGUMENT with TensorFlow's texts.
Status checkAtrous(const Output &value, const Output &filters, int64_t rate,
                   const std::string &padding) {
  const Shape &shape = value.shape(), &filter = filters.shape();
  if (shape.rank() == 4 && filter.rank() == 4 && shape.dim(3) >= 0 &&
      filter.dim(3) >= 0 && shape.dim(3) != filter.dim(3))
    return invalidArgumentError(strCat(
        "`value` channel count must be compatible with `filters` input channel "
        "count. Received: value.shape=",
        shape.toTupleString(), " with channel count ", shape.dim(3),
        " and filters.shape=", filter.toTupleString(),
        " with input channel count ", filter.dim(3), "."));
  if (rate < 1)
    return invalidArgumentError(
        strCat("`rate` cannot be less than one. Received: rate=", rate));
  if (rate > 1 && padding != "SAME" && padding != "VALID")
    return invalidArgumentError(
        strCat("`padding` must be either 'VALID' or 'SAME'. Received: padding=",
               padding));
  return okStatus();
}

/// Says what "SAME" puts around the two axes.
void pad(std::array<Around, 2> &axes, const Output &filter, int64_t rate) {
  Input size[2] = {0, 0};
  if (filter.shape().isFullyDefined()) {
    size[0] = filter.shape().dim(0);
    size[1] = filter.shape().dim(1);
  } else {
    Output all = shape(filter);
    if (!all.node)
      return;
    size[0] = all[0];
    size[1] = all[1];
  }
  for (Input &each : size) {
    Input gaps = compute('*', compute('-', each, 1), rate - 1);
    each = compute('+', each, gaps);
  }
  for (Input &each : size)
    each = compute('-', each, 1);
  for (size_t i = 0; i < 2; ++i) {
    axes[i].before = compute('/', size[i], 2);
    axes[i].behind = compute('-', size[i], axes[i].before);
  }
}

using List = Input::List;

/// The gradient on blocks of the batch.
Output transposeBlocks(Output x, const Output &filter, const Input &outputShape,
                       int64_t rate, std::array<Around, 2> axes) {
  for (size_t i = 0; i < 2; ++i) {
    Input extent = extentOf(outputShape, static_cast<int64_t>(i) + 1);
    extent = compute('+', extent, axes[i].before);
    axes[i].extent = compute('+', extent, axes[i].behind);
  }
  List paddings, sizes, crops;
  for (Around &each : axes) {
    Input rest = compute('%', each.extent, rate);
    each.extra = compute('%', compute('-', rate, rest), rate);
    paddings.push_back(List{0, each.extra});
  }
  x = spaceToBatch(x, Input(paddings), rate);
  sizes.push_back(compute('*', rate * rate, extentOf(outputShape, 0)));
  for (Around &each : axes)
    sizes.push_back(compute('/', compute('+', each.extent, each.extra), rate));
  sizes.push_back(extentOf(outputShape, 3));
  x = rawOps::conv2DBackpropInput(Input(sizes), filter, x, {1, 1, 1, 1},
                                  "VALID", {.dataFormat = "NHWC"});
  for (Around &each : axes)
    crops.push_back(List{each.before, compute('+', each.behind, each.extra)});
  return batchToSpace(x, Input(crops), rate);
}

} // namespace

Output atrousConv2DTranspose(const Input &value, const Input &filters,
                             const Input &outputShape, int64_t rate,
                             const std::string &padding,
                             const OpOptions &options) {
  FunctionScope scope(options.name, "atrous_conv2d_transpose",
                      {&value, &filters, &outputShape});
  Output x = convert(value, "value"), filter = convert(filters, "filters");
  if (!x.node || !filter.node)
    return {};
  if (Status status = checkAtrous(x, filter, rate, padding); !status.ok())
    return failed(status, scope);
  if (rate == 1)
    return conv2DTranspose(x, filter, outputShape, {1, 1, 1, 1}, padding);
  Output wanted = convert(outputShape, "output_shape");
  if (!wanted.node)
    return {};
  if (!wanted.shape().isCompatibleWith({4}))
    return failed(invalidArgumentError(
                      strCat("`output_shape` must have shape (4,). Received: "
                             "output_shape=",
                             wanted.shape().toTupleString())),
                  scope);
  std::array<Around, 2> axes;
  if (padding == "SAME")
    pad(axes, filter, rate);
  if (!GraphBuilder::current().status().ok())
    return {};
  return transposeBlocks(x, filter, outputShape, rate, axes);
}

} // namespace kiln::ops
