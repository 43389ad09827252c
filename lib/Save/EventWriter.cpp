// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Event files: records of a length, a message and a checksum of each.
#include "kiln/MetaGraph.h"
#include "lib/IO/Formats.h"
#include "lib/Support/Crc32c.h"
#include "lib/Support/FileCalls.h"
#include "lib/Support/FileStream.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <set>
#include <unistd.h>

namespace kiln::summary {
namespace {

double now() {
  return std::chrono::duration<double>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

template <class T> void appendNumber(std::string &bytes, T number) {
  bytes.append(reinterpret_cast<const char *>(&number), sizeof number);
}

/// Length, its checksum, the message, its checksum.
void appendRecord(std::string &bytes, std::string_view message) {
  const auto length = static_cast<uint64_t>(message.size());
  const size_t start = bytes.size();
  appendNumber(bytes, length);
  const std::string_view lengthBytes =
      std::string_view(bytes).substr(start, sizeof length);
  appendNumber(bytes, maskCrc(extendCrc32c(0, lengthBytes)));
  bytes += message;
  appendNumber(bytes, maskCrc(extendCrc32c(0, message)));
}

std::string hostName() {
  char name[256] = "";
  ::gethostname(name, sizeof name - 1);
  return name;
}

} // namespace

/// | fact | guarded by |
/// | --- | --- |
/// | all but logdir and options | mutex |
struct FileWriter::Data {
  Data(std::string logdir, FileWriterOptions options)
      : logdir(std::move(logdir)), options(std::move(options)) {}
  ~Data() { (void)write(); }

  Status open();
  Status add(EventData event);
  /// A message whole.
  Status addRecord(std::string_view message, double time);
  /// Brings what waits into the file; after an error the file ends where it
  /// ended before, and the events still wait.
  Status write();

  const std::string logdir;
  const FileWriterOptions options;
  std::mutex mutex;
  std::string path;
  FileDescriptor file;
  off_t size = 0; ///< of whole records
  std::string waiting;
  int numWaiting = 0;
  double lastWrite = 0;
  bool isClosed = false;
  std::set<std::string> described, runTags;
};

Status FileWriter::Data::open() {
  std::error_code error;
  std::filesystem::create_directories(logdir, error);
  if (error)
    return fileError(error.value(), logdir);
  // Two files of one second are of different seconds.
  for (auto second = static_cast<long long>(now());; ++second) {
    char time[32];
    std::snprintf(time, sizeof time, "%010lld", second);
    path = strCat(logdir, "/events.out.tfevents.", time, ".", hostName(),
                  options.filenameSuffix);
    file = FileDescriptor(fileCalls().openForWriting(
        path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (file.get() >= 0)
      break;
    if (errno != EEXIST)
      return fileError(errno, path);
  }
  size = 0;
  isClosed = false;
  KILN_RETURN_IF_ERROR(
      add({.kind = EventData::FileVersion, .bytes = "brain.Event:2"}));
  return write();
}

Status FileWriter::Data::add(EventData event) {
  if (isClosed)
    return failedPreconditionError(
        strCat("the event file ", quote(path), " is closed"));
  event.wallTime = now();
  KILN_ASSIGN_OR_RETURN(std::string message, encodeEvent(event, described));
  return addRecord(message, event.wallTime);
}

Status FileWriter::Data::addRecord(std::string_view message, double time) {
  if (isClosed)
    return failedPreconditionError(
        strCat("the event file ", quote(path), " is closed"));
  appendRecord(waiting, message);
  ++numWaiting;
  const bool isLate = time - lastWrite > options.flushSeconds;
  return numWaiting > options.maxQueue || isLate ? write() : okStatus();
}

Status FileWriter::Data::write() {
  std::string_view rest = waiting;
  while (!rest.empty()) {
    ssize_t written = fileCalls().write(file.get(), rest.data(), rest.size());
    if (written < 0 && errno != EINTR) {
      Status failed = fileError(errno, path);
      // A part of a record would hide those that come later.
      if (::ftruncate(file.get(), size) == 0)
        ::lseek(file.get(), size, SEEK_SET);
      return failed;
    }
    if (written > 0)
      rest.remove_prefix(static_cast<size_t>(written));
  }
  size += static_cast<off_t>(waiting.size());
  waiting.clear();
  numWaiting = 0;
  lastWrite = now();
  return okStatus();
}

StatusOr<FileWriter> FileWriter::create(const std::string &logdir,
                                        const FileWriterOptions &options) {
  auto data = std::make_shared<Data>(logdir, options);
  KILN_RETURN_IF_ERROR(data->open());
  return FileWriter(std::move(data));
}

Status FileWriter::addSummary(std::string_view message, int64_t step) {
  std::lock_guard lock(data->mutex);
  return data->add({.kind = EventData::Summary,
                    .step = step,
                    .bytes = std::string(message)});
}

Status FileWriter::addSummary(const Tensor &message, int64_t step) {
  if (message.dtype() != DType::String || message.numElements() != 1)
    return invalidArgumentError(strCat("expected a summary, one string, got ",
                                       dtypeName(message.dtype()), " ",
                                       message.shape().toString()));
  return addSummary(message.data<String>()[0].view(), step);
}

Status FileWriter::addScalars(
    const std::vector<std::pair<std::string, double>> &values, int64_t step) {
  KILN_ASSIGN_OR_RETURN(std::string message, encodeScalars(values));
  return addSummary(message, step);
}

Status FileWriter::addEvent(std::string_view message) {
  std::lock_guard lock(data->mutex);
  return data->addRecord(message, now());
}

Status FileWriter::addGraph(const GraphBuilder &graph, int64_t step,
                            bool hasMetaGraph) {
  KILN_ASSIGN_OR_RETURN(std::string bytes,
                        encodeGraphWithShapes(*graph.graph()));
  {
    std::lock_guard lock(data->mutex);
    KILN_RETURN_IF_ERROR(data->add(
        {.kind = EventData::Graph, .step = step, .bytes = std::move(bytes)}));
  }
  if (!hasMetaGraph)
    return okStatus();
  KILN_ASSIGN_OR_RETURN(MetaGraph metaGraph, exportMetaGraph(graph));
  return addMetaGraph(metaGraph, step);
}

Status FileWriter::addMetaGraph(const MetaGraph &metaGraph, int64_t step) {
  KILN_ASSIGN_OR_RETURN(std::string bytes, toMetaGraphDef(metaGraph));
  std::lock_guard lock(data->mutex);
  return data->add(
      {.kind = EventData::MetaGraph, .step = step, .bytes = std::move(bytes)});
}

Status FileWriter::addRunMetadata(const RunStats &stats, const std::string &tag,
                                  int64_t step) {
  KILN_ASSIGN_OR_RETURN(std::string bytes, toRunMetadata(stats));
  std::lock_guard lock(data->mutex);
  if (!data->runTags.insert(tag).second)
    return invalidArgumentError(
        "The provided tag was already used for this event type");
  return data->add({.kind = EventData::RunMetadata,
                    .step = step,
                    .bytes = std::move(bytes),
                    .tag = tag});
}

Status FileWriter::addSessionLog(const SessionLog &log, int64_t step) {
  std::lock_guard lock(data->mutex);
  return data->add({.kind = EventData::SessionLog, .step = step, .log = log});
}

Status FileWriter::flush() {
  std::lock_guard lock(data->mutex);
  return data->isClosed ? okStatus() : data->write();
}

Status FileWriter::close() {
  std::lock_guard lock(data->mutex);
  if (data->isClosed)
    return okStatus();
  KILN_RETURN_IF_ERROR(data->write());
  data->file = FileDescriptor();
  data->isClosed = true;
  return okStatus();
}

Status FileWriter::reopen() {
  std::lock_guard lock(data->mutex);
  return data->isClosed ? data->open() : okStatus();
}

const std::string &FileWriter::logdir() const { return data->logdir; }

std::string FileWriter::path() const {
  std::lock_guard lock(data->mutex);
  return data->path;
}

} // namespace kiln::summary
