// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the parts: which items come before which, and where each one goes.
#include "lib/Plan/cut/Cutter.h"

#include "lib/OpDefs/OpDef.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {

StatusOr<CutGraph> Cutter::run() {
  classify();
  number();
  findBefore();
  pullReads();
  findPlaces();
  for (ItemInfo &info : infos)
    KILN_RETURN_IF_ERROR(placeItem(info));
  if (block.condition.isTensor())
    result.fetches.push_back(
        fetchAt(block.condition, block.condition.output(), last));
  for (size_t i = 0; i < block.results.size(); ++i) {
    const PlanValue &fetch = block.results[i];
    if (!isWanted(i)) {
      result.fetches.push_back(-1);
      continue;
    }
    const ItemInfo *info = isInSteps ? producerOf(fetch.output()) : nullptr;
    CutSets::Id set = info ? info->before : last;
    result.fetches.push_back(parent ? fetchAt(fetch, names[i], set)
                                    : valueAt(fetch.output(), set));
  }
  finishUnits();
  countUses();
  if (crossing)
    return unimplementedError(
               strCat("expected no handle, and no list that is fed, fetched or "
                      "known to an op of another library, to go from part to "
                      "part of a run that is cut, got ",
                      quote(crossing->name())))
        .withNode(crossing->node->name());
  return std::move(result);
}

int Cutter::addFeed(const Output &output) {
  auto [it, isNew] =
      feedOf.try_emplace(output, static_cast<int>(result.feeds.size()));
  if (isNew)
    result.feeds.push_back(output);
  return it->second;
}

bool Cutter::isDone(const Item &item) const {
  return item.kind == Item::Kind::Node &&
         std::find(cutting.root.done.begin(), cutting.root.done.end(),
                   item.node) != cutting.root.done.end();
}

Cutter::ItemInfo *Cutter::producerOf(const Output &output) {
  if (auto found = itemOfResult.find(output); found != itemOfResult.end())
    return &infos[found->second];
  auto found = itemOfNode.find(output.node);
  if (found == itemOfNode.end())
    return nullptr;
  ItemInfo &info = infos[found->second];
  return info.item->kind == Item::Kind::Node ? &info : nullptr;
}

Cutter::Place Cutter::placeOf(const Output &output) {
  if (isFed(output) ||
      (parent && handles.contains(output) && !itemOfResult.contains(output)))
    return {this, nullptr};
  if (ItemInfo *info = producerOf(output))
    return {this, info};
  return parent ? parent->placeOf(output) : Place();
}

const Node *Cutter::rootOf(const Output &output) {
  if (cutting.slots.holds(output))
    return nullptr; // the run finds it by its value
  Place place = placeOf(output);
  if (!place.cutter)
    return nullptr;
  auto &known = place.cutter->handles;
  if (auto found = known.find(output); found != known.end())
    return found->second;
  return place.info && isView(*place.info, output.index)
             ? place.info->facts.root
             : nullptr;
}

bool Cutter::isView(const ItemInfo &info, int index) {
  return info.facts.root && (index == 0 || standsForInput(*info.item->node));
}

bool Cutter::mayBeNothing(const Output &output) {
  Place place = placeOf(output);
  if (!place.info || place.info->facts.kind != CutKind::Cut)
    return false;
  const Item &item = *place.info->item;
  auto found = std::find(item.results.begin(), item.results.end(), output);
  if (item.kind != Item::Kind::If || found == item.results.end())
    return false;
  auto isNothing = [&](const Block &branch) {
    return branch.results[static_cast<size_t>(found - item.results.begin())]
        .isNone();
  };
  return isNothing(*item.first) || isNothing(*item.second);
}

void Cutter::classify() {
  infos.reserve(block.items.size());
  firstCheck = block.items.size();
  while (!isInSteps && firstCheck > 0 &&
         isFetchCheck(block.items[firstCheck - 1]))
    --firstCheck;
  for (size_t i = 0; i < block.results.size(); ++i)
    if (isWanted(i) && block.results[i].isTensor())
      inUse.insert(block.results[i].output());
  if (block.condition.isTensor())
    inUse.insert(block.condition.output());
  RootOf roots = [this](const Output &output) { return rootOf(output); };
  for (const Item &item : block.items) {
    ItemInfo &info = infos.emplace_back();
    size_t place = infos.size() - 1;
    info.item = &item;
    info.facts = findFacts(item, roots, cutting.asked, cutting.drivesForeign,
                           &cutting.slots);
    // A branch that uses a tensor which is not there is not taken: what would
    // be made of nothing's shape does not count.
    if (item.first &&
        std::any_of(info.facts.uses.begin(), info.facts.uses.end(),
                    [&](const Output &used) { return mayBeNothing(used); }))
      info.facts.kind = CutKind::Cut;
    for (const Output &used : info.facts.uses)
      inUse.insert(used);
    bool isNode = item.kind == Item::Kind::Node;
    const OpDef *def = isNode ? lookupOp(item.node->op()) : nullptr;
    if (isDone(item)) {
      info.facts.kind = CutKind::Copied;
      info.facts.root = rootOf(item.node->input(0));
    }
    info.isConstant = def && def->has(constant);
    info.hasOutputs = def ? !def->outputs.empty() : !item.results.empty();
    const AskedTensor *asked = cutting.asked;
    info.isAsked = asked && std::count(item.results.begin(), item.results.end(),
                                       asked->tensor) != 0;
    if (isNode && asked && asked->tensor.node == item.node) {
      info.isAsked = true;
      info.isConstant = false;
      // Behind what gives a variable another shape, too: it is no value.
      if (!def->writesVariable()) {
        info.facts.kind = CutKind::Pure;
        info.facts.root = nullptr;
      }
    }
    addSources(info);
    if (isNode)
      itemOfNode[item.node] = place;
    else if (item.node && place < firstCheck)
      standFor(*item.node, place);
    for (const Node *inner : info.facts.inner)
      itemOfNode[inner] = place;
    for (size_t i = 0; i < item.results.size(); ++i) {
      const Output &output = item.results[i];
      itemOfNode.try_emplace(output.node, place);
      itemOfResult[output] = place;
      if (const Node *known = info.facts.resultRoots[i];
          known && isHandle(output))
        handles[output] = known;
    }
  }
}

/// Several items may stand for one node, a check and what it is about: what
/// comes after the node comes after the last of them.
void Cutter::standFor(const Node &node, size_t place) {
  auto [known, isNew] = itemOfNode.try_emplace(&node, place);
  if (!isNew && infos[known->second].item->kind != Item::Kind::Node)
    known->second = place;
}

/// Its tensors and its control edges. What is not in this block is done before
/// all that is.
void Cutter::addSources(ItemInfo &info) {
  for (const Output &input : info.facts.uses)
    if (!isFed(input))
      if (ItemInfo *source = producerOf(input))
        info.sources.push_back(static_cast<size_t>(source - infos.data()));
  for (const Node *control : info.facts.controls)
    if (auto found = itemOfNode.find(control); found != itemOfNode.end())
      info.sources.push_back(found->second);
}

void Cutter::number() {
  for (auto info = infos.rbegin(); info != infos.rend(); ++info) {
    info->matters |= info->facts.kind != CutKind::Pure || info->hasOutputs;
    if (info->matters)
      for (size_t source : info->sources)
        infos[source].matters = infos[source].isAwaited = true;
  }
  const bool allAreAwaited = firstCheck != infos.size();
  // The first numbers are those of feeds.
  numAwaited = isInSteps ? static_cast<int>(block.args.size()) : 0;
  for (size_t i = 0; i < infos.size(); ++i)
    if (ItemInfo &info = infos[i];
        info.isAsked || (i < firstCheck && info.facts.kind == CutKind::Cut &&
                         (info.isAwaited || allAreAwaited)))
      info.number = numAwaited++;
}

void Cutter::findBefore() {
  CutSets::Id all = CutSets::none;
  for (int number = 0; firstCheck != infos.size() && number < numAwaited;
       ++number)
    all = sets.unite(all, sets.single(number));
  for (ItemInfo &info : infos) {
    if (!info.matters)
      continue;
    for (size_t place : info.sources) {
      const ItemInfo &source = infos[place];
      info.before = sets.unite(info.before, source.before);
      if (source.number >= 0)
        info.before = sets.unite(info.before, sets.single(source.number));
    }
    forArrivals(info, [&](int feed) {
      info.before = sets.unite(info.before, sets.single(feed));
    });
    if (&info - infos.data() >= static_cast<ptrdiff_t>(firstCheck))
      info.before = sets.unite(info.before, all);
    if (info.facts.kind != CutKind::Cut)
      last = sets.unite(last, info.before);
  }
}

void Cutter::pullReads() {
  auto nameOf = [](const Node &declared) {
    auto shared = declared.attrOr<std::string>("shared_name", "");
    return shared.empty() ? declared.name() : shared;
  };
  std::map<std::string, std::set<CutSets::Id>> early;
  for (const ItemInfo &info : infos) {
    bool mayWrite = info.facts.kind == CutKind::Effect ||
                    (info.facts.kind == CutKind::Cut &&
                     info.item->kind != Item::Kind::Node);
    if (mayWrite && info.before != last)
      for (const Node *declared : info.facts.roots)
        early[nameOf(*declared)].insert(info.before);
  }
  if (early.empty())
    return;
  for (ItemInfo &info : infos)
    if (info.facts.kind == CutKind::Pure)
      for (const Node *declared : info.facts.roots)
        for (CutSets::Id written : early[nameOf(*declared)])
          if (sets.isSubset(info.before, written))
            info.bounds.push_back(written);
}

void Cutter::findPlaces() {
  for (ItemInfo &info : infos)
    info.place = last;
  for (auto it = infos.rbegin(); it != infos.rend(); ++it) {
    ItemInfo &info = *it;
    auto limit = [&](ItemInfo &limited, CutSets::Id set) {
      limited.place = sets.intersect(limited.place, set);
    };
    if (info.facts.kind == CutKind::Effect || info.facts.kind == CutKind::Cut ||
        info.isAsked || isInSteps)
      limit(info, info.before);
    for (CutSets::Id bound : info.bounds)
      limit(info, bound);
    for (size_t source : info.sources)
      limit(infos[source], info.place);
  }
}

} // namespace kiln
