// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes the file that names checkpoints, and removes old ones.
#include "kiln/Checkpoints.h"

#include "lib/IO/Formats.h"
#include "lib/Support/File.h"
#include "lib/Support/FileCalls.h"
#include "lib/Support/FileStream.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <cerrno>
#include <filesystem>
#include <fnmatch.h>

namespace kiln {
namespace {

namespace fs = std::filesystem;

constexpr size_t maxStateBytes = 64 << 20;

bool isAbsolute(std::string_view path) { return path.starts_with('/'); }

/// Without ".." and doubled slashes, from the root.
fs::path fullPath(const std::string &path) {
  std::error_code error;
  fs::path full = fs::absolute(path.empty() ? "." : path, error);
  full = full.lexically_normal();
  return full.has_filename() ? full : full.parent_path();
}

/// As os.path.relpath.
std::string relativeTo(const std::string &path, const std::string &folder) {
  return fullPath(path).lexically_relative(fullPath(folder)).string();
}

std::string join(const std::string &folder, const std::string &name) {
  return (fs::path(folder) / name).string();
}

bool isBelow(const std::string &path, const std::string &folder) {
  return !relativeTo(path, folder).starts_with("..");
}

/// Applies to all paths.
template <class Change> void changePaths(CheckpointState &state, Change with) {
  with(state.modelCheckpointPath);
  for (std::string &path : state.allModelCheckpointPaths)
    with(path);
}

/// Leaves older checkpoints out that are not below the folder.
void removeOutside(CheckpointState &state, const std::string &folder) {
  auto &paths = state.allModelCheckpointPaths;
  auto &times = state.allModelCheckpointTimestamps;
  const bool hasTimes = times.size() == paths.size();
  for (size_t i = paths.size(); i-- > 0;) {
    if (isBelow(paths[i], folder))
      continue;
    const auto place = static_cast<std::ptrdiff_t>(i);
    paths.erase(paths.begin() + place);
    if (hasTimes)
      times.erase(times.begin() + place);
  }
}

} // namespace

StatusOr<std::optional<CheckpointState>>
getCheckpointState(const std::string &folder,
                   const CheckpointStateOptions &options) {
  auto none = std::optional<CheckpointState>();
  auto bytes = readFile(join(folder, options.latestFilename), maxStateBytes);
  if (!bytes.ok())
    return none;
  auto state = decodeCheckpointState(bytes->view());
  if (!state.ok())
    return none;
  if (state->modelCheckpointPath.empty())
    return invalidArgumentError(
        strCat("Invalid checkpoint state loaded from ", folder));
  changePaths(*state, [&](std::string &path) {
    if (!isAbsolute(path))
      path = join(folder, path);
  });
  if (options.allowOutside)
    return std::optional(*std::move(state));
  if (!isBelow(state->modelCheckpointPath, folder))
    return permissionDeniedError(
        strCat("the file ", quote(join(folder, options.latestFilename)),
               " names a checkpoint that is not below its folder: ",
               quote(state->modelCheckpointPath)));
  removeOutside(*state, folder);
  return std::optional(*std::move(state));
}

StatusOr<std::string> latestCheckpoint(const std::string &folder,
                                       const CheckpointStateOptions &options) {
  KILN_ASSIGN_OR_RETURN(std::optional<CheckpointState> state,
                        getCheckpointState(folder, options));
  if (state && checkpointExists(state->modelCheckpointPath))
    return std::move(state->modelCheckpointPath);
  return std::string();
}

Status updateCheckpointState(const std::string &folder, CheckpointState state,
                             const CheckpointStateOptions &options) {
  if (options.latestFilename.find('/') != std::string::npos)
    return invalidArgumentError(
        "'latest_filename' must not contain path components");
  auto &all = state.allModelCheckpointPaths;
  if (all.empty() || all.back() != state.modelCheckpointPath)
    all.push_back(state.modelCheckpointPath);
  if (const auto &times = state.allModelCheckpointTimestamps;
      !times.empty() && times.size() != all.size())
    return invalidArgumentError(
        strCat("Checkpoint timestamps, if provided, must match checkpoint "
               "paths (got ",
               all.size(), " paths and ", times.size(), " timestamps)"));
  changePaths(state, [&](std::string &path) {
    if (isAbsolute(path) ? options.saveRelativePaths : !isAbsolute(folder))
      path = relativeTo(path, folder);
  });
  std::string file = join(folder, options.latestFilename);
  if (file == state.modelCheckpointPath)
    return failedPreconditionError(
        strCat("Save path '", state.modelCheckpointPath,
               "' conflicts with path used for checkpoint state.  Please use a "
               "different save path."));
  KILN_ASSIGN_OR_RETURN(std::string text, encodeCheckpointState(state));
  return writeFileAtomically(file, text);
}

bool checkpointExists(const std::string &prefix) {
  std::error_code error;
  return fs::exists(prefix + ".index", error) || fs::exists(prefix, error);
}

Status removeCheckpoint(const std::string &prefix,
                        std::string_view metaGraphSuffix) {
  std::string folder(parentOf(prefix));
  std::string name = fs::path(prefix).filename().string();
  std::vector<std::string> rest;
  if (!metaGraphSuffix.empty())
    rest.push_back(strCat(prefix, ".", metaGraphSuffix));
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    std::string file = at->path().filename().string();
    if (!file.starts_with(name))
      continue;
    // Also what saves that were killed left behind.
    for (const char *pattern : {".data-[0-9]*-of-[0-9]*", ".index.tmp-*"})
      if (fnmatch(pattern, file.c_str() + name.size(), 0) == 0)
        rest.push_back(at->path().string());
  }
  Status status;
  auto remove = [&](const std::string &path) {
    if (fileCalls().unlink(path.c_str()) != 0 && errno != ENOENT && status.ok())
      status = fileError(errno, path);
  };
  remove(prefix + ".index");
  KILN_RETURN_IF_ERROR(status);
  for (const std::string &path : rest)
    remove(path);
  return status;
}

} // namespace kiln
