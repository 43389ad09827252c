// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks the blocks in order, with what stands for each optional.
#include "lib/Plan/transforms/ScalarizeOptionals.h"

#include "lib/Plan/cut/CutKind.h"
#include "lib/Plan/transforms/OptionalOps.h"
#include "lib/Plan/transforms/OptionalTypes.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <map>
#include <set>

namespace kiln {
namespace {

/// One tree. Recursion is as deep as the blocks.
class OptionalScalarizer {
public:
  OptionalScalarizer(Block &root, OptionalTypes types)
      : made(std::move(root.synthesized)), types(std::move(types)) {}

  SynthesizedNodes::Graphs takeSynthesized() { return made.take(); }

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
  /// PlanValue::argument or PlanValue::result.
  using MakeName = PlanValue (*)(const Output &);

  KnownOptional find(const Output &output) const {
    auto found = known.find(output);
    return found == known.end() ? nullptr : found->second;
  }
  KnownOptional find(const PlanValue &value) const {
    return value.isTensor() ? find(value.output()) : nullptr;
  }
  /// A function that is called twice has the same nodes twice: what was known
  /// of them is overwritten.
  void set(const Output &output, KnownOptional optional) {
    if (optional)
      known[output] = std::move(optional);
    else
      known.erase(output);
  }
  OptionalPart partOf(const PlanValue &value) const {
    if (!value.isTensor())
      return {value};
    return {value, value.output().dtype(), {}, find(value)};
  }

  static Item alias(const Node &node, const Block &block) {
    return makeItem(Item::Kind::Call, &node, block.path);
  }

  Status resolveNode(Item item, Block &block) {
    const Node &node = *item.node;
    const OpDef &def = *lookupOp(node.op());
    if (def.role == OpRole::OptionalOfValues ||
        def.role == OpRole::OptionalNone) {
      auto made = std::make_shared<Optional>();
      if (auto number = types.made.find({&block, &node});
          number != types.made.end()) {
        OptionalForm &form = made->forms.emplace_back();
        form.number = number->second;
        made->has = PlanValue::constant(form.number);
        for (const OptionalType &type : types.forms.of(form.number)) {
          const Output &input = node.input(static_cast<int>(form.parts.size()));
          form.parts.push_back({input, type.dtype, type.shape, find(input)});
        }
      }
      KILN_RETURN_IF_ERROR(made->measure().withNode(node.name()));
      set({&node, 0}, std::move(made));
      return okStatus();
    }
    auto element = types.elements.find({&block, &node});
    bool takesOptional =
        element != types.elements.end() ||
        std::any_of(node.inputs().begin(), node.inputs().end(),
                    [&](const Output &input) { return find(input); });
    if (!takesOptional &&
        (def.role != OpRole::OptionalGet || takesRuntimeOptional(node))) {
      block.items.push_back(std::move(item));
      return okStatus();
    }
    if (def.role == OpRole::OptionalGet && takesOptional)
      return getValue(node, block);
    if (def.role == OpRole::Identity || def.role == OpRole::IdentityN) {
      Item others = alias(node, block);
      for (int i = 0; i < node.numInputs(); ++i)
        pass({&node, i}, partOf(node.input(i)), others);
      block.items.push_back(std::move(others));
      return okStatus();
    }
    OptionalOps ops(node, block, made);
    if (element != types.elements.end())
      return setResult(node, ops.emptyList(*element->second));
    std::vector<KnownOptional> given;
    for (const Output &input : node.inputs())
      given.push_back(find(input));
    bool areAll = std::all_of(given.begin(), given.end(),
                              [](const KnownOptional &one) { return one; });
    if (def.name == "OptionalHasValue" && given[0] && given[0]->lists == 0)
      return ops.hasValue(*given[0]).withNode(node.name());
    if (def.role == OpRole::Zeros)
      return setResult(node, ops.zerosLike(*given[0]));
    if (def.role == OpRole::Sum && areAll)
      return setResult(node, ops.sum(given));
    if (def.role == OpRole::ListPush && areAll)
      return setResult(node, ops.pushBack(*given[0], *given[1]));
    if (def.role == OpRole::ListPop && given[0]) {
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

  Item choiceOf(const Optional &optional, int number, const Node &node,
                const Block &block) const {
    Item choice = makeItem(Item::Kind::If, &node, block.path);
    choice.condition = optional.has;
    choice.number = number;
    return choice;
  }

  /// Whether forms that fit have an optional and a list at one place: nothing
  /// looks into what may still be either.
  bool isOfKinds(const Optional &optional,
                 const std::vector<OptionalType> &wanted, size_t k) const {
    if (wanted[k].kind != "?")
      return false;
    std::set<char> kinds;
    for (const OptionalForm &form : optional.forms)
      if (types.forms.fits(form.number, wanted).ok())
        kinds.insert(types.forms.of(form.number)[k].kind.front());
    return kinds.size() > 1;
  }

  /// The run picks one of the forms that it may have.
  Status getValue(const Node &node, Block &block) {
    KnownOptional optional = find(node.input(0));
    if (optional->lists > 0)
      return isNotImplemented(node);
    const std::vector<OptionalType> &wanted = types.taken.at({&block, &node});
    std::vector<OptionalPart> value(wanted.size());
    const PlanValue &has = optional->has;
    if (const OptionalForm *form =
            has.isConstant() ? optional->find(has.number()) : nullptr) {
      KILN_RETURN_IF_ERROR(
          types.forms.fits(form->number, wanted).withNode(node.name()));
      value = form->parts;
    } else {
      Item check;
      check.kind = Item::Kind::Fail;
      check.node = &node;
      check.failure.reason = Failure::Reason::EmptyOptional;
      for (size_t i = has.isConstant() ? 0 : optional->forms.size(); i-- > 0;) {
        const OptionalForm &form = optional->forms[i];
        Status fits = types.forms.fits(form.number, wanted);
        Item choice = choiceOf(*optional, form.number, node, block);
        choice.second->items.push_back(std::move(check));
        if (!fits.ok())
          KILN_RETURN_IF_ERROR(OptionalOps(node, *choice.first, made)
                                   .fail(std::string(fits.message())));
        for (size_t k = 0; k < value.size(); ++k) {
          bool isTaken = fits.ok() && !isOfKinds(*optional, wanted, k);
          KILN_ASSIGN_OR_RETURN(value[k],
                                join(isTaken ? form.parts[k] : OptionalPart(),
                                     value[k], 0, choice));
        }
        check = std::move(choice);
      }
      block.items.push_back(std::move(check));
    }
    Item named = alias(node, block);
    for (size_t i = 0; i < value.size(); ++i)
      pass({&node, static_cast<int>(i)}, value[i], named);
    block.items.push_back(std::move(named));
    return okStatus();
  }

  Status resolveBlocks(Item item, Block &block) {
    if (item.kind == Item::Kind::While)
      return resolveLoop(std::move(item), block);
    std::vector<OptionalPart> given[2];
    std::vector<PlanValue> operands = item.operands;
    for (int i = 0; i < 2; ++i) {
      Block *inner = i == 0 ? item.first.get() : item.second.get();
      if (!inner)
        continue;
      operands = item.operands;
      KILN_RETURN_IF_ERROR(
          expand(*item.node, operands, inner->args, &PlanValue::argument));
      KILN_RETURN_IF_ERROR(resolve(*inner));
      for (const PlanValue &result : inner->results)
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
  /// but what lists hold may change. Without names no op there uses them.
  Status expand(const Node &node, std::vector<PlanValue> &tensors,
                std::vector<Output> &names, MakeName makeName) {
    std::vector<PlanValue> allTensors, inner;
    std::vector<Output> allNames;
    for (size_t i = 0; i < tensors.size(); ++i) {
      KnownOptional optional = find(tensors[i]), named = optional;
      if (!optional)
        allTensors.push_back(tensors[i]);
      if (!optional && !names.empty())
        allNames.push_back(names[i]);
      if (optional && optional->lists > 0) {
        KILN_ASSIGN_OR_RETURN(
            named,
            mapTensors(*optional, *optional, 0,
                       [&](const PlanValue &, const PlanValue &,
                           const OptionalPlace &place) -> StatusOr<PlanValue> {
                         KILN_ASSIGN_OR_RETURN(
                             Output name, made.name(node, place.typeIn(0)));
                         return makeName(name);
                       }));
        appendTensors(*optional, allTensors);
        inner.clear();
        appendTensors(*named, inner);
        for (const PlanValue &name : inner)
          if (!names.empty())
            allNames.push_back(name.output());
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

  static void addResult(const Output &name, const PlanValue &first,
                        const PlanValue &second, Item &item) {
    item.results.push_back(name);
    item.first->results.push_back(first);
    if (item.second)
      item.second->results.push_back(second);
  }

  StatusOr<PlanValue> extraResult(const PlanValue &first,
                                  const PlanValue &second, DType dtype,
                                  Item &item) {
    KILN_ASSIGN_OR_RETURN(Output name, made.name(*item.node, dtype));
    addResult(name, first, second, item);
    return PlanValue::result(name);
  }

  /// What an item gives where its blocks give `a` and `b`, either of which may
  /// be nothing.
  StatusOr<OptionalPart> join(const OptionalPart &a, const OptionalPart &b,
                              int lists, Item &item) {
    auto isNothing = [](const OptionalPart &part) {
      return !part.optional && part.tensor.isNone();
    };
    if (isNothing(a) && isNothing(b))
      return a;
    OptionalPart both;
    both.dtype = a.dtype == DType::Invalid ? b.dtype : a.dtype;
    both.shape = a.dtype == DType::Invalid ? b.shape : a.shape;
    if (!a.optional && !b.optional) {
      KILN_ASSIGN_OR_RETURN(
          both.tensor,
          extraResult(a.tensor, b.tensor, inLists(both.dtype, lists), item));
      return both;
    }
    bool isOfBoth = a.optional && b.optional;
    if (isOfBoth ? a.optional->lists != b.optional->lists
                 : !isNothing(a.optional ? b : a))
      return invalidArgumentError("expected both branches to give an optional, "
                                  "got one that gives something else")
          .withNode(item.node->name());
    static const Optional none;
    const Optional &left = a.optional ? *a.optional : none,
                   &right = b.optional ? *b.optional : none;
    auto joined = std::make_shared<Optional>();
    joined->lists = std::max(left.lists, right.lists);
    std::set<int> numbers;
    for (const Optional *from : {&left, &right})
      for (const OptionalForm &form : from->forms)
        numbers.insert(form.number);
    for (int number : numbers) {
      OptionalForm &form = joined->forms.emplace_back();
      form.number = number;
      const OptionalForm *x = left.find(number), *y = right.find(number);
      for (size_t i = 0; i < (x ? x : y)->parts.size(); ++i) {
        KILN_ASSIGN_OR_RETURN(OptionalPart part,
                              join(x ? x->parts[i] : OptionalPart(),
                                   y ? y->parts[i] : OptionalPart(),
                                   joined->lists, item));
        form.parts.push_back(std::move(part));
      }
    }
    joined->has = left.has;
    if (joined->lists > 0) {
      KILN_ASSIGN_OR_RETURN(joined->has,
                            extraResult(a.optional ? left.has : PlanValue(),
                                        b.optional ? right.has : PlanValue(),
                                        DType::Variant, item));
    } else if (left.has != right.has || !left.has.isConstant()) {
      KILN_ASSIGN_OR_RETURN(
          joined->has, extraResult(left.has, right.has, DType::Int32, item));
    }
    KILN_RETURN_IF_ERROR(joined->measure().withNode(item.node->name()));
    both.optional = std::move(joined);
    return both;
  }

  /// An optional goes into a loop and stays the same there; a list of them may
  /// change from iteration to iteration.
  Status resolveLoop(Item item, Block &block) {
    const Node &node = *item.node;
    Block &before = *item.first, &body = *item.second;
    std::vector<PlanValue> next = std::move(body.results);
    // By argument of the first block; what is known of one may be overwritten.
    std::vector<KnownOptional> carried;
    for (const PlanValue &operand : item.operands)
      carried.push_back(find(operand));
    KILN_RETURN_IF_ERROR(
        expand(node, item.operands, before.args, &PlanValue::argument));
    KILN_RETURN_IF_ERROR(resolve(before));
    std::vector<PlanValue> forwarded = before.results;
    KILN_RETURN_IF_ERROR(
        expand(node, forwarded, item.results, &PlanValue::result));
    KILN_RETURN_IF_ERROR(
        expand(node, before.results, body.args, &PlanValue::argument));
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
                          ", an optional, to be the same in every iteration"))
            .withNode(node.name());
    }
    block.items.push_back(std::move(item));
    return okStatus();
  }

  std::map<OutputKey, KnownOptional> known;
  SynthesizedNodes made;
  OptionalTypes types;
};

} // namespace

/// Whether there is anything to do.
static bool hasOptionals(const Block &root) {
  bool has = false;
  forEachItem(root, [&](const Item &item, const Block &) {
    if (has || item.kind != Item::Kind::Node)
      return;
    OpRole role = roleOf(*item.node);
    has = role == OpRole::OptionalOfValues || role == OpRole::OptionalNone ||
          (role == OpRole::OptionalGet && !takesRuntimeOptional(*item.node));
  });
  return has;
}

Status scalarizeOptionals(Block &root) {
  if (!hasOptionals(root))
    return okStatus();
  KILN_ASSIGN_OR_RETURN(OptionalTypes types, findOptionalTypes(root));
  OptionalScalarizer resolver(root, std::move(types));
  KILN_RETURN_IF_ERROR(resolver.resolve(root));
  root.synthesized = resolver.takeSynthesized();
  for (const PlanValue &value : root.results)
    if (const Output &fetch = value.output(); resolver.isOptional(fetch))
      return unimplementedError(strCat("expected a fetch of a tensor, got ",
                                       quote(fetch.name()), ", an optional"))
          .withNode(fetch.node->name());
  return okStatus();
}

} // namespace kiln
