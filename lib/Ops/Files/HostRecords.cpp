// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The formats of records that readers know.
//
// A TFRecord file is a row of
//   uint64 length, uint32 masked CRC32C of these 8 bytes,
//   length bytes, uint32 masked CRC32C of them
// in little endian.
#include "lib/IO/InputFile.h"
#include "lib/IO/Wire.h"
#include "lib/IO/proto/Reader.pb.h"
#include "lib/Ops/Files/HostRecordSource.h"
#include "lib/Support/Crc32c.h"
#include "lib/Support/Escape.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <bit>
#include <cstring>

namespace kiln {

StatusOr<std::string> RecordSource::serialize(const ReaderProgress &) const {
  return unimplementedError("Reader SerializeState");
}

StatusOr<ReaderProgress> RecordSource::parse(std::string_view,
                                             std::string_view) const {
  return unimplementedError("Reader RestoreState");
}

namespace host {

using namespace io;
namespace {

using Step = RecordSource::Step;

/// A format without a place inside of a file: how far a reader is, is numbers.
class WholeSource : public RecordSource {
public:
  Status begin(const std::string &name) override {
    file = name;
    return okStatus();
  }
  void end() override {}

  StatusOr<std::string> serialize(const ReaderProgress &at) const override {
    proto::ReaderBaseState state;
    state.set_work_started(at.filesBegun);
    state.set_work_finished(at.filesEnded);
    state.set_num_records_produced(at.numRecords);
    state.set_current_work(at.file);
    return io::serialize(state, GraphDefFormat::Binary);
  }

  StatusOr<ReaderProgress> parse(std::string_view message,
                                 std::string_view reader) const override {
    constexpr int maxDepth = 100;
    proto::ReaderBaseState state;
    if (!parseBinary(message, maxDepth, state).ok())
      return invalidArgumentError(strCat("Could not parse state for ", reader,
                                         ": ", escapeBytes(message)));
    ReaderProgress at{state.work_started(), state.work_finished(),
                      state.num_records_produced(), state.current_work()};
    if (at.filesBegun < 0 || at.filesEnded < 0 || at.numRecords < 0)
      return invalidArgumentError(
          strCat("Unexpected negative value when restoring in ", reader, ": ",
                 state.ShortDebugString()));
    if (at.filesBegun > at.filesEnded)
      return invalidArgumentError(
          strCat("Inconsistent work started vs. finished when restoring in ",
                 reader, ": ", state.ShortDebugString()));
    return at;
  }

protected:
  std::string file;
};

class NameSource final : public WholeSource {
public:
  StatusOr<Step> read(Record &record) override {
    record = {file, file};
    return Step{true, true};
  }
  bool readsFiles() const override { return false; }
};

class FileSource final : public WholeSource {
public:
  StatusOr<Step> read(Record &record) override {
    KILN_ASSIGN_OR_RETURN(record.value, readFileContents(file));
    record.key = file;
    return Step{true, true};
  }
};

/// A format whose records are found one after the other.
class StreamSource : public RecordSource {
public:
  Status begin(const std::string &name) override {
    file = name;
    number = 0;
    KILN_ASSIGN_OR_RETURN(input, InputFile::open(name, compression));
    return begun();
  }
  void end() override { input.reset(); }

protected:
  explicit StreamSource(Compression compression) : compression(compression) {}
  /// Skips what comes before the records.
  virtual Status begun() { return okStatus(); }

  const Compression compression;
  std::string file;
  std::unique_ptr<InputFile> input;
  int64_t number = 0; ///< of the record, or where it begins
};

class LineSource final : public StreamSource {
public:
  LineSource(int64_t numSkipped, Compression compression)
      : StreamSource(compression), numSkipped(numSkipped) {}

  StatusOr<Step> read(Record &record) override {
    KILN_ASSIGN_OR_RETURN(bool hasLine, input->readLine(record.value));
    record.key = strCat(file, ":", ++number);
    return Step{hasLine, !hasLine};
  }

private:
  Status begun() override {
    std::string line;
    for (; number < numSkipped; ++number) {
      KILN_ASSIGN_OR_RETURN(bool hasLine, input->readLine(line));
      if (!hasLine)
        break;
    }
    return okStatus();
  }

  const int64_t numSkipped;
};

/// Pieces of a file, of any length.
class PieceSource final : public StreamSource {
public:
  explicit PieceSource(Compression compression) : StreamSource(compression) {}

  StatusOr<Step> read(Record &record) override {
    constexpr int64_t pieceBytes = 64 << 10;
    record.value.clear();
    KILN_ASSIGN_OR_RETURN(const int64_t got,
                          input->read(pieceBytes, record.value));
    return Step{got > 0, got < pieceBytes};
  }
};

struct Lengths {
  int64_t header, record, footer, hop;
};

/// A record begins every `hop` bytes; behind the last one lies the footer.
class FixedSource final : public StreamSource {
public:
  FixedSource(const Lengths &lengths, Compression compression)
      : StreamSource(compression), lengths(lengths) {}

  StatusOr<Step> read(Record &record) override {
    constexpr Step atEnd{false, true};
    if (number != 0) {
      auto known = static_cast<int64_t>(ahead.size());
      if (lengths.hop <= known) {
        ahead.erase(0, static_cast<size_t>(lengths.hop));
      } else {
        ahead.clear();
        KILN_ASSIGN_OR_RETURN(int64_t skipped,
                              input->skip(lengths.hop - known));
        if (skipped < lengths.hop - known)
          return atEnd;
      }
    }
    int64_t missing =
        lengths.record + lengths.footer - static_cast<int64_t>(ahead.size());
    KILN_ASSIGN_OR_RETURN(int64_t got, input->read(missing, ahead));
    if (got < missing)
      return atEnd;
    record.value = ahead.substr(0, static_cast<size_t>(lengths.record));
    record.key = strCat(file, ":", number++);
    return Step{true, false};
  }

private:
  Status begun() override {
    ahead.clear();
    KILN_ASSIGN_OR_RETURN(int64_t skipped, input->skip(lengths.header));
    if (skipped < lengths.header)
      return outOfRangeError(compression == Compression::None
                                 ? "reached end of file"
                                 : "EOF reached");
    return okStatus();
  }

  const Lengths lengths;
  std::string ahead; ///< of the record and the footer
};

class TfRecordSource final : public StreamSource {
public:
  explicit TfRecordSource(Compression compression)
      : StreamSource(compression) {}

  StatusOr<Step> read(Record &record) override {
    KILN_RETURN_IF_ERROR(failed);
    auto step = readNext(record);
    failed = step.status();
    return step;
  }

private:
  Status begun() override {
    failed = okStatus();
    return okStatus();
  }

  StatusOr<Step> readNext(Record &record) {
    std::string header;
    KILN_ASSIGN_OR_RETURN(bool isThere, readChecked(number, 8, header));
    if (!isThere) // also where a part of it is
      return Step{false, true};
    uint64_t length = littleEndian<uint64_t>(header);
    if (length > INT64_MAX - checksumBytes)
      return dataLoss("record size too large", number + headerBytes);
    record.value.clear();
    KILN_ASSIGN_OR_RETURN(isThere, readChecked(number + headerBytes,
                                               static_cast<int64_t>(length),
                                               record.value));
    if (!isThere)
      return Status(StatusCode::DataLoss,
                    strCat("truncated record at ", number, "' failed with ",
                           input->endText()));
    record.key = strCat(file, ":", number);
    number += headerBytes + static_cast<int64_t>(length) + checksumBytes;
    return Step{true, false};
  }

  static constexpr int64_t headerBytes = 12, checksumBytes = 4;

  static Status dataLoss(std::string_view what, int64_t at) {
    return Status(
        StatusCode::DataLoss,
        strCat(what, at == 0 ? " (Is this even a TFRecord file?)" : ""));
  }

  template <class T> static T littleEndian(std::string_view bytes) {
    static_assert(std::endian::native == std::endian::little);
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }

  /// Reads bytes and their checksum; false where the file ends before.
  StatusOr<bool> readChecked(int64_t at, int64_t count, std::string &bytes) {
    KILN_ASSIGN_OR_RETURN(int64_t got,
                          input->read(count + checksumBytes, bytes));
    if (got < count + checksumBytes)
      return false;
    auto size = static_cast<size_t>(count);
    auto masked = littleEndian<uint32_t>(std::string_view(bytes).substr(size));
    bytes.resize(size);
    if (unmaskCrc(masked) != extendCrc32c(0, bytes))
      return dataLoss(strCat("corrupted record at ", at), at);
    return true;
  }

  Status failed;
};

StatusOr<std::unique_ptr<RecordSource>> makeLineSource(const Node &node) {
  auto skipped = node.attrOr<int64_t>("skip_header_lines", 0);
  if (skipped < 0)
    return invalidArgumentError(
        strCat("skip_header_lines must be >= 0 not ", skipped));
  return std::unique_ptr<RecordSource>(
      std::make_unique<LineSource>(skipped, Compression::None));
}

StatusOr<std::unique_ptr<RecordSource>>
makeFixedSource(Lengths lengths, Compression compression) {
  for (auto [name, length] : {std::pair("header_bytes", lengths.header),
                              std::pair("record_bytes", lengths.record),
                              std::pair("footer_bytes", lengths.footer),
                              std::pair("hop_bytes", lengths.hop)}) {
    if (length < 0)
      return invalidArgumentError(strCat(name, " must be >= 0 not ", length));
    if (length > InputFile::maxStringBytes)
      return resourceExhaustedError(strCat("expected ", name, " of at most ",
                                           InputFile::maxStringBytes, ", got ",
                                           length));
  }
  if (lengths.hop == 0)
    lengths.hop = lengths.record;
  return std::unique_ptr<RecordSource>(
      std::make_unique<FixedSource>(lengths, compression));
}

StatusOr<std::unique_ptr<RecordSource>> makeFixedSource(const Node &node) {
  auto bytes = [&](std::string_view name) {
    return node.attrOr<int64_t>(name, 0);
  };
  return makeFixedSource(
      {bytes("header_bytes"), bytes("record_bytes"), bytes("footer_bytes"),
       bytes("hop_bytes")},
      compressionOf(node.attrOr<std::string>("encoding", "")));
}

} // namespace
} // namespace host

StatusOr<std::unique_ptr<RecordSource>>
makeRecordsOf(const RecordFormat &format) {
  const auto compression = host::compressionOf(format.compression);
  std::unique_ptr<RecordSource> source;
  switch (format.kind) {
  case RecordFormat::Kind::Lines:
    source = std::make_unique<host::LineSource>(0, compression);
    break;
  case RecordFormat::Kind::TfRecords:
    source = std::make_unique<host::TfRecordSource>(compression);
    break;
  case RecordFormat::Kind::Fixed:
    return host::makeFixedSource(
        {format.header, format.record, format.footer, 0}, compression);
  case RecordFormat::Kind::Bytes:
    source = std::make_unique<host::PieceSource>(compression);
    break;
  }
  return source;
}

StatusOr<std::unique_ptr<RecordSource>> makeRecordSource(const Node &node) {
  std::string_view op = node.op();
  if (op.ends_with("V2"))
    op.remove_suffix(2);
  std::unique_ptr<RecordSource> source;
  if (op == "TextLineReader")
    return host::makeLineSource(node);
  if (op == "FixedLengthRecordReader")
    return host::makeFixedSource(node);
  if (op == "TFRecordReader")
    source = std::make_unique<host::TfRecordSource>(
        host::compressionOf(node.attrOr<std::string>("compression_type", "")));
  else if (op == "WholeFileReader")
    source = std::make_unique<host::FileSource>();
  else if (op == "IdentityReader")
    source = std::make_unique<host::NameSource>();
  return source;
}

} // namespace kiln
