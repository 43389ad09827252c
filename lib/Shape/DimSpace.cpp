// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes, merges and checks dimension symbols.
#include "lib/Shape/DimSpace.h"

#include "lib/Support/CheckedMath.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <climits>
#include <limits>

namespace kiln {

using Kind = SymbolDef::Kind;

// Not inline: the maps are a second of compile time a file.
DimSpace::DimSpace(Mode mode) : mode(mode) {}
DimSpace::~DimSpace() = default;

int32_t DimSpace::newSymbol(Kind kind, Dim a, Dim b, int64_t sample) {
  auto id = static_cast<int32_t>(table.defs.size());
  bool inRun = kind == Kind::Run || table.isInRun(a) || table.isInRun(b);
  table.defs.push_back({kind, a, b, node, inRun});
  samples.push_back(sample);
  known.forms.emplace_back();
  return id;
}

Dim DimSpace::feedDim(int32_t feed, int32_t dim, int64_t sample) {
  auto [place, isNew] = feedSymbols.try_emplace({feed, dim}, -1);
  if (!isNew)
    return resolve(Dim::ofSymbol(place->second));
  int32_t id = newSymbol(Kind::Feed, Dim::known(feed), Dim::known(dim), sample);
  place->second = id;
  known.setForm(id, Poly{{{id}, 1}});
  known.symbolOfForm.emplace(known.forms.back(), id);
  return Dim::ofSymbol(id);
}

Dim DimSpace::runDim(int k, bool isSize) {
  if (isBuilding())
    return Dim::unknown();
  auto [place, isNew] = runSymbols.try_emplace({block, node, k}, -1);
  if (isNew) {
    place->second =
        newSymbol(Kind::Run, Dim::known(isSize), Dim::known(0), /*sample=*/0);
    known.setForm(place->second, Poly{{{place->second}, 1}});
    known.symbolOfForm.emplace(known.forms.back(), place->second);
    if (region != 0)
      changing.insert(place->second);
  }
  return Dim::ofSymbol(place->second);
}

bool DimSpace::isFixed(Dim dim) const {
  if (!table.isInRun(dim))
    return true;
  const SymbolDef &def = table.defs[static_cast<size_t>(dim.symbol)];
  return def.kind == Kind::Run ? !changing.contains(dim.symbol)
                               : isFixed(def.a) && isFixed(def.b);
}

bool DimSpace::isOwnRunDim(Dim dim) const {
  auto place = runSymbols.lower_bound({block, node, INT_MIN});
  for (; place != runSymbols.end() && std::get<0>(place->first) == block &&
         std::get<1>(place->first) == node;
       ++place)
    if (dim == Dim::ofSymbol(place->second))
      return true;
  return false;
}

Poly DimSpace::formOf(Dim dim) const {
  if (dim.isSymbol())
    return known.forms[static_cast<size_t>(dim.symbol)];
  return dim.value == 0 ? Poly() : Poly{{{}, dim.value}};
}

Dim DimSpace::resolve(Dim dim) const {
  if (!dim.isSymbol())
    return dim;
  const Poly &form =
      known.representative(known.forms[static_cast<size_t>(dim.symbol)]);
  if (std::optional<int64_t> constant = constantOf(form))
    return Dim::known(*constant);
  auto place = known.symbolOfForm.find(form);
  return place == known.symbolOfForm.end() ? dim : Dim::ofSymbol(place->second);
}

Dims DimSpace::resolve(const Dims &dims) const {
  Dims result;
  result.reserve(dims.size());
  for (Dim dim : dims)
    result.push_back(resolve(dim));
  return result;
}

SymShape DimSpace::resolve(const SymShape &shape) const {
  return {shape.rankKnown, resolve(shape.dims)};
}

bool DimSpace::equal(Dim a, Dim b) const {
  a = resolve(a);
  return !a.isUnknown() && a == resolve(b);
}

Dim DimSpace::product(const Dims &dims) {
  Dim result = Dim::known(1);
  for (Dim dim : dims) {
    if (dim.isKnown(0))
      return dim;
    result = mul(result, dim);
  }
  return result;
}

std::optional<Poly> DimSpace::fold(Kind kind, const Poly &a,
                                   const Poly &b) const {
  std::optional<int64_t> left = constantOf(a), right = constantOf(b);
  if (left && right) {
    int64_t result = 0;
    if (!applyDef(kind, *left, *right, result))
      return std::nullopt;
    return formOf(Dim::known(result));
  }
  switch (kind) {
  case Kind::Feed:
  case Kind::Run:
    return std::nullopt;
  case Kind::Add:
    return polyAdd(a, b, 1);
  case Kind::Sub:
    return polyAdd(a, b, -1);
  case Kind::Mul:
    return polyMul(a, b);
  case Kind::FloorDiv:
    return polyFloorDiv(a, b);
  case Kind::Mod: {
    std::optional<Poly> quotient = polyFloorDiv(a, b);
    std::optional<Poly> whole = quotient ? polyMul(*quotient, b) : std::nullopt;
    return whole ? polyAdd(a, *whole, -1) : std::nullopt;
  }
  case Kind::Max:
  case Kind::Min: {
    std::optional<Poly> difference = polyAdd(a, b, -1);
    if (difference && isNonNegative(*difference))
      return kind == Kind::Max ? a : b;
    difference = polyAdd(b, a, -1);
    if (difference && isNonNegative(*difference))
      return kind == Kind::Max ? b : a;
    return std::nullopt;
  }
  case Kind::Broadcast:
    if (a == b || cannotBeOne(a))
      return a;
    if (left == 1)
      return b;
    return right == 1 ? std::optional<Poly>(a) : std::nullopt;
  }
  return std::nullopt;
}

Dim DimSpace::combine(Kind kind, Dim a, Dim b) {
  a = resolve(a);
  b = resolve(b);
  if (kind == Kind::Mul && (a.isKnown(0) || b.isKnown(0)))
    return Dim::known(0);
  if (a.isUnknown() || b.isUnknown())
    return Dim::unknown();
  if ((kind == Kind::FloorDiv || kind == Kind::Mod) && b.isKnown(0))
    return Dim::unknown();
  Poly left = formOf(a), right = formOf(b);
  if (std::optional<Poly> form = fold(kind, left, right))
    return dimOf(*form, kind, a, b);
  if (a.isKnown() && b.isKnown())
    return Dim::unknown(); // beyond 64 bits
  if ((kind == Kind::Max || kind == Kind::Min) && right < left)
    std::swap(left, right), std::swap(a, b);
  AtomKey key(kind, left, right);
  if (auto found = known.atomOfKey.find(key); found != known.atomOfKey.end())
    return resolve(Dim::ofSymbol(found->second));
  int64_t sample = 0;
  applyDef(kind, *sampleOf(a), *sampleOf(b), sample);
  int32_t id = newSymbol(kind, a, b, sample);
  known.setForm(id, Poly{{{id}, 1}});
  known.symbolOfForm.emplace(known.forms.back(), id);
  known.setKey(id, key);
  known.atomOfKey.emplace(std::move(key), id);
  return Dim::ofSymbol(id);
}

Dim DimSpace::dimOf(const Poly &result, Kind kind, Dim a, Dim b) {
  const Poly &form = known.representative(result);
  if (std::optional<int64_t> constant = constantOf(form))
    return Dim::known(*constant);
  if (auto found = known.symbolOfForm.find(form);
      found != known.symbolOfForm.end())
    return Dim::ofSymbol(found->second);
  if (kind == Kind::FloorDiv || kind == Kind::Mod) {
    // An exact quotient is defined by its form: other ways to the same form do
    // not divide, and must not meet a divisor that is 0 in some run.
    Dim sum = Dim::known(0);
    for (const auto &[atoms, coefficient] : form) {
      Dim term = Dim::known(coefficient);
      for (int32_t atom : atoms)
        term = mul(term, Dim::ofSymbol(atom));
      sum = add(sum, term);
    }
    return sum;
  }
  int64_t sample = 0;
  applyDef(kind, *sampleOf(a), *sampleOf(b), sample);
  int32_t id = newSymbol(kind, a, b, sample);
  known.symbolOfForm.emplace(form, id);
  known.setForm(id, form);
  return Dim::ofSymbol(id);
}

std::optional<bool> DimSpace::isOne(Dim dim) {
  while (true) {
    dim = resolve(dim);
    if (dim.isUnknown())
      return std::nullopt;
    if (dim.isKnown())
      return dim.value == 1;
    const Poly &form = known.forms[static_cast<size_t>(dim.symbol)];
    if (cannotBeOne(form))
      return false;
    // A product of extents is 1 only where each factor is; anything else is
    // left open.
    if (form.size() != 1 || form.begin()->second != 1)
      return std::nullopt;
    int32_t atom = -1;
    bool someNotOne = false;
    for (int32_t factor : form.begin()->first) {
      const SymbolDef &def = table.defs[static_cast<size_t>(factor)];
      if (def.kind != Kind::Feed)
        return std::nullopt;
      auto decided = std::find_if(table.classes.begin(), table.classes.end(),
                                  [&](const DimClass &wanted) {
                                    return wanted.feed == def.a.value &&
                                           wanted.dim == def.b.value;
                                  });
      if (decided == table.classes.end())
        atom = atom < 0 ? factor : atom;
      else
        someNotOne |= !decided->isOne;
    }
    if (someNotOne || atom < 0)
      return false;
    const SymbolDef &def = table.defs[static_cast<size_t>(atom)];
    bool one = samples[static_cast<size_t>(atom)] == 1;
    table.classes.push_back({static_cast<int32_t>(def.a.value),
                             static_cast<int32_t>(def.b.value), one});
    if (one)
      eliminateEverywhere(Poly{{{}, -1}, {{atom}, 1}});
  }
}

const SymbolDef *DimSpace::feedDefOf(Dim dim) const {
  if (!dim.isSymbol())
    return nullptr;
  const Poly &form = known.forms[static_cast<size_t>(dim.symbol)];
  if (form.size() != 1 || form.begin()->second != 1 ||
      form.begin()->first.size() != 1)
    return nullptr;
  const SymbolDef &def =
      table.defs[static_cast<size_t>(form.begin()->first.front())];
  return def.kind == Kind::Feed ? &def : nullptr;
}

bool DimSpace::takeAsEqual(Dim a, Dim b) {
  a = resolve(a);
  b = resolve(b);
  const SymbolDef *left = feedDefOf(a), *right = feedDefOf(b);
  if (!left || !right || sampleOf(a) != sampleOf(b))
    return false;
  if (left == right)
    return true;
  table.equalities.push_back({static_cast<int32_t>(left->a.value),
                              static_cast<int32_t>(left->b.value),
                              static_cast<int32_t>(right->a.value),
                              static_cast<int32_t>(right->b.value)});
  if (std::optional<Poly> difference = polyAdd(formOf(a), formOf(b), -1))
    eliminateEverywhere(*difference);
  return true;
}

std::optional<int64_t> DimSpace::takeAsKnown(Dim dim) {
  dim = resolve(dim);
  if (dim.isKnown())
    return dim.value;
  const SymbolDef *feed = feedDefOf(dim);
  std::optional<int64_t> number = feed ? sampleOf(dim) : std::nullopt;
  if (!number || *number > std::numeric_limits<int32_t>::max())
    return std::nullopt;
  table.equalities.push_back({static_cast<int32_t>(feed->a.value),
                              static_cast<int32_t>(feed->b.value), -1,
                              static_cast<int32_t>(*number)});
  if (std::optional<Poly> difference =
          polyAdd(formOf(dim), formOf(Dim::known(*number)), -1))
    eliminateEverywhere(*difference);
  return number;
}

bool DimSpace::isNonNegative(Dim dim, bool byGuards) const {
  dim = resolve(dim);
  if (dim.isUnknown())
    return false;
  Poly form = formOf(dim);
  return (byGuards && known.nonNegative.contains(form)) || isNonNegative(form);
}

bool DimSpace::isPositive(Dim dim) const {
  dim = resolve(dim);
  if (dim.isUnknown())
    return false;
  std::optional<Poly> rest = polyAdd(formOf(dim), formOf(Dim::known(1)), -1);
  return rest && isNonNegative(*rest);
}

std::optional<Dim> DimSpace::exactQuotient(Dim a, Dim b) {
  a = resolve(a);
  b = resolve(b);
  if (a.isUnknown() || b.isUnknown() || b.isKnown(0))
    return std::nullopt;
  std::optional<Poly> rest = fold(Kind::Mod, formOf(a), formOf(b));
  if (!rest || constantOf(*rest) != 0)
    return std::nullopt;
  return floorDiv(a, b);
}

StatusOr<Dim> DimSpace::unify(Dim a, Dim b, const GuardInfo &info) {
  Dim left = resolve(a), right = resolve(b);
  if (left.isUnknown() || right.isUnknown() || left == right)
    return left.isUnknown() ? right : left;
  // A part of the run that may not be reached can demand nothing of feeds; that
  // they agree becomes part of the signature.
  if (innermost && takeAsEqual(left, right))
    return resolve(left);
  KILN_RETURN_IF_ERROR(require(Guard::Kind::Equal, left, right, info));
  isImpossible = false;
  takeEqual(left, right);
  if (isImpossible)
    return error(info);
  return resolve(right.isKnown() ? right : left);
}

StatusOr<Dim> DimSpace::broadcast(Dim a, Dim b, const GuardInfo &info) {
  a = resolve(a);
  b = resolve(b);
  if (a == b)
    return a;
  if (a.isKnown(1) || b.isKnown(1))
    return a.isKnown(1) ? b : a;
  if (a.isUnknown() || b.isUnknown()) {
    // The other one, where it is known not to be 1, is the result; the rest is
    // up to the run.
    Dim other = a.isUnknown() ? b : a;
    return other.isKnown() ? other : Dim::unknown();
  }
  if (takeAsEqual(a, b))
    return resolve(a);
  std::optional<bool> oneA = isOne(a);
  // Beside a 1 the other needs no class, unless both are.
  if (oneA == true && sampleOf(b) != 1)
    return resolve(b);
  std::optional<bool> oneB = isOne(b);
  if (oneA == true || oneB == true)
    return resolve(oneA == true ? b : a);
  if (oneA == false && oneB == false)
    return unify(a, b, info);
  KILN_RETURN_IF_ERROR(require(Guard::Kind::BroadcastCompatible, a, b, info));
  if (oneA == false || oneB == false)
    return resolve(oneA == false ? a : b);
  return broadcastOf(a, b);
}

Dim DimSpace::broadcastOf(Dim a, Dim b) {
  return combine(Kind::Broadcast, a, b);
}

bool DimSpace::isRefuted(Guard::Kind kind, Dim a, Dim b) const {
  a = resolve(a), b = resolve(b);
  if (a.isUnknown() || b.isUnknown())
    return false;
  if (a.isKnown() && b.isKnown())
    return !guardHolds(kind, a.value, b.value);
  const Poly left = formOf(a), right = formOf(b);
  if (kind == Guard::Kind::NonNegative)
    return isNegative(left);
  const std::optional<Poly> above = polyAdd(right, left, -1);
  if (kind == Guard::Kind::LessEqual)
    return isNegative(above);
  return kind == Guard::Kind::Equal &&
         (isNegative(above) || isNegative(polyAdd(left, right, -1)));
}

Status DimSpace::require(Guard::Kind kind, Dim a, Dim b,
                         const GuardInfo &info) {
  bool unary = kind == Guard::Kind::NonNegative || kind == Guard::Kind::NonZero;
  Dim left = resolve(a), right = unary ? Dim::known(0) : resolve(b);
  if (left.isUnknown() || right.isUnknown())
    return okStatus();
  if (left.isKnown() && right.isKnown())
    return guardHolds(kind, left.value, right.value) ? okStatus() : error(info);
  const bool inRun = table.isInRun(left) || table.isInRun(right) || mayNotRun();
  // What the run finds out the guard's words tell.
  if (!inRun && isRefuted(kind, left, right))
    return error(info);
  bool follows = false;
  if (kind == Guard::Kind::NonNegative) {
    follows = isNonNegative(formOf(left));
  } else if (kind == Guard::Kind::Equal) {
    std::optional<Poly> difference = polyAdd(formOf(left), formOf(right), -1);
    std::optional<int64_t> constant =
        difference ? constantOf(*difference) : std::nullopt;
    if (constant && *constant != 0)
      return error(info);
    follows = constant.has_value();
  } else if (kind == Guard::Kind::LessEqual) {
    std::optional<Poly> difference = polyAdd(formOf(right), formOf(left), -1);
    follows = difference && isNonNegative(*difference);
  } else if (kind == Guard::Kind::Divides) {
    std::optional<Poly> rest = fold(Kind::Mod, formOf(left), formOf(right));
    follows = rest && constantOf(*rest) == 0;
  }
  if (follows)
    return okStatus();
  Guard guard{kind,
              left,
              right,
              node,
              std::string(info.prefix),
              std::string(info.joiner),
              std::string(info.suffix),
              {},
              {},
              info.asNumbers};
  if (info.lhs)
    guard.lhsShape = *info.lhs;
  if (info.rhs)
    guard.rhsShape = *info.rhs;
  guard.inRun = inRun;
  if (checked.emplace(region, kind, formOf(left), formOf(right)).second)
    addGuard(std::move(guard));
  if (kind == Guard::Kind::NonNegative && !isLowering) {
    rememberBefore();
    known.nonNegative.insert(formOf(left));
  }
  return okStatus();
}

void DimSpace::addGuard(Guard guard) {
  runGuards += guard.inRun;
  table.guards.push_back(std::move(guard));
  guardRegions.push_back(region);
}

void DimSpace::demandNever(const Status &error) {
  Guard guard;
  guard.a = Dim::known(0); // equal to
  guard.b = Dim::known(1);
  guard.node = error.node();
  guard.prefix = error.message();
  guard.code = error.code();
  guard.inRun = true;
  addGuard(std::move(guard));
}

std::optional<int64_t> DimSpace::sampleOf(Dim dim) const {
  if (dim.isUnknown())
    return std::nullopt;
  return evaluateDim(dim, samples);
}

std::string DimSpace::format(const Dims &dims) const {
  return formatDims(dims, samples, false);
}

Status DimSpace::error(const GuardInfo &info) const {
  std::string message(info.prefix);
  if (!info.joiner.empty() || info.asNumbers) {
    message += info.lhs ? formatDims(*info.lhs, samples, info.asNumbers) : "";
    message += info.joiner;
    message += info.rhs ? formatDims(*info.rhs, samples, info.asNumbers) : "";
  }
  return invalidArgumentError(message + std::string(info.suffix))
      .withNode(node);
}

} // namespace kiln
