// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers rearrangements of elements; slices have a file of their own.
//
// What only tells a shape (Shape, Size ...) has no lowering: inference knows
// its elements.
#include "lib/Ops/TensorArray/Lowering.h"
#include "lib/Ops/Array/LoweringSlices.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln {
namespace {

using Context = LoweringContext;

/// Reshape, ExpandDims, Squeeze: of a variable, still a view of it.
Status lowerReshape(Context &ctx) {
  if (ctx.isVariable(0))
    ctx.forward(0, 0);
  else
    ctx.setOutput(0, ctx.ir().reshape(ctx.input(0), ctx.outputType()));
  return okStatus();
}

/// Input i, which may be a vector of one element, as a scalar.
Value scalarInput(Context &ctx, int i) {
  Value x = ctx.input(i);
  return ctx.ir().reshape(x, ctx.ir().tensorType({}, IrBuilder::elementOf(x)));
}

Status lowerFill(Context &ctx) {
  ctx.setOutput(0, ctx.ir().broadcast(scalarInput(ctx, 1), ctx.outputType()));
  return okStatus();
}

/// TensorFlow leaves the elements as they come where it need not set them.
Status lowerEmpty(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(Value zero, ctx.zero(ctx.outputDType()));
  ctx.setOutput(0, ctx.ir().broadcast(zero, ctx.outputType()));
  return okStatus();
}

Status lowerCopy(Context &ctx) {
  ctx.setOutput(0, ctx.input(0));
  return okStatus();
}

Status lowerBroadcastTo(Context &ctx) {
  ctx.setOutput(0, ctx.ir().broadcast(ctx.input(0), ctx.outputType()));
  return okStatus();
}

/// [d0, d1] -> [1, d0, 1, d1] -> [m0, d0, m1, d1] -> [m0 * d0, m1 * d1]; a
/// dimension of 1 is broadcast where it stands.
Status lowerTile(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(Dims multiples, ctx.contents(1));
  Dims spread, repeated;
  for (size_t i = 0; i < multiples.size(); ++i) {
    Dim extent = ctx.inputDims(0)[i];
    if (!multiples[i].isKnown(1)) {
      spread.push_back(Dim::known(1));
      repeated.push_back(multiples[i]);
    }
    if (multiples[i].isKnown(1) || !extent.isKnown(1)) {
      spread.push_back(extent);
      repeated.push_back(extent);
    }
  }
  IrBuilder &ir = ctx.ir();
  Value x = ir.reshape(ctx.input(0), ir.tensorType(spread, ctx.inputDType(0)));
  x = ir.broadcast(x, ir.tensorType(repeated, ctx.inputDType(0)));
  ctx.setOutput(0, ir.reshape(x, ctx.outputType()));
  return okStatus();
}

Status lowerTranspose(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(std::vector<int64_t> permutation, ctx.ints(1));
  for (int64_t &axis : permutation)
    axis = axis < 0 ? axis + ctx.inputRank(0) : axis;
  ctx.setOutput(0, ctx.ir().transpose(ctx.input(0), permutation));
  return okStatus();
}

/// Each value with a dimension of 1 at the axis, then joined there.
Status lowerPack(Context &ctx) {
  if (ctx.inputDType(0) == DType::Variant)
    return lowerSlotOp(ctx);
  int64_t rank = static_cast<int64_t>(ctx.outputDims().size());
  int64_t axis = ctx.intAttr("axis");
  axis = axis < 0 ? axis + rank : axis;
  IrBuilder &ir = ctx.ir();
  llvm::SmallVector<Value> parts;
  for (int i = 0; i < ctx.numInputs(); ++i) {
    Dims dims = ctx.inputDims(i);
    dims.insert(dims.begin() + axis, Dim::known(1));
    parts.push_back(
        ir.reshape(ctx.input(i), ir.tensorType(dims, ctx.inputDType(i))));
  }
  ctx.setOutput(0, parts.size() == 1
                       ? parts[0]
                       : ir.concat(parts, axis, ctx.outputType()));
  return okStatus();
}

Status concatInputs(Context &ctx, int begin, int end, int axisInput) {
  KILN_ASSIGN_OR_RETURN(
      int64_t axis,
      ctx.axis(axisInput, static_cast<int64_t>(ctx.outputDims().size())));
  llvm::SmallVector<Value> parts;
  for (int i = begin; i < end; ++i)
    parts.push_back(ctx.input(i));
  ctx.setOutput(0, parts.size() == 1
                       ? parts[0]
                       : ctx.ir().concat(parts, axis, ctx.outputType()));
  return okStatus();
}

Status lowerConcatV2(Context &ctx) {
  return concatInputs(ctx, 0, ctx.numInputs() - 1, ctx.numInputs() - 1);
}
Status lowerConcat(Context &ctx) {
  return concatInputs(ctx, 1, ctx.numInputs(), 0);
}

Status lowerParallelConcat(Context &ctx) {
  llvm::SmallVector<Value> parts = ctx.allInputs();
  ctx.setOutput(0, parts.size() == 1
                       ? parts[0]
                       : ctx.ir().concat(parts, 0, ctx.outputType()));
  return okStatus();
}

/// start + i * delta
Status lowerRange(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  Value start = scalarInput(ctx, 0), delta = scalarInput(ctx, 2);
  if (!ctx.foundOut().empty())
    ir.kernelCall("RangeLength", {start, scalarInput(ctx, 1), delta}, {},
                  static_cast<int64_t>(ctx.inputDType(0)), ctx.foundOut());
  ctx.setOutput(0, ir::IotaOp::create(ir.opBuilder(), ir.location(),
                                      ctx.outputType(), start, delta, 0));
  return okStatus();
}

/// start + i * (stop - start) / (num - 1), and stop itself at the end; start
/// alone where it is the only one.
Status lowerLinSpace(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const RankedTensorType type = ctx.outputType();
  const mlir::Type element = type.getElementType();
  Value start = ctx.input(0), stop = ctx.input(1);
  const Dim count = ctx.outputDims()[0];
  auto number = [&](Dim dim) { return ir.dimScalar(dim, element); };
  const Dim last = ctx.dims().sub(count, Dim::known(1));
  Value step =
      ir.div(ir.sub(stop, start), number(ctx.dims().max(last, Dim::known(1))));
  Value place =
      ir.iota(ir.tensorType(ctx.outputDims(), ir.opBuilder().getI64Type()), 0);
  Value inner =
      ir.add(ir.broadcast(start, type), ir.mul(ir.cast(place, element), step));
  auto isAt = [&](Dim dim) {
    return ir.compare(
        ir::Predicate::eq, place,
        ir.broadcast(ir.dimScalar(dim, ir.opBuilder().getI64Type()),
                     IrBuilder::typeOf(place)));
  };
  Value isLast = isAt(last), isFirst = isAt(Dim::known(0));
  Value rest = ir.select(isLast, ir.broadcast(stop, type), inner);
  ctx.setOutput(0, ir.select(isFirst, ir.broadcast(start, type), rest));
  return okStatus();
}

/// For sizes that only the run knows; else inference knows the elements.
Status lowerByKernel(Context &ctx) {
  ctx.callKernel(ctx.opDef().canonicalName, ctx.allInputs());
  return okStatus();
}

Status gather(Context &ctx, Value params, int64_t axis, int64_t batch) {
  IrBuilder &ir = ctx.ir();
  Value gathered =
      ir::GatherOp::create(ir.opBuilder(), ir.location(), ctx.outputType(),
                           params, ctx.input(1), axis, batch);
  ctx.setOutput(0, gathered);
  return okStatus();
}

Status lowerGatherV2(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int64_t axis, ctx.axis(2, ctx.inputRank(0)));
  int64_t batch = ctx.intAttr("batch_dims");
  return gather(ctx, ctx.input(0), axis,
                batch < 0 ? batch + ctx.inputRank(1) : batch);
}

Status lowerGather(Context &ctx) { return gather(ctx, ctx.input(0), 0, 0); }

Status lowerResourceGather(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int variable, ctx.variable(0));
  int64_t batch = ctx.intAttr("batch_dims");
  return gather(ctx, ctx.readVariable(variable), batch, batch);
}

Status lowerPad(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(Dims paddings, ctx.contents(1));
  Value padding;
  if (ctx.numInputs() > 2) {
    padding = ctx.input(2);
  } else {
    KILN_ASSIGN_OR_RETURN(padding, ctx.zero(ctx.inputDType(0)));
  }
  Dims low;
  for (size_t i = 0; i < paddings.size(); i += 2)
    low.push_back(paddings[i]);
  ctx.setOutput(0, padTo(ctx, ctx.input(0), low, padding, ctx.outputType()));
  return okStatus();
}

/// Compares the indices with 0, 1, ... along the new axis.
Status lowerOneHot(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  RankedTensorType type = ctx.outputType();
  // Positions must not wrap where the depth is beyond a narrow index type.
  Value indices = ctx.input(0);
  if (IrBuilder::elementOf(indices).getIntOrFloatBitWidth() < 32)
    indices = ir.cast(indices, ir.opBuilder().getI32Type());
  int64_t axis =
      ctx.intAttr("axis") < 0 ? type.getRank() - 1 : ctx.intAttr("axis");
  llvm::SmallVector<int64_t> map;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (i != axis)
      map.push_back(i);
  auto indexType = ir::withElementType(type, IrBuilder::elementOf(indices));
  Value isHot =
      ir.compare(ir::Predicate::eq, ir.broadcast(indices, indexType, map),
                 ir.iota(indexType, axis));
  ctx.setOutput(0, ir.select(isHot, ir.broadcast(ctx.input(2), type),
                             ir.broadcast(ctx.input(3), type)));
  return okStatus();
}

Status lowerBitcast(Context &ctx) {
  ctx.callKernel("CopyBytes", ctx.input(0));
  return okStatus();
}

} // namespace

void registerArrayLowerings(LoweringRegistry &registry) {
  registry.add({{"Range", lowerRange},
                {"LinSpace", lowerLinSpace},
                {"ConjugateTranspose", lowerTranspose}});
  registry.addMoves({{"Reshape", lowerReshape},
                     {"ExpandDims", lowerReshape},
                     {"Squeeze", lowerReshape},
                     {"EnsureShape", lowerReshape},
                     {"Bitcast", lowerBitcast},
                     {"Fill", lowerFill},
                     {"BroadcastTo", lowerBroadcastTo},
                     {"BroadcastArgs", lowerByKernel},
                     {"BroadcastGradientArgs", lowerByKernel},
                     {"ConcatOffset", lowerByKernel},
                     {"Tile", lowerTile},
                     {"Transpose", lowerTranspose},
                     {"Pack", lowerPack},
                     {"ConcatV2", lowerConcatV2},
                     {"Concat", lowerConcat},
                     {"ParallelConcat", lowerParallelConcat},
                     {"Empty", lowerEmpty},
                     {"FakeParam", lowerEmpty},
                     {"DeepCopy", lowerCopy},
                     {"GatherV2", lowerGatherV2},
                     {"Gather", lowerGather},
                     {"ResourceGather", lowerResourceGather},
                     {"Pad", lowerPad},
                     {"PadV2", lowerPad},
                     {"OneHot", lowerOneHot},
                     {"Slice", lowerSlice},
                     {"StridedSlice", lowerStridedSlice},
                     {"StridedSliceGrad", lowerStridedSliceGrad},
                     {"StridedSliceAssign", lowerStridedSliceAssign},
                     {"ResourceStridedSliceAssign", lowerStridedSliceAssign},
                     {"TensorStridedSliceUpdate", lowerStridedSliceUpdate},
                     {"Split", lowerSplit},
                     {"SplitV", lowerSplitV},
                     {"Unpack", lowerUnpack},
                     {"Reverse", lowerReverse},
                     {"ReverseV2", lowerReverse}});
}

} // namespace kiln
