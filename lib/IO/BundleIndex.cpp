// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes indexes as tables.
#include "lib/IO/BundleIndex.h"

#include "lib/IO/LevelTableWriter.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <climits>

namespace kiln::io {
namespace {

/// The format that TensorFlow writes and this reads.
constexpr int formatVersion = 1;

} // namespace

BundleIndex::BundleIndex(std::string prefix, LevelTable table)
    : path(std::move(prefix)), table(std::move(table)) {}

StatusOr<BundleIndex> BundleIndex::read(const std::string &prefix) {
  KILN_ASSIGN_OR_RETURN(LevelTable table, LevelTable::read(indexPath(prefix)));
  BundleIndex index(prefix, std::move(table));
  KILN_RETURN_IF_ERROR(index.table.check());
  KILN_RETURN_IF_ERROR(index.readHeader());
  return index;
}

Status BundleIndex::readHeader() {
  auto lost = [&](std::string_view what, std::string_view why) {
    return dataLossError(
        strCat("Unable to read file (", indexPath(path),
               "). Perhaps the file is corrupt or was produced by "
               "a newer version of TensorFlow with format changes (",
               what, "): ", why));
  };
  StatusOr<std::optional<std::string_view>> value = table.find("");
  if (!value.ok() || !*value)
    return lost("failed to seek to header entry",
                value.ok() ? "no header" : value.status().message());
  if ((*value)->size() > INT_MAX ||
      !header.ParseFromArray((*value)->data(),
                             static_cast<int>((*value)->size())))
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
                                                    std::string_view value) {
  proto::BundleEntryProto entry;
  if (value.size() > INT_MAX ||
      !entry.ParseFromArray(value.data(), static_cast<int>(value.size())))
    return dataLossError(
        strCat("Entry for key ", key, " not parseable; the index is damaged"));
  return entry;
}

StatusOr<proto::BundleEntryProto> BundleIndex::find(const std::string &key) {
  KILN_ASSIGN_OR_RETURN(std::optional<std::string_view> value, table.find(key));
  // The header is no tensor's entry.
  if (key.empty() || !value)
    return notFoundError(strCat("Key ", key, " not found in checkpoint"));
  return parseEntry(key, *value);
}

StatusOr<BundleEntries> BundleIndex::all() {
  BundleEntries entries;
  KILN_RETURN_IF_ERROR(table.forEach(
      [&](std::string_view key, std::string_view value) -> Status {
        if (key.empty())
          return okStatus();
        KILN_ASSIGN_OR_RETURN(proto::BundleEntryProto entry,
                              parseEntry(key, value));
        entries.emplace(key, std::move(entry));
        return okStatus();
      }));
  return entries;
}

Status writeIndex(std::string_view prefix, int numShards,
                  const BundleEntries &entries) {
  proto::BundleHeaderProto header;
  header.set_num_shards(numShards);
  header.mutable_version()->set_producer(formatVersion);
  return writeLevelTable(indexPath(prefix), [&](const AddEntry &addEntry) {
    addEntry("", header.SerializeAsString());
    for (const auto &[key, entry] : entries)
      addEntry(key, entry.SerializeAsString());
  });
}

} // namespace kiln::io
