// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packed cases: an archive each, which tools/golden/cases.py makes.
#ifndef KILN_TOOLS_GOLDEN_ARCHIVE_H
#define KILN_TOOLS_GOLDEN_ARCHIVE_H

#include "kiln/Status.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>

namespace kiln::golden {

/// How the names of archives end.
constexpr std::string_view archiveSuffix = ".tar.xz";

/// Whether a path is one of a packed case.
bool isArchive(const std::filesystem::path &path);

/// The name of a case: its folder's, or its archive's without the suffix.
std::string caseName(const std::filesystem::path &path);

/// The contents of files by name, which may have folders in it.
using ArchiveFiles = std::map<std::string, std::string, std::less<>>;

/// Reads an archive. **Errors**: INVALID_ARGUMENT, with the path, for what is
/// no archive, for one that is cut short and for a member that is no file below
/// the archive's folder.
StatusOr<ArchiveFiles> readArchive(const std::filesystem::path &path);

/// Files in a folder of their own, which is removed with the object. **Thread
/// safety**: const after it is made.
class UnpackedCase {
public:
  /// Writes files into a new folder in the one for temporary files. **Errors**:
  /// INTERNAL where they cannot be written.
  static StatusOr<std::shared_ptr<const UnpackedCase>>
  write(const ArchiveFiles &files);

  /// Unpacks an archive. **Errors**: as readArchive() and write().
  static StatusOr<std::shared_ptr<const UnpackedCase>>
  unpack(const std::filesystem::path &archive);

  explicit UnpackedCase(std::filesystem::path folder);
  ~UnpackedCase();
  UnpackedCase(const UnpackedCase &) = delete;
  UnpackedCase &operator=(const UnpackedCase &) = delete;

  const std::filesystem::path &folder() const { return path; }

private:
  const std::filesystem::path path;
};

} // namespace kiln::golden

#endif // KILN_TOOLS_GOLDEN_ARCHIVE_H
