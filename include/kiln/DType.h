// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element types, with TensorFlow's DataType numbers.
#ifndef KILN_DTYPE_H
#define KILN_DTYPE_H

#include "kiln/Export.h"
#include "kiln/Float16.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kiln {

/// Every element type of TensorFlow, by its DataType number. Graphs may mention
/// all of them; see isSupported() for those that Kiln computes with.
enum class DType : uint8_t {
  Invalid = 0,
  Float32 = 1,
  Float64 = 2,
  Int32 = 3,
  UInt8 = 4,
  Int16 = 5,
  Int8 = 6,
  String = 7,
  Complex64 = 8,
  Int64 = 9,
  Bool = 10,
  QInt8 = 11,
  QUInt8 = 12,
  QInt32 = 13,
  BFloat16 = 14,
  QInt16 = 15,
  QUInt16 = 16,
  UInt16 = 17,
  Complex128 = 18,
  Float16 = 19,
  Resource = 20,
  Variant = 21,
  UInt32 = 22,
  UInt64 = 23,
  Float8E5M2 = 24,
  Float8E4M3FN = 25,
  Float8E4M3FNUZ = 26,
  Float8E4M3B11FNUZ = 27,
  Float8E5M2FNUZ = 28,
  Int4 = 29,
  UInt4 = 30,
  Int2 = 31,
  UInt2 = 32,
  Float4E2M1FN = 33,
};

/// TensorFlow adds this to a DataType number to say "a reference to".
inline constexpr int refTypeOffset = 100;

/// Returns the bytes of one element in a tensor; 0 for resource, variant and
/// invalid, of which there are no tensors. A string takes 8, a kiln::String,
/// and its bytes lie elsewhere.
KILN_EXPORT size_t dtypeSize(DType dtype) noexcept;
/// Returns the name that Python shows: "float32", "int64", "bool"; "invalid"
/// for Invalid and unknown numbers.
KILN_EXPORT std::string_view dtypeName(DType dtype) noexcept;
/// Returns the name in TensorFlow's C++ messages: "float", "double", "int32",
/// "int64", "bool".
KILN_EXPORT std::string_view dtypeTfName(DType dtype) noexcept;
/// Finds the type of a TensorFlow DataType number, references included (101 is
/// float32); nothing for other numbers.
KILN_EXPORT std::optional<DType> dtypeFromNumber(int number) noexcept;
/// Finds the type by either of its two names ("float32" or "float").
KILN_EXPORT std::optional<DType> dtypeFromName(std::string_view name) noexcept;

KILN_EXPORT bool isFloating(DType dtype) noexcept;
/// Signed and unsigned integers; bool and quantized types are not among them.
KILN_EXPORT bool isInteger(DType dtype) noexcept;
KILN_EXPORT bool isComplex(DType dtype) noexcept;
/// True for the types that Kiln computes with: floats from 16 bits, integers
/// from 8 bits, bool, string.
KILN_EXPORT bool isSupported(DType dtype) noexcept;

/// The DType of a C++ type; Invalid for a type that has none.
template <class T> inline constexpr DType dtypeOf = DType::Invalid;
template <> inline constexpr DType dtypeOf<float> = DType::Float32;
template <> inline constexpr DType dtypeOf<double> = DType::Float64;
template <> inline constexpr DType dtypeOf<Half> = DType::Float16;
template <> inline constexpr DType dtypeOf<BFloat16> = DType::BFloat16;
template <> inline constexpr DType dtypeOf<bool> = DType::Bool;
template <> inline constexpr DType dtypeOf<int8_t> = DType::Int8;
template <> inline constexpr DType dtypeOf<int16_t> = DType::Int16;
template <> inline constexpr DType dtypeOf<int32_t> = DType::Int32;
template <> inline constexpr DType dtypeOf<int64_t> = DType::Int64;
template <> inline constexpr DType dtypeOf<uint8_t> = DType::UInt8;
template <> inline constexpr DType dtypeOf<uint16_t> = DType::UInt16;
template <> inline constexpr DType dtypeOf<uint32_t> = DType::UInt32;
template <> inline constexpr DType dtypeOf<uint64_t> = DType::UInt64;

} // namespace kiln

#endif // KILN_DTYPE_H
