// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds one op on constant operands: translates it alone, and runs it.
#include "lib/Translate/Fold.h"

#include "dialect/Limits.h"
#include "lib/Eval/Interpreter.h"
#include "lib/Translate/Translator.h"
#include "runtime/arithmetic/FloatEnv.h"

using namespace mlir;

namespace kiln {
namespace eval {

/// The value as a constant; a splat has rank 0 whatever the type, which may be
/// dynamic.
static Attribute attributeOf(const FoldedValue &value, RankedTensorType type) {
  if (value.isSplat)
    type = RankedTensorType::get({}, type.getElementType());
  const auto *data = static_cast<const char *>(value.tensor.rawData());
  // Attributes may pack bools.
  if (value.tensor.dtype() != DType::Bool)
    return DenseElementsAttr::getFromRawBuffer(
        type, ArrayRef<char>(data, value.tensor.byteSize()));
  return DenseElementsAttr::get(
      type, ArrayRef<bool>(reinterpret_cast<const bool *>(data),
                           value.tensor.byteSize()));
}

/// Whether one element of each operand gives every element of the result.
static bool keepsSplats(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() || mayGiveView(op);
}

} // namespace eval

LogicalResult foldConstant(Operation *op, ArrayRef<Attribute> operands,
                           SmallVectorImpl<Attribute> &results) {
  if (!isa<ir::KilnDialect>(op->getDialect()) || !isMemoryEffectFree(op) ||
      op->getNumRegions() != 0 ||
      isa<ir::ConstantOp, ir::ConstantRefOp, ir::RuntimeCallOp>(op) ||
      op->getNumResults() != 1)
    return failure();
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  bool allSplat = !operands.empty();
  for (Attribute operand : operands) {
    auto elements = dyn_cast_if_present<DenseElementsAttr>(operand);
    if (!elements)
      return failure();
    allSplat &= elements.isSplat();
  }
  bool isSmall = type && type.hasStaticShape() &&
                 type.getNumElements() <= ir::maxConstantElements;
  if (!type || !(isSmall || (allSplat && eval::keepsSplats(op))))
    return failure();

  // A reduction of a splat may write it out: more than this is not worth the
  // time of the compiler.
  constexpr int64_t maxBytes = int64_t(1) << 24;
  SmallVector<FoldedValue> values;
  for (Attribute operand : operands) {
    std::optional<FoldedValue> value = foldedConstant(operand);
    if (!value)
      return failure();
    values.push_back(*std::move(value));
  }
  std::optional<FoldedValue> result = foldTensors(op, values, maxBytes);
  if (!result)
    return failure();
  results.push_back(eval::attributeOf(*result, type));
  return success();
}

std::optional<FoldedValue> foldedConstant(Attribute value) {
  auto elements = dyn_cast<DenseElementsAttr>(value);
  StatusOr<Tensor> tensor =
      elements ? eval::tensorOf(elements) : internalError("no elements");
  if (!tensor.ok())
    return std::nullopt;
  return FoldedValue{*std::move(tensor), elements.isSplat()};
}

std::optional<FoldedValue>
foldTensors(Operation *op, ArrayRef<FoldedValue> operands, int64_t maxBytes) {
  eval::Translator translator;
  StatusOr<eval::Op> record = translator.makeOp(op);
  if (!record.ok())
    return std::nullopt;
  FloatEnv floatEnv;
  EvalEnvironment environment;
  environment.maxBytes = maxBytes;
  eval::Interpreter interpreter(translator.program, environment);
  for (auto [value, operand] :
       llvm::zip_equal(interpreter.operandsOf(*record), operands))
    interpreter.bind(value, eval::EvalValue{operand.tensor, operand.isSplat});
  if (!interpreter.runOp(*record).ok())
    return std::nullopt;
  const eval::EvalValue &result =
      interpreter.contents(interpreter.resultOf(*record));
  return FoldedValue{result.tensor, result.isSplat};
}

} // namespace kiln
