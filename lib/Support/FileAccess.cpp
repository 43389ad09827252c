// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares paths by where they lead to.
#include "lib/Support/FileAccess.h"

#include "lib/Support/FileStream.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <sys/stat.h>

namespace kiln {
namespace {

struct Free {
  void operator()(char *text) const { std::free(text); }
};

/// The path without links; none where something of it is not there.
std::optional<std::string> resolve(const std::string &path) {
  std::unique_ptr<char, Free> resolved(::realpath(path.c_str(), nullptr));
  return resolved ? std::optional<std::string>(resolved.get()) : std::nullopt;
}

/// What is there of a path.
std::optional<std::string> resolveBeginning(std::string path) {
  for (;;) {
    if (auto found = resolve(path.empty() ? "." : path))
      return found;
    if (errno != ENOENT)
      return std::nullopt;
    std::string_view last = std::string_view(path);
    last.remove_prefix(std::min(last.size(), folderOf(path).size()));
    // What is not there yet must not lead up again, nor be a link to nowhere:
    // who makes the file makes it where the link leads to.
    struct stat info;
    if (last.find("..") != last.npos || ::lstat(path.c_str(), &info) == 0)
      return std::nullopt;
    bool isRoot = path.find('/') == 0 && folderOf(path).empty();
    path = isRoot ? "/" : std::string(folderOf(path));
  }
}

bool isBelow(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) &&
         (path.size() == folder.size() || folder.ends_with('/') ||
          path[folder.size()] == '/');
}

} // namespace

StatusOr<FileAccess>
FileAccess::below(const std::vector<std::string> &folders) {
  FileAccess access;
  access.folders.emplace();
  for (const std::string &folder : folders) {
    auto resolved = resolve(folder);
    if (!resolved)
      return fileError(errno, folder);
    access.folders->push_back(*std::move(resolved));
  }
  return access;
}

Status FileAccess::check(const std::string &path) const {
  if (!folders)
    return okStatus();
  if (path.find('\0') == path.npos)
    if (auto resolved = resolveBeginning(path))
      for (const std::string &folder : *folders)
        if (isBelow(*resolved, folder))
          return okStatus();
  return permissionDeniedError(
      strCat("the session's options do not allow the file ", quote(path)));
}

} // namespace kiln
