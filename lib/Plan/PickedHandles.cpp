// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows handles through the blocks in order; a node that takes a picked one
// becomes an If of two.
#include "lib/Plan/PickedHandles.h"

#include "lib/OpDefs/OpDef.h"
#include "lib/Plan/CutKind.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <unordered_set>
#include <utility>

namespace kiln {
namespace {

/// A variable, or two of which a condition picks one.
struct Pick {
  const Node *root = nullptr;
  Output condition = {};
  std::optional<int64_t> number = {};
  std::shared_ptr<const Pick> first = nullptr, second = nullptr;
  size_t numRoots = 1;
};
using PickPtr = std::shared_ptr<const Pick>;

/// Each is a copy of the nodes that take it.
constexpr size_t maxRoots = 64;

/// One tree. Recursion is as deep as the blocks.
class Resolver {
public:
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
      if (auto taken = pickedInput(item))
        item = branchOn(*taken, *picks.at(key(*taken)), std::move(item),
                        block.path);
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
  using Key = std::pair<const Node *, int>;
  static Key key(const Output &output) { return {output.node, output.index}; }
  const Node *rootOf(const Output &output) const {
    auto found = roots.find(key(output));
    return found == roots.end() ? nullptr : found->second;
  }
  /// What a tensor stands for; null for a value.
  PickPtr pickOf(const Output &output) const {
    if (auto found = picks.find(key(output)); found != picks.end())
      return found->second;
    const Node *root = rootOf(output);
    return root ? std::make_shared<Pick>(Pick{root}) : nullptr;
  }
  void set(const Output &output, const Node *root) {
    roots[key(output)] = root;
    picks.erase(key(output));
  }

  std::optional<Output> pickedInput(const Item &item) const {
    if (item.kind == Item::Kind::Node)
      for (const Output &input : item.node->inputs())
        if (picks.contains(key(input)))
          return input;
    return std::nullopt;
  }

  /// A branch for each variable; `name` means that in it.
  static Item branchOn(const Output &name, const Pick &pick, Item item,
                       const CallPath &path) {
    Item choice;
    choice.kind = Item::Kind::If;
    choice.node = item.node;
    choice.condition = pick.condition;
    choice.number = pick.number;
    for (int i = 0; i < item.node->numOutputs(); ++i)
      choice.results.push_back({item.node, i});
    for (bool isFirst : {true, false}) {
      const Pick &taken = isFirst ? *pick.first : *pick.second;
      auto branch = std::make_shared<Block>();
      branch->path = path;
      branch->results = choice.results;
      branch->writesVariable = lookupOp(item.node->op())->writesVariable();
      if (taken.root) {
        branch->items.push_back(makeAlias(name, {taken.root, 0}, path));
        branch->items.push_back(item);
      } else {
        branch->items.push_back(branchOn(name, taken, item, path));
      }
      (isFirst ? choice.first : choice.second) = std::move(branch);
    }
    return choice;
  }

  /// Notes what an item's outputs stand for.
  void follow(Item &item) {
    if (item.kind == Item::Kind::Node) {
      ItemFacts facts = findFacts(
          item, [this](const Output &output) { return rootOf(output); }, {},
          /*drivesForeign=*/false, /*kept=*/nullptr);
      int count = passesOn(*item.node) ? item.node->numOutputs() : 1;
      for (int i = 0; i < count; ++i)
        set({item.node, i}, facts.root);
      return;
    }
    std::vector<PickPtr> first = inside(item.first, item.operands, item);
    std::vector<PickPtr> second = item.kind == Item::Kind::If
                                      ? inside(item.second, item.operands, item)
                                      : first;
    if (item.kind == Item::Kind::While)
      inside(item.second, item.first->results, item);
    for (size_t i = 0; i < item.results.size(); ++i) {
      const Output &result = item.results[i];
      const PickPtr &a = first[i], &b = second[i];
      bool isOne = a && b && a->root && a->root == b->root;
      set(result, isOne ? a->root : nullptr);
      if (a && b && !isOne && item.kind == Item::Kind::If && isHandle(result) &&
          isVisible(*a) && isVisible(*b) &&
          a->numRoots + b->numRoots <= maxRoots)
        picks[key(result)] =
            std::make_shared<Pick>(Pick{nullptr, item.condition, item.number, a,
                                        b, a->numRoots + b->numRoots});
    }
  }

  bool isVisible(const Pick &pick) const {
    return pick.root ? visible.contains(pick.root)
                     : visible.contains(pick.condition.node) &&
                           isVisible(*pick.first) && isVisible(*pick.second);
  }

  /// Resolves a block of an item; what its results stand for.
  std::vector<PickPtr> inside(const std::shared_ptr<Block> &block,
                              const std::vector<Output> &operands,
                              const Item &item) {
    std::vector<PickPtr> found(item.results.size());
    if (!block)
      return found;
    for (size_t i = 0; i < block->args.size(); ++i)
      set(block->args[i], rootOf(operands[i]));
    auto around = picks;
    resolve(*block);
    for (size_t i = 0; i < found.size() && i < block->results.size(); ++i)
      if (block->results[i].node)
        found[i] = pickOf(block->results[i]);
    // What a block says of a name of around it is true in it alone.
    picks = std::move(around);
    for (const auto &entry : picks)
      roots[entry.first] = nullptr;
    return found;
  }

  std::map<Key, const Node *> roots;
  std::map<Key, PickPtr> picks;
  /// Nodes of the block at work and of those around it.
  std::unordered_set<const Node *> visible;
};

} // namespace

void resolvePickedHandles(Block &root) {
  bool mayPick = false;
  forEachItem(root, [&](const Item &item, const Block &) {
    if (item.kind == Item::Kind::If)
      mayPick |=
          std::any_of(item.results.begin(), item.results.end(), isHandle);
  });
  if (mayPick)
    Resolver().resolve(root);
}

} // namespace kiln
