// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks the blocks in order with what is visible in each.
#include "lib/Plan/ir/Verify.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace kiln {
namespace {

/// One tree.
class Verifier {
public:
  Verifier(const Block &root, std::string_view after) : after(after) {
    done.insert(root.done.begin(), root.done.end());
  }

  Status verifyBlock(const Block &block, const Item *owner) {
    const size_t before = shown.size();
    for (const Output &arg : block.args) {
      if (!arg.node)
        return error(owner, "an argument without a node");
      show(arg, Giver::Argument);
    }
    for (const Item &item : block.items) {
      KILN_RETURN_IF_ERROR(verifyItem(item));
      if (item.kind == Item::Kind::Node)
        show({item.node, wholeNode}, Giver::Node);
      for (const Output &result : item.results) {
        if (!result.node)
          return error(&item, "a result without a node");
        show(result, Giver::Result);
      }
    }
    if (!block.condition.isNone())
      KILN_RETURN_IF_ERROR(checkUse(block.condition, owner, "the condition"));
    const bool givesAll = !owner || owner->kind == Item::Kind::While;
    for (size_t i = 0; i < block.results.size(); ++i)
      if (const PlanValue &result = block.results[i];
          givesAll || result.isTensor())
        KILN_RETURN_IF_ERROR(checkUse(result, owner, strCat("result ", i)));
    while (shown.size() > before) {
      if (auto found = visible.find(shown.back()); found->second.size() == 1)
        visible.erase(found);
      else
        found->second.pop_back();
      shown.pop_back();
    }
    return okStatus();
  }

private:
  /// Stands for all outputs of a node.
  static constexpr int wholeNode = -1;

  enum class Giver : uint8_t { Node, Argument, Result };

  void show(const OutputKey &key, Giver giver) {
    visible[key].push_back(giver);
    shown.push_back(key);
  }

  Status error(const Item *item, const std::string &problem) const {
    std::string node = item && item->node ? item->node->name() : "";
    return internalError(strCat("expected a valid plan after ", after, ", got ",
                                problem, " of ",
                                item ? quote(node) : std::string("the root")))
        .withNode(node);
  }

  Status checkUse(const PlanValue &value, const Item *item,
                  const std::string &what) const {
    if (!value.isTensor())
      return error(item, strCat(what, ", which is no tensor,"));
    const Output &output = value.output();
    auto found = visible.find(output);
    if (found == visible.end())
      found = visible.find({output.node, wholeNode});
    if (found == visible.end())
      return error(item,
                   strCat(what, " (", quote(output.name()), "), not visible,"));
    const bool isOfKind = value.kind() == PlanValue::Kind::BlockArgument
                              ? found->second.back() == Giver::Argument
                          : value.kind() == PlanValue::Kind::ItemResult
                              ? found->second.back() == Giver::Result
                              : true;
    if (!isOfKind)
      return error(item, strCat(what, " (", quote(output.name()),
                                "), given by something else,"));
    return okStatus();
  }

  Status verifyItem(const Item &item) {
    if (!item.node)
      return error(&item, "an item without a node");
    for (size_t i = 0; i < item.operands.size(); ++i)
      KILN_RETURN_IF_ERROR(
          checkUse(item.operands[i], &item, strCat("operand ", i)));
    KILN_RETURN_IF_ERROR(verifyShape(item));
    switch (item.kind) {
    case Item::Kind::Node:
      return verifyNode(item);
    case Item::Kind::Fail:
      return okStatus();
    case Item::Kind::If:
      KILN_RETURN_IF_ERROR(checkUse(item.condition, &item, "the condition"));
      break;
    case Item::Kind::Call:
    case Item::Kind::While:
      break;
    }
    for (const Block *inner : {item.first.get(), item.second.get()})
      if (inner)
        KILN_RETURN_IF_ERROR(verifyInner(item, *inner));
    return okStatus();
  }

  Status verifyNode(const Item &item) {
    // What it has done an earlier part did: it stands for its variable.
    const bool isDone = done.contains(item.node);
    const int count =
        isDone ? std::min(item.node->numInputs(), 1) : item.node->numInputs();
    for (int i = 0; i < count; ++i)
      KILN_RETURN_IF_ERROR(
          checkUse(item.node->input(i), &item, strCat("input ", i)));
    return okStatus();
  }

  /// Which fields an item of its kind has.
  Status verifyShape(const Item &item) const {
    const bool hasBlocks =
        item.kind != Item::Kind::Node && item.kind != Item::Kind::Fail;
    const bool hasSecond =
        item.kind == Item::Kind::If || item.kind == Item::Kind::While;
    if (static_cast<bool>(item.first) != hasBlocks ||
        static_cast<bool>(item.second) != hasSecond)
      return error(&item, "blocks of another kind");
    if (!hasBlocks && !item.results.empty())
      return error(&item, "results without a block");
    if (item.kind == Item::Kind::Node && !item.operands.empty())
      return error(&item, "operands beside the inputs");
    if (item.kind != Item::Kind::If && !item.condition.isNone())
      return error(&item, "a condition");
    return okStatus();
  }

  Status checkCount(const Item &item, std::string_view what, size_t expected,
                    size_t got) const {
    if (expected == got)
      return okStatus();
    return error(&item, strCat(got, " ", what, ", expected ", expected, ","));
  }

  Status verifyInner(const Item &item, const Block &inner) {
    const bool isWhile = item.kind == Item::Kind::While;
    const bool isFirst = &inner == item.first.get();
    // A block of a chain of branches takes what it needs from around.
    if (isWhile || !inner.args.empty())
      KILN_RETURN_IF_ERROR(checkCount(
          item, "arguments",
          isWhile && !isFirst ? item.results.size() : item.operands.size(),
          inner.args.size()));
    KILN_RETURN_IF_ERROR(checkCount(item, "results",
                                    isWhile && !isFirst ? item.operands.size()
                                                        : item.results.size(),
                                    inner.results.size()));
    if (inner.condition.isNone() == (isWhile && isFirst))
      return error(&item, "a block with a condition that is none of a loop");
    return verifyBlock(inner, &item);
  }

  const std::string_view after;
  std::unordered_set<const Node *> done;
  /// What gives each, the innermost last.
  std::map<OutputKey, std::vector<Giver>> visible;
  std::vector<OutputKey> shown;
};

} // namespace

Status verify(const Block &root, std::string_view after) {
  return Verifier(root, after).verifyBlock(root, nullptr);
}

} // namespace kiln
