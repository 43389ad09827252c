// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files from memory, or from the disk.
#include "tools/golden/Contents.h"

#include "lib/Support/File.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::golden {

StatusOr<std::shared_ptr<const Contents>>
Contents::open(const std::filesystem::path &path) {
  auto contents = std::make_shared<Contents>();
  if (!isArchive(path)) {
    contents->path = path;
    return contents;
  }
  contents->isPacked = true;
  KILN_ASSIGN_OR_RETURN(contents->files, readArchive(path));
  ArchiveFiles inSubfolders;
  for (const auto &[name, bytes] : contents->files)
    if (name.find('/') != std::string::npos)
      inSubfolders[name] = bytes;
  if (!inSubfolders.empty()) {
    KILN_ASSIGN_OR_RETURN(contents->subfolders,
                          UnpackedCase::write(inSubfolders));
    contents->path = contents->subfolders->folder();
  }
  return contents;
}

StatusOr<std::string> Contents::read(const std::string &name,
                                     size_t maxBytes) const {
  if (!isPacked) {
    KILN_ASSIGN_OR_RETURN(FileBytes bytes,
                          readFile((path / name).string(), maxBytes));
    return std::string(bytes.view());
  }
  auto found = files.find(name);
  if (found == files.end())
    return notFoundError(strCat("the archive has no file ", name));
  return found->second;
}

} // namespace kiln::golden
