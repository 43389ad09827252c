// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The perf map: text lines "address size name", both numbers in hexadecimal.
//
// The folder is everybody's: the file is created, or is this user's own plain
// file with one name; links are not followed.
#include "lib/Loader/CodeNames.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <sys/stat.h>
#include <unistd.h>

namespace kiln {
namespace {

/// A file descriptor that closes itself.
class File {
public:
  explicit File(int descriptor) : descriptor(descriptor) {}
  ~File() {
    if (descriptor >= 0)
      close(descriptor);
  }
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  int get() const { return descriptor; }

private:
  int descriptor;
};

Status fileError(const char *what, const std::string &path) {
  return unknownError(strCat(what, " ", path, ": ", std::strerror(errno)));
}

std::string line(uint64_t address, uint64_t size, const std::string &name) {
  char numbers[48];
  std::snprintf(numbers, sizeof numbers, "%llx %llx ",
                static_cast<unsigned long long>(address),
                static_cast<unsigned long long>(size));
  std::string text = numbers;
  for (char c : name) // a line a symbol, whatever a node is called
    text += static_cast<unsigned char>(c) < ' ' ? '?' : c;
  return text + '\n';
}

Status writeAll(int descriptor, std::string_view text,
                const std::string &path) {
  while (!text.empty()) {
    ssize_t written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return fileError("writing", path);
    text.remove_prefix(static_cast<size_t>(written));
  }
  return okStatus();
}

/// All entries of the process. `mutex` guards everything.
class PerfMap {
public:
  Status add(const std::vector<CodeSymbol> &symbols) {
    std::lock_guard lock(mutex);
    bool isStale = owner != getpid(); // the first time, and after fork
    std::string text;
    for (const CodeSymbol &symbol : symbols) {
      isStale |= dropOverlapping(symbol);
      entries[symbol.address] = {symbol.size, symbol.name};
      text += line(symbol.address, symbol.size, symbol.name);
    }
    if (isStale)
      return rewrite();
    std::string path = perfMapPath();
    File file(open(path.c_str(),
                   O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0)
      return fileError("opening", path);
    KILN_RETURN_IF_ERROR(checkOwn(file.get(), path));
    return writeAll(file.get(), text, path);
  }

private:
  struct Entry {
    uint64_t size;
    std::string name;
  };

  /// True when code that has gone lay there.
  bool dropOverlapping(const CodeSymbol &symbol) {
    auto from = entries.upper_bound(symbol.address);
    if (from != entries.begin()) {
      auto before = std::prev(from);
      if (before->first + before->second.size > symbol.address)
        from = before;
    }
    auto to = entries.lower_bound(symbol.address + symbol.size);
    bool any = from != to;
    entries.erase(from, to);
    return any;
  }

  static Status checkOwn(int descriptor, const std::string &path) {
    struct stat info;
    if (fstat(descriptor, &info) != 0)
      return fileError("looking at", path);
    if (!S_ISREG(info.st_mode) || info.st_uid != geteuid() ||
        info.st_nlink != 1)
      return permissionDeniedError(
          strCat("expected ", path, " to be a plain file of this user"));
    return okStatus();
  }

  /// Replaces the file in one step.
  Status rewrite() {
    std::string path = perfMapPath();
    struct stat info;
    if (lstat(path.c_str(), &info) == 0 &&
        (!S_ISREG(info.st_mode) || info.st_uid != geteuid() ||
         info.st_nlink != 1))
      return permissionDeniedError(
          strCat("expected ", path, " to be a plain file of this user"));
    std::string temporary = path + ".XXXXXX";
    File file(mkostemp(temporary.data(), O_CLOEXEC)); // mode 0600, exclusive
    if (file.get() < 0)
      return fileError("creating", temporary);
    std::string text;
    for (const auto &[address, entry] : entries)
      text += line(address, entry.size, entry.name);
    Status status = writeAll(file.get(), text, temporary);
    if (status.ok() && rename(temporary.c_str(), path.c_str()) != 0)
      status = fileError("renaming to", path);
    if (!status.ok()) {
      unlink(temporary.c_str());
      return status;
    }
    owner = getpid();
    return okStatus();
  }

  std::mutex mutex;
  std::map<uint64_t, Entry> entries;
  pid_t owner = -1;
};

} // namespace

std::string perfMapPath() { return strCat("/tmp/perf-", getpid(), ".map"); }

Status addToPerfMap(const std::vector<CodeSymbol> &symbols) {
  static PerfMap &map = *new PerfMap; // code may come and go until the very end
  return map.add(symbols);
}

} // namespace kiln
