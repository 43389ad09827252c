// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers variables and assignments.
//
// Reference ops (Assign ...) and resource ops (AssignVariableOp ...) have the
// same inputs; the former also give a view of their variable.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln {
namespace {

using Context = LoweringContext;

//===--- Variables --------------------------------------------------------===//

Status lowerVariable(Context &ctx) { return ctx.declareVariable(); }

/// The node that made the variable that a reference comes from.
const Node &makerOf(const Node &node) {
  const Node *maker = &node;
  while (maker->numInputs() > 0)
    maker = maker->input(0).node;
  return *maker;
}

Status lowerDestroyTemporary(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int variable, ctx.variable(0));
  const std::string name = ctx.stringAttr("var_name");
  const Node &maker = makerOf(ctx.node());
  std::string known = maker.attrOr<std::string>("var_name", "");
  if (known.empty())
    known = maker.name();
  if (maker.op() != "TemporaryVariable" || known != name)
    return notFoundError(strCat("Resource ", name, " does not exist."))
        .withNode(ctx.node().name());
  ctx.setOutput(0, ctx.readVariable(variable));
  return okStatus();
}

Status lowerReadVariable(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int variable, ctx.variable(0));
  ctx.setOutput(0, ctx.readVariable(variable));
  return okStatus();
}

/// The read is dead, its demand of a value is not.
Status lowerDisableCopyOnRead(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int variable, ctx.variable(0));
  ctx.readVariable(variable);
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

Status lowerCountUpTo(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int variable, ctx.variable(0));
  IrBuilder &ir = ctx.ir();
  const int64_t limit = ctx.intAttr("limit");
  Value old = ctx.readVariable(variable);
  Value count = ir.cast(old, ir.elementType(DType::Int64));
  Value bound = ir.splatInt(IrBuilder::typeOf(count), limit);
  ir.failUnless(ir.compare(ir::Predicate::lt, count, bound),
                [&] { ir.fail("FailLimit", limit); });
  Value one = ir.splatInt(IrBuilder::typeOf(old), 1);
  KILN_RETURN_IF_ERROR(ctx.writeVariable(variable, ir.add(old, one)));
  ctx.setOutput(0, old);
  return okStatus();
}

} // namespace

void registerStateLowerings(LoweringRegistry &registry) {
  registry.addMoves({{"VariableV2", lowerVariable},
                     {"VarHandleOp", lowerVariable},
                     {"TemporaryVariable", lowerVariable},
                     {"DestroyTemporaryVariable", lowerDestroyTemporary},
                     {"ReadVariableOp", lowerReadVariable},
                     {"DisableCopyOnRead", lowerDisableCopyOnRead},
                     {"IsVariableInitialized", lowerIsInitialized},
                     {"VarIsInitializedOp", lowerIsInitialized},
                     {"Assign", lowerAssign},
                     {"AssignVariableOp", lowerAssign}});
  registry.add({{"AssignAdd", lowerAssignUpdate<ir::AddOp>},
                {"AssignAddVariableOp", lowerAssignUpdate<ir::AddOp>},
                {"CountUpTo", lowerCountUpTo},
                {"ResourceCountUpTo", lowerCountUpTo},
                {"AssignSub", lowerAssignUpdate<ir::SubOp>},
                {"AssignSubVariableOp", lowerAssignUpdate<ir::SubOp>}});
}

} // namespace kiln
