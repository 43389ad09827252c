// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every op that takes indices, with one that it must refuse, on feeds between
// pages that no code may touch: no fault, and the same from native code and
// from the evaluator. IndexBoundsTest has single indices and TensorFlow's
// words, HostileNumbersTest numbers of other kinds.
#include "test/fuzz/graphs/Guarded.h"
#include "test/fuzz/graphs/Maker.h"

#include "gtest/gtest.h"

#include <algorithm>

namespace kiln::fuzz {
namespace {

struct IndexOp {
  const char *name;
  /// Whether such an index is an error; else it takes no part, or counts modulo
  /// the number of rows.
  bool isRefused = true;
};

constexpr IndexOp indexOps[] = {
    {"Gather"},
    {"GatherV2"},
    {"GatherNd"},
    {"ResourceGather"},
    {"ResourceGatherNd"},
    {"ScatterNd"},
    {"ScatterNdNonAliasingAdd"},
    {"TensorScatterUpdate"},
    {"TensorScatterAdd"},
    {"TensorScatterSub"},
    {"TensorScatterMin"},
    {"TensorScatterMax"},
    {"ScatterUpdate"},
    {"ScatterAdd"},
    {"ScatterSub"},
    {"ScatterMul"},
    {"ScatterDiv"},
    {"ScatterMin"},
    {"ScatterMax"},
    {"ResourceScatterUpdate"},
    {"ResourceScatterAdd"},
    {"ResourceScatterSub"},
    {"ResourceScatterMul"},
    {"ResourceScatterDiv"},
    {"ResourceScatterMin"},
    {"ResourceScatterMax"},
    {"ScatterNdUpdate"},
    {"ScatterNdAdd"},
    {"ScatterNdSub"},
    {"ScatterNdMin"},
    {"ScatterNdMax"},
    {"ResourceScatterNdUpdate"},
    {"ResourceScatterNdAdd"},
    {"ResourceScatterNdSub"},
    {"ResourceScatterNdMin"},
    {"ResourceScatterNdMax"},
    {"UnsortedSegmentSum"},
    {"UnsortedSegmentProd"},
    {"UnsortedSegmentMin"},
    {"UnsortedSegmentMax"},
    {"SegmentSumV2"},
    {"SegmentProdV2"},
    {"SegmentMinV2"},
    {"SegmentMaxV2"},
    {"SegmentSum"},
    {"SegmentProd"},
    {"SegmentMin"},
    {"SegmentMax"},
    {"SegmentMean"},
    {"SparseSegmentSum"},
    {"SparseSegmentMean"},
    {"SparseSegmentSqrtN"},
    {"SparseSegmentSumWithNumSegments"},
    {"SparseSegmentMeanWithNumSegments"},
    {"SparseSegmentSqrtNWithNumSegments"},
    {"SparseSegmentSumGrad"},
    {"SparseSegmentMeanGrad"},
    {"SparseSegmentSqrtNGrad"},
    {"SparseSegmentSumGradV2"},
    {"SparseSegmentMeanGradV2"},
    {"SparseSegmentSqrtNGradV2"},
    {"SparseToDense"},
    {"SparseTensorDenseMatMul"},
    {"OneHot", false},
    {"NthElement"},
    {"CropAndResize"},
    {"CropAndResizeGradBoxes"},
    {"CropAndResizeGradImage"},
    {"MaxPoolGradWithArgmax", false},
    {"SparseSlice", false},
    {"DenseToSparseSetOperation"},
    {"SparseToSparseSetOperation"},
    {"SetSize"},
    {"SparseSplit"},
    {"SparseFillEmptyRows"},
    {"SparseFillEmptyRowsGrad"},
    {"SparseDenseCwiseMul"},
    {"SparseSparseMaximum"},
    {"SparseTensorDenseAdd"},
    {"SparseBincount"},
    {"SparseCountSparseOutput"},
    {"CTCLoss"},
    {"RaggedTensorToSparse"},
    {"RaggedTensorToTensor"},
    {"RaggedGather"},
    {"RaggedBincount"},
    {"RaggedCountSparseOutput"},
    {"AddManySparseToTensorsMap"},
    {"UnsortedSegmentJoin"},
    {"InTopK", false},
    {"InTopKV2", false},
    {"SparseSoftmaxCrossEntropyWithLogits"},
    {"DynamicPartition"},
    {"DynamicStitch"},
    {"ParallelDynamicStitch"},
    {"InplaceAdd", false},
    {"InplaceSub", false},
    {"InplaceUpdate", false},
    {"ReverseSequence"},
    {"Bincount"},
    {"DenseBincount"},
    {"UniformCandidateSampler"},
    {"LogUniformCandidateSampler"},
    {"FixedUnigramCandidateSampler"},
    {"AllCandidateSampler"},
    {"ComputeAccidentalHits", false},
    {"TensorArrayReadV3"},
    {"TensorArrayReadV2"},
    {"TensorListSetItem"},
    {"TensorListGetItem"},
    {"SparseApplyAdagrad"},
    {"SparseApplyAdagradV2"},
    {"SparseApplyMomentum"},
    {"SparseApplyRMSProp"},
    {"SparseApplyCenteredRMSProp"},
    {"SparseApplyAdadelta"},
    {"SparseApplyProximalGradientDescent"},
    {"SparseApplyProximalAdagrad"},
    {"SparseApplyAdagradDA"},
    {"SparseApplyFtrl"},
    {"SparseApplyFtrlV2"},
    {"ResourceSparseApplyAdagrad"},
    {"ResourceSparseApplyAdagradV2"},
    {"ResourceSparseApplyMomentum"},
    {"ResourceSparseApplyKerasMomentum"},
    {"ResourceSparseApplyRMSProp"},
    {"ResourceSparseApplyCenteredRMSProp"},
    {"ResourceSparseApplyAdadelta"},
    {"ResourceSparseApplyProximalGradientDescent"},
    {"ResourceSparseApplyProximalAdagrad"},
    {"ResourceSparseApplyAdagradDA"},
    {"ResourceSparseApplyFtrl"},
    {"ResourceSparseApplyFtrlV2"},
};

class HostileIndices : public ::testing::TestWithParam<IndexOp> {};

TEST_P(HostileIndices, AreRefusedWithoutAFault) {
  const IndexOp &op = GetParam();
  constexpr unsigned seeds = 6;
  int refused = 0;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Program program =
        Maker(seed, {.ops = 0, .subject = op.name, .isHostile = true}).make();
    for (Side side : {Side::Before, Side::Behind}) {
      for (Feeds &feeds : program.feeds)
        for (auto &[name, value] : feeds)
          value = guardedCopy(value, side);
      Outcome outcome = compareProgram(program);
      EXPECT_FALSE(outcome.isFault()) << outcome.toString();
      StatusCode code = outcome.status.code();
      refused +=
          code == StatusCode::InvalidArgument || code == StatusCode::OutOfRange;
    }
  }
  if (op.isRefused)
    EXPECT_GT(refused, 0);
  else
    EXPECT_EQ(refused, 0);
}

INSTANTIATE_TEST_SUITE_P(Ops, HostileIndices, ::testing::ValuesIn(indexOps),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });

} // namespace
} // namespace kiln::fuzz
