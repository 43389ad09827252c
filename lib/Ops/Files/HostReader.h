// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Readers: records of the files that a queue names, one after the other.
#ifndef KILN_LIB_OPS_FILES_HOSTREADER_H
#define KILN_LIB_OPS_FILES_HOSTREADER_H

#include "lib/Ops/Files/HostRecordSource.h"
#include "lib/Support/FileAccess.h"
#include "runtime/resources/Queue.h"

#include <deque>
#include <mutex>
#include <optional>
#include <vector>

namespace kiln {

class Reader;

/// One read of one reader, from Reader::begin() to its end or
/// Reader::abandon().
///
/// Ownership: the run's, at one place meanwhile; borrows reader, queue, files
/// and context. Thread safety: the reader's mutex guards it.
class ReadAttempt {
public:
  /// Reads up to `count` records of one file, and at least one if `count` is
  /// not 0.
  ReadAttempt(Queue &queue, const FileAccess &files, int64_t count)
      : queue(queue), files(files), count(count) {}

  std::vector<Record> records;
  Status status; ///< of one that has ended

private:
  friend class Reader;
  Queue &queue;
  const FileAccess &files;
  const int64_t count;
  bool isDone = false;
  RunContext *waiter = nullptr;
  std::optional<QueueAttempt> dequeue; ///< pending
};

/// A reader, which keeps its place from run to run.
///
/// Reads are served in the order in which they began; the first one may wait
/// for its queue, and all others for the first. A read goes on in its own run,
/// which is woken for that. Thread safety: all functions; `mutex` guards
/// everything. That of a queue is taken under it. **Difference** from
/// TensorFlow: what is no read does not wait for one that waits.
class Reader final : public Resource {
public:
  Reader(std::string name, std::unique_ptr<RecordSource> source)
      : name(std::move(name)), source(std::move(source)) {}

  /// Starts a read. Returns true when it has ended, well or not.
  bool begin(ReadAttempt &attempt, RunContext &waiter);
  /// Goes on with one that waits, in its run. Returns as begin().
  bool advance(ReadAttempt &attempt);
  /// Lets go of a read; a name that it has not begun with goes back.
  void abandon(ReadAttempt &attempt);

  int64_t numRecords() const;
  int64_t numFilesEnded() const;
  void reset();
  StatusOr<std::string> serialize() const;
  Status restore(std::string_view message);

private:
  bool advanceLocked(ReadAttempt &attempt);
  bool isInFile() const { return progress.filesEnded < progress.filesBegun; }
  /// Begins with the next file; false where the queue has none yet.
  StatusOr<bool> beginFile(ReadAttempt &attempt);
  /// Reads until the attempt has what it asks for; false where it waits.
  StatusOr<bool> readRecords(ReadAttempt &attempt);
  /// Takes an attempt out of the row and wakes the next.
  void leave(ReadAttempt &attempt);
  void resetLocked();

  const std::string name; ///< "TextLineReader 'node'"
  mutable std::mutex mutex;
  const std::unique_ptr<RecordSource> source;
  ReaderProgress progress;
  std::deque<ReadAttempt *> row; ///< the first is served
};

} // namespace kiln

#endif // KILN_LIB_OPS_FILES_HOSTREADER_H
