// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers slices, splits and reversals to kiln.slice, whose starts may be
// symbols.
#include "lib/Ops/Array/LoweringSlices.h"

#include "lib/Ops/Indexing/LoweringRows.h"
#include "lib/Ops/TensorArray/Lowering.h"
#include "lib/Shape/Rules.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {
using Context = LoweringContext;

namespace {

/// Numbers of which some may be symbols: the sum of what is fixed and, where
/// there are symbols, of a tensor.
struct Amounts {
  Amounts(Context &ctx, const Dims &dims) {
    Dims symbols;
    for (Dim dim : dims) {
      fixed.push_back(dim.isKnown() ? dim.value : 0);
      symbols.push_back(dim.isSymbol() ? dim : Dim::known(0));
    }
    IrBuilder &ir = ctx.ir();
    auto type = RankedTensorType::get({static_cast<int64_t>(dims.size())},
                                      ir.opBuilder().getI64Type());
    if (std::ranges::any_of(dims, &Dim::isSymbol))
      dynamic = ir.contents(type, symbols);
  }
  llvm::SmallVector<int64_t> fixed;
  Value dynamic;
};

} // namespace

Value sliceAt(Context &ctx, Value x, const Dims &starts,
              llvm::ArrayRef<int64_t> strides, RankedTensorType type) {
  IrBuilder &ir = ctx.ir();
  Amounts amounts(ctx, starts);
  if (!amounts.dynamic)
    return ir.slice(x, amounts.fixed, strides, type);
  return ir::SliceOp::create(ir.opBuilder(), ir.location(), type, x,
                             amounts.dynamic, amounts.fixed, strides);
}

Value padTo(Context &ctx, Value x, const Dims &low, Value padding,
            RankedTensorType type) {
  if (x.getType() == type)
    return x;
  Amounts amounts(ctx, ctx.dims().resolve(low));
  return ctx.ir().pad(x, padding, amounts.fixed, type, amounts.dynamic);
}

namespace {

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

static StatusOr<StridedSlicePlan> stridedSlicePlan(Context &ctx,
                                                   const Dims &shape) {
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
                        planStridedSlice(ctx.dims(), shape, spec));
  for (StridedDim &dim : plan.dims) {
    dim.begin = ctx.dims().resolve(dim.begin);
    dim.extent = ctx.dims().resolve(dim.extent);
  }
  return plan;
}

/// The slice has the input's rank; the reshape drops shrunk dimensions and adds
/// new ones.
Status lowerStridedSlice(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(StridedSlicePlan plan,
                        stridedSlicePlan(ctx, ctx.inputDims(0)));
  Dims starts, extents;
  llvm::SmallVector<int64_t> strides;
  for (const StridedDim &dim : plan.dims) {
    starts.push_back(dim.begin);
    extents.push_back(dim.extent);
    strides.push_back(dim.stride.value);
  }
  Value x = ctx.input(0);
  Value part = sliceAt(ctx, x, starts, strides,
                       ctx.ir().tensorType(extents, IrBuilder::elementOf(x)));
  ctx.setOutput(0, ctx.ir().reshape(part, ctx.outputType()));
  return okStatus();
}

/// One axis of a gradient at a time: zeros before, between and behind what
/// there is.
static StatusOr<Value> unsliceAxis(Context &ctx, Value x, Value zero,
                                   Dims &dims, int64_t axis, StridedDim at,
                                   Dim extent) {
  IrBuilder &ir = ctx.ir();
  DimSpace &space = ctx.dims();
  auto place = static_cast<size_t>(axis);
  const Dim one = Dim::known(1);
  auto typeWith = [&](Dim along) {
    Dims of = dims;
    of[place] = space.resolve(along);
    return ir.tensorType(of, IrBuilder::elementOf(x));
  };
  int64_t step = at.stride.value;
  if (step < 0) {
    // From the last element on.
    Dims starts(dims.size(), Dim::known(0));
    starts[place] = space.sub(at.extent, one);
    llvm::SmallVector<int64_t> strides(dims.size(), 1);
    strides[place] = -1;
    x = sliceAt(ctx, x, starts, strides, typeWith(at.extent));
    // Never below 0: of no elements it is a step behind the first place, which
    // is -1 at least. And the extent at most, where that step is 1.
    at.begin =
        space.resolve(space.add(at.begin, space.mul(starts[place], at.stride)));
    step = -step;
  }
  if (at.extent.isKnown(0))
    at.begin = Dim::known(0);
  Dim length = at.extent;
  if (step > 1) {
    // [n] -> [n, 1] -> [n, step] -> [n * step], which may be too long.
    length = space.mul(at.extent, Dim::known(step));
    Dims split = dims;
    split[place] = at.extent;
    split.insert(split.begin() + axis + 1, one);
    auto element = IrBuilder::elementOf(x);
    x = ir.reshape(x, ir.tensorType(split, element));
    split[place + 1] = Dim::known(step - 1);
    Value gaps = ir.broadcast(zero, ir.tensorType(split, element));
    split[place + 1] = Dim::known(step);
    x = ir.concat({x, gaps}, axis + 1, ir.tensorType(split, element));
    x = ir.reshape(x, typeWith(length));
  }
  Dim rest = step > 1 ? extent : space.sub(space.sub(extent, at.begin), length);
  rest = space.resolve(rest);
  llvm::SmallVector<Value> parts;
  Dim total = space.add(space.add(at.begin, length), rest);
  if (!at.begin.isKnown(0))
    parts.push_back(ir.broadcast(zero, typeWith(at.begin)));
  parts.push_back(x);
  if (!rest.isKnown(0))
    parts.push_back(ir.broadcast(zero, typeWith(rest)));
  if (parts.size() > 1)
    x = ir.concat(parts, axis, typeWith(step > 1 ? total : extent));
  if (step > 1) {
    llvm::SmallVector<int64_t> starts(dims.size(), 0), strides(dims.size(), 1);
    x = ir.slice(x, starts, strides, typeWith(extent));
  }
  dims[place] = extent;
  return x;
}

/// What a slice of `shape` was, with zeros where it was not.
static StatusOr<Value> unslice(Context &ctx, Value x, Value zero,
                               const StridedSlicePlan &plan,
                               const Dims &shape) {
  Dims dims;
  for (const StridedDim &dim : plan.dims)
    dims.push_back(dim.extent);
  x = ctx.ir().reshape(x, ctx.ir().tensorType(dims, IrBuilder::elementOf(x)));
  for (size_t i = 0; i < plan.dims.size(); ++i) {
    const StridedDim &dim = plan.dims[i];
    if (dim.begin.isKnown(0) && dim.stride.isKnown(1) && dim.extent == shape[i])
      continue;
    KILN_ASSIGN_OR_RETURN(x,
                          unsliceAxis(ctx, x, zero, dims,
                                      static_cast<int64_t>(i), dim, shape[i]));
  }
  return x;
}

Status lowerStridedSliceGrad(Context &ctx) {
  const Dims &shape = ctx.outputDims();
  KILN_ASSIGN_OR_RETURN(StridedSlicePlan plan, stridedSlicePlan(ctx, shape));
  KILN_ASSIGN_OR_RETURN(Value zero, ctx.zero(ctx.outputDType()));
  KILN_ASSIGN_OR_RETURN(Value x, unslice(ctx, ctx.input(4), zero, plan, shape));
  ctx.setOutput(0, ctx.ir().reshape(x, ctx.outputType()));
  return okStatus();
}

/// What the slice of a tensor of these dimensions is replaced by, as the slice.
static Value broadcastToSlice(Context &ctx, const StridedSlicePlan &plan) {
  IrBuilder &ir = ctx.ir();
  Dims own = ctx.inputDims(4), slice;
  for (int from : plan.outputs)
    slice.push_back(from < 0 ? Dim::known(1)
                             : plan.dims[static_cast<size_t>(from)].extent);
  if (own.size() > slice.size())
    own.erase(own.begin(),
              own.end() - static_cast<ptrdiff_t>(slice.size())); // all are 1
  Value value = ctx.input(4);
  mlir::Type element = IrBuilder::elementOf(value);
  return ir.broadcast(ir.reshape(value, ir.tensorType(own, element)),
                      ir.tensorType(slice, element));
}

/// `base` with input 4 in place of the slice: a scatter of rows, which are as
/// many of the last dimensions as the slice leaves whole.
static StatusOr<Value> updateSlice(Context &ctx, Value base) {
  IrBuilder &ir = ctx.ir();
  DimSpace &space = ctx.dims();
  const Dims dims = dimsOf(base);
  KILN_ASSIGN_OR_RETURN(StridedSlicePlan plan, stridedSlicePlan(ctx, dims));
  // TensorFlow takes any value for no elements.
  if (llvm::is_contained(plan.shape, Dim::known(0)))
    return base;
  Value value = broadcastToSlice(ctx, plan);
  auto isWhole = [&](size_t i) {
    const StridedDim &dim = plan.dims[i];
    return dim.begin.isKnown(0) && dim.stride.isKnown(1) &&
           dim.extent == space.resolve(dims[i]);
  };
  size_t tuple = dims.size();
  while (tuple > 0 && isWhole(tuple - 1))
    --tuple;
  if (tuple == 0)
    return ir.reshape(value, IrBuilder::typeOf(base));
  Dims part;
  for (size_t i = 0; i < tuple; ++i)
    part.push_back(plan.dims[i].extent);
  mlir::Type index = ir.opBuilder().getI64Type();
  RankedTensorType grid = ir.tensorType(part, index);
  auto everywhere = [&](Dim dim) {
    return ir.broadcast(ir.dimScalar(dim, index), grid);
  };
  Value rowAt;
  for (size_t i = 0; i < tuple; ++i) {
    Value at = ir.add(ir.mul(ir.iota(grid, static_cast<int64_t>(i)),
                             everywhere(plan.dims[i].stride)),
                      everywhere(plan.dims[i].begin));
    rowAt = rowAt ? ir.add(ir.mul(rowAt, everywhere(dims[i])), at) : at;
  }
  const Rows rows(ctx, dims, tuple);
  Dim count = space.product(part);
  Value result = ir.scatter(
      ir::ScatterKind::update, rows.of(ctx, base, rows.count),
      ir.reshape(rowAt, ir.tensorType({count}, index)),
      rows.of(ctx, value, count), rows.type(ctx, IrBuilder::elementOf(base)));
  return ir.reshape(result, IrBuilder::typeOf(base));
}

Status lowerStridedSliceUpdate(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(Value result, updateSlice(ctx, ctx.input(0)));
  ctx.setOutput(0, result);
  return okStatus();
}

Status lowerStridedSliceAssign(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int variable, ctx.variable(0));
  KILN_ASSIGN_OR_RETURN(Value result,
                        updateSlice(ctx, ctx.readVariable(variable)));
  return ctx.finishUpdate(variable, result);
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
  if (!ctx.foundOut().empty()) {
    // So many loops, each behind the sizes of those before, are no gain.
    ctx.callKernel("SplitParts", {ctx.input(0), ctx.input(1)}, {axis});
    return okStatus();
  }
  Dims sizes;
  for (int i = 0; i < ctx.numOutputs(); ++i)
    sizes.push_back(ctx.outputDims(i)[static_cast<size_t>(axis)]);
  return cut(ctx, 0, axis, sizes, /*dropAxis=*/false);
}

Status lowerUnpack(Context &ctx) {
  if (ctx.inputDType(0) == DType::Variant)
    return lowerSlotOp(ctx);
  int64_t axis = ctx.intAttr("axis");
  axis = axis < 0 ? axis + ctx.inputRank(0) : axis;
  Dims sizes(static_cast<size_t>(ctx.numOutputs()), Dim::known(1));
  return cut(ctx, 0, axis, sizes, /*dropAxis=*/true);
}

/// The axes of the tensor that ReverseV2 lists, or that Reverse, the op before
/// it, has flags for.
static StatusOr<std::vector<int64_t>> reversedAxes(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(std::vector<int64_t> given, ctx.ints(1));
  std::vector<int64_t> axes;
  for (size_t i = 0; i < given.size(); ++i)
    if (ctx.node().op() != "Reverse")
      axes.push_back(given[i] < 0 ? given[i] + ctx.inputRank(0) : given[i]);
    else if (given[i] != 0)
      axes.push_back(static_cast<int64_t>(i));
  return axes;
}

/// A stride of -1 from the last element.
Status lowerReverse(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(std::vector<int64_t> axes, reversedAxes(ctx));
  Dims starts(ctx.inputDims(0).size(), Dim::known(0));
  llvm::SmallVector<int64_t> strides(starts.size(), 1);
  for (int64_t axis : axes) {
    auto place = static_cast<size_t>(axis);
    starts[place] = ctx.dims().sub(ctx.inputDims(0)[place], Dim::known(1));
    strides[place] = -1;
  }
  ctx.setOutput(0,
                sliceAt(ctx, ctx.input(0), starts, strides, ctx.outputType()));
  return okStatus();
}

} // namespace kiln
