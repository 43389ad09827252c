// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds one op on constant operands: translates it alone, and runs it.
#include "lib/Eval/Fold.h"

#include "dialect/Limits.h"
#include "lib/Eval/Interpreter.h"
#include "lib/Eval/Translator.h"
#include "runtime/FloatEnv.h"

using namespace mlir;

namespace kiln {
namespace eval {

/// The value as a constant; a splat has rank 0 whatever the type, which may be
/// dynamic.
static Attribute attributeOf(const EvalValue &value, RankedTensorType type) {
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

  eval::Translator translator;
  StatusOr<eval::Op> record = translator.makeOp(op);
  if (!record.ok())
    return failure();
  FloatEnv floatEnv;
  EvalEnvironment environment;
  // A reduction of a splat may write it out: more than this is not worth the
  // time of the compiler.
  environment.maxBytes = int64_t(1) << 24;
  eval::Interpreter interpreter(translator.program, environment);
  for (auto [value, attribute] :
       llvm::zip_equal(interpreter.operandsOf(*record), operands)) {
    StatusOr<Tensor> constant = eval::tensorOf(attribute);
    if (!constant.ok())
      return failure();
    interpreter.bindOwned(value, *std::move(constant),
                          cast<DenseElementsAttr>(attribute).isSplat());
  }
  if (!interpreter.runOp(*record).ok())
    return failure();
  results.push_back(eval::attributeOf(
      interpreter.contents(interpreter.resultOf(*record)), type));
  return success();
}

} // namespace kiln
