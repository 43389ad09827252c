// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a reader reads: the records of one file after the other; HostRecords.cpp
// has the formats.
#ifndef KILN_LIB_OPS_FILES_HOSTRECORDSOURCE_H
#define KILN_LIB_OPS_FILES_HOSTRECORDSOURCE_H

#include "kiln/Node.h"

#include <memory>
#include <string>
#include <string_view>

namespace kiln {

/// How far a reader is.
struct ReaderProgress {
  int64_t filesBegun = 0, filesEnded = 0, numRecords = 0;
  std::string file; ///< the last one that was begun
};

struct Record {
  std::string key, value;
};

/// One file at a time, of one format. Thread safety: none.
class RecordSource {
public:
  /// What a read came to: neither is no outcome.
  struct Step {
    bool hasRecord = false, isAtEnd = false;
  };

  virtual ~RecordSource() = default;
  /// Goes to the beginning of a file. **Errors**: of the file; it is left out
  /// then.
  virtual Status begin(const std::string &file) = 0;
  /// **Errors**: of the file; the next call gives the same.
  virtual StatusOr<Step> read(Record &record) = 0;
  /// Lets go of the file.
  virtual void end() = 0;
  /// Whether the queue's elements are the names of files.
  virtual bool readsFiles() const { return true; }

  /// The message that stands for where a reader is. **Errors**: UNIMPLEMENTED
  /// for formats with a place inside of a file, as in TensorFlow.
  virtual StatusOr<std::string> serialize(const ReaderProgress &at) const;
  /// **Errors**: as serialize(); INVALID_ARGUMENT with the reader's name.
  virtual StatusOr<ReaderProgress> parse(std::string_view message,
                                         std::string_view reader) const;
};

/// What a dataset of files reads.
struct RecordFormat {
  /// Bytes: pieces of the file, one behind the other.
  enum class Kind : uint8_t { Lines, TfRecords, Fixed, Bytes };
  Kind kind = Kind::Lines;
  std::string compression = {}; ///< "", "ZLIB" or "GZIP"
  /// Bytes of a Fixed file.
  int64_t header = 0, record = 0, footer = 0;
};
/// **Errors**: INVALID_ARGUMENT for lengths below 0; RESOURCE_EXHAUSTED.
StatusOr<std::unique_ptr<RecordSource>>
makeRecordsOf(const RecordFormat &format);

/// Makes what a node that declares a reader reads; null for other nodes.
/// **Errors**: INVALID_ARGUMENT for its attributes.
StatusOr<std::unique_ptr<RecordSource>> makeRecordSource(const Node &node);

} // namespace kiln

#endif // KILN_LIB_OPS_FILES_HOSTRECORDSOURCE_H
