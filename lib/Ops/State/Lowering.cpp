// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers variables and assignments.
//
// Reference ops (Assign ...) and resource ops (AssignVariableOp ...) have the
// same inputs; the former also give a view of their variable.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {
namespace {

using Context = LoweringContext;

//===--- Variables --------------------------------------------------------===//

Status lowerVariable(Context &ctx) { return ctx.declareVariable(); }

Status lowerReadVariable(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int variable, ctx.variable(0));
  ctx.setOutput(0, ctx.readVariable(variable));
  return okStatus();
}

Status lowerIsInitialized(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int variable, ctx.variable(0));
  ctx.setOutput(0, ctx.isInitialized(variable));
  return okStatus();
}

Status lowerAssign(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int variable, ctx.variable(0));
  return ctx.finishUpdate(variable, ctx.input(1));
}

template <class Op> Status lowerAssignUpdate(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int variable, ctx.variable(0));
  Value delta = ctx.input(1), old = ctx.readVariable(variable);
  return ctx.finishUpdate(variable, ctx.ir().binary<Op>(old, delta));
}

} // namespace

void registerStateLowerings(LoweringRegistry &registry) {
  registry.addMoves({{"VariableV2", lowerVariable},
                     {"VarHandleOp", lowerVariable},
                     {"ReadVariableOp", lowerReadVariable},
                     {"IsVariableInitialized", lowerIsInitialized},
                     {"VarIsInitializedOp", lowerIsInitialized},
                     {"Assign", lowerAssign},
                     {"AssignVariableOp", lowerAssign}});
  registry.add({{"AssignAdd", lowerAssignUpdate<ir::AddOp>},
                {"AssignAddVariableOp", lowerAssignUpdate<ir::AddOp>},
                {"AssignSub", lowerAssignUpdate<ir::SubOp>},
                {"AssignSubVariableOp", lowerAssignUpdate<ir::SubOp>}});
}

} // namespace kiln
