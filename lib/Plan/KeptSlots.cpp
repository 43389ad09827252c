// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows handles from the nodes that make their slots.
#include "lib/Plan/KeptSlots.h"

#include "lib/Ops/OpDef.h"
#include "lib/Ops/TensorArray/SlotKernel.h"
#include "lib/Plan/CutKind.h"

#include <utility>

namespace kiln {

const Node *KeptSlots::makerOf(const Output &handle) const {
  auto found = slots.find(key(handle));
  return found != slots.end() && kept.contains(found->second.first)
             ? found->second.first
             : nullptr;
}

int KeptSlots::numberOf(const Output &handle) const {
  return makerOf(handle) ? numbers.at(slots.at(key(handle))) : -1;
}

bool KeptSlots::isUsedBy(const Node &node) const {
  const OpDef *def = kept.empty() ? nullptr : lookupOp(node.op());
  return def && def->has(usesSlot) &&
         makerOf(makesSlot(node) ? Output{&node, 0} : node.input(0));
}

bool KeptSlots::keepCrossing() {
  if (slots.empty())
    findSlots(root);
  size_t before = kept.size();
  for (const Output &handle : std::exchange(crossing, {}))
    if (auto found = slots.find(key(handle));
        found != slots.end() && found->second.first &&
        !onStacks.contains(found->second.first))
      kept.insert(found->second.first);
  for (const auto &[output, slot] : slots)
    if (kept.contains(slot.first))
      numbers.try_emplace(slot, static_cast<int>(numbers.size()));
  return kept.size() > before;
}

void KeptSlots::define(const Output &output, Slot slot) {
  auto [found, isNew] = slots.try_emplace(key(output), slot);
  if (!isNew && found->second != slot)
    found->second = {};
}

void KeptSlots::define(const Output &output, const Output &from) {
  if (auto found = slots.find(key(from)); found != slots.end())
    define(output, Slot(found->second));
}

void KeptSlots::findSlots(const Block &block) {
  for (const Item &item : block.items)
    findSlots(item, block);
}

void KeptSlots::findSlots(const Item &item, const Block &block) {
  if (item.kind == Item::Kind::Node) {
    const Node &node = *item.node;
    const OpDef &def = *lookupOp(node.op());
    if (makesSlot(node)) {
      if (block.path == root.path)
        define({&node, 0}, Slot{&node, ""});
      return;
    }
    if (node.numInputs() == 0)
      return;
    if (passesOn(node))
      for (int i = 0; i < node.numOutputs(); ++i)
        define({&node, i}, node.input(0));
    if (def.has(holdsHandles) && node.numInputs() > 1 &&
        isHandle(node.input(1)))
      for (const Output &input : node.inputs())
        if (auto held = slots.find(key(input)); held != slots.end())
          onStacks.insert(held->second.first);
    auto array = slots.find(key(node.input(0)));
    if (array != slots.end() && def.has(usesSlot))
      if (SlotKernel call = slotKernelOf(node); call.makesGradient)
        define({&node, 0}, Slot{array->second.first, call.text});
    return;
  }
  auto pass = [this](const std::vector<Output> &to,
                     const std::vector<Output> &from) {
    for (size_t i = 0; i < to.size(); ++i)
      define(to[i], from[i]);
  };
  for (const Block *inner : {item.first.get(), item.second.get()})
    if (inner) {
      bool isBody = item.kind == Item::Kind::While && inner != item.first.get();
      pass(inner->args, isBody ? item.first->results : item.operands);
      findSlots(*inner);
    }
  if (item.first)
    pass(item.results, item.first->results);
  if (item.second && item.kind == Item::Kind::If)
    pass(item.results, item.second->results);
}

} // namespace kiln
