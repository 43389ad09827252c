// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What functions that add several nodes are written with.
#include "lib/Build/Ops/Helpers.h"

#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/MathOps.h"
#include "lib/Build/BuildState.h"

namespace kiln::ops {

Output convert(const Input &value, std::string_view name, DType dtype) {
  return GraphBuilder::current().convert(
      value, {.dtype = dtype, .name = std::string(name)});
}

Output convertLike(const Input &value, const Output &like,
                   std::string_view name) {
  return GraphBuilder::current().convert(
      value, {.dtypeHint = like.node ? like.dtype() : DType::Invalid,
              .name = std::string(name)});
}

Output valueOf(const Input &value) {
  return GraphBuilder::current().convert(value);
}

GraphBuilder builderOf(const Input &input) {
  const Input *inputs[] = {&input};
  return kiln::builderOf(inputs);
}

Output failed(Status error, const std::string &scope) {
  GraphBuilder::current().fail(error.withNode(withoutSlash(scope)));
  return {};
}

Output shapeAsTensor(const Input &value) {
  FunctionScope scope("", "Shape", {&value});
  Output tensor = valueOf(value);
  if (!tensor.node)
    return {};
  if (tensor.shape().isFullyDefined())
    return valueOf(tensor.shape());
  return rawOps::shape(tensor, {.name = scope});
}

const Node *addIdentity(const Output &tensor, std::string_view name) {
  return GraphBuilder::current().addOp(
      {.op = "Identity", .name = std::string(name), .inputs = {Input(tensor)}});
}

Output binary(std::string_view name, const Input &x, const Input &y) {
  bool isSymbolic =
      x.output() ||
      std::holds_alternative<std::shared_ptr<const VariableData>>(x.value());
  return detail::binaryOperator(name, x, y, !isSymbolic);
}

Output sumOver(const Input &x, const std::optional<Input> &axis, bool keepDims,
               std::string name) {
  ReduceOptions options{keepDims, std::move(name)};
  return axis ? reduceSumOver(x, *axis, options) : reduceSum(x, options);
}
Output meanOver(const Input &x, const std::optional<Input> &axis, bool keepDims,
                std::string name) {
  ReduceOptions options{keepDims, std::move(name)};
  return axis ? reduceMeanOver(x, *axis, options) : reduceMean(x, options);
}
Output maxOver(const Input &x, const std::optional<Input> &axis, bool keepDims,
               std::string name) {
  ReduceOptions options{keepDims, std::move(name)};
  return axis ? reduceMaxOver(x, *axis, options) : reduceMax(x, options);
}

std::optional<bool> knownTruth(const Input &value) {
  if (const bool *known = std::get_if<bool>(&value.value()))
    return *known;
  const Output *tensor = value.output();
  if (!tensor || !tensor->node || tensor->node->op() != "Const" ||
      tensor->dtype() != DType::Bool)
    return std::nullopt;
  StatusOr<Tensor> constant = tensor->node->attr<Tensor>("value");
  if (!constant.ok() || constant->numElements() != 1)
    return std::nullopt;
  return constant->data<bool>()[0];
}

} // namespace kiln::ops
