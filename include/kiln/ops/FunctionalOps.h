// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the rows of tensors, called in a loop.
#ifndef KILN_OPS_FUNCTIONALOPS_H
#define KILN_OPS_FUNCTIONALOPS_H

#include "kiln/ControlFlow.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kiln::ops {

// Tensors are cut along their first axis, which is of one extent in all of
// them. **Errors** of the graph: INVALID_ARGUMENT with TensorFlow's texts where
// there is no tensor, or the first is a scalar, and as whileLoop().

struct MapOptions {
  /// The types of the results, where the tensors have others.
  std::vector<DType> dtypes = {};
  int64_t parallelIterations = 10;
  bool backProp = true;
  bool swapMemory = false;
  /// Whether all results of a kind are of one shape.
  bool inferShape = true;
  std::string name = {};
};
/// What the function makes of each row, one above another. **Source**:
/// tf.map_fn, "map".
KILN_EXPORT Outputs
mapFn(const std::function<Outputs(const Outputs &rows)> &function,
      const InputList &tensors, const MapOptions &options = {});

/// Takes what there is and a row, and gives the next.
using FoldFunction =
    std::function<Outputs(const Outputs &value, const Outputs &rows)>;
struct FoldOptions {
  /// What there is at first; the first row where there is nothing.
  std::vector<Input> initializer = {};
  int64_t parallelIterations = 10;
  bool backProp = true;
  bool swapMemory = false;
  std::string name = {};
};
/// What is left in the end, from the first row to the last. **Source**:
/// tf.foldl, "foldl".
KILN_EXPORT Outputs foldl(const FoldFunction &function,
                          const InputList &tensors,
                          const FoldOptions &options = {});
/// The same from the last row to the first. **Source**: tf.foldr, "foldr".
KILN_EXPORT Outputs foldr(const FoldFunction &function,
                          const InputList &tensors,
                          const FoldOptions &options = {});

struct ScanOptions {
  /// As FoldOptions has it.
  std::vector<Input> initializer = {};
  /// From the last row to the first.
  bool reverse = false;
  int64_t parallelIterations = 10;
  bool backProp = true;
  bool swapMemory = false;
  bool inferShape = true;
  std::string name = {};
};
/// What there is after each row, one above another. **Source**: tf.scan,
/// "scan".
KILN_EXPORT Outputs scan(const FoldFunction &function, const InputList &tensors,
                         const ScanOptions &options = {});

} // namespace kiln::ops

#endif // KILN_OPS_FUNCTIONALOPS_H
