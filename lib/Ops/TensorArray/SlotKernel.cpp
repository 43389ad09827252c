// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of ops on TensorArrays and stacks.
#include "lib/Ops/TensorArray/SlotKernel.h"

#include "lib/Support/SlotFlags.h"

namespace kiln {
namespace {

template <class T> T attrOf(const Node &node, std::string_view name) {
  return kiln::attrOf<T>(node, *lookupOp(node.op()), name);
}

/// Rank or -1, then dimensions or -1.
void appendShape(std::vector<int64_t> &numbers, const Node &node,
                 const std::string &name) {
  Shape shape = node.attrOr<Shape>(name, Shape::unknownRank());
  numbers.push_back(shape.rank());
  if (shape.hasRank())
    for (int64_t dim : shape.dims())
      numbers.push_back(dim);
}

std::string nameOf(const Node &node, std::string_view attr) {
  auto name = attrOf<std::string>(node, attr);
  return name.empty() ? node.name() : name;
}

SlotKernel makeArray(const Node &node) {
  int64_t flags = 0;
  if (attrOf<bool>(node, "dynamic_size"))
    flags |= slotGrows;
  if (attrOf<bool>(node, "clear_after_read"))
    flags |= slotClearsRead;
  if (attrOf<bool>(node, "identical_element_shapes"))
    flags |= slotHasOneShape;
  SlotKernel call{
      .name = "SlotMake",
      .inputs = {0},
      .numbers = {flags, static_cast<int64_t>(attrOf<DType>(node, "dtype"))},
      .text = nameOf(node, "tensor_array_name"),
      .textAt = 1};
  appendShape(call.numbers, node, "element_shape");
  return call;
}

SlotKernel makeGradient(const Node &node) {
  SlotKernel call{.name = "SlotMakeGradient",
                  .text = nameOf(node, "source"),
                  .textAt = 0,
                  .passes = 1,
                  .makesGradient = true};
  if (node.numInputs() > 2)
    call.inputs = {2}; // dimensions in front
  return call;
}

SlotKernel makeStack(const Node &node) {
  SlotKernel call{
      .name = "SlotMakeStack",
      .numbers = {static_cast<int64_t>(attrOf<DType>(node, "elem_type"))},
      .text = nameOf(node, "stack_name"),
      .textAt = 1};
  if (node.numInputs() > 0)
    call.inputs = {0};
  else
    call.lacksLimit = true;
  return call;
}

/// handle, index or the like, value, flow -> flow
SlotKernel write(std::string_view kernel) {
  return {.name = kernel, .inputs = {1, 2}, .passes = 3};
}

SlotKernel take(const Node &node, std::string_view kernel,
                std::vector<int> inputs = {}, const std::string &shape = {}) {
  SlotKernel call{.name = kernel, .inputs = std::move(inputs), .gives = true};
  if (!shape.empty())
    appendShape(call.numbers, node, shape);
  return call;
}

} // namespace

SlotKernel slotKernelOf(const Node &node) {
  const std::string &op = lookupOp(node.op())->canonicalName;
  if (op == "TensorArrayV3")
    return makeArray(node);
  if (op == "TensorArrayGradV3" || op == "TensorArrayGradWithShape")
    return makeGradient(node);
  if (op == "StackV2")
    return makeStack(node);
  if (op == "TensorArrayWriteV3")
    return write("SlotWrite");
  if (op == "TensorArrayScatterV3")
    return write("SlotWriteMany");
  if (op == "TensorArraySplitV3")
    return write("SlotSplit");
  if (op == "StackPushV2" && node.input(1).dtype() == DType::Resource)
    return {.name = "SlotPushHandle", .passes = 1, .takesHandle = true};
  if (op == "StackPushV2")
    return {.name = "SlotPush", .inputs = {1}, .passes = 1};
  if (op == "TensorArrayReadV3")
    return take(node, "SlotRead", {1});
  if (op == "TensorArrayGatherV3")
    return take(node, "SlotReadMany", {1}, "element_shape");
  if (op == "TensorArrayConcatV3")
    return take(node, "SlotConcat", {}, "element_shape_except0");
  if (op == "TensorArraySizeV3")
    return take(node, "SlotSize");
  if (op == "StackPopV2" && attrOf<DType>(node, "elem_type") == DType::Resource)
    return {.name = "SlotPopHandle", .givesHandle = true};
  if (op == "StackPopV2")
    return take(node, "SlotPop");
  return {.name = "SlotClose"};
}

bool makesSlot(const Node &node) {
  const OpDef *def = lookupOp(node.op());
  return def && def->has(usesSlot) &&
         (def->inputs.empty() || def->inputs[0].dtype == DType::Int32);
}

} // namespace kiln
