// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the lowerings of quantization share: ranges of a tensor or of each place
// of an axis.
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

/// Between floats and the integers that stand for them.
Status lowerQuantize(LoweringContext &ctx);
Status lowerDequantize(LoweringContext &ctx);

} // namespace kiln

#endif // KILN_LIB_OPS_QUANTIZATION_LOWERINGRANGE_H
