// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the place of each change of a list with the last use of the list
// before it.
#include "lib/Plan/ir/ListUses.h"

#include "lib/Plan/cut/CutKind.h"

#include <algorithm>
#include <climits>
#include <functional>
#include <map>
#include <optional>

namespace kiln {
namespace {

bool isList(const Output &output) { return output.dtype() == DType::Variant; }
bool isList(const PlanValue &value) {
  return value.isTensor() && isList(value.output());
}

/// What is found out of one tree.
struct Found {
  ListUses uses;
  /// For each result of a block the argument, or the tensor from around it,
  /// that it is as it is; nothing for what the block makes or does not give.
  std::map<const Block *, std::vector<std::optional<Output>>> passedOn;
};

/// One block, and those inside of it. Recursion is bounded by the depth of the
/// tree.
class BlockUses {
public:
  BlockUses(const Block &block, Found &found) : block(block), found(found) {
    for (const Item &item : block.items)
      if (item.kind == Item::Kind::Node)
        nodes.insert(item.node);
  }

  /// `owned` are the arguments that the block may change.
  void run(const std::set<OutputKey> &owned) {
    mine = owned;
    for (size_t i = 0; i < block.items.size(); ++i)
      look(block.items[i], static_cast<int>(i));
    for (const PlanValue &result : block.results)
      use(result, INT_MAX);
    for (size_t i = 0; i < block.items.size(); ++i)
      decide(block.items[i], static_cast<int>(i));
  }

  static const Output &tensorOf(const Output &output) { return output; }
  static const Output &tensorOf(const PlanValue &value) {
    return value.output();
  }
  /// The list that an output of this block is.
  OutputKey rootOf(Output output) const {
    while (nodes.contains(output.node)) {
      int input = passedInput(*output.node, output.index);
      if (input < 0)
        break;
      output = output.node->input(input);
    }
    auto alias = aliases.find(output);
    return alias == aliases.end() ? output : alias->second;
  }

private:
  void use(const PlanValue &value, int at) {
    if (value.isTensor())
      use(value.output(), at);
  }
  void use(const Output &output, int at) {
    if (isList(output)) {
      int &last = lastUse.try_emplace(rootOf(output), at).first->second;
      last = std::max(last, at);
    }
  }
  void useInside(const Block &inner, int at) {
    for (const Item &item : inner.items) {
      if (item.kind == Item::Kind::Node)
        for (const Output &input : item.node->inputs())
          use(input, at);
      for (const PlanValue &operand : item.operands)
        use(operand, at);
      for (const auto *next : {item.first.get(), item.second.get()})
        if (next)
          useInside(*next, at);
    }
    for (const PlanValue &result : inner.results)
      use(result, at);
  }

  void look(const Item &item, int at) {
    if (item.kind == Item::Kind::Node) {
      for (int i = 0; i < item.node->numInputs(); ++i)
        if (passedInput(*item.node, 0) < 0)
          use(item.node->input(i), at);
      for (int i = 0; i < std::max(item.node->numOutputs(), 0); ++i)
        mine.insert({item.node, i});
      return;
    }
    for (const PlanValue &operand : item.operands)
      use(operand, at);
    for (const auto *inner : {item.first.get(), item.second.get()})
      if (inner)
        useInside(*inner, at);
    for (const Output &result : item.results)
      mine.insert(result);
    noteAliases(item);
  }

  void noteAliases(const Item &item) {
    for (size_t i = 0; item.first && i < item.results.size(); ++i)
      if (isList(item.results[i]))
        if (std::optional<Output> outer = passedOn(item, i))
          aliases[item.results[i]] = rootOf(*outer);
  }

  /// The tensor from outside that result i of an item is as it is, where all of
  /// its blocks that give one give the same; nothing for one that they make.
  std::optional<Output> passedOn(const Item &item, size_t i) const {
    if (item.kind == Item::Kind::While) {
      int operand = operandOfLoop(item, i);
      if (operand < 0)
        return std::nullopt;
      return item.operands[size_t(operand)].output();
    }
    std::optional<Output> outer;
    for (const auto *inner : {item.first.get(), item.second.get()}) {
      if (!inner || !inner->results[i].isTensor())
        continue;
      std::optional<Output> given = passedOnBy(*inner)[i];
      if (int arg = argOf(*inner, given); arg >= 0)
        given = item.operands[static_cast<size_t>(arg)].output();
      if (!given || (outer && rootOf(*outer) != rootOf(*given)))
        return std::nullopt;
      outer = given;
    }
    return outer;
  }

  const std::vector<std::optional<Output>> &
  passedOnBy(const Block &inner) const {
    auto [place, isNew] = found.passedOn.try_emplace(&inner);
    if (!isNew)
      return place->second;
    BlockUses probe(inner, found);
    std::set<OutputKey> made;
    for (const Item &item : inner.items) {
      for (const Output &result : item.results)
        made.insert(result);
      probe.noteAliases(item);
    }
    for (const PlanValue &result : inner.results) {
      std::optional<Output> &passed = place->second.emplace_back();
      if (!result.isTensor())
        continue;
      OutputKey root = probe.rootOf(result.output());
      if (!probe.nodes.contains(root.node) && !made.contains(root))
        passed = root.output();
    }
    return place->second;
  }

  static int argOf(const Block &inner, const std::optional<Output> &output) {
    for (size_t k = 0; k < inner.args.size(); ++k)
      if (output && inner.args[k] == *output)
        return static_cast<int>(k);
    return -1;
  }

  /// The operand that result i of a loop is after any number of iterations; -1
  /// for none: what it carries must come back as it was.
  int operandOfLoop(const Item &loop, size_t i) const {
    auto argOfResult = [&](const Block &inner, int k) {
      return k < 0 ? -1
                   : argOf(inner, passedOnBy(inner)[static_cast<size_t>(k)]);
    };
    int first = argOfResult(*loop.first, static_cast<int>(i));
    int next = argOfResult(*loop.second, first);
    return argOfResult(*loop.first, next) == first ? first : -1;
  }

  /// Whether no op uses the list as it is behind the item, which takes it once
  /// among `inputs`.
  template <class Value>
  bool isLast(const Output &list, int at, std::span<const Value> inputs) const {
    OutputKey root = rootOf(list);
    auto last = lastUse.find(root);
    auto times =
        std::count_if(inputs.begin(), inputs.end(), [&](const Value &input) {
          return isList(input) && rootOf(tensorOf(input)) == root;
        });
    return mine.contains(root) && last != lastUse.end() && last->second == at &&
           times == 1;
  }

  void decide(const Item &item, int at) {
    if (item.kind == Item::Kind::Node) {
      const Node &node = *item.node;
      if (!node.inputs().empty() && isList(node.input(0)) &&
          passedInput(node, 0) < 0 && isLast(node.input(0), at, node.inputs()))
        found.uses.inPlace.insert({&block, &node});
      return;
    }
    std::set<OutputKey> given[2];
    for (size_t k = 0; k < item.operands.size(); ++k) {
      if (!isList(item.operands[k]))
        continue;
      bool isTaken = isLast(item.operands[k].output(), at,
                            std::span<const PlanValue>(item.operands));
      if (isTaken && item.kind == Item::Kind::While)
        found.uses.taken.insert({&item, k});
      // A loop changes what it carries: its own, or a copy.
      if (!isTaken && item.kind != Item::Kind::While)
        continue;
      for (int i = 0; i < 2; ++i)
        if (const Block *inner = i == 0 ? item.first.get() : item.second.get();
            inner && k < inner->args.size())
          given[i].insert(inner->args[k]);
    }
    if (item.kind == Item::Kind::While)
      for (const Output &arg : item.second->args)
        given[1].insert(arg);
    if (item.first)
      BlockUses(*item.first, found).run(given[0]);
    if (item.second)
      BlockUses(*item.second, found).run(given[1]);
  }

  const Block &block;
  Found &found;
  std::set<const Node *> nodes;
  std::set<OutputKey> mine; ///< lists that this block makes, or may change
  std::map<OutputKey, OutputKey> aliases;
  std::map<OutputKey, int> lastUse;
};

bool holdsLists(const Block &block) {
  return std::any_of(
      block.items.begin(), block.items.end(), [](const Item &item) {
        if (item.kind == Item::Kind::Node)
          return std::any_of(item.node->inputs().begin(),
                             item.node->inputs().end(),
                             [](const Output &input) { return isList(input); });
        return (item.first && holdsLists(*item.first)) ||
               (item.second && holdsLists(*item.second));
      });
}

} // namespace

ListUses findListUses(const Block &root) {
  Found found;
  if (holdsLists(root))
    BlockUses(root, found).run({});
  return std::move(found.uses);
}

} // namespace kiln
