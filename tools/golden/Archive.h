// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packed cases: an archive each, which tools/golden/cases.py makes.
#ifndef KILN_TOOLS_GOLDEN_ARCHIVE_H
#define KILN_TOOLS_GOLDEN_ARCHIVE_H

#include "kiln/Status.h"

#include <filesystem>
#include <memory>
#include <string>

namespace kiln::golden {

/// The files of an archive in a folder of their own, which is removed with the
/// object. **Thread safety**: const after it is made.
class UnpackedCase {
public:
  /// How the names of archives end.
  static constexpr std::string_view suffix = ".tar.xz";

  /// Unpacks an archive into a new folder in the one for temporary files.
  /// **Errors**: INVALID_ARGUMENT, with the path, for what is no archive, for
  /// one that is cut short and for a member that is no file below the folder;
  /// INTERNAL where the files cannot be written.
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

/// Whether a path is one of a packed case.
bool isArchive(const std::filesystem::path &path);

/// The name of a case: its folder's, or its archive's without the suffix.
std::string caseName(const std::filesystem::path &path);

} // namespace kiln::golden

#endif // KILN_TOOLS_GOLDEN_ARCHIVE_H
