// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of matrices and assertions add TensorFlow's nodes. Graphs and
// values are recorded by test/golden_kiln/make_composed_math_cases.py.
#include "kiln/BuildOps.h"
#include "test/unit/Build/CompositionFixture.h"

#include <limits>

namespace kiln {
namespace {

class MatrixCompositions : public CompositionFixture {
protected:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  void addIdentities(const Output &t, const Output &k) {
    using namespace ops;
    eye(3);
    eye(2, {.numColumns = 3});
    eye(k);
    eye(k, {.numColumns = 3, .name = "wide"});
    eye(2, {.batchShape = Input({2}), .dtype = float64});
    eye(2, {.numColumns = 4, .batchShape = Input({1, 2})});
    Output batch = shape(t)[{sliceTo(1)}];
    eye(2, {.numColumns = 3, .batchShape = batch});
    eye(k, {.batchShape = Input({3})});
  }

  void addDiagonals(const Output &x, const Output &t, const Output &b,
                    const Output &v) {
    using namespace ops;
    matrixDiag(v);
    matrixDiag(b, {.name = "bools"});
    matrixDiag(v, {.k = 1});
    matrixDiag(v, {.numRows = 4, .paddingValue = 7.0});
    matrixDiag({1, 2});
    matrixDiagPart(x);
    matrixDiagPart(t, {.name = "parts"});
    matrixDiagPart(x, {.k = {-1, 1}, .paddingValue = 9.0});
    matrixSetDiag(x, v);
    matrixSetDiag(x, v[{sliceTo(2)}], {.name = "above", .k = 1});
  }

  void addNorms(const Output &x, const Output &t, const Output &u) {
    using namespace ops;
    norm(x);
    norm(x, {.axis = {1}});
    norm(u);
    norm(x, {.ord = 1});
    norm(t, {.ord = infinity, .axis = {-1}, .keepDims = true});
    norm(t, {.ord = 3, .axis = {1}, .name = "cubes"});
    norm(t, {.ord = 1.5});
    norm(t, {.ord = "fro", .axis = {-2, -1}});
    norm(t, {.ord = 1, .axis = {1, 2}});
    norm(t, {.ord = infinity, .axis = {0, 1}});
    norm(t, {.ord = 2, .axis = {-2, -1}, .name = "spectral"});
    norm(x, {.ord = 2});
    norm(t, {.ord = 2, .axis = {0, 2}, .keepDims = true});
    normalize(x);
    normalize(x, {.ord = 1, .axis = {0}, .name = "columns"});
  }
};

TEST_F(MatrixCompositions, Matrices) {
  using namespace ops;
  Output x = input(float32, {3, 3}, "x");
  Output u = input(float32, Shape::unknownRank(), "u");
  Output t = input(float64, {2, 3, 2}, "t"), h = input(float32, {-1, 3}, "h");
  Output k = input(int32, {}, "k"), b = input(DType::Bool, {2}, "b");
  Output v = input(float32, {3}, "v");
  addIdentities(t, k);
  addDiagonals(x, t, b, v);
  matrixTranspose(t);
  matrixTranspose(u, {.name = "turned"});
  matrixTranspose({{1, 2}, {3, 4}});
  adjoint(x);
  trace(x);
  trace(t, {.name = "traces"});
  matVec(x, v);
  matVec(h, v, {.name = "product"});
  matVec(x, v, {.transposeA = true});
  addNorms(x, t, u);
  Output product = matMul(x, x, {.transposeB = true});
  Output spd = product + eye(3);
  svd(x);
  svd(t, {.computeUV = false, .name = "values"});
  svd(h, {.fullMatrices = true});
  selfAdjointEig(spd);
  selfAdjointEigvals(spd, {.name = "eigen"});
  Output chol = cholesky(spd);
  logdet(spd);
  matrixTriangularSolve(chol, x);
  matrixTriangularSolve(chol, x,
                        {.lower = false, .adjoint = true, .name = "upper"});
  choleskySolve(chol, x);
  matrixSolveLs(t, t);
  matrixSolveLs(h, h, {.l2Regularizer = 0.5, .name = "ridge"});
  Output turned = matrixTranspose(t);
  matrixSolveLs(turned, t[{sliceAll(), sliceTo(2)}], {.l2Regularizer = 0.1});
  matrixSolveLs(x, x, {.fast = false});
  expectGraph("composed_matrices");
}

TEST_F(MatrixCompositions, Einsums) {
  using namespace ops;
  Output a = input(float32, {2, 3}, "a"), b = input(float32, {3, 4}, "b");
  Output c = input(float32, {4, 2, 5}, "c"), d = input(float32, {-1, 3}, "d");
  Output e = input(float32, {4}, "e");
  Output u = input(float32, Shape::unknownRank(), "u");
  einsum("ij,jk->ik", {a, b});
  einsum("ij,jk", {a, b}, {.name = "implied"});
  einsum("ij->ji", {a});
  einsum("ij -> ", {a});
  einsum("ii->i", {matMul(a, a, {.transposeB = true})});
  einsum("...ij,...jk->...ik", {a, b});
  einsum("i,j->ij", {e, e});
  einsum("...j,kj", {u, a});
  einsum("ij,jk,kil->l", {a, b, c});
  einsum("ij,jk,kil->jl", {a, b, c}, {.name = "three"});
  einsum("ij,jk,k,mj->im", {a, b, e, d});
  einsum("i,i,i->i", {e, e, e});
  einsum("i,j,k->ijk", {e, e, e});
  einsum("ab,cb,de,e->ac", {a, d, b, e});
  einsum("ij,ij,kj->ik", {a, a, d});
  einsum("...ij,jk,k->...i", {u, b, e});
  einsum("bij,...b,ij->...", {c, e, matMul(a, ones({3, 5}))});
  expectGraph("composed_einsums");
}

TEST_F(MatrixCompositions, EinsumErrors) {
  using namespace ops;
  Output a = input(float32, {2, 3}, "a");
  for (auto [equation, words] :
       {std::pair("i-j", "Subscripts have incorrect format: i-j"),
        {"ij,jk->ik", "Got 1 inputs for equation \"ij,jk->ik\", expecting 2"},
        {"ij->ii", "Output subscripts contain a label appearing more than "
                   "once: ij->ii"},
        {"ij->k", "Output subscripts contain the label k not present in the "
                  "input subscripts."},
        {"...0->", "Invalid character \"0\" in equation: ...0->."}}) {
    einsum(equation, {a});
    EXPECT_EQ(error(), words);
  }
  einsum("ijk,ij,ij->i", {a, a, a});
  EXPECT_EQ(error(), "Number of named labels in input #0 of equation "
                     "ijk,ij,ij->i must be equal to the number of dimensions "
                     "in shape [2, 3]");
}

TEST_F(MatrixCompositions, Checks) {
  using namespace ops;
  Output x = input(float32, {-1, 2}, "x"), y = input(float32, {2}, "y");
  Output n = input(int32, {3}, "n");
  Output u = input(float32, Shape::unknownRank(), "u");
  Output r = input(int32, {}, "r"), t = input(DType::String, {-1}, "t");
  Output z = input(float64, {2}, "z");
  std::vector<ControlInput> all{
      assertEqual(n, n),
      assertEqual(n, {1, 2, 3}),
      assertEqual(x, y, {.message = "equal"}),
      assertEqual(
          t, "a",
          {.data = InputList{"t is", t}, .summarize = 5, .name = "texts"}),
      assertNoneEqual(x, 9.0),
      assertLess(n, 5),
      assertLessEqual(x, y, {.data = InputList{x}}),
      assertGreater(n, 0, {.message = "above"})};
  Output same = x + 0;
  all.insert(all.end(), {assertGreaterEqual(x, same, {.summarize = -1}),
                         assertPositive(n)});
  Output below = -n;
  all.push_back(assertNegative(below, {.name = "below"}));
  all.push_back(assertNonNegative(x, {.message = "sign"}));
  below = -x;
  all.push_back(assertNonPositive(below));
  all.push_back(assertNonNegative(n, {.data = InputList{"n", n}}));
  all.push_back(assertNear(z, {1.0, 2.0}));
  all.push_back(assertNear(
      x, y, {.rtol = 0.5, .atol = 1.0, .message = "near", .name = "about"}));
  all.push_back(assertNear(u, u, {.summarize = 2}));
  all.push_back(assertRank(x, 2));
  all.push_back(assertRank(u, 1));
  all.push_back(assertRank(x, r, {.message = "rank"}));
  all.push_back(
      assertRankAtLeast(u, 1, {.data = InputList{"u", u}, .name = "some"}));
  all.push_back(assertRankAtLeast(x, 1));
  all.push_back(assertRankIn(u, {1, 2}));
  all.push_back(assertRankIn(x, {2, 3}));
  all.push_back(assertRankIn(x, {r, 2}));
  all.push_back(assertInteger(n));
  all.push_back(assertType(x, float32));
  assertEqual(2, 2);
  assertRank({1}, 1);
  {
    ControlScope after(all);
    ops::constant(1);
  }
  assertScalar(3);
  assertScalar(r, {.name = "scalar"});
  isNonDecreasing(n);
  isStrictlyIncreasing(u, {.name = "up"});
  isNonDecreasing({1, 3, 2});
  expectGraph("composed_checks");
}

} // namespace
} // namespace kiln
