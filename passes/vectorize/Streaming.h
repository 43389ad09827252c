// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stores that go past the caches, where a schedule asks for them.
#ifndef KILN_PASSES_VECTORIZE_STREAMING_H
#define KILN_PASSES_VECTORIZE_STREAMING_H

#include "passes/schedule/StreamingChoice.h"

#include "mlir/IR/Builders.h"

#include <utility>

namespace kiln::passes {

/// Loops that stream: a streamed store writes whole lines to memory, by vectors
/// that must not cross one.
///
/// Bits are the same. Threads see what was streamed once the one that did has
/// passed a fence: emitStreamedOrNot() and kiln-parallelize emit them.
class Streaming {
public:
  /// `multiples`: symbols that are multiples of 16 wherever these loops run.
  explicit Streaming(llvm::SmallVector<int64_t, 2> multiples)
      : multiples(std::move(multiples)) {}

  /// Whether the element at \p offset of a result is known to begin a group of
  /// 16, which are then aligned as their buffer is.
  bool isAligned(mlir::Value offset) const { return isAligned(offset, 0); }

private:
  bool isAligned(mlir::Value offset, int depth) const;

  llvm::SmallVector<int64_t, 2> multiples;
};

/// Calls \p emit for loops with streamed stores, with null for others, or for
/// both where the run decides, as \p choice has it.
void emitStreamedOrNot(ir::FusionOp fusion, const StreamingChoice &choice,
                       mlir::OpBuilder &builder,
                       llvm::function_ref<void(const Streaming *)> emit);

/// Stores a vector of 16 lanes, streamed where \p streaming is given and allows
/// it.
void emitVectorStore(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value vector, mlir::Value buffer, mlir::Value offset,
                     const Streaming *streaming);

bool isStreamedStore(mlir::Operation *op);

/// Makes streamed stores seen by threads that synchronize with this one.
void emitStreamFence(mlir::OpBuilder &builder, mlir::Location loc);

} // namespace kiln::passes

#endif // KILN_PASSES_VECTORIZE_STREAMING_H
