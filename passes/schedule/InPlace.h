// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a fusion may write a result over one of its inputs.
#ifndef KILN_PASSES_SCHEDULE_INPLACE_H
#define KILN_PASSES_SCHEDULE_INPLACE_H

#include "dialect/Kiln.h"

namespace kiln::passes {

/// True when yielded value \p result of the fusion can be stored in the buffer
/// that block argument \p input reads: every element is read for the last time
/// before (or in the same step as) it is written.
bool canWriteInPlace(ir::FusionOp fusion, unsigned result,
                     mlir::BlockArgument input);

/// True when one thread may compute the fusion for more than some 100 ms, and
/// several times as long as it copies what the fusion yields: contractions,
/// reductions, functions, draws and transposes of large or unknown extents.
bool takesLong(ir::FusionOp fusion);

} // namespace kiln::passes

#endif // KILN_PASSES_SCHEDULE_INPLACE_H
