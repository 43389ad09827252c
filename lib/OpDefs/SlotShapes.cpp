// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and notes facts of slots for shape functions.
#include "lib/OpDefs/SlotShapes.h"

#include "lib/Support/StatusMacros.h"

namespace kiln {

int slotOf(const InferenceContext &context, int input) {
  const std::optional<HandleInfo> &handle = context.input(input).handle;
  return handle && context.slots() ? handle->slot : -1;
}

Dim numberOf(const InferenceContext &context, int i) {
  const Dims *elements = context.knownContents(i);
  return elements && elements->size() == 1 ? elements->front() : Dim::unknown();
}

std::optional<int64_t> asIndex(Dim dim) {
  return dim.isKnown() ? std::optional(dim.value) : std::nullopt;
}

std::optional<int64_t> indexOf(const InferenceContext &context, int i) {
  return asIndex(numberOf(context, i));
}

SymShape rowOf(const SymShape &shape) {
  return shape.rank() < 1
             ? SymShape::unknownRank()
             : SymShape::of(Dims(shape.dims.begin() + 1, shape.dims.end()));
}

SymShape withFirst(Dim first, SymShape shape) {
  if (shape.rankKnown)
    shape.dims.insert(shape.dims.begin(), first);
  return shape;
}

Dim firstOf(const SymShape &shape) {
  return shape.rank() < 1 ? Dim::unknown() : shape.dims[0];
}

SymShape mergeShapes(SymShape a, const SymShape &b) {
  if (!a.rankKnown)
    return b;
  for (size_t i = 0; b.rank() == a.rank() && i < a.dims.size(); ++i)
    if (a.dims[i].isUnknown())
      a.dims[i] = b.dims[i];
  return a;
}

/// Whether the elements that are written have no rank in common.
static bool haveManyRanks(const InferenceContext &context, int slot) {
  const std::optional<ValueInfo> &element = (*context.slots())[slot].element;
  return element && !element->shape.rankKnown;
}

ValueInfo elementAt(InferenceContext &context, int slot, int index) {
  if (haveManyRanks(context, slot))
    context.inputContents(index);
  return context.slots()->read(slot, indexOf(context, index));
}

ValueInfo elementsAt(InferenceContext &context, int slot, int indices) {
  const Dims *numbers = haveManyRanks(context, slot)
                            ? context.inputContents(indices)
                            : context.knownContents(indices);
  if (!numbers || numbers->empty())
    return context.slots()->read(slot);
  std::optional<ValueInfo> all;
  for (Dim number : *numbers) {
    ValueInfo one = context.slots()->read(slot, asIndex(number));
    if (all)
      joinInto(*all, one, context.dims());
    else
      all = std::move(one);
  }
  return *std::move(all);
}

void noteRows(InferenceContext &context, int slot, const ValueInfo &row,
              int indices) {
  const Dims *numbers = context.knownContents(indices);
  if (!numbers || numbers->empty()) {
    context.slots()->write(slot, row, context.dims());
    return;
  }
  for (Dim number : *numbers)
    context.slots()->write(slot, row, context.dims(), asIndex(number));
}

void noteParts(InferenceContext &context, int slot, ValueInfo value,
               int lengths) {
  value.contents.reset();
  const Dims *rows = context.knownContents(lengths);
  if (value.shape.rank() < 1 || !rows) {
    if (value.shape.rank() > 0)
      value.shape.dims[0] = Dim::unknown();
    context.slots()->write(slot, value, context.dims());
    return;
  }
  for (size_t i = 0; i < rows->size(); ++i) {
    value.shape.dims[0] = (*rows)[i];
    context.slots()->write(slot, value, context.dims(),
                           static_cast<int64_t>(i));
  }
}

SymShape ofSomeRank(InferenceContext &context, int slot, SymShape element) {
  if (element.rankKnown || slot < 0)
    return element;
  std::optional<int> rank = context.slots()->guessedRank(slot);
  return rank ? SymShape::unknownDims(static_cast<size_t>(*rank)) : element;
}

void setFoundOut(InferenceContext &context, int output, SymShape shape) {
  if (context.slots())
    for (size_t d = 0; d < shape.dims.size(); ++d)
      if (shape.dims[d].isUnknown())
        shape.dims[d] = context.dims().runDim(output * (Shape::maxRank + 1) +
                                                  static_cast<int>(d),
                                              /*isSize=*/true);
  context.setOutputShape(output, std::move(shape));
}

Status checkRank(InferenceContext &context, int input, int rank) {
  return context.withRank(context.inputShape(input), rank).status();
}

} // namespace kiln
