// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cases of ops that move, pick and sum elements by index.
#include "test/unit/Autodiff/GradientCases.h"

namespace kiln::testing {
namespace {

Input ints(std::vector<int32_t> values) { return Input(values); }
Input pairs(std::vector<std::vector<int32_t>> rows) {
  std::vector<Input> list;
  for (const auto &row : rows)
    list.push_back(Input(row));
  return Input(list);
}
Input longs(std::vector<int64_t> values) { return Input(values); }
Input longPairs(std::vector<std::vector<int64_t>> rows) {
  std::vector<Input> list;
  for (const auto &row : rows)
    list.push_back(Input(row));
  return Input(list);
}
Varied varied(Shape shape) { return {shape, Range::Any}; }

void addMoves(std::vector<GradientCase> &cases) {
  cases.insert(
      cases.end(),
      {{"Reshape", {varied({2, 3}), ints({3, 2})}},
       {"ExpandDims", {varied({2, 3}), Input(1)}},
       {"Squeeze", {varied({2, 1, 3})}},
       {"Transpose", {varied({2, 3, 4}), ints({2, 0, 1})}},
       {"ConjugateTranspose", {varied({2, 3, 4}), ints({2, 0, 1})}},
       {"BroadcastTo", {varied({2, 1, 3}), ints({4, 2, 2, 3})}},
       {"Fill", {ints({2, 3}), varied({})}},
       {"Tile", {varied({2, 3}), ints({2, 3})}},
       {"Reverse", {varied({2, 3}), Input({true, false})}},
       {"ReverseV2", {varied({2, 3}), ints({1})}},
       {"ConcatV2",
        {std::vector<Varied>{varied({2, 3}), varied({2, 1})}, Input(-1)}},
       {"Concat",
        {Input(0), std::vector<Varied>{varied({2, 3}), varied({1, 3})}}},
       {"Split", {Input(1), varied({2, 4})}, {{"num_split", int64_t{2}}}},
       {"SplitV",
        {varied({2, 4}), ints({1, 3}), Input(1)},
        {{"num_split", int64_t{2}}}},
       {"Pack",
        {std::vector<Varied>{varied({2, 3}), varied({2, 3})}},
        {{"axis", int64_t{1}}}},
       {"Unpack",
        {varied({2, 3})},
        {{"num", int64_t{3}}, {"axis", int64_t{1}}}},
       {"Slice", {varied({3, 4}), ints({1, 0}), ints({2, 3})}},
       {"Pad", {varied({2, 3}), pairs({{1, 0}, {2, 1}})}},
       {"PadV2", {varied({2, 3}), pairs({{1, 0}, {2, 1}}), Input(1.5)}},
       {"MirrorPad",
        {varied({3, 3}), pairs({{1, 1}, {0, 2}})},
        {{"mode", "REFLECT"}}},
       {"MirrorPadGrad",
        {varied({5, 5}), pairs({{1, 1}, {0, 2}})},
        {{"mode", "SYMMETRIC"}}},
       {"StridedSlice",
        {varied({3, 4, 2}), ints({0, 1, 1}), ints({3, 4, 2}), ints({2, 1, 1})},
        {{"shrink_axis_mask", int64_t{4}}}},
       {"StridedSliceGrad",
        {ints({3, 4}), ints({0, 1}), ints({3, 4}), ints({2, 2}),
         varied({2, 2})}},
       {"TensorStridedSliceUpdate",
        {varied({3, 4}), ints({0, 1}), ints({3, 4}), ints({2, 2}),
         varied({2, 2})}},
       {"IdentityN", {std::vector<Varied>{varied({2}), varied({3})}}},
       {"ReverseSequence",
        {varied({2, 4}), Input(std::vector<int64_t>{2, 4})},
        {{"seq_dim", int64_t{1}}, {"batch_dim", int64_t{0}}}},
       {"Roll", {varied({2, 4}), ints({1, -1}), ints({0, 1})}}});
}

void addSparse(std::vector<GradientCase> &cases) {
  const Input places = longPairs({{0, 1}, {1, 0}, {1, 2}}),
              others = longPairs({{0, 0}, {1, 0}}), shape = longs({2, 3});
  cases.insert(
      cases.end(),
      {{"SparseReorder",
        {longPairs({{1, 0}, {0, 1}, {1, 2}}), varied({3}), shape}},
       {"SparseReduceSum",
        {places, varied({3}), shape, ints({1})},
        {{"keep_dims", false}}},
       {"SparseReduceSum",
        {places, varied({3}), shape, ints({0, 1})},
        {{"keep_dims", true}}},
       {"SparseSoftmax", {places, varied({3}), shape}},
       {"SparseDenseCwiseMul", {places, varied({3}), shape, varied({2, 3})}},
       {"SparseDenseCwiseMul", {places, varied({3}), shape, varied({2, 1})}},
       {"SparseDenseCwiseDiv",
        {places, varied({3}), shape, Varied{{1, 3}, Range::Positive}}},
       {"SparseAdd",
        {places, varied({3}), shape, others, varied({2}), shape, Input(0.0)},
        {{"Treal", DType::Float64}}},
       {"SparseTensorDenseAdd", {places, varied({3}), shape, varied({2, 3})}},
       {"SparseFillEmptyRows",
        {longPairs({{0, 1}, {2, 0}}), varied({2}), longs({4, 3}), varied({})}},
       {"RaggedFillEmptyRows",
        {longs({0, 2}), varied({2}), Input(int64_t{4}), varied({})}},
       {"RaggedTensorToSparse",
        {InputList{longs({0, 2, 3})}, varied({3, 2})},
        {{"RAGGED_RANK", int64_t{1}}}},
       {"RaggedTensorToTensor",
        {longs({-1, -1}), varied({3}), varied({}), InputList{longs({0, 2, 3})}},
        {{"row_partition_types", std::vector<std::string>{"ROW_SPLITS"}},
         {"num_row_partition_tensors", int64_t{1}}}},
       {"RaggedGather",
        {InputList{longs({0, 2, 3})}, varied({3}), ints({1, 0, 0})},
        {{"PARAMS_RAGGED_RANK", int64_t{1}},
         {"OUTPUT_RAGGED_RANK", int64_t{1}}}},
       {"CTCLoss",
        {varied({3, 1, 3}), longPairs({{0, 0}, {0, 1}}), ints({0, 1}),
         ints({3})},
        {},
        DType::Float64,
        {0}}});
}

void addBlocks(std::vector<GradientCase> &cases) {
  cases.insert(
      cases.end(),
      {{"SpaceToDepth", {varied({1, 4, 2, 3})}, {{"block_size", int64_t{2}}}},
       {"DepthToSpace", {varied({1, 2, 1, 8})}, {{"block_size", int64_t{2}}}},
       {"SpaceToBatch",
        {varied({1, 3, 4, 2}), pairs({{1, 0}, {0, 0}})},
        {{"block_size", int64_t{2}}}},
       {"BatchToSpace",
        {varied({4, 2, 2, 1}), pairs({{1, 0}, {0, 1}})},
        {{"block_size", int64_t{2}}}},
       {"SpaceToBatchND",
        {varied({1, 3, 4, 2}), ints({2, 2}), pairs({{1, 0}, {0, 0}})}},
       {"BatchToSpaceND",
        {varied({4, 2, 2, 1}), ints({2, 2}), pairs({{1, 0}, {0, 1}})}},
       {"ExtractImagePatches",
        {varied({2, 4, 4, 2})},
        {{"ksizes", std::vector<int64_t>{1, 2, 3, 1}},
         {"strides", std::vector<int64_t>{1, 1, 2, 1}},
         {"rates", std::vector<int64_t>{1, 1, 1, 1}},
         {"padding", "SAME"}}},
       {"ExtractVolumePatches",
        {varied({1, 2, 3, 3, 2})},
        {{"ksizes", std::vector<int64_t>{1, 2, 2, 2, 1}},
         {"strides", std::vector<int64_t>{1, 1, 1, 2, 1}},
         {"padding", "VALID"}}},
       {"TopKV2", {varied({2, 4}), Input(2)}},
       {"TopK", {varied({2, 4})}, {{"k", int64_t{2}}}},
       {"NthElement", {varied({2, 4}), Input(1)}},
       {"Diag", {varied({3})}},
       {"DiagPart", {varied({3, 3})}},
       {"MatrixDiag", {varied({2, 3})}},
       {"MatrixDiagPart", {varied({2, 3, 3})}},
       {"MatrixDiagPart", {varied({2, 2, 3})}},
       {"MatrixSetDiag", {varied({2, 2, 3}), varied({2, 2})}},
       {"MatrixBandPart",
        {varied({3, 4}), Input(int64_t{1}), Input(int64_t{0})}}});
  for (const char *version : {"V2", "V3"}) {
    std::string v = version;
    cases.push_back(
        {"MatrixDiag" + v,
         {varied({2, 3}), ints({0, 1}), Input(3), Input(4), Input(0.0)}});
    cases.push_back(
        {"MatrixDiagPart" + v, {varied({3, 4}), ints({-1, 0}), Input(0.0)}});
    cases.push_back(
        {"MatrixSetDiag" + v, {varied({3, 4}), varied({2, 3}), ints({0, 1})}});
  }
}

void addIndexed(std::vector<GradientCase> &cases) {
  Input ids = ints({0, 0, 2});
  cases.insert(
      cases.end(),
      {{"Gather", {varied({4, 3}), pairs({{1, 1}, {3, 0}})}},
       {"GatherV2", {varied({4, 3}), ints({1, 1, 3}), Input(0)}},
       {"GatherV2", {varied({4, 3}), ints({2, 0}), Input(1)}},
       {"GatherV2", {varied({2, 4, 3}), pairs({{1, 2}, {2, 0}}), Input(-1)}},
       {"GatherV2",
        {varied({2, 4, 3}), pairs({{1, 1}, {3, 0}}), Input(1)},
        {{"batch_dims", int64_t{1}}}},
       {"GatherV2",
        {varied({2, 4, 3}), pairs({{1, 1}, {2, 0}}), Input(2)},
        {{"batch_dims", int64_t{1}}}},
       {"GatherNd", {varied({3, 2}), pairs({{1, 1}, {2, 0}, {1, 1}})}},
       {"GatherNd", {varied({3, 2}), pairs({{1}, {2}, {1}})}},
       {"ScatterNd", {pairs({{1}, {3}, {1}}), varied({3, 2}), ints({4, 2})}},
       {"ScatterNdNonAliasingAdd",
        {varied({4, 2}), pairs({{1}, {3}}), varied({2, 2})}},
       {"TensorScatterAdd",
        {varied({4, 2}), pairs({{1}, {1}}), varied({2, 2})}},
       {"TensorScatterSub",
        {varied({4, 2}), pairs({{1}, {3}}), varied({2, 2})}},
       {"TensorScatterUpdate",
        {varied({4, 2}), pairs({{1}, {3}}), varied({2, 2})}},
       {"TensorScatterMax",
        {varied({4, 2}), pairs({{1}, {3}}), varied({2, 2})}},
       {"TensorScatterMin",
        {varied({4, 2}), pairs({{1}, {3}}), varied({2, 2})}},
       {"SparseToDense",
        {pairs({{0, 1}, {1, 0}}), ints({2, 3}), varied({2}), varied({})}},
       {"SparseTensorDenseMatMul",
        {Input({Input(std::vector<int64_t>{0, 1}),
                Input(std::vector<int64_t>{1, 0}),
                Input(std::vector<int64_t>{1, 2})}),
         varied({3}), Input(std::vector<int64_t>{2, 3}), varied({3, 2})}},
       {"SparseTensorDenseMatMul",
        {Input({Input(std::vector<int64_t>{0, 1}),
                Input(std::vector<int64_t>{1, 0}),
                Input(std::vector<int64_t>{1, 2})}),
         varied({3}), Input(std::vector<int64_t>{2, 3}), varied({4, 2})},
        {{"adjoint_a", true}, {"adjoint_b", true}}},
       {"SparseSlice",
        {Input({Input(std::vector<int64_t>{0, 3}),
                Input(std::vector<int64_t>{1, 1}),
                Input(std::vector<int64_t>{2, 2})}),
         varied({3}), Input(std::vector<int64_t>{3, 4}),
         Input(std::vector<int64_t>{1, 1}), Input(std::vector<int64_t>{2, 2})}},
       {"ApproxTopK",
        {varied({4, 3})},
        {{"k", int64_t{2}}},
        DType::Float32,
        {},
        false},
       {"DynamicPartition",
        {varied({3, 2}), ints({1, 0, 1})},
        {{"num_partitions", int64_t{2}}}},
       {"DynamicStitch",
        {InputList{ints({0, 2}), ints({1})},
         std::vector<Varied>{varied({2, 2}), varied({1, 2})}}},
       {"ParallelDynamicStitch",
        {InputList{ints({0, 2}), ints({1})},
         std::vector<Varied>{varied({2, 2}), varied({1, 2})}}}});
  for (const char *op :
       {"SegmentSum", "SegmentMean", "SegmentMax", "SegmentMin", "SegmentProd"})
    cases.push_back({op, {varied({3, 2}), ids}});
  for (const char *op : {"UnsortedSegmentSum", "UnsortedSegmentMax",
                         "UnsortedSegmentMin", "UnsortedSegmentProd"})
    cases.push_back({op, {varied({4, 2}), ints({1, 0, -1, 1}), Input(2)}});
  for (const char *kind : {"Sum", "Mean", "SqrtN"}) {
    std::string op = std::string("SparseSegment") + kind;
    cases.push_back({op, {varied({4, 2}), ints({3, 1, 1}), ids}});
    cases.push_back({op + "WithNumSegments",
                     {varied({4, 2}), ints({3, 1, 1}), ids, Input(4)}});
  }
}

} // namespace

std::vector<GradientCase> arrayCases() {
  std::vector<GradientCase> cases;
  addMoves(cases);
  addSparse(cases);
  addBlocks(cases);
  addIndexed(cases);
  return cases;
}

} // namespace kiln::testing
