// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes indexes with LevelDB's tables.
#include "lib/IO/BundleIndex.h"

#include "lib/IO/Varint.h"
#include "lib/Support/Crc32c.h"
#include "lib/Support/FileStream.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <climits>
#include <cstring>
#include <leveldb/env.h>
#include <leveldb/iterator.h>
#include <leveldb/options.h>
#include <leveldb/table.h>
#include <leveldb/table_builder.h>
#include <new>

namespace kiln::io {
namespace {

constexpr int64_t maxIndexBytes = int64_t(2) << 30;
/// The format that TensorFlow writes and this reads.
constexpr int formatVersion = 1;

/// "Corruption: block checksum mismatch" without what stands before the colon.
std::string textOf(const leveldb::Status &status) {
  std::string text = status.ToString();
  size_t colon = text.find(": ");
  return colon == text.npos ? text : text.substr(colon + 2);
}

/// A table's file in memory.
class MemoryFile final : public leveldb::RandomAccessFile {
public:
  explicit MemoryFile(std::string bytes) : bytes(std::move(bytes)) {}
  size_t size() const { return bytes.size(); }
  std::string_view view() const { return bytes; }
  leveldb::Status Read(uint64_t offset, size_t n, leveldb::Slice *result,
                       char *) const override {
    // Every block ends with five bytes of its own: fewer are a size that has
    // overflowed, for which LevelDB would look outside of its buffer.
    constexpr size_t blockTrailer = 5;
    if (n < blockTrailer || offset > bytes.size())
      return leveldb::Status::Corruption("bad block handle");
    *result = leveldb::Slice(bytes.data() + offset,
                             std::min(n, bytes.size() - offset));
    return leveldb::Status::OK();
  }

private:
  const std::string bytes;
};

/// Takes what a table is made of.
class WritableFile final : public leveldb::WritableFile {
public:
  explicit WritableFile(FileWriter &file) : file(file) {}
  leveldb::Status Append(const leveldb::Slice &data) override {
    if (status.ok())
      status = file.append({data.data(), data.size()});
    return status.ok() ? leveldb::Status::OK()
                       : leveldb::Status::IOError("write");
  }
  leveldb::Status Close() override { return leveldb::Status::OK(); }
  leveldb::Status Flush() override { return leveldb::Status::OK(); }
  leveldb::Status Sync() override { return leveldb::Status::OK(); }

  Status status;

private:
  FileWriter &file;
};

leveldb::ReadOptions readOptions() {
  leveldb::ReadOptions options;
  options.verify_checksums = true;
  options.fill_cache = false;
  return options;
}

} // namespace

struct BundleIndex::Table {
  explicit Table(std::string bytes) : file(std::move(bytes)) {}

  MemoryFile file;
  std::unique_ptr<leveldb::Table> table;
  std::unique_ptr<leveldb::Iterator> entries; ///< goes before the table
};

BundleIndex::BundleIndex(std::string prefix, std::unique_ptr<Table> table)
    : path(std::move(prefix)), table(std::move(table)) {}
BundleIndex::BundleIndex(BundleIndex &&) noexcept = default;
BundleIndex::~BundleIndex() = default;

StatusOr<BundleIndex> BundleIndex::read(const std::string &prefix) {
  KILN_ASSIGN_OR_RETURN(std::string bytes,
                        readWholeFile(indexPath(prefix), maxIndexBytes));
  auto made = std::make_unique<Table>(std::move(bytes));
  try {
    leveldb::Options options;
    options.paranoid_checks = true;
    leveldb::Table *opened = nullptr;
    leveldb::Status status =
        leveldb::Table::Open(options, &made->file, made->file.size(), &opened);
    made->table.reset(opened);
    if (!status.ok())
      return dataLossError(textOf(status));
    made->entries.reset(made->table->NewIterator(readOptions()));
    BundleIndex index(prefix, std::move(made));
    KILN_RETURN_IF_ERROR(index.checkBlocks());
    KILN_RETURN_IF_ERROR(index.readHeader());
    return index;
  } catch (const std::bad_alloc &) {
    // A size in the file that there is no memory for.
    return dataLossError("bad block handle");
  }
}

/// A table ends with the places of its index of properties and of its index of
/// blocks, zeros up to 40 bytes, and a number. LevelDB looks at neither the
/// first nor the zeros.
static bool checksFooter(std::string_view bytes) {
  constexpr size_t footerSize = 48, placesSize = 40, crcSize = 4;
  if (bytes.size() < footerSize)
    return false;
  const std::string_view places =
      bytes.substr(bytes.size() - footerSize, placesSize);
  // As they are written: in no more bytes than they need.
  std::string_view rest = places;
  std::string written;
  uint64_t numbers[4];
  for (uint64_t &number : numbers) {
    if (!takeVarint(rest, number))
      return false;
    appendVarint(written, number);
  }
  written.resize(placesSize);
  if (places != written)
    return false;
  const uint64_t offset = numbers[0], size = numbers[1];
  // Contents, a byte for the compression, and the checksum of both.
  if (offset > bytes.size() || size > bytes.size() - offset ||
      bytes.size() - offset - size < 1 + crcSize)
    return false;
  uint32_t crc;
  std::memcpy(&crc, bytes.data() + offset + size + 1, crcSize);
  return unmaskCrc(crc) == extendCrc32c(0, bytes.substr(offset, size + 1));
}

Status BundleIndex::checkBlocks() {
  leveldb::Iterator &at = *table->entries;
  // An error of the first block is told by readHeader(), as TensorFlow tells
  // it.
  at.SeekToFirst();
  if (!at.status().ok())
    return okStatus();
  while (at.Valid())
    at.Next();
  if (!at.status().ok())
    return dataLossError(textOf(at.status()));
  return checksFooter(table->file.view())
             ? okStatus()
             : dataLossError("the footer of the table is damaged");
}

Status BundleIndex::readHeader() {
  leveldb::Iterator &at = *table->entries;
  at.Seek("");
  auto lost = [&](std::string_view what, std::string_view why) {
    return dataLossError(
        strCat("Unable to read file (", indexPath(path),
               "). Perhaps the file is corrupt or was produced by "
               "a newer version of TensorFlow with format changes (",
               what, "): ", why));
  };
  if (!at.status().ok() || !at.Valid() || !at.key().empty())
    return lost("failed to seek to header entry",
                at.status().ok() ? "no header" : textOf(at.status()));
  leveldb::Slice value = at.value();
  if (value.size() > INT_MAX ||
      !header.ParseFromArray(value.data(), static_cast<int>(value.size())))
    return lost("failed to parse header entry", "no message");
  if (header.num_shards() < 0)
    return lost("failed to parse header entry", "no files");
  if (header.endianness() != proto::BundleHeaderProto::LITTLE)
    return unimplementedError(
        "Unimplemented: reading a tensor bundle of another endianness");
  if (header.version().min_consumer() > formatVersion)
    return invalidArgumentError(strCat(
        "Checkpoint min consumer version ", header.version().min_consumer(),
        " above current version ", formatVersion, " of ", indexPath(path)));
  return okStatus();
}

static StatusOr<proto::BundleEntryProto> parseEntry(std::string_view key,
                                                    leveldb::Slice value) {
  proto::BundleEntryProto entry;
  if (value.size() > INT_MAX ||
      !entry.ParseFromArray(value.data(), static_cast<int>(value.size())))
    return dataLossError(
        strCat("Entry for key ", key, " not parseable; the index is damaged"));
  return entry;
}

StatusOr<proto::BundleEntryProto> BundleIndex::find(const std::string &key) {
  try {
    leveldb::Iterator &at = *table->entries;
    at.Seek(key);
    if (!at.status().ok())
      return dataLossError(textOf(at.status()));
    // The header is no tensor's entry.
    if (key.empty() || !at.Valid() || at.key() != leveldb::Slice(key))
      return notFoundError(strCat("Key ", key, " not found in checkpoint"));
    return parseEntry(key, at.value());
  } catch (const std::bad_alloc &) {
    return dataLossError("bad block handle");
  }
}

StatusOr<BundleEntries> BundleIndex::all() {
  BundleEntries entries;
  try {
    leveldb::Iterator &at = *table->entries;
    for (at.SeekToFirst(); at.Valid(); at.Next())
      if (std::string key = at.key().ToString(); !key.empty()) {
        KILN_ASSIGN_OR_RETURN(proto::BundleEntryProto entry,
                              parseEntry(key, at.value()));
        entries.emplace(std::move(key), std::move(entry));
      }
    if (!at.status().ok())
      return dataLossError(textOf(at.status()));
  } catch (const std::bad_alloc &) {
    return dataLossError("bad block handle");
  }
  return entries;
}

Status writeIndex(std::string_view prefix, int numShards,
                  const BundleEntries &entries) {
  proto::BundleHeaderProto header;
  header.set_num_shards(numShards);
  header.mutable_version()->set_producer(formatVersion);
  KILN_ASSIGN_OR_RETURN(FileWriter file, FileWriter::create(indexPath(prefix)));
  WritableFile sink(file);
  leveldb::Options options;
  options.compression = leveldb::kNoCompression;
  options.block_size = 256 << 10; // TensorFlow's
  leveldb::TableBuilder builder(options, &sink);
  builder.Add("", header.SerializeAsString());
  for (const auto &[key, entry] : entries)
    builder.Add(key, entry.SerializeAsString());
  leveldb::Status built = builder.Finish();
  KILN_RETURN_IF_ERROR(sink.status);
  if (!built.ok())
    return internalError(textOf(built));
  KILN_RETURN_IF_ERROR(file.sync());
  KILN_RETURN_IF_ERROR(file.commit());
  return syncFolder(parentOf(prefix));
}

} // namespace kiln::io
