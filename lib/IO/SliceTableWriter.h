// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes checkpoints of TensorFlow's version 1: one table of slices of tensors.
#ifndef KILN_LIB_IO_SLICETABLEWRITER_H
#define KILN_LIB_IO_SLICETABLEWRITER_H

#include "kiln/Tensor.h"
#include "lib/IO/proto/Checkpoint.pb.h"
#include "lib/Shape/TensorSlice.h"

#include <map>
#include <string>

namespace kiln::io {

/// Collects tensors, each as a message of its elements one by one, and writes
/// them at the end. **Thread safety**: none. **Source**: TensorSliceWriter.
class SliceTableWriter {
public:
  /// Adds a part of a tensor of this shape. **Errors**: INTERNAL, as
  /// TensorFlow's, for a part of another shape or dtype than those before;
  /// INVALID_ARGUMENT for one that was there, and for more than 2 GiB;
  /// UNIMPLEMENTED for dtypes that the format has no field for.
  Status add(const std::string &name, const Shape &whole,
             const TensorSlice &slice, const Tensor &tensor);
  /// **Errors**: as writeLevelTable().
  Status write(const std::string &path) const;

private:
  Status addMeta(const std::string &name, const Shape &whole,
                 const TensorSlice &slice, DType dtype);

  std::map<std::string, proto::SavedSliceMeta, std::less<>> tensors;
  std::map<std::string, std::string, std::less<>> entries; ///< by key
};

} // namespace kiln::io

#endif // KILN_LIB_IO_SLICETABLEWRITER_H
