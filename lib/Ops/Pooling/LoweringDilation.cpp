// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers morphological dilation: slices of the padded image, one for each
// element of the filter, of whose sums with it the largest is taken. In the
// gradients the first largest gets all.
#include "lib/Ops/Pooling/LoweringDilation.h"

#include "lib/Ops/Convolution/LoweringWindows.h"
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
    KILN_RETURN_IF_ERROR(w.plan(ctx.inputDims(0), {filter[0], filter[1]}));
    return w.someTaps().status();
  }

  /// The smallest finite number is what a window without any larger sum gives.
  Largest largest() {
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

  /// The row or column of the image where a window's element lies.
  Value placeOf(Value tap, size_t dim) {
    RankedTensorType type = IrBuilder::typeOf(tap);
    Value begin = ir.sub(
        ir.mul(ir.iota(type, static_cast<int64_t>(dim) + 1),
               ir.splatInt(type, w.spec.strides[dim])),
        ir.broadcast(ir.dimScalar(w.windows[dim].low, type.getElementType()),
                     type));
    Value at =
        ir.add(begin, ir.mul(tap, ir.splatInt(type, w.spec.dilations[dim])));
    // TensorFlow's place in a window without any larger sum.
    return ir.binary<ir::MaxOp>(at, ir.splatInt(type, 0));
  }

  Context &ctx;
  IrBuilder &ir;
  WindowLowering w;

private:
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
  Value largest = dilation.largest().value;
  // A filter without elements.
  ctx.setOutput(0, largest ? largest : ctx.ir().splat(ctx.outputType(), 0));
  return okStatus();
}

Status lowerDilationOfImage(Context &ctx) {
  Dilation dilation(ctx);
  KILN_RETURN_IF_ERROR(dilation.plan());
  IrBuilder &ir = ctx.ir();
  Value tap = dilation.largest().tap;
  if (!tap) {
    ctx.setOutput(0, ir.splat(ctx.outputType(), 0));
    return okStatus();
  }
  const Dims &image = ctx.inputDims(0);
  mlir::Type index = ir.opBuilder().getI64Type();
  tap = ir.cast(tap, index);
  RankedTensorType type = IrBuilder::typeOf(tap);
  Value width = ir.splatInt(type, dilation.w.windows[1].window.value);
  Value row = ir.div(tap, width), column = ir.sub(tap, ir.mul(row, width));
  auto extent = [&](size_t dim) {
    return ir.broadcast(ir.dimScalar(image[dim], index), type);
  };
  Value at = ir.iota(type, 0);
  at = ir.add(ir.mul(at, extent(1)), dilation.placeOf(row, 0));
  at = ir.add(ir.mul(at, extent(2)), dilation.placeOf(column, 1));
  at = ir.add(ir.mul(at, extent(3)), ir.iota(type, 3));
  const Dim count = ctx.dims().product(ctx.inputDims(2)),
            total = ctx.dims().product(image);
  mlir::Type element = ctx.outputType().getElementType();
  Value sums =
      ir.scatter(ir::ScatterKind::add, ir.scalar(element, 0),
                 ir.reshape(at, ir.tensorType({count}, index)),
                 ir.reshape(ctx.input(2), ir.tensorType({count}, element)),
                 ir.tensorType({total}, element));
  ctx.setOutput(0, ir.reshape(sums, ctx.outputType()));
  return okStatus();
}

Status lowerDilationOfFilter(Context &ctx) {
  Dilation dilation(ctx);
  KILN_RETURN_IF_ERROR(dilation.plan());
  IrBuilder &ir = ctx.ir();
  const Value best = dilation.largest().tap;
  if (!best) {
    ctx.setOutput(0, ir.splat(ctx.outputType(), 0));
    return okStatus();
  }
  llvm::SmallVector<Value> parts;
  const Dim depth = ctx.inputDims(1)[2];
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
