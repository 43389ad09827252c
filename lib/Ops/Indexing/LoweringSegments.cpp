// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers segment reductions: scatters of rows into neutral elements, in the
// order of the rows.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Ops/Indexing/LoweringRows.h"
#include "lib/Support/StatusMacros.h"

#include <limits>

namespace kiln {
namespace {

using Context = LoweringContext;
using ir::ScatterKind;

/// What a segment without rows is, and all others begin with: for minima and
/// maxima the largest and the lowest finite number, or, where a segment without
/// rows becomes something else, infinity.
Value neutralOf(IrBuilder &ir, ScatterKind kind, mlir::Type element,
                bool isFinite) {
  if (kind == ScatterKind::add || kind == ScatterKind::mul)
    return mlir::isa<mlir::FloatType>(element)
               ? ir.scalar(element, kind == ScatterKind::mul)
               : ir.scalarInt(element, kind == ScatterKind::mul);
  bool isLargest = kind == ScatterKind::segment_min;
  if (auto type = mlir::dyn_cast<mlir::FloatType>(element)) {
    double number = std::numeric_limits<double>::infinity();
    if (isFinite)
      number =
          llvm::APFloat::getLargest(type.getFloatSemantics()).convertToDouble();
    return ir.scalar(element, isLargest ? number : -number);
  }
  unsigned bits = element.getIntOrFloatBitWidth();
  llvm::APInt limit = ir::isUnsigned(element)
                          ? llvm::APInt::getMaxValue(bits)
                          : llvm::APInt::getSignedMaxValue(bits);
  return ir.scalarInt(element, (isLargest ? limit : ~limit).getSExtValue());
}

template <ScatterKind kind> Status lowerUnsorted(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  RankedTensorType type = ctx.outputType();
  Rows rows(ctx, ctx.outputDims(), 1);
  RowIndices ids = rowIndices(ctx, ctx.input(1), ctx.inputDims(1), rows.extents,
                              IndexCheck::Segments, /*tuple=*/-1, rows.inner);
  Value neutral = neutralOf(ir, kind, type.getElementType(), /*isFinite=*/true);
  ctx.setOutput(0, ir.scatter(kind, neutral, ids.value,
                              rows.of(ctx, ctx.input(0), ids.count), type));
  return okStatus();
}

//===--- Sorted segments --------------------------------------------------===//

/// The segment of each of `count` rows, checked; where the op is not told how
/// many there are, the run finds it out. A row of the output has as many
/// elements as the dimensions behind the first say.
Value sortedSegments(Context &ctx, Value ids, Dim count, bool isTold) {
  IrBuilder &ir = ctx.ir();
  const Dims &dims = ctx.outputDims();
  Dim inner = ctx.dims().product(Dims(dims.begin() + 1, dims.end()));
  Value asked =
      isTold ? ir.dimScalar(ctx.outputDims()[0], ir.elementType(DType::Int64))
             : ir.scalarInt(ir.elementType(DType::Int64), 0);
  return ir
      .kernelCall(
          "SegmentRows",
          {ids, asked, ir.dimScalar(inner, ir.elementType(DType::Int64))},
          mlir::TypeRange(ir.tensorType({count}, DType::Int64)),
          {isTold ? 0 : -1},
          isTold ? llvm::ArrayRef<int64_t>() : ctx.foundOut())
      .getResult(0);
}

/// How many rows each segment has, as numbers of the element type.
Value countsOf(Context &ctx, Value segments, Dim count, Dim rows) {
  IrBuilder &ir = ctx.ir();
  mlir::Type element = ir.elementType(DType::Int32);
  Value ones =
      ir.broadcast(ir.scalarInt(element, 1), ir.tensorType({rows}, element));
  return ir.scatter(ScatterKind::add, ir.scalarInt(element, 0), segments, ones,
                    ir.tensorType({count}, element));
}

/// One number a row as one an element.
Value spread(IrBuilder &ir, Value numbers, RankedTensorType like) {
  return ir.broadcast(
      numbers, ir::withElementType(like, IrBuilder::elementOf(numbers)), {0});
}

/// What a row of a segment, or the sum of all, is divided by.
enum class Divisor { None, Count, Root };

Value divisorOf(IrBuilder &ir, Divisor kind, Value counts, mlir::Type element) {
  counts = ir.binary<ir::MaxOp>(counts, ir.like(counts, 1));
  counts = ir.cast(counts, element);
  return kind == Divisor::Root ? ir.sqrt(counts) : counts;
}

/// `rows` of values summed up in segments.
Value summed(Context &ctx, Value values, Value segments, Dim rows,
             Divisor divisor) {
  IrBuilder &ir = ctx.ir();
  mlir::Type element = IrBuilder::elementOf(values);
  auto type = ir::withElementType(ctx.outputType(), element);
  Value sum =
      ir.scatter(ScatterKind::add,
                 neutralOf(ir, ScatterKind::add, element, /*isFinite=*/true),
                 segments, values, type);
  if (divisor == Divisor::None)
    return sum;
  Value counts = countsOf(ctx, segments, ctx.outputDims()[0], rows);
  return ir.div(sum, spread(ir, divisorOf(ir, divisor, counts, element), type));
}

/// f16 and bf16 are summed as f32, and rounded at the end.
Value widened(IrBuilder &ir, Value x) {
  return ir::isNarrowFloat(IrBuilder::elementOf(x))
             ? ir.cast(x, ir.elementType(DType::Float32))
             : x;
}

template <ScatterKind kind> Status lowerSegment(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  RankedTensorType type = ctx.outputType();
  mlir::Type element = type.getElementType();
  Dim rows = ctx.inputDims(1)[0];
  Value segments = sortedSegments(ctx, ctx.input(1), rows, /*isTold=*/false);
  bool isExtreme =
      kind == ScatterKind::segment_min || kind == ScatterKind::segment_max;
  Value values = Rows(ctx, ctx.outputDims(), 1).of(ctx, ctx.input(0), rows);
  Value result =
      ir.scatter(kind, neutralOf(ir, kind, element, /*isFinite=*/false),
                 segments, values, type);
  if (isExtreme) { // of nothing 0
    KILN_ASSIGN_OR_RETURN(Value zero, ctx.zero(ctx.outputDType()));
    Value counts = countsOf(ctx, segments, ctx.outputDims()[0], rows);
    Value isEmpty = ir.compare(ir::Predicate::eq, counts, ir.like(counts, 0));
    result =
        ir.select(spread(ir, isEmpty, type), ir.broadcast(zero, type), result);
  }
  ctx.setOutput(0, result);
  return okStatus();
}

Status lowerSegmentMean(Context &ctx) {
  Dim rows = ctx.inputDims(1)[0];
  Value segments = sortedSegments(ctx, ctx.input(1), rows, /*isTold=*/false);
  Value values = Rows(ctx, ctx.outputDims(), 1).of(ctx, ctx.input(0), rows);
  Value mean =
      summed(ctx, widened(ctx.ir(), values), segments, rows, Divisor::Count);
  ctx.setOutput(0, ctx.ir().cast(mean, ctx.outputType().getElementType()));
  return okStatus();
}

//===--- Segments of gathered rows ----------------------------------------===//

template <Divisor divisor> Status lowerSparse(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  Dim rows = ctx.inputDims(1)[0];
  Value segments = sortedSegments(ctx, ctx.input(2), rows,
                                  /*isTold=*/ctx.numInputs() > 3);
  Rows data(ctx, ctx.inputDims(0), 1);
  RowIndices indices = rowIndices(ctx, ctx.input(1), ctx.inputDims(1),
                                  data.extents, IndexCheck::SparseRows);
  Value values = widened(ir, ctx.input(0));
  values = ir.gather(values, indices.value, 0,
                     data.type(ctx, rows, IrBuilder::elementOf(values)));
  Value result = summed(ctx, values, segments, rows, divisor);
  ctx.setOutput(0, ir.cast(result, ctx.outputType().getElementType()));
  return okStatus();
}

Value gradientSegments(Context &ctx, const Rows &grad) {
  return rowIndices(ctx, ctx.input(2), ctx.inputDims(2), grad.extents,
                    IndexCheck::GradientSegments)
      .value;
}

/// The gradient's rows at the segments, added to the rows of the output that
/// `indices` name.
void addSparseGrad(Context &ctx, Divisor divisor, const Rows &grad,
                   Value segments, Value indices) {
  IrBuilder &ir = ctx.ir();
  Dim rows = ctx.inputDims(1)[0];
  Value values = widened(ir, ctx.input(0));
  mlir::Type element = IrBuilder::elementOf(values);
  if (divisor != Divisor::None) {
    Value counts = countsOf(ctx, segments, grad.count, rows);
    Value scale =
        ir.div(ir.scalar(element, 1), divisorOf(ir, divisor, counts, element));
    values = ir.mul(values, spread(ir, scale, IrBuilder::typeOf(values)));
  }
  values = ir.gather(values, segments, 0, grad.type(ctx, rows, element));
  Value result =
      ir.scatter(ScatterKind::add, ir.scalar(element, 0), indices, values,
                 ir::withElementType(ctx.outputType(), element));
  ctx.setOutput(0, ir.cast(result, ctx.outputType().getElementType()));
}

template <Divisor divisor> Status lowerSparseGrad(Context &ctx) {
  Rows grad(ctx, ctx.inputDims(0), 1);
  Value segments = gradientSegments(ctx, grad);
  Dims target = {ctx.outputDims()[0]};
  Value indices = rowIndices(ctx, ctx.input(1), ctx.inputDims(1), target,
                             IndexCheck::GradientRows)
                      .value;
  addSparseGrad(ctx, divisor, grad, segments, indices);
  return okStatus();
}

/// Only of the rows that are named, which the run finds out.
template <Divisor divisor> Status lowerSparseGradV2(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  Rows grad(ctx, ctx.inputDims(0), 1);
  Value segments = gradientSegments(ctx, grad);
  auto named = ir.kernelCall(
      "NamedRows", {ctx.input(1), ctx.input(3)},
      {ir.tensorType({ctx.inputDims(1)[0]}, DType::Int64), ctx.outputType(1)},
      {}, ctx.foundOut());
  addSparseGrad(ctx, divisor, grad, segments, named.getResult(0));
  ctx.setOutput(1, named.getResult(1));
  return okStatus();
}

} // namespace

void registerSegmentLowerings(LoweringRegistry &registry) {
  using enum ScatterKind;
  registry.addMoves(
      {{"UnsortedSegmentSum", lowerUnsorted<add>},
       {"UnsortedSegmentProd", lowerUnsorted<mul>},
       {"UnsortedSegmentMin", lowerUnsorted<segment_min>},
       {"UnsortedSegmentMax", lowerUnsorted<segment_max>},
       {"SegmentSum", lowerSegment<add>},
       {"SegmentProd", lowerSegment<mul>},
       {"SegmentMin", lowerSegment<segment_min>},
       {"SegmentMax", lowerSegment<segment_max>},
       {"SegmentMean", lowerSegmentMean},
       {"SparseSegmentSum", lowerSparse<Divisor::None>},
       {"SparseSegmentSumWithNumSegments", lowerSparse<Divisor::None>},
       {"SparseSegmentMean", lowerSparse<Divisor::Count>},
       {"SparseSegmentMeanWithNumSegments", lowerSparse<Divisor::Count>},
       {"SparseSegmentSqrtN", lowerSparse<Divisor::Root>},
       {"SparseSegmentSqrtNWithNumSegments", lowerSparse<Divisor::Root>},
       {"SparseSegmentSumGrad", lowerSparseGrad<Divisor::None>},
       {"SparseSegmentMeanGrad", lowerSparseGrad<Divisor::Count>},
       {"SparseSegmentSqrtNGrad", lowerSparseGrad<Divisor::Root>},
       {"SparseSegmentSumGradV2", lowerSparseGradV2<Divisor::None>},
       {"SparseSegmentMeanGradV2", lowerSparseGradV2<Divisor::Count>},
       {"SparseSegmentSqrtNGradV2", lowerSparseGradV2<Divisor::Root>}});
}

} // namespace kiln
