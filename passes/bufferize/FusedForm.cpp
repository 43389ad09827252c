// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of fused functions; the verifiers of the ops have checked the rest.
#include "passes/bufferize/FusedForm.h"

#include "dialect/Kiln.h"
#include "dialect/Traits.h"
#include "dialect/Types.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

/// Whether values of the type can lie in a buffer of the table.
static bool isKilnTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && hasNamedDimensions(tensor) &&
         isElement(tensor.getElementType());
}

static bool isFusedOp(Operation &op) {
  auto tensorOp = dyn_cast<TensorOp>(op);
  return tensorOp ? tensorOp.getPlacement() == Placement::Outside
                  : isa<IfOp, WhileOp, ConditionOp, YieldOp, BindOp, DefineOp,
                        GuardOp, func::ReturnOp>(op);
}

static LogicalResult verifyBlock(Block &block) {
  for (Operation &op : block) {
    if (!isFusedOp(op))
      return op.emitOpError("expected an op that kiln-fuse leaves");
    for (Type type : op.getOperandTypes())
      if (!isKilnTensor(type))
        return op.emitOpError("expected operands that are tensors with named "
                              "dimensions, got ")
               << type;
    if (isa<IfOp, WhileOp>(op))
      for (Region &region : op.getRegions())
        if (failed(verifyBlock(region.front())))
          return failure();
  }
  return success();
}

LogicalResult verifyFusedForm(func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("expected a body of one block, got ")
           << function.getBlocks().size() << " blocks";
  for (Type type : function.getArgumentTypes())
    if (!isKilnTensor(type))
      return function.emitOpError("expected arguments that are tensors with "
                                  "named dimensions, got ")
             << type;
  return verifyBlock(function.front());
}

} // namespace kiln::passes
