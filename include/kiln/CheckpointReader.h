// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a checkpoint holds, without a graph that it fits.
#ifndef KILN_CHECKPOINTREADER_H
#define KILN_CHECKPOINTREADER_H

#include "kiln/Export.h"
#include "kiln/Status.h"
#include "kiln/Tensor.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace kiln {

/// What a checkpoint says of a variable.
struct CheckpointVariable {
  DType dtype = DType::Invalid;
  Shape shape;
  bool operator==(const CheckpointVariable &) const = default;
};

/// Reads variables by their names. **Thread safety**: none. **Source**:
/// tf.train.NewCheckpointReader.
class KILN_EXPORT CheckpointReader {
public:
  /// Takes a prefix, or a folder whose newest checkpoint is meant. **Errors**:
  /// NOT_FOUND for none; DATA_LOSS for a damaged index; as latestCheckpoint().
  static StatusOr<CheckpointReader> open(const std::string &prefixOrFolder);
  CheckpointReader(CheckpointReader &&) noexcept;
  CheckpointReader &operator=(CheckpointReader &&) noexcept;
  ~CheckpointReader();

  /// By name; one in parts is one. **Errors**: DATA_LOSS for an entry that
  /// describes no tensor. **Source**: tf.train.list_variables.
  StatusOr<std::map<std::string, CheckpointVariable>> variables();
  /// The value, of parts put together. **Errors**: NOT_FOUND "Key x not found
  /// in checkpoint"; DATA_LOSS and OUT_OF_RANGE for damaged data. **Source**:
  /// tf.train.load_variable.
  StatusOr<Tensor> tensor(const std::string &name);

private:
  struct KILN_HIDDEN Data;
  explicit CheckpointReader(std::unique_ptr<Data> data);
  std::unique_ptr<Data> data;
};

} // namespace kiln

#endif // KILN_CHECKPOINTREADER_H
