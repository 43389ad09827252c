// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which files the ops of a session may use.
#ifndef KILN_LIB_SUPPORT_FILEACCESS_H
#define KILN_LIB_SUPPORT_FILEACCESS_H

#include "kiln/Status.h"

#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// Folders below which files may be read and written.
///
/// Thread safety: constant. **Cost**: nothing without folders; else the system
/// calls that resolve a path.
class FileAccess {
public:
  /// Whatever the process may.
  FileAccess() = default;
  /// Nothing but what is below these. **Errors**: those of the system for a
  /// folder that is not there.
  static StatusOr<FileAccess> below(const std::vector<std::string> &folders);

  /// Checks a file, or the folder of one that is to be made. Links and ".." are
  /// followed first. **Errors**: PERMISSION_DENIED with the path.
  Status check(const std::string &path) const;

private:
  /// Without links; none: all.
  std::optional<std::vector<std::string>> folders;
};

} // namespace kiln

#endif // KILN_LIB_SUPPORT_FILEACCESS_H
