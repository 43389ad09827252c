// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds one op on constant operands, and reads constants.
#include "lib/Eval/ElementwiseKernels.h"
#include "lib/Eval/Interpreter.h"
#include "lib/Support/StatusMacros.h"
#include "runtime/FloatEnv.h"

#include <cstring>
#include <type_traits>

using namespace mlir;

namespace kiln {
namespace eval {

StatusOr<EvalValue> valueOfAttribute(Attribute attribute,
                                     Interpreter &interpreter) {
  auto elements = dyn_cast<DenseElementsAttr>(attribute);
  DType dtype = elements ? ir::dtypeOf(elements.getType()) : DType::Invalid;
  if (dtype == DType::Invalid)
    return unimplementedError(
        "expected a constant of numbers or bools, stored densely");
  Shape shape;
  if (!elements.isSplat())
    shape = Shape(std::span<const int64_t>(elements.getType().getShape()));
  KILN_ASSIGN_OR_RETURN(Tensor tensor, interpreter.allocate(dtype, shape));
  dispatchElement(dtype, [&]<class T>(T) {
    T *target = static_cast<T *>(tensor.mutableRawData());
    if constexpr (sizeof(T) == 2 && std::is_class_v<T>)
      std::memcpy(target, elements.getRawData().data(), tensor.byteSize());
    else if (elements.isSplat())
      *target = elements.getSplatValue<T>();
    else
      llvm::copy(elements.getValues<T>(), target);
  });
  return EvalValue{std::move(tensor), elements.isSplat(), /*isOwned=*/true};
}

/// The value as a constant; a splat has rank 0 whatever the type, which may be
/// dynamic.
static Attribute attributeOf(const EvalValue &value, RankedTensorType type) {
  if (value.isSplat)
    type = RankedTensorType::get({}, type.getElementType());
  size_t count = static_cast<size_t>(value.tensor.numElements());
  return dispatchElement(value.tensor.dtype(), [&]<class T>(T) -> Attribute {
    // Half and BFloat16 are no types that attributes know.
    if constexpr (sizeof(T) == 2 && std::is_class_v<T>)
      return DenseElementsAttr::getFromRawBuffer(
          type,
          ArrayRef<char>(static_cast<const char *>(value.tensor.rawData()),
                         value.tensor.byteSize()));
    else
      return DenseElementsAttr::get(
          type,
          ArrayRef<T>(static_cast<const T *>(value.tensor.rawData()), count));
  });
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
                 type.getNumElements() <= maxFoldedElements;
  if (!type || !(isSmall || (allSplat && eval::keepsSplats(op))))
    return failure();

  FloatEnv floatEnv;
  EvalEnvironment environment;
  // A reduction of a splat may write it out: more than this is not worth the
  // time of the compiler.
  environment.maxBytes = int64_t(1) << 24;
  eval::Interpreter interpreter(environment);
  for (auto [value, attribute] : llvm::zip_equal(op->getOperands(), operands)) {
    StatusOr<eval::EvalValue> constant =
        eval::valueOfAttribute(attribute, interpreter);
    if (!constant.ok())
      return failure();
    interpreter.bind(value, *std::move(constant));
  }
  if (!interpreter.runOp(op).ok())
    return failure();
  results.push_back(
      eval::attributeOf(interpreter.contents(op->getResult(0)), type));
  return success();
}

} // namespace kiln
