// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of sparse tensors, sets, texts and examples add TensorFlow's nodes.
// Graphs and values are recorded by
// test/golden_kiln/make_composed_sparse_cases.py.
#include "kiln/BuildOps.h"
#include "test/unit/Build/CompositionFixture.h"

namespace kiln {
namespace {

class SparseCompositions : public CompositionFixture {
protected:
  static SparseTensor sparse(DType dtype, std::optional<Input> shape,
                             std::string name) {
    return ops::sparsePlaceholder(
        dtype, {.shape = std::move(shape), .name = std::move(name)});
  }

  void addDense(const SparseTensor &a, const SparseTensor &c,
                const SparseTensor &s, const Output &k, const Output &n) {
    using namespace ops;
    sparseTensorToDense(a);
    sparseTensorToDense(s, {.defaultValue = -1.0, .name = "full"});
    sparseToDense(Input({{0, 1}}), {2, 2}, {5});
    sparseToDense(k, {9}, 1.0, {.validateIndices = false, .name = "ones"});
    sparseToIndicator(c, 6);
    SparseTensor ids = makeSparseTensor({{0, 0}, {1, 1}}, {2, 0}, {2, 2});
    sparseToIndicator(ids, n, {.name = "indicator"});
  }

  void addMoved(const SparseTensor &a, const SparseTensor &b,
                const SparseTensor &s, const Output &k) {
    using namespace ops;
    sparseReorder(a);
    sparseReorder(s, {.name = "order"});
    EXPECT_EQ(shapeOf(sparseReshape(s, {2, 6})), (Shape{2, 6}));
    EXPECT_EQ(shapeOf(sparseReshape(s, {-1, 2}, {.name = "pairs"})),
              (Shape{6, 2}));
    sparseReshape(a, k);
    EXPECT_EQ(shapeOf(sparseTranspose(s)), (Shape{4, 3}));
    sparseTranspose(a, {.perm = Input({1, 0}), .name = "turned"});
    sparseTranspose(b);
    sparseExpandDims(s);
    sparseExpandDims(a, {.axis = 0, .name = "more"});
    sparseConcat(1, {s, s});
    sparseConcat(0, {s, a}, {.name = "joined"});
    sparseConcat(-1, {a, b}, {.expandNonconcatDim = true});
    EXPECT_EQ(sparseConcat(0, {a}).values, a.values);
    EXPECT_EQ(sparseSplit(a, 2, 1).size(), 2u);
    sparseSlice(s, {0, 0}, {2, 2});
    sparseSlice(a, k, {1, 3}, {.name = "cut"});
    sparseRetain(s, {true, false});
    sparseRetain(a, a.values > 0);
    sparseResetShape(s);
    sparseResetShape(s, Input({4, 5}));
    sparseResetShape(b, Input({9, 9}));
    sparseFillEmptyRows(s, 9.0);
    sparseFillEmptyRows(a, 7, {.name = "filled"});
  }

  void addSets(const SparseTensor &i, const SparseTensor &v, const Output &u) {
    using namespace ops;
    setSize(i);
    setIntersection(u, Input({{1, 2}, {3, 4}}));
    setUnion(u, i);
    setDifference(i, u);
    setDifference(u, u, false, false);
    setIntersection(v, v);
    sparseCross({v, asString(u)});
    sparseCross({i, v}, {.name = "crossed", .separator = "+"});
    sparseCrossHashed({v, u}, {.numBuckets = 100});
    sparseCrossHashed({v, v}, {.hashKey = 7, .name = "hashed"});
    editDistance(v, v);
    editDistance(i, i, {.normalize = false, .name = "distance"});
  }

  void addSequences(const Output &u) {
    using namespace ops;
    Output logits = input(float32, {4, 2, 3}, "logits");
    Output lengths = input(int32, {2}, "lengths");
    SparseTensor labels = sparse(int32, {}, "labels");
    ctcLoss(labels, logits, lengths);
    ctcLoss(labels, transpose(logits, {1, 0, 2}), lengths,
            {.preprocessCollapseRepeated = true, .timeMajor = false});
    ctcGreedyDecoder(logits, lengths);
    ctcBeamSearchDecoder(logits, lengths, 5, 2, false);
    collapseRepeated(u, lengths);
    collapseRepeated({{1, 1, 2}, {3, 3, 3}}, {3, 2}, {.name = "collapsed"});
  }
};

TEST_F(SparseCompositions, Tensors) {
  using namespace ops;
  SparseTensor a = sparse(float32, Input({3, 4}), "a");
  SparseTensor b = sparse(float32, {}, "b");
  SparseTensor c = sparse(int64, Shape{-1, 4}, "");
  EXPECT_EQ(shapeOf(a), (Shape{3, 4}));
  EXPECT_EQ(shapeOf(b), Shape::unknownRank());
  EXPECT_EQ(shapeOf(c), (Shape{-1, 4}));
  SparseTensor s = makeSparseTensor({{0, 1}, {2, 0}}, {1.5, 2.5}, {3, 4});
  Output k = input(int64, {2}, "k"), t = input(float32, {2, 3}, "t");
  Output n = input(int32, {}, "n");
  SparseTensor d = sparse(float32, k, "d");
  sparseFromDense(t);
  sparseFromDense({{0, 1}, {2, 0}}, {.name = "dense"});
  sparseEye(3);
  sparseEye(n, {.numColumns = 4, .dtype = int32, .name = "wide"});
  addDense(a, c, s, k, n);
  addMoved(a, b, s, k);
  Output numbers = cast(c.values, float32);
  sparseMerge({c}, makeSparseTensor(c.indices, numbers, c.denseShape), {9});
  sparseMerge({c, c}, c, {5, n}, {.name = "merged", .alreadySorted = true});
  IndexedSlices rows{t, ops::constant({4, 2}), ops::constant({6, 3})};
  sparseMask(rows, {2});
  sparseMask(rows, {4, 5}, {.name = "mask"});
  expectGraph("composed_sparse");
}

TEST_F(SparseCompositions, Errors) {
  using namespace ops;
  makeSparseTensor({0, 1}, {1}, {2});
  EXPECT_EQ(error(), "Shape (2,) must have rank 2");
  makeSparseTensor({{0, 1}}, {1, 2}, {2, 2});
  EXPECT_EQ(error(), "Dimensions 1 and 2 are not compatible");
  SparseTensor s = makeSparseTensor({{0, 1}}, {1.0}, {2, 3});
  sparseReshape(s, {4, 2});
  EXPECT_EQ(error(), "Cannot reshape a tensor with 6 elements to shape [4, 2] "
                     "(8 elements).");
  sparseReshape(s, {-1, -1});
  EXPECT_EQ(error(),
            "At most one dimension can be inferred (-1). Found: [-1 -1]");
  sparseMerge({s}, s, {});
  EXPECT_EQ(error(), "sp_ids and vocab_size have to have equal lengths.");
  setUnion(Input({{1}}), Input({{"a"}}));
  EXPECT_EQ(error(),
            "Types don't match, <dtype: 'int32'> vs <dtype: 'string'>.");
}

TEST_F(SparseCompositions, Arithmetic) {
  using namespace ops;
  SparseTensor a = sparse(float32, Input({2, 3}), "a");
  SparseTensor b = sparse(float32, {}, "b");
  SparseTensor i = sparse(int32, Input({2, 3}), "i");
  Output t = input(float32, {2, 3}, "t");
  SparseTensor s = makeSparseTensor({{0, 1}, {1, 2}}, {2.0, 4.0}, {2, 3});
  sparseAdd(a, s);
  sparseAdd(a, b, 0.5);
  sparseAddDense(a, t);
  sparseAddDense(s, t);
  multiplyByDense(a, t);
  multiplyByDense(s, Input({{2.0}}));
  divideByDense(a, t);
  divideByDense(i, cast(t, int32));
  sparseTensorDenseMatMul(a, transpose(t));
  sparseTensorDenseMatMul(a, t, {.adjointA = true, .name = "product"});
  sparseTensorDenseMatMul(s, t, {.adjointB = true});
  sparseTensorDenseMatMul(transpose(t), a);
  sparseSoftmax(a);
  sparseSoftmax(s, {.name = "soft"});
  sparseMaximum(a, s);
  sparseMinimum(a, b, {.name = "least"});
  sparseReduceSum(a);
  sparseReduceSum(b);
  sparseReduceSum(a, {.axis = 1, .keepDims = true});
  sparseReduceMax(a, {.axis = Input(Input::List{0})});
  sparseReduceSumSparse(a, {.axis = 0});
  sparseReduceMaxSparse(b, {.axis = 1});
  Output u = input(int32, {2, 3}, "u");
  SparseTensor v = sparse(DType::String, {}, "v");
  addSets(i, v, u);
  serializeSparse(a);
  Output many = serializeManySparse(s, {.name = "many"});
  deserializeManySparse(many, float32);
  deserializeManySparse(many, float32, {.rank = 2, .name = "again"});
  addSequences(u);
  expectGraph("composed_sparse_arithmetic");
}

} // namespace
} // namespace kiln
