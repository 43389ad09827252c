// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of element types.
#include "lib/Support/DTypeDispatch.h"

#include <iterator>

namespace kiln {

namespace {

enum class Kind : uint8_t { Other, Float, Integer, Complex };

struct Row {
  std::string_view name;
  std::string_view tfName;
  uint8_t size;
  Kind kind;
};

// Indexed by TensorFlow's DataType number.
constexpr Row rows[] = {
    {"invalid", "INVALID", 0, Kind::Other},
    {"float32", "float", 4, Kind::Float},
    {"float64", "double", 8, Kind::Float},
    {"int32", "int32", 4, Kind::Integer},
    {"uint8", "uint8", 1, Kind::Integer},
    {"int16", "int16", 2, Kind::Integer},
    {"int8", "int8", 1, Kind::Integer},
    {"string", "string", 8, Kind::Other},
    {"complex64", "complex64", 8, Kind::Complex},
    {"int64", "int64", 8, Kind::Integer},
    {"bool", "bool", 1, Kind::Other},
    {"qint8", "qint8", 1, Kind::Other},
    {"quint8", "quint8", 1, Kind::Other},
    {"qint32", "qint32", 4, Kind::Other},
    {"bfloat16", "bfloat16", 2, Kind::Float},
    {"qint16", "qint16", 2, Kind::Other},
    {"quint16", "quint16", 2, Kind::Other},
    {"uint16", "uint16", 2, Kind::Integer},
    {"complex128", "complex128", 16, Kind::Complex},
    {"float16", "half", 2, Kind::Float},
    {"resource", "resource", 0, Kind::Other},
    {"variant", "variant", 0, Kind::Other},
    {"uint32", "uint32", 4, Kind::Integer},
    {"uint64", "uint64", 8, Kind::Integer},
    {"float8_e5m2", "float8_e5m2", 1, Kind::Float},
    {"float8_e4m3fn", "float8_e4m3fn", 1, Kind::Float},
    {"float8_e4m3fnuz", "float8_e4m3fnuz", 1, Kind::Float},
    {"float8_e4m3b11fnuz", "float8_e4m3b11fnuz", 1, Kind::Float},
    {"float8_e5m2fnuz", "float8_e5m2fnuz", 1, Kind::Float},
    {"int4", "int4", 1, Kind::Integer},
    {"uint4", "uint4", 1, Kind::Integer},
    {"int2", "int2", 1, Kind::Integer},
    {"uint2", "uint2", 1, Kind::Integer},
    {"float4_e2m1fn", "float4_e2m1fn", 1, Kind::Float},
};

const Row &rowOf(DType dtype) noexcept {
  size_t index = static_cast<size_t>(dtype);
  return rows[index < std::size(rows) ? index : 0];
}

} // namespace

size_t dtypeSize(DType dtype) noexcept { return rowOf(dtype).size; }
std::string_view dtypeName(DType dtype) noexcept { return rowOf(dtype).name; }
std::string_view dtypeTfName(DType dtype) noexcept {
  return rowOf(dtype).tfName;
}

std::optional<DType> dtypeFromNumber(int number) noexcept {
  if (number > refTypeOffset)
    number -= refTypeOffset;
  if (number <= 0 || number >= static_cast<int>(std::size(rows)))
    return std::nullopt;
  return static_cast<DType>(number);
}

std::optional<DType> dtypeFromName(std::string_view name) noexcept {
  for (size_t i = 1; i < std::size(rows); ++i)
    if (rows[i].name == name || rows[i].tfName == name)
      return static_cast<DType>(i);
  return std::nullopt;
}

bool isFloating(DType dtype) noexcept {
  return rowOf(dtype).kind == Kind::Float;
}
bool isInteger(DType dtype) noexcept {
  return rowOf(dtype).kind == Kind::Integer;
}
bool isComplex(DType dtype) noexcept {
  return rowOf(dtype).kind == Kind::Complex;
}

bool isSupported(DType dtype) noexcept {
  return dtype == DType::String ||
         dispatchElement(dtype, [](auto) { return true; });
}

} // namespace kiln
