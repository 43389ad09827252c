// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products and factorizations of matrices.
#include "test/fuzz/graphs/Recipes.h"

#include <algorithm>

namespace kiln::fuzz {
namespace {

bool matMul(Call &call) {
  call.setIf("grad_a", false);
  call.setIf("grad_b", false);
  Extent m = call.maker.randomExtent(), k = call.maker.randomExtent(),
         n = call.maker.randomExtent();
  call.like(call.flag("transpose_a") ? Extents{k, m} : Extents{m, k});
  call.like(call.flag("transpose_b") ? Extents{n, k} : Extents{k, n});
  return call.done();
}

bool batchMatMul(Call &call) {
  if (call.has("Tout")) {
    call.set("Ta", call.type("Tout"));
    call.set("Tb", call.type("Tout"));
  }
  call.setIf("grad_x", false);
  call.setIf("grad_y", false);
  Extents batch = call.maker.randomDims(0, 2);
  for (Extent &dim : batch)
    if (std::max(dim.of[0], dim.of[1]) > 5)
      dim = 2;
  Extent m = call.maker.randomExtent(), k = call.maker.randomExtent(),
         n = call.maker.randomExtent();
  Extents x = batch, y = batch;
  if (call.def.name != "BatchMatMul")
    for (size_t i = 0; i < batch.size(); ++i)
      if (call.random.chance(20))
        (call.random.chance(50) ? x : y)[i] = 1;
  x.insert(x.end(), {call.flag("adj_x") ? k : m, call.flag("adj_x") ? m : k});
  y.insert(y.end(), {call.flag("adj_y") ? n : k, call.flag("adj_y") ? k : n});
  call.like(x);
  call.like(y);
  return call.done();
}

/// Letters in a random order: batch, kept on one side, summed over.
bool einsum(Call &call) {
  std::map<char, Extent> extents;
  std::string left, right, result;
  for (char letter = 'a'; letter < 'f'; ++letter) {
    Extent extent = call.maker.randomExtent();
    extents[letter] =
        std::max(extent.of[0], extent.of[1]) > 9 ? Extent(3) : extent;
    int kind = call.random.below(5);
    if (kind == 0 || kind == 2 || kind == 3)
      left += letter;
    if (kind == 1 || kind == 2 || kind == 3)
      right += letter;
    if (kind == 0 || kind == 1 || kind == 3)
      result += letter;
  }
  std::ranges::shuffle(left, call.random.engine);
  std::ranges::shuffle(right, call.random.engine);
  std::ranges::shuffle(result, call.random.engine);
  auto dimsOf = [&](const std::string &letters) {
    Extents dims;
    for (char letter : letters)
      dims.push_back(extents[letter]);
    return dims;
  };
  bool isSingle = call.random.chance(20);
  if (isSingle)
    std::erase_if(result, [&](char c) { return left.find(c) == left.npos; });
  call.set("N", isSingle ? 1 : 2);
  call.set("equation", left + (isSingle ? "" : "," + right) + "->" + result);
  call.like(dimsOf(left));
  if (!isSingle)
    call.like(dimsOf(right));
  return call.done();
}

/// A batch of matrices that can be inverted: the diagonal is large.
Value solvable(Call &call, const Extents &batch, const Extent &n) {
  Extents dims = batch;
  dims.insert(dims.end(), {n, n});
  return call.fresh(
      dims, {[n](Tensor &tensor, size_t set, Random &random) {
               between(-1, 1).write(tensor, set, random);
               int64_t extent = n.of[set];
               auto addTo = [&]<class T>(std::span<T> data) {
                 for (size_t i = 0; i < data.size(); ++i)
                   if (int64_t(i) / extent % extent == int64_t(i) % extent)
                     data[i] = T(static_cast<float>(data[i]) + float(extent));
               };
               addTo(tensor.mutableData<float>());
               addTo(tensor.mutableData<double>());
               addTo(tensor.mutableData<Half>());
               addTo(tensor.mutableData<BFloat16>());
             },
             n.isFixed()});
}

Extents smallBatch(Call &call) {
  return call.random.chance(50) ? Extents()
                                : Extents{call.random.between(0, 3)};
}

bool square(Call &call) {
  // Of real numbers the eigenvalues are complex as well.
  if (call.has("Tout"))
    call.set("Tout", call.type("T") == DType::Float64 ||
                             call.type("T") == DType::Complex128
                         ? DType::Complex128
                         : DType::Complex64);
  solvable(call, smallBatch(call), call.random.between(1, 5));
  return call.done();
}

/// x * x^T of a solvable matrix, in lower triangular form for CholeskyGrad.
bool symmetric(Call &call) {
  Extent n = call.random.between(1, 5);
  Extents dims = smallBatch(call);
  dims.insert(dims.end(), {n, n});
  int64_t extent = n.of[0];
  bool isTriangular = call.def.name.ends_with("CholeskyGrad");
  Fill fill = {[=](Tensor &tensor, size_t, Random &) {
    auto set = [&]<class T>(std::span<T> data) {
      for (size_t i = 0; i < data.size(); ++i) {
        auto row = int64_t(i) / extent % extent, column = int64_t(i) % extent;
        double value =
            row == column ? double(2 * extent) : 1.0 / double(1 + row + column);
        data[i] =
            T(static_cast<float>(isTriangular && column > row ? 0 : value));
      }
    };
    set(tensor.mutableData<float>());
    set(tensor.mutableData<double>());
    set(tensor.mutableData<Half>());
  }};
  call.fresh(dims, fill);
  if (isTriangular)
    call.like(dims);
  return call.done();
}

bool rectangular(Call &call) {
  Extents dims = smallBatch(call);
  dims.insert(dims.end(),
              {call.random.between(1, 5), call.random.between(1, 5)});
  call.fresh(dims, between(-2, 2));
  return call.done();
}

bool solve(Call &call) {
  Extents batch = smallBatch(call), right = batch;
  Extent n = call.random.between(1, 5);
  solvable(call, batch, n);
  right.insert(right.end(), {n, call.random.between(1, 4)});
  call.fresh(right, between(-2, 2));
  return call.done();
}

/// Diagonals as rows; the first, or the last, is what is divided by.
bool banded(Call &call) {
  Extents batch = smallBatch(call), left = batch, right = batch;
  int64_t n = call.random.between(1, 5);
  left.insert(left.end(), {call.random.between(1, n), n});
  right.insert(right.end(), {n, call.random.between(1, 4)});
  call.fresh(left, between(1, 2));
  call.fresh(right, between(-2, 2));
  return call.done();
}

bool sparseProduct(Call &call) {
  Extent number = call.random.between(0, 6), n = call.random.between(1, 5),
         k = n; // square, so that each index fits whatever is transposed
  call.indices({number, 2}, n);
  call.like({number});
  call.integers({n, k});
  Extent columns = call.maker.randomExtent();
  call.like(call.flag("adjoint_b") ? Extents{columns, k} : Extents{k, columns});
  return call.done();
}

bool leastSquares(Call &call) {
  Extents batch = smallBatch(call), left = batch, right = batch;
  int64_t columns = call.random.between(1, 3),
          rows = columns + call.random.below(3);
  left.insert(left.end(), {rows, columns});
  right.insert(right.end(), {rows, call.random.between(1, 3)});
  call.set("fast", true);
  call.fresh(left, between(-2, 2));
  call.fresh(right, between(-2, 2));
  call.fresh({}, between(0.5, 1));
  return call.done();
}

/// Complex numbers are no business of `between`.
bool tridiagonal(Call &call) {
  if (!isFloating(call.type("T")))
    call.set("T", call.random.among({DType::Float32, DType::Float64}));
  Extents batch = smallBatch(call), right = batch, row = batch;
  Extent n = call.random.between(1, 6);
  if (call.random.chance(30))
    n.of[1] = call.random.between(1, 6);
  if (call.def.name == "TridiagonalSolve") {
    row.insert(row.end(), {3, n});
    call.set("perturb_singular", false);
    call.fresh(row, between(1, 2));
  } else {
    row.insert(row.end(), {1, n});
    for (int i = 0; i < 3; ++i)
      call.fresh(row, between(-2, 2));
  }
  right.insert(right.end(), {n, call.random.between(1, 4)});
  call.fresh(right, between(-2, 2));
  return call.done();
}

constexpr Recipe recipes[] = {
    {"MatMul SparseMatMul", matMul},
    {"BatchMatMul BatchMatMulV2 BatchMatMulV3", batchMatMul},
    {"Einsum", einsum},
    {"MatrixInverse MatrixDeterminant LogMatrixDeterminant Lu "
     "BatchMatrixInverse BatchMatrixDeterminant MatrixExponential "
     "MatrixSquareRoot Eig",
     square},
    {"Cholesky CholeskyGrad SelfAdjointEigV2 BatchCholesky BatchCholeskyGrad "
     "BatchSelfAdjointEigV2 SelfAdjointEig BatchSelfAdjointEig",
     symmetric},
    {"Qr Svd BatchSvd", rectangular},
    {"MatrixSolve MatrixTriangularSolve BatchMatrixSolve "
     "BatchMatrixTriangularSolve",
     solve},
    {"MatrixSolveLs BatchMatrixSolveLs", leastSquares},
    {"BandedTriangularSolve", banded},
    {"SparseTensorDenseMatMul", sparseProduct},
    {"TridiagonalMatMul TridiagonalSolve", tridiagonal},
};

} // namespace

std::span<const Recipe> linalgRecipes() { return recipes; }

} // namespace kiln::fuzz
