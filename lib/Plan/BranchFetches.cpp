// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the predicates of a fetch from the outermost inwards.
#include "lib/Plan/BranchFetches.h"

#include "lib/Support/Strings.h"

#include <algorithm>
#include <map>

namespace kiln {
namespace {

Item failOf(const BranchFetch &fetch) {
  Item item;
  item.kind = Item::Kind::Fail;
  item.node = fetch.tensor.node;
  item.number = fetch.index;
  return item;
}

} // namespace

StatusOr<std::vector<BranchFetch>> findBranchFetches(const PrunedGraph &graph,
                                                     const Alive &alive) {
  std::map<std::string, Output> fetches;
  for (const Output &fetch : graph.fetches)
    if (!alive.isFed(fetch) && alive.isReached(fetch.node))
      fetches.emplace(fetch.name(), fetch);
  std::vector<BranchFetch> found;
  int index = -1;
  for (const auto &[name, fetch] : fetches) {
    ++index;
    if (alive.frameOf(fetch.node) != 0 ||
        alive.kindOf(*fetch.node) == OpRole::Enter)
      return unimplementedError(
                 strCat("expected a fetch outside of loops, got ", quote(name)))
          .withNode(fetch.node->name());
    if (Literals literals = alive.of(fetch); !literals.empty())
      found.push_back({index, fetch, std::move(literals)});
  }
  return found;
}

void addValueCheck(const BranchFetch &fetch, const Alive &alive, Block &root) {
  if (Alive::isDead(fetch.literals)) {
    // No block holds the node: this one gives the fetch, as nothing.
    Item item;
    item.kind = Item::Kind::Call;
    item.node = fetch.tensor.node;
    item.results = {fetch.tensor};
    item.first = std::make_unique<Block>();
    item.first->path = root.path;
    item.first->results = {{nullptr, -1}};
    item.first->items.push_back(failOf(fetch));
    root.items.push_back(std::move(item));
    return;
  }
  Block *block = &root;
  Literals known;
  while (known.size() < fetch.literals.size()) {
    auto isNext = [&](const Literal &literal) {
      Literals needs = alive.of(alive.predicate(literal.first));
      return !known.contains(literal) &&
             std::includes(known.begin(), known.end(), needs.begin(),
                           needs.end());
    };
    auto next =
        std::find_if(fetch.literals.begin(), fetch.literals.end(), isNext);
    known.insert(*next);
    Item item;
    item.kind = Item::Kind::If;
    item.node = fetch.tensor.node;
    item.condition = alive.predicate(next->first);
    item.first = std::make_unique<Block>();
    item.second = std::make_unique<Block>();
    Block *then = item.first.get(), *otherwise = item.second.get();
    then->path = otherwise->path = root.path;
    if (!next->second)
      std::swap(then, otherwise);
    otherwise->items.push_back(failOf(fetch));
    block->items.push_back(std::move(item));
    block = then;
  }
}

} // namespace kiln
