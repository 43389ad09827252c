// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bodies of the ops on sparse tensors and on sets.
#ifndef KILN_LIB_OPS_SPARSE_HOST_H
#define KILN_LIB_OPS_SPARSE_HOST_H

#include "lib/HostKernels/HostCall.h"

namespace kiln::host {

/// As TensorFlow's ops of these names. **Errors**: with its texts.
Status ctcBeamSearchDecoder(const HostCall &call);
Status ctcGreedyDecoder(const HostCall &call);
Status ctcLoss(const HostCall &call);
Status denseCountSparseOutput(const HostCall &call);
Status denseToDenseSetOperation(const HostCall &call);
Status denseToSparseSetOperation(const HostCall &call);
Status deserializeSparse(const HostCall &call);
Status editDistance(const HostCall &call);
Status gatherTree(const HostCall &call);
Status raggedCountSparseOutput(const HostCall &call);
Status serializeManySparse(const HostCall &call);
Status serializeSparse(const HostCall &call);
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

} // namespace kiln::host

#endif // KILN_LIB_OPS_SPARSE_HOST_H
