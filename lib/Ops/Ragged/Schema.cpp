// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Ragged: rows of several lengths. Host kernels compute them.
#include "lib/Ops/Families.h"
#include "lib/Ops/Ragged/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"RaggedTensorToSparse",
     "rt_nested_splits: RAGGED_RANK*Tsplits, rt_dense_values: T",
     "sparse_indices: int64, sparse_values: T, sparse_dense_shape: int64",
     "RAGGED_RANK: int >= 1; T: type; Tsplits: indexTypes = int64",
     "The elements of rows as a sparse tensor.", inferRaggedToSparse,
     hostBody | movesElements},
    {"RaggedRange", "starts: T, limits: T, deltas: T",
     "rt_nested_splits: Tsplits, rt_dense_values: T",
     "T: {bfloat16, float32, float64, int32, int64} = int32; Tsplits: "
     "indexTypes = int64",
     "A row of numbers from a start below a limit for each start.",
     inferRaggedRange, hostBody | stopsGradient},
    {"RaggedTensorToTensor",
     "shape: Tshape, values: T, default_value: T, row_partition_tensors: "
     "num_row_partition_tensors*Tindex",
     "result: T",
     "T: type; Tindex: {int64, int32}; Tshape: {int64, int32}; "
     "num_row_partition_tensors: int >= 1; row_partition_types: list(string)",
     "Rows as a tensor, cut off or filled up with a default.",
     inferRaggedToTensor, hostBody | movesElements},
    {"RaggedTensorToVariant",
     "rt_nested_splits: RAGGED_RANK*Tsplits, rt_dense_values: Tvalues",
     "encoded_ragged: variant",
     "RAGGED_RANK: int >= 0; Tvalues: type; Tsplits: indexTypes = int64; "
     "batched_input: bool",
     "Rows as a variant, or each row as one.", inferRaggedToVariant,
     hostBody | movesElements | takesDatasets},
    {"RaggedTensorFromVariant", "encoded_ragged: variant",
     "output_nested_splits: output_ragged_rank*Tsplits, output_dense_values: "
     "Tvalues",
     "input_ragged_rank: int >= -1; output_ragged_rank: int >= 0; Tvalues: "
     "type; Tsplits: indexTypes = int64",
     "The rows that variants hold, stacked.", inferRaggedFromVariant,
     hostBody | movesElements | takesDatasets},
    // Cuts: where rows are missing it gives more dimensions than TensorFlow's
    // shape function says, which no code can take.
    {"RaggedFillEmptyRows",
     "value_rowids: int64, values: T, nrows: int64, default_value: T",
     "output_value_rowids: int64, output_values: T, empty_row_indicator: "
     "bool, reverse_index_map: int64",
     "T: type", "Rows in which empty ones have a default.", inferRaggedFill,
     cutsRun | movesElements},
    {"RaggedFillEmptyRowsGrad", "reverse_index_map: int64, grad_values: T",
     "d_values: T, d_default_value: T", "T: type",
     "The gradients of RaggedFillEmptyRows.", inferFillGradient},
    {"RaggedGather",
     "params_nested_splits: PARAMS_RAGGED_RANK*Tsplits, params_dense_values: "
     "Tvalues, indices: Tindices",
     "output_nested_splits: OUTPUT_RAGGED_RANK*Tsplits, output_dense_values: "
     "Tvalues",
     "Tvalues: type; Tindices: indexTypes; Tsplits: indexTypes = int64; "
     "PARAMS_RAGGED_RANK: int >= 1; OUTPUT_RAGGED_RANK: int >= 0",
     "The rows of the indices.", inferRaggedGather, hostBody | movesElements},
    {"RaggedBincount", "splits: int64, values: Tidx, size: Tidx, weights: T",
     "output: T",
     "Tidx: indexTypes; T: {int32, int64, float32, float64}; binary_output: "
     "bool = false",
     "Bincount of each row.", inferRaggedBincount, hostBody},
};

} // namespace

OpFamily raggedFamily() {
  return {"Ragged", "rows of several lengths", records};
}

} // namespace kiln
