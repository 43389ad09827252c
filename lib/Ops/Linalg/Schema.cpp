// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Linalg: products, factors and systems of matrices.
#include "lib/Ops/Families.h"
#include "lib/Ops/Linalg/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr char factored[] =
    "T: {float64, float32, float16, complex64, complex128}";

constexpr char batched[] = "T: {float64, float32}";

constexpr OpRecord records[] = {
    {"MatMul", "a: T, b: T", "product: T",
     "transpose_a: bool = false; transpose_b: bool = false; T: {bfloat16, "
     "float16, float32, float64, int32, int64, uint8, uint16, uint32, uint64, "
     "complex64, complex128}; grad_a: bool = false; grad_b: bool = false",
     "The product of two matrices, each transposed on demand.", inferMatMul,
     takesComplex},
    {"SparseMatMul", "a: Ta, b: Tb", "product: float32",
     "transpose_a: bool = false; transpose_b: bool = false; a_is_sparse: bool "
     "= false; b_is_sparse: bool = false; Ta: {float32, bfloat16} = float32; "
     "Tb: {float32, bfloat16} = float32",
     "MatMul of matrices that may have many zeros.", inferMatMul},
    {"BatchMatMul", "x: T, y: T", "output: T",
     "T: {bfloat16, float16, float32, float64, int32, int64, complex64, "
     "complex128}; adj_x: bool = false; adj_y: bool = false; grad_x: bool = "
     "false; grad_y: bool = false",
     "Products of matrices, one for each index of equal leading dimensions.",
     inferBatchMatMul, takesComplex},
    {"BatchMatMulV2", "x: T, y: T", "output: T",
     "T: {bfloat16, float16, float32, float64, int16, int32, int64, uint8, "
     "uint16, uint32, uint64, complex64, complex128}; adj_x: bool = false; "
     "adj_y: bool = false; grad_x: bool = false; grad_y: bool = false",
     "Products of matrices with broadcasting of the leading dimensions.",
     inferBatchMatMul, takesComplex},
    {"BatchMatMulV3", "x: Ta, y: Tb", "output: Tout",
     "Ta: {bfloat16, float16, float32, float64, uint8, int8, int16, int32, "
     "int64, complex64, complex128}; Tb: {bfloat16, float16, float32, float64, "
     "uint8, int8, int16, int32, int64, complex64, complex128}; Tout: "
     "{bfloat16, float16, float32, float64, int16, int32, int64, complex64, "
     "complex128}; adj_x: bool = false; adj_y: bool = false; grad_x: bool = "
     "false; grad_y: bool = false",
     "BatchMatMulV2 of operands of other types, computed in that of the "
     "output.",
     inferBatchMatMul, takesComplex},
    {"Einsum", "inputs: N*T", "output: T",
     "equation: string; N: int >= 1; T: {bfloat16, float16, float32, float64, "
     "int32, int64, complex64, complex128}",
     "The sums of products of one or two tensors that an equation of labels "
     "says.",
     inferEinsum, takesComplex},
    {"MatrixInverse", "input: T", "output: T",
     "adjoint: bool = false; T: {float64, float32, float16, complex64, "
     "complex128}",
     "The inverse of each square matrix.", inferSquare, takesComplex},
    {"MatrixDeterminant", "input: T", "output: T", factored,
     "The determinant of each square matrix.", inferDeterminant, takesComplex},
    {"LogMatrixDeterminant", "input: T", "sign: T, log_abs_determinant: T",
     factored, "Sign and logarithm of the size of each determinant.",
     inferDeterminant, takesComplex},
    {"Cholesky", "input: T", "output: T", factored,
     "The lower triangular L of each matrix L L^T.", inferSquare, takesComplex},
    {"CholeskyGrad", "l: T, grad: T", "output: T",
     "T: {float16, float32, "
     "float64}",
     "The gradient of what Cholesky factored.", inferCholeskyGrad},
    {"Lu", "input: T", "lu: T, p: output_idx_type",
     "output_idx_type: indexTypes = int32; T: {float64, float32, float16, "
     "complex64, complex128}",
     "The LU decomposition of each matrix, with the order of its rows.",
     inferLu, takesComplex},
    {"Qr", "input: T", "q: T, r: T",
     "full_matrices: bool = false; T: {float64, float32, float16, complex64, "
     "complex128}",
     "The orthogonal Q and the upper triangular R of each matrix Q R.", inferQr,
     takesComplex},
    {"SelfAdjointEigV2", "input: T", "e: T, v: T",
     "compute_v: bool = true; T: {float64, float32, float16, complex64, "
     "complex128}",
     "The eigenvalues, upwards, and eigenvectors of symmetric matrices.",
     inferSelfAdjointEig, takesComplex},
    {"Eig", "input: T", "e: Tout, v: Tout",
     "compute_v: bool = true; T: {float32, float64, complex64, complex128}; "
     "Tout: {complex64, complex128}",
     "The eigenvalues and eigenvectors of each square matrix.",
     inferSelfAdjointEig, takesComplex},
    {"Svd", "input: T", "s: T, u: T, v: T",
     "compute_uv: bool = true; full_matrices: bool = false; T: {float64, "
     "float32, float16, complex64, complex128}",
     "The singular values, downwards, and vectors of each matrix.", inferSvd,
     takesComplex},
    {"MatrixSolve", "matrix: T, rhs: T", "output: T",
     "adjoint: bool = false; T: {float64, float32, float16, complex64, "
     "complex128}",
     "Solves a system of linear equations for each column of rhs.",
     inferMatrixSolve, takesComplex},
    {"MatrixTriangularSolve", "matrix: T, rhs: T", "output: T",
     "lower: bool = true; adjoint: bool = false; T: {bfloat16, float64, "
     "float32, float16, complex64, complex128}",
     "The same of triangular matrices, with broadcasting.",
     inferTriangularSolve, takesComplex},
    {"BandedTriangularSolve", "matrix: T, rhs: T", "output: T",
     "lower: bool = true; adjoint: bool = false; T: {float64, float32, "
     "float16, complex64, complex128}",
     "The same of the diagonals of triangular matrices.",
     inferBandedTriangularSolve, takesComplex},
    {"TridiagonalMatMul", "superdiag: T, maindiag: T, subdiag: T, rhs: T",
     "output: T", "T: {float64, float32, complex64, complex128}",
     "The product of a matrix of three diagonals, as rows of one, with rhs.",
     inferTridiagonalMatMul, takesComplex},
    {"TridiagonalSolve", "diagonals: T, rhs: T", "output: T",
     "partial_pivoting: bool = true; perturb_singular: bool = false; T: "
     "{float64, float32, complex64, complex128}",
     "Solves systems of three diagonals, the rows of diagonals; NaN where "
     "there is no solution.",
     inferTridiagonalSolve, takesComplex},
    {"Cross", "a: T, b: T", "product: T", "T: realNumbers",
     "The cross product of vectors of three elements.", inferCross},
    {"MatrixSolveLs", "matrix: T, rhs: T, l2_regularizer: float64", "output: T",
     "T: {float64, float32, float16, complex64, complex128}; fast: bool = "
     "true",
     "Solves systems in the sense of least squares.", inferMatrixSolveLs,
     takesComplex},
    {"MatrixExponential", "input: T", "output: T", factored,
     "e to the power of each square matrix.", inferSquare},
    {"MatrixSquareRoot", "input: T", "output: T", factored,
     "The principal square root of each matrix; NaN where it is not real.",
     inferSquare},
    {"BatchCholesky", "input: T", "output: T", batched,
     "The former name of Cholesky.", inferSquare, noFlags, "Cholesky"},
    {"BatchCholeskyGrad", "l: T, grad: T", "output: T", "T: {float32, float64}",
     "The former name of CholeskyGrad.", inferCholeskyGrad, noFlags,
     "CholeskyGrad"},
    {"BatchMatrixDeterminant", "input: T", "output: T",
     "T: {float32, float64, complex64, complex128}",
     "The former name of MatrixDeterminant.", inferDeterminant, takesComplex,
     "MatrixDeterminant"},
    {"BatchMatrixInverse", "input: T", "output: T",
     "adjoint: bool = false; T: {float64, float32}",
     "The former name of MatrixInverse.", inferSquare, noFlags,
     "MatrixInverse"},
    {"BatchMatrixSolve", "matrix: T, rhs: T", "output: T",
     "adjoint: bool = false; T: {float64, float32}",
     "The former name of MatrixSolve.", inferMatrixSolve, noFlags,
     "MatrixSolve"},
    {"BatchMatrixSolveLs", "matrix: T, rhs: T, l2_regularizer: float64",
     "output: T", "T: {float64, float32}; fast: bool = true",
     "The former name of MatrixSolveLs.", inferMatrixSolveLs, noFlags,
     "MatrixSolveLs"},
    {"BatchMatrixTriangularSolve", "matrix: T, rhs: T", "output: T",
     "lower: bool = true; adjoint: bool = false; T: {float64, float32}",
     "The former name of MatrixTriangularSolve.", inferTriangularSolve, noFlags,
     "MatrixTriangularSolve"},
    {"BatchSelfAdjointEigV2", "input: T", "e: T, v: T",
     "compute_v: bool = true; T: {float64, float32}",
     "The former name of SelfAdjointEigV2.", inferSelfAdjointEig, noFlags,
     "SelfAdjointEigV2"},
    {"BatchSvd", "input: T", "s: T, u: T, v: T",
     "compute_uv: bool = true; full_matrices: bool = false; T: {float64, "
     "float32, complex64, complex128}",
     "The former name of Svd.", inferSvd, takesComplex, "Svd"},
    {"SelfAdjointEig", "input: T", "output: T",
     "T: {float64, float32, float16}",
     "The eigenvalues of symmetric matrices as a row above their eigenvectors.",
     inferSelfAdjointEigRows},
    {"BatchSelfAdjointEig", "input: T", "output: T", batched,
     "The former name of SelfAdjointEig.", inferSelfAdjointEigRows, noFlags,
     "SelfAdjointEig"},
};

} // namespace

OpFamily linalgFamily() {
  return {"Linalg", "products, factors and systems of matrices", records};
}

} // namespace kiln
