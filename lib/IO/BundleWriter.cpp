// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Appends tensors to the file of data, and collects their entries.
#include "lib/IO/BundleWriter.h"

#include "lib/IO/TensorCodec.h"
#include "lib/IO/Varint.h"
#include "lib/Support/Crc32c.h"
#include "lib/Support/FileCalls.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <cerrno>
#include <optional>
#include <unistd.h>

namespace kiln::io {
namespace {

template <class T> std::string_view bytesOf(const T &value) {
  return {reinterpret_cast<const char *>(&value), sizeof value};
}

/// What is summed up and written at a time, so that the second finds it in the
/// cache.
constexpr size_t chunkBytes = 256 << 10;

Status writeBytes(FileWriter &file, std::string_view bytes, uint32_t &crc) {
  while (!bytes.empty()) {
    std::string_view chunk = bytes.substr(0, chunkBytes);
    crc = extendCrc32c(crc, chunk);
    KILN_RETURN_IF_ERROR(file.append(chunk));
    bytes.remove_prefix(chunk.size());
  }
  return okStatus();
}

/// **Cost**: the texts are written one by one, the lengths are in memory.
Status writeStrings(FileWriter &file, const Tensor &tensor, uint32_t &crc) {
  std::string lengths;
  for (const String &text : tensor.data<String>()) {
    appendVarint(lengths, text.size());
    // What is summed up is the length in four bytes, or eight.
    auto narrow = static_cast<uint32_t>(text.size());
    uint64_t wide = text.size();
    crc = extendCrc32c(crc, narrow == wide ? bytesOf(narrow) : bytesOf(wide));
  }
  uint32_t check = maskCrc(crc);
  crc = extendCrc32c(crc, bytesOf(check));
  KILN_RETURN_IF_ERROR(file.append(lengths));
  KILN_RETURN_IF_ERROR(file.append(bytesOf(check)));
  for (const String &text : tensor.data<String>()) {
    crc = extendCrc32c(crc, text.view());
    KILN_RETURN_IF_ERROR(file.append(text.view()));
  }
  return okStatus();
}

/// How many files of data the checkpoint that is at this prefix has; none where
/// there is none, or one that cannot be read.
std::optional<int> numShardsAt(const std::string &prefix) {
  auto index = BundleIndex::read(prefix);
  return index.ok() ? std::optional(index->numShards()) : std::nullopt;
}

/// A number of files, at least `needed`, with which none has the name of one
/// that the checkpoint at this prefix is made of.
int freeNumShards(const std::string &prefix, int needed) {
  const std::optional<int> old = numShardsAt(prefix);
  return old == needed ? needed + 1 : needed;
}

void removeShards(const std::string &prefix, int numShards) {
  for (int shard = 0; shard < numShards; ++shard)
    fileCalls().unlink(dataPath(prefix, shard, numShards).c_str());
}

/// Puts the index in place whose files of data there are, and takes away what
/// the one before it named. After an error the files of data are gone, unless
/// the index may be there.
Status finishCheckpoint(const std::string &prefix, int numUsed, int numShards,
                        const BundleEntries &entries) {
  Status status;
  // Readers may ask for each file that the index counts.
  for (int shard = numUsed; shard < numShards && status.ok(); ++shard) {
    auto empty = FileWriter::create(dataPath(prefix, shard, numShards));
    status = empty.status();
    if (status.ok())
      status = empty->sync();
    if (status.ok())
      status = empty->commit();
  }
  // The index must not be on the disk before the names that it counts on.
  if (status.ok())
    status = syncFolder(parentOf(prefix));
  const std::optional<int> old = numShardsAt(prefix);
  if (status.ok())
    status = writeIndex(prefix, numShards, entries);
  if (status.ok()) {
    // What is left over does no harm.
    if (old && *old != numShards)
      removeShards(prefix, *old);
  } else if (numShardsAt(prefix) != numShards) {
    removeShards(prefix, numShards);
  }
  return status;
}

} // namespace

StatusOr<BundleWriter> BundleWriter::create(std::string prefix) {
  KILN_RETURN_IF_ERROR(makeFolder(folderOf(prefix)));
  const int numShards = freeNumShards(prefix, 1);
  KILN_ASSIGN_OR_RETURN(FileWriter data,
                        FileWriter::create(dataPath(prefix, 0, numShards)));
  return BundleWriter(std::move(prefix), numShards, std::move(data));
}

Status BundleWriter::add(const std::string &name, const Tensor &tensor) {
  // The empty key is the header's.
  if (name.empty() || entries.contains(name))
    return invalidArgumentError(strCat("Adding duplicate key: ", name));
  proto::BundleEntryProto entry;
  entry.set_dtype(static_cast<proto::DataType>(tensor.dtype()));
  encodeShape(tensor.shape(), *entry.mutable_shape());
  entry.set_offset(data.size());
  uint32_t crc = 0;
  if (tensor.dtype() == DType::String) {
    KILN_RETURN_IF_ERROR(writeStrings(data, tensor, crc));
  } else {
    std::string_view bytes(static_cast<const char *>(tensor.rawData()),
                           tensor.byteSize());
    KILN_RETURN_IF_ERROR(writeBytes(data, bytes, crc));
  }
  entry.set_size(data.size() - entry.offset());
  entry.set_crc32c(maskCrc(crc));
  entries.emplace(name, std::move(entry));
  return okStatus();
}

Status BundleWriter::addSlice(const std::string &name,
                              const ShapeAndSlice &place,
                              const Tensor &tensor) {
  if (place.slice.isAll() || place.sliceShape == place.shape)
    return add(name, tensor);
  if (name.empty())
    return invalidArgumentError(strCat("Adding duplicate key: ", name));
  proto::BundleEntryProto &whole = entries[name];
  if (whole.slices_size() == 0) {
    if (whole.dtype() != proto::DT_INVALID)
      return invalidArgumentError(strCat("Adding duplicate key: ", name));
    whole.set_dtype(static_cast<proto::DataType>(tensor.dtype()));
    encodeShape(place.shape, *whole.mutable_shape());
  }
  KILN_ASSIGN_OR_RETURN(Shape shape, decodeShape(whole.shape()));
  if (whole.dtype() != static_cast<proto::DataType>(tensor.dtype()) ||
      shape != place.shape)
    return invalidArgumentError(strCat(
        "expected parts of tensor ", name,
        " to be of one dtype and whole, got ",
        dtypeTfName(static_cast<DType>(whole.dtype())), " ", shape.toString(),
        " and ", dtypeTfName(tensor.dtype()), " ", place.shape.toString()));
  *whole.add_slices() = encodeSlice(place.slice);
  return add(sliceKey(name, place.slice), tensor);
}

Status BundleWriter::finish() {
  KILN_RETURN_IF_ERROR(data.sync());
  KILN_RETURN_IF_ERROR(data.commit());
  return finishCheckpoint(prefix, 1, numShards, entries);
}

namespace {

/// Where the files of the checkpoints go.
struct Move {
  std::string from;
  int shard;
};

/// Adds the entries of one checkpoint, whose first file is number `first`.
Status mergeEntries(BundleIndex &index, int first, BundleEntries &merged) {
  KILN_ASSIGN_OR_RETURN(BundleEntries entries, index.all());
  for (auto &[key, entry] : entries) {
    if (entry.shard_id() < 0 || entry.shard_id() >= index.numShards())
      return dataLossError(strCat("the entry of ", key, " is in file ",
                                  entry.shard_id(), " of ", index.numShards()));
    entry.set_shard_id(first + entry.shard_id());
    auto [known, isNew] = merged.try_emplace(key, entry);
    if (isNew)
      continue;
    // Parts of one tensor may lie in several.
    if (known->second.slices_size() == 0 || entry.slices_size() == 0)
      return invalidArgumentError(
          strCat("Duplicate tensor keyed by ", key,
                 " encountered, when merging prefix: ", index.prefix()));
    known->second.mutable_slices()->MergeFrom(entry.slices());
  }
  return okStatus();
}

} // namespace

Status mergeBundles(std::span<const std::string> prefixes,
                    const std::string &merged, bool allowMissing) {
  BundleEntries entries;
  std::vector<Move> moves;
  std::vector<std::string> indexes;
  for (const std::string &prefix : prefixes) {
    if (::access(indexPath(prefix).c_str(), F_OK) != 0) {
      if (allowMissing)
        continue;
      return invalidArgumentError(
          strCat("allow_missing_files was set to false and ", prefix,
                 " did not exist.NOT_FOUND: ", prefix, " not found"));
    }
    KILN_ASSIGN_OR_RETURN(BundleIndex index, BundleIndex::read(prefix));
    const int first = static_cast<int>(moves.size());
    KILN_RETURN_IF_ERROR(mergeEntries(index, first, entries));
    for (int shard = 0; shard < index.numShards(); ++shard) {
      std::string path = dataPath(prefix, shard, index.numShards());
      if (::access(path.c_str(), F_OK) != 0)
        return fileError(ENOENT, path);
      moves.push_back({std::move(path), first + shard});
    }
    indexes.push_back(indexPath(prefix));
  }
  if (indexes.empty())
    return invalidArgumentError(
        "At least one prefix checkpoint file must exist, but none existed.");
  KILN_RETURN_IF_ERROR(makeFolder(folderOf(merged)));
  const int numUsed = static_cast<int>(moves.size());
  const int numShards = freeNumShards(merged, numUsed);
  for (const Move &move : moves)
    if (fileCalls().rename(move.from.c_str(),
                           dataPath(merged, move.shard, numShards).c_str()) !=
        0) {
      Status failed = fileError(errno, move.from);
      removeShards(merged, numShards);
      return failed;
    }
  KILN_RETURN_IF_ERROR(finishCheckpoint(merged, numUsed, numShards, entries));
  for (const std::string &path : indexes)
    if (path != indexPath(merged))
      fileCalls().unlink(path.c_str()); // what is left over does no harm
  return okStatus();
}

} // namespace kiln::io
