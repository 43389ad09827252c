// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Joins values that flow into one another through branches and loops to classes
// of one place.
#include "dialect/Types.h"
#include "passes/bufferize/BufferAssignment.h"
#include "passes/schedule/InPlace.h"

#include <functional>
#include <map>

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
namespace {

/// `from` becomes `to`, which is copied unless they have one place.
struct Flow {
  Value from, to;
};

/// By how many loops are around them: the ones that happen most often first.
using Flows = std::map<int64_t, SmallVector<Flow>, std::greater<>>;

int64_t depthOf(Operation *op) {
  int64_t depth = 0;
  for (; op; op = op->getParentOp())
    depth += isa<WhileOp>(op);
  return depth;
}

Flows flowsOf(func::FuncOp function) {
  Flows flows;
  auto add = [&](ValueRange from, ValueRange to, int64_t depth) {
    for (auto [source, target] : llvm::zip_equal(from, to))
      flows[depth].push_back({rootOf(source), target});
  };
  function.walk([&](Operation *op) {
    int64_t depth = depthOf(op);
    if (auto loop = dyn_cast<WhileOp>(op)) {
      add(loop.getCondition().getValues(), loop.getAfter().getArguments(),
          depth);
      add(loop.getYield().getValues(), loop.getBefore().getArguments(), depth);
      add(loop.getInits(), loop.getBefore().getArguments(), depth - 1);
    } else if (auto branch = dyn_cast<IfOp>(op)) {
      for (Block *block : {&branch.thenBlock(), &branch.elseBlock()})
        add(block->getTerminator()->getOperands(), branch.getResults(), depth);
    }
  });
  return flows;
}

} // namespace

/// Whether a value's place is ours to choose: feeds, constants and what is read
/// of a variable have theirs, and a kernel takes memory for what it finds out.
bool BufferAssignment::isFree(Value root) const {
  if (Operation *op = root.getDefiningOp())
    return !isa<ConstantRefOp, VarReadOp>(op) &&
           !(isa<RuntimeCallOp>(op) && isLate(root));
  return isa<WhileOp>(root.getParentBlock()->getParentOp());
}

void BufferAssignment::joinFlows() {
  // An argument of a loop's second region and the result beside it are one
  // value, behind the condition.
  function.walk([&](WhileOp loop) {
    for (auto [argument, result] :
         llvm::zip_equal(loop.getAfter().getArguments(), loop.getResults()))
      classes.unionSets(argument, result);
    for (Value argument : loop.getBefore().getArguments())
      classes.insert(argument);
  });
  function.walk([&](IfOp branch) {
    for (Value result : branch.getResults())
      classes.insert(result);
  });
  for (const auto &[depth, flows] : flowsOf(function))
    for (const Flow &flow : flows)
      if (isFree(flow.from))
        tryJoin(flow.from, flow.to);
}

bool BufferAssignment::tryJoin(Value a, Value b) {
  classes.insert(a);
  if (classes.isEquivalent(a, b))
    return true;
  for (auto x = classes.findLeader(a); x != classes.member_end(); ++x)
    for (auto y = classes.findLeader(b); y != classes.member_end(); ++y)
      if (!mayShare(*x, *y))
        return false;
  classes.unionSets(a, b);
  return true;
}

/// Whether two values can have one place: they are not needed at once, have one
/// size where the run finds it out, and a fusion that computes one from the
/// other reads each element for the last time before it writes it.
bool BufferAssignment::mayShare(Value a, Value b) {
  if (lifetimeOf(a).overlaps(lifetimeOf(b)) ||
      ((isLate(a) || isLate(b)) && extentsOf(a) != extentsOf(b)))
    return false;
  auto canBeMadeOver = [](Value made, Value old) {
    auto fusion = made.getDefiningOp<FusionOp>();
    if (!fusion)
      return true;
    unsigned result = cast<OpResult>(made).getResultNumber();
    for (auto [index, operand] : llvm::enumerate(fusion.getIns()))
      if (rootOf(operand) == old &&
          !canWriteInPlace(fusion, result, fusion.getBody().getArgument(index)))
        return false;
    return true;
  };
  return canBeMadeOver(a, b) && canBeMadeOver(b, a);
}

/// One place for the values of a class: a slot for numbers, or the result that
/// the last of them is returned as, else a temporary.
void BufferAssignment::placeClass(Value leader) {
  int64_t first = INT64_MAX, last = 0;
  Value latest = leader;
  bool inLoop = false;
  for (auto it = classes.findLeader(leader); it != classes.member_end(); ++it) {
    Value value = *it;
    const Lifetime &lifetime = lifetimeOf(value);
    inLoop |= isInLoop(value);
    if (numbers.definition(value) > numbers.definition(latest))
      latest = value;
    first = std::min(first, lifetime.first() / 2);
    last = std::max(last, lifetime.last() / 2);
    // Copies at the end of an iteration or a branch read other temporaries
    // while they write this one.
    Operation *op = value.getDefiningOp();
    if (auto argument = dyn_cast<BlockArgument>(value))
      op = argument.getOwner()->getParentOp();
    if (isa<IfOp, WhileOp>(op)) {
      first = std::min(first, numbers.begin(op));
      last = std::max(last, numbers.end(op));
    }
  }
  Place place;
  if (!isNumber(leader) && !isLate(leader))
    for (const Place &destination : storage[latest].destinations)
      if (!destination.isVariable())
        place = destination;
  if (!place.isValid())
    place = addTemporary(leader, first, last, inLoop);
  if (isLate(leader))
    setMemory(place, Memory::kept);
  for (auto it = classes.findLeader(leader); it != classes.member_end(); ++it)
    storage[*it].home = place;
}

} // namespace kiln::passes
