// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops that one call of gradients() goes back through.
#include "lib/Autodiff/LoopStates.h"

#include "lib/Autodiff/GradientCall.h"

namespace kiln {

void LoopStates::addLoops(std::vector<const Node *> &nodes,
                          std::unordered_set<const Node *> &isAmong) {
  for (size_t i = 0; i < nodes.size() && !state.failed(); ++i) {
    if (!isLoopExit(*nodes[i]))
      continue;
    auto found = state.contexts.find(nodes[i]);
    WhileContext *forward =
        found == state.contexts.end() ? nullptr : found->second->whileContext();
    if (!forward)
      return state.fail(
          invalidArgumentError("Failed to call gradients on a while loop "
                               "without properly serializing graph via "
                               "MetaGraphDef")
              .withNode(nodes[i]->name()));
    if (states.contains(forward))
      continue;
    WhileContext *around =
        forward->outer ? forward->outer->whileContext() : nullptr;
    auto outer = states.find(around);
    auto backward = LoopState::create(
        state, *forward, outer == states.end() ? nullptr : outer->second,
        caller);
    LoopState *made = LoopState::of(backward.get());
    contexts.push_back(std::move(backward));
    states.emplace(forward, made);
    for (const Output &exit : made->exits)
      if (isAmong.insert(exit.node).second)
        nodes.push_back(exit.node);
  }
}

LoopState *LoopStates::of(const Node &node, bool isBefore) const {
  auto found = state.contexts.find(&node);
  if (states.empty() || found == state.contexts.end())
    return nullptr;
  auto context = isBefore ? outputContext(state, node) : found->second;
  auto own = states.find(context ? context->whileContext() : nullptr);
  return own == states.end() ? nullptr : own->second;
}

std::unique_ptr<ContextScope> LoopStates::enter(const Node &node,
                                                bool isBefore) const {
  LoopState *loop = of(node, isBefore);
  return loop ? std::make_unique<ContextScope>(
                    state, loop->backwardLoop().shared_from_this())
              : nullptr;
}

std::vector<Output>
LoopStates::unusedExits(const std::unordered_map<const Node *, int> &pending,
                        const std::unordered_set<const Node *> &ys) {
  std::vector<Output> found;
  for (const auto &context : contexts) {
    LoopState &loop = *LoopState::of(context.get());
    for (const Output &exit : loop.exits) {
      auto uses = pending.find(exit.node);
      if (uses != pending.end() && uses->second > 0)
        continue;
      --loop.pendingExits;
      if (!ys.contains(exit.node))
        loop.unusedExits.push_back(exit);
      if (loop.pendingExits == 0)
        found.insert(found.end(), loop.unusedExits.begin(),
                     loop.unusedExits.end());
    }
  }
  return found;
}

std::vector<const Node *> LoopStates::enters() const {
  std::vector<const Node *> found;
  for (const auto &context : contexts)
    for (const Output &enter :
         LoopState::of(context.get())->forwardLoop().loopEnters)
      found.push_back(enter.node);
  return found;
}

std::vector<const Node *>
LoopStates::exitReady(const Output &exit,
                      const std::function<bool(const Node &)> &hasGradient,
                      const std::function<void(const Output &)> &setZeros) {
  LoopState &loop = *of(*exit.node);
  loop.deferredExits.push_back(exit);
  std::vector<const Node *> ready;
  if (--loop.pendingExits > 0)
    return ready;
  for (const Output &each : loop.deferredExits)
    if (hasGradient(*each.node))
      ready.push_back(each.node);
    else
      loop.unusedExits.push_back(each);
  const bool hasAny = !ready.empty();
  for (const Output &each : loop.unusedExits) {
    if (hasAny)
      setZeros(each);
    ready.push_back(each.node);
  }
  return ready;
}

bool LoopStates::isLoopSwitch(const Node &node) const {
  if (node.op() != "Switch" && node.op() != "RefSwitch")
    return false;
  LoopState *loop = of(node);
  return loop && node.input(1) == loop->forwardLoop().loopCond;
}

void LoopStates::finish() {
  for (const auto &context : contexts)
    LoopState::of(context.get())->finish();
}

} // namespace kiln
