// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole files through POSIX calls, because streams can neither sync nor say why
// they failed.
#include "lib/Support/File.h"

#include "lib/Support/DataMemory.h"
#include "lib/Support/FileCalls.h"
#include "lib/Support/FileStream.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace kiln {

Status errnoError(int number, std::string_view action, std::string_view path) {
  std::string message = strCat("cannot ", action, " ", quote(path), ": ",
                               std::generic_category().message(number));
  switch (number) {
  case ENOENT:
    return notFoundError(std::move(message));
  case EACCES:
  case EPERM:
  case EROFS:
    return permissionDeniedError(std::move(message));
  case ENOSPC:
  case EDQUOT:
  case EFBIG:
  case EMFILE:
  case ENFILE:
  case ENOMEM:
    return resourceExhaustedError(std::move(message));
  case ENOTDIR:
  case EISDIR:
  case ENAMETOOLONG:
  case ELOOP:
  case EINVAL:
    return invalidArgumentError(std::move(message));
  default:
    return unavailableError(std::move(message));
  }
}

namespace {

/// Closes a descriptor when it goes.
class Descriptor {
public:
  explicit Descriptor(int descriptor) : fd(descriptor) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() {
    if (fd >= 0)
      ::close(fd);
  }
  int get() const { return fd; }

private:
  int fd;
};

/// Removes the temporary file unless it was renamed.
class TemporaryFile {
public:
  explicit TemporaryFile(std::string name) : path(std::move(name)) {}
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;
  ~TemporaryFile() {
    if (!path.empty())
      fileCalls().unlink(path.c_str());
  }
  void keep() { path.clear(); }

private:
  std::string path;
};

Status writeAll(int fd, std::string_view bytes, std::string_view path) {
  while (!bytes.empty()) {
    ssize_t written = fileCalls().write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR)
      return errnoError(errno, "write", path);
    if (written > 0)
      bytes.remove_prefix(static_cast<size_t>(written));
  }
  return okStatus();
}

} // namespace

Status appendToFile(const std::string &path, std::string_view bytes) {
  Descriptor file(::open(path.c_str(),
                         O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK,
                         0666));
  return file.get() < 0 ? errnoError(errno, "open", path)
                        : writeAll(file.get(), bytes, path);
}

StatusOr<FileBytes> readFile(const std::string &path, size_t maxBytes) {
  // O_NONBLOCK: opening a pipe must not wait for its writer.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0)
    return errnoError(errno, "open", path);
  struct stat info;
  if (::fstat(file.get(), &info) != 0)
    return errnoError(errno, "read", path);
  if (!S_ISREG(info.st_mode))
    return invalidArgumentError(
        strCat("cannot read ", quote(path), ": not a regular file"));
  auto size = static_cast<size_t>(info.st_size);
  if (size > maxBytes)
    return resourceExhaustedError(strCat("file ", quote(path), " has ", size,
                                         " bytes, the limit is ", maxBytes));
  BufferRef bytes = allocateBuffer(size);
  if (!bytes)
    return outOfMemory(strCat("the contents of file ", quote(path)), size);
  size_t filled = 0;
  while (filled < size) {
    ssize_t count = ::read(
        file.get(), static_cast<char *>(bytes->data) + filled, size - filled);
    if (count < 0 && errno != EINTR)
      return errnoError(errno, "read", path);
    if (count == 0)
      break;
    if (count > 0)
      filled += static_cast<size_t>(count);
  }
  // A file that has become shorter gives what is left of it.
  return FileBytes(std::move(bytes), filled);
}

Status writeFileAtomically(const std::string &path, std::string_view bytes) {
  return writeFileAtomically(path, {}, bytes);
}

Status writeFileAtomically(const std::string &path, std::string_view header,
                           std::string_view bytes) {
  std::string pattern = path + ".tmp-XXXXXX";
  Descriptor file(fileCalls().makeTemporary(pattern.data()));
  if (file.get() < 0)
    return errnoError(errno, "create", path);
  TemporaryFile temporary(pattern);
  // mkostemp makes the file private.
  if (fileCalls().setMode(file.get(), rightsOfFile(path.c_str())) != 0)
    return errnoError(errno, "write", path);
  KILN_RETURN_IF_ERROR(writeAll(file.get(), header, path));
  KILN_RETURN_IF_ERROR(writeAll(file.get(), bytes, path));
  if (syncFile(file.get()) != 0)
    return errnoError(errno, "sync", path);
  if (fileCalls().rename(pattern.c_str(), path.c_str()) != 0)
    return errnoError(errno, "replace", path);
  temporary.keep();
  return syncFolder(parentOf(path));
}

} // namespace kiln
