// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Datasets whose elements are kept in memory or in files. **Errors**: with
// TensorFlow's texts.
#include "lib/Ops/Pipeline/Host.h"
#include "lib/Ops/Pipeline/HostElementFile.h"
#include "lib/Ops/Pipeline/HostInputs.h"
#include "lib/Pipelines/Datasets.h"
#include "lib/Support/FileCalls.h"
#include "lib/Support/FileStream.h"

#include <cerrno>
#include <ctime>
#include <fcntl.h>
#include <memory>
#include <string>
#include <unistd.h>
#include <utility>

namespace kiln {
namespace {

/// A file beside a cache that says that somebody writes it; goes with the
/// object.
class CacheLock {
public:
  /// **Errors**: ALREADY_EXISTS where somebody does; those of the file.
  static StatusOr<std::unique_ptr<CacheLock>> take(std::string path,
                                                   const FileAccess &files) {
    KILN_RETURN_IF_ERROR(files.check(path));
    const FileDescriptor file(fileCalls().openForWriting(
        path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (file.get() < 0 && errno == EEXIST)
      return alreadyExistsError(strCat(
          "There appears to be a concurrent caching iterator running - cache "
          "lockfile already exists ('",
          path,
          "'). If you are sure no other running TF computations are using this "
          "cache prefix, delete the lockfile and re-initialize the iterator. "
          "Lockfile contents: ",
          contentsOf(path)));
    if (file.get() < 0)
      return fileError(errno, path);
    const std::string text =
        strCat("Created at: ", static_cast<int64_t>(std::time(nullptr)));
    // What stands in it is for people alone.
    std::ignore = fileCalls().write(file.get(), text.data(), text.size());
    return std::make_unique<CacheLock>(std::move(path));
  }
  explicit CacheLock(std::string path) : path(std::move(path)) {}
  CacheLock(const CacheLock &) = delete;
  ~CacheLock() { fileCalls().unlink(path.c_str()); }

private:
  static std::string contentsOf(const std::string &path) {
    constexpr int64_t most = 150; // as TensorFlow shows
    auto text = readWholeFile(path, most);
    return text.ok() ? *std::move(text) : std::string();
  }

  const std::string path;
};

class FileCached final : public Dataset,
                         public std::enable_shared_from_this<FileCached> {
public:
  FileCached(DatasetPtr input, std::string prefix, size_t numComponents,
             const FileAccess &files)
      : Dataset(input), input(std::move(input)), prefix(std::move(prefix)),
        numComponents(numComponents), files(files) {}
  StatusOr<IteratorPtr> iterate(IterationState &state) const override;
  int64_t cardinality() const override { return input->cardinality(); }

  const DatasetPtr input;
  const std::string prefix;
  const size_t numComponents;
  const FileAccess files;
};

class CachedFileIterator final : public DatasetIterator {
public:
  explicit CachedFileIterator(std::unique_ptr<ElementReader> reader)
      : reader(std::move(reader)) {}
  StatusOr<bool> next(Element &element, PullContext &) override {
    KILN_ASSIGN_OR_RETURN(const bool has, reader->next(element));
    numGiven += has;
    return has;
  }
  Status save(StateWriter &to) const override {
    to.name("FileCache");
    to.number(numGiven);
    return okStatus();
  }
  Status restore(StateReader &from, PullContext &) override {
    KILN_RETURN_IF_ERROR(from.name("FileCache"));
    KILN_RETURN_IF_ERROR(from.number(numGiven, 0));
    return reader->skip(numGiven);
  }

private:
  const std::unique_ptr<ElementReader> reader;
  int64_t numGiven = 0;
};

/// Writes the elements that it gives, and puts the files in place behind the
/// last one.
class CachingFileIterator final : public DatasetIterator {
public:
  CachingFileIterator(IteratorPtr input,
                      std::shared_ptr<const FileCached> dataset)
      : input(std::move(input)), dataset(std::move(dataset)) {}

  StatusOr<bool> next(Element &element, PullContext &pull) override {
    if (hasEnded)
      return false;
    if (!writer)
      KILN_RETURN_IF_ERROR(begin());
    KILN_RETURN_IF_ERROR(failure);
    KILN_ASSIGN_OR_RETURN(const bool has, input->next(element, pull));
    if (has) {
      failure = writer->add(element);
      KILN_RETURN_IF_ERROR(failure);
      ++numGiven;
      return true;
    }
    hasEnded = true;
    KILN_RETURN_IF_ERROR(writer->finish());
    lock.reset();
    return false;
  }

  /// **Difference**: TensorFlow saves in the middle of a cache, too, and keeps
  /// its half.
  Status save(StateWriter &to) const override {
    if (writer && !hasEnded)
      return unimplementedError(
          strCat("expected an iterator outside of the cache ",
                 quote(dataset->prefix), ", got one that writes it"));
    to.name("FileCache");
    to.number(numGiven);
    return okStatus();
  }
  Status restore(StateReader &from, PullContext &) override {
    int64_t given;
    KILN_RETURN_IF_ERROR(from.name("FileCache"));
    KILN_RETURN_IF_ERROR(from.number(given, 0));
    return given == 0 ? okStatus()
                      : notFoundError(strCat("expected the files of the cache ",
                                             quote(dataset->prefix)));
  }

private:
  Status begin() {
    KILN_ASSIGN_OR_RETURN(
        auto taken, CacheLock::take(strCat(dataset->prefix, "_0.lockfile"),
                                    dataset->files));
    KILN_ASSIGN_OR_RETURN(writer, makeElementWriter(dataset->prefix));
    lock = std::move(taken);
    return okStatus();
  }

  const IteratorPtr input;
  const std::shared_ptr<const FileCached> dataset;
  std::unique_ptr<CacheLock> lock;
  std::unique_ptr<ElementWriter> writer; ///< null before the first element
  Status failure; ///< of an element that could not be written
  bool hasEnded = false;
  int64_t numGiven = 0;
};

StatusOr<IteratorPtr> FileCached::iterate(IterationState &state) const {
  const std::string index = strCat(prefix, ".index");
  KILN_RETURN_IF_ERROR(files.check(index));
  if (::access(index.c_str(), F_OK) == 0) {
    KILN_ASSIGN_OR_RETURN(auto reader,
                          openElementReader(prefix, numComponents, files));
    return std::make_unique<CachedFileIterator>(std::move(reader));
  }
  KILN_ASSIGN_OR_RETURN(IteratorPtr of, input->iterate(state.input(0)));
  return std::make_unique<CachingFileIterator>(std::move(of),
                                               shared_from_this());
}

StatusOr<BoundHostOp> bindCache(const Node &, const BlockingSite &site) {
  return BoundHostOp([most = maxBytesOf(site)](const HostCall &call) {
    Inputs inputs(call, most);
    KILN_ASSIGN_OR_RETURN(DatasetPtr input, inputs.dataset());
    KILN_ASSIGN_OR_RETURN(const String file, inputs.scalar<String>("filename"));
    if (file.view().empty())
      return giveDataset(call, cached(std::move(input), inputs.maxBytes));
    const size_t numComponents =
        call.node.attrOr<std::vector<DType>>("output_types", {}).size();
    return giveDataset(call, DatasetPtr(std::make_shared<FileCached>(
                                 std::move(input), std::string(file.view()),
                                 numComponents, call.files)));
  });
}

} // namespace

void addCacheKernels(HostKernels &kernels) {
  kernels.addOwn("CacheDataset", {.bindBody = bindCache});
}

} // namespace kiln
