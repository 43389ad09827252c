// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow's messages as plain values, for the layers that may not see
// protobuf.
#ifndef KILN_LIB_IO_FORMATS_H
#define KILN_LIB_IO_FORMATS_H

#include "kiln/Checkpoints.h"
#include "kiln/MetaGraph.h"
#include "kiln/RunStats.h"

#include <span>

namespace kiln {

/// Names of a variable's nodes. **Source**: VariableDef.
struct VariableDef {
  std::string variableName, initialValueName, initializerName, snapshotName;
  bool isResource = false;
  bool isTrainable = true;
  /// Of a part of a partitioned variable.
  struct Slice {
    std::string fullName;
    std::vector<int64_t> fullShape, offset, shape;
  };
  std::optional<Slice> slice;
};

/// A message of one of these kinds. Overloads: a table of functions holds them
/// by their types.
StatusOr<std::string> encodeVariableDef(const VariableDef &variable);
StatusOr<VariableDef> decodeVariableDef(std::string_view bytes);
StatusOr<std::string> encodeSaverDef(const SaverDef &saver);
StatusOr<SaverDef> decodeSaverDef(std::string_view bytes);
/// As text.
StatusOr<std::string> encodeCheckpointState(const CheckpointState &state);
StatusOr<CheckpointState> decodeCheckpointState(std::string_view text);
StatusOr<std::string> encodeSavedModel(std::span<const MetaGraph> metaGraphs);
StatusOr<std::vector<MetaGraph>>
decodeSavedModel(std::string_view bytes, const GraphLoadOptions &options);

} // namespace kiln

#endif // KILN_LIB_IO_FORMATS_H
