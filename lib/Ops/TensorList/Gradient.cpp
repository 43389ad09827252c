// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of lists of tensors: the gradient of a list is the list of its
// elements' gradients.
#include "lib/Autodiff/GradientCall.h"

namespace kiln {
namespace {

Output elementShape(const Output &list) {
  return addOp("TensorListElementShape", {list},
               {{"shape_type", DType::Int32}});
}

/// The shape of a row.
Output rowShape(const Output &tensor) {
  return addOp("Slice", {ops::shape(tensor), vectorOf({1}), vectorOf({-1})});
}

/// What is known of the shape of a row, as ops on lists take it.
Input knownRowShape(const Output &tensor) {
  const Shape &shape = tensor.shape();
  if (!shape.hasRank())
    return Input(int32_t{-1});
  std::vector<int32_t> dims;
  for (int i = 1; i < shape.rank(); ++i)
    dims.push_back(static_cast<int32_t>(shape.dim(i)));
  return ops::constant(vectorOf(dims), {.dtype = DType::Int32});
}

/// A list like this one, without elements or with as many.
Output emptyLike(const Output &list, DType dtype) {
  return addOp("EmptyTensorList", {elementShape(list), int32_t{-1}},
               {{"element_dtype", dtype}});
}
Output reservedLike(const Output &list, DType dtype) {
  return addOp("TensorListReserve",
               {elementShape(list), addOp("TensorListLength", {list})},
               {{"element_dtype", dtype}});
}

void popGradient(GradientCall &call) {
  Output list = call.grad(0), element = call.grad(1);
  if (!list.node)
    list = emptyLike(call.out(0), call.attr<DType>("element_dtype"));
  if (!element.node)
    element = ops::zerosLike(call.out(1));
  call.set(0, addOp("TensorListPushBack", {list, element}));
}

void fromTensorGradient(GradientCall &call) {
  Output tensor = call.in(0), list = call.grad();
  if (!list.node)
    list = emptyLike(call.out(), tensor.dtype());
  int64_t count = tensor.shape().hasRank() && tensor.shape().rank() > 0
                      ? tensor.shape().dim(0)
                      : Shape::unknownDim;
  call.set(0, addOp("TensorListStack", {list, rowShape(tensor)},
                    {{"element_dtype", tensor.dtype()},
                     {"num_elements", count < 0 ? int64_t{-1} : count}}));
}

void getGradient(GradientCall &call) {
  Output dy = call.grad();
  call.set(0, addOp("TensorListSetItem",
                    {reservedLike(call.in(0), dy.dtype()), call.in(1), dy}));
}

void setGradient(GradientCall &call) {
  Output list = call.grad(), index = call.in(1), item = call.in(2);
  Output others =
      addOp("TensorListSetItem", {list, index, ops::zerosLike(item)});
  call.set(2, addOp("TensorListGetItem", {list, index, ops::shape(item)},
                    {{"element_dtype", item.dtype()}}));
  if (call.attr<bool>("resize_if_index_out_of_bounds"))
    others = addOp("TensorListResize",
                   {others, addOp("TensorListLength", {call.in(0)})});
  call.set(0, others);
}

/// What is at the indices of the gradient.
Output gathered(GradientCall &call, const Output &tensor, int indices) {
  return addOp("TensorListGather",
               {call.grad(), call.in(indices), rowShape(tensor)},
               {{"element_dtype", tensor.dtype()}});
}

void scatterIntoGradient(GradientCall &call) {
  Output tensor = call.in(1), indices = call.in(2);
  call.set(1, gathered(call, tensor, 2));
  call.set(0, addOp("TensorListScatterIntoExistingList",
                    {call.grad(), ops::zerosLike(tensor), indices}));
}

} // namespace

void registerTensorListGradients(GradientRegistry &registry) {
  registry.add({"TensorListPushBack"}, [](GradientCall &call) {
    auto both =
        addOpOutputs("TensorListPopBack", {call.grad(), ops::shape(call.in(1))},
                     2, call.attrs({"element_dtype"}));
    call.set(0, both[0]);
    call.set(1, both[1]);
  });
  registry.add({"TensorListPopBack"}, popGradient);
  registry.add({"TensorListStack"}, [](GradientCall &call) {
    Output dy = call.grad();
    call.set(0, addOp("TensorListFromTensor", {dy, knownRowShape(dy)}));
  });
  registry.add({"TensorListFromTensor"}, fromTensorGradient);
  registry.add(
      {"TensorListConcat", "TensorListConcatV2"}, [](GradientCall &call) {
        call.set(0,
                 addOp("TensorListSplit",
                       {call.grad(0), elementShape(call.in(0)), call.out(1)}));
      });
  registry.add({"TensorListSplit"}, [](GradientCall &call) {
    Output tensor = call.in(0);
    Output shape = ops::concat({Input(vectorOf({-1})), rowShape(tensor)}, 0);
    call.set(0, addOp("TensorListConcatV2", {call.grad(), shape, call.in(2)},
                      {{"element_dtype", tensor.dtype()}}));
  });
  registry.add({"TensorListGetItem"}, getGradient);
  registry.add({"TensorListSetItem"}, setGradient);
  registry.add({"TensorListResize"}, [](GradientCall &call) {
    call.set(0, addOp("TensorListResize",
                      {call.grad(), addOp("TensorListLength", {call.in(0)})}));
  });
  registry.add({"TensorListGather"}, [](GradientCall &call) {
    Output dy = call.grad();
    call.set(0, addOp("TensorListScatterIntoExistingList",
                      {reservedLike(call.in(0), dy.dtype()), dy, call.in(1)}));
  });
  registry.add(
      {"TensorListScatter", "TensorListScatterV2"},
      [](GradientCall &call) { call.set(0, gathered(call, call.in(0), 1)); });
  registry.add({"TensorListScatterIntoExistingList"}, scatterIntoGradient);
}

} // namespace kiln
