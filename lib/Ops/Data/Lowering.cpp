// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers constants and placeholders that have a default.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {
namespace {

Status lowerConst(LoweringContext &ctx) {
  KILN_ASSIGN_OR_RETURN(const TensorConstant *value,
                        ctx.node().attrRef<TensorConstant>("value"));
  KILN_ASSIGN_OR_RETURN(Value constant, ctx.constant(*value));
  ctx.setOutput(0, constant);
  return okStatus();
}

Status lowerPlaceholderWithDefault(LoweringContext &ctx) {
  ctx.forward(0, 0);
  return okStatus();
}

} // namespace

void registerDataLowerings(LoweringRegistry &registry) {
  registry.addMoves({{"Const", lowerConst},
                     {"PlaceholderWithDefault", lowerPlaceholderWithDefault}});
}

} // namespace kiln
