// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Infers calls, branches and loops: what their blocks are given, and what is
// known of what they give.
#include "lib/Import/SymbolicInference.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <utility>

namespace kiln {
namespace {

/// Whether handles mean one slot, or variables of one kind.
bool sameHandle(const ValueInfo &a, const ValueInfo &b) {
  return a.handle.has_value() == b.handle.has_value() &&
         (!a.handle || (a.handle->dtype == b.handle->dtype &&
                        a.handle->slot == b.handle->slot &&
                        a.handle->shape == b.handle->shape));
}

bool isList(const ValueInfo &value) {
  return value.dtype == DType::Variant && value.handle &&
         value.handle->slot >= 0;
}

/// A TensorArray's handle, or a stack's.
bool isArray(const ValueInfo &value) {
  return value.dtype != DType::Variant && value.handle &&
         value.handle->slot >= 0;
}

int indexOf(const std::vector<Output> &list, const Output &output) {
  auto found = std::find(list.begin(), list.end(), output);
  return found == list.end() ? -1 : static_cast<int>(found - list.begin());
}

/// The item of a block that gives a tensor; null for an argument and for one of
/// a block around.
const Item *giverOf(const Block &block, const Output &output) {
  auto found = std::find_if(
      block.items.begin(), block.items.end(), [&](const Item &item) {
        return item.kind == Item::Kind::Node
                   ? item.node == output.node
                   : std::find(item.results.begin(), item.results.end(),
                               output) != item.results.end();
      });
  return found == block.items.end() ? nullptr : &*found;
}

Output passedOn(const Block &block, Output output);

/// The tensor outside of a call that it gives as this result; no node for one
/// that it makes.
Output passedOnByCall(const Item &call, const Output &result) {
  const Block &called = *call.first;
  int i = indexOf(call.results, result);
  const PlanValue &given = called.results[static_cast<size_t>(i)];
  if (!given.isTensor())
    return Output();
  Output inner = passedOn(called, given.output());
  if (int arg = indexOf(called.args, inner); arg >= 0)
    return call.operands[static_cast<size_t>(arg)].output();
  return giverOf(called, inner) ? Output() : inner;
}

/// The tensor that a result of a block passes on: behind Identity and the like,
/// and behind calls. Recursion is as deep as the blocks.
Output passedOn(const Block &block, Output output) {
  while (const Item *giver = giverOf(block, output)) {
    Output given;
    const OpDef *def = lookupOp(giver->node->op());
    if (giver->kind == Item::Kind::Call)
      given = passedOnByCall(*giver, output);
    else if (giver->kind == Item::Kind::Node && def && def->has(passesOn) &&
             def->role != OpRole::IdentityN)
      given = giver->node->input(0);
    if (!given.node)
      break;
    output = given;
  }
  return output;
}

/// What is known of a constant, as the number of a Merge's input. A result that
/// a block does not give is the number -1: what stands for it is never read,
/// but a fetch of it, behind the check that fails, is written all the same.
ValueInfo constantInfo(const PlanValue &value) {
  ValueInfo info;
  info.dtype = DType::Int32;
  info.shape = SymShape::scalar();
  info.contents = Dims{Dim::known(value.isConstant() ? value.number() : -1)};
  return info;
}

/// The arguments of a loop that its body passes on as they are.
std::vector<bool> invariantsOf(const Item &loop) {
  std::vector<bool> isInvariant;
  const Block &before = *loop.first, &body = *loop.second;
  for (size_t i = 0; i < before.args.size(); ++i) {
    int place = indexOf(body.args, passedOn(body, body.results[i].output()));
    isInvariant.push_back(
        place >= 0 &&
        passedOn(before, before.results[static_cast<size_t>(place)].output()) ==
            before.args[i]);
  }
  return isInvariant;
}

} // namespace

bool SymbolicInference::joinInto(ValueInfo &a, const ValueInfo &b,
                                 const Item &item, size_t i) {
  const ValueInfo known = a;
  kiln::joinInto(a, b, space);
  for (size_t d = 0; d < a.shape.dims.size(); ++d) {
    Dim &dim = a.shape.dims[d];
    bool differs = dim.isUnknown() && !known.shape.dims[d].isUnknown() &&
                   !b.shape.dims[d].isUnknown();
    if (differs || !isVisible(dim))
      dim = ownDim(item, i, d);
  }
  if (a.contents)
    for (Dim &element : *a.contents)
      if (!isVisible(element))
        element = Dim::unknown();
  return a.shape != known.shape || a.contents != known.contents;
}

Dim SymbolicInference::ownDim(const Item &item, size_t i, size_t d) {
  // No node of the block has that many of its own.
  constexpr size_t first = size_t(1) << 20;
  const Scope &inside = scopeOf(*item.first);
  DimSpace::Region region(space, inside.region);
  space.setBlock(inside.number);
  space.setNode(item.node->name());
  return space.runDim(static_cast<int>(first + i * (Shape::maxRank + 1) + d),
                      /*isSize=*/true);
}

void SymbolicInference::bindOwnDims(const Item &item,
                                    const std::vector<ValueInfo> &values) {
  std::vector<int64_t> binds;
  for (size_t i = 0; i < values.size(); ++i)
    for (size_t d = 0; d < values[i].shape.dims.size(); ++d)
      if (Dim dim = values[i].shape.dims[d];
          space.symbols().isInRun(dim) && dim == ownDim(item, i, d))
        binds.push_back(dim.symbol);
  if (binds.empty())
    return;
  current->bound.insert(binds.begin(), binds.end());
  current->runSizes[&item].binds = std::move(binds);
  findsSizes = true;
}

int SymbolicInference::decidedBranch(const Item &item) const {
  const Output &decides = item.condition.output();
  const ValueInfo &condition = info(decides);
  const Dims *elements = contents(decides);
  if (!elements || condition.shape.rank() != 0 || elements->size() != 1 ||
      !elements->front().isKnown()) {
    std::optional<bool> truth =
        item.number ? std::nullopt : comparedConstants(decides);
    return !truth ? -1 : *truth ? 0 : 1;
  }
  int64_t value = elements->front().value;
  return (item.number ? value == *item.number : value != 0) ? 0 : 1;
}

int SymbolicInference::listSlot(const Item &item, const std::string &name,
                                int from) {
  int to = slotSpace.slotOf(current->block.path, &item, name);
  slotSpace.copy(to, from, space);
  return to;
}

int SymbolicInference::pickedSlot(const Item &item, const std::string &name,
                                  int first, int second) {
  int slot = slotSpace.slotOf(current->block.path, &item, name);
  slotSpace.pick(slot, first, second);
  return slot;
}

Status SymbolicInference::bindArgs(const Item &item, Scope &inner) {
  // A block of a chain of branches takes what it needs from around.
  const std::vector<Output> &args = inner.block.args;
  if (!args.empty() && args.size() != item.operands.size())
    return internalError(strCat("expected ", item.operands.size(),
                                " arguments, got ", args.size()))
        .withNode(item.node->name());
  for (size_t i = 0; i < args.size(); ++i) {
    const Output &operand = item.operands[i].output();
    inner.tensors[Scope::key(args[i])] = info(operand);
    inner.aliases[Scope::key(args[i])] = {current, operand};
  }
  return okStatus();
}

Status SymbolicInference::inferCall(const Item &item, const Block &block) {
  Scope &inner = newScope(block, current, /*isInlined=*/true);
  inner.mayNotRun = current->mayNotRun;
  KILN_RETURN_IF_ERROR(bindArgs(item, inner));
  KILN_RETURN_IF_ERROR(inferBlock(inner));
  if (inner.failure)
    return okStatus();
  current->bound.insert(inner.bound.begin(), inner.bound.end());
  Scope *outer = std::exchange(current, &inner);
  std::vector<ValueInfo> results;
  for (const PlanValue &result : block.results)
    results.push_back(result.isTensor() ? info(result.output())
                                        : constantInfo(result));
  current = outer;
  for (size_t i = 0; i < results.size(); ++i) {
    current->tensors[Scope::key(item.results[i])] = std::move(results[i]);
    if (const PlanValue &given = block.results[i]; given.isTensor())
      current->aliases[Scope::key(item.results[i])] = {&inner, given.output()};
  }
  return okStatus();
}

Status SymbolicInference::inferIf(const Item &item) {
  const int taken = takenBranches[&item] = decidedBranch(item);
  if (taken >= 0)
    return inferCall(item, taken == 0 ? *item.first : *item.second);
  std::vector<std::vector<ValueInfo>> given;
  const DynamicVariables::Places before = dynamic.place();
  DynamicVariables::Places firstEnd;
  for (const Block *block : {item.first.get(), item.second.get()}) {
    if (block == item.second.get()) {
      firstEnd = dynamic.place();
      dynamic.returnTo(before);
    }
    Scope &inner = newScope(*block, current, /*isInlined=*/false);
    KILN_RETURN_IF_ERROR(bindArgs(item, inner));
    inner.mayNotRun = true;
    DimSpace::Region region(space, inner.region);
    KILN_RETURN_IF_ERROR(inferBlock(inner));
    std::vector<ValueInfo> &results = given.emplace_back();
    if (inner.failure)
      continue;
    Scope *outer = std::exchange(current, &inner);
    for (const PlanValue &result : block->results)
      results.push_back(result.isTensor() ? info(result.output())
                                          : constantInfo(result));
    current = outer;
  }
  const bool fails[2] = {scopeOf(*item.first).failure.has_value(),
                         scopeOf(*item.second).failure.has_value()};
  if (fails[0] && fails[1])
    return okStatus();
  if (fails[1])
    dynamic.returnTo(firstEnd);
  else if (!fails[0])
    dynamic.join(firstEnd);
  std::vector<ValueInfo> joined;
  for (size_t i = 0; i < item.results.size(); ++i) {
    // What one branch alone gives is looked at after that branch alone.
    size_t from =
        !fails[0] && (fails[1] || item.first->results[i].isTensor()) ? 0 : 1;
    ValueInfo &result = joined.emplace_back(given[from][i]);
    if (fails[1 - from] ||
        (from == 0 ? item.second : item.first)->results[i].isNone()) {
      joinInto(result, given[from][i], item, i);
      continue;
    }
    const ValueInfo &other = given[1 - from][i];
    if (result.dtype != other.dtype)
      return invalidArgumentError(
                 strCat("expected both branches to give result ", i,
                        " as dtype ", dtypeTfName(result.dtype), ", got ",
                        dtypeTfName(other.dtype)))
          .withNode(item.node->name());
    if (isList(result) && isList(other)) {
      HandleInfo &list = *result.handle;
      if (list.slot != other.handle->slot) {
        list.slot = listSlot(item, strCat("result ", i), list.slot);
        slotSpace.copy(list.slot, other.handle->slot, space);
      }
      if (!space.equal(list.size, other.handle->size))
        list.size = Dim::unknown();
    } else if (isArray(result) && isArray(other) &&
               result.handle->dtype == other.handle->dtype &&
               result.handle->slot != other.handle->slot) {
      int &slot = result.handle->slot;
      slot = pickedSlot(item, strCat("result ", i), slot, other.handle->slot);
    } else if (!sameHandle(result, other)) {
      result.handle.reset();
    }
    if (result.dynamicVariable != other.dynamicVariable)
      result.dynamicVariable = -1;
    joinInto(result, other, item, i);
  }
  bindOwnDims(item, joined);
  for (size_t i = 0; i < item.results.size(); ++i)
    current->tensors[Scope::key(item.results[i])] = std::move(joined[i]);
  return okStatus();
}

Status SymbolicInference::inferTest(const Item &item, const Loop &loop,
                                    std::vector<ValueInfo> &forwarded) {
  const Block &before = *item.first;
  Scope *outer = current;
  Scope &first = newScope(before, outer, /*isInlined=*/false);
  first.isInvariant = loop.isInvariant;
  for (size_t i = 0; i < before.args.size(); ++i) {
    first.tensors[Scope::key(before.args[i])] = loop.carried[i];
    if (loop.isInvariant[i])
      first.aliases[Scope::key(before.args[i])] = {outer,
                                                   item.operands[i].output()};
  }
  bindOwnDims(item, loop.carried);
  {
    DimSpace::Region region(space, first.region, /*isAlwaysRun=*/true);
    KILN_RETURN_IF_ERROR(inferBlock(first));
  }
  current = &first;
  for (const PlanValue &result : before.results)
    forwarded.push_back(info(result.output()));
  current = outer;
  // The first block is the last that runs.
  outer->bound.insert(first.bound.begin(), first.bound.end());
  return okStatus();
}

Status SymbolicInference::inferBody(const Item &item, const Loop &loop,
                                    std::vector<ValueInfo> forwarded) {
  const Block &before = *item.first, &body = *item.second;
  Scope *outer = current;
  // Values of the first block are seen in the second by forwarding alone.
  Scope &second = newScope(body, outer, /*isInlined=*/false);
  for (size_t i = 0; i < forwarded.size(); ++i) {
    second.tensors[Scope::key(body.args[i])] = forwarded[i];
    Output passed = passedOn(before, before.results[i].output());
    int arg = indexOf(before.args, passed);
    if (arg < 0 ? !kiln::giverOf(before, passed)
                : loop.isInvariant[static_cast<size_t>(arg)]) {
      auto alias = std::pair(
          outer,
          arg < 0 ? passed : item.operands[static_cast<size_t>(arg)].output());
      second.aliases[Scope::key(body.args[i])] = alias;
      outer->aliases[Scope::key(item.results[i])] = alias;
    }
    outer->tensors[Scope::key(item.results[i])] = std::move(forwarded[i]);
  }
  second.mayNotRun = true;
  DimSpace::Region region(space, second.region);
  return inferBlock(second);
}

Status SymbolicInference::joinNext(const Item &item, size_t i, Loop &loop) {
  Scope *outer = std::exchange(current, &scopeOf(*item.second));
  const ValueInfo next = info(item.second->results[i].output());
  ValueInfo &carried = loop.carried[i];
  const bool areArrays = isArray(carried) && isArray(next) &&
                         next.handle->dtype == carried.handle->dtype;
  if (int slot = areArrays ? carried.handle->slot : -1;
      areArrays && slot != next.handle->slot) {
    carried.handle->slot =
        pickedSlot(item, strCat("carried ", i), slot, next.handle->slot);
    loop.isStable &= carried.handle->slot == slot;
  }
  current = outer;
  if (areArrays)
    return okStatus();
  if (isList(carried) && isList(next)) {
    HandleInfo &list = *carried.handle;
    slotSpace.copy(list.slot, next.handle->slot, space);
    if (!list.size.isUnknown() && !space.equal(list.size, next.handle->size)) {
      list.size = Dim::unknown();
      loop.isStable = false;
    }
    return okStatus();
  }
  if (next.dtype != carried.dtype || !sameHandle(next, carried))
    return invalidArgumentError(
               strCat("expected the body to give result ", i, " as ",
                      next.dtype == carried.dtype
                          ? "the handle that it takes"
                          : strCat("dtype ", dtypeTfName(carried.dtype)),
                      ", got ",
                      next.dtype == carried.dtype
                          ? "another"
                          : std::string(dtypeTfName(next.dtype))))
        .withNode(item.node->name());
  if (joinInto(carried, next, item, i))
    loop.isStable = false;
  return okStatus();
}

Status SymbolicInference::inferLoop(const Item &item, Loop &loop) {
  const int64_t changesBefore = slotSpace.changes();
  std::vector<ValueInfo> forwarded;
  KILN_RETURN_IF_ERROR(inferTest(item, loop, forwarded));
  const DynamicVariables::Places tested = dynamic.place();
  KILN_RETURN_IF_ERROR(inferBody(item, loop, std::move(forwarded)));
  loop.isStable = true;
  if (scopeOf(*item.second).failure) { // no iteration ends
    loop.isStable = slotSpace.changes() == changesBefore;
    dynamic.returnTo(tested);
    return okStatus();
  }
  for (size_t i = 0; i < loop.carried.size(); ++i)
    if (!loop.isInvariant[i])
      KILN_RETURN_IF_ERROR(joinNext(item, i, loop));
  if (slotSpace.changes() != changesBefore)
    loop.isStable = false;
  // What an iteration begins with is what was there before, or what an
  // iteration left behind.
  DynamicVariables::Places behind = dynamic.place();
  dynamic.returnTo(loop.atEntry);
  dynamic.join(behind);
  loop.isStable &= dynamic.place() == loop.atEntry;
  loop.atEntry = dynamic.place();
  dynamic.returnTo(tested);
  return okStatus();
}

/// Checks what a For counts with.
static Status checkCounters(std::span<const ValueInfo> counters) {
  constexpr const char *names[] = {"start", "limit", "delta"};
  for (size_t i = 0; i < counters.size(); ++i)
    if (const SymShape &shape = counters[i].shape;
        shape.rankKnown && shape.rank() != 0)
      return invalidArgumentError(
          strCat(names[i], " must be a scalar, got shape ", toString(shape)));
  return okStatus();
}

Status SymbolicInference::inferWhile(const Item &item) {
  Loop loop{.isInvariant = invariantsOf(item)};
  for (size_t i = 0; i < item.operands.size(); ++i) {
    ValueInfo value = info(item.operands[i].output());
    // Elements that the body computes are others in another iteration.
    if (!loop.isInvariant[i])
      value.contents.reset();
    if (!loop.isInvariant[i] && isList(value) &&
        !lists.taken.contains({&item, i}))
      value.handle->slot =
          listSlot(item, strCat("carried ", i), value.handle->slot);
    loop.carried.push_back(std::move(value));
  }
  if (roleOf(*item.node) == OpRole::For)
    KILN_RETURN_IF_ERROR(checkCounters(std::span(loop.carried).first(3))
                             .withNode(item.node->name()));
  size_t guards = space.symbols().guards.size();
  loop.atEntry = dynamic.place();
  while (!loop.isStable) {
    space.dropGuards(guards);
    dynamic.returnTo(loop.atEntry);
    KILN_RETURN_IF_ERROR(inferLoop(item, loop));
  }
  return okStatus();
}

} // namespace kiln
