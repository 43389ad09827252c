// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a fusion or runtime call computes and moves, as formulas in the symbols
// of the run.
#ifndef KILN_PASSES_ANALYSIS_REGIONCOST_H
#define KILN_PASSES_ANALYSIS_REGIONCOST_H

#include "dialect/Kiln.h"

namespace kiln::passes {

/// A sum of products: each array is a factor, then symbols of the executable's
/// symbol table in order.
using CostFormula = llvm::SmallVector<llvm::SmallVector<int64_t, 4>, 4>;

/// Counts floating-point operations as Cost.def does; and the bytes of the
/// buffers, each once, as an ideal cache would move them.
struct RegionCost {
  CostFormula flops;
  CostFormula bytesRead;
  CostFormula bytesWritten;
};

/// The cost of a bufferized ir::FusionOp or ir::RuntimeCallOp.
RegionCost regionCost(mlir::Operation *op);

} // namespace kiln::passes

#endif // KILN_PASSES_ANALYSIS_REGIONCOST_H
