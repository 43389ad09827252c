// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which checkpoints are in a folder: the file "checkpoint" beside them.
#ifndef KILN_CHECKPOINTS_H
#define KILN_CHECKPOINTS_H

#include "kiln/Export.h"
#include "kiln/Status.h"

#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// What the file "checkpoint" says. **Source**: CheckpointState.
struct CheckpointState {
  std::string modelCheckpointPath = {};
  std::vector<std::string> allModelCheckpointPaths = {}; ///< oldest first
  /// None, or one a path: seconds since 1970.
  std::vector<double> allModelCheckpointTimestamps = {};
  double lastPreservedTimestamp = 0;
};

struct CheckpointStateOptions {
  /// The file's name; it has no folder in it.
  std::string latestFilename = "checkpoint";
  /// Paths below the folder are written without it.
  bool saveRelativePaths = false;
  /// Paths to elsewhere than below the folder are taken, too.
  bool allowOutside = false;
};

/// Reads the file; relative paths come with the folder before them. Nothing
/// where there is no such file, or it cannot be read. **Errors**:
/// INVALID_ARGUMENT for one that names no checkpoint; PERMISSION_DENIED for one
/// whose newest is not below the folder, unless the options allow it; older
/// ones elsewhere are left out then. **Source**:
/// tf.train.get_checkpoint_state; differs in the latter.
KILN_EXPORT StatusOr<std::optional<CheckpointState>>
getCheckpointState(const std::string &folder,
                   const CheckpointStateOptions &options = {});
/// The newest checkpoint, if its files are there; empty for none. **Errors**:
/// as getCheckpointState(). **Source**: tf.train.latest_checkpoint.
KILN_EXPORT StatusOr<std::string>
latestCheckpoint(const std::string &folder,
                 const CheckpointStateOptions &options = {});
/// Replaces the file in one step. The newest path becomes the last one, if it
/// is not. **Errors**: INVALID_ARGUMENT for timestamps that are not one a path;
/// FAILED_PRECONDITION where the file is a checkpoint's own; those of the
/// system. **Source**: tf.train.update_checkpoint_state.
KILN_EXPORT Status
updateCheckpointState(const std::string &folder, CheckpointState state,
                      const CheckpointStateOptions &options = {});

/// Whether a checkpoint's index is there. **Source**:
/// tf.train.checkpoint_exists.
KILN_EXPORT bool checkpointExists(const std::string &prefix);
/// Removes the files of a checkpoint: its index first, so that what is left
/// over is none. **Errors**: those of the system. **Source**:
/// tf.train.remove_checkpoint.
KILN_EXPORT Status removeCheckpoint(const std::string &prefix,
                                    std::string_view metaGraphSuffix = "meta");

} // namespace kiln

#endif // KILN_CHECKPOINTS_H
