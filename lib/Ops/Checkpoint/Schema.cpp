// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Checkpoint: ops that write and read checkpoints. They have no
// lowering: runs are cut at them, and lib/IO does them.
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
     inferSave, stateful | cutsRun | movesElements},
    {"RestoreV2",
     "prefix: string, tensor_names: string, shape_and_slices: string",
     "tensors: dtypes", "dtypes: list(type) >= 1",
     "Reads tensors, or parts of them, by name from a checkpoint.",
     inferRestore, stateful | cutsRun | movesElements},
    {"MergeV2Checkpoints",
     "checkpoint_prefixes: string, destination_prefix: string", "",
     "delete_old_dirs: bool = true; allow_missing_files: bool = false",
     "Makes one checkpoint of several, whose files it moves.",
     inferMergeCheckpoints, stateful | cutsRun},
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
