// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Appends tensors to the file of data, and collects their entries.
#include "lib/IO/BundleWriter.h"

#include "lib/IO/TensorCodec.h"
#include "lib/Support/Crc32c.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <cerrno>
#include <cstdio>
#include <sys/stat.h>
#include <unistd.h>

namespace kiln::io {
namespace {

void appendVarint(std::string &bytes, uint64_t number) {
  for (; number >= 0x80; number >>= 7)
    bytes += static_cast<char>(number | 0x80);
  bytes += static_cast<char>(number);
}

template <class T> std::string_view bytesOf(const T &value) {
  return {reinterpret_cast<const char *>(&value), sizeof value};
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

/// Makes the folder of a checkpoint, not its parents.
Status makeFolder(std::string_view prefix) {
  std::string folder(folderOf(prefix));
  if (folder.empty() || ::mkdir(folder.c_str(), 0755) == 0 || errno == EEXIST)
    return okStatus();
  return fileError(errno, folder);
}

} // namespace

StatusOr<BundleWriter> BundleWriter::create(std::string prefix) {
  KILN_RETURN_IF_ERROR(makeFolder(prefix));
  KILN_ASSIGN_OR_RETURN(FileWriter data,
                        FileWriter::create(dataPath(prefix, 0, 1)));
  return BundleWriter(std::move(prefix), std::move(data));
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
    crc = extendCrc32c(crc, bytes);
    KILN_RETURN_IF_ERROR(data.append(bytes));
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
  return writeIndex(prefix, 1, entries);
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
  KILN_RETURN_IF_ERROR(makeFolder(merged));
  const int numShards = static_cast<int>(moves.size());
  for (const Move &move : moves)
    if (std::rename(move.from.c_str(),
                    dataPath(merged, move.shard, numShards).c_str()) != 0)
      return fileError(errno, move.from);
  KILN_RETURN_IF_ERROR(writeIndex(merged, numShards, entries));
  for (const std::string &path : indexes)
    if (path != indexPath(merged))
      ::unlink(path.c_str()); // what is left over does no harm
  return okStatus();
}

} // namespace kiln::io
