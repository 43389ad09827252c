// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices as TensorFlow's Python functions make and take them.
#ifndef KILN_OPS_LINEARALGEBRAOPS_H
#define KILN_OPS_LINEARALGEBRAOPS_H

#include "kiln/OpOptions.h"

#include <optional>
#include <utility>
#include <vector>

namespace kiln::ops {

struct EyeOptions {
  /// Nothing: as many as rows.
  std::optional<Input> numColumns = {};
  std::optional<Input> batchShape = {};
  DType dtype = DType::Float32;
  std::string name = {};
};
/// Ones on the diagonal. **Source**: tf.eye, "eye".
KILN_EXPORT Output eye(const Input &numRows, const EyeOptions &options = {});

struct DiagOptions {
  std::string name = "diag";
  /// The diagonal: 0 is the main one, others lie above it, or a range of them.
  Input k = 0;
  Input numRows = -1;
  Input numColumns = -1;
  Input paddingValue = 0;
  std::string align = "RIGHT_LEFT";
};
/// Matrices with these diagonals. **Source**: tf.matrix_diag, "diag".
KILN_EXPORT Output matrixDiag(const Input &diagonal,
                              const DiagOptions &options = {});
struct DiagPartOptions {
  std::string name = "diag_part";
  Input k = 0;
  Input paddingValue = 0;
  std::string align = "RIGHT_LEFT";
};
/// **Source**: tf.matrix_diag_part, "diag_part".
KILN_EXPORT Output matrixDiagPart(const Input &input,
                                  const DiagPartOptions &options = {});
struct SetDiagOptions {
  std::string name = "set_diag";
  Input k = 0;
  std::string align = "RIGHT_LEFT";
};
/// The matrices with other diagonals. **Source**: tf.matrix_set_diag,
/// "set_diag".
KILN_EXPORT Output matrixSetDiag(const Input &input, const Input &diagonal,
                                 const SetDiagOptions &options = {});

/// The last two axes exchanged. **Errors** of the graph: INVALID_ARGUMENT for a
/// rank below 2. **Source**: tf.matrix_transpose, "matrix_transpose".
KILN_EXPORT Output matrixTranspose(const Input &a,
                                   const OpOptions &options = {});
/// **Source**: tf.linalg.adjoint, "adjoint".
KILN_EXPORT Output adjoint(const Input &matrix, const OpOptions &options = {});
/// The sum of the main diagonal. **Source**: tf.trace, "Trace".
KILN_EXPORT Output trace(const Input &x, const OpOptions &options = {});
struct MatVecOptions {
  bool transposeA = false;
  bool adjointA = false;
  bool aIsSparse = false;
  bool bIsSparse = false;
  std::string name = {};
};
/// **Shapes**: a: [..., m, k], b: [..., k]. **Source**: tf.linalg.matvec,
/// "MatVec".
KILN_EXPORT Output matVec(const Input &a, const Input &b,
                          const MatVecOptions &options = {});

struct NormOptions {
  /// "euclidean", "fro" (of matrices), or a number: 1, 2, infinity, of vectors
  /// any above 0.
  Input ord = "euclidean";
  /// None: all axes; one: vectors; two: matrices.
  std::vector<int64_t> axis = {};
  bool keepDims = false;
  std::string name = {};
};
/// **Errors** of the graph: INVALID_ARGUMENT for another ord or axes.
/// **Source**: tf.norm, "norm".
KILN_EXPORT Output norm(const Input &tensor, const NormOptions &options = {});
struct NormalizeOptions {
  Input ord = "euclidean";
  std::vector<int64_t> axis = {};
  std::string name = {};
};
struct Normalized {
  Output normalized, norm;
};
/// The tensor by its norm, and the norm. **Source**: tf.linalg.normalize,
/// "normalize".
KILN_EXPORT Normalized normalize(const Input &tensor,
                                 const NormalizeOptions &options = {});

struct SvdOptions {
  bool fullMatrices = false;
  bool computeUV = true;
  std::string name = {};
};
struct SingularValues {
  Output s, u, v;
};
/// Singular values and, where asked for, vectors. **Source**: tf.svd, "Svd".
KILN_EXPORT SingularValues svd(const Input &tensor,
                               const SvdOptions &options = {});
struct Eigen {
  Output values, vectors;
};
/// Of symmetric matrices. **Source**: tf.self_adjoint_eig, "SelfAdjointEigV2".
KILN_EXPORT Eigen selfAdjointEig(const Input &tensor,
                                 const OpOptions &options = {});
/// **Source**: tf.self_adjoint_eigvals, "SelfAdjointEigV2".
KILN_EXPORT Output selfAdjointEigvals(const Input &tensor,
                                      const OpOptions &options = {});

/// The log of the determinant of positive definite matrices. **Source**:
/// tf.linalg.logdet, "logdet".
KILN_EXPORT Output logdet(const Input &matrix, const OpOptions &options = {});
struct TriangularSolveOptions {
  bool lower = true;
  bool adjoint = false;
  std::string name = {};
};
/// **Source**: tf.matrix_triangular_solve, "triangular_solve".
KILN_EXPORT Output
matrixTriangularSolve(const Input &matrix, const Input &rhs,
                      const TriangularSolveOptions &options = {});
/// The solution by a factor of Cholesky. **Source**: tf.cholesky_solve,
/// "cholesky_solve".
KILN_EXPORT Output choleskySolve(const Input &chol, const Input &rhs,
                                 const OpOptions &options = {});
struct LeastSquaresOptions {
  Input l2Regularizer = 0.0;
  /// By a factor of Cholesky.
  bool fast = true;
  std::string name = {};
};
/// The solution with the least error. **Source**: tf.matrix_solve_ls,
/// "matrix_solve_ls".
KILN_EXPORT Output matrixSolveLs(const Input &matrix, const Input &rhs,
                                 const LeastSquaresOptions &options = {});

/// The sum of products that an equation "ij,jk->ik" tells of; of more than two
/// tensors two at a time, the cheapest first. **Errors** of the graph:
/// INVALID_ARGUMENT for an equation that does not fit. **Source**: tf.einsum,
/// "einsum/Einsum".
KILN_EXPORT Output einsum(const std::string &equation, const InputList &inputs,
                          const OpOptions &options = {});

} // namespace kiln::ops

#endif // KILN_OPS_LINEARALGEBRAOPS_H
