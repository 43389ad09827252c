// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TFE_InferShapes: what an eager op would give, told by its node in a graph of
// its own.
#include "capi/Eager.h"
#include "tensorflow/c/c_api_experimental.h"

#include <algorithm>

using namespace kiln;
using namespace kiln::capi;

namespace {

TF_ShapeAndType *itemOf(TF_ShapeAndTypeList *list, int index) {
  return index >= 0 && index < list->num_items ? &list->items[index] : nullptr;
}

StatusOr<Shape> shapeOf(const TF_ShapeAndType &item) {
  if (item.num_dims < 0)
    return Shape::unknownRank();
  if (item.num_dims > Shape::maxRank)
    return invalidArgumentError(
        "expected at most " + std::to_string(Shape::maxRank) +
        " dimensions, got " + std::to_string(item.num_dims));
  return Shape(
      std::span<const int64_t>(item.dims, static_cast<size_t>(item.num_dims)));
}

/// What stands for an input: a constant where its value is known.
StatusOr<Output> addInput(kiln::Graph &graph, size_t i, DType dtype,
                          const TF_ShapeAndType &item, TF_Tensor *known) {
  NodeSpec spec{.name = "dummy_input" + (i ? "_" + std::to_string(i) : ""),
                .op = known ? "Const" : "Placeholder"};
  spec.attrs.set("dtype", dtype);
  if (known) {
    StatusOr<Tensor> value = valueOf(*known);
    if (!value.ok())
      return value.status();
    // The caller may write its memory later; a constant is for ever.
    StatusOr<Tensor> copy = value->clone();
    if (!copy.ok())
      return copy.status();
    spec.attrs.set("value", *std::move(copy));
  } else {
    StatusOr<Shape> shape = shapeOf(item);
    if (!shape.ok())
      return shape.status();
    spec.attrs.set("shape", *shape);
  }
  StatusOr<const Node *> node = graph.addNode(std::move(spec));
  if (!node.ok())
    return node.status();
  return Output{*node, 0};
}

StatusOr<const Node *> addOp(TF_Graph &graph, const TFE_Op &op,
                             const TF_ShapeAndTypeList &shapes,
                             TF_Tensor **values) {
  AttrMap attrs = op.description.spec.attrs;
  for (const OpAttribute &attr : op.description.schema()->attrs)
    if (attr.defaultValue && !attrs.find(attr.name))
      attrs.set(attr.name, *attr.defaultValue);
  std::vector<DType> dtypes;
  for (const OpArgument &argument : op.description.schema()->inputs) {
    const std::vector<DType> list = dtypesOf(argument, attrs);
    dtypes.insert(dtypes.end(), list.begin(), list.end());
  }
  if (shapes.num_items < 0 ||
      static_cast<size_t>(shapes.num_items) != dtypes.size())
    return invalidArgumentError(
        "Wrong number of inputs passed: " + std::to_string(shapes.num_items) +
        " while " + std::to_string(dtypes.size()) +
        " expected based on NodeDef");
  NodeSpec spec{.name = op.name, .op = op.name, .attrs = attrs};
  for (size_t i = 0; i < dtypes.size(); ++i) {
    StatusOr<Output> input =
        addInput(*graph.graph, i, dtypes[i], shapes.items[i],
                 values ? values[i] : nullptr);
    if (!input.ok())
      return input.status();
    spec.inputs.emplace_back(*input);
  }
  return graph.graph->addNode(std::move(spec));
}

} // namespace

TF_ShapeAndTypeList *TF_NewShapeAndTypeList(int num_shapes) {
  const int count = std::max(num_shapes, 0);
  return new TF_ShapeAndTypeList{
      count, new TF_ShapeAndType[static_cast<size_t>(count)]()};
}

void TF_ShapeAndTypeListSetShape(TF_ShapeAndTypeList *shape_list, int index,
                                 const int64_t *dims, int num_dims) {
  TF_ShapeAndTypeListSetUnknownShape(shape_list, index);
  TF_ShapeAndType *item = itemOf(shape_list, index);
  if (!item || num_dims < 0)
    return;
  item->num_dims = num_dims;
  item->dims = new int64_t[static_cast<size_t>(num_dims)];
  std::copy_n(dims, num_dims, item->dims);
}

void TF_ShapeAndTypeListSetUnknownShape(TF_ShapeAndTypeList *shape_list,
                                        int index) {
  if (TF_ShapeAndType *item = itemOf(shape_list, index)) {
    delete[] item->dims;
    item->dims = nullptr;
    item->num_dims = -1;
  }
}

void TF_ShapeAndTypeListSetDtype(TF_ShapeAndTypeList *shape_list, int index,
                                 TF_DataType dtype) {
  if (TF_ShapeAndType *item = itemOf(shape_list, index))
    item->dtype = dtype;
}

void TF_DeleteShapeAndTypeList(TF_ShapeAndTypeList *shape_list) {
  if (!shape_list)
    return;
  for (int i = 0; i < shape_list->num_items; ++i)
    delete[] shape_list->items[i].dims;
  delete[] shape_list->items;
  delete shape_list;
}

void TF_DeleteShapeAndTypeListArray(TF_ShapeAndTypeList **shape_list_array,
                                    int num_items) {
  if (!shape_list_array)
    return;
  for (int i = 0; i < num_items; ++i)
    TF_DeleteShapeAndTypeList(shape_list_array[i]);
  delete[] shape_list_array;
}

// As in TensorFlow, the shapes that tensors hold and the resources are not
// looked at, and dtypes are not told.
void TFE_InferShapes(TFE_Op *op, TF_ShapeAndTypeList *input_shapes,
                     TF_Tensor **input_tensors, TF_ShapeAndTypeList *,
                     TF_ShapeAndTypeList **,
                     TF_ShapeAndTypeList **output_shapes,
                     TF_ShapeAndTypeList ***, TF_Status *status) {
  clearStatus(status);
  TF_Graph graph;
  {
    std::lock_guard lock(op->context.graph.adding);
    const SharedFunctions functions =
        op->context.graph.graph->functionLibrary();
    if (functions)
      graph.graph->setFunctionLibrary(functions);
  }
  const TF_ShapeAndTypeList none{0, nullptr};
  StatusOr<const Node *> node =
      addOp(graph, *op, input_shapes ? *input_shapes : none, input_tensors);
  if (!node.ok())
    return setStatus(status, node.status());
  if (!output_shapes)
    return;
  const int count = std::max((*node)->numOutputs(), 0);
  *output_shapes = TF_NewShapeAndTypeList(count);
  for (int i = 0; i < count; ++i) {
    const Shape &shape = (*node)->outputShape(i);
    if (shape.hasRank())
      TF_ShapeAndTypeListSetShape(*output_shapes, i, shape.dims().data(),
                                  shape.rank());
    else
      TF_ShapeAndTypeListSetUnknownShape(*output_shapes, i);
  }
}
