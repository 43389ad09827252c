// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small messages of training programs: variables, and which checkpoints there
// are.
#include "lib/IO/Formats.h"
#include "lib/IO/Wire.h"
#include "lib/IO/proto/Training.pb.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {
namespace {

constexpr int maxDepth = 10;

template <class Values> auto toVector(const Values &values) {
  return std::vector(values.begin(), values.end());
}

} // namespace

StatusOr<std::string> encodeVariableDef(const VariableDef &variable) {
  proto::VariableDef message;
  message.set_variable_name(variable.variableName);
  message.set_initial_value_name(variable.initialValueName);
  message.set_initializer_name(variable.initializerName);
  message.set_snapshot_name(variable.snapshotName);
  message.set_is_resource(variable.isResource);
  message.set_trainable(variable.isTrainable);
  if (variable.slice) {
    const VariableDef::Slice &slice = *variable.slice;
    proto::SaveSliceInfoDef &info = *message.mutable_save_slice_info_def();
    info.set_full_name(slice.fullName);
    info.mutable_full_shape()->Assign(slice.fullShape.begin(),
                                      slice.fullShape.end());
    info.mutable_var_offset()->Assign(slice.offset.begin(), slice.offset.end());
    info.mutable_var_shape()->Assign(slice.shape.begin(), slice.shape.end());
  }
  return io::serialize(message, GraphDefFormat::Binary);
}

StatusOr<VariableDef> decodeVariableDef(std::string_view bytes) {
  proto::VariableDef message;
  KILN_RETURN_IF_ERROR(io::parseBinary(bytes, maxDepth, message));
  VariableDef variable{message.variable_name(),
                       message.initial_value_name(),
                       message.initializer_name(),
                       message.snapshot_name(),
                       message.is_resource(),
                       message.trainable(),
                       std::nullopt};
  if (message.has_save_slice_info_def()) {
    const proto::SaveSliceInfoDef &info = message.save_slice_info_def();
    variable.slice = VariableDef::Slice{
        info.full_name(), toVector(info.full_shape()),
        toVector(info.var_offset()), toVector(info.var_shape())};
  }
  return variable;
}

StatusOr<std::string> encodeCheckpointState(const CheckpointState &state) {
  proto::CheckpointState message;
  message.set_model_checkpoint_path(state.modelCheckpointPath);
  for (const std::string &path : state.allModelCheckpointPaths)
    message.add_all_model_checkpoint_paths(path);
  for (double time : state.allModelCheckpointTimestamps)
    message.add_all_model_checkpoint_timestamps(time);
  message.set_last_preserved_timestamp(state.lastPreservedTimestamp);
  return io::serialize(message, GraphDefFormat::Text);
}

StatusOr<CheckpointState> decodeCheckpointState(std::string_view text) {
  proto::CheckpointState message;
  KILN_RETURN_IF_ERROR(io::parseText(text, maxDepth, message));
  return CheckpointState{message.model_checkpoint_path(),
                         toVector(message.all_model_checkpoint_paths()),
                         toVector(message.all_model_checkpoint_timestamps()),
                         message.last_preserved_timestamp()};
}

} // namespace kiln
