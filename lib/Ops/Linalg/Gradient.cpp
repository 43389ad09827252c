// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of products and systems of matrices.
#include "lib/Ops/Linalg/Gradient.h"

#include "kiln/ops/LinearAlgebraOps.h"
#include "lib/Autodiff/Backward.h"
#include "lib/Autodiff/GradientCall.h"

#include <algorithm>

namespace kiln {
namespace {

/// The factors of the gradient of each side of a product op(a) op(b): which
/// tensors, and whether each is transposed.
struct Product {
  Output x, y;
  bool turnX, turnY;
};

std::pair<Product, Product> productGradients(const Output &a, const Output &b,
                                             const Output &dz, bool turnA,
                                             bool turnB) {
  Product da =
      turnA ? Product{b, dz, turnB, true} : Product{dz, b, false, !turnB};
  Product db =
      turnB ? Product{dz, a, true, turnA} : Product{a, dz, !turnA, false};
  return {da, db};
}

void matMulGradient(GradientCall &call) {
  auto [da, db] = productGradients(
      conjugated(call.in(0)), conjugated(call.in(1)), call.grad(),
      call.attr<bool>("transpose_a"), call.attr<bool>("transpose_b"));
  auto add = [](const Product &product, const char *side) {
    AttrMap attrs = {{"transpose_a", product.turnX},
                     {"transpose_b", product.turnY}};
    if (!isFlatGradient())
      attrs.set(side, true);
    return addOp("MatMul", {product.x, product.y}, std::move(attrs));
  };
  call.set(0, add(da, "grad_a"));
  call.set(1, add(db, "grad_b"));
}

void sparseMatMulGradient(GradientCall &call) {
  Output a = call.in(0), b = call.in(1), dz = call.grad();
  auto [da, db] = productGradients(a, b, dz, call.attr<bool>("transpose_a"),
                                   call.attr<bool>("transpose_b"));
  auto isSparse = [&](const Output &factor) {
    return factor.node == a.node && factor.index == a.index
               ? call.attr<bool>("a_is_sparse")
           : factor.node == b.node && factor.index == b.index
               ? call.attr<bool>("b_is_sparse")
               : factor.node->op() == "ReluGrad";
  };
  auto add = [&](const Product &product, DType dtype) {
    Output result = addOp("SparseMatMul", {product.x, product.y},
                          {{"transpose_a", product.turnX},
                           {"transpose_b", product.turnY},
                           {"a_is_sparse", isSparse(product.x)},
                           {"b_is_sparse", isSparse(product.y)}});
    return result.dtype() == dtype ? result : ops::cast(result, dtype);
  };
  call.set(0, add(da, a.dtype()));
  call.set(1, add(db, b.dtype()));
}

/// Leading extents of a stack of matrices.
Output batchShape(const Output &shape) {
  return ops::stridedSlice(shape, {0}, {-2}, {1}, {.beginMask = 1});
}

void batchMatMulGradient(GradientCall &call) {
  Output x = call.in(0), y = call.in(1);
  auto [da, db] = productGradients(x, y, call.grad(), call.attr<bool>("adj_x"),
                                   call.attr<bool>("adj_y"));
  auto add = [](const Product &product, const char *side) {
    return addOp(
        "BatchMatMulV2", {product.x, product.y},
        {{"adj_x", product.turnX}, {"adj_y", product.turnY}, {side, true}},
        "MatMul");
  };
  Output dx = add(da, "grad_x"), dy = add(db, "grad_y");
  auto sameBatches = [&] {
    const Shape &a = x.shape(), &b = y.shape();
    if (a.rank() != b.rank() || !a.hasRank())
      return false;
    for (int i = 0; i + 2 < a.rank(); ++i)
      if (a.dim(i) != b.dim(i) || a.dim(i) < 0)
        return false;
    return true;
  };
  if (call.node.op() != "BatchMatMul" && !sameBatches()) {
    Output shapeX = ops::shape(x), shapeY = ops::shape(y);
    auto axes = addOpOutputs("BroadcastGradientArgs",
                             {batchShape(shapeX), batchShape(shapeY)}, 2);
    dx = addOp("Reshape", {ops::reduceSum(dx, axes[0]), shapeX});
    dy = addOp("Reshape", {ops::reduceSum(dy, axes[1]), shapeY});
  }
  call.set(0, dx);
  call.set(1, dy);
}

/// Whether two stacks of matrices are known to have the same leading extents.
bool haveOneBatch(const Shape &a, const Shape &b) {
  return a.isFullyDefined() && b.isFullyDefined() && a.rank() == b.rank() &&
         a.rank() >= 2 &&
         std::ranges::equal(a.dims().subspan(0, a.dims().size() - 2),
                            b.dims().subspan(0, b.dims().size() - 2));
}

/// With respect to the right side by the adjoint system, to the matrix by the
/// outer product of that and the solution.
void solveGradient(GradientCall &call) {
  Output a = call.in(0), c = call.out();
  bool isAdjoint = call.attr<bool>("adjoint");
  bool isTriangular = call.node.op() == "MatrixTriangularSolve";
  Output db =
      isTriangular
          ? ops::matrixTriangularSolve(a, call.grad(),
                                       {.lower = call.attr<bool>("lower", true),
                                        .adjoint = !isAdjoint})
          : addOp(call.node.op(), {a, call.grad()}, {{"adjoint", !isAdjoint}});
  Output da = isAdjoint ? -ops::matMul(c, db, {.adjointB = true})
                        : -ops::matMul(db, c, {.adjointB = true});
  if (isTriangular) {
    bool isLower = call.attr<bool>("lower", true);
    da = addOp("MatrixBandPart",
               {da, int64_t{isLower ? -1 : 0}, int64_t{isLower ? 0 : -1}});
    if (!haveOneBatch(a.shape(), call.in(1).shape())) {
      Output shapeA = ops::shape(a), shapeB = ops::shape(call.in(1));
      auto axes = addOpOutputs("BroadcastGradientArgs",
                               {batchShape(shapeA), batchShape(shapeB)}, 2);
      da = addOp("Reshape", {ops::reduceSum(da, axes[0]), shapeA});
      db = addOp("Reshape", {ops::reduceSum(db, axes[1]), shapeB});
    }
  }
  call.set(0, da);
  call.set(1, db);
}

/// The number for each matrix, as a factor of its elements.
Output overMatrices(const Output &numbers) {
  Output shape = ops::concat({ops::shape(numbers), vectorOf({1, 1})}, 0);
  return addOp("Reshape", {numbers, shape});
}

} // namespace

void registerLinalgGradients(GradientRegistry &registry) {
  registry.add({"MatMul"}, matMulGradient);
  registry.add({"SparseMatMul"}, sparseMatMulGradient);
  registry.add({"BatchMatMul", "BatchMatMulV2", "BatchMatMulV3"},
               batchMatMulGradient);
  registry.add({"Cross"}, [](GradientCall &call) {
    Output u = call.in(0), v = call.in(1), dy = call.grad();
    call.set(0, addOp("Cross", {v, dy}));
    call.set(1, addOp("Cross", {dy, u}));
  });
  registry.add({"Einsum"}, einsumGradient);
  registry.add({"MatrixInverse"}, [](GradientCall &call) {
    Output inverse = call.out();
    bool isAdjoint = call.attr<bool>("adjoint");
    Output inner = ops::matMul(call.grad(), inverse,
                               {.adjointA = isAdjoint, .adjointB = !isAdjoint});
    call.set(0, -ops::matMul(inverse, inner, {.adjointA = !isAdjoint}));
  });
  registry.add({"MatrixDeterminant"}, [](GradientCall &call) {
    Output inverse = addOp("MatrixInverse", {call.in(0)}, {{"adjoint", true}});
    call.set(0, overMatrices(call.grad() * call.out()) * inverse);
  });
  registry.add({"LogMatrixDeterminant"}, [](GradientCall &call) {
    Output inverse = addOp("MatrixInverse", {call.in(0)}, {{"adjoint", true}});
    call.set(0, overMatrices(call.grad(1)) * inverse);
  });
  registry.add({"MatrixSolve", "MatrixTriangularSolve"}, solveGradient);
  registerBandGradients(registry);
  registerFactorGradients(registry);
}

} // namespace kiln
