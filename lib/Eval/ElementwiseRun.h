// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise ops over the same number of elements, run together block by
// block.
#ifndef KILN_LIB_EVAL_ELEMENTWISERUN_H
#define KILN_LIB_EVAL_ELEMENTWISERUN_H

#include "lib/Eval/ElementwiseKernels.h"
#include "lib/Eval/Interpreter.h"

#include <array>
#include <deque>

namespace kiln::eval {

/// The loop of an elementwise op; null for any other op.
Kernel elementwiseKernel(mlir::Operation *op);

/// Ops that wait to be run over one block after the other, so that a block
/// stays in the first cache from op to op. Their results are bound, and have
/// their contents after run().
class ElementwiseRun {
public:
  explicit ElementwiseRun(Interpreter &interpreter)
      : interpreter(interpreter) {}

  /// Takes an op of elementwiseKernel(); runs those before it where it has
  /// another number of elements, or only repeats one.
  Status add(mlir::Operation *op, Kernel kernel);
  /// Runs what waits. **Errors**: that of an element, of the first block that
  /// has one; CANCELLED, DEADLINE_EXCEEDED.
  Status run();

private:
  static constexpr int64_t blockElements = 512;
  static constexpr int64_t blocksBetweenPolls = 1024;

  /// One element, repeated.
  struct alignas(64) SplatBlock {
    std::array<char, blockElements * sizeof(double)> bytes;
    uint64_t element = 0;
    size_t size = 0; ///< of what it is filled with; 0 at first
  };
  /// An operand as the blocks see it.
  struct BlockInput {
    const char *data = nullptr;
    int64_t step = 0; ///< bytes from element to element; 0 for a splat, whose
                      ///< block is always the same
  };
  struct Call {
    mlir::Operation *op;
    Kernel kernel;
    std::array<BlockInput, 3> inputs;
    char *out;
    int64_t outStep;
  };

  const char *splatOf(const Tensor &element);

  Interpreter &interpreter;
  llvm::SmallVector<Call, 8> calls;
  int64_t count = 0; ///< elements of each of them
  std::deque<SplatBlock> splats;
  size_t usedSplats = 0;
};

} // namespace kiln::eval

#endif // KILN_LIB_EVAL_ELEMENTWISERUN_H
