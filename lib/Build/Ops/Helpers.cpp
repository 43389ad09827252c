// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What functions that add several nodes are written with.
#include "lib/Build/Ops/Helpers.h"

#include "lib/Build/BuildState.h"
#include "lib/Support/DTypeDispatch.h"

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

const Node *addIdentity(const Output &tensor, std::string_view name) {
  return GraphBuilder::current().addOp(
      {.op = "Identity", .name = std::string(name), .inputs = {Input(tensor)}});
}

std::optional<std::vector<int64_t>> knownIntegers(const Input &value) {
  StatusOr<Tensor> tensor = internalError("unknown");
  if (const Output *output = value.output()) {
    if (!output->node || output->node->op() != "Const")
      return std::nullopt;
    tensor = output->node->attr<Tensor>("value");
  } else if (!std::holds_alternative<std::shared_ptr<const VariableData>>(
                 value.value()) &&
             !holdsOutputs(value)) {
    tensor = toConstant(value, DType::Invalid);
  }
  if (!tensor.ok() || !(isInteger(tensor->dtype())))
    return tensor.ok() && tensor->numElements() == 0
               ? std::optional(std::vector<int64_t>())
               : std::nullopt;
  std::vector<int64_t> numbers;
  dispatchInteger(tensor->dtype(), [&](auto sample) {
    for (auto number : tensor->data<decltype(sample)>())
      numbers.push_back(static_cast<int64_t>(number));
    return true;
  });
  return numbers;
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
