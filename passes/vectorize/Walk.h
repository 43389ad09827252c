// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the rows and columns of a matrix that is not written down lie in memory.
#ifndef KILN_PASSES_VECTORIZE_WALK_H
#define KILN_PASSES_VECTORIZE_WALK_H

#include "passes/vectorize/KernelBuilder.h"

namespace kiln::passes {

/// A loop over a buffer: how often, and how far apart in elements.
struct Stretch {
  mlir::Value count, stride;
};

/// How the rows of a matrix, or its columns, lie in memory: row (i, j, k) is at
/// i * loops[0].stride + j * loops[1].stride + k * loops[2].stride, and rows
/// are numbered with the last index running. The last loop is a *run*: the code
/// steps through it by its stride; those around it are counted.
struct Walk {
  llvm::SmallVector<Stretch, 4> loops;

  const Stretch &run() const { return loops.back(); }
  llvm::ArrayRef<Stretch> around() const {
    return llvm::ArrayRef(loops).drop_back();
  }
  mlir::Value count(KernelBuilder &k) const;
  mlir::Value runs(KernelBuilder &k) const;
  /// Where run number \p run begins.
  mlir::Value offsetOf(mlir::Value run, KernelBuilder &k) const;
  /// The index of loop number \p loop in run number \p run.
  mlir::Value indexOf(size_t loop, mlir::Value run, KernelBuilder &k) const;
  /// Fewer, longer loops of the same elements in the same order, and at least
  /// one, inside of the outermost ones that are kept.
  void simplify(KernelBuilder &k, size_t kept = 0);
};

/// Which products of windows are left out (kiln.convolve): those of elements
/// outside of [begin, end) along a dimension of the image. Index i of loop
/// rowLoop of the rows, which is no run, and index j of loop depthLoop of K
/// make first + i * rowStep + j * depthStep.
struct Padding {
  mlir::Value begin, end, first, rowStep, depthStep;
  size_t rowLoop, depthLoop;

  /// Where a run of rows is, but for what K adds to it.
  mlir::Value beginOf(const Walk &rows, mlir::Value run,
                      KernelBuilder &k) const;
  /// From there, whether a run of K is inside, whose loop this is not.
  mlir::Value isInside(mlir::Value at, const Walk &depth, mlir::Value run,
                       KernelBuilder &k) const;
  /// Which elements [first, second) of each run of K, whose loop this is, are
  /// inside for a run of rows.
  std::pair<mlir::Value, mlir::Value>
  partOfRun(const Walk &rows, mlir::Value run, KernelBuilder &k) const;
};

} // namespace kiln::passes

#endif // KILN_PASSES_VECTORIZE_WALK_H
