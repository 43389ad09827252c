// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradient of the singular value decomposition.
#include "lib/Autodiff/GradientCall.h"
#include "lib/Ops/Linalg/Gradient.h"
#include "lib/Support/Strings.h"

#include <cstdlib>

namespace kiln {
namespace {

Output product(const Output &a, const Output &b, bool turnA = false,
               bool turnB = false) {
  return ops::matMul(a, b, {.adjointA = turnA, .adjointB = turnB});
}

Output turned(const Output &matrix) {
  int rank = matrix.shape().rank();
  std::vector<int32_t> order;
  for (int i = 0; i + 2 < rank; ++i)
    order.push_back(i);
  order.push_back(rank - 1);
  order.push_back(rank - 2);
  return ops::permute(matrix, vectorOf(order));
}

/// 1 / x, and 0 for 0. **Source**: _SafeReciprocal.
Output safeReciprocal(const Output &x) {
  return x * addOp("Reciprocal", {x * x + 1e-20});
}

Output columns(const Output &matrix, int64_t from, int64_t to) {
  return matrix[{ellipsis(), sliceAll(), slice(from, to)}];
}

} // namespace

/// a = u diag(s) v^T, with derivatives as in Townsend's "Differentiating the
/// singular value decomposition". **Source**: _SvdGrad.
void svdGradient(GradientCall &call) {
  Output a = call.in(0), diagonal = addOp("MatrixDiag", {call.grad(0)});
  if (!call.attr<bool>("compute_uv", true)) {
    auto found = addOpOutputs("Svd", {a}, 3);
    call.set(0, product(found[1], product(diagonal, found[2], false, true)));
    return;
  }
  bool isFull = call.attr<bool>("full_matrices");
  int64_t m = a.shape().hasRank() ? a.shape().dim(-2) : -1;
  int64_t n = a.shape().hasRank() ? a.shape().dim(-1) : -1;
  if (m < 0 || n < 0)
    return call.fail(unimplementedError(
        "SVD gradient has not been implemented for input with unknown inner "
        "matrix shape."));
  Output s = call.out(0), u = call.out(1), v = call.out(2);
  Output du = call.grad(1), dv = call.grad(2);
  bool isTurned = m > n;
  if (isTurned) {
    std::swap(m, n);
    std::swap(u, v);
    std::swap(du, dv);
  }
  if (isFull && n - m > 1)
    return call.fail(unimplementedError(
        strCat("svd gradient is not implemented for abs(m - n) > 1 when "
               "full_matrices is True. Received: m=",
               m, " and n=", n, " from op input=", a.name(),
               " with shape=", a.shape().toTupleString(), ".")));
  Output values = addOp("MatrixDiag", {s}), squares = addOp("Square", {s});
  Output inverse = safeReciprocal(ops::expandDims(squares, -2) -
                                  ops::expandDims(squares, -1));
  Output f = addOp("MatrixSetDiag", {inverse, ops::zerosLike(s)});
  Output v1 = columns(v, 0, m), dv1 = columns(dv, 0, m);
  Output ofU = f * product(u, du, true), ofV = f * product(v1, dv1, true);
  Output inner = diagonal + product(ofU + turned(ofU), values) +
                 product(values, ofV + turned(ofV));
  Output da = product(u, product(inner, v1, false, true));
  if (m != n) {
    Output dv1t = turned(dv1);
    Output rest = dv1t - product(product(dv1t, v1), v1, false, true);
    if (isFull)
      rest = rest - product(product(v1, columns(dv, m, n), true),
                            columns(v, m, n), false, true);
    Output inverseS = addOp("MatrixDiag", {safeReciprocal(s)});
    da = da + product(product(u, inverseS), rest);
  }
  call.set(0, isTurned ? turned(da) : da);
}

} // namespace kiln
