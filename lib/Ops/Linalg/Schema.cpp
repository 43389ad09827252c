// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Linalg: products and inverses of matrices.
#include "lib/Ops/Families.h"
#include "lib/Ops/Linalg/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"MatMul", "a: T, b: T", "product: T",
     "transpose_a: bool = false; transpose_b: bool = false; T: {bfloat16, "
     "float16, float32, float64, int32, int64, uint8, uint16, uint32, uint64, "
     "complex64, complex128}; grad_a: bool = false; grad_b: bool = false",
     "The product of two matrices, each transposed on demand.", inferMatMul},
    {"BatchMatMul", "x: T, y: T", "output: T",
     "T: {bfloat16, float16, float32, float64, int32, int64, complex64, "
     "complex128}; adj_x: bool = false; adj_y: bool = false; grad_x: bool = "
     "false; grad_y: bool = false",
     "Products of matrices, one for each index of equal leading dimensions.",
     inferBatchMatMul},
    {"BatchMatMulV2", "x: T, y: T", "output: T",
     "T: {bfloat16, float16, float32, float64, int16, int32, int64, uint8, "
     "uint16, uint32, uint64, complex64, complex128}; adj_x: bool = false; "
     "adj_y: bool = false; grad_x: bool = false; grad_y: bool = false",
     "Products of matrices with broadcasting of the leading dimensions.",
     inferBatchMatMul},
    {"MatrixInverse", "input: T", "output: T",
     "adjoint: bool = false; T: {float64, float32, float16, complex64, "
     "complex128}",
     "The inverse of each square matrix.", inferMatrixInverse},
};

} // namespace

OpFamily linalgFamily() {
  return {"Linalg", "products and inverses of matrices", records};
}

} // namespace kiln
