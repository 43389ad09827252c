// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Parsing: ops that take tensors out of records of bytes. Host
// kernels compute them.
#include "lib/Ops/Families.h"
#include "lib/Ops/Parsing/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"DecodeCSV", "records: string, record_defaults: OUT_TYPE",
     "output: OUT_TYPE",
     "OUT_TYPE: list({float32, float64, int32, int64, string}) >= 1; "
     "field_delim: string = ,; use_quote_delim: bool = true; na_value: "
     "string =; select_cols: list(int) = []",
     "The fields of lines of comma-separated values, a tensor a field.",
     inferDecodeCsv, hostBody},
    {"DecodeCompressed", "bytes: string", "output: string",
     "compression_type: string =", "The strings that were compressed.",
     inferLikeInput, hostBody},
    {"DecodeJSONExample", "json_examples: string", "binary_examples: string",
     "", "The binary form of Example messages in JSON.", inferLikeInput,
     hostBody},
    {"ParseExample",
     "serialized: string, names: string, sparse_keys: Nsparse*string, "
     "dense_keys: Ndense*string, dense_defaults: Tdense",
     "sparse_indices: Nsparse*int64, sparse_values: sparse_types, "
     "sparse_shapes: Nsparse*int64, dense_values: Tdense",
     "Nsparse: int >= 0; Ndense: int >= 0; sparse_types: list({float32, int64, "
     "string}) >= 0; Tdense: list({float32, int64, string}) >= 0; "
     "dense_shapes: list(shape) >= 0",
     "The features of Example messages: lists as sparse tensors, others as "
     "batches.",
     inferParseExample, hostBody},
    {"ParseExampleV2",
     "serialized: string, names: string, sparse_keys: string, dense_keys: "
     "string, ragged_keys: string, dense_defaults: Tdense",
     "sparse_indices: num_sparse*int64, sparse_values: sparse_types, "
     "sparse_shapes: num_sparse*int64, dense_values: Tdense, ragged_values: "
     "ragged_value_types, ragged_row_splits: ragged_split_types",
     "Tdense: list({float32, int64, string}) >= 0; num_sparse: int >= 0; "
     "sparse_types: list({float32, int64, string}) >= 0; ragged_value_types: "
     "list({float32, int64, string}) >= 0; ragged_split_types: list({int32, "
     "int64}) >= 0; dense_shapes: list(shape) >= 0",
     "The features of an Example message or of several: lists as sparse or "
     "ragged tensors too.",
     inferParseExample, hostBody},
    {"ParseSingleExample", "serialized: string, dense_defaults: Tdense",
     "sparse_indices: num_sparse*int64, sparse_values: sparse_types, "
     "sparse_shapes: num_sparse*int64, dense_values: Tdense",
     "num_sparse: int >= 0; sparse_keys: list(string) >= 0; dense_keys: "
     "list(string) >= 0; sparse_types: list({float32, int64, string}) >= 0; "
     "Tdense: list({float32, int64, string}) >= 0; dense_shapes: list(shape) "
     ">= 0",
     "The features of one Example message.", inferParseExample, hostBody},
    {"ParseSequenceExample",
     "serialized: string, debug_name: string, context_dense_defaults: "
     "Tcontext_dense",
     "context_sparse_indices: Ncontext_sparse*int64, context_sparse_values: "
     "context_sparse_types, context_sparse_shapes: Ncontext_sparse*int64, "
     "context_dense_values: Tcontext_dense, feature_list_sparse_indices: "
     "Nfeature_list_sparse*int64, feature_list_sparse_values: "
     "feature_list_sparse_types, feature_list_sparse_shapes: "
     "Nfeature_list_sparse*int64, feature_list_dense_values: "
     "feature_list_dense_types, feature_list_dense_lengths: "
     "Nfeature_list_dense*int64",
     "feature_list_dense_missing_assumed_empty: list(string) >= 0; "
     "context_sparse_keys: list(string) >= 0; context_dense_keys: "
     "list(string) >= 0; feature_list_sparse_keys: list(string) >= 0; "
     "feature_list_dense_keys: list(string) >= 0; Ncontext_sparse: int >= 0 = "
     "0; Ncontext_dense: int >= 0 = 0; Nfeature_list_sparse: int >= 0 = 0; "
     "Nfeature_list_dense: int >= 0 = 0; context_sparse_types: list({float32, "
     "int64, string}) >= 0 = []; Tcontext_dense: list({float32, int64, "
     "string}) >= 0 = []; feature_list_dense_types: list({float32, int64, "
     "string}) >= 0 = []; context_dense_shapes: list(shape) >= 0 = []; "
     "feature_list_sparse_types: list({float32, int64, string}) >= 0 = []; "
     "feature_list_dense_shapes: list(shape) >= 0 = []",
     "The features of SequenceExample messages: those of the whole, and those "
     "of each step.",
     inferParseSequenceExample, hostBody},
    {"ParseSequenceExampleV2",
     "serialized: string, debug_name: string, context_sparse_keys: string, "
     "context_dense_keys: string, context_ragged_keys: string, "
     "feature_list_sparse_keys: string, feature_list_dense_keys: string, "
     "feature_list_ragged_keys: string, "
     "feature_list_dense_missing_assumed_empty: bool, context_dense_defaults: "
     "Tcontext_dense",
     "context_sparse_indices: Ncontext_sparse*int64, context_sparse_values: "
     "context_sparse_types, context_sparse_shapes: Ncontext_sparse*int64, "
     "context_dense_values: Tcontext_dense, context_ragged_values: "
     "context_ragged_value_types, context_ragged_row_splits: "
     "context_ragged_split_types, feature_list_sparse_indices: "
     "Nfeature_list_sparse*int64, feature_list_sparse_values: "
     "feature_list_sparse_types, feature_list_sparse_shapes: "
     "Nfeature_list_sparse*int64, feature_list_dense_values: "
     "feature_list_dense_types, feature_list_dense_lengths: "
     "Nfeature_list_dense*int64, feature_list_ragged_values: "
     "feature_list_ragged_value_types, feature_list_ragged_outer_splits: "
     "feature_list_ragged_split_types, feature_list_ragged_inner_splits: "
     "feature_list_ragged_split_types",
     "Ncontext_sparse: int >= 0 = 0; Tcontext_dense: list({float32, int64, "
     "string}) >= 0 = []; context_sparse_types: list({float32, int64, "
     "string}) >= 0 = []; context_ragged_value_types: list({float32, int64, "
     "string}) >= 0 = []; context_ragged_split_types: list({int32, int64}) >= "
     "0 = []; context_dense_shapes: list(shape) >= 0 = []; "
     "Nfeature_list_sparse: int >= 0 = 0; Nfeature_list_dense: int >= 0 = 0; "
     "feature_list_dense_types: list({float32, int64, string}) >= 0 = []; "
     "feature_list_sparse_types: list({float32, int64, string}) >= 0 = []; "
     "feature_list_ragged_value_types: list({float32, int64, string}) >= 0 = "
     "[]; feature_list_ragged_split_types: list({int32, int64}) >= 0 = []; "
     "feature_list_dense_shapes: list(shape) >= 0 = []",
     "The features of a SequenceExample message or of several: lists as "
     "sparse or ragged tensors too.",
     inferParseSequenceExample, hostBody},
    {"ParseSingleSequenceExample",
     "serialized: string, feature_list_dense_missing_assumed_empty: string, "
     "context_sparse_keys: Ncontext_sparse*string, context_dense_keys: "
     "Ncontext_dense*string, feature_list_sparse_keys: "
     "Nfeature_list_sparse*string, feature_list_dense_keys: "
     "Nfeature_list_dense*string, context_dense_defaults: Tcontext_dense, "
     "debug_name: string",
     "context_sparse_indices: Ncontext_sparse*int64, context_sparse_values: "
     "context_sparse_types, context_sparse_shapes: Ncontext_sparse*int64, "
     "context_dense_values: Tcontext_dense, feature_list_sparse_indices: "
     "Nfeature_list_sparse*int64, feature_list_sparse_values: "
     "feature_list_sparse_types, feature_list_sparse_shapes: "
     "Nfeature_list_sparse*int64, feature_list_dense_values: "
     "feature_list_dense_types",
     "Ncontext_sparse: int >= 0 = 0; Ncontext_dense: int >= 0 = 0; "
     "Nfeature_list_sparse: int >= 0 = 0; Nfeature_list_dense: int >= 0 = 0; "
     "context_sparse_types: list({float32, int64, string}) >= 0 = []; "
     "Tcontext_dense: list({float32, int64, string}) >= 0 = []; "
     "feature_list_dense_types: list({float32, int64, string}) >= 0 = []; "
     "context_dense_shapes: list(shape) >= 0 = []; feature_list_sparse_types: "
     "list({float32, int64, string}) >= 0 = []; feature_list_dense_shapes: "
     "list(shape) >= 0 = []",
     "The features of one SequenceExample message.", inferParseSequenceExample,
     hostBody},
};

} // namespace

OpFamily parsingFamily() {
  return {"Parsing", "ops that take tensors out of records", records};
}

} // namespace kiln
