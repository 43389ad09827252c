// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of TensorLists. A list is a slot, and its handle knows how
// many elements there are; an op that may not change its input's slot gives
// another one with the same facts.
#include "lib/Ops/TensorList/Shape.h"

#include "lib/OpDefs/SlotShapes.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {
namespace {

/// A shape as an input: -1 as a scalar for an unknown rank, as a dimension for
/// an unknown one.
SymShape shapeFrom(const InferenceContext &context, int i) {
  const SymShape &shape = context.inputShape(i);
  const Dims *elements = context.knownContents(i);
  if (shape.rank() != 1 || !elements)
    return shape.rank() == 1 && shape.dims[0].isKnown() &&
                   shape.dims[0].value <= Shape::maxRank
               ? SymShape::unknownDims(static_cast<size_t>(shape.dims[0].value))
               : SymShape::unknownRank();
  SymShape result = SymShape::of(*elements);
  for (Dim &dim : result.dims)
    if (dim.isKnown() && dim.value < 0)
      dim = Dim::unknown();
  return result;
}

void setHandle(InferenceContext &context, int output, int slot, DType dtype,
               Dim size) {
  context.setOutputShape(output, SymShape::scalar());
  HandleInfo handle;
  handle.dtype = dtype;
  handle.slot = slot;
  // Not what another iteration may find out otherwise.
  bool isFixed = !size.isUnknown() && context.dims().isFixed(size);
  handle.size = isFixed ? size : Dim::unknown();
  context.setOutputHandle(output, std::move(handle));
}

/// Makes a list of its own, whose element shape input `shape` says.
Status makeList(InferenceContext &context, int shape, Dim size) {
  SlotFacts facts;
  facts.dtype = context.typeAttr("element_dtype");
  facts.declared = shapeFrom(context, shape);
  facts.shapeInput = context.input(shape);
  int slot = context.slotHere();
  if (slot >= 0)
    context.slots()->declare(slot, facts, context.dims());
  setHandle(context, 0, slot, facts.dtype, size);
  return okStatus();
}

/// The list that an op makes of the one that is input 0.
int changedSlot(InferenceContext &context) {
  int from = slotOf(context);
  if (from < 0 || context.ownsList())
    return from;
  int to = context.slotHere();
  context.slots()->copy(to, from, context.dims());
  return to;
}

Dim sizeOf(const InferenceContext &context, int input = 0) {
  const std::optional<HandleInfo> &handle = context.input(input).handle;
  return handle ? handle->size : Dim::unknown();
}
DType elementType(const InferenceContext &context) {
  const std::optional<HandleInfo> &handle = context.input(0).handle;
  return handle ? handle->dtype : DType::Invalid;
}
Dim plus(InferenceContext &context, Dim size, int64_t more) {
  return size.isUnknown() ? size : context.dims().add(size, Dim::known(more));
}

/// Notes that elements without a value, or changed ones, may be read.
void noteOthers(InferenceContext &context, int slot) {
  if (slot >= 0)
    context.slots()->noteOthers(slot);
}

/// Notes that a tensor, or a list, becomes an element, of a known number or
/// not.
void noteElement(InferenceContext &context, int slot, const ValueInfo &value,
                 std::optional<int64_t> number) {
  if (slot < 0)
    return;
  if (value.handle && value.handle->slot >= 0)
    context.slots()->copy(context.slots()->innerOf(slot), value.handle->slot,
                          context.dims());
  ValueInfo element;
  element.dtype = value.dtype;
  element.shape = value.shape;
  element.contents = value.contents;
  context.slots()->write(slot, element, context.dims(), number);
}

ValueInfo rowInfo(const InferenceContext &context, int i) {
  ValueInfo row = context.input(i);
  row.contents.reset();
  row.shape = rowOf(row.shape);
  return row;
}

/// Sets an output to a list that is an element of input 0.
void setInner(InferenceContext &context, int output) {
  int slot = slotOf(context), inner = -1;
  if (slot >= 0) {
    inner = context.slotHere(strCat("element ", output));
    context.slots()->copy(inner, context.slots()->innerOf(slot),
                          context.dims());
  }
  setHandle(context, output, inner,
            slot < 0 ? DType::Invalid : (*context.slots())[inner].dtype,
            Dim::unknown());
}

/// Sets output 0 to a vector of lists.
void setVector(InferenceContext &context, int slot, Dim size) {
  setHandle(context, 0, slot, DType::Variant, size);
  context.setOutputShape(0, SymShape::of({size}));
}

/// Sets an output to an element, whose shape an input may say too.
void setElement(InferenceContext &context, int output, int shapeInput,
                std::optional<int64_t> number) {
  int slot = slotOf(context);
  if (elementType(context) == DType::Variant) {
    setInner(context, output);
    return;
  }
  ValueInfo element;
  SymShape shape = shapeFrom(context, shapeInput);
  if (slot >= 0) {
    element = context.slots()->read(slot, number);
    // An element without a value has the shape that is asked for.
    if (number && !context.slots()->mayBeWritten(slot, *number))
      element.shape = mergeShapes(
          mergeShapes(std::move(shape), (*context.slots())[slot].declared),
          element.shape);
    else
      element.shape = mergeShapes(std::move(element.shape), shape);
    shape = ofSomeRank(context, slot, std::move(element.shape));
  }
  setFoundOut(context, output, std::move(shape));
  if (element.contents)
    context.setOutputContents(output, std::move(*element.contents));
}

/// What all elements have in common, or those that an input names, and an op
/// says of them.
SymShape elementShape(InferenceContext &context, int indices, SymShape given) {
  int slot = slotOf(context);
  ValueInfo all;
  if (slot >= 0)
    all = indices < 0 ? context.slots()->read(slot)
                      : elementsAt(context, slot, indices);
  return ofSomeRank(context, slot, mergeShapes(std::move(all.shape), given));
}

} // namespace

/// EmptyTensorList, TensorListReserve
Status inferListMake(InferenceContext &context) {
  if (context.def().canonicalName == "EmptyTensorList") {
    KILN_RETURN_IF_ERROR(checkRank(context, 1, 0));
    return makeList(context, 0, Dim::known(0));
  }
  KILN_RETURN_IF_ERROR(makeList(context, 0, numberOf(context, 1)));
  noteOthers(context, context.slotHere());
  return okStatus();
}

Status inferListFromTensor(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(makeList(context, 1, firstOf(context.inputShape(0))));
  noteElement(context, context.slotHere(), rowInfo(context, 0), {});
  return okStatus();
}

/// tensor, indices, element_shape, num_elements
Status inferListScatter(InferenceContext &context) {
  Dim size = context.numInputs() > 3 ? numberOf(context, 3) : Dim::known(-1);
  // As large as the largest index says otherwise.
  if (size.isKnown() && size.value < 0)
    size = Dim::unknown();
  KILN_RETURN_IF_ERROR(makeList(context, 2, size));
  noteOthers(context, context.slotHere());
  if (int slot = context.slotHere(); slot >= 0)
    noteRows(context, slot, rowInfo(context, 0), 1);
  return okStatus();
}

/// tensor, element_shape, lengths
Status inferListSplit(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(makeList(context, 1, firstOf(context.inputShape(2))));
  if (int slot = context.slotHere(); slot >= 0)
    noteParts(context, slot, context.input(0), 2);
  return okStatus();
}

Status inferListPush(InferenceContext &context) {
  int slot = changedSlot(context);
  noteElement(context, slot, context.input(1), asIndex(sizeOf(context)));
  setHandle(context, 0, slot, elementType(context),
            plus(context, sizeOf(context), 1));
  return okStatus();
}

Status inferListPop(InferenceContext &context) {
  Dim last = plus(context, sizeOf(context), -1);
  setElement(context, 1, 1, asIndex(last));
  setHandle(context, 0, changedSlot(context), elementType(context), last);
  return okStatus();
}

Status inferListGet(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context, 1, 0));
  if (int slot = slotOf(context);
      slot >= 0 && elementType(context) != DType::Variant)
    elementAt(context, slot, 1); // looks at the index where ranks depend on it
  setElement(context, 0, 2, indexOf(context, 1));
  return okStatus();
}

Status inferListSet(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context, 1, 0));
  int slot = changedSlot(context);
  noteOthers(context, slot);
  noteElement(context, slot, context.input(2), indexOf(context, 1));
  setHandle(context, 0, slot, elementType(context),
            context.boolAttr("resize_if_index_out_of_bounds")
                ? Dim::unknown()
                : sizeOf(context));
  return okStatus();
}

/// input_handle, tensor, indices. The list grows to the largest index.
Status inferListScatterInto(InferenceContext &context) {
  int slot = changedSlot(context);
  noteOthers(context, slot);
  if (slot >= 0)
    noteRows(context, slot, rowInfo(context, 1), 2);
  Dim size = sizeOf(context);
  const Dims *indices = context.knownContents(2);
  for (size_t i = 0; !size.isUnknown() && indices && i < indices->size(); ++i)
    size = (*indices)[i].isKnown()
               ? context.dims().max(size, Dim::known((*indices)[i].value + 1))
               : Dim::unknown();
  setHandle(context, 0, slot, elementType(context),
            indices ? size : Dim::unknown());
  return okStatus();
}

Status inferListResize(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context, 1, 0));
  int slot = changedSlot(context);
  noteOthers(context, slot);
  setHandle(context, 0, slot, elementType(context), numberOf(context, 1));
  return okStatus();
}

Status inferListLength(InferenceContext &context) {
  context.setOutputShape(0, SymShape::scalar());
  if (Dim size = sizeOf(context); !size.isUnknown())
    context.setOutputContents(0, {size});
  return okStatus();
}

/// What the list was made for.
Status inferListElementShape(InferenceContext &context) {
  int slot = slotOf(context);
  if (slot < 0) {
    context.setOutputShape(0, SymShape::unknownRank());
    return okStatus();
  }
  const ValueInfo &declared = (*context.slots())[slot].shapeInput;
  context.setOutputShape(0, declared.shape);
  if (declared.contents)
    context.setOutputContents(0, *declared.contents);
  return okStatus();
}

Status inferListStack(InferenceContext &context) {
  Dim size = sizeOf(context);
  if (int64_t number = context.intAttr("num_elements"); number >= 0)
    size = Dim::known(number);
  setFoundOut(context, 0,
              withFirst(size, elementShape(context, /*indices=*/-1,
                                           shapeFrom(context, 1))));
  return okStatus();
}

/// input_handle, indices, element_shape
Status inferListGather(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context, 1, 1));
  setFoundOut(context, 0,
              withFirst(firstOf(context.inputShape(1)),
                        elementShape(context, 1, shapeFrom(context, 2))));
  return okStatus();
}

/// input_handle, element_shape, leading_dims. What has no rows is the run's
/// error.
Status inferListConcat(InferenceContext &context) {
  if (context.numInputs() == 1 &&
      context.shapeAttr("element_shape").rank() == 0)
    return context.error("element_shape must not be empty");
  Dim size = sizeOf(context);
  SymShape element = elementShape(context, /*indices=*/-1,
                                  context.numInputs() > 1
                                      ? shapeFrom(context, 1)
                                      : context.shapeAttr("element_shape"));
  Dim rows = firstOf(element);
  // Elements without a value may have another number of rows.
  int slot = slotOf(context);
  bool isEven = slot >= 0 && !(*context.slots())[slot].hasOthers &&
                !rows.isUnknown() && !size.isUnknown();
  rows = isEven ? context.dims().mul(size, rows) : Dim::unknown();
  setFoundOut(context, 0,
              element.rank() == 0 ? SymShape::of({rows})
                                  : withFirst(rows, rowOf(element)));
  setFoundOut(context, 1, SymShape::of({size}));
  return okStatus();
}

/// Concatenates two lists, or each two of two vectors.
Status inferListConcatLists(InferenceContext &context) {
  const SymShape &first = context.inputShape(0),
                 &second = context.inputShape(1);
  int slot = changedSlot(context), other = slotOf(context, 1);
  if (first.rank() == 1 && second.rank() == 1) {
    KILN_RETURN_IF_ERROR(context.dims()
                             .unify(first.dims[0], second.dims[0],
                                    {.prefix = "Shapes must be equal, but are ",
                                     .joiner = " and "})
                             .status());
    if (slot >= 0 && other >= 0)
      context.slots()->copy(context.slots()->innerOf(slot),
                            context.slots()->innerOf(other), context.dims(),
                            /*isShifted=*/true);
    setVector(context, slot, first.dims[0]);
    return okStatus();
  }
  if (slot >= 0 && other >= 0)
    context.slots()->copy(slot, other, context.dims(), /*isShifted=*/true);
  Dim a = sizeOf(context), b = sizeOf(context, 1);
  setHandle(context, 0, slot, elementType(context),
            a.isUnknown() || b.isUnknown() ? Dim::unknown()
                                           : context.dims().add(a, b));
  return okStatus();
}

/// A vector of lists is a list of lists, of another shape.
Status inferListPack(InferenceContext &context) {
  for (int i = 0; i < context.numInputs(); ++i)
    KILN_RETURN_IF_ERROR(checkRank(context, i, 0));
  int slot = context.slotHere();
  if (slot >= 0) {
    SlotFacts facts;
    facts.dtype = DType::Variant;
    context.slots()->declare(slot, facts, context.dims());
  }
  for (int i = 0; i < context.numInputs(); ++i)
    noteElement(context, slot, context.input(i), i);
  setVector(context, slot, Dim::known(context.numInputs()));
  return okStatus();
}

Status inferListUnpack(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context, 0, 1));
  if (context.inputShape(0).rankKnown)
    KILN_RETURN_IF_ERROR(context.dims()
                             .unify(context.inputShape(0).dims[0],
                                    Dim::known(context.numOutputs()),
                                    {.prefix = "Input shape axis 0 must equal "
                                               "the number of outputs: "})
                             .status());
  for (int i = 0; i < context.numOutputs(); ++i)
    setInner(context, i);
  return okStatus();
}

/// input_handles, tensor
Status inferListPushBatch(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context, 0, 1));
  int slot = changedSlot(context);
  if (slot >= 0)
    context.slots()->write(context.slots()->innerOf(slot), rowInfo(context, 1),
                           context.dims());
  setVector(context, slot, firstOf(context.inputShape(0)));
  return okStatus();
}

Status inferListZerosLike(InferenceContext &context) {
  if (context.inputShape(0).rank() > 0)
    return context.error("ZerosLike non-scalar Tensor with dtype=DT_VARIANT is "
                         "not supported.");
  int from = slotOf(context), to = -1;
  if (from >= 0)
    context.slots()->copy(to = context.slotHere(), from, context.dims());
  noteOthers(context, to);
  setHandle(context, 0, to, elementType(context), sizeOf(context));
  return okStatus();
}

Status inferListAddN(InferenceContext &context) {
  for (int i = 0; i < context.numInputs(); ++i)
    if (const SymShape &shape = context.inputShape(i); shape.rank() > 0)
      return context.error(
          strCat("AddN of non-scalar Tensor with dtype=DT_VARIANT is not "
                 "supported; inputs[",
                 i, " has shape: ", context.dims().format(shape.dims), "."));
  int slot = changedSlot(context);
  noteOthers(context, slot);
  for (int i = 1; i < context.numInputs(); ++i)
    if (int other = slotOf(context, i); slot >= 0 && other >= 0)
      context.slots()->copy(slot, other, context.dims());
  setHandle(context, 0, slot, elementType(context), sizeOf(context));
  return okStatus();
}

} // namespace kiln::shapes
