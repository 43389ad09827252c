// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers the ops that users add, and what another library computes: a call of
// a kernel.
#include "lib/Import/LoweringRegistry.h"
#include "lib/OpDefs/Foreign.h"
#include "lib/OpDefs/HostOps.h"
#include "lib/Support/StatusMacros.h"

#include <bit>

namespace kiln {

/// Calls a kernel that works on whole tensors: its own number first, then the
/// dtypes of inputs and outputs, negative ones of what nothing reads.
static void callOnTensors(LoweringContext &ctx, llvm::StringRef kernel,
                          int64_t number, int firstInput = 0) {
  llvm::SmallVector<int64_t> numbers{number};
  llvm::SmallVector<Value> inputs;
  for (int i = firstInput; i < ctx.numInputs(); ++i) {
    numbers.push_back(static_cast<int64_t>(ctx.inputDType(i)));
    inputs.push_back(ctx.input(i));
  }
  for (int i = 0; i < ctx.numOutputs(); ++i) {
    auto dtype = static_cast<int64_t>(ctx.outputDType(i));
    numbers.push_back(ctx.isLive(i) ? dtype : -dtype);
  }
  ctx.callKernel(kernel, inputs, numbers);
}

Status lowerForeign(LoweringContext &ctx) {
  KILN_ASSIGN_OR_RETURN(int64_t call, prepareForeign(ctx.node()));
  callOnTensors(
      ctx, isForeign(ctx.opDef()) ? ctx.opDef().kernel : foreignKernel, call);
  return okStatus();
}

Status lowerBody(LoweringContext &ctx) {
  const OpDef &def = ctx.opDef();
  callOnTensors(ctx, def.has(acts) ? hostEffectKernel : hostBodyKernel,
                ctx.addBody(), numHandlesOf(def));
  return okStatus();
}

Status lowerUserOp(LoweringContext &ctx) {
  const OpDef &def = ctx.opDef();
  llvm::SmallVector<int64_t> numbers;
  for (const AttrDef &attr : def.attrs)
    switch (attr.kind) {
    case AttrKind::Float:
      numbers.push_back(
          std::bit_cast<int64_t>(double{ctx.floatAttr(attr.name)}));
      break;
    case AttrKind::Bool:
      numbers.push_back(ctx.boolAttr(attr.name));
      break;
    case AttrKind::Type:
      numbers.push_back(static_cast<int64_t>(ctx.typeAttr(attr.name)));
      break;
    default:
      numbers.push_back(ctx.intAttr(attr.name));
    }
  ctx.callKernel(def.kernel, ctx.allInputs(), numbers);
  return okStatus();
}

} // namespace kiln
