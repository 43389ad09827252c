// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls the system.
#include "lib/Support/FileCalls.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kiln {

int FileCalls::makeTemporary(char *pattern) {
  return ::mkostemp(pattern, O_CLOEXEC);
}
int FileCalls::openForWriting(const char *path, int flags, mode_t mode) {
  return ::open(path, flags, mode);
}
ssize_t FileCalls::write(int file, const void *bytes, size_t count) {
  return ::write(file, bytes, count);
}
int FileCalls::setMode(int file, mode_t mode) { return ::fchmod(file, mode); }
int FileCalls::sync(int file) { return ::fsync(file); }
int FileCalls::rename(const char *from, const char *to) {
  return std::rename(from, to);
}
int FileCalls::unlink(const char *path) { return ::unlink(path); }
int FileCalls::makeFolder(const char *path, mode_t mode) {
  return ::mkdir(path, mode);
}
int FileCalls::removeFolder(const char *path) { return ::rmdir(path); }

namespace {

class SystemCalls final : public FileCalls {};
constinit SystemCalls systemCalls;
constinit std::atomic<FileCalls *> current = &systemCalls;

} // namespace

FileCalls &fileCalls() noexcept {
  return *current.load(std::memory_order_acquire);
}

/// The rights that the process takes away from new files. umask(), which says
/// them, sets them for other threads meanwhile. Where the system does not tell,
/// all but the owner's.
static mode_t creationMask() {
  constexpr mode_t unknown = 077;
  std::FILE *file = std::fopen("/proc/self/status", "re");
  if (!file)
    return unknown;
  mode_t mask = unknown;
  char line[256];
  while (std::fgets(line, sizeof line, file))
    if (std::strncmp(line, "Umask:", 6) == 0)
      mask = static_cast<mode_t>(std::strtoul(line + 6, nullptr, 8));
  std::fclose(file);
  return mask;
}

mode_t rightsOfFile(const char *path) {
  struct stat old;
  return ::stat(path, &old) == 0 ? old.st_mode & 0777 : 0666 & ~creationMask();
}

int syncFile(int file) {
  int result;
  do
    result = fileCalls().sync(file);
  while (result != 0 && errno == EINTR);
  return result;
}

FileCallsScope::FileCallsScope(FileCalls &calls) { current = &calls; }
FileCallsScope::~FileCallsScope() { current = &systemCalls; }

} // namespace kiln
