// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Equalities of dimensions: what follows from them, where they hold, and how
// far they hold at a node.
#include "lib/Shape/DimSpace.h"

#include <algorithm>

namespace kiln {

using Kind = SymbolDef::Kind;

DimSpace::Region::Region(DimSpace &space, int number, bool isAlwaysRun)
    : space(space), outer(space.innermost), number(number),
      outerNumber(space.region), isAlwaysRun(isAlwaysRun) {
  space.innermost = this;
  space.region = number;
}

DimSpace::Region::~Region() {
  space.innermost = outer;
  space.region = outerNumber;
  if (!before)
    return;
  space.restore(*before);
  for (const Poly &difference : lasting)
    space.eliminate(difference);
}

void DimSpace::restore(const DimSpace &before) {
  size_t known = before.forms.size();
  std::copy(before.forms.begin(), before.forms.end(), forms.begin());
  symbolOfForm = before.symbolOfForm;
  representatives = before.representatives;
  keyOfAtom = before.keyOfAtom;
  atomOfKey = before.atomOfKey;
  // How what was made meanwhile follows from the rest held there alone.
  for (size_t i = known; i < forms.size(); ++i) {
    auto id = static_cast<int32_t>(i);
    forms[i] = Poly{{{id}, 1}};
    symbolOfForm.emplace(forms[i], id);
  }
}

void DimSpace::eliminateEverywhere(const Poly &difference) {
  if (!isLowering)
    everywhere.emplace_back(difference, Poly());
  for (Region *region = innermost; region; region = region->outer)
    region->lasting.push_back(difference);
  eliminate(difference);
}

bool DimSpace::mayNotRun() const {
  for (Region *part = innermost; part; part = part->outer)
    if (!part->isAlwaysRun)
      return true;
  return false;
}

void DimSpace::rememberBefore() {
  if (!innermost || innermost->before)
    return;
  auto known = std::make_unique<DimSpace>(mode);
  known->forms = forms;
  known->symbolOfForm = symbolOfForm;
  known->representatives = representatives;
  known->keyOfAtom = keyOfAtom;
  known->atomOfKey = atomOfKey;
  innermost->before = std::move(known);
}

void DimSpace::identify(const Poly &left, const Poly &right) {
  // A number stands for what is none, what is known before the run for what is
  // not, and what has a symbol for what has none.
  auto rank = [&](const Poly &form) {
    bool hasSymbol = symbolOfForm.contains(form);
    return std::tuple(constantOf(form).has_value(), !isInRun(form), hasSymbol);
  };
  Poly from = representative(left), to = representative(right);
  if (from == to)
    return;
  if (rank(to) < rank(from))
    std::swap(from, to);
  rememberBefore();
  for (auto &[form, other] : representatives)
    if (other == from)
      other = to;
  representatives.insert_or_assign(std::move(from), std::move(to));
}

void DimSpace::learn(const Poly &left, const Poly &right) {
  if (std::optional<Poly> difference = polyAdd(left, right, -1);
      !difference || (!difference->empty() && !eliminate(*difference)))
    identify(left, right);
}

void DimSpace::takeEqual(const Poly &left, const Poly &right) {
  if (!isLowering) {
    bool holdsBefore = !innermost && !isInRun(left) && !isInRun(right);
    (holdsBefore ? everywhere : learned[region]).emplace_back(left, right);
  }
  learn(left, right);
}

void DimSpace::beginLowering() {
  isLowering = true;
  if (learned.empty())
    return; // what holds now has always held
  symbolOfForm.clear();
  representatives.clear();
  keyOfAtom.clear();
  atomOfKey.clear();
  for (size_t i = 0; i < forms.size(); ++i) {
    auto id = static_cast<int32_t>(i);
    forms[i] = formByDefinition(id);
    symbolOfForm.try_emplace(forms[i], id);
  }
  for (const auto &[left, right] : everywhere)
    learn(left, right);
}

DimSpace::Poly DimSpace::formByDefinition(int32_t id) {
  const SymbolDef &def = table.defs[static_cast<size_t>(id)];
  Poly atom{{{id}, 1}};
  if (def.kind == Kind::Feed || def.kind == Kind::Run)
    return atom;
  Poly left = formOf(def.a), right = formOf(def.b);
  bool divides = def.kind == Kind::FloorDiv || def.kind == Kind::Mod;
  if (!divides || constantOf(right) != 0)
    if (std::optional<Poly> form = fold(def.kind, left, right))
      return *form;
  AtomKey key(def.kind, std::move(left), std::move(right));
  auto [place, isNew] = atomOfKey.try_emplace(key, id);
  if (!isNew)
    return Poly{{{place->second}, 1}};
  keyOfAtom.emplace(id, std::move(key));
  return atom;
}

void DimSpace::learnUpTo(int inRegion, size_t count) {
  auto found = learned.find(inRegion);
  if (found == learned.end())
    return;
  size_t &known = numLearned[inRegion];
  for (; known < std::min(count, found->second.size()); ++known)
    learn(found->second[known].first, found->second[known].second);
}

void DimSpace::dropGuards(size_t first) {
  table.guards.resize(first);
  guardRegions.resize(first);
  checked.clear();
  for (size_t i = 0; i < first; ++i) {
    const Guard &guard = table.guards[i];
    checked.emplace(guardRegions[i], guard.kind, formOf(guard.a),
                    formOf(guard.b));
  }
}

} // namespace kiln
