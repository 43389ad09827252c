// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the predicates of a fetch from the outermost inwards.
#include "lib/Plan/import/CheckFetches.h"

#include "lib/Plan/import/BodyPlan.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <map>

namespace kiln {
namespace {

Item failOf(const BranchFetch &fetch) {
  Item item;
  item.kind = Item::Kind::Fail;
  item.node = fetch.tensor.node;
  item.failure = {Failure::Reason::DeadFetch, fetch.index};
  return item;
}

/// Appends what ends a run in which the fetch is dead. The predicates of its
/// literals are values of the block.
void addValueCheck(const BranchFetch &fetch, const ControlFlowAnalysis &flow,
                   Block &root) {
  if (ControlFlowAnalysis::isDead(fetch.literals)) {
    // It is given as nothing; the checks come in the order of the fetches.
    auto given = std::find_if(
        root.items.begin(), root.items.end(), [&](const Item &item) {
          return item.kind == Item::Kind::Call &&
                 item.results == std::vector<Output>{fetch.tensor} &&
                 item.first->results.front().isNone();
        });
    Item item = std::move(*given);
    root.items.erase(given);
    item.first->items.push_back(failOf(fetch));
    root.items.push_back(std::move(item));
    return;
  }
  Block *block = &root;
  Literals known;
  while (known.size() < fetch.literals.size()) {
    auto isNext = [&](const Literal &literal) {
      Literals needs = flow.of(flow.predicate(literal.first));
      return !known.contains(literal) &&
             std::includes(known.begin(), known.end(), needs.begin(),
                           needs.end());
    };
    auto next =
        std::find_if(fetch.literals.begin(), fetch.literals.end(), isNext);
    known.insert(*next);
    Item item = makeItem(Item::Kind::If, fetch.tensor.node, root.path);
    item.condition = flow.predicate(next->first);
    Block *then = item.first.get(), *otherwise = item.second.get();
    if (!next->second)
      std::swap(then, otherwise);
    otherwise->items.push_back(failOf(fetch));
    block->items.push_back(std::move(item));
    block = then;
  }
}

} // namespace

StatusOr<std::vector<BranchFetch>>
findBranchFetches(const PrunedGraph &graph, const ControlFlowAnalysis &flow) {
  std::map<std::string, Output> fetches;
  for (const Output &fetch : graph.fetches)
    if (!flow.isFed(fetch) && flow.isReached(fetch.node))
      fetches.emplace(fetch.name(), fetch);
  std::vector<BranchFetch> found;
  int index = -1;
  for (const auto &[name, fetch] : fetches) {
    ++index;
    if (flow.loopAround(fetch.node) != 0 ||
        flow.kindOf(*fetch.node) == OpRole::Enter)
      return unimplementedError(
                 strCat("expected a fetch outside of loops, got ", quote(name)))
          .withNode(fetch.node->name());
    if (Literals literals = flow.of(fetch); !literals.empty())
      found.push_back({index, fetch, std::move(literals)});
  }
  return found;
}

Status checkFetches(BodyPlan &body) {
  for (const BranchFetch &fetch : body.branchFetches)
    addValueCheck(fetch, *body.flow, body.block);
  return okStatus();
}

} // namespace kiln
