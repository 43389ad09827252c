// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads tables with LevelDB, and what LevelDB does not look at.
#include "lib/IO/LevelTable.h"

#include "lib/IO/Varint.h"
#include "lib/Support/Crc32c.h"
#include "lib/Support/FileStream.h"
#include "lib/Support/StatusMacros.h"

#include <cstring>
#include <leveldb/env.h>
#include <leveldb/iterator.h>
#include <leveldb/options.h>
#include <leveldb/table.h>
#include <new>

namespace kiln::io {
namespace {

constexpr int64_t maxTableBytes = int64_t(2) << 30;

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

leveldb::ReadOptions readOptions() {
  leveldb::ReadOptions options;
  options.verify_checksums = true;
  options.fill_cache = false;
  return options;
}

std::string_view viewOf(const leveldb::Slice &slice) {
  return {slice.data(), slice.size()};
}

/// Calls LevelDB. A size in the file that there is no memory for is damage.
template <class Result, class Use> Result guarded(Use use) {
  try {
    return use();
  } catch (const std::bad_alloc &) {
    return dataLossError("bad block handle");
  }
}

} // namespace

struct LevelTable::Table {
  explicit Table(std::string bytes) : file(std::move(bytes)) {}

  MemoryFile file;
  std::unique_ptr<leveldb::Table> table;
  std::unique_ptr<leveldb::Iterator> entries; ///< goes before the table
};

LevelTable::LevelTable(std::unique_ptr<Table> table)
    : table(std::move(table)) {}
LevelTable::LevelTable(LevelTable &&) noexcept = default;
LevelTable::~LevelTable() = default;

StatusOr<LevelTable> LevelTable::read(const std::string &path) {
  KILN_ASSIGN_OR_RETURN(std::string bytes, readWholeFile(path, maxTableBytes));
  auto made = std::make_unique<Table>(std::move(bytes));
  return guarded<StatusOr<LevelTable>>([&]() -> StatusOr<LevelTable> {
    leveldb::Options options;
    options.paranoid_checks = true;
    leveldb::Table *opened = nullptr;
    leveldb::Status status =
        leveldb::Table::Open(options, &made->file, made->file.size(), &opened);
    made->table.reset(opened);
    if (!status.ok())
      return dataLossError(textOf(status));
    made->entries.reset(made->table->NewIterator(readOptions()));
    return LevelTable(std::move(made));
  });
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

Status LevelTable::check() {
  return guarded<Status>([&]() -> Status {
    leveldb::Iterator &at = *table->entries;
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
  });
}

StatusOr<std::optional<std::string_view>>
LevelTable::find(std::string_view key) {
  using Found = std::optional<std::string_view>;
  return guarded<StatusOr<Found>>([&]() -> StatusOr<Found> {
    leveldb::Iterator &at = *table->entries;
    at.Seek({key.data(), key.size()});
    if (!at.status().ok())
      return dataLossError(textOf(at.status()));
    if (!at.Valid() || viewOf(at.key()) != key)
      return Found();
    return Found(viewOf(at.value()));
  });
}

Status LevelTable::forEach(
    const std::function<Status(std::string_view, std::string_view)> &use) {
  return guarded<Status>([&]() -> Status {
    leveldb::Iterator &at = *table->entries;
    for (at.SeekToFirst(); at.Valid(); at.Next())
      KILN_RETURN_IF_ERROR(use(viewOf(at.key()), viewOf(at.value())));
    return at.status().ok() ? okStatus() : dataLossError(textOf(at.status()));
  });
}

} // namespace kiln::io
