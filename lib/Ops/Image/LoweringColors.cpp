// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers what is done with the colors of images: arithmetic on three channels,
// each a slice of the image. Formulas are in TensorFlow's order of operations.
#include "lib/Ops/Image/LoweringColors.h"

namespace kiln {
namespace {

using Context = LoweringContext;
using enum ir::Predicate;

/// The channels of an image [..., 3] as vectors [n, 1].
class Colors {
public:
  explicit Colors(Context &ctx) : ctx(ctx), ir(ctx.ir()) {
    Dims places = ctx.inputDims(0);
    places.pop_back();
    count = ctx.dims().product(places);
    Value x = ctx.input(0);
    mlir::Type element = IrBuilder::elementOf(x);
    x = ir.reshape(x, ir.tensorType({count, Dim::known(3)}, element));
    type = ir.tensorType({count, Dim::known(1)}, element);
    for (int64_t i = 0; i < 3; ++i)
      channels.push_back(ir.slice(x, {0, i}, {1, 1}, type));
  }

  Value operator[](size_t i) const { return channels[i]; }
  Value number(double value) { return ir.splat(type, value); }
  /// A scalar input, everywhere.
  Value scalar(int input) { return ir.broadcast(ctx.input(input), type); }

  void setOutput(Value first, Value second, Value third) {
    auto whole = ir.tensorType({count, Dim::known(3)}, type.getElementType());
    ctx.setOutput(0, ir.reshape(ir.concat({first, second, third}, 1, whole),
                                ctx.outputType()));
  }

  /// Sets the output to the color whose hue lies in a sixth of the circle: its
  /// largest channel, the middle one and the smallest.
  void setOutputOfSixth(Value sixth, Value largest, Value middle,
                        Value smallest) {
    auto isAny = [&](int a, int b) {
      return ir.binary<ir::OrOp>(ir.compare(eq, sixth, a),
                                 ir.compare(eq, sixth, b));
    };
    auto pick = [&](Value isLargest, Value isMiddle) {
      return ir.select(isLargest, largest,
                       ir.select(isMiddle, middle, smallest));
    };
    setOutput(pick(isAny(0, 5), isAny(1, 4)), pick(isAny(1, 2), isAny(0, 3)),
              pick(isAny(3, 4), isAny(2, 5)));
  }

  Value max(Value x, Value y) { return ir.binary<ir::MaxOp>(x, y); }
  Value min(Value x, Value y) { return ir.binary<ir::MinOp>(x, y); }
  Value abs(Value x) { return ir.unary<ir::AbsOp>(x); }
  Value floor(Value x) { return ir.unary<ir::FloorOp>(x); }
  Value clamped(Value x) { return min(max(x, number(0)), number(1)); }
  /// x less the largest multiple of `of` that is not larger.
  Value modulo(Value x, double of) {
    Value turns = floor(ir.div(x, number(of)));
    return ir.sub(x, ir.mul(turns, number(of)));
  }

  Context &ctx;
  IrBuilder &ir;
  RankedTensorType type;

private:
  Dim count;
  llvm::SmallVector<Value, 3> channels;
};

struct Hsv {
  Value hue, saturation, value;
};

/// `sixth` is a sixth of the inverse of the range of the channels, or the
/// inverse of six times it.
Hsv hsvOf(Colors &c, bool isInverseOfSix) {
  IrBuilder &ir = c.ir;
  Value red = c[0], green = c[1], blue = c[2];
  Value value = c.max(c.max(red, green), blue),
        range = ir.sub(value, c.min(c.min(red, green), blue));
  Value saturation =
      ir.select(ir.compare(gt, value, 0.0), ir.div(range, value), c.number(0));
  Value norm = isInverseOfSix
                   ? ir.div(c.number(1), ir.mul(c.number(6), range))
                   : ir.mul(ir.div(c.number(1), range), c.number(1.0 / 6));
  auto step = [&](Value a, Value b, double start) {
    Value hue = ir.mul(norm, ir.sub(a, b));
    return start == 0 ? hue : ir.add(hue, c.number(start));
  };
  Value hue =
      ir.select(ir.compare(eq, red, value), step(green, blue, 0),
                ir.select(ir.compare(eq, green, value),
                          step(blue, red, 2.0 / 6), step(red, green, 4.0 / 6)));
  hue = ir.select(ir.compare(gt, range, 0.0), hue, c.number(0));
  hue = ir.select(ir.compare(lt, hue, 0.0), ir.add(hue, c.number(1)), hue);
  return {hue, saturation, value};
}

} // namespace

Status lowerRgbToHsv(Context &ctx) {
  Colors c(ctx);
  Hsv hsv = hsvOf(c, /*isInverseOfSix=*/false);
  c.setOutput(hsv.hue, hsv.saturation, hsv.value);
  return okStatus();
}

Status lowerHsvToRgb(Context &ctx) {
  Colors c(ctx);
  IrBuilder &ir = c.ir;
  Value sixths = ir.mul(c[0], c.number(6)), saturation = c[1], value = c[2];
  auto distance = [&](double from) {
    return c.abs(ir.sub(sixths, c.number(from)));
  };
  auto channel = [&](Value share) {
    Value rest = ir.add(ir.neg(saturation), c.number(1));
    return ir.mul(ir.add(rest, ir.mul(saturation, c.clamped(share))), value);
  };
  c.setOutput(channel(ir.sub(distance(3), c.number(1))),
              channel(ir.add(ir.neg(distance(2)), c.number(2))),
              channel(ir.add(ir.neg(distance(4)), c.number(2))));
  return okStatus();
}

Status lowerAdjustHue(Context &ctx) {
  Colors c(ctx);
  IrBuilder &ir = c.ir;
  Value red = c[0], green = c[1], blue = c[2];
  Value low = c.min(red, green), high = c.max(red, green);
  Value smallest = c.min(low, blue), largest = c.max(high, blue),
        middle = c.max(low, c.min(high, blue));
  auto sixthOf = [&](Value isBelow, int below, Value isAbove, int above,
                     int between) {
    return ir.select(isBelow, c.number(below),
                     ir.select(isAbove, c.number(above), c.number(between)));
  };
  Value sixth = ir.select(
      ir.compare(lt, red, green),
      sixthOf(ir.compare(lt, blue, red), 1, ir.compare(gt, blue, green), 3, 2),
      sixthOf(ir.compare(lt, blue, green), 0, ir.compare(gt, blue, red), 4, 5));
  auto flippedIfOdd = [&](Value of, Value share) {
    return ir.select(ir.compare(eq, c.modulo(of, 2), 1.0),
                     ir.sub(c.number(1), share), share);
  };
  Value range = ir.sub(largest, smallest);
  Value share = ir.div(ir.sub(middle, smallest), range);
  Value hue = ir.select(ir.compare(eq, largest, smallest), c.number(0),
                        ir.add(sixth, flippedIfOdd(sixth, share)));
  hue = c.modulo(ir.add(hue, ir.mul(c.scalar(1), c.number(6))), 6);
  // A hue right below 0 is 6 when rounded.
  hue = ir.select(ir.compare(ge, hue, 6.0), ir.sub(hue, c.number(6)), hue);
  sixth = c.floor(hue);
  share = flippedIfOdd(sixth, ir.sub(hue, sixth));
  c.setOutputOfSixth(sixth, largest, ir.add(smallest, ir.mul(share, range)),
                     smallest);
  return okStatus();
}

Status lowerAdjustSaturation(Context &ctx) {
  Colors c(ctx);
  IrBuilder &ir = c.ir;
  Hsv hsv = hsvOf(c, /*isInverseOfSix=*/true);
  // What is no number is 0, as of grey scaled by infinity.
  Value scaled = ir.mul(hsv.saturation, c.scalar(1));
  Value saturation =
      c.clamped(ir.select(ir.compare(gt, scaled, 0.0), scaled, c.number(0)));
  Value chroma = ir.mul(saturation, hsv.value),
        rest = ir.sub(hsv.value, chroma), sixths = ir.mul(hsv.hue, c.number(6));
  Value distance = c.abs(ir.sub(c.modulo(sixths, 2), c.number(1)));
  Value middle = ir.mul(chroma, ir.sub(c.number(1), distance));
  c.setOutputOfSixth(c.floor(sixths), ir.add(chroma, rest),
                     ir.add(middle, rest), rest);
  return okStatus();
}

/// The distance of each element from the mean of its image and channel, times
/// a factor.
Status lowerAdjustContrast(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const Dims &dims = ctx.inputDims(0);
  const size_t outer = dims.size() - 3;
  Dims images(dims.begin(), dims.begin() + static_cast<ptrdiff_t>(outer));
  Dim places = ctx.dims().mul(dims[outer], dims[outer + 1]);
  mlir::Type element = IrBuilder::elementOf(ctx.input(0));
  auto type =
      ir.tensorType({ctx.dims().product(images), places, dims.back()}, element);
  Value x = ir.reshape(ctx.input(0), type);
  Value sums = ir.reduce(ir::ReduceKind::sum, x, {1});
  Value means = ir.div(sums, ir.broadcast(ir.dimScalar(places, element),
                                          IrBuilder::typeOf(sums)));
  Value mean = ir.broadcast(means, type, {0, 2});
  Value factor = ir.broadcast(ctx.input(1), type);
  Value result = ir.add(ir.mul(ir.sub(x, mean), factor), mean);
  ctx.setOutput(0, ir.reshape(result, ctx.outputType()));
  return okStatus();
}

} // namespace kiln
