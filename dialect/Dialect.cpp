// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers the dialect and its types, and verifies its tensor encoding.
#include "dialect/Kiln.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "dialect/KilnDialect.cpp.inc"
#include "dialect/KilnEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialect/KilnAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialect/KilnTypes.cpp.inc"

using namespace mlir;

namespace kiln::ir {

void KilnDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialect/KilnAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialect/KilnTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialect/KilnOps.cpp.inc"
      >();
}

Operation *KilnDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || !isa<RankedTensorType>(type))
    return nullptr;
  return ConstantOp::create(builder, loc, type, elements);
}

LogicalResult
SymAttr::verifyEncoding(ArrayRef<int64_t> shape, Type elementType,
                        function_ref<InFlightDiagnostic()> emitError) const {
  size_t dynamic = llvm::count_if(shape, ShapedType::isDynamic);
  if (dynamic != getIds().size())
    return emitError() << "expected one symbol for each dynamic dimension ("
                       << dynamic << "), got " << getIds().size();
  if (llvm::any_of(getIds(), [](int64_t id) { return id < 0; }))
    return emitError() << "expected symbol ids that are not negative";
  if (dynamic == 0)
    return emitError() << "expected no symbols on a static type";
  return success();
}

} // namespace kiln::ir
