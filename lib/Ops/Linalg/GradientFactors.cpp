// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of decompositions of matrices, and of least squares.
#include "kiln/ops/ComplexOps.h"
#include "kiln/ops/LinearAlgebraOps.h"
#include "lib/Autodiff/GradientCall.h"
#include "lib/Ops/Linalg/Gradient.h"

namespace kiln {
namespace {

Output product(const Output &a, const Output &b, bool turnA = false,
               bool turnB = false) {
  return ops::matMul(a, b, {.adjointA = turnA, .adjointB = turnB});
}

/// Transposes the last two axes.
Output turned(const Output &matrix) {
  Output rank = ops::rank(matrix);
  Output outer = ops::range(0, rank - 2);
  Output order = ops::concat({outer, ops::stack({rank - 1, rank - 2})}, 0);
  if (matrix.shape().rank() == 2)
    return ops::transpose(matrix);
  return ops::permute(matrix, order);
}

Output lowerPart(const Output &matrix) {
  return addOp("MatrixBandPart", {matrix, int64_t{-1}, int64_t{0}});
}

/// The identities of a stack of square matrices like this one.
Output identityLike(const Output &square) {
  Output ones = ops::onesLike(addOp("MatrixDiagPart", {square}));
  return addOp("MatrixDiag", {ones});
}

/// **Source**: _CholeskyGrad.
void choleskyGradient(GradientCall &call) {
  Output l = call.out();
  Output size = ops::shape(l)[-1];
  Output batch = ops::shape(l)[{sliceTo(-2)}];
  Output inverse = ops::matrixTriangularSolve(
      l, ops::eye(size, {.batchShape = batch, .dtype = l.dtype()}));
  Output middle = product(l, call.grad(), true);
  middle = ops::matrixSetDiag(middle, 0.5 * ops::matrixDiagPart(middle));
  middle = lowerPart(middle);
  Output da = product(product(inverse, middle, true), inverse);
  call.set(0, (da + ops::adjoint(da)) * 0.5);
}

/// a (x) b of stacks of square matrices of one size.
Output kronecker(const Output &a, const Output &b, const Output &shape) {
  Output products = ops::expandDims(ops::expandDims(a, -1), -3) *
                    ops::expandDims(ops::expandDims(b, -2), -4);
  return addOp("Reshape", {products, shape});
}

/// Solves A = S S for the gradient of A, which is that of S by a system of
/// Sylvester: all of its elements as one vector. **Source**:
/// _MatrixSquareRootGrad.
void squareRootGradient(GradientCall &call) {
  Output root = call.out(), shape = ops::shape(root);
  Output order = shape[-1], outer = shape[{sliceTo(-2)}];
  Output count = order * order;
  Output identity = identityLike(root);
  Output square = ops::concat({outer, ops::stack({count, count})}, 0);
  Output system = kronecker(identity, turned(root), square) +
                  kronecker(root, identity, square);
  Output column =
      ops::concat({outer, ops::stack({count, ops::onesLike(count)})}, 0);
  Output given = addOp("Reshape", {turned(call.grad()), column});
  Output solved = addOp("MatrixSolve", {system, given});
  call.set(0, turned(addOp("Reshape", {solved, shape})));
}

/// x times the inverse of the transposed r, which is upper triangular.
Output timesInverse(const Output &x, const Output &r) {
  return turned(addOp("MatrixTriangularSolve", {r, turned(x)},
                      {{"lower", false}, {"adjoint", false}}));
}

/// The gradient of factors of a matrix with as many rows as columns or more.
/// **Source**: arxiv.org/abs/2009.10071.
Output tallQrGradient(const Output &q, const Output &r, const Output &dq,
                      const Output &dr) {
  Output qdq = product(q, dq, true), rdr = product(r, dr, false, true);
  Output lower = lowerPart((qdq - turned(qdq)) + (rdr - turned(rdr)));
  Output first = product(q, dr + timesInverse(lower, r));
  return first + timesInverse(dq - product(q, qdq), r);
}

void qrGradient(GradientCall &call) {
  Output q = call.out(0), r = call.out(1), a = call.in(0);
  const Shape &shape = r.shape();
  if (shape.rank() < 2 || shape.dim(-1) < 0 || shape.dim(-2) < 0)
    return call.fail(unimplementedError(
        "QrGrad not implemented with dynamic shapes. Received r.shape: " +
        shape.toTupleString()));
  int64_t rows = a.shape().dim(-2), columns = shape.dim(-1);
  if (call.attr<bool>("full_matrices") && rows > columns)
    return call.fail(unimplementedError("QrGrad not implemented when nrows > "
                                        "ncols and full_matrices is true."));
  Output dq = call.grad(0), dr = call.grad(1);
  if (shape.dim(-2) >= columns)
    return call.set(0, tallQrGradient(q, r, dq, dr));
  // [x, y] = q [u, v]: the square part, with what y adds to it.
  int64_t width = shape.dim(-2);
  auto part = [&](const Output &matrix, bool isLeft) {
    auto halves =
        ops::splitBySizes(matrix,
                          vectorOf({static_cast<int32_t>(width),
                                    static_cast<int32_t>(columns - width)}),
                          {.axis = -1});
    return halves.size() == 2 ? halves[isLeft ? 0 : 1] : Output();
  };
  Output dv = part(dr, false);
  Output dy = product(q, dv);
  Output withY = dq + product(part(a, false), dv, false, true);
  Output dx = tallQrGradient(q, part(r, true), withY, part(dr, true));
  call.set(0, ops::concat({dx, dy}, -1));
}

/// 1 / (b_j - a_i) off the diagonal, 0 on it.
Output inverseDifferences(const Output &values) {
  Output differences =
      ops::expandDims(values, -2) - ops::expandDims(values, -1);
  Output inverse =
      addOp("Reciprocal", {differences + identityLike(differences)});
  Output zeros = ops::zerosLike(values);
  return addOp("MatrixSetDiag", {inverse, zeros});
}

/// The input is taken as its lower triangle says, so the gradient lies there.
void eigenGradient(GradientCall &call) {
  Output e = call.out(0), de = call.grad(0);
  Output diagonal = addOp("MatrixDiag", {de});
  Output v = call.out(1), da;
  if (call.attr<bool>("compute_v", true)) {
    Output inner =
        diagonal + inverseDifferences(e) * product(v, call.grad(1), true);
    da = product(v, product(inner, v, false, true));
  } else {
    // Without its vectors they are found here.
    v = addOpOutputs("SelfAdjointEigV2", {call.in(0)}, 2)[1];
    da = product(v, product(diagonal, v, false, true));
  }
  Output both = lowerPart(da + turned(da));
  call.set(
      0, addOp("MatrixSetDiag", {both, 0.5 * addOp("MatrixDiagPart", {both})}));
}

/// Of matrices that have as many directions as rows, and no eigenvalue twice.
/// **Source**: C. Boeddeker et al., arxiv.org/abs/1701.00392, eq. 4.77.
void generalEigenGradient(GradientCall &call) {
  Output e = call.out(0), inner = addOp("MatrixDiag", {call.grad(0)});
  const bool hasVectors = call.attr<bool>("compute_v", true);
  Output v = hasVectors ? call.out(1)
                        : addOpOutputs("Eig", {call.in(0)}, 2,
                                       {{"Tout", e.dtype()}})[1];
  if (hasVectors) {
    Output moved = product(v, call.grad(1), true);
    Output part =
        addOp("MatrixDiagPart", {ops::cast(ops::real(moved), moved.dtype())});
    Output along = product(product(v, v, true), addOp("MatrixDiag", {part}));
    inner = inner + ops::conj(inverseDifferences(e)) * (moved - along);
  }
  Output da =
      addOp("MatrixSolve", {ops::adjoint(v), product(inner, v, false, true)});
  call.set(0, ops::cast(da, call.in(0).dtype()));
}

/// x = (A^T A + l I)^-1 A^T b, or A^T (A A^T + l I)^-1 b.
void leastSquaresGradient(GradientCall &call) {
  if (!call.attr<bool>("fast", true))
    return call.fail(
        invalidArgumentError("Gradient not defined for fast=False"));
  Output a = call.in(0), b = call.in(1), x = call.out(), dx = call.grad();
  const Shape &shape = a.shape();
  if (shape.rank() < 2 || shape.dim(-1) < 0 || shape.dim(-2) < 0)
    return call.fail(unimplementedError(
        "the gradient of MatrixSolveLs needs a matrix of known size"));
  bool isTall = shape.dim(-2) >= shape.dim(-1);
  Output gram = isTall ? product(a, a, true) : product(a, a, false, true);
  Output regularizer = ops::cast(call.in(2), a.dtype());
  gram = gram + regularizer * identityLike(gram);
  if (isTall) {
    Output z = addOp("MatrixSolve", {gram, dx});
    Output xz = product(x, z, false, true);
    call.set(0, product(b, z, false, true) - product(a, xz + turned(xz)));
    call.set(1, product(a, z));
    return;
  }
  Output db = addOp("MatrixSolve", {gram, product(a, dx)});
  Output inner = addOp("MatrixSolve", {gram, b});
  Output first = -product(db, product(inner, a, true));
  Output rest = dx - product(a, db, true);
  call.set(0, first + product(inner, rest, false, true));
  call.set(1, db);
}

} // namespace

void registerFactorGradients(GradientRegistry &registry) {
  registry.add({"Cholesky"}, choleskyGradient);
  registry.add({"Eig"}, generalEigenGradient);
  registry.add({"Qr"}, qrGradient);
  registry.add({"MatrixSquareRoot"}, squareRootGradient);
  registry.add({"SelfAdjointEigV2"}, eigenGradient);
  registry.add({"MatrixSolveLs"}, leastSquaresGradient);
  registry.add({"Svd"}, svdGradient);
}

} // namespace kiln
