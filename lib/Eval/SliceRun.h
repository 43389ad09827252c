// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the ops of a group on one slice after the other.
#ifndef KILN_LIB_EVAL_SLICERUN_H
#define KILN_LIB_EVAL_SLICERUN_H

#include "lib/Eval/ElementwiseRun.h"
#include "lib/Eval/Slices.h"

namespace kiln::eval {

/// What all threads share of a group that runs. Everything is borrowed.
struct SlicePlan {
  const Interpreter &outside; ///< holds the inputs
  std::span<const Interpreter::Step *const> steps;
  std::span<const SliceGroup::Input> inputs;
  std::span<const SliceGroup::Output> outputs;
  int prefix;
  int64_t numRows;
  int64_t rowsOfSlice;
};

/// How a slice is run. Its results lie in a few buffers, each used again once
/// no value in it is needed; elementwise ops that follow each other share
/// blocks, which is why a result never lies where its own operand does.
struct SliceLayout {
  llvm::SmallVector<int, 16> bufferOf;       ///< by step; -1 for none
  llvm::SmallVector<Kernel, 16> kernels;     ///< by step; null where not
                                             ///< elementwise
  llvm::SmallVector<int64_t, 8> bytesPerRow; ///< by buffer
  llvm::SmallVector<bool, 4> isPlaced; ///< by output: it is made where it is to
                                       ///< be, not copied there
};
SliceLayout layOutSlice(const SlicePlan &plan);

/// One thread's part of it. Thread safety: one thread.
class SliceRun {
public:
  SliceRun(const SlicePlan &plan, const SliceLayout &layout,
           const EvalEnvironment &environment)
      : plan(plan), layout(layout), slice(environment), together(slice) {}

  Status run(int64_t index);

private:
  Status setRows(int64_t count);
  StatusOr<Tensor> viewOf(const Tensor &whole, int64_t begin) const;
  void store(const SliceGroup::Output &output, int64_t begin);

  const SlicePlan &plan;
  const SliceLayout &layout;
  Interpreter slice;
  ElementwiseRun together;
  std::vector<BufferRef> memory;
  int64_t rows = 0;
};

} // namespace kiln::eval

#endif // KILN_LIB_EVAL_SLICERUN_H
