// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers morphological dilation: slices of the padded image, one for each
// element of the filter, of whose sums with it the largest is taken. In the
// gradients the first largest gets all.
#include "lib/Ops/Pooling/LoweringDilation.h"

#include "lib/Ops/Convolution/LoweringOpen.h"
#include "lib/Support/StatusMacros.h"

#include <limits>

namespace kiln {
namespace {

using Context = LoweringContext;

/// The largest sums and, in i32, the number of the filter's element that each
/// is of.
struct Largest {
  Value value, tap;
};

class Dilation {
public:
  explicit Dilation(Context &ctx) : ctx(ctx), ir(ctx.ir()), w(ctx, 2) {
    auto middle = [&](std::string_view name) {
      std::vector<int64_t> numbers = ctx.intsAttr(name);
      return std::vector<int64_t>{numbers[1], numbers[2]};
    };
    w.spec.strides = middle("strides");
    w.spec.dilations = middle("rates");
  }

  Status plan() {
    const Dims &filter = ctx.inputDims(1);
    return w.plan(ctx.inputDims(0), {filter[0], filter[1]});
  }

  /// The smallest finite number is what a window without any larger sum gives,
  /// and the first element its place.
  Largest largest() {
    return w.hasFewTaps() ? largestOfFew() : largestOfOpen();
  }

  /// A number for each place and channel.
  Value everywhere(Dim number, RankedTensorType type) {
    return ir.broadcast(ir.dimScalar(number, type.getElementType()), type);
  }

  /// The row or column of the image where a window's element lies.
  Value placeOf(Value tap, size_t dim) {
    RankedTensorType type = IrBuilder::typeOf(tap);
    Value begin = ir.sub(ir.mul(ir.iota(type, static_cast<int64_t>(dim) + 1),
                                ir.splatInt(type, w.spec.strides[dim])),
                         everywhere(w.windows[dim].low, type));
    Value at =
        ir.add(begin, ir.mul(tap, ir.splatInt(type, w.spec.dilations[dim])));
    // TensorFlow's place in a window without any larger sum.
    return ir.binary<ir::MaxOp>(at, ir.splatInt(type, 0));
  }

  Context &ctx;
  IrBuilder &ir;
  WindowLowering w;

private:
  Largest largestOfFew() {
    const Shaped image = w.image(0);
    mlir::Type element = IrBuilder::elementOf(image.value),
               number = ir.opBuilder().getI32Type();
    const Shaped padded = w.padForWindows(image, ir.scalar(element, 0));
    // What is padded takes no part.
    auto marks = ir::withElementType(IrBuilder::typeOf(image.value), number);
    const Shaped inside = w.padForWindows({ir.splatInt(marks, 1), image.dims},
                                          ir.scalarInt(number, 0));
    const bool isPadded = padded.value != image.value;
    Largest best;
    int64_t count = 0;
    w.forEachTap([&](llvm::ArrayRef<int64_t> tap) {
      Shaped one = w.tapOf(padded, tap);
      RankedTensorType type = IrBuilder::typeOf(one.value);
      auto numbers = ir::withElementType(type, number);
      if (!best.value)
        best = {ir.broadcast(lowest(element), type), ir.splatInt(numbers, 0)};
      Value sum = ir.add(one.value, ofFilter(tap, type));
      Value isLarger = ir.compare(ir::Predicate::gt, sum, best.value);
      if (isPadded)
        isLarger = ir.binary<ir::AndOp>(
            isLarger, ir.compare(ir::Predicate::eq, w.tapOf(inside, tap).value,
                                 ir.splatInt(numbers, 1)));
      best.value = ir.select(isLarger, sum, best.value);
      best.tap = ir.select(isLarger, ir.splatInt(numbers, count), best.tap);
      ++count;
    });
    return best;
  }

  /// For windows that have no elements, very many, or as many as the run tells:
  /// sums [P, K, C], behind whose elements stands the smallest number.
  Largest largestOfOpen() {
    const Shaped image = w.image(0);
    OpenWindows windows(w, image.dims);
    mlir::Type element = IrBuilder::elementOf(image.value);
    const Dim channels = image.dims.back();
    Dims all = {windows.places(), windows.taps(), channels};
    RankedTensorType type = ir.tensorType(all, element);
    Value sum = ir.add(
        ir.reshape(windows.elementsOf(image.value, channels), type),
        ir.broadcast(ir.reshape(ctx.input(1),
                                ir.tensorType({all[1], channels}, element)),
                     type, {1, 2}));
    Value rows = windows.rows();
    Value isInside =
        ir.compare(ir::Predicate::lt, rows,
                   everywhere(windows.imageRows(), IrBuilder::typeOf(rows)));
    mlir::Type boolean = ir.opBuilder().getI1Type();
    isInside = ir.broadcast(
        ir.reshape(isInside, ir.tensorType({all[0], all[1]}, boolean)),
        ir.tensorType(all, boolean), {0, 1});
    Value least = ir.broadcast(lowest(element), type);
    sum = ir.select(ir.binary<ir::AndOp>(
                        isInside, ir.compare(ir::Predicate::gt, sum, least)),
                    sum, least);
    all[1] = w.dims.add(all[1], Dim::known(1));
    sum = ir.pad(sum, lowest(element), {0, 0, 0}, ir.tensorType(all, element));
    const Dims to = {image.dims.front(), w.windows[0].output,
                     w.windows[1].output, channels};
    mlir::Type number = ir.opBuilder().getI32Type();
    return {
        w.reshape(ir.reduce(ir::ReduceKind::max, sum, {1}), to).value,
        w.reshape(ir.argReduce(sum, 1, /*smallest=*/false, number), to).value};
  }

  Value lowest(mlir::Type element) {
    if (auto type = mlir::dyn_cast<mlir::FloatType>(element)) {
      auto number = llvm::APFloat::getLargest(type.getFloatSemantics(), true);
      bool losesInfo = false;
      number.convert(llvm::APFloat::IEEEdouble(),
                     llvm::APFloat::rmNearestTiesToEven, &losesInfo);
      return ir.scalar(element, number.convertToDouble());
    }
    const unsigned bits = element.getIntOrFloatBitWidth();
    return ir.scalarInt(element, ir::isUnsigned(element)
                                     ? 0
                                     : std::numeric_limits<int64_t>::min() >>
                                           (64 - bits));
  }

  Value ofFilter(llvm::ArrayRef<int64_t> tap, RankedTensorType type) {
    Dims one = {Dim::known(1), Dim::known(1), ctx.inputDims(1)[2]};
    mlir::Type element = type.getElementType();
    Value part = ir.slice(ctx.input(1), {tap[0], tap[1], 0}, {1, 1, 1},
                          ir.tensorType(one, element));
    part = ir.reshape(part, ir.tensorType({one[2]}, element));
    return ir.broadcast(part, type, {3});
  }
};

} // namespace

Status lowerDilation(Context &ctx) {
  Dilation dilation(ctx);
  KILN_RETURN_IF_ERROR(dilation.plan());
  ctx.setOutput(0, dilation.largest().value);
  return okStatus();
}

/// A tensor with the gradient added up at the places of its elements that `at`
/// tells, in i64, for each place and channel.
static Value gradientAt(Context &ctx, Value at, const Dims &to) {
  IrBuilder &ir = ctx.ir();
  const Dim count = ctx.dims().product(ctx.inputDims(2)),
            total = ctx.dims().product(to);
  mlir::Type element = ctx.outputType().getElementType();
  Value sums = ir.scatter(
      ir::ScatterKind::add, ir.scalar(element, 0),
      ir.reshape(at, ir.tensorType({count}, IrBuilder::elementOf(at))),
      ir.reshape(ctx.input(2), ir.tensorType({count}, element)),
      ir.tensorType({total}, element));
  return ir.reshape(sums, ctx.outputType());
}

Status lowerDilationOfImage(Context &ctx) {
  Dilation dilation(ctx);
  KILN_RETURN_IF_ERROR(dilation.plan());
  IrBuilder &ir = ctx.ir();
  Value tap = ir.cast(dilation.largest().tap, ir.opBuilder().getI64Type());
  const Dims &image = ctx.inputDims(0);
  RankedTensorType type = IrBuilder::typeOf(tap);
  Value width = dilation.everywhere(
      ctx.dims().max(dilation.w.windows[1].window, Dim::known(1)), type);
  Value row = ir.div(tap, width), column = ir.sub(tap, ir.mul(row, width));
  Value at = ir.iota(type, 0), isInside;
  for (size_t i : {0, 1}) {
    Value place = dilation.placeOf(i == 0 ? row : column, i),
          extent = dilation.everywhere(image[i + 1], type),
          isIn = ir.compare(ir::Predicate::lt, place, extent);
    isInside = isInside ? ir.binary<ir::AndOp>(isInside, isIn) : isIn;
    at = ir.add(ir.mul(at, extent), place);
  }
  at =
      ir.add(ir.mul(at, dilation.everywhere(image[3], type)), ir.iota(type, 3));
  // Only a window without elements may begin behind the image.
  if (!dilation.w.hasFewTaps())
    at = ir.select(isInside, at, ir.splatInt(type, -1));
  ctx.setOutput(0, gradientAt(ctx, at, image));
  return okStatus();
}

Status lowerDilationOfFilter(Context &ctx) {
  Dilation dilation(ctx);
  KILN_RETURN_IF_ERROR(dilation.plan());
  IrBuilder &ir = ctx.ir();
  const Value best = dilation.largest().tap;
  const Dim depth = ctx.inputDims(1)[2];
  if (!dilation.w.hasFewTaps()) {
    Value at = ir.cast(best, ir.opBuilder().getI64Type());
    RankedTensorType type = IrBuilder::typeOf(at);
    at = ir.add(ir.mul(at, dilation.everywhere(depth, type)), ir.iota(type, 3));
    ctx.setOutput(0, gradientAt(ctx, at, ctx.inputDims(1)));
    return okStatus();
  }
  llvm::SmallVector<Value> parts;
  mlir::Type element = ctx.outputType().getElementType();
  // As large as the windows, whatever its extents are called.
  const Value gradient = ir.reshape(
      ctx.input(2), ir::withElementType(IrBuilder::typeOf(best), element));
  dilation.w.forEachTap([&](llvm::ArrayRef<int64_t>) {
    auto number = static_cast<int64_t>(parts.size());
    Value isIt = ir.compare(ir::Predicate::eq, best,
                            ir.splatInt(IrBuilder::typeOf(best), number));
    Value own = ir.select(isIt, gradient, ir.like(gradient, 0));
    parts.push_back(ir.reshape(ir.reduce(ir::ReduceKind::sum, own, {0, 1, 2}),
                               ir.tensorType({Dim::known(1), depth}, element)));
  });
  const Dim taps = Dim::known(static_cast<int64_t>(parts.size()));
  Value all = parts.size() == 1
                  ? parts.front()
                  : ir.concat(parts, 0, ir.tensorType({taps, depth}, element));
  ctx.setOutput(0, ir.reshape(all, ctx.outputType()));
  return okStatus();
}

} // namespace kiln
