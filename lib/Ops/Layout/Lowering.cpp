// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers moves of blocks, mirrored borders, shifts, turned sequences: views,
// transposes, slices and joins. Diagonals have a file of their own.
#include "lib/Ops/Layout/Lowering.h"

#include "lib/Ops/Array/LoweringSlices.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln {
namespace {

using Context = LoweringContext;

//===--- Blocks -----------------------------------------------------------===//

/// [n, h * b, w * b, c] -> [n, h, b, w, b, c] -> [n, h, w, b, b, c]
Status lowerSpaceToDepth(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const Dims &from = ctx.inputDims(0), &to = ctx.outputDims();
  Dim block = Dim::known(ctx.intAttr("block_size"));
  Value x = ctx.input(0);
  x = ir.reshape(x, ir.tensorType({to[0], to[1], block, to[2], block, from[3]},
                                  IrBuilder::elementOf(x)));
  x = ir.transpose(x, {0, 1, 3, 2, 4, 5});
  ctx.setOutput(0, ir.reshape(x, ctx.outputType()));
  return okStatus();
}

/// [n, h, w, b * b * c] -> [n, h, w, b, b, c] -> [n, h, b, w, b, c]
Status lowerDepthToSpace(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const Dims &from = ctx.inputDims(0), &to = ctx.outputDims();
  Dim block = Dim::known(ctx.intAttr("block_size"));
  Value x = ctx.input(0);
  x = ir.reshape(x,
                 ir.tensorType({to[0], from[1], from[2], block, block, to[3]},
                               IrBuilder::elementOf(x)));
  x = ir.transpose(x, {0, 1, 3, 2, 4, 5});
  ctx.setOutput(0, ir.reshape(x, ctx.outputType()));
  return okStatus();
}

/// The sizes of blocks and the borders around them, which inference has
/// checked.
struct Blocks {
  std::vector<int64_t> sizes;
  Dims borders;
};

StatusOr<Blocks> blocksOf(Context &ctx) {
  Blocks blocks;
  bool hasShape = ctx.numInputs() == 3;
  if (hasShape) {
    KILN_ASSIGN_OR_RETURN(blocks.sizes, ctx.ints(1));
  } else {
    blocks.sizes.assign(2, ctx.intAttr("block_size"));
  }
  KILN_ASSIGN_OR_RETURN(blocks.borders, ctx.contents(hasShape ? 2 : 1));
  return blocks;
}

/// [n, p * b, c] -> [n, p, b, c] -> [b, n, p, c]
Status lowerSpaceToBatch(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(Blocks blocks, blocksOf(ctx));
  IrBuilder &ir = ctx.ir();
  Value x = ctx.input(0);
  mlir::Type element = IrBuilder::elementOf(x);
  Dims padded = ctx.inputDims(0), split = {padded[0]};
  Dims low(padded.size(), Dim::known(0));
  llvm::SmallVector<int64_t> order, batch;
  size_t count = blocks.sizes.size();
  order.push_back(0);
  for (size_t i = 0; i < count; ++i) {
    Dim before = blocks.borders[2 * i], after = blocks.borders[2 * i + 1];
    low[i + 1] = before;
    padded[i + 1] =
        ctx.dims().add(ctx.dims().add(padded[i + 1], before), after);
    split.insert(split.end(),
                 {ctx.outputDims()[i + 1], Dim::known(blocks.sizes[i])});
    batch.push_back(static_cast<int64_t>(2 * i + 2));
    order.push_back(static_cast<int64_t>(2 * i + 1));
  }
  for (size_t i = count + 1; i < padded.size(); ++i) {
    order.push_back(static_cast<int64_t>(split.size()));
    split.push_back(padded[i]);
  }
  order.insert(order.begin(), batch.begin(), batch.end());
  RankedTensorType type = ir.tensorType(padded, element);
  KILN_ASSIGN_OR_RETURN(Value zero, ctx.zero(ctx.outputDType()));
  x = padTo(ctx, x, low, zero, type);
  x = ir.transpose(ir.reshape(x, ir.tensorType(split, element)), order);
  ctx.setOutput(0, ir.reshape(x, ctx.outputType()));
  return okStatus();
}

/// [b * n, p, c] -> [b, n, p, c] -> [n, p, b, c]
Status lowerBatchToSpace(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(Blocks blocks, blocksOf(ctx));
  IrBuilder &ir = ctx.ir();
  Value x = ctx.input(0);
  mlir::Type element = IrBuilder::elementOf(x);
  const Dims &from = ctx.inputDims(0);
  auto count = static_cast<int64_t>(blocks.sizes.size());
  Dims split, whole = {ctx.outputDims()[0]}, starts = {Dim::known(0)};
  for (int64_t size : blocks.sizes)
    split.push_back(Dim::known(size));
  split.push_back(ctx.outputDims()[0]);
  split.insert(split.end(), from.begin() + 1, from.end());
  llvm::SmallVector<int64_t> order = {count};
  for (int64_t i = 0; i < count; ++i) {
    order.append({count + 1 + i, i});
    auto place = static_cast<size_t>(i);
    whole.push_back(
        ctx.dims().mul(from[place + 1], Dim::known(blocks.sizes[place])));
    starts.push_back(ctx.dims().resolve(blocks.borders[2 * place]));
  }
  for (size_t i = blocks.sizes.size() + 1; i < from.size(); ++i) {
    order.push_back(static_cast<int64_t>(split.size() - from.size() + i));
    whole.push_back(from[i]);
    starts.push_back(Dim::known(0));
  }
  x = ir.transpose(ir.reshape(x, ir.tensorType(split, element)), order);
  x = ir.reshape(x, ir.tensorType(whole, element));
  ctx.setOutput(0, sliceAt(ctx, x, starts,
                           llvm::SmallVector<int64_t>(whole.size(), 1),
                           ctx.outputType()));
  return okStatus();
}

//===--- Borders ----------------------------------------------------------===//

/// The part of x of `extent` elements from `start` along one axis, turned round
/// where the stride is -1.
Value part(Context &ctx, Value x, const Dims &dims, size_t axis, Dim start,
           Dim extent, int64_t stride = 1) {
  Dims starts(dims.size(), Dim::known(0)), shape = dims;
  starts[axis] = start;
  shape[axis] = extent;
  llvm::SmallVector<int64_t> strides(dims.size(), 1);
  strides[axis] = stride;
  return sliceAt(ctx, x, starts, strides,
                 ctx.ir().tensorType(shape, IrBuilder::elementOf(x)));
}

/// Axis by axis: [turned beginning, x, turned end].
Status lowerMirrorPad(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(Dims paddings, ctx.contents(1));
  IrBuilder &ir = ctx.ir();
  DimSpace &space = ctx.dims();
  int64_t skipped = ctx.stringAttr("mode") == "REFLECT";
  Value x = ctx.input(0);
  Dims dims = ctx.inputDims(0);
  for (size_t i = 0; i < dims.size(); ++i) {
    Dim before = space.resolve(paddings[2 * i]),
        after = space.resolve(paddings[2 * i + 1]);
    llvm::SmallVector<Value> parts;
    if (!before.isKnown(0))
      parts.push_back(part(ctx, x, dims, i,
                           space.add(before, Dim::known(skipped - 1)), before,
                           -1));
    parts.push_back(x);
    if (!after.isKnown(0))
      parts.push_back(part(ctx, x, dims, i,
                           space.sub(dims[i], Dim::known(1 + skipped)), after,
                           -1));
    if (parts.size() == 1)
      continue;
    dims[i] = space.add(space.add(dims[i], before), after);
    x = ir.concat(parts, static_cast<int64_t>(i),
                  ir.tensorType(dims, IrBuilder::elementOf(x)));
  }
  ctx.setOutput(0, ir.reshape(x, ctx.outputType()));
  return okStatus();
}

/// x with `low` zeros before it along one axis, and as many behind as the
/// extent needs.
Value within(Context &ctx, Value x, Dims dims, size_t axis, Dim before,
             Dim after) {
  IrBuilder &ir = ctx.ir();
  mlir::Type element = IrBuilder::elementOf(x);
  Value zero =
      IrBuilder::isFloat(x) ? ir.scalar(element, 0) : ir.scalarInt(element, 0);
  llvm::SmallVector<Value> parts;
  Dims shape = dims;
  auto addZeros = [&](Dim extent) {
    Dims zeros = dims;
    zeros[axis] = extent;
    parts.push_back(ir.broadcast(zero, ir.tensorType(zeros, element)));
    shape[axis] = ctx.dims().add(shape[axis], extent);
  };
  if (!before.isKnown(0))
    addZeros(before);
  parts.push_back(x);
  if (!after.isKnown(0))
    addZeros(after);
  return parts.size() == 1 ? x
                           : ir.concat(parts, static_cast<int64_t>(axis),
                                       ir.tensorType(shape, element));
}

/// Axis by axis: the middle, and the turned ends added to it.
Status lowerMirrorPadGrad(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(Dims paddings, ctx.contents(1));
  IrBuilder &ir = ctx.ir();
  DimSpace &space = ctx.dims();
  Dim skipped = Dim::known(ctx.stringAttr("mode") == "REFLECT");
  Value x = ctx.input(0);
  Dims dims = ctx.inputDims(0);
  for (size_t i = 0; i < dims.size(); ++i) {
    Dim before = space.resolve(paddings[2 * i]),
        after = space.resolve(paddings[2 * i + 1]);
    if (before.isKnown(0) && after.isKnown(0))
      continue;
    Dim extent = ctx.outputDims()[i];
    Dims inner = dims, edge = dims;
    inner[i] = extent;
    RankedTensorType type = ir.tensorType(inner, IrBuilder::elementOf(x));
    Value sum = part(ctx, x, dims, i, before, extent);
    if (!before.isKnown(0)) {
      edge[i] = before;
      Value turned =
          part(ctx, x, dims, i, space.sub(before, Dim::known(1)), before, -1);
      turned = within(ctx, turned, edge, i, skipped,
                      space.sub(extent, space.add(before, skipped)));
      sum = ir.add(sum, ir.reshape(turned, type));
    }
    if (!after.isKnown(0)) {
      edge[i] = after;
      Value turned =
          part(ctx, x, dims, i, space.sub(dims[i], Dim::known(1)), after, -1);
      turned = within(ctx, turned, edge, i,
                      space.sub(extent, space.add(after, skipped)), skipped);
      sum = ir.add(sum, ir.reshape(turned, type));
    }
    x = sum;
    dims = inner;
  }
  ctx.setOutput(0, ir.reshape(x, ctx.outputType()));
  return okStatus();
}

/// Axis by axis: [the end, the beginning].
Status lowerRoll(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(Dims shifts, ctx.contents(1));
  KILN_ASSIGN_OR_RETURN(std::vector<int64_t> axes, ctx.ints(2));
  IrBuilder &ir = ctx.ir();
  DimSpace &space = ctx.dims();
  Value x = ctx.input(0);
  const Dims &dims = ctx.inputDims(0);
  for (size_t i = 0; i < axes.size(); ++i) {
    auto axis =
        static_cast<size_t>(axes[i] < 0 ? axes[i] + ctx.inputRank(0) : axes[i]);
    Dim extent = dims[axis];
    if (shifts[i].isKnown(0) || extent.isKnown(0) || extent.isKnown(1))
      continue;
    // What stands first moves to where the shift ends.
    Dim moved = space.mod(shifts[i], extent);
    Dim rest = space.sub(extent, moved);
    Value parts[] = {part(ctx, x, dims, axis, rest, moved),
                     part(ctx, x, dims, axis, Dim::known(0), rest)};
    x = ir.concat(parts, static_cast<int64_t>(axis), IrBuilder::typeOf(x));
  }
  ctx.setOutput(0, x);
  return okStatus();
}

//===--- Sequences --------------------------------------------------------===//

/// Each batch by the places of its elements: length - 1 - i in the sequence, i
/// behind it.
Status lowerReverseSequence(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const Dims &dims = ctx.inputDims(0);
  int64_t sequence = ctx.intAttr("seq_dim"), batch = ctx.intAttr("batch_dim");
  Dim steps = dims[static_cast<size_t>(sequence)],
      rows = dims[static_cast<size_t>(batch)];
  Value most = ir.dimScalar(steps, ir.elementType(DType::Int64));
  RankedTensorType type = ir.tensorType({rows, steps}, DType::Int64);
  Value lengths =
      ir.kernelCall("SequenceLengths", {ctx.input(1), most},
                    ir.tensorType({rows}, DType::Int64), {sequence});
  Value length = ir.broadcast(lengths, type, {0}), place = ir.iota(type, 1);
  Value turned = ir.sub(ir.sub(length, ir.like(length, 1)), place);
  Value places =
      ir.select(ir.compare(ir::Predicate::lt, place, length), turned, place);
  llvm::SmallVector<int64_t> order = {batch, sequence}, back(dims.size());
  for (int64_t i = 0; i < ctx.inputRank(0); ++i)
    if (i != batch && i != sequence)
      order.push_back(i);
  for (size_t i = 0; i < order.size(); ++i)
    back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  Value x = ir.transpose(ctx.input(0), order);
  x = ir::GatherOp::create(ir.opBuilder(), ir.location(), x.getType(), x,
                           places, /*axis=*/1, /*batch=*/1);
  ctx.setOutput(0, ir.transpose(x, back));
  return okStatus();
}

Status lowerTopK(Context &ctx) {
  ctx.callKernel("TopK", ctx.input(0));
  return okStatus();
}

Status lowerNthElement(Context &ctx) {
  ctx.callKernel("NthElement", ctx.allInputs(), {ctx.boolAttr("reverse")});
  return okStatus();
}

Status lowerInvertPermutation(Context &ctx) {
  ctx.callKernel("InvertPermutation", ctx.input(0));
  return okStatus();
}

} // namespace

void registerLayoutLowerings(LoweringRegistry &registry) {
  registry.add({{"MirrorPadGrad", lowerMirrorPadGrad}});
  registry.addMoves({{"SpaceToDepth", lowerSpaceToDepth},
                     {"DepthToSpace", lowerDepthToSpace},
                     {"SpaceToBatchND", lowerSpaceToBatch},
                     {"SpaceToBatch", lowerSpaceToBatch},
                     {"BatchToSpaceND", lowerBatchToSpace},
                     {"BatchToSpace", lowerBatchToSpace},
                     {"MirrorPad", lowerMirrorPad},
                     {"Roll", lowerRoll},
                     {"ReverseSequence", lowerReverseSequence},
                     {"TopKV2", lowerTopK},
                     {"TopK", lowerTopK},
                     {"ApproxTopK", lowerTopK},
                     {"NthElement", lowerNthElement},
                     {"InvertPermutation", lowerInvertPermutation},
                     {"ExtractImagePatches", lowerExtractImagePatches},
                     {"ExtractVolumePatches", lowerExtractVolumePatches},
                     {"DataFormatDimMap", lowerDataFormatDimMap},
                     {"DataFormatVecPermute", lowerDataFormatVecPermute},
                     {"MatrixBandPart", lowerMatrixBandPart},
                     {"Diag", lowerDiag},
                     {"DiagPart", lowerDiagPart},
                     {"MatrixDiag", lowerMatrixDiag},
                     {"MatrixDiagV2", lowerMatrixDiag},
                     {"MatrixDiagV3", lowerMatrixDiag},
                     {"MatrixDiagPart", lowerMatrixDiagPart},
                     {"MatrixDiagPartV2", lowerMatrixDiagPart},
                     {"MatrixDiagPartV3", lowerMatrixDiagPart},
                     {"MatrixSetDiag", lowerMatrixSetDiag},
                     {"MatrixSetDiagV2", lowerMatrixSetDiag},
                     {"MatrixSetDiagV3", lowerMatrixSetDiag}});
}

} // namespace kiln
