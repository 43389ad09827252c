// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers what embeddings are made of to kernels of the runtime; the other ops
// on sparse tensors have host kernels.
#include "lib/Import/LoweringRegistry.h"

namespace kiln {
namespace {

template <const char *kernel> Status lowerKernel(LoweringContext &ctx) {
  ctx.callKernel(kernel, ctx.allInputs());
  return okStatus();
}

constexpr char fillEmptyRows[] = "FillEmptyRows";
constexpr char fillGradient[] = "FillEmptyRowsGradient";
constexpr char reorder[] = "SparseReorder";
constexpr char reshape[] = "SparseReshape";

} // namespace

void registerSparseLowerings(LoweringRegistry &registry) {
  registry.addMoves({{"SparseFillEmptyRows", lowerKernel<fillEmptyRows>},
                     {"SparseFillEmptyRowsGrad", lowerKernel<fillGradient>},
                     {"SparseReorder", lowerKernel<reorder>},
                     {"SparseReshape", lowerKernel<reshape>}});
}

} // namespace kiln
