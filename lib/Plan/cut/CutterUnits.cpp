// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes units: what each part takes and gives, in an order.
#include "lib/Plan/cut/Cutter.h"

#include "lib/OpDefs/OpDef.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <tuple>

namespace kiln {

Cutter::Part &Cutter::part(CutSets::Id set) {
  auto found = parts.find(set);
  if (found == parts.end()) {
    found = parts.try_emplace(set).first;
    found->second.set = set;
  }
  return found->second;
}

int Cutter::newValue(const PlanValue &tensor) {
  CutValue &value = result.values.emplace_back();
  value.tensor = tensor;
  if (tensor.isTensor()) {
    const Output &output = tensor.output();
    bool isRunFeed = !parent && isFed(output);
    value.isSlot = cutting.slots.holds(output);
    if (!isRunFeed && !value.isSlot && isSlot(output)) {
      crossing = output;
      cutting.crossing.push_back(output);
    }
    value.isAsked = cutting.asked && output == cutting.asked->tensor;
  }
  return static_cast<int>(result.values.size()) - 1;
}

int Cutter::constantValue(int32_t number) {
  auto [it, isNew] = constants.try_emplace(number, 0);
  if (isNew) {
    it->second = newValue(PlanValue::constant(number));
    result.values.back().isConstant = true;
  }
  return it->second;
}

int Cutter::valueOutsideParts(const Output &output) {
  Place from = placeOf(output);
  bool isOwn = from.cutter == this;
  bool isConstant = isOwn && from.info && from.info->isConstant;
  bool isCut = isOwn && from.info && from.info->facts.kind == CutKind::Cut;
  if (isOwn && from.info && !isConstant && !isCut)
    return -1;
  auto [it, isNew] = outside.try_emplace(output, 0);
  if (isNew) {
    it->second = newValue(output);
    CutValue &value = result.values.back();
    value.isConstant = isConstant;
    value.isShared = isCut && from.info->item->kind != Item::Kind::Node;
    if (!isConstant && !isCut)
      value.feed = addFeed(output);
  }
  return it->second;
}

int Cutter::valueAt(const Output &output, CutSets::Id set) {
  if (int value = valueOutsideParts(output); value >= 0)
    return value;
  const ItemInfo &info = *producerOf(output);
  Part &from =
      part(isView(info, output.index) || info.facts.kind == CutKind::Copied
               ? set
               : info.place);
  use(output, from);
  auto [it, isNew] = from.fetches.try_emplace(output, 0);
  if (isNew) {
    it->second = newValue(output);
    from.unit.outputs.push_back(it->second);
    from.root.results.push_back(output);
  }
  return it->second;
}

int Cutter::fetchAt(const PlanValue &value, const Output &name,
                    CutSets::Id set) {
  if (value.isConstant())
    return constantValue(value.number());
  if (value.isNone() || (isHandle(name) && rootOf(value.output())))
    return -1;
  return valueAt(value.output(), set);
}

void Cutter::use(const Output &output, Part &to) {
  std::vector<Output> pending = {output};
  while (!pending.empty()) {
    Output next = pending.back();
    pending.pop_back();
    Place from = placeOf(next);
    bool isOwn = from.cutter == this;
    bool isHere = isOwn && from.info && from.info->facts.kind != CutKind::Cut &&
                  from.info->place == to.set;
    auto &known = from.cutter->handles;
    if (auto handle = known.find(next); handle != known.end()) {
      int of = from.cutter->level;
      if (!isHere && to.copies.insert({of, next}).second) {
        Place declared = from.cutter->placeOf({handle->second, 0});
        bool isBeside = declared.info && declared.cutter == from.cutter;
        auto position = isBeside
                            ? static_cast<size_t>(declared.info -
                                                  from.cutter->infos.data()) +
                                  1
                            : 0;
        to.items.addAlias(of, position, from.cutter->block.path, next,
                          *handle->second);
        pending.push_back({handle->second, 0});
      }
      continue;
    }
    bool sees = from.info && isView(*from.info, next.index);
    if (from.info && from.info->facts.kind == CutKind::Copied)
      copy(from, to, from.cutter->isDone(*from.info->item), pending);
    else if (sees && !isHere)
      copy(from, to, true, pending);
    else if (!isHere)
      feed(next, to);
  }
}

void Cutter::copy(Place from, Part &to, bool isDone,
                  std::vector<Output> &pending) {
  const Item &item = *from.info->item;
  const Node &node = *item.node;
  if (!to.copies.insert({from.cutter->level, {&node, -1}}).second)
    return;
  auto position = static_cast<size_t>(from.info - from.cutter->infos.data());
  to.items.add(from.cutter->level, position + 1, item);
  if (isDone) {
    to.root.done.push_back(&node);
    pending.push_back(node.input(0));
  } else {
    pending.insert(pending.end(), node.inputs().begin(), node.inputs().end());
  }
}

void Cutter::feed(const Output &output, Part &to) {
  if (to.feeds.contains(output))
    return;
  int value = valueAt(output, to.set);
  to.feeds.emplace(output, value);
  to.unit.inputs.push_back(value);
  to.root.args.push_back(output);
}

Status Cutter::placeItem(ItemInfo &info) {
  const Item &item = *info.item;
  if (info.facts.kind == CutKind::Cut) {
    if (item.kind != Item::Kind::Node)
      return placeRegion(info);
    placeOp(info);
  } else if (info.facts.kind != CutKind::Copied &&
             (info.facts.kind == CutKind::Effect || info.hasOutputs)) {
    Part &home = part(info.place);
    home.hasEffect |= info.facts.kind == CutKind::Effect ||
                      (item.kind == Item::Kind::Node &&
                       lookupOp(item.node->op())->has(stateful));
    home.items.add(level, static_cast<size_t>(&info - infos.data()) + 1, item);
    for (const Output &input : info.facts.uses)
      use(input, home);
  }
  return okStatus();
}

/// True for queues and the like, which come first among the inputs of an op.
static bool isHandleArgument(const OpDef &def, int input) {
  auto place = static_cast<size_t>(input);
  return place < def.inputs.size() &&
         (def.inputs[place].isRef ||
          def.inputs[place].dtype == DType::Resource);
}

void Cutter::placeOp(ItemInfo &info) {
  const Node &node = *info.item->node;
  CutUnit unit;
  unit.node = &node;
  unit.name = strCat(block.path.name, node.name());
  unit.usesSlots = cutting.slots.isUsedBy(node);
  const OpDef &def = *lookupOp(node.op());
  const bool hasHandles =
      !unit.usesSlots && (def.has(cutsRun) || def.has(hostBody));
  for (int i = 0; i < node.numInputs(); ++i) {
    const Output &input = node.input(i);
    // A function of a pipeline may capture one; a reference is read.
    const bool isCaptured =
        def.has(takesDatasets) && input.dtype() == DType::Resource;
    if (!hasHandles || !(isHandleArgument(def, i) || isCaptured)) {
      unit.inputs.push_back(valueAt(input, info.before));
      continue;
    }
    const Node *declared = rootOf(input);
    unit.handles.push_back(declared ? Output{declared, 0} : input);
    unit.inputs.push_back(isDataset(input) ? valueAt(input, info.before) : -1);
  }
  cuts.emplace_back(&info, std::move(unit));
}

Status Cutter::placeRegion(ItemInfo &info) {
  const Item &item = *info.item;
  CutUnit unit;
  unit.node = item.node;
  unit.name = strCat(block.path.name, item.node->name());
  auto region = std::make_shared<CutRegion>();
  region->kind = item.kind;
  region->number = item.number;
  region->numOperands = item.operands.size();
  if (item.kind == Item::Kind::If)
    unit.inputs.push_back(valueAt(item.condition.output(), info.before));
  std::vector<const Node *> roots;
  for (const PlanValue &value : item.operands) {
    const Output &operand = value.output();
    roots.push_back(isHandle(operand) ? rootOf(operand) : nullptr);
    unit.inputs.push_back(roots.back() ? -1 : valueAt(operand, info.before));
  }
  auto cutBlock = [&](const Block &inner, const std::vector<Output> &names,
                      CutGraph &to) -> Status {
    Cutter cutter(cutting, inner, this);
    cutter.names = names;
    // The next iteration may use what is carried.
    if (item.kind != Item::Kind::While)
      for (const Output &output : item.results)
        cutter.wanted.push_back(inUse.contains(output));
    for (size_t i = 0; i < inner.args.size(); ++i) {
      if (roots[i]) {
        cutter.handles[inner.args[i]] = roots[i];
        cutter.result.feeds.push_back(inner.args[i]);
      } else {
        cutter.addFeed(inner.args[i]);
      }
    }
    KILN_ASSIGN_OR_RETURN(to, cutter.run());
    to.numArgs = inner.args.size();
    for (size_t i = to.numArgs; i < to.feeds.size(); ++i)
      unit.inputs.push_back(valueAt(to.feeds[i], info.before));
    if (item.kind != Item::Kind::While)
      return okStatus();
    // The next block's arguments are these results.
    bool isFirst = &inner == item.first.get();
    std::vector<const Node *> next;
    for (size_t i = 0; i < inner.results.size(); ++i) {
      const Output &output = inner.results[i].output();
      next.push_back(cutter.rootOf(output));
      if (isFirst)
        continue;
      if (const Output &operand = item.operands[i].output();
          isHandle(operand) && next.back() != rootOf(operand))
        return unimplementedError(strCat("expected a handle that is the same "
                                         "in every iteration of "
                                         "a loop that waits, got ",
                                         quote(output.name())))
            .withNode(item.node->name());
    }
    roots = std::move(next);
    return okStatus();
  };
  KILN_RETURN_IF_ERROR(cutBlock(*item.first, item.results, region->first));
  if (item.second)
    KILN_RETURN_IF_ERROR(cutBlock(
        *item.second,
        item.kind == Item::Kind::While ? item.first->args : item.results,
        region->second));
  unit.region = std::move(region);
  cuts.emplace_back(&info, std::move(unit));
  return okStatus();
}

static int numOutputs(const Node &node) {
  const OpDef &def = *lookupOp(node.op());
  auto types = expandArgs(def.outputs, node, def);
  return types.ok() ? static_cast<int>(types->size()) : 0;
}

/// Puts parts and what cuts in order, and counts what waits for what.
void Cutter::finishUnits() {
  struct Rank {
    CutSets::Id after;
    int number = -1;
    bool isPart = false;
    size_t position = 0;    ///< between equals
    bool isArrival = false; ///< of a feed: nothing in the run comes before
  };
  std::vector<CallPath> paths(static_cast<size_t>(level) + 1);
  for (const Cutter *at = this; at; at = at->parent)
    paths[static_cast<size_t>(at->level)] = at->block.path;
  std::vector<std::pair<Rank, CutUnit>> units;
  for (auto &[set, part] : parts) {
    if (!part.hasEffect && part.unit.outputs.empty())
      continue; // no op uses what it gives
    part.root.functions = cutting.root.functions;
    part.root.synthesized = cutting.root.synthesized;
    part.unit.part = part.items.take(paths, std::move(part.root));
    units.push_back({{set, -1, true, units.size()}, std::move(part.unit)});
  }
  for (auto &[info, unit] : cuts) {
    // What is fed has the value that is fed, whatever the op gives.
    auto give = [&](const Output &output, bool isUsed) {
      unit.outputs.push_back(isUsed && !isFed(output)
                                 ? fetchAt(output, output, info->before)
                                 : -1);
    };
    if (unit.region)
      for (const Output &output : info->item->results)
        give(output, inUse.contains(output));
    else
      for (int i = 0; i < numOutputs(*unit.node); ++i)
        give({unit.node, i}, true);
    units.push_back(
        {{info->before, info->number, false, units.size()}, std::move(unit)});
  }
  if (isInSteps)
    for (auto &[output, feed] : feedOf) {
      CutUnit arrival;
      arrival.feed = feed;
      arrival.outputs.push_back(
          valueOutsideParts(result.feeds[static_cast<size_t>(feed)]));
      units.push_back({{CutSets::none, feed, false, units.size(), true},
                       std::move(arrival)});
    }
  std::sort(units.begin(), units.end(), [&](const auto &a, const auto &b) {
    auto key = [&](const Rank &rank) {
      return std::tuple(sets.size(rank.after), !rank.isPart, rank.position);
    };
    return key(a.first) < key(b.first);
  });
  auto comesBefore = [&](const Rank &a, const Rank &b) {
    if (b.isArrival)
      return false;
    if (!a.isPart)
      return a.number >= 0 && sets.contains(b.after, a.number);
    return sets.isSubset(a.after, b.after) && (a.after != b.after || !b.isPart);
  };
  for (size_t i = 0; i < units.size(); ++i)
    for (size_t j = 0; j < units.size(); ++j)
      if (i != j && comesBefore(units[i].first, units[j].first)) {
        units[i].second.users.push_back(static_cast<int>(j));
        ++units[j].second.numBefore;
      }
  for (auto &[rank, unit] : units)
    result.units.push_back(std::move(unit));
  result.functions = cutting.root.functions;
  result.synthesized = cutting.root.synthesized;
}

void Cutter::countUses() {
  auto count = [&](int value) {
    if (value >= 0)
      ++result.values[static_cast<size_t>(value)].numUses;
  };
  for (const CutUnit &unit : result.units)
    std::for_each(unit.inputs.begin(), unit.inputs.end(), count);
  std::for_each(result.fetches.begin(), result.fetches.end(), count);
}

} // namespace kiln
