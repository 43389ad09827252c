// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Joins what is known of the elements of slots.
#include "lib/OpDefs/SlotSpace.h"

#include <algorithm>
#include <utility>

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

int SlotSpace::slotOf(const CallPath &path, const void *maker,
                      const std::string &name) {
  return add({path.place + "^" + name, maker});
}

int SlotSpace::gradientOf(int slot, const std::string &source) {
  auto [found, isNew] = gradients.try_emplace({slot, source}, count());
  int gradient = found->second;
  if (isNew) {
    entries.emplace_back();
    own(gradient).array = slot;
  }
  if (int like = own(slot).like; like != none) {
    int other = gradientOf(like, source);
    own(gradient).like = other;
  }
  return gradient;
}

int SlotSpace::factsOf(int slot) const {
  for (;;) {
    int like = entries[static_cast<size_t>(slot)].like;
    if (like == none)
      return slot;
    slot = like;
  }
}

bool SlotSpace::isMoving(int slot) const {
  const Entry &entry = entries[index(slot)];
  return entry.isHeld || (entry.array != none && isMoving(entry.array));
}

void SlotSpace::unite(int a, int b) {
  int to = factsOf(a), from = factsOf(b);
  if (to == from)
    return;
  own(from).like = to;
  own(to).isHeld |= own(from).isHeld;
  // Another pass joins what is known of them.
  ++numChanges;
  hasLost = true;
}

void SlotSpace::holdHandle(int stack, int slot) {
  shared(slot).isHeld = true;
  int &held = own(stack).held;
  if (held == none) {
    held = factsOf(slot);
    ++numChanges;
  } else {
    unite(held, slot);
  }
}

void SlotSpace::takeHandle(int stack, int slot) {
  shared(slot).isHeld = true;
  if (int held = own(stack).held; held != none)
    unite(held, slot);
}

void SlotSpace::pick(int slot, int first, int second) {
  unite(first, second);
  unite(first, slot);
  shared(slot).isHeld = true;
}

/// What holds of the value as long as the slot may have it: not what another
/// iteration may find out otherwise.
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

void SlotSpace::declare(int slot, const SlotFacts &given,
                        const DimSpace &space) {
  SlotFacts facts = given;
  ValueInfo shape;
  shape.shape = facts.declared;
  facts.declared = lasting(std::move(shape), space).shape;
  facts.shapeInput = lasting(std::move(facts.shapeInput), space);
  if (!facts.size.isUnknown() && !space.isFixed(facts.size))
    facts.size = Dim::unknown();
  SlotFacts &known = entries[index(slot)].facts;
  if (known.dtype == DType::Invalid) {
    known.dtype = facts.dtype;
    known.declared = facts.declared;
    known.shapeInput = facts.shapeInput;
    known.size = facts.size;
    numChanges += facts.dtype != DType::Invalid;
    return;
  }
  if (facts.dtype == DType::Invalid)
    return;
  ValueInfo declared, other;
  declared.shape = std::move(known.declared);
  other.shape = facts.declared;
  bool isLess = joinInto(declared, other, space);
  known.declared = std::move(declared.shape);
  isLess |= joinInto(known.shapeInput, facts.shapeInput, space);
  if (!known.size.isUnknown() && !space.equal(known.size, facts.size)) {
    known.size = Dim::unknown();
    isLess = true;
  }
  numChanges += isLess;
}

void SlotSpace::noteOthers(int slot) {
  Entry &entry = entries[index(slot)];
  if (std::exchange(entry.facts.hasOthers, true))
    return;
  ++numChanges;
  auto forgetContents = [&](std::optional<ValueInfo> &known,
                            std::optional<ValueInfo> &lost) {
    if (!known || !known->contents)
      return;
    known->contents.reset();
    hasLost |= !lost || lost->contents;
    lost = known;
  };
  forgetContents(entry.facts.element, entry.lost);
  for (auto &[number, known] : entry.facts.numbered)
    forgetContents(known, entry.lostOf[number]);
}

void SlotSpace::join(std::optional<ValueInfo> &known,
                     std::optional<ValueInfo> &lost, ValueInfo value,
                     const DimSpace &space) {
  if (!known) {
    known = std::move(value);
    if (lost)
      forget(*known, *lost);
    ++numChanges;
    return;
  }
  if (!joinInto(*known, value, space))
    return;
  ++numChanges;
  hasLost = true;
  lost = known;
}

void SlotSpace::write(int slot, const ValueInfo &written, const DimSpace &space,
                      std::optional<int64_t> number) {
  ValueInfo value = lasting(written, space);
  Entry &entry = entries[index(slot)];
  SlotFacts &facts = entry.facts;
  if (facts.hasOthers)
    value.contents.reset();
  if (!entry.rank && value.shape.rankKnown)
    entry.rank = value.shape.rank();
  join(facts.element, entry.lost, value, space);
  // As many elements as contents are followed.
  if (number && *number >= 0 && *number < static_cast<int64_t>(maxContents)) {
    if (facts.anywhere)
      joinInto(value, *facts.anywhere, space);
    join(facts.numbered[*number], entry.lostOf[*number], std::move(value),
         space);
    return;
  }
  if (facts.anywhere)
    joinInto(*facts.anywhere, value, space);
  else
    facts.anywhere = value;
  for (auto &[other, known] : facts.numbered)
    join(known, entry.lostOf[other], value, space);
}

void SlotSpace::copy(int to, int from, const DimSpace &space, bool isShifted) {
  if (to == from)
    return;
  // Lists of lists of lists ... as deep as their types.
  if (gradients.contains({from, "[]"})) {
    int inner = innerOf(to);
    copy(inner, innerOf(from), space);
  }
  const SlotFacts other = entries[index(from)].facts;
  declare(to, other, space);
  if (other.hasOthers)
    noteOthers(to);
  if (isShifted && other.element)
    write(to, *other.element, space);
  if (isShifted)
    return;
  for (const auto &[number, value] : other.numbered)
    write(to, *value, space, number);
  if (other.anywhere)
    write(to, *other.anywhere, space);
}

ValueInfo SlotSpace::read(int slot, std::optional<int64_t> number) const {
  const SlotFacts &facts = entries[index(slot)].facts;
  if (number)
    if (auto own = facts.numbered.find(*number); own != facts.numbered.end())
      return *own->second;
  if (facts.element)
    return *facts.element;
  ValueInfo value;
  value.dtype = facts.dtype;
  value.shape = facts.declared;
  return value;
}

bool SlotSpace::mayBeWritten(int slot, int64_t number) const {
  const SlotFacts &facts = entries[index(slot)].facts;
  return facts.anywhere || facts.numbered.contains(number);
}

std::optional<int> SlotSpace::guessedRank(int slot) {
  if (guesses == Guesses::None)
    guesses = Guesses::Wanted;
  if (guesses != Guesses::Made)
    return std::nullopt;
  return entries[index(slot)].rank.value_or(0);
}

void SlotSpace::beginPass() {
  hasLost = false;
  if (guesses == Guesses::Wanted)
    guesses = Guesses::None;
  for (Entry &entry : entries)
    entry.facts = SlotFacts();
}

} // namespace kiln
