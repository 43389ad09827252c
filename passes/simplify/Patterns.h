// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rewrites of kiln-simplify by topic, and the questions about splats and
// shapes that they share.
#ifndef KILN_PASSES_SIMPLIFY_PATTERNS_H
#define KILN_PASSES_SIMPLIFY_PATTERNS_H

#include "dialect/Kiln.h"
#include "dialect/Types.h"
#include "passes/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include <functional>
#include <optional>

namespace kiln::passes {

//===--- Patterns ---------------------------------------------------------===//
// Each set keeps the bits of every value (a NaN's sign and payload aside, which
// no kiln op looks at).

/// x * 1, select with equal arms, chains of casts …: Algebra.cpp.
void populateAlgebraPatterns(mlir::RewritePatternSet &patterns);

/// Chains of broadcasts, reshapes, transposes and slices: Views.cpp.
void populateViewPatterns(mlir::RewritePatternSet &patterns);

/// Elementwise ops above broadcasts and below reshapes and transposes of their
/// operands: Elementwise.cpp.
void populateElementwisePatterns(mlir::RewritePatternSet &patterns);

/// Transposes into matmuls, reductions of one element: Contractions.cpp.
void populateContractionPatterns(mlir::RewritePatternSet &patterns);

/// Known branches, values that loops carry for nothing: Regions.cpp.
void populateRegionPatterns(mlir::RewritePatternSet &patterns);

/// Moves what every iteration would compute anew before the loop, inner
/// loops first, unless it may fail: there may be no iteration. True when
/// something has moved. Regions.cpp.
bool hoistInvariants(mlir::Operation *root, mlir::RewriterBase &rewriter);

/// What constant folding may do.
struct FoldOptions {
  FoldFunction fold; ///< computes what is not integer arithmetic; may be empty
  int64_t maxElements; ///< the most elements, or products of a contraction,
                       ///< that one folding may take
};

/// Ops on constants: Fold.cpp.
void populateFoldPatterns(mlir::RewritePatternSet &patterns,
                          const FoldOptions &options);

/// Whether the op is a constant or computes from \p constants alone, none of it
/// by a contraction: what kiln-fold-tables folds.
bool dependsOnConstants(mlir::Operation *op,
                        const llvm::DenseSet<mlir::Value> &constants);

//===--- Splats -----------------------------------------------------------===//

mlir::RankedTensorType tensorTypeOf(mlir::Value value);
mlir::Type elementTypeOf(mlir::Value value);

/// The element that a splat constant repeats, or null.
mlir::TypedAttr splatElement(mlir::Value value);

/// Whether the value is a splat of exactly this number; 0.0 is not -0.0.
bool isSplatOf(mlir::Value value, double number);

/// A splat constant; its attribute has one element whatever the shape.
mlir::Value createSplat(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::RankedTensorType type, mlir::TypedAttr element);

/// A splat of a number in the element type of `type`.
mlir::Value createNumber(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::RankedTensorType type, double number);

/// A constant op for a value of the type's shape: a splat where all elements
/// are equal.
mlir::Value createConstant(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::RankedTensorType type,
                           mlir::DenseElementsAttr value);

//===--- Shapes -----------------------------------------------------------===//

/// `operand` under another shape; itself where the shape is its own.
mlir::Value createReshape(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value operand,
                          llvm::ArrayRef<ir::Extent> shape);

/// The dimensions but those that are statically 1.
ir::Extents withoutUnits(llvm::ArrayRef<ir::Extent> shape);

/// The scalar that `value` repeats: the operand of a broadcast of rank 0, or
/// null.
mlir::Value broadcastScalar(mlir::Value value);

} // namespace kiln::passes

#endif // KILN_PASSES_SIMPLIFY_PATTERNS_H
