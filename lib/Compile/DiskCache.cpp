// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of the disk cache: reading, replacing, dropping the oldest.
#include "lib/Compile/DiskCache.h"

#include "lib/Support/File.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>
#include <vector>

namespace kiln {
namespace {

constexpr std::string_view magic = "kilncf1\n";
constexpr size_t headerBytes = 8 + 2 * sizeof(Digest);
constexpr std::string_view entryEnding = ".kiln";
constexpr std::string_view unfinishedPrefix = "new-";
/// Whoever writes an entry has ended long before.
constexpr time_t unfinishedSeconds = 600;

std::string_view viewOf(const Digest &digest) {
  return {reinterpret_cast<const char *>(digest.data()), digest.size()};
}

std::string headerOf(const Digest &key, std::string_view bytes) {
  return strCat(magic, viewOf(key), viewOf(digestOf(bytes)));
}

/// The entry's function; nothing for bytes that are no whole entry of the key.
std::optional<CompiledFunction> parse(const Digest &key,
                                      std::string_view file) {
  if (file.size() < headerBytes)
    return std::nullopt;
  std::string_view bytes = file.substr(headerBytes);
  if (file.substr(0, headerBytes) != headerOf(key, bytes))
    return std::nullopt;
  auto function = decodeCompiledFunction(bytes);
  return function.ok() ? std::optional(*std::move(function)) : std::nullopt;
}

Status checkFolder(const std::string &folder) {
  struct stat info;
  if (lstat(folder.c_str(), &info) != 0)
    return errnoError(errno, "look at", folder);
  if (!S_ISDIR(info.st_mode))
    return invalidArgumentError(
        strCat("expected a folder for compiled code, got ", quote(folder)));
  if (info.st_uid != geteuid() || (info.st_mode & 077) != 0)
    return permissionDeniedError(
        strCat("expected a folder for compiled code that is this user's own, "
               "with mode 0700, got ",
               quote(folder)));
  return okStatus();
}

} // namespace

StatusOr<std::shared_ptr<DiskCache>>
DiskCache::open(const DiskCacheOptions &options, const Digest &generator) {
  if (options.maxBytes < 1)
    return invalidArgumentError(strCat(
        "expected at least 1 byte for compiled code, got ", options.maxBytes));
  if (mkdir(options.folder.c_str(), 0700) != 0 && errno != EEXIST)
    return errnoError(errno, "create", options.folder);
  KILN_RETURN_IF_ERROR(checkFolder(options.folder));
  return std::shared_ptr<DiskCache>(new DiskCache(options, generator));
}

std::string DiskCache::pathOf(const Digest &key, int slot) const {
  constexpr char digits[] = "0123456789abcdef";
  std::string path = folder + "/";
  for (uint8_t byte : key) {
    path += digits[byte >> 4];
    path += digits[byte & 15];
  }
  return strCat(path, "-", slot, entryEnding);
}

std::optional<CompiledFunction> DiskCache::find(const Digest &key,
                                                const Accepts &accepts) {
  for (int slot = 0; slot < slots; ++slot) {
    std::string path = pathOf(key, slot);
    auto file = readFile(path, static_cast<size_t>(maxBytes));
    if (!file.ok())
      continue;
    auto function = parse(key, file->view());
    if (!function) {
      unlink(path.c_str());
      continue;
    }
    if (!accepts(*function))
      continue;
    utimensat(AT_FDCWD, path.c_str(), nullptr, 0); // used now
    ++hits;
    return function;
  }
  ++misses;
  return std::nullopt;
}

void DiskCache::store(const Digest &key, const CompiledFunction &function) {
  std::string bytes = encode(function);
  if (bytes.size() + headerBytes > static_cast<size_t>(maxBytes)) {
    ++failedStores;
    return;
  }
  // A free place, or else the one that was used longest ago.
  std::string chosen;
  timespec oldest = {};
  for (int slot = 0; slot < slots; ++slot) {
    std::string path = pathOf(key, slot);
    struct stat info;
    if (lstat(path.c_str(), &info) != 0) {
      chosen = std::move(path);
      break;
    }
    if (chosen.empty() || std::tie(info.st_mtim.tv_sec, info.st_mtim.tv_nsec) <
                              std::tie(oldest.tv_sec, oldest.tv_nsec)) {
      chosen = std::move(path);
      oldest = info.st_mtim;
    }
  }
  if (!write(chosen, headerOf(key, bytes), bytes)) {
    ++failedStores;
    return;
  }
  ++stores;
  if (mayBeFull(bytes.size() + headerBytes))
    evict();
}

bool DiskCache::mayBeFull(size_t stored) {
  constexpr int64_t ofBound = 64;
  const auto bytes = static_cast<int64_t>(stored);
  if (unseenBytes.fetch_add(bytes) + bytes < maxBytes / ofBound)
    return false;
  unseenBytes = 0;
  return true;
}

bool DiskCache::write(const std::string &path, std::string_view header,
                      std::string_view bytes) const {
  std::string temporary = strCat(folder, "/", unfinishedPrefix, "XXXXXX");
  int file = mkostemp(temporary.data(), O_CLOEXEC); // mode 0600, exclusive
  if (file < 0)
    return false;
  auto writeAll = [&](std::string_view part) {
    while (!part.empty()) {
      ssize_t written = ::write(file, part.data(), part.size());
      if (written < 0 && errno != EINTR)
        return false;
      if (written > 0)
        part.remove_prefix(static_cast<size_t>(written));
    }
    return true;
  };
  bool isWhole = writeAll(header) && writeAll(bytes);
  isWhole &= close(file) == 0;
  if (isWhole && rename(temporary.c_str(), path.c_str()) == 0)
    return true;
  unlink(temporary.c_str());
  return false;
}

void DiskCache::evict() const {
  struct File {
    timespec used;
    int64_t bytes;
    std::string path;
  };
  std::vector<File> files;
  int64_t total = 0;
  DIR *directory = opendir(folder.c_str());
  if (!directory)
    return;
  const time_t now =
      std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  while (const dirent *entry = readdir(directory)) {
    std::string_view name = entry->d_name;
    bool isUnfinished = name.starts_with(unfinishedPrefix);
    if (!isUnfinished && !name.ends_with(entryEnding))
      continue; // not ours
    std::string path = strCat(folder, "/", name);
    struct stat info;
    if (lstat(path.c_str(), &info) != 0)
      continue; // gone meanwhile
    if (isUnfinished && info.st_mtim.tv_sec < now - unfinishedSeconds) {
      unlink(path.c_str());
      continue;
    }
    total += info.st_size;
    if (!isUnfinished)
      files.push_back({info.st_mtim, info.st_size, std::move(path)});
  }
  closedir(directory);
  if (total <= maxBytes)
    return;
  std::sort(files.begin(), files.end(), [](const File &a, const File &b) {
    return std::tie(a.used.tv_sec, a.used.tv_nsec, a.path) <
           std::tie(b.used.tv_sec, b.used.tv_nsec, b.path);
  });
  for (const File &file : files) {
    if (total <= maxBytes)
      break;
    unlink(file.path.c_str());
    total -= file.bytes;
  }
}

DiskCache::Counts DiskCache::counts() const {
  return {hits.load(), misses.load(), stores.load(), failedStores.load()};
}

} // namespace kiln
