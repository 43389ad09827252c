// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds constants of a program's table, by the evaluator.
#ifndef KILN_LIB_JIT_FOLDEDCONSTANTS_H
#define KILN_LIB_JIT_FOLDEDCONSTANTS_H

#include "lib/Translate/Fold.h"
#include "passes/Passes.h"

#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace kiln {

/// A context's, told of the program that is compiled. Thread safety: one
/// thread.
class FoldedConstants final : public passes::ConstantTable {
public:
  /// Whose table is the one from now on; null for none. Borrowed.
  void setTable(std::vector<Tensor> *constants) { table = constants; }

  mlir::LogicalResult compute(mlir::Operation *op) override;
  mlir::FailureOr<int64_t> append(mlir::Value value) override;
  void clear() override { values.clear(); }
  mlir::FailureOr<int64_t> appendPanels(int64_t index, int64_t depth,
                                        int64_t columns, int64_t width,
                                        bool transposed) override;
  void release(int64_t index) override;

private:
  std::optional<FoldedValue> valueOf(mlir::Value value) const;

  std::vector<Tensor> *table = nullptr;
  llvm::DenseMap<mlir::Value, FoldedValue> values; ///< that were computed
};

} // namespace kiln

#endif // KILN_LIB_JIT_FOLDEDCONSTANTS_H
