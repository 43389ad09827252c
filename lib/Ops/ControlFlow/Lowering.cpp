// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers ops that pass values on: they leave nothing behind, and references
// stay references.
#include "lib/Import/LoweringRegistry.h"

namespace kiln {
namespace {

Status lowerForward(LoweringContext &ctx) {
  ctx.forward(0, 0);
  return okStatus();
}

Status lowerSwitch(LoweringContext &ctx) {
  ctx.forward(0, 0);
  ctx.forward(1, 0);
  return okStatus();
}

Status lowerIdentityN(LoweringContext &ctx) {
  for (int i = 0; i < ctx.numInputs(); ++i)
    ctx.forward(i, i);
  return okStatus();
}

Status lowerSnapshot(LoweringContext &ctx) {
  ctx.setOutput(0, ctx.input(0));
  return okStatus();
}

Status lowerToBool(LoweringContext &ctx) {
  ctx.setOutput(0, ctx.truth(0));
  return okStatus();
}

} // namespace

void registerControlFlowLowerings(LoweringRegistry &registry) {
  registry.addMoves({{"Identity", lowerForward},
                     {"IdentityN", lowerIdentityN},
                     {"Switch", lowerSwitch},
                     {"Enter", lowerForward},
                     {"Exit", lowerForward},
                     {"NextIteration", lowerForward},
                     {"LoopCond", lowerForward},
                     {"StopGradient", lowerForward},
                     {"PreventGradient", lowerForward},
                     {"Snapshot", lowerSnapshot},
                     {"ToBool", lowerToBool}});
}

} // namespace kiln
