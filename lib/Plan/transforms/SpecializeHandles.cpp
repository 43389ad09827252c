// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows handles through the blocks in order; a node that takes a chosen one
// becomes an If of two.
#include "lib/Plan/transforms/SpecializeHandles.h"

#include "lib/OpDefs/OpDef.h"
#include "lib/Plan/cut/CutKind.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>

namespace kiln {
namespace {

/// A variable, or two of which a condition chooses one.
struct HandleChoice {
  const Node *root = nullptr;
  PlanValue condition = {};
  std::optional<int64_t> number = {};
  std::shared_ptr<const HandleChoice> first = nullptr, second = nullptr;
  size_t numRoots = 1;
};
using ChoicePtr = std::shared_ptr<const HandleChoice>;

/// Each is a copy of the nodes that take it.
constexpr size_t maxRoots = 64;

/// One tree. Recursion is as deep as the blocks.
class HandleSpecializer {
public:
  explicit HandleSpecializer(const Block &root)
      : fed(root.args.begin(), root.args.end()) {}

  void resolve(Block &block) {
    std::vector<Item> items = std::exchange(block.items, {});
    std::vector<const Node *> own;
    auto show = [&](const Node *node) {
      if (visible.insert(node).second)
        own.push_back(node);
    };
    for (const Output &arg : block.args)
      show(arg.node);
    for (Item &item : items) {
      if (auto taken = chosenInput(item))
        item =
            branchOn(*taken, *choices.at(*taken), std::move(item), block.path);
      follow(item);
      if (item.kind == Item::Kind::Node)
        show(item.node);
      for (const Output &result : item.results)
        show(result.node);
      block.items.push_back(std::move(item));
    }
    for (const Node *node : own)
      visible.erase(node);
  }

private:
  const Node *rootOf(const Output &output) const {
    auto found = roots.find(output);
    return found == roots.end() ? nullptr : found->second;
  }
  /// What a tensor stands for; null for a value.
  ChoicePtr choiceOf(const Output &output) const {
    if (auto found = choices.find(output); found != choices.end())
      return found->second;
    const Node *root = rootOf(output);
    return root ? std::make_shared<HandleChoice>(HandleChoice{root}) : nullptr;
  }
  void set(const Output &output, const Node *root) {
    roots[output] = fed.contains(output) ? nullptr : root;
    choices.erase(output);
  }

  std::optional<Output> chosenInput(const Item &item) const {
    if (item.kind == Item::Kind::Node)
      for (const Output &input : item.node->inputs())
        if (choices.contains(input))
          return input;
    return std::nullopt;
  }

  /// A branch for each variable; `name` means that in it.
  Item branchOn(const Output &name, const HandleChoice &chosen, Item item,
                const CallPath &path) const {
    Item choice = makeItem(Item::Kind::If, item.node, path);
    choice.condition = chosen.condition;
    choice.number = chosen.number;
    for (int i = 0; i < item.node->numOutputs(); ++i)
      if (Output result = {item.node, i}; !fed.contains(result))
        choice.results.push_back(result);
    for (bool isFirst : {true, false}) {
      const HandleChoice &taken = isFirst ? *chosen.first : *chosen.second;
      Block &branch = isFirst ? *choice.first : *choice.second;
      branch.results.assign(choice.results.begin(), choice.results.end());
      if (taken.root) {
        branch.items.push_back(makeAlias(name, Output{taken.root, 0}, path));
        branch.items.push_back(item);
      } else {
        branch.items.push_back(branchOn(name, taken, item, path));
      }
    }
    return choice;
  }

  /// Notes what an item's outputs stand for.
  void follow(Item &item) {
    if (item.kind == Item::Kind::Node) {
      ItemFacts facts = findFacts(
          item, [this](const Output &output) { return rootOf(output); });
      int count = standsForInput(*item.node) ? item.node->numOutputs() : 1;
      for (int i = 0; i < count; ++i)
        set({item.node, i}, facts.root);
      return;
    }
    std::vector<ChoicePtr> first = inside(item.first, item.operands, item);
    std::vector<ChoicePtr> second =
        item.kind == Item::Kind::If ? inside(item.second, item.operands, item)
                                    : first;
    if (item.kind == Item::Kind::While)
      inside(item.second, item.first->results, item);
    for (size_t i = 0; i < item.results.size(); ++i) {
      const Output &result = item.results[i];
      const ChoicePtr &a = first[i], &b = second[i];
      bool isOne = a && b && a->root && a->root == b->root;
      set(result, isOne ? a->root : nullptr);
      if (a && b && !isOne && item.kind == Item::Kind::If && isHandle(result) &&
          isVisible(*a) && isVisible(*b) &&
          a->numRoots + b->numRoots <= maxRoots)
        choices[result] = std::make_shared<HandleChoice>(
            HandleChoice{nullptr, item.condition, item.number, a, b,
                         a->numRoots + b->numRoots});
    }
  }

  bool isVisible(const HandleChoice &chosen) const {
    return chosen.root
               ? visible.contains(chosen.root)
               : visible.contains(chosen.condition.output().node) &&
                     isVisible(*chosen.first) && isVisible(*chosen.second);
  }

  /// Resolves a block of an item; what its results stand for.
  std::vector<ChoicePtr> inside(const std::shared_ptr<Block> &block,
                                const std::vector<PlanValue> &operands,
                                const Item &item) {
    std::vector<ChoicePtr> found(item.results.size());
    if (!block)
      return found;
    for (size_t i = 0; i < block->args.size(); ++i)
      set(block->args[i], rootOf(operands[i].output()));
    auto around = choices;
    resolve(*block);
    for (size_t i = 0; i < found.size() && i < block->results.size(); ++i)
      if (block->results[i].isTensor())
        found[i] = choiceOf(block->results[i].output());
    // What a block says of a name of around it is true in it alone.
    choices = std::move(around);
    for (const auto &entry : choices)
      roots[entry.first] = nullptr;
    return found;
  }

  std::set<OutputKey> fed;
  std::map<OutputKey, const Node *> roots;
  std::map<OutputKey, ChoicePtr> choices;
  /// Nodes of the block at work and of those around it.
  std::unordered_set<const Node *> visible;
};

} // namespace

Status specializeHandles(Block &root) {
  bool mayChoose = false;
  forEachItem(root, [&](const Item &item, const Block &) {
    if (item.kind == Item::Kind::If)
      mayChoose |=
          std::any_of(item.results.begin(), item.results.end(), isHandle);
  });
  if (mayChoose)
    HandleSpecializer(root).resolve(root);
  return okStatus();
}

} // namespace kiln
