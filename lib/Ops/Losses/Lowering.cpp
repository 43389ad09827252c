// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers cross entropies and the precision in the first k to rows of
// elementwise ops and reductions: one loop nest each.
//
// The element of a row that a label names is found by comparing the label with
// the columns' numbers, in the loop that is there anyway.
#include "lib/Ops/Math/LoweringElements.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {
namespace {

using Context = LoweringContext;
using ir::Predicate;

Value overColumns(IrBuilder &ir, ir::ReduceKind kind, Value x) {
  return ir.reduce(kind, x, {1});
}
/// One number a row, in each column.
Value inColumns(IrBuilder &ir, Value rows, RankedTensorType type) {
  return ir.broadcast(
      rows, ir::withElementType(type, IrBuilder::elementOf(rows)), {0});
}
Value zeroUnless(IrBuilder &ir, Value condition, Value x) {
  return ir.select(condition, x, ir.like(x, 0));
}

/// Where a row's column is the one that its label names.
Value isNamed(IrBuilder &ir, Value labels, RankedTensorType type) {
  Value numbers = inColumns(ir, labels, type);
  return ir.compare(Predicate::eq,
                    ir.iota(IrBuilder::typeOf(numbers), /*axis=*/1), numbers);
}

/// What both cross entropies are made of, each [rows, columns] but the last.
/// Sums of float16 and bfloat16 are rounded in the end.
struct Softmax {
  Value shifted; ///< logits less the largest of their row
  Value powers;
  Value sum; ///< of the powers of a row
};

Softmax softmaxOf(IrBuilder &ir, Value logits) {
  RankedTensorType type = IrBuilder::typeOf(logits);
  Value largest = overColumns(ir, ir::ReduceKind::max, logits);
  Value shifted = ir.sub(logits, inColumns(ir, largest, type));
  Value powers = ir.exp(shifted);
  return {shifted, powers,
          ir.rounded(overColumns(ir, ir::ReduceKind::sum, powers))};
}

/// loss = sum(labels * (log(sum) - shifted)); backprop = powers / sum - labels
Status lowerCrossEntropy(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  IrBuilder::RoundSteps rounding(ir, elementOfInput(ctx));
  RankedTensorType type = ctx.outputType(1);
  Value logits = ir.broadcast(ctx.input(0), type),
        labels = ir.broadcast(ctx.input(1), type);
  Softmax softmax = softmaxOf(ir, logits);
  Value entropies =
      ir.sub(inColumns(ir, ir.log(softmax.sum), type), softmax.shifted);
  Value losses = ir.mul(labels, entropies);
  ctx.setOutput(0, overColumns(ir, ir::ReduceKind::sum, losses));
  Value shares = ir.div(softmax.powers, inColumns(ir, softmax.sum, type));
  ctx.setOutput(1, ir.sub(shares, labels));
  return okStatus();
}

/// loss = log(sum) - shifted[label]; backprop = powers / sum, less 1 at the
/// label. Labels are checked before.
Status lowerSparseCrossEntropy(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  IrBuilder::RoundSteps rounding(ir, elementOfInput(ctx));
  Value logits = ctx.input(0), labels = ctx.input(1);
  RankedTensorType type = IrBuilder::typeOf(logits);
  Value classes =
      ir.dimScalar(ctx.inputDims(0)[1], ir.elementType(DType::Int64));
  ir.kernelCall("CheckLabels", {labels, classes}, mlir::TypeRange());
  Softmax softmax = softmaxOf(ir, logits);
  Value named = isNamed(ir, labels, type);
  Value own = overColumns(ir, ir::ReduceKind::sum,
                          zeroUnless(ir, named, softmax.shifted));
  ctx.setOutput(0, ir.sub(ir.log(softmax.sum), own));
  Value shares = ir.div(softmax.powers, inColumns(ir, softmax.sum, type));
  ctx.setOutput(1,
                ir.sub(shares, ir.cast(named, IrBuilder::elementOf(shares))));
  return okStatus();
}

/// False for a row with a prediction that is not finite, or whose target is no
/// class.
Status lowerInTopK(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  Value predictions = ctx.input(0), targets = ctx.input(1);
  RankedTensorType type = IrBuilder::typeOf(predictions);
  mlir::Type number = ir.elementType(DType::Int64);
  Value named = isNamed(ir, targets, type);
  Value own =
      overColumns(ir, ir::ReduceKind::sum, zeroUnless(ir, named, predictions));
  Value isLarger =
      ir.compare(Predicate::gt, predictions, inColumns(ir, own, type));
  Value larger =
      overColumns(ir, ir::ReduceKind::sum, ir.cast(isLarger, number));
  Value k = ctx.numInputs() > 2 ? ir.cast(ctx.input(2), number)
                                : ir.scalarInt(number, ctx.intAttr("k"));
  // x - x is NaN where x is not finite.
  Value rest = ir.sub(predictions, predictions);
  Value areFinite = overColumns(ir, ir::ReduceKind::all,
                                ir.compare(Predicate::eq, rest, rest)),
        isClass = overColumns(ir, ir::ReduceKind::any, named),
        isFirst = ir.compare(Predicate::lt, larger, k);
  ctx.setOutput(0, ir.binary<ir::AndOp>(
                       ir.binary<ir::AndOp>(areFinite, isClass), isFirst));
  return okStatus();
}

} // namespace

void registerLossesLowerings(LoweringRegistry &registry) {
  registry.add(
      {{"SoftmaxCrossEntropyWithLogits", lowerCrossEntropy},
       {"SparseSoftmaxCrossEntropyWithLogits", lowerSparseCrossEntropy},
       {"InTopK", lowerInTopK},
       {"InTopKV2", lowerInTopK}});
}

} // namespace kiln
