// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// POSIX calls, repeated where a signal interrupts them.
#include "lib/Support/FileStream.h"

#include "lib/Support/DataMemory.h"
#include "lib/Support/File.h"
#include "lib/Support/FileCalls.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace kiln {

Status fileError(int number, std::string_view path) {
  const bool isOfState =
      number == EISDIR || number == ENOTDIR || number == ENOTEMPTY;
  return Status(isOfState ? StatusCode::FailedPrecondition
                          : errnoError(number, "use", path).code(),
                strCat(path, "; ", std::generic_category().message(number)));
}

FileDescriptor::~FileDescriptor() {
  if (fd >= 0)
    ::close(fd);
}

StatusOr<FileReader> FileReader::open(const std::string &path) {
  // O_NONBLOCK: opening a pipe must not wait for its writer.
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0)
    return fileError(errno, path);
  struct stat info;
  if (::fstat(file.get(), &info) != 0)
    return fileError(errno, path);
  if (!S_ISREG(info.st_mode))
    return failedPreconditionError(strCat(
        path, "; ",
        S_ISDIR(info.st_mode) ? "Is a directory" : "Not a regular file"));
  return FileReader(path, std::move(file), info.st_size);
}

StatusOr<int64_t> FileReader::read(int64_t offset, char *to,
                                   int64_t count) const {
  int64_t total = 0;
  while (total < count) {
    ssize_t got = ::pread(file.get(), to + total,
                          static_cast<size_t>(count - total), offset + total);
    if (got < 0 && errno != EINTR)
      return fileError(errno, path);
    if (got == 0)
      break;
    if (got > 0)
      total += got;
  }
  return total;
}

StatusOr<FileWriter> FileWriter::create(const std::string &path) {
  std::string pattern = path + ".tmp-XXXXXX";
  FileDescriptor file(fileCalls().makeTemporary(pattern.data()));
  if (file.get() < 0)
    return fileError(errno, errno == ENOENT ? folderOf(path) : path);
  // mkostemp makes the file private.
  FileWriter writer(path, std::move(pattern), std::move(file));
  if (fileCalls().setMode(writer.file.get(), rightsOfFile(path.c_str())) != 0)
    return fileError(errno, path);
  return writer;
}

FileWriter::~FileWriter() {
  if (!temporary.empty())
    fileCalls().unlink(temporary.c_str());
}

namespace {

/// The system begins to bring a file to the disk each time that so many bytes
/// more have been written, while others are. Without it all waits for the
/// fsync(): 1 GiB onto ext4 took 2.2 to 2.9 s then, 0.4 to 0.6 s with it (AMD
/// EPYC, virtual disk, 25 November 2026).
constexpr int64_t writebackBytes = 8 << 20;

/// Begins to write the blocks that were filled since the file had `before`
/// bytes. No more than a hint: what fails shows in the fsync().
void startWriteback(int file, int64_t before, int64_t bytes) {
#if defined(__linux__)
  const int64_t from = before / writebackBytes * writebackBytes;
  const int64_t to = bytes / writebackBytes * writebackBytes;
  if (to > from)
    ::sync_file_range(file, from, to - from, SYNC_FILE_RANGE_WRITE);
#endif
}

} // namespace

Status FileWriter::append(std::string_view data) {
  const int64_t before = bytes;
  while (!data.empty()) {
    ssize_t written = fileCalls().write(file.get(), data.data(), data.size());
    if (written < 0 && errno != EINTR)
      return fileError(errno, path);
    if (written > 0) {
      bytes += written;
      data.remove_prefix(static_cast<size_t>(written));
    }
  }
  startWriteback(file.get(), before, bytes);
  return okStatus();
}

Status FileWriter::sync() {
  return syncFile(file.get()) == 0 ? okStatus() : fileError(errno, path);
}

Status FileWriter::commit() {
  if (fileCalls().rename(temporary.c_str(), path.c_str()) != 0)
    return fileError(errno, path);
  temporary.clear();
  return okStatus();
}

Status syncFolder(std::string_view folder) {
  std::string path(folder.empty() ? "." : folder);
  FileDescriptor directory(
      ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Folders that are for writing alone, and those of some file systems, cannot
  // be synced.
  if (directory.get() < 0)
    return errno == EACCES ? okStatus() : fileError(errno, path);
  if (syncFile(directory.get()) != 0 && errno != EINVAL && errno != ENOTSUP)
    return fileError(errno, path);
  return okStatus();
}

Status makeFolder(std::string_view folder) {
  std::string path(folder);
  if (path.empty())
    return okStatus();
  if (fileCalls().makeFolder(path.c_str(), 0755) == 0)
    return syncFolder(parentOf(path));
  return errno == EEXIST ? okStatus() : fileError(errno, path);
}

StatusOr<std::string> readWholeFile(const std::string &path, int64_t maxBytes) {
  KILN_ASSIGN_OR_RETURN(FileReader file, FileReader::open(path));
  auto size = static_cast<size_t>(file.size());
  if (file.size() > maxBytes)
    return resourceExhaustedError(strCat("file ", quote(path), " has ", size,
                                         " bytes, the limit is ", maxBytes));
  std::string contents;
  try {
    if (!mayAllocateData(size))
      throw std::bad_alloc();
    contents.resize(size);
  } catch (const std::bad_alloc &) {
    return outOfMemory(strCat("the contents of file ", quote(path)), size);
  }
  KILN_ASSIGN_OR_RETURN(int64_t got,
                        file.read(0, contents.data(), file.size()));
  contents.resize(static_cast<size_t>(got));
  return contents;
}

std::string_view parentOf(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/'))
    path.remove_suffix(1);
  size_t slash = path.rfind('/');
  return slash == path.npos ? "." : path.substr(0, slash == 0 ? 1 : slash);
}

std::string_view folderOf(std::string_view path) {
  size_t slash = path.rfind('/');
  return slash == path.npos ? std::string_view() : path.substr(0, slash);
}

} // namespace kiln
