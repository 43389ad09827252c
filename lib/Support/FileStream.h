// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that are read at any place, or written piece by piece and put in place
// in one step.
#ifndef KILN_LIB_SUPPORT_FILESTREAM_H
#define KILN_LIB_SUPPORT_FILESTREAM_H

#include "kiln/Status.h"

#include <string>
#include <string_view>
#include <utility>

namespace kiln {

/// Makes the Status of an errno with TensorFlow's text, "<path>; No such file
/// or directory", and the code of errnoError(), but FAILED_PRECONDITION for
/// what is a folder, is none, or is not empty.
Status fileError(int number, std::string_view path);

/// A file descriptor that closes itself.
class FileDescriptor {
public:
  explicit FileDescriptor(int descriptor = -1) : fd(descriptor) {}
  FileDescriptor(FileDescriptor &&other) noexcept
      : fd(std::exchange(other.fd, -1)) {}
  FileDescriptor &operator=(FileDescriptor &&other) noexcept {
    std::swap(fd, other.fd);
    return *this;
  }
  ~FileDescriptor();
  int get() const { return fd; }

private:
  int fd;
};

/// A regular file to read from. **Thread safety**: read() from any thread.
class FileReader {
public:
  /// **Errors**: as fileError(); FAILED_PRECONDITION for a folder, device or
  /// pipe.
  static StatusOr<FileReader> open(const std::string &path);

  /// When it was opened.
  int64_t size() const { return bytes; }
  /// Reads up to `count` bytes from `offset` on; returns how many there were:
  /// fewer at the end of the file alone. **Errors**: as fileError().
  StatusOr<int64_t> read(int64_t offset, char *to, int64_t count) const;

private:
  FileReader(std::string path, FileDescriptor file, int64_t bytes)
      : path(std::move(path)), file(std::move(file)), bytes(bytes) {}

  std::string path;
  FileDescriptor file;
  int64_t bytes = 0;
};

/// A file that is written under a temporary name beside its own, which it gets
/// in commit(): without that nothing is left of it.
class FileWriter {
public:
  /// **Errors**: as fileError().
  static StatusOr<FileWriter> create(const std::string &path);
  FileWriter(FileWriter &&other) noexcept
      : path(std::move(other.path)),
        temporary(std::exchange(other.temporary, {})),
        file(std::move(other.file)), bytes(other.bytes) {}
  ~FileWriter();

  int64_t size() const { return bytes; }
  /// **Errors**: as fileError().
  Status append(std::string_view data);
  /// Brings what was written to the disk.
  Status sync();
  /// Gives the file its name; a power failure may take it again until its
  /// folder is synced.
  Status commit();

private:
  FileWriter(std::string path, std::string temporary, FileDescriptor file)
      : path(std::move(path)), temporary(std::move(temporary)),
        file(std::move(file)) {}

  std::string path, temporary;
  FileDescriptor file;
  int64_t bytes = 0;
};

/// Brings names that were given and taken away in a folder (empty: the current
/// one) to the disk. **Errors**: as fileError().
Status syncFolder(std::string_view folder);

/// Makes a folder, not its parents, for good. **Edges**: an empty path and one
/// that is there are fine. **Errors**: as fileError().
Status makeFolder(std::string_view folder);

/// The whole of a regular file. **Errors**: as FileReader;
/// RESOURCE_EXHAUSTED beyond maxBytes or without memory.
StatusOr<std::string> readWholeFile(const std::string &path, int64_t maxBytes);

/// Everything up to the last slash; empty where there is none.
std::string_view folderOf(std::string_view path);

/// The folder that a path is in: "/" and "." where it names none.
std::string_view parentOf(std::string_view path);

} // namespace kiln

#endif // KILN_LIB_SUPPORT_FILESTREAM_H
