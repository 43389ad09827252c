// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of TensorArrays and stacks. While a graph is built nothing is
// known of their elements but what they were made for.
#include "lib/Ops/TensorArray/Shape.h"

#include "lib/OpDefs/SlotShapes.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {
namespace {

/// Sets output 0 to a handle: two strings, whose shape TensorFlow gives to the
/// resource, too.
void setHandle(InferenceContext &context, int slot, const SlotFacts &facts) {
  context.setOutputShape(0, SymShape::of({Dim::known(2)}));
  HandleInfo handle{facts.dtype, facts.declared};
  handle.slot = slot;
  if (context.slots() && slot >= 0)
    context.slots()->declare(slot, facts, context.dims());
  context.setOutputHandle(0, std::move(handle));
}

/// Demands that the array holds what the op takes out of it, or puts into it.
Status checkType(InferenceContext &context, DType dtype,
                 std::string_view text) {
  int slot = slotOf(context);
  DType known = slot < 0 ? DType::Invalid : (*context.slots())[slot].dtype;
  if (known == DType::Invalid || known == dtype)
    return okStatus();
  return context.error(strCat("TensorArray dtype is ", dtypeTfName(known),
                              " but Op ", text, " dtype ", dtypeTfName(dtype),
                              "."));
}

/// Whether input i of an op that writes can be noted.
StatusOr<bool> canNote(InferenceContext &context, int i) {
  KILN_RETURN_IF_ERROR(
      checkType(context, context.inputDType(i), "is trying to write"));
  return slotOf(context) >= 0;
}

/// What is known of an element, or of all; while a graph is built, what the
/// array was made for.
template <class Read>
StatusOr<ValueInfo> elementOf(InferenceContext &context, Read read) {
  KILN_RETURN_IF_ERROR(
      checkType(context, context.typeAttr("dtype"), "requested"));
  ValueInfo element;
  if (int slot = slotOf(context); slot >= 0)
    element = read(slot);
  else if (context.input(0).handle)
    element.shape = context.input(0).handle->shape;
  return element;
}

ValueInfo valueOf(InferenceContext &context, int i, SymShape shape) {
  ValueInfo value;
  value.dtype = context.inputDType(i);
  value.shape = std::move(shape);
  return value;
}

void setFlow(InferenceContext &context, int i) {
  context.setOutputShape(i, SymShape::scalar());
}

} // namespace

Status inferTensorArray(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context, 0, 0));
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

/// Notes that an element of a gradient may be zeros of its array's shape.
static void noteZeros(SlotSpace &slots, int gradient, int array,
                      const DimSpace &space) {
  const SlotFacts known = slots[array];
  auto note = [&](ValueInfo value, std::optional<int64_t> number) {
    value.contents.reset();
    slots.write(gradient, value, space, number);
  };
  for (const auto &[number, value] : known.numbered)
    note(*value, number);
  if (known.anywhere)
    note(*known.anywhere, {});
}

Status inferTensorArrayGrad(InferenceContext &context) {
  SlotFacts facts;
  const int forward = slotOf(context);
  int slot = forward;
  if (slot >= 0) {
    const SlotFacts &array = (*context.slots())[slot];
    facts.dtype = array.dtype;
    facts.size = array.size;
    facts.declared = context.slots()->read(slot).shape;
    if (context.numInputs() > 2) {
      const Dims *front = context.inputSizes(2);
      if (front && facts.declared.rankKnown)
        facts.declared.dims.insert(facts.declared.dims.begin(), front->begin(),
                                   front->end());
      else
        facts.declared = SymShape::unknownRank();
    }
    slot = context.slots()->gradientOf(slot, context.stringAttr("source"));
  }
  setHandle(context, slot, facts);
  if (forward >= 0 && context.numInputs() < 3)
    noteZeros(*context.slots(), slot, forward, context.dims());
  if (context.numOutputs() > 1)
    setFlow(context, 1);
  return okStatus();
}

/// handle, index, value, flow
Status inferTensorArrayWrite(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context, 1, 0));
  setFlow(context, 0);
  KILN_ASSIGN_OR_RETURN(bool isKnown, canNote(context, 2));
  if (isKnown)
    context.slots()->write(slotOf(context),
                           valueOf(context, 2, context.inputShape(2)),
                           context.dims(), indexOf(context, 1));
  return okStatus();
}

/// handle, index, flow
Status inferTensorArrayRead(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context, 1, 0));
  KILN_ASSIGN_OR_RETURN(ValueInfo element, elementOf(context, [&](int slot) {
                          return elementAt(context, slot, 1);
                        }));
  setFoundOut(context, 0,
              ofSomeRank(context, slotOf(context), std::move(element.shape)));
  return okStatus();
}

/// handle, indices, flow
Status inferTensorArrayGather(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context, 1, 1));
  KILN_ASSIGN_OR_RETURN(ValueInfo element, elementOf(context, [&](int slot) {
                          return elementsAt(context, slot, 1);
                        }));
  SymShape shape =
      mergeShapes(std::move(element.shape), context.shapeAttr("element_shape"));
  setFoundOut(
      context, 0,
      withFirst(firstOf(context.inputShape(1)),
                ofSomeRank(context, slotOf(context), std::move(shape))));
  return okStatus();
}

/// handle, indices, value, flow
Status inferTensorArrayScatter(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context, 1, 1));
  setFlow(context, 0);
  const SymShape &indices = context.inputShape(1),
                 &value = context.inputShape(2);
  if (indices.rank() == 1 && value.rank() > 0) {
    const Dims rows{value.dims[0]};
    KILN_RETURN_IF_ERROR(
        context.dims()
            .unify(indices.dims[0], rows[0],
                   {.prefix = "Expected len(indices) == values.shape[0], but "
                              "saw: ",
                    .joiner = " vs. ",
                    .lhs = &indices.dims,
                    .rhs = &rows,
                    .asNumbers = true})
            .status());
  }
  KILN_ASSIGN_OR_RETURN(bool isKnown, canNote(context, 2));
  if (isKnown)
    noteRows(context, slotOf(context), valueOf(context, 2, rowOf(value)), 1);
  return okStatus();
}

/// handle, flow
Status inferTensorArrayConcat(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(ValueInfo element, elementOf(context, [&](int slot) {
                          return context.slots()->read(slot);
                        }));
  int slot = slotOf(context);
  Dim size = slot >= 0 ? (*context.slots())[slot].size : Dim::unknown();
  // Scalars are the run's error.
  SymShape shape =
      element.shape.rank() == 0 ? SymShape::of({}) : rowOf(element.shape);
  shape =
      mergeShapes(std::move(shape), context.shapeAttr("element_shape_except0"));
  if (!shape.rankKnown) {
    SymShape whole = ofSomeRank(context, slot, std::move(shape));
    shape = whole.rank() == 0 ? std::move(whole) : rowOf(whole);
  }
  Dim rows = Dim::unknown();
  if (Dim first = firstOf(element.shape);
      !first.isUnknown() && !size.isUnknown())
    rows = context.dims().mul(size, first);
  setFoundOut(context, 0, withFirst(rows, std::move(shape)));
  setFoundOut(context, 1, SymShape::of({size}));
  return okStatus();
}

/// handle, value, lengths, flow
Status inferTensorArraySplit(InferenceContext &context) {
  setFlow(context, 0);
  KILN_ASSIGN_OR_RETURN(bool isKnown, canNote(context, 1));
  if (isKnown)
    noteParts(context, slotOf(context),
              valueOf(context, 1, context.inputShape(1)), 2);
  return okStatus();
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
  if (context.numInputs() > 0)
    KILN_RETURN_IF_ERROR(checkRank(context, 0, 0));
  SlotFacts facts;
  facts.dtype = context.typeAttr("elem_type");
  setHandle(context, context.slotHere(), facts);
  return okStatus();
}

Status inferStackPush(InferenceContext &context) {
  const ValueInfo &value = context.input(1);
  context.setOutputShape(0, value.shape);
  if (int held = slotOf(context, 1); held >= 0) {
    context.setOutputHandle(0, *value.handle);
    if (int stack = slotOf(context); stack >= 0)
      context.slots()->holdHandle(stack, held);
    return okStatus();
  }
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
  if (context.typeAttr("elem_type") == DType::Resource) {
    int taken = context.slotHere();
    context.slots()->takeHandle(slot, taken);
    const SlotFacts facts = (*context.slots())[taken];
    setHandle(context, taken, facts);
    return okStatus();
  }
  ValueInfo value = context.slots()->read(slot);
  setFoundOut(context, 0, ofSomeRank(context, slot, std::move(value.shape)));
  if (value.contents)
    context.setOutputContents(0, std::move(*value.contents));
  return okStatus();
}

} // namespace kiln::shapes
