// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dimensions of kiln's tensor types: an extent or a symbol, in one small value.
#ifndef KILN_DIALECT_TYPES_H
#define KILN_DIALECT_TYPES_H

#include "kiln/DType.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace kiln::ir {

enum class MemorySpace : uint32_t;

/// One dimension of a tensor type: a known extent, or a symbol of the
/// executable's symbol table.
struct Extent {
  int64_t value = 0;   ///< the extent where symbol is -1
  int64_t symbol = -1; ///< the symbol's id, or -1

  static Extent known(int64_t value) { return {value, -1}; }
  static Extent ofSymbol(int64_t id) { return {0, id}; }
  bool isKnown() const { return symbol < 0; }
  bool isKnown(int64_t extent) const { return symbol < 0 && value == extent; }
  bool operator==(const Extent &other) const = default;
};

using Extents = llvm::SmallVector<Extent, 4>;

/// The dimensions of a tensor type. A dynamic dimension of a type without the
/// encoding has symbol INT64_MAX, which only verifiers of malformed IR meet.
Extents extentsOf(mlir::RankedTensorType type);
Extents extentsOf(mlir::Value value);

/// The tensor type with these dimensions; it has the encoding exactly when one
/// of them is a symbol.
mlir::RankedTensorType tensorTypeOf(llvm::ArrayRef<Extent> extents,
                                    mlir::Type elementType);

/// The same dimensions with another element type.
mlir::RankedTensorType withElementType(mlir::RankedTensorType type,
                                       mlir::Type elementType);

/// The element type of a tensor type, or what an element type is: i128, of
/// which there are only elements that are moved, is Complex128. Invalid for one
/// that kiln has not.
DType dtypeOf(mlir::Type type);
/// Whether kiln has tensors of the type.
bool isElement(mlir::Type type);
/// f16 and bf16, which are stored and converted but not computed with.
bool isNarrowFloat(mlir::Type elementType);
/// ui8 to ui64: signless integers are signed.
bool isUnsigned(mlir::Type elementType);

/// The element type a buffer stores: bool is one byte, integers are signless,
/// f16 and bf16 are their bits, a string is a 64-bit handle.
mlir::Type storageType(mlir::Type elementType);
/// The element type of values in registers: that of storage, but bool is i1 and
/// f16 and bf16 are the f32 of the same value.
mlir::Type registerType(mlir::Type elementType);
/// A number, wrapped to the integer type.
mlir::IntegerAttr integerAttr(mlir::Type type, int64_t value);
/// The other way; an unsigned number that int64_t does not hold is negative.
int64_t integerOf(mlir::IntegerAttr attr);

/// The flat buffer of elements of a tensor type, in the host's memory or in
/// another one.
mlir::MemRefType bufferTypeOf(mlir::RankedTensorType type);
mlir::MemRefType bufferTypeOf(mlir::RankedTensorType type, MemorySpace memory);
/// The memory that a buffer lies in; nothing for a type that no buffer has.
std::optional<MemorySpace> memoryOf(mlir::MemRefType type);

/// Bytes an element takes in a buffer.
int64_t storageBytes(mlir::Type elementType);

/// "[s0, 9]", as diagnostics and kiln.dims print dimensions.
std::string toString(llvm::ArrayRef<Extent> extents);

} // namespace kiln::ir

#endif // KILN_DIALECT_TYPES_H
