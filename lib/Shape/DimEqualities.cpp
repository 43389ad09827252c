// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Equalities of dimensions: what follows from them, where they hold, and how
// far they hold at a node.
#include "lib/Shape/DimSpace.h"

#include <algorithm>
#include <utility>

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

void DimSpace::restore(const DimForms &before) {
  DimForms later = std::exchange(known, before);
  // What was made since then is still what its definition says.
  formUpTo(later.numFormed);
  known.forms.resize(later.forms.size());
  for (size_t i = before.forms.size(); i < known.forms.size(); ++i) {
    auto id = static_cast<int32_t>(i);
    known.setForm(id, formByDefinition(id));
    known.nameForm(id);
  }
}

void DimSpace::eliminateEverywhere(const Poly &difference) {
  if (!isLowering)
    everywhere.emplace_back(difference, Poly());
  for (Region *region = innermost; region; region = region->outer)
    region->lasting.push_back(difference);
  eliminate(difference);
}

std::vector<int32_t>
DimSpace::take(std::map<int32_t, std::vector<int32_t>> &holders, int32_t atom) {
  auto found = holders.find(atom);
  if (found == holders.end())
    return {};
  std::vector<int32_t> taken = std::move(found->second);
  holders.erase(found);
  std::sort(taken.begin(), taken.end());
  taken.erase(std::unique(taken.begin(), taken.end()), taken.end());
  numLookedAt += taken.size();
  return taken;
}

/// Puts `value` for the atom; false where nothing changes. A form that would
/// overflow keeps the atom: it is then merely not found equal to others.
static bool replaceIn(Poly &form, int32_t atom, const Poly &value) {
  std::optional<Poly> next;
  if (hasAtom(form, atom))
    next = substituted(form, atom, value);
  if (next)
    form = *std::move(next);
  return next.has_value();
}

void DimSpace::substituteInForms(int32_t atom, const Poly &value) {
  std::vector<int32_t> changed;
  for (int32_t id : take(known.formsWith, atom)) {
    const Poly &old = known.forms[static_cast<size_t>(id)];
    Poly form = old;
    if (!replaceIn(form, atom, value)) {
      if (hasAtom(form, atom))
        known.formsWith[atom].push_back(id);
      continue;
    }
    // All symbols of a form change with it.
    known.symbolOfForm.erase(old);
    known.setForm(id, std::move(form));
    changed.push_back(id);
  }
  for (int32_t id : changed)
    known.nameForm(id);
}

void DimSpace::substituteInKeys(int32_t atom, const Poly &value,
                                AtomPolys &pending, PolyPairs &identified) {
  auto isAtom = [&](int32_t id) {
    return known.forms[static_cast<size_t>(id)] == Poly{{{id}, 1}};
  };
  std::vector<int32_t> changed;
  for (int32_t id : take(known.keysWith, atom)) {
    AtomKey key = known.keyOfAtom.at(id);
    auto &[kind, a, b] = key;
    bool isOther = replaceIn(a, atom, value);
    isOther |= replaceIn(b, atom, value);
    if (!isOther) {
      if (hasAtom(a, atom) || hasAtom(b, atom))
        known.keysWith[atom].push_back(id);
      continue;
    }
    // All atoms of a key change with it.
    known.atomOfKey.erase(known.keyOfAtom.at(id));
    known.setKey(id, std::move(key));
    changed.push_back(id);
  }
  for (int32_t id : changed) {
    const AtomKey &key = known.keyOfAtom.at(id);
    // What has become something else is still what its operands give.
    int32_t &place = known.atomOfKey.try_emplace(key, id).first->second;
    const auto &[kind, a, b] = key;
    std::optional<Poly> folded = fold(kind, a, b);
    if (constantOf(b) == 0 && (kind == Kind::FloorDiv || kind == Kind::Mod))
      folded.reset();
    if (!isAtom(id)) {
      if (folded)
        identified.emplace_back(known.forms[static_cast<size_t>(id)],
                                *std::move(folded));
      continue;
    }
    const int32_t other =
        std::exchange(place, isAtom(place) ? std::min(place, id) : id);
    if (folded)
      pending.emplace_back(id, *std::move(folded));
    else if (other != id && isAtom(other))
      pending.emplace_back(std::max(other, id),
                           Poly{{{std::min(other, id)}, 1}});
  }
}

void DimSpace::substitute(int32_t atom, Poly replacement) {
  rememberBefore();
  PolyPairs identified(known.representatives.begin(),
                       known.representatives.end());
  known.representatives.clear();
  AtomPolys pending = {{atom, std::move(replacement)}};
  while (!pending.empty()) {
    auto [target, value] = std::move(pending.back());
    pending.pop_back();
    if (known.mentions(value, target))
      continue;
    substituteInForms(target, value);
    known.substituteInExtents(target, value);
    for (auto &[waiting, poly] : pending)
      replaceIn(poly, target, value);
    for (auto &[left, right] : identified) {
      replaceIn(left, target, value);
      replaceIn(right, target, value);
    }
    substituteInKeys(target, value, pending, identified);
  }
  // From what was only identified an atom may follow by now; and what two forms
  // say of one symbol may contradict itself.
  for (const auto &[left, right] : identified)
    learn(left, right);
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
  innermost->before = std::make_unique<DimForms>(known);
}

void DimSpace::identify(const Poly &left, const Poly &right) {
  // A number stands for what is none, what is known before the run for what is
  // not, and what has a symbol for what has none.
  auto rank = [&](const Poly &form) {
    bool hasSymbol = known.symbolOfForm.contains(form);
    return std::tuple(constantOf(form).has_value(), !isInRun(form), hasSymbol);
  };
  Poly from = known.representative(left), to = known.representative(right);
  if (from == to)
    return;
  if (rank(to) < rank(from))
    std::swap(from, to);
  rememberBefore();
  keepNonNegative(from, to);
  for (auto &[form, other] : known.representatives)
    if (other == from)
      other = to;
  known.representatives.insert_or_assign(std::move(from), std::move(to));
}

// What was an atom then may be something else by now.
std::optional<Poly> DimSpace::present(const Poly &form) const {
  Poly result;
  for (const auto &[atoms, coefficient] : form) {
    std::optional<Poly> term = Poly{{{}, coefficient}};
    for (int32_t atom : atoms)
      term = term ? polyMul(*term, known.forms[static_cast<size_t>(atom)])
                  : std::nullopt;
    std::optional<Poly> sum = term ? polyAdd(result, *term, 1) : std::nullopt;
    if (!sum)
      return std::nullopt;
    result = *std::move(sum);
  }
  return result;
}

void DimSpace::learn(const Poly &left, const Poly &right) {
  std::optional<Poly> a = present(left), b = present(right),
                      difference = a && b ? polyAdd(*a, *b, -1) : std::nullopt;
  if (!difference)
    return identify(a.value_or(left), b.value_or(right));
  if (difference->empty())
    return;
  if (constantOf(*difference) ||
      (isLowering && (isNegative(*difference) ||
                      isNegative(polyAdd(Poly(), *difference, -1)))))
    isImpossible = true;
  else if (!eliminate(*difference))
    identify(*a, *b);
}

void DimSpace::takeEqual(Dim a, Dim b) {
  const Poly left = formOf(a), right = formOf(b);
  // The form of what the run finds out may be of feeds alone by now, behind the
  // guard that says so.
  const bool inRun = innermost || table.isInRun(a) || table.isInRun(b) ||
                     isInRun(left) || isInRun(right);
  if (!isLowering && inRun)
    learned[region].push_back({left, right, table.defs.size()});
  else if (!isLowering)
    everywhere.emplace_back(left, right);
  learn(left, right);
}

void DimSpace::forgetEqualitiesOfRun() {
  known.nonNegative.clear();
  if (learned.empty())
    return; // what holds now has always held
  known.reset(table.defs.size());
  formUpTo(table.defs.size());
  for (const auto &[left, right] : everywhere)
    learn(left, right);
}

void DimSpace::beginLowering() {
  isLowering = true;
  known.nonNegative.clear();
  if (learned.empty())
    return;
  size_t first = table.defs.size();
  for (const auto &[number, equalities] : learned)
    first = std::min(first, equalities.front().numSymbols);
  known.reset(table.defs.size());
  formUpTo(first);
  for (const auto &[left, right] : everywhere)
    learn(left, right);
}

void DimSpace::formUpTo(size_t numSymbols) {
  for (size_t &i = known.numFormed; i < numSymbols; ++i) {
    auto id = static_cast<int32_t>(i);
    const Poly atom{{{id}, 1}}, made = formByDefinition(id);
    // What holds in all runs may have been told by the atom that it was.
    const bool isUsed = known.isUsed(id);
    if (!isUsed)
      known.setForm(id, made);
    known.nameForm(id);
    if (isUsed && made != atom)
      learn(atom, made);
  }
}

Poly DimSpace::formByDefinition(int32_t id) {
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
  auto [place, isNew] = known.atomOfKey.try_emplace(key, id);
  if (!isNew)
    return Poly{{{place->second}, 1}};
  known.setKey(id, std::move(key));
  return atom;
}

size_t DimSpace::numEqualities(int inRegion) const {
  auto found = learned.find(inRegion);
  return found == learned.end() ? 0 : found->second.size();
}

bool DimSpace::learnUpTo(int inRegion, size_t count, size_t numSymbols) {
  isImpossible = false;
  if (learned.empty())
    return true;
  if (auto found = learned.find(inRegion); found != learned.end())
    for (size_t &next = numLearned[inRegion]; next < count; ++next) {
      const DimEquation &equality = found->second[next];
      formUpTo(equality.numSymbols);
      learn(equality.left, equality.right);
    }
  formUpTo(numSymbols);
  return !isImpossible;
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
