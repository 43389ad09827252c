// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks the blocks in order, with what stands for each optional.
#include "lib/Plan/Optionals.h"

#include "lib/Plan/OptionalOps.h"
#include "lib/Plan/OptionalTypes.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <map>

namespace kiln {
namespace {

/// One tree. Recursion is as deep as the blocks.
class Resolver {
public:
  Resolver(Block &root, OptionalElements elements)
      : made(root), elements(std::move(elements)) {}

  Status resolve(Block &block) {
    std::vector<Item> items = std::move(block.items);
    block.items.clear();
    for (Item &item : items) {
      KILN_RETURN_IF_ERROR(item.kind == Item::Kind::Node
                               ? resolveNode(std::move(item), block)
                               : resolveBlocks(std::move(item), block));
    }
    return okStatus();
  }

  bool isOptional(const Output &output) const {
    return static_cast<bool>(find(output));
  }

private:
  using Key = std::pair<const Node *, int>;
  KnownOptional find(const Output &output) const {
    auto found = known.find({output.node, output.index});
    return found == known.end() ? nullptr : found->second;
  }
  /// A function that is called twice has the same nodes twice: what was known
  /// of them is overwritten.
  void set(const Output &output, KnownOptional optional) {
    if (optional)
      known[{output.node, output.index}] = std::move(optional);
    else
      known.erase({output.node, output.index});
  }
  OptionalPart partOf(const Output &output) const {
    return {output, output.dtype(), find(output)};
  }

  static Item alias(const Node &node, const Block &block) {
    Item item;
    item.kind = Item::Kind::Call;
    item.node = &node;
    item.first = std::make_unique<Block>();
    item.first->path = block.path;
    return item;
  }

  Status resolveNode(Item item, Block &block) {
    const Node &node = *item.node;
    const OpDef &def = *lookupOp(node.op());
    if (def.name == "OptionalFromValue" || def.name == "OptionalNone") {
      auto made = std::make_shared<Optional>();
      made->has = def.name == "OptionalNone" ? hasNone : hasValue;
      auto types = node.attrOr<std::vector<DType>>("Toutput_types", {});
      for (size_t i = 0; i < types.size(); ++i) {
        const Output &input = node.input(static_cast<int>(i));
        made->parts.push_back({input, types[i], find(input)});
      }
      KILN_RETURN_IF_ERROR(made->measure().withNode(node.name()));
      set({&node, 0}, std::move(made));
      return okStatus();
    }
    auto element = elements.find({&block, &node});
    bool takesOptional =
        element != elements.end() ||
        std::any_of(node.inputs().begin(), node.inputs().end(),
                    [&](const Output &input) { return find(input); });
    if (!takesOptional && def.name != "OptionalGetValue") {
      block.items.push_back(std::move(item));
      return okStatus();
    }
    if (def.name == "OptionalGetValue" && takesOptional)
      return getValue(node, block);
    if (def.canonicalName == "Identity" || def.name == "IdentityN") {
      Item others = alias(node, block);
      for (int i = 0; i < node.numInputs(); ++i)
        pass({&node, i}, partOf(node.input(i)), others);
      block.items.push_back(std::move(others));
      return okStatus();
    }
    OptionalOps ops(node, block, made);
    if (element != elements.end())
      return setResult(node, ops.emptyList(*element->second));
    std::vector<KnownOptional> given;
    for (const Output &input : node.inputs())
      given.push_back(find(input));
    bool areAll = std::all_of(given.begin(), given.end(),
                              [](const KnownOptional &one) { return one; });
    if (def.name == "ZerosLike")
      return setResult(node, ops.zerosLike(*given[0]));
    if (def.name == "AddN" && areAll)
      return setResult(node, ops.sum(given));
    if (def.name == "TensorListPushBack" && areAll)
      return setResult(node, ops.pushBack(*given[0], *given[1]));
    if (def.name == "TensorListPopBack" && given[0]) {
      auto popped = ops.popBack(*given[0]);
      if (!popped.ok())
        return popped.status().withNode(node.name());
      set({&node, 0}, std::move(popped->list));
      set({&node, 1}, std::move(popped->element));
      return okStatus();
    }
    return isNotImplemented(node);
  }

  Status setResult(const Node &node, StatusOr<KnownOptional> result) {
    if (!result.ok())
      return result.status().withNode(node.name());
    set({&node, 0}, *std::move(result));
    return okStatus();
  }

  static Status isNotImplemented(const Node &node) {
    return unimplementedError(strCat("op ", quote(node.op()),
                                     " of an optional is not implemented"))
        .withNode(node.name());
  }

  /// `output` is the part: an optional is noted, a tensor a result of `item`.
  void pass(const Output &output, const OptionalPart &part, Item &item) {
    set(output, part.optional);
    if (part.optional)
      return;
    item.results.push_back(output);
    item.first->results.push_back(part.tensor);
  }

  Status getValue(const Node &node, Block &block) {
    KnownOptional optional = find(node.input(0));
    if (optional->lists > 0)
      return isNotImplemented(node);
    if (optional->has != hasValue) {
      Item check;
      check.kind = Item::Kind::Fail;
      check.node = &node;
      if (optional->has.node) {
        Item choice;
        choice.kind = Item::Kind::If;
        choice.node = &node;
        choice.condition = optional->has;
        choice.first = std::make_unique<Block>();
        choice.second = std::make_unique<Block>();
        choice.first->path = choice.second->path = block.path;
        choice.second->items.push_back(std::move(check));
        check = std::move(choice);
      }
      block.items.push_back(std::move(check));
    }
    Item value = alias(node, block);
    for (int i = 0; i < node.numOutputs(); ++i) {
      auto place = static_cast<size_t>(i);
      bool exists = place < optional->parts.size();
      if (!exists && optional->has != hasNone)
        return invalidArgumentError(
                   strCat("expected an optional of ", node.numOutputs(),
                          " tensors, got one of ", optional->parts.size()))
            .withNode(node.name());
      pass({&node, i}, exists ? optional->parts[place] : OptionalPart{noTensor},
           value);
    }
    block.items.push_back(std::move(value));
    return okStatus();
  }

  Status resolveBlocks(Item item, Block &block) {
    if (item.kind == Item::Kind::While)
      return resolveLoop(std::move(item), block);
    std::vector<OptionalPart> given[2];
    std::vector<Output> operands = item.operands;
    for (int i = 0; i < 2; ++i) {
      Block *inner = i == 0 ? item.first.get() : item.second.get();
      if (!inner)
        continue;
      operands = item.operands;
      KILN_RETURN_IF_ERROR(expand(*item.node, operands, inner->args));
      KILN_RETURN_IF_ERROR(resolve(*inner));
      for (const Output &result : inner->results)
        given[i].push_back(partOf(result));
      inner->results.clear();
    }
    item.operands = std::move(operands);
    KILN_RETURN_IF_ERROR(resolveResults(item, given[0], given[1]));
    block.items.push_back(std::move(item));
    return okStatus();
  }

  /// Replaces optionals by their tensors where they go into a block, or out of
  /// a loop, under other names: a block sees the tensors of those around it,
  /// but what lists hold may change. Without names nobody there looks at them.
  Status expand(const Node &node, std::vector<Output> &tensors,
                std::vector<Output> &names) {
    std::vector<Output> allTensors, allNames;
    for (size_t i = 0; i < tensors.size(); ++i) {
      KnownOptional optional = find(tensors[i]), named = optional;
      if (!optional)
        allTensors.push_back(tensors[i]);
      if (!optional && !names.empty())
        allNames.push_back(names[i]);
      if (optional && optional->lists > 0) {
        KILN_ASSIGN_OR_RETURN(
            named, mapTensors(*optional, *optional, 0,
                              [&](const Output &, const Output &,
                                  const OptionalPlace &place) {
                                return made.name(node, place.typeIn(0));
                              }));
        appendTensors(*optional, allTensors);
        if (!names.empty())
          appendTensors(*named, allNames);
      }
      if (!names.empty())
        set(names[i], std::move(named));
    }
    tensors = std::move(allTensors);
    names = std::move(allNames);
    return okStatus();
  }

  Status resolveResults(Item &item, const std::vector<OptionalPart> &first,
                        const std::vector<OptionalPart> &second) {
    std::vector<Output> names = std::move(item.results);
    item.results.clear();
    for (size_t i = 0; i < names.size(); ++i) {
      const OptionalPart &a = first[i], &b = item.second ? second[i] : a;
      OptionalPart joined;
      if (a.optional || b.optional) {
        KILN_ASSIGN_OR_RETURN(joined, join(a, b, /*lists=*/0, item));
      } else {
        addResult(names[i], a.tensor, b.tensor, item);
      }
      set(names[i], std::move(joined.optional));
    }
    return okStatus();
  }

  static void addResult(const Output &name, const Output &first,
                        const Output &second, Item &item) {
    item.results.push_back(name);
    item.first->results.push_back(first);
    if (item.second)
      item.second->results.push_back(second);
  }

  StatusOr<Output> extraResult(const Output &first, const Output &second,
                               DType dtype, Item &item) {
    KILN_ASSIGN_OR_RETURN(Output name, made.name(*item.node, dtype));
    addResult(name, first, second, item);
    return name;
  }

  /// What an item gives where its blocks give `a` and `b`, either of which may
  /// be nothing.
  StatusOr<OptionalPart> join(const OptionalPart &a, const OptionalPart &b,
                              int lists, Item &item) {
    OptionalPart both;
    if (!a.optional && !b.optional) {
      both.dtype = a.dtype == DType::Invalid ? b.dtype : a.dtype;
      KILN_ASSIGN_OR_RETURN(
          both.tensor,
          extraResult(a.tensor, b.tensor, inLists(both.dtype, lists), item));
      return both;
    }
    auto isNothing = [](const OptionalPart &part) {
      return !part.optional && part.tensor == noTensor;
    };
    if ((!a.optional && !isNothing(a)) || (!b.optional && !isNothing(b)))
      return invalidArgumentError("expected both branches to give an optional, "
                                  "got one that gives a tensor")
          .withNode(item.node->name());
    static const Optional none;
    const Optional &left = a.optional ? *a.optional : none,
                   &right = b.optional ? *b.optional : none;
    auto joined = std::make_shared<Optional>();
    joined->lists = a.optional ? left.lists : right.lists;
    if (a.optional && b.optional && left.lists != right.lists)
      return invalidArgumentError("expected both branches to give an optional, "
                                  "got one that gives a list")
          .withNode(item.node->name());
    size_t count = std::max(left.parts.size(), right.parts.size());
    for (size_t i = 0; i < count; ++i) {
      auto part = [&](const Optional &from) -> StatusOr<OptionalPart> {
        if (i < from.parts.size())
          return from.parts[i];
        if (from.lists == 0 && from.has == hasNone)
          return OptionalPart{noTensor};
        return invalidArgumentError(strCat("expected optionals of ", count,
                                           " tensors, got one of ",
                                           from.parts.size()))
            .withNode(item.node->name());
      };
      KILN_ASSIGN_OR_RETURN(OptionalPart x, part(left));
      KILN_ASSIGN_OR_RETURN(OptionalPart y, part(right));
      KILN_ASSIGN_OR_RETURN(both, join(x, y, joined->lists, item));
      joined->parts.push_back(std::move(both));
    }
    joined->has = left.has;
    if (joined->lists > 0) {
      KILN_ASSIGN_OR_RETURN(joined->has,
                            extraResult(a.optional ? left.has : noTensor,
                                        b.optional ? right.has : noTensor,
                                        DType::Variant, item));
    } else if (left.has != right.has || left.has.node) {
      KILN_ASSIGN_OR_RETURN(
          joined->has, extraResult(left.has, right.has, DType::Int32, item));
    }
    KILN_RETURN_IF_ERROR(joined->measure().withNode(item.node->name()));
    return OptionalPart{{}, DType::Variant, std::move(joined)};
  }

  /// An optional goes into a loop and stays the same there; a list of them may
  /// change from turn to turn.
  Status resolveLoop(Item item, Block &block) {
    const Node &node = *item.node;
    Block &before = *item.first, &body = *item.second;
    std::vector<Output> next = std::move(body.results);
    // By argument of the first block; what is known of one may be overwritten.
    std::vector<KnownOptional> carried;
    for (const Output &operand : item.operands)
      carried.push_back(find(operand));
    KILN_RETURN_IF_ERROR(expand(node, item.operands, before.args));
    KILN_RETURN_IF_ERROR(resolve(before));
    std::vector<Output> forwarded = before.results;
    KILN_RETURN_IF_ERROR(expand(node, forwarded, item.results));
    KILN_RETURN_IF_ERROR(expand(node, before.results, body.args));
    KILN_RETURN_IF_ERROR(resolve(body));
    for (size_t i = 0; i < next.size(); ++i) {
      KnownOptional given = find(next[i]);
      if (!given && !carried[i])
        body.results.push_back(next[i]);
      else if (carried[i] && given && carried[i]->lists > 0 &&
               given->lists == carried[i]->lists &&
               given->numTensors == carried[i]->numTensors)
        appendTensors(*given, body.results);
      else if (given != carried[i])
        return unimplementedError(
                   strCat("expected loop variable ", i,
                          ", an optional, to be the same in every turn"))
            .withNode(node.name());
    }
    block.items.push_back(std::move(item));
    return okStatus();
  }

  std::map<Key, KnownOptional> known;
  MadeNodes made;
  OptionalElements elements;
};

} // namespace

Status resolveOptionals(Block &root) {
  KILN_ASSIGN_OR_RETURN(OptionalElements elements, findOptionalElements(root));
  Resolver resolver(root, std::move(elements));
  KILN_RETURN_IF_ERROR(resolver.resolve(root));
  for (const Output &fetch : root.results)
    if (resolver.isOptional(fetch))
      return unimplementedError(strCat("expected a fetch of a tensor, got ",
                                       quote(fetch.name()), ", an optional"))
          .withNode(fetch.node->name());
  return okStatus();
}

} // namespace kiln
