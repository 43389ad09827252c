// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that the elements of a dataset are kept in, as TensorFlow's caches are:
// a checkpoint in which "0000012_1" is component 1 of element 12.
#ifndef KILN_LIB_OPS_PIPELINE_HOSTELEMENTFILE_H
#define KILN_LIB_OPS_PIPELINE_HOSTELEMENTFILE_H

#include "lib/Pipelines/Dataset.h"
#include "lib/Support/FileAccess.h"

#include <memory>
#include <string>

namespace kiln {

/// Takes elements one after the other. Without finish() nothing is left.
/// Thread safety: none.
class ElementWriter {
public:
  virtual ~ElementWriter() = default;
  /// **Errors**: INVALID_ARGUMENT for more than ten million elements;
  /// UNIMPLEMENTED for variants; of the file.
  virtual Status add(const Element &element) = 0;
  virtual Status finish() = 0;
};

/// Gives them again. Thread safety: none.
class ElementReader {
public:
  virtual ~ElementReader() = default;
  /// False behind the last one. **Errors**: DATA_LOSS and those of the file.
  virtual StatusOr<bool> next(Element &element) = 0;
  /// From the beginning behind so many. **Errors**: OUT_OF_RANGE.
  virtual Status skip(int64_t count) = 0;
};

/// **Errors**: those of the file.
StatusOr<std::unique_ptr<ElementWriter>>
makeElementWriter(const std::string &prefix);
StatusOr<std::unique_ptr<ElementReader>>
openElementReader(const std::string &prefix, size_t numComponents,
                  const FileAccess &files);

} // namespace kiln

#endif // KILN_LIB_OPS_PIPELINE_HOSTELEMENTFILE_H
