// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Pipeline: datasets, and iterators in them. Host kernels
// compute them, and runs are cut at them.
#include "lib/Ops/Families.h"
#include "lib/Ops/Pipeline/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr uint32_t dataset =
    takesDatasets | cutsRun | movesElements | stopsGradient;

/// What the components of an element are.
#define KILN_ELEMENTS                                                          \
  "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"

constexpr OpRecord records[] = {
    {"TensorDataset", "components: Toutput_types", "handle: variant",
     "T" KILN_ELEMENTS "; metadata: string =", "A dataset of one element.",
     inferPlace, dataset},
    {"TensorSliceDataset", "components: Toutput_types", "handle: variant",
     "T" KILN_ELEMENTS
     "; is_files: bool = false; metadata: string =; replicate_on_split: "
     "bool = false",
     "The rows of tensors as elements.", inferPlace, dataset},
    {"RangeDataset", "start: int64, stop: int64, step: int64",
     "handle: variant",
     KILN_ELEMENTS "; metadata: string =; replicate_on_split: bool = false",
     "The numbers of a range.", inferPlace, dataset},
    {"RepeatDataset", "input_dataset: variant, count: int64", "handle: variant",
     KILN_ELEMENTS "; metadata: string =",
     "The elements of a dataset several times; -1 without end.", inferPlace,
     dataset},
    {"TakeDataset", "input_dataset: variant, count: int64", "handle: variant",
     KILN_ELEMENTS "; metadata: string =", "The first elements of a dataset.",
     inferPlace, dataset},
    {"SkipDataset", "input_dataset: variant, count: int64", "handle: variant",
     KILN_ELEMENTS "; metadata: string =",
     "A dataset without its first elements.", inferPlace, dataset},
    {"ShardDataset", "input_dataset: variant, num_shards: int64, index: int64",
     "handle: variant",
     "require_non_empty: bool = false; " KILN_ELEMENTS "; metadata: string =",
     "Every num_shards-th element.", inferPlace, dataset},
    {"ConcatenateDataset", "input_dataset: variant, another_dataset: variant",
     "handle: variant", KILN_ELEMENTS "; metadata: string =",
     "The elements of one dataset and then of another.", inferPlace, dataset},
    {"ZipDataset", "input_datasets: N*variant", "handle: variant",
     KILN_ELEMENTS "; N: int >= 1; metadata: string =",
     "The elements of datasets side by side.", inferPlace, dataset},
    {"BatchDataset", "input_dataset: variant, batch_size: int64",
     "handle: variant", KILN_ELEMENTS "; metadata: string =",
     "Elements of equal shapes, so many at a time.", inferPlace, dataset},
    {"BatchDatasetV2",
     "input_dataset: variant, batch_size: int64, drop_remainder: bool",
     "handle: variant",
     "parallel_copy: bool = false; " KILN_ELEMENTS "; metadata: string =",
     "BatchDataset, with or without a last batch of fewer elements.",
     inferPlace, dataset},
    {"PaddedBatchDataset",
     "input_dataset: variant, batch_size: int64, padded_shapes: "
     "N*int64, padding_values: Toutput_types",
     "handle: variant", "T" KILN_ELEMENTS "; N: int >= 1; metadata: string =",
     "Elements of different extents, padded, so many at a time.", inferPlace,
     dataset},
    {"PaddedBatchDatasetV2",
     "input_dataset: variant, batch_size: int64, padded_shapes: "
     "N*int64, padding_values: Toutput_types, drop_remainder: bool",
     "handle: variant",
     "parallel_copy: bool = false; T" KILN_ELEMENTS
     "; N: int >= 1; metadata: string =",
     "PaddedBatchDataset, with or without a last batch of fewer "
     "elements.",
     inferPlace, dataset},
    {"UnbatchDataset", "input_dataset: variant", "handle: variant",
     KILN_ELEMENTS "; metadata: string =",
     "The rows of the elements as elements.", inferPlace, dataset},
    {"ExperimentalUnbatchDataset", "input_dataset: variant", "handle: variant",
     KILN_ELEMENTS, "UnbatchDataset.", inferPlace, dataset},
    {"ShuffleDataset",
     "input_dataset: variant, buffer_size: int64, seed: int64, seed2: "
     "int64",
     "handle: variant",
     "reshuffle_each_iteration: bool = true; " KILN_ELEMENTS
     "; metadata: string =",
     "The elements in random order, drawn from a buffer.", inferPlace, dataset},
    {"ShuffleAndRepeatDataset",
     "input_dataset: variant, buffer_size: int64, seed: int64, seed2: "
     "int64, count: int64",
     "handle: variant",
     KILN_ELEMENTS
     "; reshuffle_each_iteration: bool = true; metadata: string =",
     "ShuffleDataset, several times.", inferPlace, dataset},
    {"CacheDataset", "input_dataset: variant, filename: string",
     "handle: variant", KILN_ELEMENTS "; metadata: string =",
     "The elements, which are computed once.", inferPlace, dataset},
    {"PrefetchDataset", "input_dataset: variant, buffer_size: int64",
     "handle: variant",
     KILN_ELEMENTS "; slack_period: int = 0; legacy_autotune: bool = true; "
                   "buffer_size_min: int = 0; metadata: string =",
     "The elements, some of which are made ahead.", inferPlace, dataset},
    {"MapDataset", "input_dataset: variant, other_arguments: Targuments",
     "handle: variant",
     "f: func; Targuments: list(type); " KILN_ELEMENTS
     "; use_inter_op_parallelism: bool = true; preserve_cardinality: "
     "bool = false; force_synchronous: bool = false; metadata: string =",
     "What a function gives for each element.", inferPlace, dataset},
    {"ParallelMapDataset",
     "input_dataset: variant, other_arguments: Targuments, "
     "num_parallel_calls: int32",
     "handle: variant",
     "f: func; Targuments: list(type); " KILN_ELEMENTS
     "; use_inter_op_parallelism: bool = true; sloppy: bool = false; "
     "preserve_cardinality: bool = false; metadata: string =",
     "MapDataset.", inferPlace, dataset},
    {"ParallelMapDatasetV2",
     "input_dataset: variant, other_arguments: Targuments, "
     "num_parallel_calls: int64",
     "handle: variant",
     "f: func; Targuments: list(type); " KILN_ELEMENTS
     "; use_inter_op_parallelism: bool = true; deterministic: string = "
     "default; preserve_cardinality: bool = false; "
     "use_unbounded_threadpool: bool = false; metadata: string =",
     "MapDataset.", inferPlace, dataset},
    {"FilterDataset", "input_dataset: variant, other_arguments: Targuments",
     "handle: variant",
     "predicate: func; Targuments: list(type); " KILN_ELEMENTS
     "; metadata: string =",
     "The elements for which a function gives true.", inferPlace, dataset},
    {"FlatMapDataset", "input_dataset: variant, other_arguments: Targuments",
     "handle: variant",
     "f: func; Targuments: list(type); " KILN_ELEMENTS "; metadata: string =",
     "The elements of the datasets that a function gives for each "
     "element.",
     inferPlace, dataset},
    {"InterleaveDataset",
     "input_dataset: variant, other_arguments: Targuments, "
     "cycle_length: int64, block_length: int64",
     "handle: variant",
     "f: func; Targuments: list(type); " KILN_ELEMENTS "; metadata: string =",
     "FlatMapDataset, of which several datasets are in turn.", inferPlace,
     dataset},
    {"ParallelInterleaveDatasetV2",
     "input_dataset: variant, other_arguments: Targuments, "
     "cycle_length: int64, block_length: int64, num_parallel_calls: "
     "int64",
     "handle: variant",
     "f: func; Targuments: list(type); " KILN_ELEMENTS
     "; sloppy: bool = false; metadata: string =",
     "InterleaveDataset.", inferPlace, dataset},
    {"ParallelInterleaveDatasetV3",
     "input_dataset: variant, other_arguments: Targuments, "
     "cycle_length: int64, block_length: int64, num_parallel_calls: "
     "int64",
     "handle: variant",
     "f: func; deterministic: string = default; Targuments: "
     "list(type); " KILN_ELEMENTS "; metadata: string =",
     "InterleaveDataset.", inferPlace, dataset},
    {"ParallelInterleaveDatasetV4",
     "input_dataset: variant, other_arguments: Targuments, "
     "cycle_length: int64, block_length: int64, buffer_output_elements: "
     "int64, prefetch_input_elements: int64, num_parallel_calls: int64",
     "handle: variant",
     "f: func; deterministic: string = default; Targuments: "
     "list(type); " KILN_ELEMENTS "; metadata: string =",
     "InterleaveDataset.", inferPlace, dataset},
    {"ScanDataset",
     "input_dataset: variant, initial_state: Tstate, other_arguments: "
     "Targuments",
     "handle: variant",
     "f: func; Tstate: list(type) >= 1; Targuments: list(type); " KILN_ELEMENTS
     "; preserve_cardinality: bool = false; use_default_device: bool = "
     "true; metadata: string =",
     "What a function gives for each element and a state that it "
     "carries.",
     inferPlace, dataset},
    {"TakeWhileDataset", "input_dataset: variant, other_arguments: Targuments",
     "handle: variant",
     "predicate: func; Targuments: list(type); " KILN_ELEMENTS
     "; metadata: string =",
     "The elements up to the first for which a function gives false.",
     inferPlace, dataset},
    {"GeneratorDataset",
     "init_func_other_args: Tinit_func_args, next_func_other_args: "
     "Tnext_func_args, finalize_func_other_args: Tfinalize_func_args",
     "handle: variant",
     "init_func: func; next_func: func; finalize_func: func; "
     "Tinit_func_args: list(type); Tnext_func_args: list(type); "
     "Tfinalize_func_args: list(type); " KILN_ELEMENTS "; metadata: string =",
     "What a function gives, until it says OutOfRange.", inferPlace, dataset},
    {"OptionsDataset", "input_dataset: variant", "handle: variant",
     "serialized_options: string; " KILN_ELEMENTS "; metadata: string =",
     "The elements; the options change nothing.", inferPlace, dataset},
    {"ModelDataset", "input_dataset: variant", "handle: variant",
     "algorithm: int = 0; cpu_budget: int = 0; ram_budget: int = "
     "0; " KILN_ELEMENTS,
     "The elements.", inferPlace, dataset},
    {"AssertCardinalityDataset", "input_dataset: variant, cardinality: int64",
     "handle: variant", KILN_ELEMENTS, "The elements, whose number is checked.",
     inferPlace, dataset},
    {"IgnoreErrorsDataset", "input_dataset: variant", "handle: variant",
     KILN_ELEMENTS "; log_warning: bool = false",
     "The elements without those that fail.", inferPlace, dataset},
    {"ExperimentalIgnoreErrorsDataset", "input_dataset: variant",
     "handle: variant", KILN_ELEMENTS "; log_warning: bool = false",
     "IgnoreErrorsDataset.", inferPlace, dataset},
    {"Iterator", "", "handle: resource",
     "shared_name: string; container: string; " KILN_ELEMENTS,
     "A place in a dataset.", inferPlace,
     stateful | movesElements | stopsGradient},
    {"IteratorV2", "", "handle: resource",
     "shared_name: string; container: string; " KILN_ELEMENTS,
     "A place in a dataset.", inferPlace,
     stateful | movesElements | stopsGradient},
    {"OneShotIterator", "", "handle: resource",
     "dataset_factory: func; " KILN_ELEMENTS
     "; container: string =; shared_name: string =",
     "A place in a dataset that a function gives.", inferPlace,
     stateful | movesElements | stopsGradient},
    {"MakeIterator", "dataset: variant, iterator: resource", "", "",
     "Puts an iterator before the first element of a dataset.",
     inferPipelineNone, dataset | stateful},
    {"IteratorGetNext", "iterator: resource", "components: output_types",
     KILN_ELEMENTS, "The next element of an iterator.", inferNextElement,
     dataset | stateful},
    {"IteratorGetNextSync", "iterator: resource", "components: output_types",
     KILN_ELEMENTS, "IteratorGetNext.", inferNextElement, dataset | stateful},
    {"WindowDataset",
     "input_dataset: variant, size: int64, shift: int64, stride: int64, "
     "drop_remainder: bool",
     "handle: variant", KILN_ELEMENTS "; metadata: string =",
     "Datasets of elements that follow each other.", inferPlace, dataset},
    {"GroupByWindowDataset",
     "input_dataset: variant, key_func_other_arguments: "
     "Tkey_func_other_arguments, reduce_func_other_arguments: "
     "Treduce_func_other_arguments, window_size_func_other_arguments: "
     "Twindow_size_func_other_arguments",
     "handle: variant",
     "key_func: func; reduce_func: func; window_size_func: func; "
     "Tkey_func_other_arguments: list(type); "
     "Treduce_func_other_arguments: list(type); "
     "Twindow_size_func_other_arguments: list(type); " KILN_ELEMENTS
     "; metadata: string =",
     "The elements of a key, some at a time, reduced by a function.",
     inferPlace, dataset},
    {"ExperimentalGroupByWindowDataset",
     "input_dataset: variant, key_func_other_arguments: "
     "Tkey_func_other_arguments, reduce_func_other_arguments: "
     "Treduce_func_other_arguments, window_size_func_other_arguments: "
     "Twindow_size_func_other_arguments",
     "handle: variant",
     "key_func: func; reduce_func: func; window_size_func: func; "
     "Tkey_func_other_arguments: list(type); "
     "Treduce_func_other_arguments: list(type); "
     "Twindow_size_func_other_arguments: list(type); " KILN_ELEMENTS,
     "GroupByWindowDataset.", inferPlace, dataset},
    {"DirectedInterleaveDataset",
     "selector_input_dataset: variant, data_input_datasets: N*variant",
     "handle: variant",
     KILN_ELEMENTS "; N: int >= 1; stop_on_empty_dataset: bool = false",
     "The next element of the dataset whose number another one gives.",
     inferPlace, dataset},
    {"ExperimentalDirectedInterleaveDataset",
     "selector_input_dataset: variant, data_input_datasets: N*variant",
     "handle: variant", KILN_ELEMENTS "; N: int >= 1",
     "DirectedInterleaveDataset.", inferPlace, dataset},
    {"UniqueDataset", "input_dataset: variant", "handle: variant",
     KILN_ELEMENTS "; metadata: string =",
     "The elements without those that have come before.", inferPlace, dataset},
    {"ExperimentalUniqueDataset", "input_dataset: variant", "handle: variant",
     KILN_ELEMENTS, "UniqueDataset.", inferPlace, dataset},
    {"ReduceDataset",
     "input_dataset: variant, initial_state: Tstate, other_arguments: "
     "Targuments",
     "components: output_types",
     "f: func; Tstate: list(type) >= 1; Targuments: list(type); " KILN_ELEMENTS
     "; use_inter_op_parallelism: bool = true; metadata: string =",
     "A state, which a function of it and of each element makes anew.",
     inferNextElement, dataset},
    {"TextLineDataset",
     "filenames: string, compression_type: string, buffer_size: int64",
     "handle: variant", "metadata: string =", "The lines of files.", inferPlace,
     dataset},
    {"TFRecordDataset",
     "filenames: string, compression_type: string, buffer_size: int64",
     "handle: variant", "metadata: string =", "The records of files.",
     inferPlace, dataset},
    {"TFRecordDatasetV2",
     "filenames: string, compression_type: string, buffer_size: int64, "
     "byte_offsets: int64",
     "handle: variant", "metadata: string =", "The records of files.",
     inferPlace, dataset},
    {"FixedLengthRecordDataset",
     "filenames: string, header_bytes: int64, record_bytes: int64, "
     "footer_bytes: int64, buffer_size: int64",
     "handle: variant", "metadata: string =", "Records of one length of files.",
     inferPlace, dataset},
    {"FixedLengthRecordDatasetV2",
     "filenames: string, header_bytes: int64, record_bytes: int64, "
     "footer_bytes: int64, buffer_size: int64, compression_type: string",
     "handle: variant", "metadata: string =", "Records of one length of files.",
     inferPlace, dataset},
    {"SerializeIterator", "resource_handle: resource", "serialized: variant",
     "external_state_policy: int = 0", "Where an iterator is.", inferPlace,
     dataset | stateful},
    {"DeserializeIterator", "resource_handle: resource, serialized: variant",
     "", "", "Puts an iterator where one like it was.", inferPipelineNone,
     dataset | stateful},
    {"GroupByReducerDataset",
     "input_dataset: variant, key_func_other_arguments: "
     "Tkey_func_other_arguments, init_func_other_arguments: "
     "Tinit_func_other_arguments, reduce_func_other_arguments: "
     "Treduce_func_other_arguments, finalize_func_other_arguments: "
     "Tfinalize_func_other_arguments",
     "handle: variant",
     "key_func: func; init_func: func; reduce_func: func; finalize_func: func; "
     "Tkey_func_other_arguments: list(type); Tinit_func_other_arguments: "
     "list(type); Treduce_func_other_arguments: list(type); "
     "Tfinalize_func_other_arguments: list(type); " KILN_ELEMENTS,
     "What functions make of all elements of a key.", inferPlace, dataset},
    {"ExperimentalGroupByReducerDataset",
     "input_dataset: variant, key_func_other_arguments: "
     "Tkey_func_other_arguments, init_func_other_arguments: "
     "Tinit_func_other_arguments, reduce_func_other_arguments: "
     "Treduce_func_other_arguments, finalize_func_other_arguments: "
     "Tfinalize_func_other_arguments",
     "handle: variant",
     "key_func: func; init_func: func; reduce_func: func; finalize_func: func; "
     "Tkey_func_other_arguments: list(type); Tinit_func_other_arguments: "
     "list(type); Treduce_func_other_arguments: list(type); "
     "Tfinalize_func_other_arguments: list(type); " KILN_ELEMENTS,
     "GroupByReducerDataset.", inferPlace, dataset},
    {"DummySeedGenerator", "", "handle: resource", "",
     "A place that ops on datasets take where they have seeds.", inferPlace,
     stateful | movesElements | stopsGradient},
    {"ShuffleDatasetV3",
     "input_dataset: variant, buffer_size: int64, seed: int64, seed2: int64, "
     "seed_generator: resource",
     "handle: variant",
     "reshuffle_each_iteration: bool = true; " KILN_ELEMENTS
     "; metadata: string =",
     "ShuffleDataset.", inferPlace, dataset},
    {"ShuffleAndRepeatDatasetV2",
     "input_dataset: variant, buffer_size: int64, seed: int64, seed2: int64, "
     "count: int64, seed_generator: resource",
     "handle: variant",
     "reshuffle_each_iteration: bool = true; " KILN_ELEMENTS
     "; metadata: string =",
     "ShuffleAndRepeatDataset.", inferPlace, dataset},
    {"RandomDatasetV2", "seed: int64, seed2: int64, seed_generator: resource",
     "handle: variant",
     "rerandomize_each_iteration: bool = false; " KILN_ELEMENTS
     "; metadata: string =",
     "RandomDataset, which may begin with other numbers each time.", inferPlace,
     dataset},
    {"IteratorGetNextAsOptional", "iterator: resource", "optional: variant",
     KILN_ELEMENTS, "An optional of the next element, of nothing at the end.",
     inferPlace, dataset | stateful},
    {"SparseTensorSliceDataset",
     "indices: int64, values: Tvalues, dense_shape: int64", "handle: variant",
     "Tvalues: type", "The rows of a sparse tensor.", inferPlace, dataset},
    {"DenseToSparseBatchDataset",
     "input_dataset: variant, batch_size: int64, row_shape: int64",
     "handle: variant", KILN_ELEMENTS,
     "Elements of different extents, so many at a time, as sparse tensors.",
     inferPlace, dataset},
    {"ExperimentalDenseToSparseBatchDataset",
     "input_dataset: variant, batch_size: int64, row_shape: int64",
     "handle: variant", KILN_ELEMENTS, "DenseToSparseBatchDataset.", inferPlace,
     dataset},
    {"ParseExampleDataset",
     "input_dataset: variant, num_parallel_calls: int64, dense_defaults: "
     "Tdense",
     "handle: variant",
     "sparse_keys: list(string) >= 0; dense_keys: list(string) >= 0; "
     "sparse_types: list({float32, int64, string}) >= 0; Tdense: "
     "list({float32, int64, string}) >= 0; dense_shapes: list(shape) >= "
     "0; " KILN_ELEMENTS
     "; sloppy: bool = false; ragged_keys: list(string) = []; "
     "ragged_value_types: list({float32, int64, string}) = []; "
     "ragged_split_types: list({int32, int64}) = []",
     "The features of batches of Example messages.", inferPlace, dataset},
    {"ParseExampleDatasetV2",
     "input_dataset: variant, num_parallel_calls: int64, dense_defaults: "
     "Tdense",
     "handle: variant",
     "sparse_keys: list(string) >= 0; dense_keys: list(string) >= 0; "
     "sparse_types: list({float32, int64, string}) >= 0; Tdense: "
     "list({float32, int64, string}) >= 0; dense_shapes: list(shape) >= "
     "0; " KILN_ELEMENTS
     "; deterministic: string = default; ragged_keys: list(string) = []; "
     "ragged_value_types: list({float32, int64, string}) = []; "
     "ragged_split_types: list({int32, int64}) = []",
     "ParseExampleDataset.", inferPlace, dataset},
    {"ExperimentalParseExampleDataset",
     "input_dataset: variant, num_parallel_calls: int64, dense_defaults: "
     "Tdense",
     "handle: variant",
     "sparse_keys: list(string) >= 0; dense_keys: list(string) >= 0; "
     "sparse_types: list({float32, int64, string}) >= 0; Tdense: "
     "list({float32, int64, string}) >= 0; dense_shapes: list(shape) >= "
     "0; " KILN_ELEMENTS "; sloppy: bool = false",
     "ParseExampleDataset.", inferPlace, dataset},
    {"RebatchDatasetV2",
     "input_dataset: variant, batch_sizes: int64, drop_remainder: bool",
     "handle: variant", KILN_ELEMENTS,
     "The rows of batches in batches of other sizes, in turn.", inferPlace,
     dataset},
    {"ListDataset", "tensors: Tinput_types", "handle: variant",
     "Tinput_types: list(type) >= 1; " KILN_ELEMENTS "; metadata: string =",
     "Elements that are given one by one.", inferPlace, dataset},
    {"DatasetCardinality", "input_dataset: variant", "cardinality: int64",
     "cardinality_options: string =",
     "How many elements a dataset has: -1 where it does not end, -2 where "
     "nobody knows.",
     inferPlace, dataset},
    {"ExperimentalDatasetCardinality", "input_dataset: variant",
     "cardinality: int64", "", "DatasetCardinality.", inferPlace, dataset},
    {"CSVDataset",
     "filenames: string, compression_type: string, buffer_size: int64, header: "
     "bool, field_delim: string, use_quote_delim: bool, na_value: string, "
     "select_cols: int64, record_defaults: output_types",
     "handle: variant", KILN_ELEMENTS, "The rows of CSV files.", inferPlace,
     dataset},
    {"CSVDatasetV2",
     "filenames: string, compression_type: string, buffer_size: int64, header: "
     "bool, field_delim: string, use_quote_delim: bool, na_value: string, "
     "select_cols: int64, record_defaults: output_types, exclude_cols: int64",
     "handle: variant", KILN_ELEMENTS, "The rows of CSV files.", inferPlace,
     dataset},
    {"ExperimentalCSVDataset",
     "filenames: string, compression_type: string, buffer_size: int64, header: "
     "bool, field_delim: string, use_quote_delim: bool, na_value: string, "
     "select_cols: int64, record_defaults: output_types",
     "handle: variant", KILN_ELEMENTS, "The rows of CSV files.", inferPlace,
     dataset},
    {"IteratorFromStringHandle", "string_handle: string",
     "resource_handle: resource",
     "output_types: list(type) = []; output_shapes: list(shape) = []",
     "The iterator of a name.", inferPlace, dataset | stateful},
    {"IteratorFromStringHandleV2", "string_handle: string",
     "resource_handle: resource",
     "output_types: list(type) = []; output_shapes: list(shape) = []",
     "The iterator of a name.", inferPlace, dataset | stateful},
    {"IteratorToStringHandle", "resource_handle: resource",
     "string_handle: string", "", "The name of an iterator.", inferPlace,
     dataset | stateful},
    {"DatasetToSingleElement", "dataset: variant", "components: output_types",
     KILN_ELEMENTS "; metadata: string =", "The only element of a dataset.",
     inferNextElement, dataset},
    {"ExperimentalTakeWhileDataset",
     "input_dataset: variant, other_arguments: Targuments", "handle: variant",
     "predicate: func; Targuments: list(type); " KILN_ELEMENTS,
     "TakeWhileDataset.", inferPlace, dataset},
    {"ExperimentalScanDataset",
     "input_dataset: variant, initial_state: Tstate, other_arguments: "
     "Targuments",
     "handle: variant",
     "f: func; Tstate: list(type) >= 1; Targuments: list(type); " KILN_ELEMENTS
     "; preserve_cardinality: bool = false",
     "ScanDataset.", inferPlace, dataset},
    {"MapAndBatchDataset",
     "input_dataset: variant, other_arguments: Targuments, batch_size: "
     "int64, num_parallel_calls: int64, drop_remainder: bool",
     "handle: variant",
     "f: func; Targuments: list(type); " KILN_ELEMENTS
     "; preserve_cardinality: bool = false; metadata: string =",
     "Batches of what a function gives.", inferPlace, dataset},
    {"ExperimentalMapAndBatchDataset",
     "input_dataset: variant, other_arguments: Targuments, batch_size: "
     "int64, num_parallel_calls: int64, drop_remainder: bool",
     "handle: variant",
     "f: func; Targuments: list(type); " KILN_ELEMENTS
     "; preserve_cardinality: bool = false",
     "MapAndBatchDataset.", inferPlace, dataset},
    {"ExperimentalMapDataset",
     "input_dataset: variant, other_arguments: Targuments", "handle: variant",
     "f: func; Targuments: list(type); " KILN_ELEMENTS
     "; use_inter_op_parallelism: bool = true; preserve_cardinality: "
     "bool = false; force_synchronous: bool = false",
     "MapDataset.", inferPlace, dataset},
    {"ExperimentalParallelInterleaveDataset",
     "input_dataset: variant, other_arguments: Targuments, "
     "cycle_length: int64, block_length: int64, sloppy: bool, "
     "buffer_output_elements: int64, prefetch_input_elements: int64",
     "handle: variant", "f: func; Targuments: list(type); " KILN_ELEMENTS,
     "InterleaveDataset.", inferPlace, dataset},
    {"LegacyParallelInterleaveDatasetV2",
     "input_dataset: variant, other_arguments: Targuments, "
     "cycle_length: int64, block_length: int64, buffer_output_elements: "
     "int64, prefetch_input_elements: int64",
     "handle: variant",
     "f: func; deterministic: string = default; Targuments: "
     "list(type); " KILN_ELEMENTS "; metadata: string =",
     "InterleaveDataset.", inferPlace, dataset},
    {"ParallelInterleaveDataset",
     "input_dataset: variant, other_arguments: Targuments, "
     "cycle_length: int64, block_length: int64, sloppy: bool, "
     "buffer_output_elements: int64, prefetch_input_elements: int64",
     "handle: variant",
     "f: func; Targuments: list(type); " KILN_ELEMENTS "; metadata: string =",
     "InterleaveDataset.", inferPlace, dataset},
    {"ParallelFilterDataset",
     "input_dataset: variant, other_arguments: Targuments, "
     "num_parallel_calls: int64",
     "handle: variant",
     "predicate: func; deterministic: string = default; Targuments: "
     "list(type); " KILN_ELEMENTS "; metadata: string =",
     "FilterDataset.", inferPlace, dataset},
    {"ParallelBatchDataset",
     "input_dataset: variant, batch_size: int64, num_parallel_calls: "
     "int64, drop_remainder: bool",
     "handle: variant",
     "parallel_copy: bool = false; " KILN_ELEMENTS
     "; deterministic: string = default; metadata: string =",
     "BatchDatasetV2.", inferPlace, dataset},
    {"AssertNextDataset", "input_dataset: variant, transformations: string",
     "handle: variant", KILN_ELEMENTS, "The elements.", inferPlace, dataset},
    {"BytesProducedStatsDataset", "input_dataset: variant, tag: string",
     "handle: variant", KILN_ELEMENTS, "The elements.", inferPlace, dataset},
    {"ExperimentalAssertNextDataset",
     "input_dataset: variant, transformations: string", "handle: variant",
     KILN_ELEMENTS, "The elements.", inferPlace, dataset},
    {"ExperimentalBytesProducedStatsDataset",
     "input_dataset: variant, tag: string", "handle: variant", KILN_ELEMENTS,
     "The elements.", inferPlace, dataset},
    {"ExperimentalLatencyStatsDataset", "input_dataset: variant, tag: string",
     "handle: variant", KILN_ELEMENTS, "The elements.", inferPlace, dataset},
    {"ExperimentalMaxIntraOpParallelismDataset",
     "input_dataset: variant, max_intra_op_parallelism: int64",
     "handle: variant", KILN_ELEMENTS, "The elements.", inferPlace, dataset},
    {"ExperimentalNonSerializableDataset", "input_dataset: variant",
     "handle: variant", KILN_ELEMENTS, "The elements.", inferPlace, dataset},
    {"ExperimentalPrivateThreadPoolDataset",
     "input_dataset: variant, num_threads: int64", "handle: variant",
     KILN_ELEMENTS, "The elements.", inferPlace, dataset},
    {"FinalizeDataset", "input_dataset: variant", "handle: variant",
     "has_captured_ref: bool = false; " KILN_ELEMENTS, "The elements.",
     inferPlace, dataset},
    {"LatencyStatsDataset", "input_dataset: variant, tag: string",
     "handle: variant", KILN_ELEMENTS, "The elements.", inferPlace, dataset},
    {"MaxIntraOpParallelismDataset",
     "input_dataset: variant, max_intra_op_parallelism: int64",
     "handle: variant", KILN_ELEMENTS, "The elements.", inferPlace, dataset},
    {"NonSerializableDataset", "input_dataset: variant", "handle: variant",
     KILN_ELEMENTS, "The elements.", inferPlace, dataset},
    {"OptimizeDataset", "input_dataset: variant, optimizations: string",
     "handle: variant",
     KILN_ELEMENTS "; optimization_configs: list(string) = []", "The elements.",
     inferPlace, dataset},
    {"OptimizeDatasetV2",
     "input_dataset: variant, optimizations_enabled: string, "
     "optimizations_disabled: string, optimizations_default: string",
     "handle: variant",
     KILN_ELEMENTS "; optimization_configs: list(string) = []", "The elements.",
     inferPlace, dataset},
    {"PrivateThreadPoolDataset", "input_dataset: variant, num_threads: int64",
     "handle: variant", KILN_ELEMENTS, "The elements.", inferPlace, dataset},
    {"RewriteDataset", "input_dataset: variant, rewrite_name: string",
     "handle: variant", KILN_ELEMENTS, "The elements.", inferPlace, dataset},
    {"RandomDataset", "seed: int64, seed2: int64", "handle: variant",
     KILN_ELEMENTS "; metadata: string =", "Random numbers without end.",
     inferPlace, dataset},
    {"ExperimentalRandomDataset", "seed: int64, seed2: int64",
     "handle: variant", KILN_ELEMENTS, "Random numbers without end.",
     inferPlace, dataset},
};

#undef KILN_ELEMENTS

} // namespace

OpFamily pipelineFamily() {
  return {"Pipeline", "datasets, and iterators in them", records};
}

} // namespace kiln
