// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of ops on TensorLists, and of other ops where lists are what they
// work on.
#include "lib/OpDefs/SlotCalls.h"

#include <map>

namespace kiln {
namespace {

using Calls = SlotCalls;

SlotNumber in(int i) { return SlotNumber::input(i); }
SlotNumber out(int i) { return SlotNumber::output(i); }
SlotNumber constant(int64_t value) { return SlotNumber::constant(value); }

std::vector<SlotInput> inputs(std::initializer_list<int> numbers) {
  std::vector<SlotInput> result;
  for (int i : numbers)
    result.push_back(SlotInput::input(i));
  return result;
}

bool isListOfLists(const Node &node) {
  return node.attrOr<DType>("element_dtype", DType::Invalid) == DType::Variant;
}

/// Makes a list of all inputs.
Calls make(const Node &node, std::string_view kernel) {
  SlotKernelCall call{.kernel = kernel, .numbers = {out(0)}};
  call.numbers.push_back(constant(static_cast<int64_t>(
      node.attrOr<DType>("element_dtype", DType::Invalid))));
  for (int i = 0; i < node.numInputs(); ++i)
    call.inputs.push_back(SlotInput::input(i));
  return {.calls = {std::move(call)}};
}

Calls makeScattered(const Node &node) {
  Calls calls = make(node, "ListScatterNew");
  if (node.numInputs() == 3) // no num_elements
    calls.calls.front().inputs.push_back(SlotInput::integer(-1));
  return calls;
}

Calls change(SlotKernelCall call) {
  return {.calls = {std::move(call)}, .changesList = true};
}

Calls push(const Node &node) {
  if (isListOfLists(node))
    return change({.kernel = "ListPushList", .numbers = {out(0), in(1)}});
  return change(
      {.kernel = "ListPush", .numbers = {out(0)}, .inputs = inputs({1})});
}

Calls pop(const Node &node) {
  if (isListOfLists(node))
    return change({.kernel = "ListPopList", .numbers = {out(0), out(1)}});
  return change({.kernel = "ListPop",
                 .numbers = {out(0)},
                 .inputs = inputs({1}),
                 .firstOutput = 1});
}

Calls get(const Node &node) {
  if (isListOfLists(node))
    return {.calls = {{.kernel = "ListGetList",
                       .numbers = {in(0), out(0)},
                       .inputs = inputs({1})}}};
  return {.calls = {{.kernel = "ListGet",
                     .numbers = {in(0)},
                     .inputs = inputs({1, 2}),
                     .firstOutput = 0}}};
}

Calls set(const Node &node) {
  if (isListOfLists(node))
    return change({.kernel = "ListSetList",
                   .numbers = {out(0), in(2)},
                   .inputs = inputs({1})});
  bool resizes = node.attrOr<bool>("resize_if_index_out_of_bounds", false);
  return change({.kernel = "ListSet",
                 .numbers = {out(0), constant(resizes)},
                 .inputs = inputs({1, 2})});
}

Calls read(std::string_view kernel, std::vector<SlotInput> taken = {}) {
  return {.calls = {{.kernel = kernel,
                     .numbers = {in(0)},
                     .inputs = std::move(taken),
                     .firstOutput = 0}}};
}

Calls stack(const Node &node) {
  Calls calls = read("ListStack", inputs({1}));
  calls.calls.front().numbers.push_back(
      constant(node.attrOr<int64_t>("num_elements", -1)));
  return calls;
}

/// The older op has element_shape as an attribute, no leading_dims, and does
/// not look at what the list was made for.
Calls concat(const Node &node) {
  if (node.numInputs() > 1)
    return read("ListConcat", inputs({1, 2}));
  Calls calls = read("ListConcatOld");
  Shape shape = node.attrOr<Shape>("element_shape", Shape::unknownRank());
  std::vector<SlotNumber> &numbers = calls.calls.front().numbers;
  numbers.push_back(constant(shape.hasRank() ? shape.rank() - 1 : -1));
  for (int i = 1; i < shape.rank(); ++i)
    numbers.push_back(constant(shape.dim(i)));
  return calls;
}

Calls concatLists(const Node &node) {
  const Output &first = node.input(0);
  bool areVectors = first.index < first.node->numOutputs() &&
                    first.node->outputShape(first.index).rank() == 1;
  return change({.kernel = areVectors ? "ListAppendEach" : "ListAppend",
                 .numbers = {out(0), in(1)}});
}

Calls zerosLike(const Node &) {
  return {.calls = {{.kernel = "ListZerosLike", .numbers = {out(0), in(0)}}}};
}

Calls addN(const Node &node) {
  Calls calls{.calls = {}, .changesList = true};
  for (int i = 1; i < node.numInputs(); ++i)
    calls.calls.push_back({.kernel = "ListAdd", .numbers = {out(0), in(i)}});
  return calls;
}

/// Lists as a vector, which is a list of lists of another shape.
Calls pack(const Node &node) {
  Calls calls{
      .calls = {
          {.kernel = "ListMake",
           .numbers = {out(0), constant(static_cast<int64_t>(DType::Variant))},
           .inputs = {SlotInput::integer(-1), SlotInput::integer(-1)}}}};
  for (int i = 0; i < node.numInputs(); ++i)
    calls.calls.push_back(
        {.kernel = "ListPushList", .numbers = {out(0), in(i)}});
  return calls;
}

Calls unpack(const Node &node) {
  Calls calls;
  for (int i = 0; i < node.numOutputs(); ++i)
    calls.calls.push_back({.kernel = "ListGetList",
                           .numbers = {in(0), out(i)},
                           .inputs = {SlotInput::integer(i)}});
  return calls;
}

using CallsFn = Calls (*)(const Node &node);

} // namespace

std::optional<SlotCalls> listCallsOf(const Node &node) {
  static const std::map<std::string_view, CallsFn> ofLists = {
      {"EmptyTensorList", [](const Node &n) { return make(n, "ListMake"); }},
      {"TensorListReserve",
       [](const Node &n) { return make(n, "ListReserve"); }},
      {"TensorListFromTensor",
       [](const Node &n) { return make(n, "ListFromTensor"); }},
      {"TensorListScatter", makeScattered},
      {"TensorListScatterV2", makeScattered},
      {"TensorListSplit", [](const Node &n) { return make(n, "ListSplit"); }},
      {"TensorListPushBack", push},
      {"TensorListPushBackBatch",
       [](const Node &) {
         return change({.kernel = "ListPushBatch",
                        .numbers = {out(0)},
                        .inputs = inputs({1})});
       }},
      {"TensorListPopBack", pop},
      {"TensorListGetItem", get},
      {"TensorListSetItem", set},
      {"TensorListScatterIntoExistingList",
       [](const Node &) {
         return change({.kernel = "ListScatter",
                        .numbers = {out(0)},
                        .inputs = inputs({1, 2})});
       }},
      {"TensorListResize",
       [](const Node &) {
         return change({.kernel = "ListResize",
                        .numbers = {out(0)},
                        .inputs = inputs({1})});
       }},
      {"TensorListLength", [](const Node &) { return read("ListLength"); }},
      {"TensorListElementShape",
       [](const Node &) { return read("ListElementShape"); }},
      {"TensorListStack", stack},
      {"TensorListGather",
       [](const Node &) { return read("ListGather", inputs({1, 2})); }},
      {"TensorListConcat", concat},
      {"TensorListConcatV2", concat},
      {"TensorListConcatLists", concatLists},
  };
  /// Where their inputs, or outputs, are lists.
  static const std::map<std::string_view, CallsFn> ofVariants = {
      {"ZerosLike", zerosLike},
      {"AddN", addN},
      {"Pack", pack},
      {"Unpack", unpack},
  };
  const std::string &op = lookupOp(node.op())->canonicalName;
  if (auto found = ofLists.find(op); found != ofLists.end())
    return found->second(node);
  auto found = ofVariants.find(op);
  if (found == ofVariants.end() || node.numInputs() == 0 ||
      node.input(0).dtype() != DType::Variant)
    return std::nullopt;
  return found->second(node);
}

} // namespace kiln
