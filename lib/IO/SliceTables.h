// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads checkpoints of TensorFlow's version 1: tables of slices of tensors, in
// a file or in several.
#ifndef KILN_LIB_IO_SLICETABLES_H
#define KILN_LIB_IO_SLICETABLES_H

#include "kiln/Tensor.h"
#include "lib/IO/LevelTable.h"
#include "lib/Shape/TensorSlice.h"
#include "lib/Support/FileAccess.h"

#include <map>
#include <string>
#include <vector>

namespace kiln::io {

/// A tensor of such a checkpoint.
struct SlicedTensor {
  DType dtype = DType::Invalid;
  Shape shape;
  std::vector<TensorSlice> slices;
  std::vector<size_t> tables; ///< of each slice
};

/// **Thread safety**: none. **Source**: TensorSliceReader.
class SliceTables {
public:
  /// The files that a path or pattern means ("model-?????-of-00002"); sorted.
  static std::vector<std::string> filesOf(const std::string &pattern);

  /// Reads files that `access` allows. **Errors**, with TensorFlow's texts:
  /// NOT_FOUND where there is none; DATA_LOSS for what is no table and for
  /// tables that do not fit each other; INTERNAL for a table without the entry
  /// that says what it has.
  static StatusOr<SliceTables> open(const std::string &pattern,
                                    const FileAccess &access = {});

  /// **Errors**: NOT_FOUND.
  StatusOr<SlicedTensor> find(const std::string &name) const;
  /// Reads a part of a tensor. **Errors**: DATA_LOSS for a damaged entry;
  /// INVALID_ARGUMENT where parts are missing, and for strings that are not
  /// stored as this part.
  StatusOr<Tensor> read(const std::string &name, const SlicedTensor &stored,
                        const TensorSlice &slice);

private:
  Status add(const std::string &path);
  StatusOr<Tensor> readEntry(const std::string &name,
                             const SlicedTensor &stored, size_t slice);

  std::string pattern;
  std::vector<LevelTable> tables;
  std::map<std::string, SlicedTensor, std::less<>> tensors;
};

} // namespace kiln::io

#endif // KILN_LIB_IO_SLICETABLES_H
