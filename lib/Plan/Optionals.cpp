// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks the blocks in order, with what stands for each optional.
#include "lib/Plan/Optionals.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <map>
#include <memory>

namespace kiln {
namespace {

struct Optional;

/// What an optional holds at one place: a tensor, or another optional.
struct Part {
  Output tensor;
  std::shared_ptr<const Optional> optional;
};

/// What stands for an optional.
struct Optional {
  std::vector<Part> parts;
  /// An int32 that is not 0 where there is a value; without a node, known.
  Output has;
  /// Why its value cannot be had.
  Status problem = {};
};

using Known = std::shared_ptr<const Optional>;

constexpr Output nothing = {nullptr, -1};
constexpr Output no = {nullptr, 0}, yes = {nullptr, 1};

/// One tree. Recursion is as deep as the blocks.
class Resolver {
public:
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
  Known find(const Output &output) const {
    auto found = known.find({output.node, output.index});
    return found == known.end() ? nullptr : found->second;
  }
  /// A function that is called twice has the same nodes twice: what was known
  /// of them is overwritten.
  void set(const Output &output, Known optional) {
    if (optional)
      known[{output.node, output.index}] = std::move(optional);
    else
      known.erase({output.node, output.index});
  }
  Part partOf(const Output &output) const { return {output, find(output)}; }

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
      made->has = def.name == "OptionalNone" ? no : yes;
      for (const Output &input : node.inputs())
        made->parts.push_back(partOf(input));
      set({&node, 0}, std::move(made));
      return okStatus();
    }
    bool takesOptional =
        std::any_of(node.inputs().begin(), node.inputs().end(),
                    [&](const Output &input) { return find(input); });
    if (def.name == "OptionalGetValue") {
      if (takesOptional)
        return getValue(node, block);
    } else if (!takesOptional) {
      block.items.push_back(std::move(item));
      return okStatus();
    } else if (def.name == "ZerosLike") {
      // Gradients make one for each optional, and look at none of them.
      auto made = std::make_shared<Optional>(*find(node.input(0)));
      made->problem = isNotImplemented(node);
      set({&node, 0}, std::move(made));
      return okStatus();
    } else if (def.canonicalName == "Identity" || def.name == "IdentityN") {
      Item others = alias(node, block);
      for (int i = 0; i < node.numInputs(); ++i)
        pass({&node, i}, partOf(node.input(i)), others);
      block.items.push_back(std::move(others));
      return okStatus();
    }
    return isNotImplemented(node);
  }

  static Status isNotImplemented(const Node &node) {
    return unimplementedError(strCat("op ", quote(node.op()),
                                     " of an optional is not implemented"))
        .withNode(node.name());
  }

  /// `output` is the part: an optional is noted, a tensor a result of `item`.
  void pass(const Output &output, const Part &part, Item &item) {
    set(output, part.optional);
    if (part.optional)
      return;
    item.results.push_back(output);
    item.first->results.push_back(part.tensor);
  }

  Status getValue(const Node &node, Block &block) {
    Known optional = find(node.input(0));
    KILN_RETURN_IF_ERROR(optional->problem);
    if (optional->has != yes) {
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
      if (!exists && optional->has != no)
        return invalidArgumentError(
                   strCat("expected an optional of ", node.numOutputs(),
                          " tensors, got one of ", optional->parts.size()))
            .withNode(node.name());
      pass({&node, i}, exists ? optional->parts[place] : Part{nothing, nullptr},
           value);
    }
    block.items.push_back(std::move(value));
    return okStatus();
  }

  Status resolveBlocks(Item item, Block &block) {
    if (item.kind == Item::Kind::While)
      return resolveLoop(std::move(item), block);
    std::vector<Part> given[2];
    for (int i = 0; i < 2; ++i) {
      Block *inner = i == 0 ? item.first.get() : item.second.get();
      if (!inner)
        continue;
      dropArgs(item.operands, *inner);
      KILN_RETURN_IF_ERROR(resolve(*inner));
      for (const Output &result : inner->results)
        given[i].push_back(partOf(result));
      inner->results.clear();
    }
    std::erase_if(item.operands, [&](const Output &operand) {
      return static_cast<bool>(find(operand));
    });
    KILN_RETURN_IF_ERROR(resolveResults(item, given[0], given[1]));
    block.items.push_back(std::move(item));
    return okStatus();
  }

  /// A block sees the tensors of those around it.
  void dropArgs(const std::vector<Output> &operands, Block &inner) {
    std::vector<Output> args;
    for (size_t i = 0; i < inner.args.size(); ++i) {
      Known optional = find(operands[i]);
      if (!optional)
        args.push_back(inner.args[i]);
      set(inner.args[i], std::move(optional));
    }
    inner.args = std::move(args);
  }

  Status resolveResults(Item &item, const std::vector<Part> &first,
                        const std::vector<Part> &second) {
    std::vector<Output> names = std::move(item.results);
    item.results.clear();
    for (size_t i = 0; i < names.size(); ++i) {
      const Part &a = first[i], &b = item.second ? second[i] : a;
      Part joined;
      if (a.optional || b.optional) {
        KILN_ASSIGN_OR_RETURN(joined, join(a, b, item));
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

  Output extraResult(const Output &first, const Output &second, Item &item) {
    Output name = {item.node, firstExtraResult + numExtraResults++};
    addResult(name, first, second, item);
    return name;
  }

  /// What an item gives where its blocks give `a` and `b`, either of which may
  /// be nothing.
  StatusOr<Part> join(const Part &a, const Part &b, Item &item) {
    if (!a.optional && !b.optional)
      return Part{extraResult(a.tensor, b.tensor, item), nullptr};
    auto isNothing = [](const Part &part) {
      return !part.optional && part.tensor == nothing;
    };
    if ((!a.optional && !isNothing(a)) || (!b.optional && !isNothing(b)))
      return invalidArgumentError("expected both branches to give an optional, "
                                  "got one that gives a tensor")
          .withNode(item.node->name());
    static const Optional none = {{}, no};
    const Optional &left = a.optional ? *a.optional : none,
                   &right = b.optional ? *b.optional : none;
    auto joined = std::make_shared<Optional>();
    joined->problem = left.problem.ok() ? right.problem : left.problem;
    size_t count = std::max(left.parts.size(), right.parts.size());
    for (size_t i = 0; i < count; ++i) {
      auto part = [&](const Optional &from) -> StatusOr<Part> {
        if (i < from.parts.size())
          return from.parts[i];
        if (from.has == no)
          return Part{nothing, nullptr};
        return invalidArgumentError(strCat("expected optionals of ", count,
                                           " tensors, got one of ",
                                           from.parts.size()))
            .withNode(item.node->name());
      };
      KILN_ASSIGN_OR_RETURN(Part x, part(left));
      KILN_ASSIGN_OR_RETURN(Part y, part(right));
      KILN_ASSIGN_OR_RETURN(Part both, join(x, y, item));
      joined->parts.push_back(std::move(both));
    }
    joined->has = left.has == right.has && !left.has.node
                      ? left.has
                      : extraResult(left.has, right.has, item);
    return Part{{}, std::move(joined)};
  }

  /// An optional goes into a loop; it stays the same there.
  Status resolveLoop(Item item, Block &block) {
    Block &before = *item.first, &body = *item.second;
    // By argument of the first block; it is what its body's is, too.
    std::vector<Known> carried;
    for (const Output &operand : item.operands)
      carried.push_back(find(operand));
    for (size_t i = 0; i < before.args.size(); ++i)
      set(before.args[i], carried[i]);
    KILN_RETURN_IF_ERROR(resolve(before));
    std::vector<Output> forwarded, args, results;
    for (size_t i = 0; i < before.results.size(); ++i) {
      Known optional = find(before.results[i]);
      set(body.args[i], optional);
      set(item.results[i], optional);
      if (optional)
        continue;
      forwarded.push_back(before.results[i]);
      args.push_back(body.args[i]);
      results.push_back(item.results[i]);
    }
    before.results = std::move(forwarded);
    body.args = std::move(args);
    item.results = std::move(results);
    KILN_RETURN_IF_ERROR(resolve(body));
    std::vector<Output> operands, firstArgs, next;
    for (size_t i = 0; i < before.args.size(); ++i) {
      Known given = find(body.results[i]);
      if (given != carried[i])
        return unimplementedError(
                   strCat("expected loop variable ", i,
                          ", an optional, to be the same in every turn"))
            .withNode(item.node->name());
      if (given)
        continue;
      operands.push_back(item.operands[i]);
      firstArgs.push_back(before.args[i]);
      next.push_back(body.results[i]);
    }
    item.operands = std::move(operands);
    before.args = std::move(firstArgs);
    body.results = std::move(next);
    block.items.push_back(std::move(item));
    return okStatus();
  }

  std::map<Key, Known> known;
  int numExtraResults = 0;
};

} // namespace

Status resolveOptionals(Block &root) {
  Resolver resolver;
  KILN_RETURN_IF_ERROR(resolver.resolve(root));
  for (const Output &fetch : root.results)
    if (resolver.isOptional(fetch))
      return unimplementedError(strCat("expected a fetch of a tensor, got ",
                                       quote(fetch.name()), ", an optional"))
          .withNode(fetch.node->name());
  return okStatus();
}

} // namespace kiln
