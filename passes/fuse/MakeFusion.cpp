// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves ops into a fusion.
#include "passes/fuse/MakeFusion.h"

#include "dialect/Kiln.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

void makeFusion(Block &block, ArrayRef<Operation *> ops) {
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

} // namespace kiln::passes
