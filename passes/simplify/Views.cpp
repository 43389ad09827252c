// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chains of ops that only move elements become one op, or none.
#include "passes/simplify/Patterns.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
namespace {

//===--- Constants --------------------------------------------------------===//

// A splat's attribute has one element, so that equal splats are equal ops.
LogicalResult shrinkSplat(ConstantOp op, PatternRewriter &rewriter) {
  TypedAttr element = splatElement(op);
  if (!element || op.getValue().getShapedType().getRank() == 0)
    return rewriter.notifyMatchFailure(
        op, "no splat, or one with a single element");
  rewriter.replaceOp(
      op, createSplat(rewriter, op.getLoc(), tensorTypeOf(op), element));
  return success();
}

// dims [2, 9] -> constant
LogicalResult materializeKnownDims(DimsOp op, PatternRewriter &rewriter) {
  if (llvm::any_of(op.getSymbols(), [](int64_t id) { return id >= 0; }))
    return rewriter.notifyMatchFailure(op, "a dimension is a symbol");
  RankedTensorType type = tensorTypeOf(op);
  SmallVector<APInt> elements;
  for (int64_t value : op.getValues())
    elements.emplace_back(type.getElementTypeBitWidth(), value,
                          /*isSigned=*/true, /*implicitTrunc=*/true);
  rewriter.replaceOp(op,
                     createConstant(rewriter, op.getLoc(), type,
                                    DenseElementsAttr::get(type, elements)));
  return success();
}

//===--- Broadcasts -------------------------------------------------------===//

// broadcast(broadcast(x)) -> broadcast(x)
LogicalResult composeBroadcasts(BroadcastOp op, PatternRewriter &rewriter) {
  auto inner = op.getOperand().getDefiningOp<BroadcastOp>();
  if (!inner)
    return rewriter.notifyMatchFailure(op, "the operand is no broadcast");
  SmallVector<int64_t> map;
  for (int64_t target : inner.getMap())
    map.push_back(op.getMap()[target]);
  rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), inner.getOperand(),
                                           map);
  return success();
}

// broadcast(x : [s0, 1]) -> broadcast(reshape(x) : [s0]): a dimension of 1 says
// nothing
LogicalResult dropUnitsOfBroadcast(BroadcastOp op, PatternRewriter &rewriter) {
  Extents kept;
  SmallVector<int64_t> map;
  for (auto [extent, target] :
       llvm::zip_equal(extentsOf(op.getOperand()), op.getMap())) {
    if (extent.isKnown(1))
      continue;
    kept.push_back(extent);
    map.push_back(target);
  }
  if (map.size() == op.getMap().size())
    return rewriter.notifyMatchFailure(op, "no dimension of the operand is 1");
  Value operand = createReshape(rewriter, op.getLoc(), op.getOperand(), kept);
  rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), operand, map);
  return success();
}

// broadcast(x : [s0]) : [s0, 1] -> reshape(x): nothing is repeated
LogicalResult broadcastToReshape(BroadcastOp op, PatternRewriter &rewriter) {
  Extents operand = extentsOf(op.getOperand()), result = extentsOf(op);
  if (withoutUnits(operand) != withoutUnits(result))
    return rewriter.notifyMatchFailure(op, "elements are repeated");
  for (auto [extent, target] : llvm::zip_equal(operand, op.getMap()))
    if (extent != result[target])
      return rewriter.notifyMatchFailure(op, "the dimensions change places");
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getOperand());
  return success();
}

// reshape(broadcast(x)) -> broadcast(x) where x is a scalar or the reshape only
// adds and drops dimensions of 1
LogicalResult reshapeOfBroadcast(ReshapeOp op, PatternRewriter &rewriter) {
  auto inner = op.getOperand().getDefiningOp<BroadcastOp>();
  if (!inner)
    return rewriter.notifyMatchFailure(op, "the operand is no broadcast");
  Extents from = extentsOf(inner), to = extentsOf(op);
  SmallVector<int64_t> map;
  if (!inner.getMap().empty()) {
    if (withoutUnits(from) != withoutUnits(to))
      return rewriter.notifyMatchFailure(
          op, "the reshape does more than add and drop units");
    // Dimensions other than 1 keep their order: the n-th of one shape is the
    // n-th of the other.
    SmallVector<int64_t> places;
    for (auto [index, extent] : llvm::enumerate(to))
      if (!extent.isKnown(1))
        places.push_back(index);
    for (int64_t target : inner.getMap()) {
      if (from[target].isKnown(1))
        return rewriter.notifyMatchFailure(op,
                                           "the operand has a dimension of 1");
      size_t ordinal = withoutUnits(ArrayRef(from).take_front(target)).size();
      map.push_back(places[ordinal]);
    }
  }
  rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), inner.getOperand(),
                                           map);
  return success();
}

// slice(broadcast(scalar)) -> broadcast(scalar)
LogicalResult sliceOfBroadcast(SliceOp op, PatternRewriter &rewriter) {
  Value scalar = broadcastScalar(op.getOperand());
  if (!scalar)
    return rewriter.notifyMatchFailure(
        op, "the operand is no broadcast of a scalar");
  rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), scalar,
                                           ArrayRef<int64_t>());
  return success();
}

//===--- Transposes -------------------------------------------------------===//

// transpose(transpose(x)) -> transpose(x)
LogicalResult composeTransposes(TransposeOp op, PatternRewriter &rewriter) {
  auto inner = op.getOperand().getDefiningOp<TransposeOp>();
  if (!inner)
    return rewriter.notifyMatchFailure(op, "the operand is no transpose");
  SmallVector<int64_t> permutation;
  for (int64_t source : op.getPermutation())
    permutation.push_back(inner.getPermutation()[source]);
  rewriter.replaceOpWithNewOp<TransposeOp>(op, op.getType(), inner.getOperand(),
                                           permutation);
  return success();
}

// transpose(x) -> reshape(x) where only dimensions of 1 move
LogicalResult transposeToReshape(TransposeOp op, PatternRewriter &rewriter) {
  Extents operand = extentsOf(op.getOperand());
  int64_t last = -1;
  for (int64_t source : op.getPermutation()) {
    if (operand[source].isKnown(1))
      continue;
    if (source < last)
      return rewriter.notifyMatchFailure(
          op, "dimensions other than 1 change places");
    last = source;
  }
  rewriter.replaceOp(
      op, createReshape(rewriter, op.getLoc(), op.getOperand(), extentsOf(op)));
  return success();
}

// transpose(broadcast(x)) -> broadcast(transpose(x)): x is the smaller one
LogicalResult transposeOfBroadcast(TransposeOp op, PatternRewriter &rewriter) {
  auto inner = op.getOperand().getDefiningOp<BroadcastOp>();
  if (!inner)
    return rewriter.notifyMatchFailure(op, "the operand is no broadcast");
  ArrayRef<int64_t> map = inner.getMap();
  Extents operand = extentsOf(inner.getOperand()), permuted;
  SmallVector<int64_t> permutation, targets;
  for (auto [target, source] : llvm::enumerate(op.getPermutation()))
    if (const int64_t *place = llvm::find(map, source); place != map.end()) {
      permutation.push_back(place - map.begin());
      targets.push_back(target);
      permuted.push_back(operand[permutation.back()]);
    }
  Value value = inner.getOperand();
  if (!llvm::is_sorted(permutation))
    value = TransposeOp::create(
        rewriter, op.getLoc(), ir::tensorTypeOf(permuted, elementTypeOf(value)),
        value, permutation);
  rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), value, targets);
  return success();
}

//===--- Slices, concatenations, pads -------------------------------------===//

/// The last index of a slice of `extent` elements; nothing where it overflows.
static std::optional<int64_t> lastIndex(int64_t start, int64_t extent,
                                        int64_t stride) {
  int64_t last = 0;
  if (llvm::MulOverflow(extent - 1, stride, last) ||
      llvm::AddOverflow(start, last, last))
    return std::nullopt;
  return last;
}

// slice(slice(x)) -> slice(x)
LogicalResult composeSlices(SliceOp op, PatternRewriter &rewriter) {
  auto inner = op.getOperand().getDefiningOp<SliceOp>();
  if (!inner)
    return rewriter.notifyMatchFailure(op, "the operand is no slice");
  if (op.getDynamicStarts() || inner.getDynamicStarts())
    return rewriter.notifyMatchFailure(op, "a start is a value of the run");
  Extents from = extentsOf(inner.getOperand()), to = extentsOf(op);
  SmallVector<int64_t> starts, strides;
  for (size_t i = 0; i < from.size(); ++i) {
    int64_t innerStride = inner.getStrides()[i];
    // As many steps of the inner slice as there are before the outer's start.
    std::optional<int64_t> start =
        lastIndex(inner.getStarts()[i], op.getStarts()[i] + 1, innerStride);
    int64_t stride = 0;
    if (!start || llvm::MulOverflow(op.getStrides()[i], innerStride, stride))
      return rewriter.notifyMatchFailure(op, "an index overflows");
    starts.push_back(*start);
    strides.push_back(stride);
    if (!from[i].isKnown() || !to[i].isKnown() || to[i].isKnown(0))
      continue;
    std::optional<int64_t> last = lastIndex(*start, to[i].value, stride);
    if (*start < 0 || *start >= from[i].value || !last || *last < 0 ||
        *last >= from[i].value)
      return rewriter.notifyMatchFailure(
          op, "behind guards that refuse every run there are no elements");
  }
  rewriter.replaceOpWithNewOp<SliceOp>(op, op.getType(), inner.getOperand(),
                                       Value(), starts, strides);
  return success();
}

// concat(x, empty, y) -> concat(x, y); concat(x) -> x
LogicalResult simplifyConcat(ConcatOp op, PatternRewriter &rewriter) {
  SmallVector<Value> kept(op.getOperands());
  llvm::erase_if(kept, [&](Value operand) {
    return extentsOf(operand)[op.getAxis()].isKnown(0);
  });
  if (kept.empty())
    kept.push_back(op.getOperands().front());
  if (kept.size() == 1 && kept.front().getType() == op.getType()) {
    rewriter.replaceOp(op, kept.front());
    return success();
  }
  if (kept.size() == op.getOperands().size())
    return rewriter.notifyMatchFailure(op, "every operand has elements");
  rewriter.replaceOpWithNewOp<ConcatOp>(op, op.getType(), kept, op.getAxis());
  return success();
}

// pad(x) -> x where nothing is added
LogicalResult simplifyPad(PadOp op, PatternRewriter &rewriter) {
  if (op.getOperand().getType() != op.getType())
    return rewriter.notifyMatchFailure(op, "something is added");
  rewriter.replaceOp(op, op.getOperand());
  return success();
}

/// Whether the slice takes whole rows of what is padded around them.
static bool takesPaddedRows(SliceOp slice, PadOp pad) {
  Extents from = extentsOf(pad.getOperand()), to = extentsOf(slice.getResult());
  return !slice.getDynamicStarts() && from.back() == to.back() &&
         !from.back().isKnown(1) && pad.getLow().back() == 0 &&
         slice.getStarts().back() == 0 && slice.getStrides().back() == 1 &&
         llvm::all_of(slice.getStrides(),
                      [](int64_t stride) { return stride > 0; });
}

// slice(pad(x)) -> window(x) where all that uses the pad are such slices, of
// whole rows: the padded tensor is not stored
LogicalResult slicesOfPad(PadOp op, PatternRewriter &rewriter) {
  if (extentsOf(op.getOperand()).empty() || op->use_empty() ||
      op.getDynamicLow())
    return rewriter.notifyMatchFailure(
        op, "a scalar, of no use, or padded by what the run finds out");
  for (Operation *user : op->getUsers())
    if (!isa<SliceOp>(user) || !takesPaddedRows(cast<SliceOp>(user), op))
      return rewriter.notifyMatchFailure(op, "something needs all of it");
  for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
    auto slice = cast<SliceOp>(user);
    SmallVector<int64_t> starts;
    for (auto [start, low] : llvm::zip_equal(slice.getStarts(), op.getLow()))
      starts.push_back(start - low);
    rewriter.setInsertionPoint(slice);
    rewriter.replaceOpWithNewOp<WindowOp>(slice, slice.getType(),
                                          op.getOperand(), op.getPadding(),
                                          starts, slice.getStrides());
  }
  rewriter.eraseOp(op);
  return success();
}

} // namespace

void populateViewPatterns(RewritePatternSet &patterns) {
  patterns.add(shrinkSplat).add(materializeKnownDims);
  patterns.add(composeBroadcasts)
      .add(dropUnitsOfBroadcast)
      .add(broadcastToReshape);
  patterns.add(reshapeOfBroadcast).add(sliceOfBroadcast);
  patterns.add(composeTransposes)
      .add(transposeToReshape)
      .add(transposeOfBroadcast);
  patterns.add(composeSlices)
      .add(simplifyConcat)
      .add(simplifyPad)
      .add(slicesOfPad);
}

} // namespace kiln::passes
