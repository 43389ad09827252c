// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files of a case, whether they stand in a folder or are packed.
#ifndef KILN_TOOLS_GOLDEN_CONTENTS_H
#define KILN_TOOLS_GOLDEN_CONTENTS_H

#include "tools/golden/Archive.h"

namespace kiln::golden {

/// **Invariants**: of a packed case, all files stand in memory, and those in
/// subfolders (checkpoints, which a session reads by path) in a temporary
/// folder as well, which goes with the object. **Thread safety**: const after
/// it is made.
class Contents {
public:
  /// Opens a folder, or an archive. **Errors**: as readArchive() and
  /// UnpackedCase::write().
  static StatusOr<std::shared_ptr<const Contents>>
  open(const std::filesystem::path &path);

  /// Reads a file. **Errors**: as readFile(); NOT_FOUND for one that an archive
  /// does not have.
  StatusOr<std::string> read(const std::string &name, size_t maxBytes) const;

  /// The folder that the case's subfolders stand in; empty where there is none.
  const std::filesystem::path &folder() const { return path; }

private:
  std::filesystem::path path;
  bool isPacked = false;
  ArchiveFiles files;
  std::shared_ptr<const UnpackedCase> subfolders;
};

} // namespace kiln::golden

#endif // KILN_TOOLS_GOLDEN_CONTENTS_H
