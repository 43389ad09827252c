// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on complex numbers that are taken apart, for lowerings.
#ifndef KILN_LIB_OPS_COMPLEX_LOWERINGPARTS_H
#define KILN_LIB_OPS_COMPLEX_LOWERINGPARTS_H

#include "lib/Import/LoweringRegistry.h"
#include "lib/Ops/Math/LoweringElements.h"

namespace kiln {

/// The elementary functions. Each is a formula whose steps are real; where a
/// part is 0 times an infinity it stays 0, as C has it.
namespace parts {

Parts add(IrBuilder &ir, const Parts &x, const Parts &y);
Parts sub(IrBuilder &ir, const Parts &x, const Parts &y);
Parts neg(IrBuilder &ir, const Parts &x);
Parts conj(IrBuilder &ir, const Parts &x);
Parts mul(IrBuilder &ir, const Parts &x, const Parts &y);
/// Scaled, so that neither squares of large nor of small numbers are lost.
Parts div(IrBuilder &ir, const Parts &x, const Parts &y);
/// Each part times, or over, a real number.
Parts scaled(IrBuilder &ir, const Parts &x, Value factor);
Parts shrunk(IrBuilder &ir, const Parts &x, Value divisor);
/// Complex numbers of one value in the shape of `like`.
Parts constant(IrBuilder &ir, const Parts &like, double real);
Parts select(IrBuilder &ir, Value condition, const Parts &x, const Parts &y);
Value isZero(IrBuilder &ir, const Parts &x);
/// The distance from 0, without overflow in between.
Value abs(IrBuilder &ir, const Parts &x);
Value angle(IrBuilder &ir, const Parts &x);
/// Whether either part is infinite.
Value isInfinite(IrBuilder &ir, const Parts &x);

Parts exp(IrBuilder &ir, const Parts &x);
Parts log(IrBuilder &ir, const Parts &x);
Parts sqrt(IrBuilder &ir, const Parts &x);

} // namespace parts

/// Input i broadcast to the shape of the output, taken apart.
inline Parts broadcastParts(LoweringContext &ctx, int i) {
  return ctx.ir().parts(broadcastInput(ctx, i));
}

/// The lowering of an op that is linear: that of real numbers, for each part.
/// \p lower is that of the op itself where nothing is given.
Status lowerEachPart(LoweringContext &ctx, LowerFn lower = nullptr);

/// Adds the lowerings of the elementary functions
/// (LoweringFunctions.cpp), and those of products and of what is linear
/// (LoweringLinear.cpp).
void registerComplexFunctions(LoweringRegistry &registry);
void registerLinearLowerings(LoweringRegistry &registry);

} // namespace kiln

#endif // KILN_LIB_OPS_COMPLEX_LOWERINGPARTS_H
