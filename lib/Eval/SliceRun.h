// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the ops of a group on one slice after the other.
#ifndef KILN_LIB_EVAL_SLICERUN_H
#define KILN_LIB_EVAL_SLICERUN_H

#include "lib/Eval/SliceLayout.h"

namespace kiln::eval {

/// One thread's part of it. Thread safety: one thread.
class SliceRun {
public:
  SliceRun(const SlicePlan &plan, const SliceLayout &layout,
           const EvalEnvironment &environment)
      : plan(plan), layout(layout), slice(plan.outside.program, environment),
        together(slice) {}

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
