// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of matrices that are given by their diagonals.
#include "lib/Autodiff/GradientCall.h"
#include "lib/Ops/Linalg/Gradient.h"

namespace kiln {
namespace {

/// Paddings of nothing but `before` and `after` on one of the last two axes.
Output paddings(const Output &tensor, bool isLast, int before, int after) {
  Output rank = ops::rank(tensor);
  Output outer =
      ops::zeros(ops::stack({rank - 2, Input(2)}), {.dtype = DType::Int32});
  Input inner =
      isLast ? Input(Tensor::fromValues<int32_t>({2, 2}, {0, 0, before, after})
                         .valueOr(Tensor()))
             : Input(Tensor::fromValues<int32_t>({2, 2}, {before, after, 0, 0})
                         .valueOr(Tensor()));
  return ops::concat({Input(outer), inner}, 0);
}

/// The next row in each row's place, zeros in the last one's.
Output nextRows(const Output &x) {
  return ops::pad(x[{ellipsis(), sliceFrom(1), sliceAll()}],
                  paddings(x, false, 0, 1));
}

Output previousRows(const Output &x) {
  return ops::pad(x[{ellipsis(), sliceTo(-1), sliceAll()}],
                  paddings(x, false, 1, 0));
}

Output adjoint(const Output &matrix) {
  Output rank = ops::rank(matrix);
  return conjugated(ops::permute(
      matrix,
      ops::concat({ops::range(0, rank - 2), ops::stack({rank - 1, rank - 2})},
                  0)));
}

/// **Source**: _TridiagonalMatMulGrad.
void tridiagonalProductGradient(GradientCall &call) {
  Output rhs = conjugated(call.in(3)), dy = call.grad();
  auto overColumns = [&](const Output &rows) {
    return ops::expandDims(ops::reduceSum(rows * dy, -1), -2);
  };
  call.set(0, overColumns(nextRows(rhs)));
  call.set(1, overColumns(rhs));
  call.set(2, overColumns(previousRows(rhs)));
  call.set(3, previousRows(adjoint(call.in(0)) * dy) +
                  adjoint(call.in(1)) * dy +
                  nextRows(adjoint(call.in(2)) * dy));
}

/// The diagonals of the transposed matrix. **Source**:
/// _TransposeTridiagonalMatrix.
Output transposedDiagonals(const Output &diagonals) {
  Output upper = diagonals[{ellipsis(), 0, sliceTo(-1)}];
  Output lower = diagonals[{ellipsis(), 2, sliceFrom(1)}];
  Output main = diagonals[{ellipsis(), 1, sliceAll()}];
  auto moved = [&](const Output &part, int before, int after) {
    // One axis less than the diagonals have.
    Output rows = paddings(diagonals, true, before, after);
    return ops::pad(part, rows[{sliceFrom(1)}]);
  };
  return ops::stack({moved(lower, 0, 1), main, moved(upper, 1, 0)},
                    {.axis = -2});
}

/// **Source**: _TridiagonalSolveGrad.
void tridiagonalSolveGradient(GradientCall &call) {
  Output x = call.out();
  Output db =
      addOp("TridiagonalSolve", {transposedDiagonals(call.in(0)), call.grad()},
            call.attrs({"partial_pivoting", "perturb_singular"}));
  auto overColumns = [&](const Output &rows) {
    return ops::reduceSum(db * rows, -1);
  };
  Output da = ops::stack(
      {overColumns(nextRows(x)), overColumns(x), overColumns(previousRows(x))},
      {.axis = -2});
  call.set(0, -da);
  call.set(1, db);
}

/// **Source**: _BandedTriangularSolveGrad.
void bandedSolveGradient(GradientCall &call) {
  Output a = call.in(0), b = call.in(1), x = call.out();
  bool isAdjoint = call.attr<bool>("adjoint");
  bool isLower = call.attr<bool>("lower", true);
  Output db = addOp("BandedTriangularSolve", {a, call.grad()},
                    {{"lower", isLower}, {"adjoint", !isAdjoint}});
  Output whole = isAdjoint ? -ops::matMul(x, db, {.adjointB = true})
                           : -ops::matMul(db, x, {.adjointB = true});
  Output others = ops::shape(a)[{-2}] - 1;
  Output range = isLower ? ops::stack({Input(-others), Input(0)})
                         : ops::stack({Input(0), Input(others)});
  Output da = addOp("MatrixDiagPartV3",
                    {whole, range, ops::zeros(Shape(), {.dtype = a.dtype()})},
                    {{"align", "LEFT_RIGHT"}});
  Output shapeA = ops::shape(a), shapeB = ops::shape(b);
  auto batch = [](const Output &shape) { return shape[{sliceTo(-2)}]; };
  auto axes =
      addOpOutputs("BroadcastGradientArgs", {batch(shapeA), batch(shapeB)}, 2);
  call.set(0, addOp("Reshape", {ops::reduceSum(da, axes[0]), shapeA}));
  call.set(1, addOp("Reshape", {ops::reduceSum(db, axes[1]), shapeB}));
}

} // namespace

void registerBandGradients(GradientRegistry &registry) {
  registry.add({"TridiagonalMatMul"}, tridiagonalProductGradient);
  registry.add({"TridiagonalSolve"}, tridiagonalSolveGradient);
  registry.add({"BandedTriangularSolve"}, bandedSolveGradient);
}

} // namespace kiln
