// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The system calls that change files, in one place, so that a test can make
// each of them fail.
#ifndef KILN_LIB_SUPPORT_FILECALLS_H
#define KILN_LIB_SUPPORT_FILECALLS_H

#include <cstddef>
#include <sys/types.h>

namespace kiln {

/// Each function is the system's of the same meaning: -1 and errno on failure.
/// **Thread safety**: all functions.
class FileCalls {
public:
  virtual int makeTemporary(char *pattern);
  virtual int openForWriting(const char *path, int flags, mode_t mode);
  virtual ssize_t write(int file, const void *bytes, size_t count);
  virtual int setMode(int file, mode_t mode);
  /// fsync() of a file or a folder.
  virtual int sync(int file);
  virtual int rename(const char *from, const char *to);
  virtual int unlink(const char *path);
  virtual int makeFolder(const char *path, mode_t mode);
  virtual int removeFolder(const char *path);

protected:
  ~FileCalls() = default;
};

/// The system's, or those of a test.
FileCalls &fileCalls() noexcept;

/// The rights of a file that takes the place of what is at a path: those of the
/// one that is there, or those that the process gives new files (umask).
mode_t rightsOfFile(const char *path);

/// Syncs a file or folder, whatever signals come.
int syncFile(int file);

/// Puts others in place of the system's for all threads while it lives; for
/// tests, which do this before they start threads.
class FileCallsScope {
public:
  explicit FileCallsScope(FileCalls &calls);
  ~FileCallsScope();
  FileCallsScope(const FileCallsScope &) = delete;
  FileCallsScope &operator=(const FileCallsScope &) = delete;
};

} // namespace kiln

#endif // KILN_LIB_SUPPORT_FILECALLS_H
