// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the lowerings of quantization share: ranges of a tensor or of each place
// of an axis, and the ways in which TensorFlow converts between the integers of
// a range and the floats that they stand for.
#ifndef KILN_LIB_OPS_QUANTIZATION_LOWERINGRANGE_H
#define KILN_LIB_OPS_QUANTIZATION_LOWERINGRANGE_H

#include "lib/Import/LoweringRegistry.h"

namespace kiln {

inline Value min(IrBuilder &ir, Value x, Value y) {
  return ir.binary<ir::MinOp>(x, y);
}
inline Value max(IrBuilder &ir, Value x, Value y) {
  return ir.binary<ir::MaxOp>(x, y);
}

/// A value for each place of the axis, or a scalar, of the shape of x.
inline Value alongAxis(IrBuilder &ir, Value value, Value x, int64_t axis) {
  auto type =
      ir::withElementType(IrBuilder::typeOf(x), IrBuilder::elementOf(value));
  if (IrBuilder::typeOf(value).getRank() == 0)
    return ir.broadcast(value, type);
  return ir.broadcast(value, type, {axis});
}

/// The ends of an integer type.
struct Ends {
  double least, most;
  double width() const { return most - least; }
  /// What makes a signed number count from 0.
  double half() const { return least < 0 ? (width() + 1) / 2 : 0; }
};
Ends endsOf(DType quantized);

/// The nearest integer, of two the one farther from 0.
Value roundAway(IrBuilder &ir, Value x);
/// A quotient that TensorFlow computes in float64 and rounds to float32.
Value wideRatio(IrBuilder &ir, double numerator, Value divisor);

/// The ends of a range, float32 scalars (or, where that is said, of the shape
/// of what is converted), and the type whose integers lie in it.
struct Range {
  Value low, high;
  DType dtype;
  Ends ends() const { return endsOf(dtype); }
};

/// Input i as the integers that its elements are.
Value integersOf(LoweringContext &ctx, int i);
/// Sets output i to integers.
void setIntegers(LoweringContext &ctx, int i, Value integers);
/// Input i, which has one element at least, as a scalar: its first.
Value firstOf(LoweringContext &ctx, int i);
/// The range that inputs i and i + 1 are, of input `of`.
Range rangeAt(LoweringContext &ctx, int i, int of);

// In float32, as kernels convert that are formulas of Eigen's.
/// What integers stand for.
Value floatsIn(IrBuilder &ir, const Range &range, Value integers);
/// The integers that stand for floats, as those of their type.
Value integersIn(IrBuilder &ir, const Range &range, Value floats);

// In float64, as kernels convert single numbers; the range may have the shape
// of what is converted.
Value exactFloatsIn(IrBuilder &ir, const Range &range, Value integers);
/// As int64, which may be outside of the type.
Value openIntegersIn(IrBuilder &ir, const Range &range, Value floats);
/// As those of their type.
Value exactIntegersIn(IrBuilder &ir, const Range &range, Value floats);

/// What stands for 0, as an int32 scalar that may be outside of the type.
Value zeroOf(IrBuilder &ir, const Range &range);
/// The range of products of integers of two ranges, as those of a type.
Range rangeOfProducts(IrBuilder &ir, const Range &x, const Range &y,
                      DType dtype);

/// Between floats and the integers that stand for them.
Status lowerQuantize(LoweringContext &ctx);
Status lowerDequantize(LoweringContext &ctx);

/// Sums and products element by element; products of matrices and
/// convolutions; other ranges, activations, moves.
void registerQuantizedArithmetic(LoweringRegistry &registry);
void registerQuantizedProducts(LoweringRegistry &registry);
void registerQuantizedChannels(LoweringRegistry &registry);
void registerRequantization(LoweringRegistry &registry);

} // namespace kiln

#endif // KILN_LIB_OPS_QUANTIZATION_LOWERINGRANGE_H
