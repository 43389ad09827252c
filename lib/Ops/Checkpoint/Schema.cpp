// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Checkpoint: ops that write and read checkpoints. Host kernels
// compute them, and runs are cut at them.
#include "lib/Ops/Checkpoint/Shape.h"
#include "lib/Ops/Families.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"SaveV2",
     "prefix: string, tensor_names: string, shape_and_slices: string, tensors: "
     "dtypes",
     "", "dtypes: list(type) >= 1",
     "Writes tensors, or parts of them, under names into the files of a "
     "checkpoint.",
     inferSave, stateful | cutsRun | movesElements | takesDatasets},
    {"RestoreV2",
     "prefix: string, tensor_names: string, shape_and_slices: string",
     "tensors: dtypes", "dtypes: list(type) >= 1",
     "Reads tensors, or parts of them, by name from a checkpoint.",
     inferRestore, stateful | cutsRun | movesElements | takesDatasets},
    {"Save", "filename: string, tensor_names: string, data: T", "",
     "T: list(type) >= 1",
     "Writes tensors under names into a checkpoint of version 1.",
     inferSaveWhole, stateful | cutsRun | movesElements},
    {"SaveSlices",
     "filename: string, tensor_names: string, shapes_and_slices: string, "
     "data: T",
     "", "T: list(type) >= 1",
     "Writes tensors, or parts of them, into a checkpoint of version 1.",
     inferSave, stateful | cutsRun | movesElements},
    {"Restore", "file_pattern: string, tensor_name: string", "tensor: dt",
     "dt: type; preferred_shard: int = -1",
     "Reads a tensor from a checkpoint of version 1.", inferRestoreOne,
     stateful | cutsRun | movesElements},
    {"RestoreSlice",
     "file_pattern: string, tensor_name: string, shape_and_slice: string",
     "tensor: dt", "dt: type; preferred_shard: int = -1",
     "Reads a tensor, or a part of it, from a checkpoint of version 1.",
     inferRestoreOne, stateful | cutsRun | movesElements},
    {"MergeV2Checkpoints",
     "checkpoint_prefixes: string, destination_prefix: string", "",
     "delete_old_dirs: bool = true; allow_missing_files: bool = false",
     "Makes one checkpoint of several, whose files it moves.",
     inferMergeCheckpoints, stateful | cutsRun},
    {"GenerateVocabRemapping", "new_vocab_file: string, old_vocab_file: string",
     "remapping: int64, num_present: int32",
     "new_vocab_offset: int >= 0; num_new_vocab: int >= 0; old_vocab_size: int "
     ">= -1 = -1",
     "The line of another file that each line of a file has; -1 for none.",
     inferVocabularyRemapping, cutsRun | stopsGradient},
    {"LoadAndRemapMatrix",
     "ckpt_path: string, old_tensor_name: string, row_remapping: int64, "
     "col_remapping: int64, initializing_values: float32",
     "output_matrix: float32",
     "num_rows: int >= 0; num_cols: int >= 1; max_rows_in_memory: int = -1",
     "A checkpoint's matrix with its rows and columns at other places.",
     inferRemappedMatrix, stateful | cutsRun | stopsGradient},
    {"ShardedFilename", "basename: string, shard: int32, num_shards: int32",
     "filename: string", "",
     "The name of one file of several: basename-00003-of-00010.",
     inferShardedName},
    {"ShardedFilespec", "basename: string, num_shards: int32",
     "filename: string", "",
     "A pattern of the names of several files: basename-\?\?\?\?\?-of-00010.",
     inferShardedName},
};

} // namespace

OpFamily checkpointFamily() {
  return {"Checkpoint", "ops that write and read checkpoints", records};
}

} // namespace kiln
