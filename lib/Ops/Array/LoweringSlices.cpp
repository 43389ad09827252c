// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers slices, splits and reversals to kiln.slice, whose starts may be
// symbols.
#include "lib/Ops/Array/LoweringSlices.h"

#include "lib/Shape/Rules.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {
namespace {

using Context = LoweringContext;

/// A slice whose starts are numbers or symbols; symbols become an i64 tensor
/// beside the constant starts.
Value sliceAt(Context &ctx, Value x, const Dims &starts,
              llvm::ArrayRef<int64_t> strides, RankedTensorType type) {
  IrBuilder &ir = ctx.ir();
  llvm::SmallVector<int64_t> fixed;
  Dims moving;
  bool anyMoves = false;
  for (Dim start : starts) {
    anyMoves |= start.isSymbol();
    fixed.push_back(start.isKnown() ? start.value : 0);
    moving.push_back(start.isSymbol() ? start : Dim::known(0));
  }
  if (!anyMoves)
    return ir.slice(x, fixed, strides, type);
  auto indexType = RankedTensorType::get({static_cast<int64_t>(starts.size())},
                                         ir.opBuilder().getI64Type());
  return ir::SliceOp::create(ir.opBuilder(), ir.location(), type, x,
                             ir.contents(indexType, moving), fixed, strides);
}

/// The part of x from `start` of `extent` along one axis.
Value sliceAxis(Context &ctx, Value x, const Dims &dims, int64_t axis,
                Dim start, Dim extent) {
  Dims starts(dims.size(), Dim::known(0)), part = dims;
  starts[static_cast<size_t>(axis)] = start;
  part[static_cast<size_t>(axis)] = extent;
  llvm::SmallVector<int64_t> strides(dims.size(), 1);
  return sliceAt(ctx, x, starts, strides,
                 ctx.ir().tensorType(part, IrBuilder::elementOf(x)));
}

/// Cuts input `input` along `axis` into the outputs, whose extents there are
/// `sizes`.
Status cut(Context &ctx, int input, int64_t axis, const Dims &sizes,
           bool dropAxis) {
  Dim start = Dim::known(0);
  Value x = ctx.input(input);
  for (size_t i = 0; i < sizes.size(); ++i) {
    Value part = sliceAxis(ctx, x, ctx.inputDims(input), axis, start, sizes[i]);
    int output = static_cast<int>(i);
    ctx.setOutput(output, dropAxis
                              ? ctx.ir().reshape(part, ctx.outputType(output))
                              : part);
    start = ctx.dims().add(start, sizes[i]);
  }
  return okStatus();
}

} // namespace

Status lowerSlice(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(Dims starts, ctx.contents(1));
  llvm::SmallVector<int64_t> strides(starts.size(), 1);
  ctx.setOutput(0,
                sliceAt(ctx, ctx.input(0), starts, strides, ctx.outputType()));
  return okStatus();
}

/// The slice has the input's rank; the reshape drops shrunk dimensions and adds
/// new ones.
Status lowerStridedSlice(Context &ctx) {
  StridedSliceSpec spec;
  KILN_ASSIGN_OR_RETURN(spec.begin, ctx.contents(1));
  KILN_ASSIGN_OR_RETURN(spec.end, ctx.contents(2));
  KILN_ASSIGN_OR_RETURN(spec.strides, ctx.contents(3));
  spec.numEntries = static_cast<int>(spec.begin->size());
  spec.beginMask = ctx.intAttr("begin_mask");
  spec.endMask = ctx.intAttr("end_mask");
  spec.ellipsisMask = ctx.intAttr("ellipsis_mask");
  spec.newAxisMask = ctx.intAttr("new_axis_mask");
  spec.shrinkAxisMask = ctx.intAttr("shrink_axis_mask");
  KILN_ASSIGN_OR_RETURN(StridedSlicePlan plan,
                        planStridedSlice(ctx.dims(), ctx.inputDims(0), spec));
  Dims starts, extents;
  llvm::SmallVector<int64_t> strides;
  for (const StridedDim &dim : plan.dims) {
    starts.push_back(ctx.dims().resolve(dim.begin));
    extents.push_back(ctx.dims().resolve(dim.extent));
    strides.push_back(dim.stride.value);
  }
  Value x = ctx.input(0);
  Value part = sliceAt(ctx, x, starts, strides,
                       ctx.ir().tensorType(extents, IrBuilder::elementOf(x)));
  ctx.setOutput(0, ctx.ir().reshape(part, ctx.outputType()));
  return okStatus();
}

Status lowerSplit(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int64_t axis, ctx.axis(0, ctx.inputRank(1)));
  Dims sizes;
  for (int i = 0; i < ctx.numOutputs(); ++i)
    sizes.push_back(ctx.outputDims(i)[static_cast<size_t>(axis)]);
  return cut(ctx, 1, axis, sizes, /*dropAxis=*/false);
}

Status lowerSplitV(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int64_t axis, ctx.axis(2, ctx.inputRank(0)));
  Dims sizes;
  for (int i = 0; i < ctx.numOutputs(); ++i)
    sizes.push_back(ctx.outputDims(i)[static_cast<size_t>(axis)]);
  return cut(ctx, 0, axis, sizes, /*dropAxis=*/false);
}

Status lowerUnpack(Context &ctx) {
  int64_t axis = ctx.intAttr("axis");
  axis = axis < 0 ? axis + ctx.inputRank(0) : axis;
  Dims sizes(static_cast<size_t>(ctx.numOutputs()), Dim::known(1));
  return cut(ctx, 0, axis, sizes, /*dropAxis=*/true);
}

/// A stride of -1 from the last element.
Status lowerReverse(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(std::vector<int64_t> axes, ctx.ints(1));
  Dims starts(ctx.inputDims(0).size(), Dim::known(0));
  llvm::SmallVector<int64_t> strides(starts.size(), 1);
  for (int64_t axis : axes) {
    auto place = static_cast<size_t>(axis < 0 ? axis + ctx.inputRank(0) : axis);
    starts[place] = ctx.dims().sub(ctx.inputDims(0)[place], Dim::known(1));
    strides[place] = -1;
  }
  ctx.setOutput(0,
                sliceAt(ctx, ctx.input(0), starts, strides, ctx.outputType()));
  return okStatus();
}

} // namespace kiln
