// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which host kernels this family has.
#include "lib/Ops/Sparse/Host.h"

#include "lib/HostKernels/HostKernels.h"

namespace kiln {

void addSparseKernels(HostKernels &kernels) {
  kernels.addBodies({
      {"CTCBeamSearchDecoder", host::ctcBeamSearchDecoder},
      {"CTCGreedyDecoder", host::ctcGreedyDecoder},
      {"CTCLoss", host::ctcLoss},
      {"DenseCountSparseOutput", host::denseCountSparseOutput},
      {"DenseToDenseSetOperation", host::denseToDenseSetOperation},
      {"DenseToSparseSetOperation", host::denseToSparseSetOperation},
      {"DeserializeManySparse", host::deserializeSparse},
      {"DeserializeSparse", host::deserializeSparse},
      {"EditDistance", host::editDistance},
      {"GatherTree", host::gatherTree},
      {"RaggedCountSparseOutput", host::raggedCountSparseOutput},
      {"SerializeManySparse", host::serializeManySparse},
      {"SerializeSparse", host::serializeSparse},
      {"SetSize", host::setSize},
      {"SparseAdd", host::sparseAdd},
      {"SparseAddGrad", host::sparseAddGrad},
      {"SparseBincount", host::sparseBincount},
      {"SparseConcat", host::sparseConcat},
      {"SparseCountSparseOutput", host::sparseCountSparseOutput},
      {"SparseCross", host::sparseCross},
      {"SparseCrossHashed", host::sparseCrossHashed},
      {"SparseCrossV2", host::sparseCrossV2},
      {"SparseDenseCwiseAdd", host::sparseDenseCwiseAdd},
      {"SparseDenseCwiseDiv", host::sparseDenseCwiseDiv},
      {"SparseDenseCwiseMul", host::sparseDenseCwiseMul},
      {"SparseReduceMax", host::sparseReduceMax},
      {"SparseReduceMaxSparse", host::sparseReduceMaxSparse},
      {"SparseReduceSum", host::sparseReduceSum},
      {"SparseReduceSumSparse", host::sparseReduceSumSparse},
      {"SparseSliceGrad", host::sparseSliceGrad},
      {"SparseSoftmax", host::sparseSoftmax},
      {"SparseSparseMaximum", host::sparseSparseMaximum},
      {"SparseSparseMinimum", host::sparseSparseMinimum},
      {"SparseSplit", host::sparseSplit},
      {"SparseTensorDenseAdd", host::sparseTensorDenseAdd},
      {"SparseToSparseSetOperation", host::sparseToSparseSetOperation},
  });
}

} // namespace kiln
