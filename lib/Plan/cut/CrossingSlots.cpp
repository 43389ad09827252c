// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unites tensors that may be one slot.
#include "lib/Plan/cut/CrossingSlots.h"

#include "lib/OpDefs/SlotCalls.h"
#include "lib/Plan/cut/CutKind.h"

#include <algorithm>
#include <utility>

namespace kiln {

bool CrossingSlots::holds(const Output &tensor) const {
  int set = kept.empty() ? -1 : setOf(tensor);
  return set >= 0 && kept.contains(set);
}

bool CrossingSlots::isUsedBy(const Node &node) const {
  if (kept.empty())
    return false;
  auto isKept = [this](const Output &tensor) { return holds(tensor); };
  if (std::any_of(node.inputs().begin(), node.inputs().end(), isKept))
    return true;
  for (int i = 0; i < node.numOutputs(); ++i)
    if (holds({&node, i}))
      return true;
  return false;
}

bool CrossingSlots::isUsedBy(const Item &item) const {
  auto isKept = [this](const Output &tensor) { return holds(tensor); };
  return std::any_of(item.operands.begin(), item.operands.end(),
                     [&](const PlanValue &operand) {
                       return isKept(operand.output());
                     }) ||
         std::any_of(item.results.begin(), item.results.end(), isKept);
}

bool CrossingSlots::keep(std::span<const Output> crossing) {
  if (parents.empty()) {
    for (const Output &feed : root.args)
      open(feed);
    for (const PlanValue &fetch : root.results)
      open(fetch.output());
    forEachItem(root, [this](const Item &item, const Block &) {
      if (item.kind == Item::Kind::Node)
        follow(*item.node);
      else
        follow(item);
    });
  }
  size_t before = kept.size();
  for (const Output &handle : crossing)
    if (int set = setOf(handle); set >= 0 && !openSets.contains(set))
      kept.insert(set);
  return kept.size() > before;
}

int CrossingSlots::setOf(const Output &output) const {
  auto found = numbers.find(output);
  return found == numbers.end() ? -1 : rootOf(found->second);
}

int CrossingSlots::findOrAdd(const Output &output) {
  auto [found, isNew] =
      numbers.try_emplace(output, static_cast<int>(parents.size()));
  if (isNew)
    parents.push_back(found->second);
  return found->second = rootOf(found->second);
}

int CrossingSlots::rootOf(int number) const {
  while (parents[static_cast<size_t>(number)] != number)
    number = parents[static_cast<size_t>(number)];
  return number;
}

void CrossingSlots::unite(const PlanValue &a, const PlanValue &b) {
  if (!a.isTensor() || !b.isTensor())
    return;
  auto [to, from] = std::minmax({findOrAdd(a.output()), findOrAdd(b.output())});
  parents[static_cast<size_t>(from)] = to;
  if (openSets.contains(from))
    openSets.insert(to);
}

void CrossingSlots::open(const Output &output) {
  openSets.insert(findOrAdd(output));
}

void CrossingSlots::follow(const Node &node) {
  if (auto calls = slotCallsOf(node)) {
    std::vector<Output> slots;
    if (calls->changesList)
      slots = {node.input(0), {&node, 0}};
    for (const SlotKernelCall &call : calls->calls)
      for (const SlotNumber &number : call.numbers)
        if (auto place = static_cast<int>(number.value);
            number.kind != SlotNumber::Kind::Constant)
          slots.push_back(number.kind == SlotNumber::Kind::Input
                              ? node.input(place)
                              : Output{&node, place});
    for (const Output &slot : slots)
      unite(slots.front(), slot);
    // A handle that is pushed to a stack comes out of the op as it is.
    if (calls->passed >= 0)
      unite(node.input(calls->passed), Output{&node, node.numOutputs() - 1});
    return;
  }
  bool passesAny = false;
  for (int i = 0; i < node.numOutputs(); ++i)
    if (int input = passedInput(node, i); input >= 0) {
      unite(node.input(input), Output{&node, i});
      passesAny = true;
    }
  if (passesAny)
    return;
  for (const Output &input : node.inputs())
    if (isSlot(input))
      open(input);
  for (int i = 0; i < node.numOutputs(); ++i)
    if (isSlot({&node, i}))
      open({&node, i});
}

void CrossingSlots::follow(const Item &item) {
  if (item.first) {
    uniteAll(item.first->args, item.operands);
    uniteAll(item.results, item.first->results);
  }
  if (!item.second)
    return;
  if (item.kind == Item::Kind::While) {
    uniteAll(item.second->args, item.first->results);
    uniteAll(item.first->args, item.second->results);
  } else {
    uniteAll(item.second->args, item.operands);
    uniteAll(item.results, item.second->results);
  }
}

} // namespace kiln
