// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves ops into fusions, in an order that all can be computed in.
#include "passes/fuse/MakeFusion.h"

#include "dialect/Kiln.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

#include <set>

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

static void makeFusion(Block &block, ArrayRef<Operation *> ops) {
  llvm::SmallPtrSet<Operation *, 16> members(ops.begin(), ops.end());
  llvm::SmallSetVector<Value, 8> inputs, outputs;
  SmallVector<Location> locations;
  for (Operation *op : ops) {
    locations.push_back(op->getLoc());
    for (Value operand : op->getOperands())
      if (Operation *def = operand.getDefiningOp();
          !def || !members.contains(def))
        inputs.insert(operand);
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !members.contains(user);
          }))
        outputs.insert(result);
  }
  OpBuilder builder(block.getTerminator());
  Location loc = FusedLoc::get(builder.getContext(), locations);
  auto fusion = FusionOp::create(
      builder, loc, TypeRange(ValueRange(outputs.getArrayRef())),
      ValueRange(inputs.getArrayRef()), ValueRange());
  Block *body = builder.createBlock(&fusion.getBody());
  IRMapping mapping;
  for (Value input : inputs)
    mapping.map(input, body->addArgument(input.getType(), input.getLoc()));
  for (Operation *op : ops)
    op->moveBefore(body, body->end());
  for (Operation *op : ops)
    for (OpOperand &use : op->getOpOperands())
      if (Value argument = mapping.lookupOrNull(use.get()))
        use.set(argument);
  builder.setInsertionPointToEnd(body);
  YieldOp::create(builder, loc, ValueRange(outputs.getArrayRef()));
  for (auto [index, result] : llvm::enumerate(fusion.getResults())) {
    Value output = outputs[index];
    output.replaceUsesWithIf(result, [&](OpOperand &use) {
      return use.getOwner()->getBlock() != body;
    });
  }
}

/// A topological order of the units that keeps program order where it can and
/// the order of effects where it matters.
static SmallVector<int> schedule(ArrayRef<FusionUnit> units,
                                 const Sources &sources) {
  llvm::DenseMap<Operation *, int> unitOf;
  for (auto [index, unit] : llvm::enumerate(units))
    for (Operation *op : unit.ops)
      unitOf[op] = index;
  SmallVector<llvm::SmallSetVector<int, 4>> users(units.size());
  SmallVector<int> waiting(units.size(), 0);
  auto addEdge = [&](int from, int to) {
    if (from != to && users[from].insert(to))
      ++waiting[to];
  };
  for (auto [index, unit] : llvm::enumerate(units))
    for (Operation *op : unit.ops)
      sources.forEach(op, [&, to = index](Operation *def) {
        addEdge(unitOf.lookup(def), to);
      });
  std::set<int> ready;
  for (int i = 0, end = units.size(); i < end; ++i)
    if (waiting[i] == 0)
      ready.insert(i);
  SmallVector<int> sorted;
  while (!ready.empty()) {
    int next = *ready.begin();
    ready.erase(ready.begin());
    sorted.push_back(next);
    for (int user : users[next])
      if (--waiting[user] == 0)
        ready.insert(user);
  }
  return sorted;
}

void makeFusions(Block &block, ArrayRef<FusionUnit> units,
                 const Sources &sources) {
  for (int index : schedule(units, sources)) {
    if (units[index].fused)
      makeFusion(block, units[index].ops);
    else
      units[index].ops.front()->moveBefore(block.getTerminator());
  }
}

} // namespace kiln::passes
