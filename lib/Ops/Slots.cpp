// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Joins what is known of the elements of slots.
#include "lib/Ops/Slots.h"

namespace kiln {

bool joinInto(ValueInfo &a, const ValueInfo &b, const DimSpace &space) {
  bool isLess = false;
  if (a.shape.rankKnown &&
      (!b.shape.rankKnown || a.shape.rank() != b.shape.rank())) {
    a.shape = SymShape::unknownRank();
    isLess = true;
  }
  for (size_t i = 0; i < a.shape.dims.size(); ++i)
    if (!a.shape.dims[i].isUnknown() &&
        !space.equal(a.shape.dims[i], b.shape.dims[i])) {
      a.shape.dims[i] = Dim::unknown();
      isLess = true;
    }
  bool sameSize =
      a.contents && b.contents && a.contents->size() == b.contents->size();
  if (a.contents && !sameSize) {
    a.contents.reset();
    isLess = true;
  }
  for (size_t i = 0; a.contents && i < a.contents->size(); ++i)
    if (!(*a.contents)[i].isUnknown() &&
        !space.equal((*a.contents)[i], (*b.contents)[i])) {
      (*a.contents)[i] = Dim::unknown();
      isLess = true;
    }
  return isLess;
}

/// Takes away what is unknown in `lost`; its numbers do not count.
static void forget(ValueInfo &value, const ValueInfo &lost) {
  if (!lost.shape.rankKnown || lost.shape.rank() != value.shape.rank())
    value.shape = SymShape::unknownRank();
  for (size_t i = 0; i < value.shape.dims.size(); ++i)
    if (lost.shape.dims[i].isUnknown())
      value.shape.dims[i] = Dim::unknown();
  if (!lost.contents || !value.contents ||
      lost.contents->size() != value.contents->size()) {
    value.contents.reset();
    return;
  }
  for (size_t i = 0; i < value.contents->size(); ++i)
    if ((*lost.contents)[i].isUnknown())
      (*value.contents)[i] = Dim::unknown();
}

int SlotSpace::add(const std::pair<std::string, const void *> &key) {
  auto [found, isNew] = slots.try_emplace(key, count());
  if (isNew)
    entries.emplace_back();
  return found->second;
}

int SlotSpace::slotOf(const std::string &path, const Node &node,
                      const std::string &source) {
  return add({path + "^" + source, &node});
}

int SlotSpace::gradientOf(int slot, const std::string &source) {
  auto [found, isNew] = gradients.try_emplace({slot, source}, count());
  if (isNew)
    entries.emplace_back();
  return found->second;
}

void SlotSpace::declare(int slot, SlotFacts facts) {
  SlotFacts &known = entries[index(slot)].facts;
  if (!(known.size == facts.size) || !(known.declared == facts.declared))
    ++numChanges;
  // Made again, it may hold what it held before.
  facts.element = std::move(known.element);
  known = std::move(facts);
}

/// What holds of the value as long as the slot may have it: not what another
/// turn may find out otherwise.
static ValueInfo lasting(ValueInfo value, const DimSpace &space) {
  auto forgetChanging = [&](Dims &dims) {
    for (Dim &dim : dims)
      if (!space.isFixed(dim))
        dim = Dim::unknown();
  };
  forgetChanging(value.shape.dims);
  if (value.contents)
    forgetChanging(*value.contents);
  return value;
}

void SlotSpace::write(int slot, const ValueInfo &written,
                      const DimSpace &space) {
  ValueInfo value = lasting(written, space);
  Entry &entry = entries[index(slot)];
  std::optional<ValueInfo> &element = entry.facts.element;
  if (!element) {
    element = value;
    if (entry.lost)
      forget(*element, *entry.lost);
    ++numChanges;
    return;
  }
  if (!joinInto(*element, value, space))
    return;
  ++numChanges;
  hasLost = true;
  entry.lost = element;
}

ValueInfo SlotSpace::read(int slot) const {
  const SlotFacts &facts = entries[index(slot)].facts;
  if (facts.element)
    return *facts.element;
  ValueInfo value;
  value.dtype = facts.dtype;
  value.shape = facts.declared;
  return value;
}

void SlotSpace::beginPass() {
  hasLost = false;
  for (Entry &entry : entries)
    entry.facts = SlotFacts();
}

} // namespace kiln
