// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers special functions to kernels of their names, element by element.
#include "lib/Import/LoweringRegistry.h"

namespace kiln {
namespace {

Status lowerFunction(LoweringContext &ctx) {
  llvm::SmallVector<Value> operands;
  for (int i = 0; i < ctx.numInputs(); ++i) {
    Value x = ctx.input(i);
    operands.push_back(ctx.ir().broadcast(
        x, ctx.ir().tensorType(ctx.outputDims(), IrBuilder::elementOf(x))));
  }
  ctx.setOutput(0, ctx.ir().kernelCall(ctx.opDef().canonicalName, operands,
                                       ctx.outputType()));
  return okStatus();
}

} // namespace

void registerSpecialLowerings(LoweringRegistry &registry) {
  for (const char *function :
       {"BesselJ0", "BesselJ1", "BesselK0", "BesselK0e", "BesselK1",
        "BesselK1e", "BesselY0", "BesselY1", "Betainc", "Dawsn", "Expint",
        "FresnelCos", "FresnelSin", "IgammaGradA", "NextAfter",
        "RandomGammaGrad", "Spence"})
    registry.add({{function, lowerFunction}});
}

} // namespace kiln
