// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers the conversions between floats and the integers that stand for them in
// a range, of the whole tensor or of each place of an axis.
#include "lib/OpDefs/QuantizedTypes.h"
#include "lib/Ops/Quantization/LoweringRange.h"
#include "lib/Support/Strings.h"

#include <limits>

namespace kiln {
namespace {

using Context = LoweringContext;
using enum ir::Predicate;

/// Whether a node of one range in all, though perhaps named by an axis, is not
/// one in the mode that no other has.
bool isFirstOfMany(Context &ctx) {
  const int64_t axis = ctx.intAttr("axis");
  return ctx.stringAttr("mode") == "MIN_FIRST" && axis >= 0 &&
         !(ctx.inputDims(0)[static_cast<size_t>(axis)] == Dim::known(1));
}

/// The only range that such a node has.
Range onlyRange(IrBuilder &ir, Value low, Value high, DType dtype) {
  auto scalar = [&](Value end) {
    return ir.reshape(end, ir.tensorType({}, IrBuilder::elementOf(end)));
  };
  return {scalar(low), scalar(high), dtype};
}

} // namespace

Status lowerQuantize(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const std::string mode = ctx.stringAttr("mode");
  const bool toEven = ctx.stringAttr("round_mode") == "HALF_TO_EVEN";
  if (toEven && mode != "SCALED")
    return ctx.invalid(strCat("Round mode 'HALF_TO_EVEN' only supported for "
                              "mode 'SCALED', b  ut mode is '",
                              mode, "'."));
  if (isFirstOfMany(ctx))
    return ctx.unimplemented(
        "MIN_FIRST mode is not implemented for Quantize with axis != -1.");
  const DType dtype = ctx.outputDType(0);
  Ends ends = endsOf(dtype);
  Value x = ctx.input(0), first = ctx.input(1), last = ctx.input(2);
  ir.kernelCall("CheckRangesOrdered", {first, last}, mlir::TypeRange());

  // A range holds 0 and is no point.
  Value size = max(ir, ir.unary<ir::AbsOp>(first), ir.unary<ir::AbsOp>(last));
  Value least = ir.mul(max(ir, ir.like(size, 1), size),
                       ir.like(size, static_cast<double>(ctx.floatAttr(
                                         "ensure_minimum_range"))));
  Value low = min(ir, ir.like(first, 0), first);
  Value high = max(ir, ir.like(last, 0), max(ir, last, ir.add(low, least)));

  auto at = [&](Value value) {
    return alongAxis(ir, value, x, ctx.intAttr("axis"));
  };
  auto clamped = [&] { return max(ir, min(ir, x, at(high)), at(low)); };
  Value y;
  if (mode == "MIN_COMBINED") {
    Value scale = wideRatio(ir, ends.width(), ir.sub(high, low));
    y = ir.mul(ir.sub(clamped(), at(low)), at(scale));
    y = ends.least < 0 ? roundAway(ir, ir.sub(y, ir.like(y, ends.half())))
                       : ir.add(y, ir.like(y, 0.5));
  } else if (mode == "MIN_FIRST") {
    ctx.setOutput(1, low);
    ctx.setOutput(2, high);
    setIntegers(ctx, 0, integersIn(ir, onlyRange(ir, low, high, dtype), x));
    return okStatus();
  } else {
    if (ctx.boolAttr("narrow_range"))
      ++ends.least;
    auto side = [&](double integer, Value end) {
      return ir.select(ir.compare(gt, ir.mul(ir.like(end, integer), end), 0),
                       ir.div(ir.like(end, integer), end),
                       ir.like(end, std::numeric_limits<float>::max()));
    };
    Value scale = min(ir, side(ends.least, low), side(ends.most, high));
    low = ir.div(ir.like(scale, ends.least), scale);
    high = ir.div(ir.like(scale, ends.most), scale);
    y = ir.mul(clamped(), at(scale));
    y = toEven ? ir.unary<ir::RoundEvenOp>(y) : roundAway(ir, y);
  }
  setIntegers(ctx, 0, ir.cast(y, ir.elementType(integerOf(dtype))));
  ctx.setOutput(1, low);
  ctx.setOutput(2, high);
  return okStatus();
}

Status lowerDequantize(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const std::string mode = ctx.stringAttr("mode");
  if (ctx.outputDType(0) == DType::BFloat16 && mode != "MIN_COMBINED")
    return ctx.invalid(strCat("When output type is bfloat16, Mode string must "
                              "be 'MIN_COMBINED', is '",
                              mode, "'"));
  if (isFirstOfMany(ctx))
    return ctx.unimplemented(
        "MIN_FIRST mode is not implemented for Dequantize with axis != -1.");
  const DType dtype = ctx.inputDType(0);
  const Ends ends = endsOf(dtype);
  Value low = ctx.input(1), high = ctx.input(2);
  Value x = ir.cast(ir.cast(ctx.input(0), ir.elementType(integerOf(dtype))),
                    ir.elementType(DType::Float32));
  auto at = [&](Value value) {
    return alongAxis(ir, value, x, ctx.intAttr("axis"));
  };
  if (mode == "MIN_COMBINED") {
    Value scale =
        ir.div(ir.sub(high, low),
               ir.like(low, static_cast<float>(ends.most) - ends.least));
    Value fromZero = ir.add(x, ir.like(x, ends.half()));
    ctx.setOutput(0, ir.add(ir.mul(fromZero, at(scale)), at(low)));
  } else if (mode == "MIN_FIRST") {
    Value integers = ir.cast(ctx.input(0), ir.elementType(integerOf(dtype)));
    ctx.setOutput(0, floatsIn(ir, onlyRange(ir, low, high, dtype), integers));
  } else {
    Value scale = ir.div(high, ir.like(high, ends.most));
    if (ends.least < 0) {
      const double least = ends.least + (ctx.boolAttr("narrow_range") ? 1 : 0);
      Value lowScale = ir.div(low, ir.like(low, least));
      scale = ir.select(ir.compare(lt, lowScale, scale), scale, lowScale);
    }
    // With one range TensorFlow takes the floats for int32 once more, which the
    // largest of qint32 is none of.
    if (IrBuilder::typeOf(low).getRank() == 0 && dtype == DType::QInt32)
      x = ir.cast(ir.cast(x, ir.elementType(DType::Int32)),
                  IrBuilder::elementOf(x));
    ctx.setOutput(0, ir.mul(x, at(scale)));
  }
  return okStatus();
}

} // namespace kiln
