// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the values of a slice lie, and for how long: found once a group, for
// all its slices and threads.
#ifndef KILN_LIB_EVAL_SLICELAYOUT_H
#define KILN_LIB_EVAL_SLICELAYOUT_H

#include "lib/Eval/ElementwiseRun.h"
#include "lib/Eval/Slices.h"

namespace kiln::eval {

/// What all threads share of a group that runs. Everything is borrowed.
struct SlicePlan {
  const Interpreter &outside; ///< holds the inputs
  std::span<const Op *const> steps;
  const std::unordered_map<ValueId, size_t> &made; ///< results by step
  std::span<const SliceGroup::Input> inputs;
  std::span<const SliceGroup::Output> outputs;
  int prefix;
  int64_t numRows;
  int64_t rowsOfSlice = 0; ///< which the layout does not depend on
};

/// How a slice is run.
///
/// Elementwise ops that follow each other are run together, block by block. A
/// result that only they read has a block, in memory that stays in the first
/// cache. All others lie in a few buffers of a slice. Either is used again once
/// no value in it is needed; what ops that are run together read is not written
/// by one of them, so a result never lies where its own operand does.
struct SliceLayout {
  struct Step {
    /// Without a loop where the interpreter runs the op.
    BlockOp blocks;
    int buffer = -1; ///< that of the result; -1 for none
    /// A comparison that the select behind it makes itself.
    bool isFolded = false;
  };
  std::vector<Step> steps;          ///< those of the plan
  std::vector<int64_t> bytesPerRow; ///< by buffer
  int64_t blockBytes = 0;           ///< of all blocks together
  std::vector<bool> isPlaced;       ///< by output: it is made where it is to
                                    ///< be, not copied there
};
SliceLayout layOutSlice(const SlicePlan &plan);

} // namespace kiln::eval

#endif // KILN_LIB_EVAL_SLICELAYOUT_H
