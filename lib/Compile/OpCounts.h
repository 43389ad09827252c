// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What became of the graph's operations in a module after decompose.
#ifndef KILN_LIB_COMPILE_OPCOUNTS_H
#define KILN_LIB_COMPILE_OPCOUNTS_H

#include "lib/Exec/RunEstimate.h"
#include "lib/Plan/ir/Block.h"

#include "mlir/IR/BuiltinOps.h"

namespace kiln {

/// Counted are nodes; constants, placeholders, variables and NoOp only where
/// something is left to be done for them (a fetched variable is read).
struct OpCounts {
  int64_t native = 0;      ///< nodes with an op of the dialect left
  int64_t runtime = 0;     ///< those that are calls of the runtime
  int64_t foreign = 0;     ///< of these, those that another library computes
  int64_t folded = 0;      ///< nodes of which nothing is left
  RunEstimate evaluatorNs; ///< beyond what native code takes
  /// Writes and calls behind all of which it is not known how long they take.
  std::vector<mlir::Operation *> lastEffects;
  /// How long the rest of the compilation would take.
  double compileNs = 0;
};

OpCounts countOps(mlir::ModuleOp module, const Block &root, int threads);

} // namespace kiln

#endif // KILN_LIB_COMPILE_OPCOUNTS_H
