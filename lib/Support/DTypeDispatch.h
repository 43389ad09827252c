// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a DType to the C++ type of its elements: the one list of types that are
// computed with.
#ifndef KILN_LIB_SUPPORT_DTYPEDISPATCH_H
#define KILN_LIB_SUPPORT_DTYPEDISPATCH_H

#include "kiln/DType.h"

/// X(DType, C++ type) for each integer type.
#define KILN_FOR_EACH_INTEGER(X)                                               \
  X(Int8, int8_t)                                                              \
  X(Int16, int16_t)                                                            \
  X(Int32, int32_t)                                                            \
  X(Int64, int64_t)                                                            \
  X(UInt8, uint8_t)                                                            \
  X(UInt16, uint16_t)                                                          \
  X(UInt32, uint32_t)                                                          \
  X(UInt64, uint64_t)

/// Those and the floats that arithmetic is done in.
#define KILN_FOR_EACH_NUMBER(X)                                                \
  X(Float32, float)                                                            \
  X(Float64, double)                                                           \
  KILN_FOR_EACH_INTEGER(X)

/// Those and the types that are stored, compared or converted.
#define KILN_FOR_EACH_ELEMENT(X)                                               \
  X(Bool, bool)                                                                \
  X(Float16, ::kiln::Half)                                                     \
  X(BFloat16, ::kiln::BFloat16)                                                \
  KILN_FOR_EACH_NUMBER(X)

namespace kiln {

// Each calls `body` with a value of the C++ type of the dtype, which must be of
// the list; with the result type's default value for another one.
#define KILN_DISPATCH_CASE(Name, Type)                                         \
  case DType::Name:                                                            \
    return body(Type());

template <class Body> auto dispatchInteger(DType dtype, Body &&body) {
  switch (dtype) {
    KILN_FOR_EACH_INTEGER(KILN_DISPATCH_CASE)
  default:
    return decltype(body(int32_t()))();
  }
}
template <class Body> auto dispatchNumber(DType dtype, Body &&body) {
  switch (dtype) {
    KILN_FOR_EACH_NUMBER(KILN_DISPATCH_CASE)
  default:
    return decltype(body(float()))();
  }
}
/// Numbers and bool.
template <class Body> auto dispatchOrdered(DType dtype, Body &&body) {
  return dtype == DType::Bool ? body(bool()) : dispatchNumber(dtype, body);
}
template <class Body> auto dispatchElement(DType dtype, Body &&body) {
  switch (dtype) {
    KILN_FOR_EACH_ELEMENT(KILN_DISPATCH_CASE)
  default:
    return decltype(body(float()))();
  }
}

#undef KILN_DISPATCH_CASE

/// The type as whose bits elements are moved: an integer of the size for a type
/// that is not computed with (of 16 bytes, Complex128 itself); Invalid for a
/// type that has no elements.
inline DType storedAs(DType dtype) {
  if (isSupported(dtype))
    return dtype;
  switch (dtypeSize(dtype)) {
  case 1:
    return DType::Int8;
  case 2:
    return DType::Int16;
  case 4:
    return DType::Int32;
  case 8:
    return DType::Int64;
  case 16:
    return DType::Complex128;
  default:
    return DType::Invalid;
  }
}

} // namespace kiln

#endif // KILN_LIB_SUPPORT_DTYPEDISPATCH_H
