// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answers shape functions that demand elements: of feeds, which become part of
// the signature, or sizes that the run computes.
#include "lib/Import/SymbolicInference.h"

#include "lib/OpDefs/Contents.h"
#include "lib/OpDefs/DeclaredShapes.h"
#include "lib/OpDefs/OpDef.h"

#include <algorithm>
#include <set>

namespace kiln {

/// Whether the node finds out a dimension of what it gives.
static bool findsOut(const std::vector<ValueInfo> &outputs, const Node &node,
                     const SymbolTable &table) {
  for (const ValueInfo &output : outputs)
    for (Dim dim : output.shape.dims)
      if (dim.isSymbol()) {
        const SymbolDef &def = table.defs[static_cast<size_t>(dim.symbol)];
        if (def.kind == SymbolDef::Kind::Run && def.node == node.name())
          return true;
      }
  return false;
}

bool SymbolicInference::collectFeeds(const Output &output,
                                     std::vector<int> &feeds) const {
  std::vector<std::pair<Scope *, Output>> pending = {{current, output}};
  std::set<std::pair<Scope *, const Node *>> seen;
  while (!pending.empty()) {
    auto [scope, next] = pending.back();
    pending.pop_back();
    if (int feed = feedOf(next); feed >= 0) {
      auto place = static_cast<size_t>(feed);
      if (isRevealed[place])
        continue;
      if (!contentsOf(specs[place].value))
        return false;
      if (std::find(feeds.begin(), feeds.end(), feed) == feeds.end())
        feeds.push_back(feed);
      continue;
    }
    Scope *owner = scope->ownerOf(next);
    if (!owner)
      return false;
    if (auto alias = owner->aliases.find(Scope::key(next));
        alias != owner->aliases.end()) {
      pending.push_back(alias->second);
      continue;
    }
    auto outputs = owner->infos.find(next.node);
    if (outputs == owner->infos.end() ||
        static_cast<size_t>(next.index) >= outputs->second.size())
      return false;
    const ValueInfo &known = outputs->second[static_cast<size_t>(next.index)];
    if (known.contents &&
        std::none_of(known.contents->begin(), known.contents->end(),
                     [](Dim dim) { return dim.isUnknown(); }))
      continue;
    // What finds out sizes has no contents, whatever its inputs are.
    if (!hasContents(known.dtype) ||
        findsOut(outputs->second, *next.node, space.symbols()))
      return false;
    if (!seen.insert({owner, next.node}).second)
      continue;
    if (next.node->inputs().empty())
      return false;
    // Whether a branch is taken says nothing of what goes into it.
    const bool isSwitch = roleOf(*next.node) == OpRole::Switch;
    for (const Output &input :
         isSwitch ? next.node->inputs().first(1) : next.node->inputs())
      pending.push_back({owner, input});
  }
  return true;
}

Dims SymbolicInference::declaredExtents(const Output &output,
                                        const Dims &extents) {
  const Dims known = space.resolve(extents);
  const Shape shape = declaredShape(*output.node, output.index);
  if (shape.rank() != static_cast<int>(known.size()))
    return known;
  const Dims declared = toSymShape(shape).dims;
  for (size_t d = 0; d < known.size(); ++d)
    if (space.symbols().isInRun(known[d]) && declared[d].isKnown())
      (void)space.unify(declared[d], known[d],
                        {.prefix = "expected the declared shape ",
                         .joiner = ", got ",
                         .lhs = &declared,
                         .rhs = &known});
  return space.resolve(known);
}

const Dims *SymbolicInference::packedNumber(const Output &output, size_t k,
                                            const Item &item, Demand what) {
  if (roleOf(*output.node) != OpRole::Pack || feedOf(output) >= 0)
    return nullptr;
  const Output &scalar = output.node->input(static_cast<int>(k));
  if (info(output).shape.rank() != 1 || info(scalar).shape.rank() != 0)
    return nullptr;
  const Dims *known = sizes(scalar);
  return known ? known : bindNumbers(scalar, item, what);
}

const Dims *SymbolicInference::bindNumbers(const Output &output,
                                           const Item &item, Demand what) {
  const ValueInfo &known = info(output);
  if (!known.shape.rankKnown || !hasContents(known.dtype) ||
      known.dtype == DType::Bool)
    return nullptr;
  setPlace(*output.node);
  Dims dims = declaredExtents(output, known.shape.dims);
  // How many amounts there are becomes part of the signature, not their values.
  if (what == Demand::Amounts)
    for (Dim &dim : dims)
      if (std::optional<int64_t> extent = space.takeAsKnown(dim))
        dim = Dim::known(*extent);
  std::optional<std::vector<int64_t>> extents =
      smallExtents(SymShape::of(std::move(dims)));
  if (!extents)
    return nullptr;
  size_t count = 1;
  for (int64_t extent : *extents)
    count *= static_cast<size_t>(extent);
  Dims elements = known.contents.value_or(Dims(count, Dim::unknown()));
  NumbersRead read{output, {}, {}};
  for (size_t k = 0; k < elements.size(); ++k) {
    if (!elements[k].isUnknown())
      continue;
    if (const Dims *scalar = packedNumber(output, k, item, what)) {
      elements[k] = scalar->front();
      continue;
    }
    // Below the numbers that a node gives to what it finds out itself.
    auto place = -1 - static_cast<int>(
                          k + maxContents * static_cast<size_t>(output.index));
    elements[k] = space.runDim(place, /*isSize=*/false);
    if (elements[k].isUnknown())
      return nullptr;
    read.elements.push_back(static_cast<int64_t>(k));
    read.symbols.push_back(elements[k].symbol);
  }
  if (!read.symbols.empty()) {
    findsSizes = true;
    current->bound.insert(read.symbols.begin(), read.symbols.end());
    current->runSizes[&item].reads.push_back(std::move(read));
  }
  return &(current->readNumbers[Scope::key(output)] = std::move(elements));
}

const Dims *SymbolicInference::demand(const Output &output, const Item &item,
                                      Demand what) {
  if (what == Demand::Extents)
    return nullptr;
  if (const Dims *known =
          what == Demand::Known ? contents(output) : sizes(output))
    return known;
  if (what == Demand::Amounts)
    if (const Dims *numbers = bindNumbers(output, item, what))
      return numbers;
  std::vector<int> feeds;
  if (!collectFeeds(output, feeds) || feeds.empty())
    return what == Demand::Sizes && feedOf(output) < 0
               ? bindNumbers(output, item, what)
               : nullptr;
  for (int feed : feeds)
    isRevealed[static_cast<size_t>(feed)] = beginsAgain = true;
  return nullptr;
}

/// Whether a result of a branch or a loop has several ranks, though what it may
/// be has one each.
static bool hasOpenRank(const Item &item, size_t i, const auto &infoIn) {
  auto isRanked = [&](const Block &block, const PlanValue &given) {
    const ValueInfo *info =
        given.isTensor() ? infoIn(&block, given.output()) : nullptr;
    return info && info->shape.rankKnown;
  };
  const ValueInfo *result = infoIn(nullptr, item.results[i]);
  if (result->shape.rankKnown || result->dynamicVariable >= 0 ||
      result->handle || result->dtype == DType::Resource ||
      result->dtype == DType::Variant)
    return false;
  if (item.kind == Item::Kind::While)
    return i < item.operands.size() &&
           infoIn(nullptr, item.operands[i].output())->shape.rankKnown;
  return item.kind == Item::Kind::If &&
         isRanked(*item.first, item.first->results[i]) &&
         isRanked(*item.second, item.second->results[i]);
}

std::optional<std::pair<int, Output>> SymbolicInference::openRank() const {
  std::optional<std::pair<int, Output>> found;
  for (auto &[block, scope] : scopes)
    for (const Item &item : block->items)
      for (size_t i = 0; i < item.results.size(); ++i) {
        const Output &result = item.results[i];
        // A branch that is never taken has no scope.
        auto infoOf = [&](const Block *of, const Output &tensor) {
          auto inner = of ? scopes.find(of) : scopes.end();
          return of && inner == scopes.end()
                     ? nullptr
                     : &infoIn(of ? inner->second.get() : scope.get(), tensor);
        };
        auto key = std::tuple(scope->depth(), result.node->id(), result.index);
        if (hasOpenRank(item, i, infoOf) &&
            (!found || key < std::tuple(found->first, found->second.node->id(),
                                        found->second.index)))
          found = {scope->depth(), result};
      }
  return found;
}

std::vector<FedValue> SymbolicInference::takeFedValues() {
  std::vector<FedValue> values;
  for (size_t i = 0; i < specs.size(); ++i)
    if (isRevealed[i])
      values.push_back({static_cast<int>(i), specs[i].value});
  return values;
}

} // namespace kiln
