// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices as TensorFlow's Python functions add them.
#include "kiln/ops/LinearAlgebraOps.h"

#include "kiln/ControlFlow.h"
#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/Layout.h"
#include "kiln/ops/Linalg.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Build/VariableData.h"
#include "lib/Graph/TensorText.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <numeric>

namespace kiln::ops {
namespace {

bool isSymbolic(const Input &value) {
  return value.output() ||
         std::holds_alternative<std::shared_ptr<const VariableData>>(
             value.value());
}

std::optional<int64_t> numberOf(const Input &value) {
  const int64_t *number = std::get_if<int64_t>(&value.value());
  return number ? std::optional(*number) : std::nullopt;
}

/// The elements of a list of numbers; nothing for a tensor.
std::optional<std::vector<int64_t>> listOf(const Input &value) {
  return isSymbolic(value) ? std::nullopt : knownIntegers(value);
}

/// A bool where the diagonal is one.
Input padding(const Input &value, const Input &like) {
  DType dtype = DType::Invalid;
  if (const Output *tensor = like.output(); tensor && tensor->node)
    dtype = tensor->dtype();
  else if (const Tensor *array = std::get_if<Tensor>(&like.value()))
    dtype = array->dtype();
  auto number = numberOf(value);
  return dtype == DType::Bool && number ? Input(*number != 0) : value;
}

} // namespace

Output eye(const Input &numRows, const EyeOptions &options) {
  FunctionScope scope(options.name, "eye", {&numRows});
  Input columns = options.numColumns.value_or(numRows);
  bool isSquare = !options.numColumns;
  auto rowCount = numberOf(numRows), columnCount = numberOf(columns);
  bool isKnown = rowCount && columnCount;
  if (isKnown)
    isSquare = *rowCount == *columnCount;
  else if (!isSymbolic(numRows) && !isSymbolic(columns))
    return failed(
        invalidArgumentError(
            "Arguments `num_rows` and `num_columns` must be positive integer "
            "values."),
        scope);
  Input size = isKnown ? Input(std::min(*rowCount, *columnCount))
                       : Input(rawOps::minimum(numRows, columns));
  Input batch = options.batchShape.value_or(Input(std::vector<int64_t>()));
  Input diagonal = 0, whole = 0;
  if (!isKnown || isSymbolic(batch) || !listOf(batch)) {
    Output extents = convert(batch, "shape", DType::Int32);
    diagonal = concat({extents, Input(Input::List{size})}, 0);
    if (!isSquare)
      whole = concat({extents, Input(Input::List{numRows, columns})}, 0);
  } else {
    std::vector<int64_t> extents = *listOf(batch);
    std::vector<int64_t> matrix = extents;
    extents.push_back(std::min(*rowCount, *columnCount));
    matrix.insert(matrix.end(), {*rowCount, *columnCount});
    diagonal = extents;
    whole = matrix;
  }
  Output ones = ops::ones(diagonal, {.dtype = options.dtype});
  if (isSquare)
    return matrixDiag(ones);
  return matrixSetDiag(zeros(whole, {.dtype = options.dtype}), ones);
}

Output matrixDiag(const Input &diagonal, const DiagOptions &options) {
  return rawOps::matrixDiagV3(
      diagonal, options.k, options.numRows, options.numColumns,
      padding(options.paddingValue, diagonal),
      {.align = options.align,
       .name = options.name.empty() ? "MatrixDiagV3" : options.name});
}
Output matrixDiagPart(const Input &input, const DiagPartOptions &options) {
  return rawOps::matrixDiagPartV3(
      input, options.k, padding(options.paddingValue, input),
      {.align = options.align,
       .name = options.name.empty() ? "MatrixDiagPartV3" : options.name});
}
Output matrixSetDiag(const Input &input, const Input &diagonal,
                     const SetDiagOptions &options) {
  return rawOps::matrixSetDiagV3(
      input, diagonal, options.k,
      {.align = options.align,
       .name = options.name.empty() ? "MatrixSetDiagV3" : options.name});
}

namespace {

Output permuted(const Output &a, const Input &perm, bool isConjugated) {
  return isConjugated && isComplex(a.dtype())
             ? rawOps::conjugateTranspose(a, perm, {.name = "transpose"})
             : transpose(a, perm);
}

Output transposed(const Output &a, const std::string &scope,
                  bool isConjugated = false) {
  if (!a.node)
    return {};
  int rank = a.shape().rank();
  if (!a.shape().hasRank()) {
    Output known = ops::rank(a);
    if (!known.node)
      return {};
    Output outer = rawOps::range(0, known - 2, 1);
    Output last = known - 1;
    return permuted(a, concat({outer, Input(Input::List{last, known - 2})}, 0),
                    isConjugated);
  }
  if (rank < 2)
    return failed(
        invalidArgumentError(strCat(
            "Argument `a` should be a (batch) matrix with rank >= 2.  Received "
            "`a` = ",
            tensorText(a), " with shape: ", a.shape().toTupleString())),
        scope);
  std::vector<int64_t> perm(static_cast<size_t>(rank));
  std::iota(perm.begin(), perm.end(), 0);
  std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
  return permuted(a, perm, isConjugated);
}

} // namespace

Output matrixTranspose(const Input &a, const OpOptions &options) {
  FunctionScope scope(options.name, "matrix_transpose", {&a});
  return transposed(convert(a, "a"), scope);
}

Output adjoint(const Input &matrix, const OpOptions &options) {
  FunctionScope scope(options.name, "adjoint", {&matrix});
  Output tensor = convert(matrix, "matrix");
  FunctionScope inner({}, "matrix_transpose", {&matrix});
  return transposed(tensor, inner, /*isConjugated=*/true);
}

Output trace(const Input &x, const OpOptions &options) {
  FunctionScope scope(options.name, "Trace", {&x});
  Output diagonal = matrixDiagPart(convert(x, "x"));
  return reduceSum(diagonal, {-1}, {.name = scope});
}

Output matVec(const Input &a, const Input &b, const MatVecOptions &options) {
  FunctionScope scope(options.name, "MatVec", {&a, &b});
  Output product = matMul(a, expandDims(b, -1),
                          {.transposeA = options.transposeA,
                           .adjointA = options.adjointA,
                           .aIsSparse = options.aIsSparse,
                           .bIsSparse = options.bIsSparse});
  return squeeze(product, {.axis = {-1}});
}

SingularValues svd(const Input &tensor, const SvdOptions &options) {
  GraphScope graph(builderOf(tensor));
  auto all = rawOps::svd(tensor, {.computeUv = options.computeUV,
                                  .fullMatrices = options.fullMatrices,
                                  .name = options.name});
  NameScope real("Real"); // takes the name, as TensorFlow does
  if (!options.computeUV)
    return {all.s, {}, {}};
  return {all.s, all.u, all.v};
}

Eigen selfAdjointEig(const Input &tensor, const OpOptions &options) {
  auto all = rawOps::selfAdjointEigV2(tensor,
                                      {.computeV = true, .name = options.name});
  return {all.e, all.v};
}
Output selfAdjointEigvals(const Input &tensor, const OpOptions &options) {
  return rawOps::selfAdjointEigV2(tensor,
                                  {.computeV = false, .name = options.name})
      .e;
}

Output logdet(const Input &matrix, const OpOptions &options) {
  FunctionScope scope(options.name, "logdet", {&matrix});
  Output diagonal = matrixDiagPart(rawOps::cholesky(matrix));
  {
    NameScope real("Real");
  }
  return binary("mul", 2.0, reduceSum(rawOps::log(diagonal), {-1}));
}

Output matrixTriangularSolve(const Input &matrix, const Input &rhs,
                             const TriangularSolveOptions &options) {
  FunctionScope scope(options.name, "triangular_solve", {&matrix, &rhs});
  return rawOps::matrixTriangularSolve(
      matrix, rhs, {.lower = options.lower, .adjoint = options.adjoint});
}

Output choleskySolve(const Input &chol, const Input &rhs,
                     const OpOptions &options) {
  FunctionScope scope(options.name, "cholesky_solve", {&chol, &rhs});
  Output y = rawOps::matrixTriangularSolve(chol, rhs,
                                           {.lower = true, .adjoint = false});
  return rawOps::matrixTriangularSolve(chol, y,
                                       {.lower = true, .adjoint = true});
}

namespace {

/// The shape's last axes from i on, negative from the end.
Output lastExtents(const Output &tensor, int64_t from) {
  Output extents = shape(tensor);
  return extents.node ? extents[{sliceFrom(from)}] : Output();
}

bool isZero(const Input &number) {
  if (const double *given = std::get_if<double>(&number.value()))
    return *given == 0;
  return numberOf(number) == 0;
}

/// A factor of the product of the matrix with its transpose. **Source**:
/// linalg_ops._RegularizedGramianCholesky.
Output gramianFactor(const Output &matrix, const Input &regularizer,
                     bool isFirst) {
  Output gramian =
      matMul(matrix, matrix, {.adjointA = isFirst, .adjointB = !isFirst});
  if (!gramian.node)
    return {};
  if (!isZero(regularizer)) {
    Output extents = shape(matrix);
    if (!extents.node)
      return {};
    Output batch = extents[{sliceTo(-2)}];
    Output extent = extents[isFirst ? -1 : -2];
    Output identity =
        eye(extent, {.batchShape = batch, .dtype = matrix.dtype()});
    gramian = gramian + binary("mul", regularizer, identity);
  }
  return rawOps::cholesky(gramian);
}

Output overdetermined(const Output &matrix, const Input &rhs,
                      const Input &regularizer) {
  Output factor = gramianFactor(matrix, regularizer, true);
  return choleskySolve(factor, matMul(matrix, rhs, {.adjointA = true}));
}
Output underdetermined(const Output &matrix, const Input &rhs,
                       const Input &regularizer) {
  Output factor = gramianFactor(matrix, regularizer, false);
  return matMul(matrix, choleskySolve(factor, rhs), {.adjointA = true});
}

/// Whether it is solved by a factor of Cholesky. **Source**:
/// linalg_ops.matrix_solve_ls.
bool isComposite(const Output &matrix, bool fast) {
  const Shape &shape = matrix.shape();
  if (!fast || !shape.isFullyDefined() || shape.rank() < 2)
    return fast;
  auto count = shape.numElements();
  int64_t least = std::min(shape.dim(-1), shape.dim(-2)), batch = 1;
  for (int i = 0; i + 2 < shape.rank(); ++i)
    batch *= shape.dim(i);
  constexpr int64_t cacheBytes = 256'000;
  auto width = static_cast<int64_t>(dtypeSize(matrix.dtype()));
  return !(count.valueOr(0) > cacheBytes / width && batch > least);
}

} // namespace

Output matrixSolveLs(const Input &matrix, const Input &rhs,
                     const LeastSquaresOptions &options) {
  GraphScope graph(builderOf(matrix));
  Output a = convert(matrix, "matrix");
  if (!a.node)
    return {};
  const Input &l2 = options.l2Regularizer;
  if (!isComposite(a, options.fast))
    return rawOps::matrixSolveLs(a, rhs, l2,
                                 {.fast = options.fast, .name = options.name});
  Input given(a);
  FunctionScope scope(options.name, "matrix_solve_ls", {&given, &rhs});
  int64_t rows = a.shape().dim(-2), columns = a.shape().dim(-1);
  if (rows >= 0 && columns >= 0)
    return rows >= columns ? overdetermined(a, rhs, l2)
                           : underdetermined(a, rhs, l2);
  Output extents = lastExtents(a, -2);
  if (!extents.node)
    return {};
  Output height = extents[-2];
  Output isHigh = height >= extents[-1];
  return cond(
      isHigh, [&] { return BranchResult(overdetermined(a, rhs, l2)); },
      [&] { return BranchResult(underdetermined(a, rhs, l2)); });
}

} // namespace kiln::ops
