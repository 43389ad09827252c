// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of tensors.
#include "kiln/TensorArray.h"

#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/MathOps.h"
#include "lib/Build/FunctionCalls.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Build/UnpublishedNodes.h"
#include "lib/Support/Strings.h"

namespace kiln {
namespace {

const Node *add(std::string_view op, const std::string &name,
                const std::vector<Input> &inputs, AttrMap attrs = {}) {
  OpSpec spec{.op = std::string(op), .name = name, .attrs = std::move(attrs)};
  for (const Input &input : inputs)
    spec.inputs.emplace_back(input);
  return GraphBuilder::current().addOp(spec);
}

Shape withFirst(int64_t first, const Shape &rest) {
  if (!rest.hasRank())
    return rest;
  std::vector<int64_t> dims{first};
  dims.insert(dims.end(), rest.dims().begin(), rest.dims().end());
  return Shape(dims);
}

Shape withoutFirst(const Shape &shape) {
  return shape.hasRank() && shape.rank() > 0 ? Shape(shape.dims().subspan(1))
                                             : Shape::unknownRank();
}

/// What ops on lists take for the shape of an element: -1 where nothing is
/// known. **Source**: list_ops._build_element_shape.
Input asElementShape(const Shape &shape) {
  if (!shape.hasRank())
    return -1;
  std::vector<int32_t> dims(shape.dims().begin(), shape.dims().end());
  return dims.empty()
             ? Input(ops::constant(Input(dims), {.dtype = DType::Int32}))
             : Input(dims);
}

} // namespace

TensorArray::TensorArray(DType dtype, const Input &size,
                         const TensorArrayOptions &options)
    : elementType(dtype), inferShape(options.inferShape),
      facts(std::make_shared<Facts>(Facts{.element = options.elementShape})) {
  if (!options.dynamicSize)
    facts->size = size;
  facts->isDynamic = options.dynamicSize;
  facts->colocates = options.colocatesWithFirstWrite;
  if (usesFunctions(size.output() ? GraphBuilder::of(*size.output())
                                  : GraphBuilder::current())) {
    FunctionScope scope(options.name, "TensorArrayV2", {&size});
    arrayFlow = {add("TensorListReserve", scope.name(),
                     {asElementShape(options.elementShape), size},
                     {{"element_dtype", dtype}}),
                 0};
    return;
  }
  FunctionScope scope(options.name, "TensorArray", {&size});
  // It stands nowhere: its writes say where they stand.
  std::optional<ColocationScope> nowhere;
  if (options.colocatesWithFirstWrite)
    nowhere.emplace(static_cast<const Node *>(nullptr),
                    /*ignoreExisting=*/true);
  const Node *node = add("TensorArrayV3", scope.name(), {size},
                         {{"dtype", dtype},
                          {"element_shape", options.elementShape},
                          {"dynamic_size", options.dynamicSize},
                          {"clear_after_read", options.clearAfterRead},
                          {"identical_element_shapes", options.inferShape},
                          {"tensor_array_name", options.tensorArrayName}});
  arrayHandle = {node, 0};
  arrayFlow = {node, 1};
}

TensorArray::TensorArray(DType dtype, const Output &handle, const Output &flow)
    : elementType(dtype), arrayHandle(handle), arrayFlow(flow),
      facts(std::make_shared<Facts>(Facts{.element = Shape::unknownRank()})) {}

TensorArray TensorArray::withFlow(const Output &flow) const {
  // Python makes a new object, which takes a name.
  if (isList())
    GraphBuilder::current().uniqueName("TensorArrayV2");
  TensorArray other = *this;
  other.arrayFlow = flow;
  return other;
}

void TensorArray::merge(const Shape &shape) const {
  if (!inferShape && !isList())
    return;
  Shape &element = facts->element;
  if (!element.isCompatibleWith(shape)) {
    GraphBuilder::current().fail(invalidArgumentError(
        strCat("Inconsistent shapes: saw ", shape.toTupleString(),
               " but expected ", element.toTupleString())));
    return;
  }
  if (isList()) {
    auto merged = element.merge(shape);
    if (inferShape && merged.ok())
      element = *merged;
  } else if (!element.isFullyDefined() && shape.hasRank()) {
    element = shape;
  }
}

Output TensorArray::listOp(std::string_view op, const std::string &name,
                           std::vector<Input> inputs, AttrMap attrs) const {
  inputs.insert(inputs.begin(), arrayFlow);
  attrs.set("element_dtype", elementType);
  return {add(op, name, inputs, std::move(attrs)), 0};
}

Output TensorArray::readOp(std::string_view op, const std::string &name,
                           std::vector<Input> inputs, AttrMap attrs,
                           const Shape &shape) const {
  BuildState &state = GraphBuilder::current().internals();
  HoldScope hold(state);
  attrs.set("dtype", elementType);
  const Node *node = add(op, name, inputs, std::move(attrs));
  if (!node)
    return {};
  if (shape.hasRank())
    setShape(state, {node, 0}, shape);
  return {node, 0};
}

TensorArray TensorArray::writeOp(std::string_view op, const std::string &name,
                                 const Output &value,
                                 std::vector<Input> inputs) const {
  std::optional<ColocationScope> place;
  if (facts->colocates) {
    if (!facts->firstWrite.node)
      facts->firstWrite = value;
    place.emplace(facts->firstWrite);
  }
  return withFlow({add(op, name, inputs), 0});
}

Output TensorArray::read(const Input &index, const OpOptions &options) const {
  if (isList()) {
    Input flow = arrayFlow;
    FunctionScope scope(options.name, "TensorArrayV2Read", {&flow, &index});
    return listOp("TensorListGetItem", options.name,
                  {index, asElementShape(facts->element)});
  }
  GraphScope graph(ops::builderOf(arrayHandle));
  return readOp("TensorArrayReadV3", options.name,
                {arrayHandle, index, arrayFlow}, {}, facts->element);
}

TensorArray TensorArray::write(const Input &index, const Input &value,
                               const OpOptions &options) const {
  if (isList()) {
    Input flow = arrayFlow;
    FunctionScope scope(options.name, "TensorArrayV2Write",
                        {&flow, &index, &value});
    Output item = GraphBuilder::current().convert(
        value, {.dtype = elementType, .name = "value"});
    if (!item.node)
      return withFlow({});
    merge(item.shape());
    return withFlow(
        listOp("TensorListSetItem", options.name, {index, item},
               {{"resize_if_index_out_of_bounds", facts->isDynamic}}));
  }
  FunctionScope scope(options.name, "TensorArrayWrite", {});
  GraphScope graph(ops::builderOf(arrayHandle));
  Output tensor = GraphBuilder::current().convert(
      value, {.dtype = elementType, .name = "value"});
  if (!tensor.node)
    return withFlow({});
  merge(tensor.shape());
  return writeOp("TensorArrayWriteV3", options.name, tensor,
                 {arrayHandle, index, tensor, arrayFlow});
}

Output TensorArray::size(const OpOptions &options) const {
  GraphScope graph(ops::builderOf(arrayFlow));
  if (facts->size)
    return GraphBuilder::current().convert(*facts->size,
                                           {.dtype = DType::Int32});
  if (isList())
    return {add("TensorListLength", options.name, {arrayFlow}), 0};
  return {add("TensorArraySizeV3", options.name, {arrayHandle, arrayFlow}), 0};
}

const Node *TensorArray::close(const OpOptions &options) const {
  GraphScope graph(ops::builderOf(arrayFlow));
  if (isList())
    return add("NoOp", options.name, {});
  return add("TensorArrayCloseV3", options.name, {arrayHandle});
}

Output TensorArray::stack(const OpOptions &options) const {
  if (isList()) {
    Input flow = arrayFlow;
    FunctionScope scope(options.name, "TensorArrayV2Stack", {&flow});
    int64_t count = -1;
    if (facts->size) {
      if (const auto *number = std::get_if<int64_t>(&facts->size->value()))
        count = *number;
      else if (auto known = ops::knownIntegers(*facts->size);
               known && known->size() == 1)
        count = known->front();
    }
    return listOp("TensorListStack", "", {asElementShape(facts->element)},
                  {{"num_elements", count}});
  }
  Input handle = arrayHandle;
  FunctionScope scope(options.name, "TensorArrayStack", {&handle});
  ColocationScope place(arrayHandle);
  Output rows = size();
  return gather(ops::range(0, rows), options);
}

Output TensorArray::gather(const Input &indices,
                           const OpOptions &options) const {
  GraphScope graph(ops::builderOf(arrayFlow));
  if (isList())
    return listOp("TensorListGather", options.name,
                  {indices, asElementShape(facts->element)});
  Output list = GraphBuilder::current().convert(
      indices, {.dtype = DType::Int32, .name = "indices"});
  if (!list.node)
    return {};
  int64_t count =
      list.shape().rank() == 1 ? list.shape().dim(0) : Shape::unknownDim;
  return readOp(
      "TensorArrayGatherV3", options.name, {arrayHandle, list, arrayFlow},
      {{"element_shape", facts->element}}, withFirst(count, facts->element));
}

Output TensorArray::concat(const OpOptions &options) const {
  GraphScope graph(ops::builderOf(arrayFlow));
  Shape rest = withoutFirst(facts->element);
  if (isList()) {
    Input shape = asElementShape(withFirst(Shape::unknownDim, rest));
    Output none = ops::constant(Input(Input::List()), {.dtype = DType::Int64});
    return listOp("TensorListConcatV2", options.name, {shape, none});
  }
  return readOp("TensorArrayConcatV3", options.name, {arrayHandle, arrayFlow},
                {{"element_shape_except0", rest}},
                withFirst(Shape::unknownDim, rest));
}

TensorArray TensorArray::unstack(const Input &value,
                                 const OpOptions &options) const {
  Input flow = arrayFlow;
  FunctionScope scope(options.name, "TensorArrayUnstack", {&flow, &value});
  Output tensor = GraphBuilder::current().convert(
      value, {.dtype = elementType, .name = "value"});
  if (!tensor.node)
    return withFlow({});
  if (isList()) {
    Shape row = withoutFirst(tensor.shape());
    merge(row);
    return withFlow(
        {add("TensorListFromTensor", "", {tensor, asElementShape(row)},
             {{"element_dtype", elementType}}),
         0});
  }
  Output rows = ops::shape(tensor)[0];
  return scatter(ops::range(0, rows), tensor, options);
}

TensorArray TensorArray::scatter(const Input &indices, const Input &value,
                                 const OpOptions &options) const {
  Input flow = arrayFlow;
  FunctionScope scope(options.name, "TensorArrayScatter", {&flow, &value});
  Output tensor = GraphBuilder::current().convert(
      value, {.dtype = elementType, .name = "value"});
  if (!tensor.node)
    return withFlow({});
  merge(withoutFirst(tensor.shape()));
  if (isList())
    return withFlow(
        listOp("TensorListScatterIntoExistingList", "", {tensor, indices}));
  return writeOp("TensorArrayScatterV3", options.name, tensor,
                 {arrayHandle, indices, tensor, arrayFlow});
}

TensorArray TensorArray::split(const Input &value, const Input &lengths,
                               const OpOptions &options) const {
  Input flow = arrayFlow;
  FunctionScope scope(options.name, "TensorArraySplit", {&flow, &value});
  Output tensor = GraphBuilder::current().convert(
      value, {.dtype = elementType, .name = "value"});
  Output sizes = ops::cast(lengths, DType::Int64);
  if (!tensor.node || !sizes.node)
    return withFlow({});
  if (isList())
    return withFlow({add("TensorListSplit", options.name,
                         {tensor, asElementShape(facts->element), sizes},
                         {{"element_dtype", elementType}}),
                     0});
  if (tensor.shape().hasRank() && tensor.shape().rank() > 0)
    merge(withFirst(Shape::unknownDim, withoutFirst(tensor.shape())));
  return writeOp("TensorArraySplitV3", options.name, tensor,
                 {arrayHandle, tensor, sizes, arrayFlow});
}

TensorArray TensorArray::grad(std::string_view source,
                              const Output &flow) const {
  GraphScope graph(ops::builderOf(arrayHandle));
  NameScope scope("TensorArrayGrad");
  ColocationScope place(arrayHandle);
  const Node *node =
      add("TensorArrayGradV3", "TensorArrayGradV3", {arrayHandle, flow},
          {{"source", std::string(source)}});
  TensorArray result(elementType, Output{node, 0}, Output());
  result.inferShape = inferShape;
  result.facts->element = facts->element;
  result.facts->colocates = false;
  ControlScope after({node});
  result.arrayFlow = {node ? ops::addIdentity(flow, "gradient_flow") : nullptr,
                      0};
  return result;
}

} // namespace kiln
