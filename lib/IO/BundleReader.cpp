// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks what an entry says against the file before it believes it, and puts
// tensors together from their parts.
#include "lib/IO/BundleReader.h"

#include "lib/IO/SliceCopy.h"
#include "lib/IO/TensorCodec.h"
#include "lib/IO/Varint.h"
#include "lib/Support/CheckedMath.h"
#include "lib/Support/Crc32c.h"
#include "lib/Support/DataMemory.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <thread>

namespace kiln::io {
namespace {

std::string crcText(uint32_t crc) {
  char text[16];
  std::snprintf(text, sizeof text, "%08u", crc);
  return text;
}

template <class T> std::string_view bytesOf(const T &value) {
  return {reinterpret_cast<const char *>(&value), sizeof value};
}

} // namespace

StatusOr<std::vector<std::string>> BundleReader::names() {
  KILN_ASSIGN_OR_RETURN(BundleEntries entries, index.all());
  std::vector<std::string> names;
  for (const auto &[key, entry] : entries)
    if (!key.starts_with('\0')) // as keys of parts begin
      names.push_back(key);
  return names;
}

StatusOr<StoredTensor> BundleReader::find(const std::string &name) {
  StoredTensor stored;
  KILN_ASSIGN_OR_RETURN(stored.entry, index.find(name));
  auto lost = [&](std::string_view what) {
    return dataLossError(
        strCat("Invalid ", what, " in bundle entry: key ", name));
  };
  stored.dtype = static_cast<DType>(stored.entry.dtype());
  if (dtypeSize(stored.dtype) == 0)
    return lost("dtype");
  auto shape = decodeShape(stored.entry.shape());
  if (!shape.ok() || !shape->isFullyDefined() || !shape->numElements().ok() ||
      !checkedMul(*shape->numElements(),
                  static_cast<int64_t>(dtypeSize(stored.dtype))))
    return lost("shape");
  stored.shape = *std::move(shape);
  return stored;
}

StatusOr<const FileReader *> BundleReader::file(int shard) {
  if (auto found = files.find(shard); found != files.end())
    return &found->second;
  const std::string path = dataPath(index.prefix(), shard, index.numShards());
  KILN_RETURN_IF_ERROR(access.check(path));
  KILN_ASSIGN_OR_RETURN(FileReader opened, FileReader::open(path));
  return &files.emplace(shard, std::move(opened)).first->second;
}

Status BundleReader::checkSum(const StoredTensor &stored, uint32_t crc) const {
  uint32_t expected = unmaskCrc(stored.entry.crc32c());
  if (crc == expected)
    return okStatus();
  return dataLossError(strCat(
      "TensorBundle at ", index.prefix(), " shard ", stored.entry.shard_id(),
      " (", stored.entry.size(), " bytes): Checksum does not match: stored ",
      crcText(expected), " vs. calculated on the restored bytes ", crc));
}

namespace {

/// Bytes of a file that one thread reads and sums up: piece by piece, so that
/// it finds them in the cache.
struct Part {
  int64_t offset = 0;
  char *to = nullptr;
  int64_t size = 0;
  uint32_t crc = 0;
  Status status;

  void read(const FileReader &file) {
    constexpr int64_t chunkBytes = 256 << 10;
    for (int64_t at = 0; at < size && status.ok(); at += chunkBytes) {
      const int64_t count = std::min(chunkBytes, size - at);
      auto got = file.read(offset + at, to + at, count);
      status = !got.ok() ? got.status()
               : *got != count
                   ? outOfRangeError("Read less bytes than requested")
                   : okStatus();
      crc = extendCrc32c(crc, {to + at, static_cast<size_t>(count)});
    }
  }
};

/// What a thread should have at least: the memory is new, and making its pages
/// takes longer than copying, so that threads pay early.
constexpr int64_t partBytes = 8 << 20;

} // namespace

/// Into as many bytes as the entry says, which the file has; `crc` becomes
/// theirs.
Status BundleReader::readBytes(const StoredTensor &stored, char *to,
                               uint32_t &crc) {
  KILN_ASSIGN_OR_RETURN(const FileReader *data, file(stored.entry.shard_id()));
  const int64_t size = stored.entry.size();
  const int64_t numParts = std::clamp<int64_t>(
      std::min<int64_t>(size / partBytes, std::thread::hardware_concurrency()),
      1, 4);
  std::vector<Part> parts(static_cast<size_t>(numParts));
  const int64_t share = (size + numParts - 1) / numParts;
  for (int64_t from = 0; Part &part : parts) {
    part.offset = stored.entry.offset() + from;
    part.to = to + from;
    part.size = std::min(share, size - from);
    from += part.size;
  }
  std::vector<std::thread> threads;
  threads.reserve(parts.size());
  size_t given = 1;
  try {
    for (; given < parts.size(); ++given)
      threads.emplace_back([&, given] { parts[given].read(*data); });
  } catch (const std::system_error &) {
    // No more threads are to be had: those that are there do it.
  }
  parts[0].read(*data);
  for (size_t i = given; i < parts.size(); ++i)
    parts[i].read(*data);
  for (std::thread &thread : threads)
    thread.join();
  crc = 0;
  for (const Part &part : parts) {
    KILN_RETURN_IF_ERROR(part.status);
    crc = joinCrc32c(crc, part.crc, static_cast<uint64_t>(part.size));
  }
  return okStatus();
}

StatusOr<Tensor> BundleReader::readWhole(const std::string &key,
                                         const StoredTensor &stored) {
  const proto::BundleEntryProto &entry = stored.entry;
  const bool isString = stored.dtype == DType::String;
  const int64_t count = *stored.shape.numElements();
  const int64_t least =
      isString ? count + 4
               : count * static_cast<int64_t>(dtypeSize(stored.dtype));
  if (isString ? entry.size() < least : entry.size() != least)
    return dataLossError(strCat("Invalid size in bundle entry: key ", key,
                                "; stored size ", entry.size(),
                                "; expected size ", least));
  KILN_ASSIGN_OR_RETURN(const FileReader *data, file(entry.shard_id()));
  // Before there is memory for it.
  auto end = checkedAdd(entry.offset(), entry.size());
  if (entry.offset() < 0 || !end || *end > data->size())
    return outOfRangeError("Read less bytes than requested");
  if (isString)
    return readStrings(key, stored);
  KILN_ASSIGN_OR_RETURN(Tensor tensor,
                        Tensor::create(stored.dtype, stored.shape));
  auto *bytes = static_cast<char *>(tensor.mutableRawData());
  uint32_t crc = 0;
  KILN_RETURN_IF_ERROR(readBytes(stored, bytes, crc));
  KILN_RETURN_IF_ERROR(checkSum(stored, crc));
  if (stored.dtype == DType::Bool)
    for (size_t i = 0; i < tensor.byteSize(); ++i)
      bytes[i] = bytes[i] != 0; // code counts on it
  return tensor;
}

StatusOr<Tensor> BundleReader::readStrings(const std::string &key,
                                           const StoredTensor &stored) {
  auto size = static_cast<size_t>(stored.entry.size());
  BufferRef memory = allocateBuffer(size);
  if (!memory)
    return outOfMemory(strCat("the strings of ", quote(key)), size);
  uint32_t crc = 0; // of all; what is stored is of other bytes
  KILN_RETURN_IF_ERROR(
      readBytes(stored, static_cast<char *>(memory->data), crc));
  std::string_view lengths(static_cast<char *>(memory->data), size);
  KILN_ASSIGN_OR_RETURN(Tensor tensor,
                        Tensor::create(stored.dtype, stored.shape));
  std::string_view texts = lengths;
  crc = 0;
  for (int64_t i = 0; i < tensor.numElements(); ++i) {
    uint64_t length;
    if (!takeVarint(texts, length))
      return outOfRangeError("Parsed past limit.");
    auto narrow = static_cast<uint32_t>(length);
    crc =
        extendCrc32c(crc, narrow == length ? bytesOf(narrow) : bytesOf(length));
  }
  uint32_t check;
  if (texts.size() < sizeof check)
    return outOfRangeError("Parsed past limit.");
  std::memcpy(&check, texts.data(), sizeof check);
  texts.remove_prefix(sizeof check);
  if (unmaskCrc(check) != crc)
    return dataLossError(strCat("The length checksum does not match: expected ",
                                crcText(unmaskCrc(check)), " but actual is ",
                                crcText(crc)));
  crc = extendCrc32c(crc, bytesOf(check));
  KILN_RETURN_IF_ERROR(checkSum(stored, extendCrc32c(crc, texts)));
  for (String &element : tensor.mutableData<String>()) {
    uint64_t length;
    takeVarint(lengths, length);
    if (length > texts.size())
      return outOfRangeError("Read less bytes than requested");
    KILN_ASSIGN_OR_RETURN(element, String::create(texts.substr(0, length)));
    texts.remove_prefix(length);
  }
  return tensor;
}

StatusOr<Tensor> BundleReader::read(const std::string &name,
                                    const StoredTensor &stored) {
  if (stored.entry.slices_size() == 0)
    return readWhole(name, stored);
  return readSlice(name, stored, TensorSlice::all(stored.shape.rank()));
}

StatusOr<Tensor> BundleReader::readSlice(const std::string &name,
                                         const StoredTensor &stored,
                                         const TensorSlice &slice) {
  const proto::BundleEntryProto &entry = stored.entry;
  std::vector<TensorSlice> parts;
  for (const proto::TensorSliceProto &part : entry.slices()) {
    KILN_ASSIGN_OR_RETURN(parts.emplace_back(), decodeSlice(part));
    if (Status inside = parts.back().shapeOf(stored.shape).status();
        !inside.ok())
      return dataLossError(std::string(inside.message()));
  }
  if (parts.empty())
    parts.push_back(TensorSlice::all(stored.shape.rank()));
  auto readPart = [&](size_t i) -> StatusOr<Tensor> {
    std::string key =
        entry.slices_size() == 0 ? name : sliceKey(name, parts[i]);
    KILN_ASSIGN_OR_RETURN(StoredTensor part, find(key));
    KILN_ASSIGN_OR_RETURN(Shape partShape, parts[i].shapeOf(stored.shape));
    if (part.dtype != stored.dtype || part.shape != partShape)
      return dataLossError(
          strCat("a part of ", name, " has another dtype or shape: ",
                 dtypeTfName(part.dtype), " ", part.shape.toString()));
    return readWhole(key, part);
  };
  return readBox(name, stored.dtype, stored.shape, slice, parts, readPart);
}

} // namespace kiln::io
