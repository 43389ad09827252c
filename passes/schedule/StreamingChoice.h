// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which fusions store their results past the caches.
#ifndef KILN_PASSES_SCHEDULE_STREAMINGCHOICE_H
#define KILN_PASSES_SCHEDULE_STREAMINGCHOICE_H

#include "dialect/Kiln.h"

namespace kiln::passes {

/// Whether the results of a fusion are so large that no cache holds them: a
/// plain store would first fetch the line that it overwrites, and push out one
/// that is needed.
struct StreamingChoice {
  enum class When {
    Never,
    Always,
    InLargeRuns ///< there are loops for both, and the run decides: those that
                ///< stream are for at least minBytes, and for symbols that are
                ///< multiples of 16
  };
  When when = When::Never;
  int64_t minBytes = 0;
  /// Symbols that are multiples of 16 where loops stream: lengths of rows,
  /// which are aligned then.
  llvm::SmallVector<int64_t, 2> multiples;
};

/// The choice for a bufferized fusion, where \p minBytes of results are too
/// many for the caches.
StreamingChoice chooseStreaming(ir::FusionOp fusion, int64_t minBytes);

/// Whether both are the same part of the buffer table.
bool isSameBuffer(mlir::Value a, mlir::Value b);

} // namespace kiln::passes

#endif // KILN_PASSES_SCHEDULE_STREAMINGCHOICE_H
