// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Questions about splats and shapes that the patterns share.
#include "passes/simplify/Patterns.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

RankedTensorType tensorTypeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

Type elementTypeOf(Value value) { return tensorTypeOf(value).getElementType(); }

TypedAttr splatElement(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  auto dense = constant ? dyn_cast<DenseElementsAttr>(constant.getValue())
                        : DenseElementsAttr();
  return dense && dense.isSplat() ? dense.getSplatValue<TypedAttr>()
                                  : TypedAttr();
}

bool isSplatOf(Value value, double number) {
  TypedAttr element = splatElement(value);
  if (auto real = dyn_cast_if_present<FloatAttr>(element))
    return real.getValue().bitwiseIsEqual(
        cast<FloatAttr>(FloatAttr::get(real.getType(), number)).getValue());
  // Complex numbers of 128 bits are no integers.
  auto integer = dyn_cast_if_present<IntegerAttr>(element);
  return integer && integer.getType().getIntOrFloatBitWidth() <= 64 &&
         static_cast<double>(integerOf(integer)) == number;
}

Value createSplat(OpBuilder &builder, Location loc, RankedTensorType type,
                  TypedAttr element) {
  auto scalar = RankedTensorType::get({}, type.getElementType());
  return ConstantOp::create(builder, loc, type,
                            DenseElementsAttr::get(scalar, Attribute(element)));
}

Value createNumber(OpBuilder &builder, Location loc, RankedTensorType type,
                   double number) {
  Type element = type.getElementType();
  if (isa<FloatType>(element))
    return createSplat(builder, loc, type,
                       builder.getFloatAttr(element, number));
  return createSplat(builder, loc, type,
                     integerAttr(element, static_cast<int64_t>(number)));
}

Value createConstant(OpBuilder &builder, Location loc, RankedTensorType type,
                     DenseElementsAttr value) {
  if (value.isSplat())
    return createSplat(builder, loc, type, value.getSplatValue<TypedAttr>());
  return ConstantOp::create(builder, loc, type, value.reshape(type));
}

Value createReshape(OpBuilder &builder, Location loc, Value operand,
                    ArrayRef<Extent> shape) {
  RankedTensorType type = ir::tensorTypeOf(shape, elementTypeOf(operand));
  return operand.getType() == type
             ? operand
             : ReshapeOp::create(builder, loc, type, operand);
}

Extents withoutUnits(ArrayRef<Extent> shape) {
  Extents kept(shape);
  llvm::erase_if(kept, [](const Extent &extent) { return extent.isKnown(1); });
  return kept;
}

Value broadcastScalar(Value value) {
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  return broadcast && tensorTypeOf(broadcast.getOperand()).getRank() == 0
             ? broadcast.getOperand()
             : Value();
}

} // namespace kiln::passes
