// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TF_WritableFile, folders and names of files (env.h), on the files of the
// machine.
#include "capi/Handles.h"
#include "tensorflow/c/env.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using namespace kiln::capi;

struct TF_WritableFileHandle {
  int file;
  std::string path;
};

struct TF_StringStream {
  std::vector<std::string> texts;
  size_t next = 0;
};

namespace {

namespace fs = std::filesystem;

/// The result of a call of the system: an error of the path where it is not 0.
void finish(int result, const std::string &path, TF_Status *status) {
  clearStatus(status);
  if (result != 0)
    TF_SetStatusFromIOError(status, errno, path.c_str());
}

bool isFolder(const fs::path &path) {
  std::error_code error;
  return fs::is_directory(fs::symlink_status(path, error));
}

/// Deletes what is below, then the folder, and counts what stays.
void deleteBelow(const fs::path &folder, int64_t &files, int64_t &folders) {
  std::error_code error;
  std::vector<fs::path> entries;
  for (fs::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error))
    entries.push_back(at->path());
  for (const fs::path &entry : entries) {
    if (isFolder(entry))
      deleteBelow(entry, files, folders);
    else if (unlink(entry.c_str()) != 0)
      ++files;
  }
  if (rmdir(folder.c_str()) != 0)
    ++folders;
}

} // namespace

void TF_CreateDir(const char *dirname, TF_Status *status) {
  finish(mkdir(dirname, 0755), dirname, status);
}

void TF_DeleteDir(const char *dirname, TF_Status *status) {
  finish(rmdir(dirname), dirname, status);
}

void TF_DeleteRecursively(const char *dirname, int64_t *undeleted_file_count,
                          int64_t *undeleted_dir_count, TF_Status *status) {
  clearStatus(status);
  *undeleted_file_count = 0;
  *undeleted_dir_count = 0;
  if (access(dirname, F_OK) != 0) {
    *undeleted_dir_count = 1;
    TF_SetStatus(status, TF_NOT_FOUND,
                 (std::string(dirname) + " not found").c_str());
    return;
  }
  if (isFolder(dirname))
    deleteBelow(dirname, *undeleted_file_count, *undeleted_dir_count);
  else if (unlink(dirname) != 0)
    *undeleted_file_count = 1;
  if (*undeleted_file_count + *undeleted_dir_count > 0)
    TF_SetStatusFromIOError(status, errno, dirname);
}

void TF_FileStat(const char *filename, TF_FileStatistics *stats,
                 TF_Status *status) {
  struct stat found{};
  finish(stat(filename, &found), filename, status);
  if (TF_GetCode(status) != TF_OK)
    return;
  stats->length = found.st_size;
  stats->mtime_nsec = static_cast<int64_t>(found.st_mtim.tv_sec) * 1000000000 +
                      found.st_mtim.tv_nsec;
  stats->is_directory = S_ISDIR(found.st_mode);
}

void TF_NewWritableFile(const char *filename, TF_WritableFileHandle **handle,
                        TF_Status *status) {
  *handle = nullptr;
  const int file =
      open(filename, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  finish(file < 0, filename, status);
  if (file >= 0)
    *handle = new TF_WritableFileHandle{file, filename};
}

void TF_CloseWritableFile(TF_WritableFileHandle *handle, TF_Status *status) {
  finish(close(handle->file), handle->path, status);
  delete handle;
}

void TF_SyncWritableFile(TF_WritableFileHandle *handle, TF_Status *status) {
  finish(fsync(handle->file), handle->path, status);
}

// Nothing waits in the process.
void TF_FlushWritableFile(TF_WritableFileHandle *, TF_Status *status) {
  clearStatus(status);
}

void TF_AppendWritableFile(TF_WritableFileHandle *handle, const char *data,
                           size_t length, TF_Status *status) {
  clearStatus(status);
  while (length > 0) {
    const ssize_t written = write(handle->file, data, length);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return finish(-1, handle->path, status);
    data += written;
    length -= static_cast<size_t>(written);
  }
}

void TF_DeleteFile(const char *filename, TF_Status *status) {
  finish(unlink(filename), filename, status);
}

bool TF_StringStreamNext(TF_StringStream *list, const char **result) {
  const bool isThere = list && list->next < list->texts.size();
  *result = isThere ? list->texts[list->next++].c_str() : nullptr;
  return isThere;
}

void TF_StringStreamDone(TF_StringStream *list) { delete list; }

TF_StringStream *TF_GetChildren(const char *filename, TF_Status *status) {
  DIR *folder = opendir(filename);
  finish(folder ? 0 : -1, filename, status);
  auto stream = std::make_unique<TF_StringStream>();
  if (!folder)
    return stream.release();
  while (const dirent *entry = readdir(folder))
    if (std::strcmp(entry->d_name, ".") != 0 &&
        std::strcmp(entry->d_name, "..") != 0)
      stream->texts.emplace_back(entry->d_name);
  closedir(folder);
  return stream.release();
}

TF_StringStream *TF_GetLocalTempDirectories(void) {
  auto stream = std::make_unique<TF_StringStream>();
  const char *const candidates[] = {std::getenv("TEST_TMPDIR"),
                                    std::getenv("TMPDIR"), std::getenv("TMP"),
                                    "/tmp"};
  for (const char *folder : candidates)
    if (folder && isFolder(fs::path(folder)))
      stream->texts.emplace_back(folder);
  return stream.release();
}

// The name is for the caller to free().
char *TF_GetTempFileName(const char *extension) {
  const std::unique_ptr<TF_StringStream> folders(TF_GetLocalTempDirectories());
  for (const std::string &folder : folders->texts) {
    std::string path = folder + "/tmp_file_kiln_" + std::to_string(getpid()) +
                       "_XXXXXX" + extension;
    const int file = mkstemps(path.data(), static_cast<int>(strlen(extension)));
    if (file < 0)
      continue;
    // Another program may not take the name; TensorFlow leaves no file.
    close(file);
    unlink(path.c_str());
    return strdup(path.c_str());
  }
  return nullptr;
}
