// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an op tells passes about itself (Interfaces.td), as plain values.
#ifndef KILN_DIALECT_OPFACTS_H
#define KILN_DIALECT_OPFACTS_H

#include "dialect/Types.h"

#include "mlir/IR/Operation.h"

namespace kiln::ir {

/// Where an op is computed.
enum class Placement {
  Nest,    ///< in a loop nest that other ops may share
  Kernel,  ///< alone in a fusion, by loops of its own
  Outside, ///< outside of fusions, on whole buffers
};

/// What becomes of a result with several users.
enum class Reuse {
  Stored, ///< it is computed once, and read from memory
  View,   ///< it costs nothing: each group of ops has its own
  Inline, ///< each user computes it for itself
};

/// Those of any op: Outside and Stored where it is no TensorOp.
Placement placementOf(mlir::Operation *op);
Reuse reuseOf(mlir::Operation *op);

/// Whether it is a product of matrices: most of a program's work, and code of
/// its own.
bool isContraction(mlir::Operation *op);

/// Whether the op itself, not one inside of it, may end the run: what an op
/// before it wrote stays, what one behind it writes is not written.
bool endsRuns(mlir::Operation *op);

/// The rows of Cost.def.
enum class CostKind {
#define KILN_COST(Kind, Flops, Nanoseconds, VectorOps, EvaluatorNanoseconds,   \
                  CompileNanoseconds)                                          \
  Kind,
#include "dialect/Cost.def"
};

/// How an op finds the elements that it needs along one dimension of an
/// operand, at one point of its loops (TensorOp::getLoops()).
///
/// A window adds a second loop and its dilation.
struct DimAccess {
  enum class Kind {
    Same,     ///< the loop's own index; the extents are equal
    Repeated, ///< that, or 0 where the dimension is 1, perhaps only in the run
    Strided,  ///< offset + stride * i[loop], of an operand in memory
    Picked,   ///< an element of the operand number `indices`, in memory
    None,     ///< no loop walks the dimension
  };
  Kind kind = Kind::Same;
  int loop = -1; ///< that walks the dimension, -1 for none
  int64_t offset = 0, stride = 1;
  int indices = -1; ///< the operand that is added to the index, -1 for none
  int window = -1;  ///< the loop that walks the elements of a window, backwards
                    ///< where the dilation is negative
  int64_t dilation = 1;
  /// Strided: whether the run asks for elements outside of the operand, in
  /// whose place something else is taken.
  bool mayBeOutside = false;

  static DimAccess same(int loop) { return {Kind::Same, loop}; }
  static DimAccess repeated(int loop) { return {Kind::Repeated, loop}; }
  static DimAccess strided(int loop, int64_t offset, int64_t stride) {
    return {Kind::Strided, loop, offset, stride};
  }
  static DimAccess windowed(int loop, int64_t stride, int window,
                            int64_t dilation) {
    return {Kind::Strided, loop, 0, stride, -1, window, dilation};
  }
  static DimAccess picked(int indices) {
    return {Kind::Picked, -1, 0, 1, indices};
  }
  static DimAccess none() { return {Kind::None}; }

  /// Whether the operand is read at other places than where its elements would
  /// be computed by the same loops.
  bool needsMemory() const {
    return kind == Kind::Strided || kind == Kind::Picked;
  }
  /// Whether only the run knows if a dimension of this extent is repeated.
  bool isRepeatedInRun(const Extent &extent,
                       llvm::ArrayRef<Extent> loops) const {
    return kind == Kind::Repeated && !extent.isKnown(1) &&
           extent != loops[loop];
  }
};

/// One entry a dimension of the operand.
using Access = llvm::SmallVector<DimAccess, 4>;

/// Each dimension by the loop of its number.
Access sameAccess(int64_t rank);

int64_t rankOf(mlir::Value value);

/// The shape of the first result; none where there is no result.
Extents resultExtentsOf(mlir::Operation *op);

/// The dimensions whose extent is not 1 have equal extents, in order.
bool isSameWithoutUnits(mlir::Value a, mlir::Value b);

/// Whether an integer operation, with this divisor or exponent, may be an error
/// of the run: a divisor that may be 0, an exponent that may be negative.
bool mayBeZero(mlir::Value divisor);
bool mayBeNegative(mlir::Value exponent);

} // namespace kiln::ir

#endif // KILN_DIALECT_OPFACTS_H
