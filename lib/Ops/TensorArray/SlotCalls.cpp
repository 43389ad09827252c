// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of ops on TensorArrays and stacks.
#include "lib/OpDefs/SlotCalls.h"

#include "runtime/abi/SlotFlags.h"

namespace kiln {
namespace {

template <class T> T attrOf(const Node &node, std::string_view name) {
  return kiln::attrOf<T>(node, *lookupOp(node.op()), name);
}

/// Rank or -1, then dimensions or -1.
void appendShape(std::vector<SlotNumber> &numbers, const Node &node,
                 const std::string &name) {
  Shape shape = node.attrOr<Shape>(name, Shape::unknownRank());
  numbers.push_back(SlotNumber::constant(shape.rank()));
  if (shape.hasRank())
    for (int64_t dim : shape.dims())
      numbers.push_back(SlotNumber::constant(dim));
}

std::string nameOf(const Node &node, std::string_view attr) {
  auto name = attrOf<std::string>(node, attr);
  return name.empty() ? node.name() : name;
}

SlotCalls make(const Node &node, std::string_view kernel, SlotInput size,
               std::string_view name) {
  SlotCalls calls{.calls = {{.kernel = kernel,
                             .numbers = {SlotNumber::output(0)},
                             .inputs = {size, SlotInput::name()}}},
                  .name = nameOf(node, name)};
  calls.beginsFlow = lookupOp(node.op())->outputs.size() > 1;
  return calls;
}

SlotCalls makeArray(const Node &node) {
  int64_t flags = 0;
  if (attrOf<bool>(node, "dynamic_size"))
    flags |= slotGrows;
  if (attrOf<bool>(node, "clear_after_read"))
    flags |= slotClearsRead;
  if (attrOf<bool>(node, "identical_element_shapes"))
    flags |= slotHasOneShape;
  SlotCalls calls =
      make(node, "SlotMake", SlotInput::input(0), "tensor_array_name");
  std::vector<SlotNumber> &numbers = calls.calls.front().numbers;
  numbers.push_back(SlotNumber::constant(flags));
  numbers.push_back(
      SlotNumber::constant(static_cast<int64_t>(attrOf<DType>(node, "dtype"))));
  appendShape(numbers, node, "element_shape");
  return calls;
}

SlotCalls makeStack(const Node &node) {
  SlotCalls calls =
      make(node, "SlotMakeStack",
           node.numInputs() > 0 ? SlotInput::input(0) : SlotInput::integer(-1),
           "stack_name");
  calls.calls.front().numbers.push_back(SlotNumber::constant(
      static_cast<int64_t>(attrOf<DType>(node, "elem_type"))));
  return calls;
}

/// handle, flow[, dimensions in front]. A gradient of version 2 has no flow.
SlotCalls makeGradient(const Node &node) {
  SlotCalls calls{
      .calls = {{.kernel = "SlotMakeGradient",
                 .numbers = {SlotNumber::output(0), SlotNumber::input(0)},
                 .inputs = {SlotInput::name()}}},
      .name = nameOf(node, "source")};
  if (node.numInputs() > 2)
    calls.calls.front().inputs.push_back(SlotInput::input(2));
  if (lookupOp(node.op())->outputs.size() > 1)
    calls.passed = 1;
  return calls;
}

/// handle, index or the like, value, flow -> flow
SlotCalls write(std::string_view kernel) {
  return {.calls = {{.kernel = kernel,
                     .numbers = {SlotNumber::input(0)},
                     .inputs = {SlotInput::input(1), SlotInput::input(2)}}},
          .passed = 3};
}

SlotCalls take(const Node &node, std::string_view kernel,
               std::vector<SlotInput> inputs = {},
               const std::string &shape = {}) {
  SlotCalls calls{.calls = {{.kernel = kernel,
                             .numbers = {SlotNumber::input(0)},
                             .inputs = std::move(inputs),
                             .firstOutput = 0}}};
  if (!shape.empty())
    appendShape(calls.calls.front().numbers, node, shape);
  return calls;
}

} // namespace

SlotCalls arrayCallsOf(const Node &node) {
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
    return {
        .calls = {{.kernel = "SlotPushHandle",
                   .numbers = {SlotNumber::input(0), SlotNumber::input(1)}}},
        .passed = 1};
  if (op == "StackPushV2")
    return {.calls = {{.kernel = "SlotPush",
                       .numbers = {SlotNumber::input(0)},
                       .inputs = {SlotInput::input(1)}}},
            .passed = 1};
  if (op == "TensorArrayReadV3")
    return take(node, "SlotRead", {SlotInput::input(1)});
  if (op == "TensorArrayGatherV3")
    return take(node, "SlotReadMany", {SlotInput::input(1)}, "element_shape");
  if (op == "TensorArrayConcatV3")
    return take(node, "SlotConcat", {}, "element_shape_except0");
  if (op == "TensorArraySizeV3")
    return take(node, "SlotSize");
  if (op == "StackPopV2" && attrOf<DType>(node, "elem_type") == DType::Resource)
    return {
        .calls = {{.kernel = "SlotPopHandle",
                   .numbers = {SlotNumber::input(0), SlotNumber::output(0)}}}};
  if (op == "StackPopV2")
    return take(node, "SlotPop");
  return {
      .calls = {{.kernel = "SlotClose", .numbers = {SlotNumber::input(0)}}}};
}

bool makesSlot(const Node &node) {
  const OpDef *def = lookupOp(node.op());
  return def && def->has(usesSlot) &&
         (def->inputs.empty() || def->inputs[0].dtype == DType::Int32);
}

std::optional<SlotCalls> slotCallsOf(const Node &node) {
  const OpDef *def = lookupOp(node.op());
  if (!def)
    return std::nullopt;
  return def->has(usesSlot) ? arrayCallsOf(node) : listCallsOf(node);
}

} // namespace kiln
