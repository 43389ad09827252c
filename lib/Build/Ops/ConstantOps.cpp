// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants, placeholders and tensors of one value.
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/Data.h"
#include "kiln/ops/Math.h"

#include "kiln/GraphScopes.h"
#include "lib/Build/BuildState.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/Elements.h"
#include "lib/Support/Strings.h"

namespace kiln::ops {
namespace {

/// Fills the shape; the last element stands for those that are missing.
StatusOr<TensorConstant> withShape(Tensor value, const Shape &shape) {
  auto count = shape.numElements();
  if (!count.ok())
    return count.status();
  if (value.numElements() == 1)
    return TensorConstant(*value.reshaped({}), shape);
  if (*count == value.numElements())
    return TensorConstant(*value.reshaped(shape));
  if (*count < value.numElements())
    return invalidArgumentError(
        strCat("Too many elements provided. Takes at most ", *count,
               ", but got ", value.numElements(), "."));
  if (value.numElements() == 0)
    return invalidArgumentError(
        strCat("expected elements for shape ", shape.toString(), ", got none"));
  auto filled = Tensor::create(value.dtype(), shape);
  if (!filled.ok())
    return filled.status();
  copyElements(*filled, 0, value, 0, value.numElements());
  for (int64_t i = value.numElements(); i < *count; ++i)
    copyElements(*filled, i, value, value.numElements() - 1, 1);
  return TensorConstant(*std::move(filled));
}

/// How many elements a constant of zeros or ones may have.
constexpr int64_t smallConstant = 1000;

Output filled(int value, std::string_view function, const Input &shape,
              const FillOptions &options) {
  FunctionScope scope(options.name, function, {&shape});
  BuildState &state = GraphBuilder::current().internals();
  Input element = options.dtype == DType::Bool     ? Input(value != 0)
                  : options.dtype == DType::String ? Input("")
                                                   : Input(value);
  Output dims = shape.output() ? *shape.output() : Output();
  if (!shape.output()) {
    auto known = knownIntegers(shape);
    if (const Shape *given = std::get_if<Shape>(&shape.value());
        given && given->isFullyDefined())
      known = std::vector<int64_t>(given->dims().begin(), given->dims().end());
    if (known) {
      auto fullShape = Shape::fromDims(*known);
      auto count = fullShape.ok() ? fullShape->numElements() : 0;
      auto constantValue = toConstant(element, options.dtype);
      if (!constantValue.ok())
        return failed(constantValue.status(), scope);
      // TensorFlow makes no constant of a single extent that is no list.
      const bool isNumber = std::holds_alternative<int64_t>(shape.value());
      if (fullShape.ok() && count.ok() && *count < smallConstant && !isNumber)
        return addConst(state, TensorConstant(*constantValue, *fullShape),
                        scope.name());
      dims = convert(isNumber ? Input(*known) : shape, "shape_as_tensor");
    } else {
      dims = convert(shape, "", DType::Int32);
    }
  }
  if (dims.node && (!dims.shape().hasRank() || dims.shape().rank() == 0))
    dims = rawOps::reshape(dims, {-1});
  return rawOps::fill(dims, convert(element, "", options.dtype),
                      {.name = scope});
}

} // namespace

Output constant(const Input &value, const ConstantOptions &options) {
  BuildState &state = GraphBuilder::current().internals();
  std::string name = options.name.empty() ? "Const" : options.name;
  auto converted = toConstant(value, options.dtype);
  if (!converted.ok())
    return failed(converted.status(), name);
  if (!options.shape)
    return addConst(state, *std::move(converted), name);
  auto shaped = withShape(*std::move(converted), *options.shape);
  if (!shaped.ok())
    return failed(shaped.status(), name);
  return addConst(state, *std::move(shaped), name);
}

Output placeholder(DType dtype, const Shape &shape,
                   const PlaceholderOptions &options) {
  return rawOps::placeholder(dtype, {.shape = shape, .name = options.name});
}

Output zeros(const Input &shape, const FillOptions &options) {
  return filled(0, "zeros", shape, options);
}
Output ones(const Input &shape, const FillOptions &options) {
  return filled(1, "ones", shape, options);
}

Output zerosLike(const Input &tensor, const LikeOptions &options) {
  FunctionScope scope(options.name, "zeros_like", {&tensor});
  Output like = convert(tensor, "tensor");
  if (!like.node)
    return {};
  DType dtype = options.dtype == DType::Invalid ? like.dtype() : options.dtype;
  if (options.optimize && like.shape().isFullyDefined() &&
      like.dtype() != DType::Variant)
    return zeros(like.shape(), {.dtype = dtype, .name = scope});
  if (dtype != like.dtype())
    return zeros(ops::shape(like, {.optimize = options.optimize}),
                 {.dtype = dtype, .name = scope});
  return rawOps::zerosLike(like, {.name = scope});
}

Output onesLike(const Input &tensor, const LikeOptions &options) {
  FunctionScope scope(options.name, "ones_like", {&tensor});
  Output like = convert(tensor, "tensor");
  if (!like.node)
    return {};
  DType dtype = options.dtype == DType::Invalid ? like.dtype() : options.dtype;
  Output dims;
  if (options.optimize && like.shape().isFullyDefined()) {
    NameScope inner("Shape");
    dims = valueOf(like.shape());
  } else {
    dims = ops::shape(like, {.optimize = options.optimize});
  }
  return ones(dims, {.dtype = dtype, .name = scope});
}

Output fill(const Input &dims, const Input &value, const OpOptions &options) {
  return rawOps::fill(dims, value, {.name = options.name});
}

Output shape(const Input &input, const ShapeOptions &options) {
  FunctionScope scope(options.name, "Shape", {&input});
  Output tensor = convert(input, "");
  if (!tensor.node)
    return {};
  if (options.optimize && tensor.shape().isFullyDefined())
    return constant(tensor.shape(), {.dtype = options.outType, .name = scope});
  return rawOps::shape(tensor, {.outType = options.outType, .name = scope});
}

Output size(const Input &input, const ShapeOptions &options) {
  FunctionScope scope(options.name, "Size", {&input});
  Output tensor = convert(input, "");
  if (!tensor.node)
    return {};
  if (auto count = tensor.shape().numElements(); options.optimize && count.ok())
    return constant(*count, {.dtype = options.outType, .name = scope});
  return rawOps::size(tensor, {.outType = options.outType, .name = scope});
}

Output rank(const Input &input, const ShapeOptions &options) {
  FunctionScope scope(options.name, "Rank", {&input});
  Output tensor = convert(input, "");
  if (!tensor.node)
    return {};
  if (options.optimize && tensor.shape().hasRank())
    return constant(tensor.shape().rank(),
                    {.dtype = DType::Int32, .name = scope});
  return rawOps::rank(tensor, {.name = scope});
}

} // namespace kiln::ops
