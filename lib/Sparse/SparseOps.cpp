// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops that are done here.
#include "lib/Sparse/SparseOps.h"

namespace kiln {

std::span<const HostBody> sparseOps() {
  static constexpr HostBody ops[] = {
      {"CTCBeamSearchDecoder", sparse::ctcBeamSearchDecoder},
      {"CTCGreedyDecoder", sparse::ctcGreedyDecoder},
      {"CTCLoss", sparse::ctcLoss},
      {"DenseCountSparseOutput", sparse::denseCountSparseOutput},
      {"DenseToDenseSetOperation", sparse::denseToDenseSetOperation},
      {"DenseToSparseSetOperation", sparse::denseToSparseSetOperation},
      {"EditDistance", sparse::editDistance},
      {"RaggedBincount", sparse::raggedBincount},
      {"RaggedCountSparseOutput", sparse::raggedCountSparseOutput},
      {"RaggedFillEmptyRows", sparse::raggedFillEmptyRows},
      {"RaggedGather", sparse::raggedGather},
      {"RaggedRange", sparse::raggedRange},
      {"RaggedTensorToSparse", sparse::raggedTensorToSparse},
      {"RaggedTensorToTensor", sparse::raggedTensorToTensor},
      {"SetSize", sparse::setSize},
      {"SparseAdd", sparse::sparseAdd},
      {"SparseAddGrad", sparse::sparseAddGrad},
      {"SparseBincount", sparse::sparseBincount},
      {"SparseConcat", sparse::sparseConcat},
      {"SparseCountSparseOutput", sparse::sparseCountSparseOutput},
      {"SparseCross", sparse::sparseCross},
      {"SparseCrossHashed", sparse::sparseCrossHashed},
      {"SparseCrossV2", sparse::sparseCrossV2},
      {"SparseDenseCwiseAdd", sparse::sparseDenseCwiseAdd},
      {"SparseDenseCwiseDiv", sparse::sparseDenseCwiseDiv},
      {"SparseDenseCwiseMul", sparse::sparseDenseCwiseMul},
      {"SparseReduceMax", sparse::sparseReduceMax},
      {"SparseReduceMaxSparse", sparse::sparseReduceMaxSparse},
      {"SparseReduceSum", sparse::sparseReduceSum},
      {"SparseReduceSumSparse", sparse::sparseReduceSumSparse},
      {"SparseSliceGrad", sparse::sparseSliceGrad},
      {"SparseSoftmax", sparse::sparseSoftmax},
      {"SparseSparseMaximum", sparse::sparseSparseMaximum},
      {"SparseSparseMinimum", sparse::sparseSparseMinimum},
      {"SparseSplit", sparse::sparseSplit},
      {"SparseTensorDenseAdd", sparse::sparseTensorDenseAdd},
      {"SparseToSparseSetOperation", sparse::sparseToSparseSetOperation},
  };
  return ops;
}

} // namespace kiln
