// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Sparse: ops on sparse tensors, whose sizes the run finds out.
// Host kernels compute them, but for those of embeddings, which are lowered.
#include "lib/Ops/Families.h"
#include "lib/Ops/Ragged/Shape.h"
#include "lib/Ops/Sparse/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"DenseToDenseSetOperation", "set1: T, set2: T",
     "result_indices: int64, result_values: T, result_shape: int64",
     "set_operation: string; validate_indices: bool = true; T: {int8, int16, "
     "int32, int64, uint8, uint16, string}",
     "The union, intersection or difference of the sets in the last dimension "
     "of two tensors.",
     inferDenseSets, hostBody | stopsGradient},
    {"DenseToSparseSetOperation",
     "set1: T, set2_indices: int64, set2_values: T, set2_shape: int64",
     "result_indices: int64, result_values: T, result_shape: int64",
     "set_operation: string; validate_indices: bool = true; T: {int8, int16, "
     "int32, int64, uint8, uint16, string}",
     "DenseToDenseSetOperation with a sparse tensor as the second.",
     inferDenseAndSparseSets, hostBody | stopsGradient},
    {"SparseToSparseSetOperation",
     "set1_indices: int64, set1_values: T, set1_shape: int64, set2_indices: "
     "int64, set2_values: T, set2_shape: int64",
     "result_indices: int64, result_values: T, result_shape: int64",
     "set_operation: string; validate_indices: bool = true; T: {int8, int16, "
     "int32, int64, uint8, uint16, string}",
     "DenseToDenseSetOperation of two sparse tensors.", inferSparseSets,
     hostBody | stopsGradient},
    {"SetSize", "set_indices: int64, set_values: T, set_shape: int64",
     "size: int32",
     "validate_indices: bool = true; T: {int8, int16, int32, int64, uint8, "
     "uint16, string}",
     "How many different elements the last dimension of a sparse tensor has.",
     inferUnknownShapes, hostBody | stopsGradient},
    {"SparseReorder",
     "input_indices: int64, input_values: T, input_shape: int64",
     "output_indices: int64, output_values: T", "T: type",
     "The elements in the order of their indices.", inferSparseReorder,
     movesElements},
    {"SparseReshape",
     "input_indices: int64, input_shape: int64, new_shape: int64",
     "output_indices: int64, output_shape: int64", "",
     "The indices in a tensor of other extents with as many elements.",
     inferSparseReshape},
    {"SparseConcat", "indices: N*int64, values: N*T, shapes: N*int64",
     "output_indices: int64, output_values: T, output_shape: int64",
     "concat_dim: int; N: int >= 2; T: type",
     "Sparse tensors behind each other along a dimension.", inferSparseConcat,
     hostBody | movesElements | stopsGradient},
    {"SparseSplit", "split_dim: int64, indices: int64, values: T, shape: int64",
     "output_indices: num_split*int64, output_values: num_split*T, "
     "output_shape: num_split*int64",
     "num_split: int >= 1; T: type",
     "A sparse tensor in parts along a dimension.", inferSparseSplit,
     hostBody | movesElements},
    {"SparseSliceGrad",
     "backprop_val_grad: T, input_indices: int64, input_start: int64, "
     "output_indices: int64",
     "val_grad: T", "T: numbers", "The gradient of SparseSlice.",
     inferSparseSliceGrad, hostBody | movesElements},
    {"SparseFillEmptyRows",
     "indices: int64, values: T, dense_shape: int64, default_value: T",
     "output_indices: int64, output_values: T, empty_row_indicator: bool, "
     "reverse_index_map: int64",
     "T: type", "A sparse tensor in which empty rows have a default.",
     inferSparseFill, movesElements},
    {"SparseFillEmptyRowsGrad", "reverse_index_map: int64, grad_values: T",
     "d_values: T, d_default_value: T", "T: type",
     "The gradients of SparseFillEmptyRows.", inferFillGradient},
    {"SparseReduceSum",
     "input_indices: int64, input_values: T, input_shape: int64, "
     "reduction_axes: int32",
     "output: T", "keep_dims: bool = false; T: numbers",
     "Sums over dimensions of a sparse tensor.", inferSparseReduce, hostBody},
    {"SparseReduceMax",
     "input_indices: int64, input_values: T, input_shape: int64, "
     "reduction_axes: int32",
     "output: T", "keep_dims: bool = false; T: realNumbers",
     "Maxima over dimensions of a sparse tensor, of its elements alone.",
     inferSparseReduce, hostBody},
    {"SparseReduceSumSparse",
     "input_indices: int64, input_values: T, input_shape: int64, "
     "reduction_axes: int32",
     "output_indices: int64, output_values: T, output_shape: int64",
     "keep_dims: bool = false; T: numbers",
     "SparseReduceSum as a sparse tensor.", inferUnknownShapes, hostBody},
    {"SparseReduceMaxSparse",
     "input_indices: int64, input_values: T, input_shape: int64, "
     "reduction_axes: int32",
     "output_indices: int64, output_values: T, output_shape: int64",
     "keep_dims: bool = false; T: realNumbers",
     "SparseReduceMax as a sparse tensor.", inferUnknownShapes, hostBody},
    {"SparseSoftmax", "sp_indices: int64, sp_values: T, sp_shape: int64",
     "output: T", "T: {float16, float32, float64}",
     "Softmax of the elements that differ in the last index alone.",
     inferSparseSoftmax, hostBody},
    {"SparseDenseCwiseAdd",
     "sp_indices: int64, sp_values: T, sp_shape: int64, dense: T", "output: T",
     "T: numbers",
     "The elements of a sparse tensor and those of a dense one, broadcast, at "
     "their places added.",
     inferSparseDense, hostBody},
    {"SparseDenseCwiseMul",
     "sp_indices: int64, sp_values: T, sp_shape: int64, dense: T", "output: T",
     "T: numbers", "The same multiplied.", inferSparseDense, hostBody},
    {"SparseDenseCwiseDiv",
     "sp_indices: int64, sp_values: T, sp_shape: int64, dense: T", "output: T",
     "T: numbers", "The same divided.", inferSparseDense, hostBody},
    {"SparseSparseMinimum",
     "a_indices: int64, a_values: T, a_shape: int64, b_indices: int64, "
     "b_values: T, b_shape: int64",
     "output_indices: int64, output_values: T", "T: numbers",
     "The smaller of two sparse tensors' elements, 0 where one has none.",
     inferSparseExtremes, hostBody},
    {"SparseSparseMaximum",
     "a_indices: int64, a_values: T, a_shape: int64, b_indices: int64, "
     "b_values: T, b_shape: int64",
     "output_indices: int64, output_values: T", "T: realNumbers",
     "The larger of two sparse tensors' elements, 0 where one has none.",
     inferSparseExtremes, hostBody},
    {"SparseAdd",
     "a_indices: int64, a_values: T, a_shape: int64, b_indices: int64, "
     "b_values: T, b_shape: int64, thresh: Treal",
     "sum_indices: int64, sum_values: T, sum_shape: int64",
     "T: numbers; Treal: realNumbers",
     "The sum of sparse tensors, without sums below a threshold.",
     inferSparseAdd, hostBody},
    {"SparseAddGrad",
     "backprop_val_grad: T, a_indices: int64, b_indices: int64, sum_indices: "
     "int64",
     "a_val_grad: T, b_val_grad: T", "T: numbers",
     "The gradients of SparseAdd.", inferSparseAddGrad,
     hostBody | movesElements | stopsGradient},
    {"SparseTensorDenseAdd",
     "a_indices: Tindices, a_values: T, a_shape: Tindices, b: T", "output: T",
     "T: numbers; Tindices: indexTypes",
     "The sum of a sparse and a dense tensor.", inferOntoDense, hostBody},
    {"SparseBincount",
     "indices: int64, values: Tidx, dense_shape: int64, size: Tidx, weights: "
     "T",
     "output: T",
     "Tidx: indexTypes; T: {int32, int64, float32, float64}; binary_output: "
     "bool = false",
     "Bincount of a sparse vector, or of each row of a sparse tensor.",
     inferSparseBincount, hostBody},
    {"DenseCountSparseOutput", "values: T, weights: output_type",
     "output_indices: int64, output_values: output_type, output_dense_shape: "
     "int64",
     "T: indexTypes; minlength: int >= -1 = -1; maxlength: int >= -1 = -1; "
     "binary_output: bool; output_type: {int32, int64, float32, float64}",
     "How often numbers occur in each row, as a sparse tensor.",
     inferDenseCounts, hostBody},
    {"SparseCountSparseOutput",
     "indices: int64, values: T, dense_shape: int64, weights: output_type",
     "output_indices: int64, output_values: output_type, output_dense_shape: "
     "int64",
     "T: indexTypes; minlength: int >= -1 = -1; maxlength: int >= -1 = -1; "
     "binary_output: bool; output_type: {int32, int64, float32, float64}",
     "The same of a sparse tensor.", inferSparseCounts, hostBody},
    {"RaggedCountSparseOutput",
     "splits: int64, values: T, weights: output_type",
     "output_indices: int64, output_values: output_type, output_dense_shape: "
     "int64",
     "T: indexTypes; minlength: int >= -1 = -1; maxlength: int >= -1 = -1; "
     "binary_output: bool; output_type: {int32, int64, float32, float64}",
     "The same of rows of several lengths.", inferRaggedCounts, hostBody},
    {"EditDistance",
     "hypothesis_indices: int64, hypothesis_values: T, hypothesis_shape: "
     "int64, truth_indices: int64, truth_values: T, truth_shape: int64",
     "output: float32", "normalize: bool = true; T: type",
     "How many elements must be put in, taken out or changed to make one "
     "sequence another; sequences are the last dimension.",
     inferEditDistance, hostBody | stopsGradient},
    {"SparseCross",
     "indices: N*int64, values: sparse_types, shapes: N*int64, dense_inputs: "
     "dense_types",
     "output_indices: int64, output_values: out_type, output_shape: int64",
     "N: int >= 0; hashed_output: bool; num_buckets: int >= 0; hash_key: int; "
     "sparse_types: list(type) >= 0; dense_types: list(type) >= 0; out_type: "
     "{int64, string}; internal_type: {int64, string}",
     "Every choice of one feature a column, as a text or a hash.",
     inferSparseCross, hostBody},
    {"SparseCrossV2",
     "indices: N*int64, values: sparse_types, shapes: N*int64, dense_inputs: "
     "dense_types, sep: string",
     "output_indices: int64, output_values: string, output_shape: int64",
     "N: int >= 0; sparse_types: list(type) >= 0; dense_types: list(type) >= 0",
     "SparseCross as texts, with a separator.", inferSparseCross, hostBody},
    {"SparseCrossHashed",
     "indices: N*int64, values: sparse_types, shapes: N*int64, dense_inputs: "
     "dense_types, num_buckets: int64, strong_hash: bool, salt: int64",
     "output_indices: int64, output_values: int64, output_shape: int64",
     "N: int >= 0; sparse_types: list(type) >= 0; dense_types: list(type) >= 0",
     "SparseCross as hashes with a key.", inferSparseCross, hostBody},
    {"SerializeSparse",
     "sparse_indices: int64, sparse_values: T, sparse_shape: int64",
     "serialized_sparse: out_type",
     "T: type; out_type: {string, variant} = string",
     "A sparse tensor as three messages, or as three variants.",
     inferSerializedSparse, hostBody | movesElements | takesDatasets},
    {"SerializeManySparse",
     "sparse_indices: int64, sparse_values: T, sparse_shape: int64",
     "serialized_sparse: out_type",
     "T: type; out_type: {string, variant} = string",
     "Each row of a sparse tensor as three messages, or as three variants.",
     inferSerializedRows, hostBody | movesElements | takesDatasets},
    {"DeserializeSparse", "serialized_sparse: Tserialized",
     "sparse_indices: int64, sparse_values: dtype, sparse_shape: int64",
     "dtype: type; Tserialized: {string, variant} = string",
     "The sparse tensor of three messages or variants, or those of many, "
     "stacked.",
     inferDeserializedSparse, hostBody | movesElements | takesDatasets},
    {"DeserializeManySparse", "serialized_sparse: string",
     "sparse_indices: int64, sparse_values: dtype, sparse_shape: int64",
     "dtype: type", "DeserializeSparse of a matrix.", inferDeserializedRows,
     hostBody | movesElements},
    {"CTCLoss",
     "inputs: T, labels_indices: int64, labels_values: int32, "
     "sequence_length: int32",
     "loss: T, gradient: T",
     "preprocess_collapse_repeated: bool = false; ctc_merge_repeated: bool = "
     "true; ignore_longer_outputs_than_inputs: bool = false; T: {float32, "
     "float64} = float32",
     "The loss of connectionist temporal classification, and its gradient.",
     inferCtcLoss, hostBody},
    {"GatherTree",
     "step_ids: T, parent_ids: T, max_sequence_lengths: int32, end_token: T",
     "beams: T", "T: {int32}",
     "The sequences of the final beams of a search, [time, batch, beams], of "
     "what each step gave and the beams that it goes on from.",
     inferGatherTree, hostBody | stopsGradient},
    {"CTCGreedyDecoder", "inputs: T, sequence_length: int32",
     "decoded_indices: int64, decoded_values: int64, decoded_shape: int64, "
     "log_probability: T",
     "merge_repeated: bool = false; blank_index: int = -1; T: {float32, "
     "float64} = float32",
     "The labels of the likeliest path of each sequence.", inferCtcGreedy,
     hostBody | stopsGradient},
    {"CTCBeamSearchDecoder", "inputs: T, sequence_length: int32",
     "decoded_indices: top_paths*int64, decoded_values: top_paths*int64, "
     "decoded_shape: top_paths*int64, log_probability: T",
     "beam_width: int >= 1; top_paths: int >= 1; merge_repeated: bool = true; "
     "T: {float32, float64} = float32",
     "The likeliest labels of each sequence among those of a beam.",
     inferCtcBeam, hostBody | stopsGradient},
};

} // namespace

OpFamily sparseFamily() { return {"Sparse", "ops on sparse tensors", records}; }

} // namespace kiln
