// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unpacking by libarchive.
#include "tools/golden/Archive.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <vector>

namespace kiln::golden {
namespace {

namespace fs = std::filesystem;

constexpr size_t pieceBytes = size_t{1} << 16;

struct FreeReader {
  void operator()(struct archive *reader) const { archive_read_free(reader); }
};

Status misread(const fs::path &path, std::string_view what) {
  return invalidArgumentError(strCat(path.string(), ": ", what));
}

/// With what libarchive says.
Status misread(const fs::path &path, struct archive *reader) {
  const char *reason = archive_error_string(reader);
  return misread(path, reason ? reason : "cannot be read");
}

/// A member's name, which is below the archive's folder.
StatusOr<std::string> nameOf(struct archive_entry *member,
                             const fs::path &path) {
  const char *text = archive_entry_pathname(member);
  const fs::path name = text ? text : "";
  if (archive_entry_filetype(member) != AE_IFREG || name.empty() ||
      name.is_absolute() || std::ranges::find(name, "..") != name.end())
    return misread(path, strCat("expected files below the archive's folder, "
                                "got ",
                                quote(name.string())));
  return name.string();
}

/// The contents of the member that was found last.
StatusOr<std::string> readMember(struct archive *reader, const fs::path &path) {
  std::string contents;
  std::vector<char> piece(pieceBytes);
  for (;;) {
    const la_ssize_t read =
        archive_read_data(reader, piece.data(), piece.size());
    if (read < 0)
      return misread(path, reader);
    if (read == 0)
      return contents;
    contents.append(piece.data(), static_cast<size_t>(read));
  }
}

} // namespace

UnpackedCase::UnpackedCase(fs::path folder) : path(std::move(folder)) {}

UnpackedCase::~UnpackedCase() {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

StatusOr<std::shared_ptr<const UnpackedCase>>
UnpackedCase::write(const ArchiveFiles &files) {
  std::error_code error;
  std::string pattern = fs::temp_directory_path(error) / "kiln_case_XXXXXX";
  if (error || !mkdtemp(pattern.data()))
    return internalError(strCat("expected to make a folder ", quote(pattern)));
  auto unpacked = std::make_shared<const UnpackedCase>(pattern);
  for (const auto &[name, contents] : files) {
    const fs::path target = unpacked->folder() / name;
    fs::create_directories(target.parent_path(), error);
    std::ofstream file(target, std::ios::binary);
    file << contents;
    file.close();
    if (error || !file)
      return internalError(strCat("cannot write ", target.string()));
  }
  return unpacked;
}

StatusOr<std::shared_ptr<const UnpackedCase>>
UnpackedCase::unpack(const fs::path &archive) {
  KILN_ASSIGN_OR_RETURN(ArchiveFiles files, readArchive(archive));
  return write(files);
}

StatusOr<ArchiveFiles> readArchive(const fs::path &path) {
  std::unique_ptr<struct archive, FreeReader> reader(archive_read_new());
  if (!reader)
    return internalError("no memory to read an archive");
  archive_read_support_filter_xz(reader.get());
  archive_read_support_format_tar(reader.get());
  if (archive_read_open_filename(reader.get(), path.c_str(), pieceBytes) !=
      ARCHIVE_OK)
    return misread(path, reader.get());
  ArchiveFiles files;
  struct archive_entry *member = nullptr;
  int read = ARCHIVE_OK;
  while ((read = archive_read_next_header(reader.get(), &member)) ==
         ARCHIVE_OK) {
    KILN_ASSIGN_OR_RETURN(std::string name, nameOf(member, path));
    KILN_ASSIGN_OR_RETURN(files[name], readMember(reader.get(), path));
  }
  if (read != ARCHIVE_EOF)
    return misread(path, reader.get());
  return files;
}

bool isArchive(const fs::path &path) {
  std::error_code error;
  return path.filename().string().ends_with(archiveSuffix) &&
         fs::is_regular_file(path, error);
}

std::string caseName(const fs::path &path) {
  std::string name = fs::absolute(path / "").parent_path().filename().string();
  if (name.ends_with(archiveSuffix))
    name.resize(name.size() - archiveSuffix.size());
  return name;
}

} // namespace kiln::golden
