// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI has no 16-bit floats: they are sent as their bits, and combined here.
#include "lib/Transports/MpiTypes.h"

#include "kiln/DType.h"
#include "kiln/Float16.h"

namespace kiln {
namespace {

template <class Combine>
void combineHalves(void *in, void *inOut, int *count, MPI_Datatype *) {
  const auto *from = static_cast<const uint16_t *>(in);
  auto *to = static_cast<uint16_t *>(inOut);
  for (int i = 0; i < *count; ++i)
    to[i] =
        halfBitsOf(Combine()(floatOfHalfBits(from[i]), floatOfHalfBits(to[i])));
}

struct Sum {
  float operator()(float a, float b) const { return a + b; }
};
struct Least {
  float operator()(float a, float b) const { return b < a ? b : a; }
};
struct Most {
  float operator()(float a, float b) const { return a < b ? b : a; }
};
struct Product {
  float operator()(float a, float b) const { return a * b; }
};

MPI_Op makeOp(MPI_User_function *combine) {
  MPI_Op op;
  MPI_Op_create(combine, /*commute=*/1, &op);
  return op;
}

} // namespace

MpiType mpiTypeOf(int32_t dtype) {
  switch (static_cast<DType>(dtype)) {
  case DType::UInt8:
    return {MPI_UINT8_T, 1};
  case DType::Int8:
    return {MPI_INT8_T, 1};
  case DType::Int32:
    return {MPI_INT32_T, 4};
  case DType::Int64:
    return {MPI_INT64_T, 8};
  case DType::Float16:
    return {MPI_UINT16_T, 2};
  case DType::Float32:
    return {MPI_FLOAT, 4};
  case DType::Float64:
    return {MPI_DOUBLE, 8};
  default:
    return {MPI_BYTE, 0};
  }
}

MPI_Op mpiOpOf(int32_t dtype, int32_t reduction) {
  static const MPI_Op numbers[] = {MPI_SUM, MPI_MIN, MPI_MAX, MPI_PROD};
  static const MPI_Op halves[] = {
      makeOp(combineHalves<Sum>), makeOp(combineHalves<Least>),
      makeOp(combineHalves<Most>), makeOp(combineHalves<Product>)};
  return static_cast<DType>(dtype) == DType::Float16 ? halves[reduction]
                                                     : numbers[reduction];
}

} // namespace kiln
