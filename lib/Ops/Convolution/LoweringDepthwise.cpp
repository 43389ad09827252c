// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers depthwise convolutions, element by element of their windows: nests
// that fuse.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Ops/Convolution/LoweringGroups.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {
namespace {

using Context = LoweringContext;

/// [B, O..., C] as [B, O..., C, M].
Value forMultiples(WindowLowering &w, const Shaped &x, Dim multiples) {
  Dims one = x.dims, all = x.dims;
  one.push_back(Dim::known(1));
  all.push_back(multiples);
  return w.ir.broadcast(w.reshape(x.value, one).value,
                        w.ir.tensorType(all, IrBuilder::elementOf(x.value)));
}

/// [B, O..., C * M] as [B, O..., C, M].
Shaped splitMultiples(WindowLowering &w, const Shaped &x, const Dims &filter) {
  Dims to(x.dims.begin(), x.dims.end() - 1);
  to.insert(to.end(), filter.end() - 2, filter.end());
  return w.reshape(x.value, to);
}

/// One element of all filters as [C, M], for every place of `type`.
Value filterAt(WindowLowering &w, const Shaped &filter,
               llvm::ArrayRef<int64_t> tap, RankedTensorType type) {
  llvm::SmallVector<int64_t> starts(tap), ones(filter.dims.size(), 1);
  starts.append({0, 0});
  Dims to = filter.dims;
  for (size_t i = 0; i < tap.size(); ++i)
    to[i] = Dim::known(1);
  Value slice =
      w.ir.slice(filter.value, starts, ones,
                 w.ir.tensorType(to, IrBuilder::elementOf(filter.value)));
  return w.ir.broadcast(w.reshape(slice, Dims(to.end() - 2, to.end())).value,
                        type);
}

Value added(IrBuilder &ir, Value sum, Value term) {
  return sum ? ir.add(sum, term) : term;
}

Status planDepthwise(WindowLowering &w, const Dims &image, const Dims &filter) {
  return w.plan(image, Dims(filter.begin(), filter.end() - 2));
}

/// For windows that have no elements, very many, or as many as the run tells:
/// sums of products that are one nest of places, elements, channels and
/// multiples [P, K, C, M].
class OpenDepthwise {
public:
  /// After w.plan() of the image.
  OpenDepthwise(WindowLowering &w, const Dims &image, const Dims &filter)
      : w(w), ir(w.ir), windows(w, image), filter(filter),
        channels(filter.end()[-2]), multiples(filter.back()) {}

  /// [B, O..., C * M].
  Value places(Value image, Value filter, const Dims &to) {
    return w.reshape(sum(ir.mul(ofImage(image), ofFilter(filter)), 1), to)
        .value;
  }
  Value filterGradient(Value image, Value gradient) {
    return w.reshape(sum(ir.mul(ofImage(image), ofPlaces(gradient)), 0), filter)
        .value;
  }
  Value imageGradient(Value filter, Value gradient) {
    Value elements = sum(ir.mul(ofPlaces(gradient), ofFilter(filter)), 3);
    const Dim rows = w.dims.mul(windows.places(), windows.taps());
    return windows.imageOf(w.reshape(elements, {rows, channels}).value,
                           channels);
  }

private:
  Value sum(Value of, int64_t axis) {
    return ir.reduce(ir::ReduceKind::sum, of, {axis});
  }
  Value everywhere(Value value, const Dims &dims, llvm::ArrayRef<int64_t> map) {
    const Dims all = {windows.places(), windows.taps(), channels, multiples};
    return ir.broadcast(w.reshape(value, dims).value,
                        ir.tensorType(all, IrBuilder::elementOf(value)), map);
  }
  Value ofImage(Value image) {
    return everywhere(windows.elementsOf(image, channels),
                      {windows.places(), windows.taps(), channels}, {0, 1, 2});
  }
  Value ofFilter(Value value) {
    return everywhere(value, {windows.taps(), channels, multiples}, {1, 2, 3});
  }
  Value ofPlaces(Value value) {
    return everywhere(value, {windows.places(), channels, multiples},
                      {0, 2, 3});
  }

  WindowLowering &w;
  IrBuilder &ir;
  OpenWindows windows;
  Dims filter;
  Dim channels, multiples;
};

Status lowerDepthwise(Context &ctx) {
  WindowLowering w(ctx, 2);
  Shaped image = w.image(0), filter = {ctx.input(1), ctx.inputDims(1)};
  KILN_RETURN_IF_ERROR(planDepthwise(w, image.dims, filter.dims));
  if (!w.hasFewTaps()) {
    w.setOutput(0, OpenDepthwise(w, image.dims, filter.dims)
                       .places(image.value, filter.value, w.outputDims()));
    return okStatus();
  }
  mlir::Type element = IrBuilder::elementOf(image.value);
  Shaped padded = w.padForWindows(image, w.ir.scalar(element, 0));
  Value sum;
  w.forEachTap([&](llvm::ArrayRef<int64_t> tap) {
    Value x = forMultiples(w, w.tapOf(padded, tap), filter.dims.back());
    sum = added(w.ir, sum,
                w.ir.mul(x, filterAt(w, filter, tap, IrBuilder::typeOf(x))));
  });
  w.setOutput(0, w.reshape(sum, w.outputDims()).value);
  return okStatus();
}

Status lowerDepthwiseFilter(Context &ctx) {
  WindowLowering w(ctx, 2);
  Shaped image = w.image(0);
  const Dims &filter = ctx.outputDims();
  KILN_RETURN_IF_ERROR(planDepthwise(w, image.dims, filter));
  if (!w.hasFewTaps()) {
    ctx.setOutput(0, OpenDepthwise(w, image.dims, filter)
                         .filterGradient(image.value, w.image(2).value));
    return okStatus();
  }
  mlir::Type element = IrBuilder::elementOf(image.value);
  Shaped padded = w.padForWindows(image, w.ir.scalar(element, 0));
  Shaped gradient = splitMultiples(w, w.image(2), filter);
  llvm::SmallVector<Value> rows;
  Dims one(filter.end() - 2, filter.end());
  one.insert(one.begin(), Dim::known(1));
  w.forEachTap([&](llvm::ArrayRef<int64_t> tap) {
    Value x = forMultiples(w, w.tapOf(padded, tap), filter.back());
    // A row of places first: one loop of a nest is reduced.
    Value ofRows =
        w.ir.reduce(ir::ReduceKind::sum, w.ir.mul(x, gradient.value), {2});
    rows.push_back(
        w.reshape(w.ir.reduce(ir::ReduceKind::sum, ofRows, {0, 1}), one).value);
  });
  Dims all = one;
  all[0] = Dim::known(static_cast<int64_t>(rows.size()));
  Value taps = w.ir.concat(rows, 0, w.ir.tensorType(all, element));
  ctx.setOutput(0, w.reshape(taps, filter).value);
  return okStatus();
}

Status lowerDepthwiseInput(Context &ctx) {
  WindowLowering w(ctx, 2);
  Dims image = w.outputDims();
  Shaped filter = {ctx.input(1), ctx.inputDims(1)};
  KILN_RETURN_IF_ERROR(planDepthwise(w, image, filter.dims));
  if (!w.hasFewTaps()) {
    w.setOutput(0, OpenDepthwise(w, image, filter.dims)
                       .imageGradient(filter.value, w.image(2).value));
    return okStatus();
  }
  KILN_RETURN_IF_ERROR(w.planPhases());
  mlir::Type element = IrBuilder::elementOf(filter.value);
  Value zero = w.ir.scalar(element, 0);
  Shaped padded =
      w.padForShifts(splitMultiples(w, w.image(2), filter.dims), zero);
  // [K..., C, M] as [t1, s1, t2, s2, C, M].
  Dims none(4, Dim::known(0)), high = none, split;
  for (size_t i = 0; i < 2; ++i) {
    const WindowLowering::Phases &of = w.phases()[i];
    high[i] = Dim::known(of.taps * of.stride - of.window);
    split.push_back(Dim::known(of.taps));
    split.push_back(Dim::known(of.stride));
  }
  split.insert(split.end(), filter.dims.end() - 2, filter.dims.end());
  Shaped phases = w.reshape(w.pad(filter, none, high, zero).value, split);
  Value sum;
  w.forEachShift([&](llvm::ArrayRef<int64_t> shift) {
    Value g = w.shifted(padded, shift);
    Dims one = split;
    one[0] = one[2] = Dim::known(1);
    Value part = w.ir.slice(phases.value, {shift[0], 0, shift[1], 0, 0, 0},
                            {1, 1, 1, 1, 1, 1}, w.ir.tensorType(one, element));
    Dims kept = {split[1], split[3], split[4], split[5]};
    Value factor = w.ir.broadcast(w.reshape(part, kept).value,
                                  IrBuilder::typeOf(g), {2, 4, 5, 6});
    sum = added(w.ir, sum, w.ir.mul(g, factor));
  });
  Value image6 =
      filter.dims.back().isKnown(1)
          ? w.reshape(sum, w.phasesDims(image.front(), image.back())).value
          : w.ir.reduce(ir::ReduceKind::sum, sum, {6});
  w.setOutput(0, w.imageOfPhases(image6, image.front(), image.back()).value);
  return okStatus();
}

} // namespace

void registerDepthwiseLowerings(LoweringRegistry &registry) {
  registry.add({{"DepthwiseConv2dNative", lowerDepthwise},
                {"DepthwiseConv2dNativeBackpropInput", lowerDepthwiseInput},
                {"DepthwiseConv2dNativeBackpropFilter", lowerDepthwiseFilter}});
}

} // namespace kiln
