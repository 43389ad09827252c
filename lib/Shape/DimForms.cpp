// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Polynomials over atoms: the canonical forms of dimensions.
#include "lib/Shape/DimSpace.h"

#include "lib/Support/CheckedMath.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace kiln {

std::optional<int64_t> constantOf(const Poly &poly) {
  if (poly.empty())
    return 0;
  if (poly.size() == 1 && poly.begin()->first.empty())
    return poly.begin()->second;
  return std::nullopt;
}

static bool accumulate(Poly &into, const std::vector<int32_t> &monomial,
                       int64_t coefficient) {
  auto place = into.try_emplace(monomial, 0).first;
  std::optional<int64_t> sum = checkedAdd(place->second, coefficient);
  if (!sum)
    return false;
  place->second = *sum;
  if (*sum == 0)
    into.erase(place);
  return true;
}

static bool addTo(Poly &sum, const Poly &b, int64_t scaleOfB) {
  for (const auto &[monomial, coefficient] : b) {
    std::optional<int64_t> scaled = checkedMul(coefficient, scaleOfB);
    if (!scaled || !accumulate(sum, monomial, *scaled))
      return false;
  }
  return true;
}

std::optional<Poly> polyAdd(const Poly &a, const Poly &b, int64_t scaleOfB) {
  Poly sum = a;
  return addTo(sum, b, scaleOfB) ? std::optional(std::move(sum)) : std::nullopt;
}

std::optional<Poly> polyMul(const Poly &a, const Poly &b) {
  Poly result;
  for (const auto &[leftAtoms, left] : a)
    for (const auto &[rightAtoms, right] : b) {
      std::vector<int32_t> atoms = leftAtoms;
      atoms.insert(atoms.end(), rightAtoms.begin(), rightAtoms.end());
      std::sort(atoms.begin(), atoms.end());
      std::optional<int64_t> coefficient = checkedMul(left, right);
      if (!coefficient || !accumulate(result, atoms, *coefficient))
        return std::nullopt;
    }
  return result;
}

// Only a divisor of one term is divided by: n * k by k, n * 6 + 4 by 3 (the
// constant rounds down by itself).
std::optional<Poly> polyFloorDiv(const Poly &a, const Poly &b) {
  if (b.size() != 1)
    return std::nullopt;
  const auto &[divisorAtoms, divisor] = *b.begin();
  Poly quotient;
  for (const auto &[atoms, coefficient] : a) {
    bool roundsDown = atoms.empty() && divisorAtoms.empty();
    if (divisor == -1 || (coefficient % divisor != 0 && !roundsDown))
      return std::nullopt;
    if (!std::includes(atoms.begin(), atoms.end(), divisorAtoms.begin(),
                       divisorAtoms.end()))
      return std::nullopt;
    std::vector<int32_t> rest;
    std::set_difference(atoms.begin(), atoms.end(), divisorAtoms.begin(),
                        divisorAtoms.end(), std::back_inserter(rest));
    int64_t part = 0;
    applyDef(SymbolDef::Kind::FloorDiv, coefficient, divisor, part);
    if (part != 0 && !accumulate(quotient, rest, part))
      return std::nullopt;
  }
  return quotient;
}

bool hasAtom(const Poly &poly, int32_t atom) {
  return std::any_of(poly.begin(), poly.end(), [&](const auto &term) {
    return std::binary_search(term.first.begin(), term.first.end(), atom);
  });
}

std::optional<Poly> substituted(const Poly &poly, int32_t atom,
                                const Poly &replacement) {
  Poly result;
  for (const auto &[atoms, coefficient] : poly) {
    auto [first, last] = std::equal_range(atoms.begin(), atoms.end(), atom);
    std::vector<int32_t> rest(atoms.begin(), first);
    rest.insert(rest.end(), last, atoms.end());
    std::optional<Poly> term = Poly{{std::move(rest), coefficient}};
    for (; term && first != last; ++first)
      term = polyMul(*term, replacement);
    if (!term || !addTo(result, *term, 1))
      return std::nullopt;
  }
  return result;
}

/// Notes a holder with each atom of the form.
static void note(std::map<int32_t, std::vector<int32_t>> &holders,
                 const Poly &form, int32_t holder) {
  for (const auto &[atoms, coefficient] : form)
    for (int32_t atom : atoms)
      if (auto &noted = holders[atom]; noted.empty() || noted.back() != holder)
        noted.push_back(holder);
}

DimForms::DimForms() = default;
DimForms::DimForms(const DimForms &) = default;
DimForms::DimForms(DimForms &&) noexcept = default;
DimForms &DimForms::operator=(const DimForms &) = default;
DimForms &DimForms::operator=(DimForms &&) noexcept = default;
DimForms::~DimForms() = default;

const Poly &DimForms::representative(const Poly &form) const {
  auto found = representatives.find(form);
  return found == representatives.end() ? form : found->second;
}

void DimForms::reset(size_t numSymbols) {
  *this = {};
  forms.resize(numSymbols);
  for (size_t i = 0; i < numSymbols; ++i)
    setForm(static_cast<int32_t>(i), Poly{{{static_cast<int32_t>(i)}, 1}});
}

void DimForms::setForm(int32_t id, Poly form) {
  note(formsWith, form, id);
  forms[static_cast<size_t>(id)] = std::move(form);
}

void DimForms::nameForm(int32_t id) {
  const Poly &form = forms[static_cast<size_t>(id)];
  int32_t &oldest = symbolOfForm.try_emplace(form, id).first->second;
  oldest = std::min(oldest, id);
}

bool DimForms::isUsed(int32_t id) const {
  auto holders = formsWith.find(id);
  return forms[static_cast<size_t>(id)] != Poly{{{id}, 1}} ||
         (holders != formsWith.end() && holders->second.size() > 1) ||
         keysWith.contains(id) ||
         std::any_of(representatives.begin(), representatives.end(),
                     [&](const auto &pair) {
                       return hasAtom(pair.first, id) ||
                              hasAtom(pair.second, id);
                     });
}

void DimForms::setKey(int32_t id, AtomKey key) {
  note(keysWith, std::get<1>(key), id);
  note(keysWith, std::get<2>(key), id);
  keyOfAtom.insert_or_assign(id, std::move(key));
}

void DimForms::substituteInExtents(int32_t atom, const Poly &value) {
  std::set<Poly> next;
  for (const Poly &form : likeExtents)
    if (!hasAtom(form, atom))
      next.insert(form);
    else if (std::optional<Poly> changed = substituted(form, atom, value))
      next.insert(*std::move(changed));
  likeExtents = std::move(next);
}

/// Keeps the answers by atom: computed atoms share operands.
static bool isNonNegative(const Poly &poly, const DimForms &known,
                          const SymbolTable &table,
                          std::map<int32_t, bool> &answers) {
  auto ask = [&](const Poly &other) {
    return isNonNegative(other, known, table, answers);
  };
  auto askAtom = [&](int32_t atom) {
    auto key = known.keyOfAtom.find(atom);
    const SymbolDef &def = table.defs[static_cast<size_t>(atom)];
    if (key == known.keyOfAtom.end())
      return known.likeExtents.contains(Poly{{{atom}, 1}}) ||
             def.kind == SymbolDef::Kind::Feed ||
             (def.kind == SymbolDef::Kind::Run && def.a.value == 1);
    const auto &[kind, a, b] = key->second;
    switch (kind) {
    case SymbolDef::Kind::Max:
      return ask(a) || ask(b);
    case SymbolDef::Kind::Mod:
      return ask(b);
    default:
      return ask(a) && ask(b);
    }
  };
  if (known.likeExtents.contains(poly))
    return true;
  return std::all_of(poly.begin(), poly.end(), [&](const auto &term) {
    return term.second >= 0 &&
           std::all_of(term.first.begin(), term.first.end(), [&](int32_t atom) {
             // Nothing is known of one that is made of itself.
             auto [found, isNew] = answers.emplace(atom, false);
             if (isNew)
               found->second = askAtom(atom);
             return found->second;
           });
  });
}

bool DimSpace::isNonNegative(const Poly &poly) const {
  std::map<int32_t, bool> answers;
  return kiln::isNonNegative(poly, known, table, answers);
}

void DimSpace::keepNonNegative(const Poly &from, const Poly &to) {
  if (!isNonNegative(from) || isNonNegative(to))
    return;
  rememberBefore();
  known.likeExtents.insert(to);
}

bool DimSpace::isNegative(const std::optional<Poly> &poly) const {
  std::optional<Poly> rest =
      poly ? polyAdd(formOf(Dim::known(-1)), *poly, -1) : std::nullopt;
  return rest && isNonNegative(*rest);
}

bool DimSpace::cannotBeOne(const Poly &poly) const {
  int64_t divisor = 0, constant = 0;
  for (const auto &[atoms, coefficient] : poly) {
    if (atoms.empty())
      constant = coefficient;
    else
      divisor = std::gcd(divisor, coefficient);
  }
  if (divisor >= 2 && (constant - 1) % divisor != 0)
    return true; // n * k + c, and 1 - c is no multiple of k
  return constant >= 2 && isNonNegative(poly);
}

bool DimSpace::isInRun(const Poly &poly) const {
  return std::any_of(poly.begin(), poly.end(), [&](const auto &term) {
    return std::any_of(term.first.begin(), term.first.end(), [&](int32_t atom) {
      return table.defs[static_cast<size_t>(atom)].inRun;
    });
  });
}

bool DimForms::mentions(const Poly &poly, int32_t atom) const {
  std::vector<const Poly *> waiting = {&poly};
  std::set<int32_t> seen;
  while (!waiting.empty()) {
    const Poly &next = *waiting.back();
    waiting.pop_back();
    for (const auto &[atoms, coefficient] : next)
      for (int32_t other : atoms) {
        if (other == atom)
          return true;
        auto key = keyOfAtom.find(other);
        if (key == keyOfAtom.end() || !seen.insert(other).second)
          continue;
        waiting.push_back(&std::get<1>(key->second));
        waiting.push_back(&std::get<2>(key->second));
      }
  }
  return false;
}

// From c * x + rest = 0 with c = 1 or -1 and no x in the rest follows x = -rest
// / c. The youngest such atom goes, so that the oldest symbols stay the names
// of things; where the run finds out one of them, such a one.
bool DimSpace::eliminate(const Poly &difference) {
  int64_t divisor = 0;
  for (const auto &term : difference)
    divisor = std::gcd(divisor, term.second);
  if (divisor == 0)
    return false;
  Poly reduced;
  for (const auto &[atoms, coefficient] : difference)
    reduced.emplace(atoms, coefficient / divisor);
  int32_t chosen = -1;
  bool inRun = isInRun(reduced);
  for (const auto &[atoms, coefficient] : reduced) {
    if (atoms.size() != 1 || (coefficient != 1 && coefficient != -1) ||
        atoms[0] < chosen ||
        inRun != table.defs[static_cast<size_t>(atoms[0])].inRun)
      continue;
    Poly rest = reduced;
    rest.erase(atoms);
    if (!known.mentions(rest, atoms[0]))
      chosen = atoms[0];
  }
  if (chosen < 0)
    return false;
  int64_t sign = reduced.at({chosen});
  reduced.erase({chosen});
  std::optional<Poly> value = polyAdd(Poly(), reduced, -sign);
  if (!value)
    return false;
  keepNonNegative(Poly{{{chosen}, 1}}, *value);
  substitute(chosen, *std::move(value));
  return true;
}

} // namespace kiln
