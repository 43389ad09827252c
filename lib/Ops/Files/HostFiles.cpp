// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads, writes and finds files.
#include "lib/Ops/Files/Host.h"

#include "lib/IO/InputFile.h"
#include "lib/Support/File.h"
#include "lib/Support/FileStream.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fnmatch.h>
#include <system_error>

namespace kiln::host {

using namespace io;
namespace {

namespace fs = std::filesystem;

std::string textOf(const Tensor &tensor, size_t i = 0) {
  return std::string(tensor.data<String>()[i].view());
}

Status checkScalar(const Tensor &tensor, std::string_view what) {
  if (tensor.rank() == 0)
    return okStatus();
  return invalidArgumentError(strCat(
      what, " must be scalar, but had shape: ", tensor.shape().toString()));
}

bool isPattern(std::string_view path) {
  return path.find_first_of("*?[\\") != path.npos;
}

/// "a/b/c" -> "a", "a/b", "a/b/c"; of a relative pattern below ".".
std::vector<std::string> prefixesOf(const std::string &pattern) {
  std::string path = pattern;
  if (isPattern(path.substr(0, path.find('/'))))
    path = "./" + path;
  std::vector<std::string> prefixes;
  for (size_t end = 0; end != path.npos && end + 1 < path.size();) {
    end = path.find('/', end + 1);
    if (std::string prefix = path.substr(0, end); !prefix.ends_with('/'))
      prefixes.push_back(std::move(prefix));
  }
  if (path.starts_with('/'))
    prefixes.insert(prefixes.begin(), "/");
  return prefixes;
}

/// The entries of a folder that match, in no order; none where it cannot be
/// read.
void matchChildren(const std::string &folder, const std::string &pattern,
                   std::vector<std::string> &matches) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    std::string path = strCat(folder, folder.ends_with('/') ? "" : "/",
                              at->path().filename().string());
    if (fnmatch(pattern.c_str(), path.c_str(), FNM_PATHNAME) == 0)
      matches.push_back(std::move(path));
  }
}

StatusOr<std::vector<std::string>> pathsMatching(const std::string &pattern,
                                                 const FileAccess &files) {
  if (pattern.empty())
    return std::vector<std::string>();
  const std::vector<std::string> prefixes = prefixesOf(pattern);
  auto first = std::ranges::find_if(prefixes, isPattern);
  std::error_code error;
  if (first == prefixes.end()) {
    KILN_RETURN_IF_ERROR(files.check(pattern));
    if (fs::exists(pattern, error))
      return std::vector<std::string>{pattern};
    return std::vector<std::string>();
  }
  std::vector<std::string> folders{*(first - 1)};
  for (auto level = first;; ++level) {
    std::vector<std::string> matches;
    for (const std::string &folder : folders) {
      KILN_RETURN_IF_ERROR(files.check(folder));
      matchChildren(folder, *level, matches);
    }
    if (level + 1 == prefixes.end())
      return matches;
    std::erase_if(matches, [&](const std::string &path) {
      return !fs::is_directory(path, error);
    });
    folders = std::move(matches);
  }
}

} // namespace

Status readFile(const HostCall &call) {
  KILN_RETURN_IF_ERROR(checkScalar(call.inputs[0], "Input filename tensor"));
  std::string path = textOf(call.inputs[0]);
  KILN_RETURN_IF_ERROR(call.files.check(path));
  KILN_ASSIGN_OR_RETURN(std::string contents, readFileContents(path));
  KILN_ASSIGN_OR_RETURN(call.outputs[0],
                        Tensor::fromStrings(Shape(), {contents}));
  return okStatus();
}

/// What a path means, behind links, as far as there is anything; the name of
/// what is made where a link points at nothing.
static std::string behindLinks(std::string path) {
  constexpr int maxLinks = 40; // the system's
  for (int i = 0; i < maxLinks; ++i) {
    std::error_code error;
    fs::path target = fs::read_symlink(path, error);
    if (error)
      break;
    path = (fs::path(path).parent_path() / target).string();
  }
  return path;
}

Status writeFile(const HostCall &call) {
  KILN_RETURN_IF_ERROR(checkScalar(call.inputs[0], "Input filename tensor"));
  KILN_RETURN_IF_ERROR(checkScalar(call.inputs[1], "Contents tensor"));
  std::string path = behindLinks(textOf(call.inputs[0]));
  KILN_RETURN_IF_ERROR(call.files.check(path));
  std::error_code error;
  if (fs::is_symlink(path, error))
    return unknownError(
        strCat(path, "; ", std::generic_category().message(ELOOP)));
  if (std::string folder(folderOf(path));
      !folder.empty() && !fs::exists(folder, error)) {
    fs::create_directories(folder, error);
    if (error)
      return fileError(error.value(), folder);
  }
  if (path.empty())
    return fileError(ENOENT, path);
  if (fs::is_directory(path, error))
    return fileError(EISDIR, path);
  const std::string_view bytes = call.inputs[1].data<String>()[0].view();
  // A pipe or a device is written into, not replaced.
  if (fs::exists(path, error) && !fs::is_regular_file(path, error))
    return appendToFile(path, bytes);
  KILN_ASSIGN_OR_RETURN(FileWriter writer, FileWriter::create(path));
  KILN_RETURN_IF_ERROR(writer.append(bytes));
  return writer.commit();
}

Status matchingFiles(const HostCall &call) {
  const Tensor &patterns = call.inputs[0];
  if (patterns.rank() > 1)
    return invalidArgumentError(strCat("Input patterns tensor must be scalar "
                                       "or vector, but had shape: ",
                                       patterns.shape().toString()));
  std::vector<std::string> paths;
  for (int64_t i = 0; i < patterns.numElements(); ++i) {
    KILN_ASSIGN_OR_RETURN(
        std::vector<std::string> found,
        pathsMatching(textOf(patterns, static_cast<size_t>(i)), call.files));
    std::ranges::move(found, std::back_inserter(paths));
  }
  std::ranges::sort(paths);
  KILN_ASSIGN_OR_RETURN(
      call.outputs[0],
      Tensor::fromStrings(Shape({static_cast<int64_t>(paths.size())}),
                          std::span<const std::string>(paths)));
  return okStatus();
}

} // namespace kiln::host
