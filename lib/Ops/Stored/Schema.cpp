// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Stored: tensors that a session keeps for later runs, under
// handles. Host kernels compute them, and runs are cut at them.
#include "lib/Ops/Families.h"
#include "lib/Ops/Stored/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"GetSessionHandle", "value: T", "handle: string", "T: type",
     "Keeps a tensor, and gives the handle that it can be had by.",
     inferStoredScalar, stateful | cutsRun | movesElements | stopsGradient},
    {"GetSessionTensor", "handle: string", "value: dtype", "dtype: type",
     "The tensor of a handle.", inferStoredTensor,
     stateful | cutsRun | movesElements | stopsGradient},
    {"DeleteSessionTensor", "handle: string", "", "",
     "Forgets the tensor of a handle.", inferStoredNothing,
     stateful | cutsRun | stopsGradient},
    {"AddSparseToTensorsMap",
     "sparse_indices: int64, sparse_values: T, sparse_shape: int64",
     "sparse_handle: int64",
     "T: type; container: string =; shared_name: "
     "string =",
     "Keeps a sparse tensor, and gives its handle.", inferStoredSparse,
     stateful | cutsRun | movesElements},
    {"AddManySparseToTensorsMap",
     "sparse_indices: int64, sparse_values: T, sparse_shape: int64",
     "sparse_handles: int64",
     "T: type; container: string =; shared_name: "
     "string =",
     "Keeps each row of a sparse tensor as one, and gives their handles.",
     inferStoredSparses, stateful | cutsRun | movesElements},
    {"TakeManySparseFromTensorsMap", "sparse_handles: int64",
     "sparse_indices: int64, sparse_values: dtype, sparse_shape: int64",
     "dtype: type; container: string =; shared_name: string =",
     "Takes sparse tensors, as the rows of one.", inferTakenSparses,
     stateful | cutsRun | movesElements},
};

} // namespace

OpFamily storedFamily() {
  return {"Stored", "tensors that a session keeps for later runs", records};
}

} // namespace kiln
