// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What shape functions of TensorArrays, stacks and lists share: what they know
// of slots, and shapes that the run finds out.
#ifndef KILN_LIB_OPDEFS_SLOTSHAPES_H
#define KILN_LIB_OPDEFS_SLOTSHAPES_H

#include "lib/OpDefs/SlotSpace.h"

namespace kiln {

/// The slot that an input names; -1 while that is not known.
int slotOf(const InferenceContext &context, int input = 0);
/// The number that input i is, as far as it is known.
Dim numberOf(const InferenceContext &context, int i);
/// As numberOf(), for an index.
std::optional<int64_t> indexOf(const InferenceContext &context, int i);
/// The number that a dimension is; nothing for others.
std::optional<int64_t> asIndex(Dim dim);

/// The shape without its first dimension.
SymShape rowOf(const SymShape &shape);
SymShape withFirst(Dim first, SymShape shape);
Dim firstOf(const SymShape &shape);

/// What both say of one shape, the first before the second.
SymShape mergeShapes(SymShape a, const SymShape &b);

/// What is known of the element that input `index` names. Where elements have
/// different ranks a fed index becomes part of the signature.
ValueInfo elementAt(InferenceContext &context, int slot, int index);
/// What the elements that input `indices` names have in common; indices as
/// above.
ValueInfo elementsAt(InferenceContext &context, int slot, int indices);
/// Notes rows of a value as the elements that input `indices` names.
void noteRows(InferenceContext &context, int slot, const ValueInfo &row,
              int indices);
/// Notes parts of a value of `shape` as elements, with as many rows as input
/// `lengths` says.
void noteParts(InferenceContext &context, int slot, ValueInfo value,
               int lengths);

/// The shape of an element, of a guessed rank where nothing says it.
SymShape ofSomeRank(InferenceContext &context, int slot, SymShape element);
/// Sets the shape of an output that is read from a slot: dimensions that are
/// not known are found out by the node in the run.
void setFoundOut(InferenceContext &context, int output, SymShape shape);

/// Demands that an input has a rank.
Status checkRank(InferenceContext &context, int input, int rank);

} // namespace kiln

#endif // KILN_LIB_OPDEFS_SLOTSHAPES_H
