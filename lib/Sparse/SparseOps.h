// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops of this folder, by name.
#ifndef KILN_LIB_SPARSE_SPARSEOPS_H
#define KILN_LIB_SPARSE_SPARSEOPS_H

#include "lib/OpDefs/HostOps.h"

namespace kiln::sparse {

// As TensorFlow's ops of these names. **Errors**: with its texts.
Status ctcBeamSearchDecoder(const HostCall &call);
Status ctcGreedyDecoder(const HostCall &call);
Status ctcLoss(const HostCall &call);
Status denseCountSparseOutput(const HostCall &call);
Status denseToDenseSetOperation(const HostCall &call);
Status denseToSparseSetOperation(const HostCall &call);
Status editDistance(const HostCall &call);
Status raggedBincount(const HostCall &call);
Status raggedCountSparseOutput(const HostCall &call);
Status raggedFillEmptyRows(const HostCall &call);
Status raggedGather(const HostCall &call);
Status raggedRange(const HostCall &call);
Status raggedTensorToSparse(const HostCall &call);
Status raggedTensorToTensor(const HostCall &call);
Status setSize(const HostCall &call);
Status sparseAdd(const HostCall &call);
Status sparseAddGrad(const HostCall &call);
Status sparseBincount(const HostCall &call);
Status sparseConcat(const HostCall &call);
Status sparseCountSparseOutput(const HostCall &call);
Status sparseCross(const HostCall &call);
Status sparseCrossHashed(const HostCall &call);
Status sparseCrossV2(const HostCall &call);
Status sparseDenseCwiseAdd(const HostCall &call);
Status sparseDenseCwiseDiv(const HostCall &call);
Status sparseDenseCwiseMul(const HostCall &call);
Status sparseReduceMax(const HostCall &call);
Status sparseReduceMaxSparse(const HostCall &call);
Status sparseReduceSum(const HostCall &call);
Status sparseReduceSumSparse(const HostCall &call);
Status sparseSliceGrad(const HostCall &call);
Status sparseSoftmax(const HostCall &call);
Status sparseSparseMaximum(const HostCall &call);
Status sparseSparseMinimum(const HostCall &call);
Status sparseSplit(const HostCall &call);
Status sparseTensorDenseAdd(const HostCall &call);
Status sparseToSparseSetOperation(const HostCall &call);

} // namespace kiln::sparse

#endif // KILN_LIB_SPARSE_SPARSEOPS_H
