// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that change files, one of which goes wrong, and a disk that forgets
// what was not synced.
#ifndef KILN_TEST_UNIT_SAVE_FAULTYFILES_H
#define KILN_TEST_UNIT_SAVE_FAULTYFILES_H

#include "lib/Support/FileCalls.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace kiln::testing {

enum class Fault {
  Kill,       ///< nothing happens from this call on
  KillInside, ///< as Kill, but half of a write has happened
  NoSpace,
  IoError,
  Quota,
  Interrupted, ///< once
  ShortWrite,  ///< of one byte
};

/// Counts calls; call number `at`, from 0, goes wrong. Nothing waits for the
/// disk.
class FaultyFiles final : public FileCalls {
public:
  FaultyFiles(Fault fault, int at) : fault(fault), at(at) {}

  bool hasHappened() const { return calls > at; }

  int makeTemporary(char *pattern) override {
    return fails() ? -1 : FileCalls::makeTemporary(pattern);
  }
  int openForWriting(const char *path, int flags, mode_t mode) override {
    return fails() ? -1 : FileCalls::openForWriting(path, flags, mode);
  }
  ssize_t write(int file, const void *bytes, size_t count) override {
    const bool isNow = calls == at;
    if (isNow && fault == Fault::KillInside)
      FileCalls::write(file, bytes, count / 2);
    if (isNow && fault == Fault::ShortWrite) {
      ++calls;
      return FileCalls::write(file, bytes, 1);
    }
    return fails(/*isInterruptible=*/true)
               ? -1
               : FileCalls::write(file, bytes, count);
  }
  int setMode(int file, mode_t mode) override {
    return fails() ? -1 : FileCalls::setMode(file, mode);
  }
  int sync(int) override { return fails(/*isInterruptible=*/true) ? -1 : 0; }
  int rename(const char *from, const char *to) override {
    return fails() ? -1 : FileCalls::rename(from, to);
  }
  int unlink(const char *path) override {
    return fails() ? -1 : FileCalls::unlink(path);
  }
  int makeFolder(const char *path, mode_t mode) override {
    return fails() ? -1 : FileCalls::makeFolder(path, mode);
  }
  int removeFolder(const char *path) override {
    return fails() ? -1 : FileCalls::removeFolder(path);
  }

private:
  bool fails(bool isInterruptible = false) {
    const int call = calls++;
    const bool isKill = fault == Fault::Kill || fault == Fault::KillInside;
    if (call < at || (call > at && !isKill) || fault == Fault::ShortWrite)
      return false;
    if (fault == Fault::Interrupted && !isInterruptible)
      return false;
    errno = fault == Fault::NoSpace       ? ENOSPC
            : fault == Fault::Quota       ? EDQUOT
            : fault == Fault::Interrupted ? EINTR
                                          : EIO;
    return true;
  }

  const Fault fault;
  const int at;
  int calls = 0;
};

/// Keeps a log of the calls, from which the disk after a power failure follows:
/// names given and taken in a folder are there for sure when the folder was
/// synced, and bytes when their file was.
class ForgetfulDisk final : public FileCalls {
public:
  /// What is in the folder is on the disk.
  explicit ForgetfulDisk(const std::string &folder) {
    for (const auto &entry :
         std::filesystem::recursive_directory_iterator(folder))
      if (entry.is_regular_file()) {
        std::ifstream stream(entry.path(), std::ios::binary);
        auto file = std::make_shared<File>();
        file->bytes.assign(std::istreambuf_iterator<char>(stream), {});
        file->synced = file->bytes.size();
        start[entry.path()] = file;
        names[entry.path()] = file;
      }
  }

  /// The steps so far.
  size_t size() const { return log.size(); }

  /// Writes what the disk may hold after the first `count` steps below another
  /// folder: of what is not for sure, a random part.
  void recover(size_t count, std::mt19937 &random, const std::string &from,
               const std::string &to) const {
    std::map<std::string, std::shared_ptr<File>> kept = start;
    std::map<const File *, size_t> written, synced;
    for (const auto &[name, file] : start)
      written[file.get()] = synced[file.get()] = file->synced;
    for (size_t i = 0; i < count; ++i) {
      const Step &step = log[i];
      if (step.kind == Step::Write)
        written[step.file.get()] = step.size;
      if (step.kind == Step::Sync)
        synced[step.file.get()] = written[step.file.get()];
    }
    for (size_t i = 0; i < count; ++i) {
      const Step &step = log[i];
      if (step.kind != Step::Name && step.kind != Step::Remove)
        continue;
      if (!isSure(i, count) && random() % 2 == 0)
        continue;
      if (step.kind == Step::Name)
        kept[step.path] = step.file;
      else
        kept.erase(step.path);
    }
    for (const auto &[name, file] : kept) {
      std::filesystem::path path =
          to / std::filesystem::path(name).lexically_relative(from);
      std::filesystem::create_directories(path.parent_path());
      size_t least = synced[file.get()], most = written[file.get()];
      size_t size = least + random() % (most - least + 1);
      std::ofstream(path, std::ios::binary) << file->bytes.substr(0, size);
    }
  }

  int makeTemporary(char *pattern) override {
    int descriptor = FileCalls::makeTemporary(pattern);
    auto file = std::make_shared<File>();
    open[descriptor] = file;
    name(pattern, file);
    return descriptor;
  }
  ssize_t write(int descriptor, const void *bytes, size_t count) override {
    auto file = open.at(descriptor);
    file->bytes.append(static_cast<const char *>(bytes), count);
    log.push_back({Step::Write, "", file, file->bytes.size()});
    return FileCalls::write(descriptor, bytes, count);
  }
  int sync(int descriptor) override {
    std::string path = std::filesystem::read_symlink(
        "/proc/self/fd/" + std::to_string(descriptor));
    if (std::filesystem::is_directory(path))
      log.push_back({Step::SyncFolder, path, nullptr, 0});
    else
      log.push_back({Step::Sync, "", open.at(descriptor), 0});
    return 0;
  }
  int rename(const char *from, const char *to) override {
    auto file = names.at(from);
    remove(from);
    name(to, file);
    return FileCalls::rename(from, to);
  }
  int unlink(const char *path) override {
    int result = FileCalls::unlink(path);
    if (result == 0)
      remove(path);
    return result;
  }

private:
  struct File {
    std::string bytes;
    size_t synced = 0; ///< at the start
  };
  struct Step {
    enum Kind { Write, Sync, Name, Remove, SyncFolder } kind;
    std::string path;
    std::shared_ptr<File> file;
    size_t size;
  };

  void name(const std::string &path, std::shared_ptr<File> file) {
    names[path] = file;
    log.push_back({Step::Name, path, std::move(file), 0});
  }
  void remove(const std::string &path) {
    names.erase(path);
    log.push_back({Step::Remove, path, nullptr, 0});
  }
  bool isSure(size_t step, size_t count) const {
    std::string folder =
        std::filesystem::path(log[step].path).parent_path().string();
    for (size_t i = step; i < count; ++i)
      if (log[i].kind == Step::SyncFolder && log[i].path == folder)
        return true;
    return false;
  }

  std::map<std::string, std::shared_ptr<File>> start, names;
  std::map<int, std::shared_ptr<File>> open;
  std::vector<Step> log;
};

} // namespace kiln::testing

#endif // KILN_TEST_UNIT_SAVE_FAULTYFILES_H
