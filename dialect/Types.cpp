// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions between tensor types and their dimensions.
#include "dialect/Types.h"

#include "dialect/Kiln.h"
#include "dialect/Traits.h"

using namespace mlir;

namespace kiln::ir {

Extents extentsOf(RankedTensorType type) {
  Extents extents;
  auto symbols = dyn_cast_if_present<SymAttr>(type.getEncoding());
  size_t next = 0;
  for (int64_t extent : type.getShape()) {
    if (!ShapedType::isDynamic(extent)) {
      extents.push_back(Extent::known(extent));
      continue;
    }
    bool named = symbols && next < symbols.getIds().size();
    extents.push_back(
        Extent::ofSymbol(named ? symbols.getIds()[next] : INT64_MAX));
    ++next;
  }
  return extents;
}

Extents extentsOf(Value value) {
  return extentsOf(cast<RankedTensorType>(value.getType()));
}

RankedTensorType tensorTypeOf(ArrayRef<Extent> extents, Type elementType) {
  SmallVector<int64_t> shape, ids;
  for (const Extent &extent : extents) {
    shape.push_back(extent.isKnown() ? extent.value : ShapedType::kDynamic);
    if (!extent.isKnown())
      ids.push_back(extent.symbol);
  }
  Attribute encoding =
      ids.empty() ? Attribute() : SymAttr::get(elementType.getContext(), ids);
  return RankedTensorType::get(shape, elementType, encoding);
}

RankedTensorType withElementType(RankedTensorType type, Type elementType) {
  return RankedTensorType::get(type.getShape(), elementType,
                               type.getEncoding());
}

DType dtypeOf(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    type = tensor.getElementType();
  if (type.isF32())
    return DType::Float32;
  if (type.isF64())
    return DType::Float64;
  if (type.isF16())
    return DType::Float16;
  if (type.isBF16())
    return DType::BFloat16;
  if (isa<StringType>(type))
    return DType::String;
  if (!type.isInteger())
    return DType::Invalid;
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return DType::Bool;
  case 8:
    return isUnsigned(type) ? DType::UInt8 : DType::Int8;
  case 16:
    return isUnsigned(type) ? DType::UInt16 : DType::Int16;
  case 32:
    return isUnsigned(type) ? DType::UInt32 : DType::Int32;
  case 64:
    return isUnsigned(type) ? DType::UInt64 : DType::Int64;
  case 128:
    return DType::Complex128;
  default:
    return DType::Invalid;
  }
}

bool isElement(Type type) {
  if (!type.isInteger())
    return type.isF32() || type.isF64() || isNarrowFloat(type);
  unsigned bits = type.getIntOrFloatBitWidth();
  return (bits == 1 && type.isSignlessInteger()) ||
         (!type.isSignedInteger() &&
          (bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128));
}

bool isNarrowFloat(Type elementType) {
  return elementType.isF16() || elementType.isBF16();
}

bool isUnsigned(Type elementType) { return elementType.isUnsignedInteger(); }

Type storageType(Type elementType) {
  if (elementType.isF32() || elementType.isF64())
    return elementType;
  return IntegerType::get(elementType.getContext(),
                          static_cast<unsigned>(8 * storageBytes(elementType)));
}

Type registerType(Type elementType) {
  if (elementType.isInteger(1))
    return elementType;
  return isNarrowFloat(elementType) ? Float32Type::get(elementType.getContext())
                                    : storageType(elementType);
}

IntegerAttr integerAttr(Type type, int64_t value) {
  return IntegerAttr::get(type, llvm::APInt(type.getIntOrFloatBitWidth(),
                                            static_cast<uint64_t>(value),
                                            /*isSigned=*/false,
                                            /*implicitTrunc=*/true));
}

int64_t integerOf(IntegerAttr attr) {
  Type type = attr.getType();
  return type.isInteger(1) || isUnsigned(type)
             ? static_cast<int64_t>(attr.getValue().getZExtValue())
             : attr.getValue().getSExtValue();
}

MemRefType bufferTypeOf(RankedTensorType type) {
  return bufferTypeOf(type, MemorySpace::host);
}

MemRefType bufferTypeOf(RankedTensorType type, MemorySpace memory) {
  Attribute space;
  if (memory != MemorySpace::host)
    space = MemorySpaceAttr::get(type.getContext(), memory);
  return MemRefType::get({ShapedType::kDynamic},
                         storageType(type.getElementType()),
                         MemRefLayoutAttrInterface(), space);
}

std::optional<MemorySpace> memoryOf(MemRefType type) {
  Attribute space = type.getMemorySpace();
  if (!space)
    return MemorySpace::host;
  auto known = dyn_cast<MemorySpaceAttr>(space);
  // The host's is written by leaving it out.
  if (!known || known.getValue() == MemorySpace::host)
    return std::nullopt;
  return known.getValue();
}

int64_t storageBytes(Type elementType) {
  if (isa<StringType>(elementType))
    return 8;
  return elementType.isInteger(1) ? 1 : elementType.getIntOrFloatBitWidth() / 8;
}

std::string toString(ArrayRef<Extent> extents) {
  std::string text = "[";
  for (const Extent &extent : extents) {
    if (text.size() > 1)
      text += ", ";
    text += extent.isKnown() ? std::to_string(extent.value)
                             : "s" + std::to_string(extent.symbol);
  }
  return text + "]";
}

bool hasNamedDimensions(RankedTensorType type) {
  return type.hasStaticShape() ? !type.getEncoding()
                               : isa_and_present<SymAttr>(type.getEncoding());
}

LogicalResult impl::verifySameShape(Operation *op) {
  std::optional<Extents> expected;
  auto check = [&](Type type) -> LogicalResult {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return success(); // the op's own constraints say so
    Extents extents = extentsOf(tensor);
    if (!expected)
      expected = extents;
    if (*expected != extents)
      return op->emitOpError("expected operands and results of one shape, got ")
             << toString(*expected) << " and " << toString(extents);
    return success();
  };
  for (Type type : op->getOperandTypes())
    if (failed(check(type)))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(check(type)))
      return failure();
  return success();
}

} // namespace kiln::ir
