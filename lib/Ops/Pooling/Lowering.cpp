// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers pools and their gradients: slices of the padded image, one for each
// element of a window, that are combined element by element.
#include "lib/Import/LoweringRegistry.h"
#include "lib/OpDefs/QuantizedTypes.h"
#include "lib/Ops/Convolution/LoweringWindows.h"
#include "lib/Ops/Pooling/LoweringDilation.h"
#include "lib/Ops/Pooling/LoweringFractional.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <limits>

namespace kiln {
namespace {

using Context = LoweringContext;

/// Windows with more elements than this are combined along one dimension after
/// the other.
constexpr int64_t maxTapsAtOnce = 36;

/// Plans the windows of a pool of `image`, whose sizes attributes tell, or the
/// inputs from `first` on.
Status planPool(WindowLowering &w, const Dims &image, int first = -1) {
  if (first >= 0) {
    KILN_ASSIGN_OR_RETURN(std::vector<int64_t> window, w.ctx.ints(first));
    KILN_ASSIGN_OR_RETURN(std::vector<int64_t> strides, w.ctx.ints(first + 1));
    auto at = w.spec.channelsFirst ? 2 : 1;
    w.spec.window.assign(window.begin() + at, window.begin() + at + 2);
    w.spec.strides.assign(strides.begin() + at, strides.begin() + at + 2);
  }
  Dims windows;
  for (int64_t extent : w.spec.window)
    windows.push_back(Dim::known(extent));
  return w.plan(image, windows);
}

/// As planPool(), of an op whose result has the places of the windows, under
/// the names that inference has for them.
Status planPlaces(WindowLowering &w, const Dims &image, int first = -1) {
  KILN_RETURN_IF_ERROR(planPool(w, image, first));
  const Dims places = w.outputDims();
  for (size_t i = 0; i < w.windows.size(); ++i)
    w.windows[i].output = places[i + 1];
  return okStatus();
}

/// What never wins.
Value lowest(IrBuilder &ir, mlir::Type element) {
  if (mlir::isa<mlir::FloatType>(element))
    return ir.scalar(element, -std::numeric_limits<double>::infinity());
  unsigned bits = element.getIntOrFloatBitWidth();
  return ir.scalarInt(element,
                      ir::isUnsigned(element)
                          ? 0
                          : std::numeric_limits<int64_t>::min() >> (64 - bits));
}

/// All elements of each window combined: `combine` takes what comes of those
/// before, null at first, and the next one, in the order of places.
StatusOr<Value>
combineWindows(WindowLowering &w, const Shaped &image, Value padding,
               ir::ReduceKind kind,
               llvm::function_ref<Value(Value, Value)> combine) {
  KILN_ASSIGN_OR_RETURN(int64_t numTaps, w.numTaps());
  if (w.isWholeImage()) {
    llvm::SmallVector<int64_t> axes;
    Dims to = image.dims;
    for (size_t i = 1; i + 1 < image.dims.size(); ++i) {
      axes.push_back(static_cast<int64_t>(i));
      to[i] = Dim::known(1);
    }
    return w.reshape(w.ir.reduce(kind, image.value, axes), to).value;
  }
  auto taps = [&](const Shaped &of) {
    Shaped padded = w.padForWindows(of, padding);
    Shaped all;
    w.forEachTap([&](llvm::ArrayRef<int64_t> tap) {
      Shaped one = w.tapOf(padded, tap);
      all = {combine(all.value, one.value), one.dims};
    });
    return all;
  };
  if (numTaps <= maxTapsAtOnce)
    return taps(image).value;
  Shaped combined = image;
  std::vector<WindowDim> planned = w.windows;
  for (size_t i = 0; i < planned.size(); ++i) {
    if (planned[i].window.value > maxTaps)
      return w.ctx.unimplemented(strCat("windows of more than ", maxTaps,
                                        " elements along a dimension"));
    for (size_t j = 0; j < planned.size(); ++j)
      if (j != i)
        w.windows[j] = {.input = combined.dims[j + 1],
                        .window = Dim::known(1),
                        .output = combined.dims[j + 1]};
      else
        w.windows[j] = planned[j];
    combined = taps(combined);
  }
  w.windows = planned;
  return combined.value;
}

/// Windows of channels, side by side.
Value combineChannels(WindowLowering &w, const Shaped &image, int64_t window) {
  Dims split = image.dims;
  split.back() = w.dims.floorDiv(split.back(), Dim::known(window));
  split.push_back(Dim::known(window));
  return w.ir.reduce(ir::ReduceKind::max, w.reshape(image.value, split).value,
                     {static_cast<int64_t>(split.size()) - 1});
}

/// The largest elements of windows of floats, as TensorFlow's kernels find
/// them. Those of images begin with the lowest number, which is left of nothing
/// but -infinity, and pass over NaN; in a window that is the whole image NaN
/// stays, as to leave it out would cost the reduction a quarter. Those of
/// volumes begin with the first element and go on from a NaN with what is
/// behind it.
StatusOr<Value> largestNumbers(WindowLowering &w, const Shaped &image) {
  IrBuilder &ir = w.ir;
  mlir::Type computed = IrBuilder::elementOf(image.value);
  auto element =
      mlir::cast<mlir::FloatType>(ir.elementType(w.ctx.inputDType(0)));
  const double lowest =
      llvm::APFloat::getLargest(element.getFloatSemantics(), /*Negative=*/true)
          .convertToDouble();
  const bool ofImage = w.windows.size() == 2;
  auto combine = [&](Value all, Value one) {
    if (!all && !ofImage)
      return one;
    if (!all)
      all = ir.like(one, lowest);
    // Code computes first operands first: windows are read in their order.
    return ofImage
               ? ir.select(ir.compare(ir::Predicate::lt, all, one), one, all)
               : ir.select(ir.compare(ir::Predicate::gt, all, one), all, one);
  };
  KILN_ASSIGN_OR_RETURN(Value pool,
                        combineWindows(w, image, ir.scalar(computed, lowest),
                                       ir::ReduceKind::max, combine));
  // It makes zeros of denormals, too.
  return ir.binary<ir::MaxOp>(
      pool, ir.like(pool, ofImage ? lowest
                                  : -std::numeric_limits<double>::infinity()));
}

StatusOr<Value> largestIntegers(WindowLowering &w, const Shaped &image) {
  return combineWindows(w, image,
                        lowest(w.ir, IrBuilder::elementOf(image.value)),
                        ir::ReduceKind::max, [&](Value all, Value one) {
                          return all ? w.ir.binary<ir::MaxOp>(all, one) : one;
                        });
}

template <int spatial, int first = -1> Status lowerMaxPool(Context &ctx) {
  WindowLowering w(ctx, spatial);
  std::vector<int64_t> window;
  if constexpr (first >= 0) {
    KILN_ASSIGN_OR_RETURN(window, ctx.ints(first));
  } else {
    window = ctx.intsAttr("ksize");
  }
  if (w.spec.channelsFirst || window.back() == 1) {
    Shaped image = w.image(0);
    KILN_RETURN_IF_ERROR(planPlaces(w, image.dims, first));
    const bool isFloat =
        mlir::isa<mlir::FloatType>(IrBuilder::elementOf(image.value));
    KILN_ASSIGN_OR_RETURN(Value pool, isFloat ? largestNumbers(w, image)
                                              : largestIntegers(w, image));
    w.setOutput(0, pool);
  } else {
    w.setOutput(0, combineChannels(w, w.image(0), window.back()));
  }
  return okStatus();
}

//===--- Means ------------------------------------------------------------===//

/// How many elements of the image each window has, for every place of `type`;
/// null where it is the same number, which is put into `all`.
Value elementsOfWindows(WindowLowering &w, RankedTensorType type, double &all) {
  IrBuilder &ir = w.ir;
  all = 1;
  Value product;
  auto numbers = ir::withElementType(type, ir.opBuilder().getI32Type());
  for (auto [i, dim] : llvm::enumerate(w.windows)) {
    if (dim.low.isKnown(0) && dim.high.isKnown(0)) {
      all *= static_cast<double>(dim.window.value);
      continue;
    }
    auto scalar = [&](Dim number) {
      return ir.broadcast(ir.dimScalar(number, numbers.getElementType()),
                          numbers);
    };
    Value begin = ir.sub(ir.mul(ir.iota(numbers, static_cast<int64_t>(i) + 1),
                                ir.splatInt(numbers, dim.stride)),
                         scalar(dim.low));
    Value end = ir.binary<ir::MinOp>(
        ir.add(begin, ir.splatInt(numbers, dim.window.value)),
        scalar(dim.input));
    Value count =
        ir.sub(end, ir.binary<ir::MaxOp>(begin, ir.splatInt(numbers, 0)));
    product = product ? ir.mul(product, count) : count;
  }
  if (!product)
    return {};
  product = ir.mul(product, ir.splatInt(numbers, static_cast<int64_t>(all)));
  return ir.cast(product, type.getElementType());
}

/// Divided by the number of elements of each window.
Value mean(WindowLowering &w, Value sums) {
  double all = 0;
  Value counts = elementsOfWindows(w, IrBuilder::typeOf(sums), all);
  return w.ir.div(sums, counts ? counts : w.ir.like(sums, all));
}

StatusOr<Value> sumsOfWindows(WindowLowering &w, const Shaped &image) {
  Value zero = w.ir.scalar(IrBuilder::elementOf(image.value), 0);
  return combineWindows(
      w, image, zero, ir::ReduceKind::sum,
      [&](Value all, Value one) { return all ? w.ir.add(all, one) : one; });
}

template <int spatial> Status lowerAveragePool(Context &ctx) {
  WindowLowering w(ctx, spatial);
  Shaped image = w.image(0);
  KILN_RETURN_IF_ERROR(planPlaces(w, image.dims));
  KILN_ASSIGN_OR_RETURN(Value sums, sumsOfWindows(w, image));
  w.setOutput(0, mean(w, sums));
  return okStatus();
}

//===--- Of quantized numbers ---------------------------------------------===//

/// The image of input 0 as the integers that its elements are; the range stays.
Shaped integersOfImage(WindowLowering &w, DType as) {
  Shaped image = w.image(0);
  const DType own = integerOf(w.ctx.inputDType(0));
  Value integers = w.ir.cast(image.value, w.ir.elementType(own));
  for (int i = 1; i < 3; ++i)
    w.ctx.setOutput(i, w.ctx.input(i));
  return {
      w.ir.cast(integers, w.ir.elementType(as == DType::Invalid ? own : as)),
      image.dims};
}

void setQuantized(WindowLowering &w, Value pool) {
  w.setOutput(0, w.ir.cast(pool, w.ctx.outputType(0).getElementType()));
}

Status lowerQuantizedMaxPool(Context &ctx) {
  WindowLowering w(ctx, 2);
  Shaped image = integersOfImage(w, DType::Invalid);
  KILN_RETURN_IF_ERROR(planPlaces(w, image.dims));
  KILN_ASSIGN_OR_RETURN(Value pool, largestIntegers(w, image));
  setQuantized(w, pool);
  return okStatus();
}

Status lowerQuantizedAveragePool(Context &ctx) {
  WindowLowering w(ctx, 2);
  Shaped image = integersOfImage(w, DType::Int32);
  KILN_RETURN_IF_ERROR(planPlaces(w, image.dims));
  KILN_ASSIGN_OR_RETURN(Value sums, sumsOfWindows(w, image));
  setQuantized(w, mean(w, sums));
  return okStatus();
}

template <int spatial> Status lowerAveragePoolGradient(Context &ctx) {
  WindowLowering w(ctx, spatial);
  Dims image = w.outputDims();
  KILN_RETURN_IF_ERROR(planPool(w, image));
  KILN_RETURN_IF_ERROR(w.planPhases());
  Shaped gradient = w.image(1);
  gradient.value = mean(w, gradient.value);
  Value zero = w.ir.scalar(IrBuilder::elementOf(gradient.value), 0);
  Shaped padded = w.padForShifts(gradient, zero);
  Value sum;
  w.forEachShift([&](llvm::ArrayRef<int64_t> shift) {
    Value part = w.shifted(padded, shift);
    if (!w.allPhasesReached()) {
      Value taps = w.tapNumbers(IrBuilder::typeOf(part), shift);
      part = w.ir.select(w.ir.compare(ir::Predicate::ge, taps, 0.0), part,
                         w.ir.like(part, 0));
    }
    sum = sum ? w.ir.add(sum, part) : part;
  });
  w.setOutput(0, w.imageOfPhases(sum, image.front(), image.back()).value);
  return okStatus();
}

//===--- Places of the largest --------------------------------------------===//

/// The largest element of each window and its number among the window's, in
/// i32: of equals the first.
struct Largest {
  Shaped value;
  Value tap;
};

StatusOr<Largest> largestOf(WindowLowering &w, const Shaped &image) {
  IrBuilder &ir = w.ir;
  if (w.isWholeImage()) {
    Dims rows = {image.dims.front(), Dim::known(1), image.dims.back()},
         to = image.dims;
    for (size_t i = 1; i + 1 < image.dims.size(); ++i) {
      rows[1] = w.dims.mul(rows[1], image.dims[i]);
      to[i] = Dim::known(1);
    }
    Value all = w.reshape(image.value, rows).value;
    return Largest{w.reshape(ir.reduce(ir::ReduceKind::max, all, {1}), to),
                   w.reshape(ir.argReduce(all, 1, /*smallest=*/false,
                                          ir.opBuilder().getI32Type()),
                             to)
                       .value};
  }
  KILN_RETURN_IF_ERROR(w.someTaps().status());
  Shaped padded =
      w.padForWindows(image, lowest(ir, IrBuilder::elementOf(image.value)));
  Largest best;
  int64_t number = 0;
  w.forEachTap([&](llvm::ArrayRef<int64_t> tap) {
    Shaped one = w.tapOf(padded, tap);
    auto numbers = ir::withElementType(IrBuilder::typeOf(one.value),
                                       ir.opBuilder().getI32Type());
    Value own = ir.splatInt(numbers, number++);
    if (!best.tap) {
      best = {one, own};
      return;
    }
    Value isLarger = ir.compare(ir::Predicate::lt, best.value.value, one.value);
    best.value.value = ir.select(isLarger, one.value, best.value.value);
    best.tap = ir.select(isLarger, own, best.tap);
  });
  return best;
}

template <int spatial, int first = -1>
Status lowerMaxPoolGradient(Context &ctx) {
  WindowLowering w(ctx, spatial);
  Shaped image = w.image(0), gradient = w.image(2);
  KILN_RETURN_IF_ERROR(planPool(w, image.dims, first));
  KILN_RETURN_IF_ERROR(w.planPhases());
  IrBuilder &ir = w.ir;
  Value none = ir.scalarInt(ir.opBuilder().getI32Type(), -2),
        zero = ir.scalar(IrBuilder::elementOf(gradient.value), 0);
  KILN_ASSIGN_OR_RETURN(Largest best, largestOf(w, image));
  Shaped taps = w.padForShifts({best.tap, gradient.dims}, none);
  Shaped padded = w.padForShifts(gradient, zero);
  Value sum;
  w.forEachShift([&](llvm::ArrayRef<int64_t> shift) {
    Value part = w.shifted(padded, shift);
    Value isLargest = ir.compare(ir::Predicate::eq, w.shifted(taps, shift),
                                 w.tapNumbers(IrBuilder::typeOf(part), shift));
    part = ir.select(isLargest, part, ir.like(part, 0));
    sum = sum ? ir.add(sum, part) : part;
  });
  w.setOutput(
      0, w.imageOfPhases(sum, image.dims.front(), image.dims.back()).value);
  return okStatus();
}

/// In three dimensions the gradient goes to all elements of a window that are
/// what TensorFlow's kernel takes for equal to its largest.
Status lowerMaxPoolGradientOfEquals(Context &ctx) {
  constexpr double nearly = 1e-5;
  WindowLowering w(ctx, 3);
  Shaped image = w.image(0), largest = w.image(1), gradient = w.image(2);
  KILN_RETURN_IF_ERROR(planPool(w, image.dims));
  KILN_RETURN_IF_ERROR(w.planPhases());
  IrBuilder &ir = w.ir;
  Value zero = ir.scalar(IrBuilder::elementOf(gradient.value), 0);
  Shaped padded = w.padForShifts(gradient, zero),
         paddedLargest =
             w.padForShifts(w.reshape(largest.value, gradient.dims), zero);
  Value own = w.phasesOfImage(image, zero), sum;
  w.forEachShift([&](llvm::ArrayRef<int64_t> shift) {
    Value part = w.shifted(padded, shift);
    Value isNear;
    {
      IrBuilder::RoundSteps rounding(ir, ir.elementType(ctx.inputDType(0)));
      Value apart =
          ir.unary<ir::AbsOp>(ir.sub(own, w.shifted(paddedLargest, shift)));
      isNear = ir.compare(ir::Predicate::lt, apart,
                          ir.rounded(ir.like(apart, nearly)));
    }
    if (!w.allPhasesReached()) {
      Value taps = w.tapNumbers(IrBuilder::typeOf(part), shift);
      isNear = ir.binary<ir::AndOp>(isNear,
                                    ir.compare(ir::Predicate::ge, taps, 0.0));
    }
    part = ir.select(isNear, part, ir.like(part, 0));
    sum = sum ? ir.add(sum, part) : part;
  });
  w.setOutput(
      0, w.imageOfPhases(sum, image.dims.front(), image.dims.back()).value);
  return okStatus();
}

template <int spatial, int first = -1>
Status lowerMaxPoolGradientOfGradient(Context &ctx) {
  WindowLowering w(ctx, spatial);
  Shaped image = w.image(0);
  KILN_RETURN_IF_ERROR(planPlaces(w, image.dims, first));
  KILN_RETURN_IF_ERROR(w.someTaps().status());
  KILN_ASSIGN_OR_RETURN(Largest best, largestOf(w, image));
  Value taps = best.tap;
  Shaped gradient = w.image(2);
  Shaped padded = w.padForWindows(
      gradient, w.ir.scalar(IrBuilder::elementOf(gradient.value), 0));
  Value picked;
  int64_t number = 0;
  w.forEachTap([&](llvm::ArrayRef<int64_t> tap) {
    Value one = w.tapOf(padded, tap).value;
    Value isIt = w.ir.compare(ir::Predicate::eq, taps,
                              w.ir.splatInt(IrBuilder::typeOf(taps), number++));
    picked = picked ? w.ir.select(isIt, one, picked) : one;
  });
  w.setOutput(0, picked);
  return okStatus();
}

/// The gradient goes to the places that input 2 names, those of other images
/// nowhere.
Status lowerMaxPoolGradientOfPlaces(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const Dims &image = ctx.inputDims(0);
  mlir::Type index = ir.opBuilder().getI64Type(),
             element = ctx.outputType().getElementType();
  Value at = ir.cast(ctx.input(2), index);
  RankedTensorType type = IrBuilder::typeOf(at);
  auto everywhere = [&](Dim number) {
    return ir.broadcast(ir.dimScalar(number, index), type);
  };
  const Dim perImage = ctx.dims().product({image[1], image[2], image[3]});
  Value begin = ir.mul(ir.iota(type, 0), everywhere(perImage));
  if (ctx.boolAttr("include_batch_in_index"))
    at = ir.sub(at, begin);
  Value isInside = ir.binary<ir::AndOp>(
      ir.compare(ir::Predicate::ge, at, ir.splatInt(type, 0)),
      ir.compare(ir::Predicate::lt, at, everywhere(perImage)));
  at = ir.select(isInside, ir.add(at, begin), ir.splatInt(type, -1));
  const Dim count = ctx.dims().product(ctx.inputDims(1)),
            total = ctx.dims().product(image);
  Value sums =
      ir.scatter(ir::ScatterKind::add, ir.scalar(element, 0),
                 ir.reshape(at, ir.tensorType({count}, index)),
                 ir.reshape(ctx.input(1), ir.tensorType({count}, element)),
                 ir.tensorType({total}, element));
  ctx.setOutput(0, ir.reshape(sums, ctx.outputType()));
  return okStatus();
}

Status lowerMaxPoolWithArgmax(Context &ctx) {
  WindowLowering w(ctx, 2);
  IrBuilder &ir = w.ir;
  Shaped image = w.image(0);
  KILN_RETURN_IF_ERROR(planPlaces(w, image.dims));
  KILN_ASSIGN_OR_RETURN(Largest best, largestOf(w, image));
  ctx.setOutput(0, best.value.value);
  mlir::Type index = ir.elementType(ctx.outputDType(1));
  auto type = ir.tensorType(ctx.outputDims(1), index);
  auto scalar = [&](Dim number) {
    return ir.broadcast(ir.dimScalar(number, index), type);
  };
  Value tap = ir.cast(best.tap, index);
  Value width = ir.splatInt(type, w.spec.window[1]);
  Value rowTap = ir.div(tap, width);
  Value columnTap = ir.sub(tap, ir.mul(rowTap, width));
  Value place;
  if (ctx.boolAttr("include_batch_in_index"))
    place = ir.iota(type, 0);
  for (size_t i = 0; i < 2; ++i) {
    Value at = ir.sub(ir.mul(ir.iota(type, static_cast<int64_t>(i) + 1),
                             ir.splatInt(type, w.spec.strides[i])),
                      scalar(w.windows[i].low));
    at = ir.add(at, i == 0 ? rowTap : columnTap);
    place = place ? ir.add(ir.mul(place, scalar(image.dims[i + 1])), at) : at;
  }
  ctx.setOutput(
      1, ir.add(ir.mul(place, scalar(image.dims.back())), ir.iota(type, 3)));
  return okStatus();
}

} // namespace

void registerPoolingLowerings(LoweringRegistry &registry) {
  registry.add({{"MaxPool", lowerMaxPool<2>},
                {"MaxPoolV2", lowerMaxPool<2, 1>},
                {"MaxPool3D", lowerMaxPool<3>},
                {"MaxPoolGrad", lowerMaxPoolGradient<2>},
                {"MaxPoolGradV2", lowerMaxPoolGradient<2, 3>},
                {"MaxPool3DGrad", lowerMaxPoolGradientOfEquals},
                {"MaxPoolGradGrad", lowerMaxPoolGradientOfGradient<2>},
                {"MaxPoolGradGradV2", lowerMaxPoolGradientOfGradient<2, 3>},
                {"MaxPool3DGradGrad", lowerMaxPoolGradientOfGradient<3>},
                {"MaxPoolGradWithArgmax", lowerMaxPoolGradientOfPlaces},
                {"MaxPoolWithArgmax", lowerMaxPoolWithArgmax},
                {"QuantizedAvgPool", lowerQuantizedAveragePool},
                {"QuantizedMaxPool", lowerQuantizedMaxPool},
                {"Dilation2D", lowerDilation},
                {"Dilation2DBackpropInput", lowerDilationOfImage},
                {"Dilation2DBackpropFilter", lowerDilationOfFilter},
                {"FractionalMaxPool", lowerFractionalPool},
                {"FractionalAvgPool", lowerFractionalPool},
                {"FractionalMaxPoolGrad", lowerFractionalMaxPoolGrad},
                {"FractionalAvgPoolGrad", lowerFractionalAvgPoolGrad},
                {"AvgPool", lowerAveragePool<2>},
                {"AvgPool3D", lowerAveragePool<3>},
                {"AvgPoolGrad", lowerAveragePoolGradient<2>},
                {"AvgPool3DGrad", lowerAveragePoolGradient<3>}});
}

} // namespace kiln
