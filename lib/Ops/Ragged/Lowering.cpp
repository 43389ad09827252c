// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers the gradient of filled rows to a kernel of the runtime; the other ops
// on ragged tensors have host kernels.
#include "lib/Import/LoweringRegistry.h"

namespace kiln {

void registerRaggedLowerings(LoweringRegistry &registry) {
  registry.addMoves({{"RaggedFillEmptyRowsGrad", [](LoweringContext &ctx) {
                        ctx.callKernel("FillEmptyRowsGradient",
                                       ctx.allInputs());
                        return okStatus();
                      }}});
}

} // namespace kiln
