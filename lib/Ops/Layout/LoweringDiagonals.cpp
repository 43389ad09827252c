// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers diagonals and bands: where an element comes from is computed from its
// row and column, and gathered.
#include "lib/Ops/Layout/DiagonalRange.h"
#include "lib/Ops/Layout/Lowering.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {
namespace {

using Context = LoweringContext;
using ir::Predicate;

/// i64 arithmetic on each place of a grid of two dimensions.
class Grid {
public:
  Grid(Context &ctx, Dim rows, Dim columns)
      : ctx(ctx), ir(ctx.ir()), dims({rows, columns}),
        type(ir.tensorType(dims, DType::Int64)), row(ir.iota(type, 0)),
        column(ir.iota(type, 1)) {}

  Value number(Dim dim) { return ir.dimScalar(dim, type.getElementType()); }
  Value number(int64_t value) { return number(Dim::known(value)); }
  Value all(Value a, Value b) { return ir.binary<ir::AndOp>(a, b); }
  Value min(Value a, Value b) { return ir.binary<ir::MinOp>(a, b); }
  Value max(Value a, Value b) { return ir.binary<ir::MaxOp>(a, b); }
  Value compare(Predicate predicate, Value a, Value b) {
    return ir.compare(predicate, a, b);
  }
  Value where(Value condition, Value a, Value b) {
    return ir.select(condition, a, ir.broadcast(b, type));
  }

  Context &ctx;
  IrBuilder &ir;
  Dims dims;
  RankedTensorType type;
  Value row, column;
};

/// How diagonals are packed into rows of one length.
struct Packing {
  DiagonalRange range;
  bool upperLeft = true, lowerLeft = true; ///< where shorter ones begin
  Dim rows, columns, length;

  /// As the input tells, where the op has one. **Errors**: one that is not
  /// known before the run.
  static StatusOr<Packing> of(Context &ctx, int input, Dim rows, Dim columns) {
    Packing packing;
    packing.rows = rows;
    packing.columns = columns;
    if (input < ctx.numInputs()) {
      KILN_ASSIGN_OR_RETURN(std::vector<int64_t> numbers, ctx.ints(input));
      if (numbers.empty())
        return ctx.invalid("diag_index must have one or two elements");
      packing.range = {numbers.front(), numbers.back()};
    }
    if (ctx.node().op().ends_with("V3")) {
      std::string align = ctx.stringAttr("align");
      packing.upperLeft = align.starts_with("LEFT");
      packing.lowerLeft = align.ends_with("LEFT");
    }
    packing.length =
        shapes::longestDiagonal(ctx.dims(), packing.range, rows, columns);
    return packing;
  }

  Value lengthOf(Grid &g, Value diagonal) const {
    Value zero = g.number(int64_t(0));
    return g.min(g.ir.add(g.min(diagonal, zero), g.number(rows)),
                 g.ir.sub(g.ir.broadcast(g.number(columns), g.type),
                          g.max(diagonal, zero)));
  }
  /// Where in its row a diagonal begins.
  Value beginOf(Grid &g, Value diagonal) const {
    Value zero = g.number(int64_t(0));
    Value rest = g.ir.sub(g.ir.broadcast(g.number(length), g.type),
                          lengthOf(g, diagonal));
    Value begin = g.ir.broadcast(zero, g.type);
    if (!upperLeft)
      begin = g.where(g.compare(Predicate::gt, diagonal, zero), rest, begin);
    if (!lowerLeft)
      begin = g.where(g.compare(Predicate::lt, diagonal, zero), rest, begin);
    return begin;
  }
};

/// Elements of each of the rows [batch, count] at places of a grid, of which
/// place `count` is the padding.
Value pick(Context &ctx, Value rows, Dim batch, Dim count, Value padding,
           Value places, const Dims &grid) {
  IrBuilder &ir = ctx.ir();
  mlir::Type element = IrBuilder::elementOf(rows);
  rows = ir.reshape(rows, ir.tensorType({batch, count}, element));
  if (padding) {
    Dim one = Dim::known(1);
    Value parts[] = {
        rows, ir.broadcast(padding, ir.tensorType({batch, one}, element))};
    rows = ir.concat(
        parts, 1, ir.tensorType({batch, ctx.dims().add(count, one)}, element));
  }
  Dim total = ctx.dims().product(grid);
  places = ir.reshape(places, ir.tensorType({total}, DType::Int64));
  return ir.gather(rows, places, 1, ir.tensorType({batch, total}, element));
}

/// The matrices' elements that packed diagonals have, and, in `isInside`, which
/// of them they have. Others are padding.
Value spreadDiagonals(Context &ctx, const Packing &packing, Value diagonals,
                      Dim batch, Value padding, Grid &g, Value *isInside) {
  Value diagonal = g.ir.sub(g.column, g.row);
  Value inside =
      g.all(g.compare(Predicate::ge, diagonal, g.number(packing.range.lower)),
            g.compare(Predicate::le, diagonal, g.number(packing.range.upper)));
  Value line =
      g.ir.sub(g.ir.broadcast(g.number(packing.range.upper), g.type), diagonal);
  Value place = g.ir.add(g.min(g.row, g.column), packing.beginOf(g, diagonal));
  Value linear = g.ir.add(g.ir.mul(line, g.number(packing.length)), place);
  Dim count = ctx.dims().mul(Dim::known(packing.range.count()), packing.length);
  if (isInside)
    *isInside = inside;
  return pick(ctx, diagonals, batch, count, padding,
              g.where(inside, linear, g.number(count)), g.dims);
}

Dim batchOf(Context &ctx, const Dims &matrices) {
  return ctx.dims().product(Dims(matrices.begin(), matrices.end() - 2));
}

StatusOr<Value> paddingOf(Context &ctx, int input) {
  return input < ctx.numInputs() ? StatusOr<Value>(ctx.input(input))
                                 : ctx.zero(ctx.outputDType());
}

} // namespace

Status lowerMatrixDiag(Context &ctx) {
  const Dims &dims = ctx.outputDims();
  Dim rows = dims[dims.size() - 2], columns = dims.back();
  KILN_ASSIGN_OR_RETURN(Packing packing, Packing::of(ctx, 1, rows, columns));
  packing.length = ctx.inputDims(0).back();
  KILN_ASSIGN_OR_RETURN(Value padding, paddingOf(ctx, 4));
  Grid grid(ctx, rows, columns);
  Value made = spreadDiagonals(ctx, packing, ctx.input(0), batchOf(ctx, dims),
                               padding, grid, nullptr);
  ctx.setOutput(0, ctx.ir().reshape(made, ctx.outputType()));
  return okStatus();
}

Status lowerMatrixSetDiag(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const Dims &dims = ctx.outputDims();
  Dim rows = dims[dims.size() - 2], columns = dims.back();
  KILN_ASSIGN_OR_RETURN(Packing packing, Packing::of(ctx, 2, rows, columns));
  KILN_ASSIGN_OR_RETURN(Value padding, ctx.zero(ctx.outputDType()));
  Grid grid(ctx, rows, columns);
  Value isInside;
  Value made = spreadDiagonals(ctx, packing, ctx.input(1), batchOf(ctx, dims),
                               padding, grid, &isInside);
  RankedTensorType type = ctx.outputType();
  auto rank = static_cast<int64_t>(dims.size());
  Value mask = ir.broadcast(
      isInside, ir::withElementType(type, IrBuilder::elementOf(isInside)),
      {rank - 2, rank - 1});
  ctx.setOutput(0, ir.select(mask, ir.reshape(made, type), ctx.input(0)));
  return okStatus();
}

Status lowerMatrixDiagPart(Context &ctx) {
  const Dims &dims = ctx.inputDims(0);
  Dim rows = dims[dims.size() - 2], columns = dims.back();
  KILN_ASSIGN_OR_RETURN(Packing packing, Packing::of(ctx, 1, rows, columns));
  Grid g(ctx, Dim::known(packing.range.count()), packing.length);
  Value zero = g.number(int64_t(0));
  Value diagonal =
      g.ir.sub(g.ir.broadcast(g.number(packing.range.upper), g.type), g.row);
  Value place = g.ir.sub(g.column, packing.beginOf(g, diagonal));
  Value row = g.ir.sub(place, g.min(diagonal, zero)),
        column = g.ir.add(place, g.max(diagonal, zero));
  Value linear = g.ir.add(g.ir.mul(row, g.number(columns)), column);
  Dim count = ctx.dims().mul(rows, columns);
  Value padding;
  if (packing.range.count() > 1) { // else none is shorter than the longest
    KILN_ASSIGN_OR_RETURN(padding, paddingOf(ctx, 2));
    Value inside =
        g.all(g.compare(Predicate::ge, place, zero),
              g.compare(Predicate::lt, place, packing.lengthOf(g, diagonal)));
    linear = g.where(inside, linear, g.number(count));
  }
  Value made = pick(ctx, ctx.input(0), batchOf(ctx, dims), count, padding,
                    linear, g.dims);
  ctx.setOutput(0, ctx.ir().reshape(made, ctx.outputType()));
  return okStatus();
}

Status lowerDiag(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  Dim count = ctx.dims().product(ctx.inputDims(0));
  Grid grid(ctx, count, count);
  mlir::Type element = IrBuilder::elementOf(ctx.input(0));
  RankedTensorType type = ir.tensorType(grid.dims, element);
  Value x = ir.reshape(ctx.input(0), ir.tensorType({count}, element));
  KILN_ASSIGN_OR_RETURN(Value zero, ctx.zero(ctx.outputDType()));
  Value made = ir.select(ir.compare(Predicate::eq, grid.row, grid.column),
                         ir.broadcast(x, type, {0}), ir.broadcast(zero, type));
  ctx.setOutput(0, ir.reshape(made, ctx.outputType()));
  return okStatus();
}

Status lowerDiagPart(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  Dim count = ctx.dims().product(ctx.outputDims()), one = Dim::known(1);
  Grid grid(ctx, one, count);
  Value places = ir.mul(grid.column, grid.number(ctx.dims().add(count, one)));
  Value made = pick(ctx, ctx.input(0), one, ctx.dims().mul(count, count),
                    Value(), places, grid.dims);
  ctx.setOutput(0, ir.reshape(made, ctx.outputType()));
  return okStatus();
}

/// The kernel BandLimits checks how many diagonals are kept.
Status lowerMatrixBandPart(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const Dims &dims = ctx.outputDims();
  Dim rows = dims[dims.size() - 2], columns = dims.back();
  Grid grid(ctx, rows, columns);
  auto scalar = RankedTensorType::get({}, grid.type.getElementType());
  Value extents = ir.contents(ir.tensorType({Dim::known(2)}, DType::Int64),
                              {rows, columns});
  auto limits =
      ir.kernelCall("BandLimits", {ctx.input(1), ctx.input(2), extents},
                    mlir::TypeRange({scalar, scalar}));
  Value down = ir.sub(grid.row, grid.column),
        up = ir.sub(grid.column, grid.row);
  Value inside = grid.all(ir.compare(Predicate::le, down, limits.getResult(0)),
                          ir.compare(Predicate::le, up, limits.getResult(1)));
  RankedTensorType type = ctx.outputType();
  auto rank = static_cast<int64_t>(dims.size());
  Value mask = ir.broadcast(
      inside, ir::withElementType(type, IrBuilder::elementOf(inside)),
      {rank - 2, rank - 1});
  KILN_ASSIGN_OR_RETURN(Value zero, ctx.zero(ctx.outputDType()));
  ctx.setOutput(0, ir.select(mask, ctx.input(0), ir.broadcast(zero, type)));
  return okStatus();
}

} // namespace kiln
