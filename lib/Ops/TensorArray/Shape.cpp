// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of TensorArrays and stacks. While a graph is built nothing is
// known of their elements but what they were made for.
#include "lib/Ops/TensorArray/Shape.h"

#include "lib/Ops/Slots.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::shapes {
namespace {

/// Sets output 0 to a handle: a resource, or two strings.
void setHandle(InferenceContext &context, int slot, const SlotFacts &facts) {
  bool isText = context.def().outputs[0].dtype != DType::Resource;
  context.setOutputShape(0, isText ? SymShape::of({Dim::known(2)})
                                   : SymShape::scalar());
  HandleInfo handle{facts.dtype, facts.declared};
  handle.slot = slot;
  if (context.slots() && slot >= 0)
    context.slots()->declare(slot, facts, context.dims());
  context.setOutputHandle(0, std::move(handle));
}

/// The slot that input 0 names; -1 while that is not known.
int slotOf(const InferenceContext &context) {
  const std::optional<HandleInfo> &handle = context.input(0).handle;
  return handle && context.slots() ? handle->slot : -1;
}

/// The number that input i is, as far as it is known.
Dim numberOf(const InferenceContext &context, int i) {
  const Dims *elements = context.knownContents(i);
  return elements && elements->size() == 1 ? elements->front() : Dim::unknown();
}

/// What an element is, of the shape that the op names where that says more.
StatusOr<ValueInfo> elementOf(InferenceContext &context,
                              std::string_view shapeAttr = {}) {
  ValueInfo element;
  if (int slot = slotOf(context); slot >= 0)
    element = context.slots()->read(slot);
  else if (context.input(0).handle)
    element.shape = context.input(0).handle->shape;
  if (DType wanted = context.typeAttr("dtype");
      element.dtype != DType::Invalid && wanted != element.dtype)
    return context.error(
        strCat("TensorArray dtype is ", dtypeTfName(element.dtype),
               " but Op requested dtype ", dtypeTfName(wanted), "."));
  if (!shapeAttr.empty() && !element.shape.rankKnown)
    element.shape = context.shapeAttr(shapeAttr);
  return element;
}

/// Notes what input i writes.
Status noteWrite(InferenceContext &context, int i, SymShape shape) {
  int slot = slotOf(context);
  if (slot < 0)
    return okStatus();
  SlotFacts &facts = (*context.slots())[slot];
  if (facts.dtype != DType::Invalid && context.inputDType(i) != facts.dtype)
    return context.error(strCat("TensorArray dtype is ",
                                dtypeTfName(facts.dtype),
                                " but Op is trying to write dtype ",
                                dtypeTfName(context.inputDType(i)), "."));
  ValueInfo value;
  value.dtype = context.inputDType(i);
  value.shape = std::move(shape);
  context.slots()->write(slot, value, context.dims());
  return okStatus();
}

void setFlow(InferenceContext &context, int i) {
  context.setOutputShape(i, SymShape::scalar());
}

/// The shape without its first dimension.
SymShape rowOf(const SymShape &shape) {
  if (shape.rank() < 1)
    return SymShape::unknownRank();
  return SymShape::of(Dims(shape.dims.begin() + 1, shape.dims.end()));
}

SymShape withFirst(Dim first, SymShape shape) {
  if (shape.rankKnown)
    shape.dims.insert(shape.dims.begin(), first);
  return shape;
}

} // namespace

Status inferTensorArray(InferenceContext &context) {
  SlotFacts facts;
  facts.dtype = context.typeAttr("dtype");
  facts.declared = context.shapeAttr("element_shape");
  if (!context.boolAttr("dynamic_size"))
    facts.size = numberOf(context, 0);
  setHandle(context, context.slotHere(), facts);
  if (context.numOutputs() > 1)
    setFlow(context, 1);
  return okStatus();
}

Status inferTensorArrayGrad(InferenceContext &context) {
  SlotFacts facts;
  int slot = slotOf(context);
  if (slot >= 0) {
    const SlotFacts &array = (*context.slots())[slot];
    facts.dtype = array.dtype;
    facts.size = array.size;
    facts.declared = context.slots()->read(slot).shape;
    if (context.numInputs() > 2) {
      const Dims *front = context.inputContents(2);
      if (front && facts.declared.rankKnown)
        facts.declared.dims.insert(facts.declared.dims.begin(), front->begin(),
                                   front->end());
      else
        facts.declared = SymShape::unknownRank();
    }
    slot = context.slots()->gradientOf(slot, context.stringAttr("source"));
  }
  setHandle(context, slot, facts);
  if (context.numOutputs() > 1)
    setFlow(context, 1);
  return okStatus();
}

Status inferTensorArrayWrite(InferenceContext &context) {
  setFlow(context, 0);
  return noteWrite(context, 2, context.inputShape(2));
}

Status inferTensorArrayRead(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(ValueInfo element, elementOf(context));
  context.setOutputShape(0, std::move(element.shape));
  return okStatus();
}

Status inferTensorArrayGather(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(ValueInfo element, elementOf(context, "element_shape"));
  const SymShape &indices = context.inputShape(1);
  context.setOutputShape(
      0, withFirst(indices.rank() == 1 ? indices.dims[0] : Dim::unknown(),
                   std::move(element.shape)));
  return okStatus();
}

Status inferTensorArrayScatter(InferenceContext &context) {
  setFlow(context, 0);
  const SymShape &indices = context.inputShape(1),
                 &value = context.inputShape(2);
  if (indices.rank() == 1 && value.rank() > 0)
    KILN_RETURN_IF_ERROR(
        context.dims()
            .unify(indices.dims[0], value.dims[0],
                   {.prefix = "Expected len(indices) == values.shape[0], but "
                              "saw: ",
                    .joiner = " vs. "})
            .status());
  return noteWrite(context, 2, rowOf(value));
}

Status inferTensorArrayConcat(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(ValueInfo element, elementOf(context));
  int slot = slotOf(context);
  Dim size = slot >= 0 ? (*context.slots())[slot].size : Dim::unknown();
  SymShape shape = rowOf(element.shape);
  if (!shape.rankKnown)
    shape = context.shapeAttr("element_shape_except0");
  Dim rows = Dim::unknown();
  if (element.shape.rank() > 0 && !element.shape.dims[0].isUnknown() &&
      !size.isUnknown())
    rows = context.dims().mul(size, element.shape.dims[0]);
  context.setOutputShape(0, withFirst(rows, std::move(shape)));
  context.setOutputShape(1, SymShape::of({size}));
  return okStatus();
}

Status inferTensorArraySplit(InferenceContext &context) {
  setFlow(context, 0);
  SymShape shape = context.inputShape(1);
  if (shape.rank() > 0) {
    const Dims *lengths = context.knownContents(2);
    bool isEven = lengths && !lengths->empty() &&
                  std::all_of(lengths->begin(), lengths->end(), [&](Dim dim) {
                    return !dim.isUnknown() &&
                           context.dims().equal(dim, lengths->front());
                  });
    shape.dims[0] = isEven ? lengths->front() : Dim::unknown();
  }
  return noteWrite(context, 1, std::move(shape));
}

Status inferTensorArraySize(InferenceContext &context) {
  context.setOutputShape(0, SymShape::scalar());
  if (int slot = slotOf(context); slot >= 0)
    if (Dim size = (*context.slots())[slot].size; !size.isUnknown())
      context.setOutputContents(0, {size});
  return okStatus();
}

Status inferTensorArrayClose(InferenceContext &) { return okStatus(); }

Status inferStack(InferenceContext &context) {
  SlotFacts facts;
  facts.dtype = context.typeAttr("elem_type");
  setHandle(context, context.slotHere(), facts);
  return okStatus();
}

Status inferStackPush(InferenceContext &context) {
  const ValueInfo &value = context.input(1);
  context.setOutputShape(0, value.shape);
  if (value.contents)
    context.setOutputContents(0, *value.contents);
  if (int slot = slotOf(context); slot >= 0)
    context.slots()->write(slot, value, context.dims());
  return okStatus();
}

/// Elements that are the same in every push are known here too.
Status inferStackPop(InferenceContext &context) {
  int slot = slotOf(context);
  if (slot < 0) {
    context.setOutputShape(0, SymShape::unknownRank());
    return okStatus();
  }
  ValueInfo value = context.slots()->read(slot);
  context.setOutputShape(0, std::move(value.shape));
  if (value.contents)
    context.setOutputContents(0, std::move(*value.contents));
  return okStatus();
}

} // namespace kiln::shapes
