// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The index of a checkpoint, a sorted table of LevelDB's format.
#ifndef KILN_LIB_IO_BUNDLEINDEX_H
#define KILN_LIB_IO_BUNDLEINDEX_H

#include "kiln/Status.h"
#include "lib/IO/LevelTable.h"
#include "lib/IO/proto/Checkpoint.pb.h"
#include "lib/Shape/TensorSlice.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace kiln::io {

/// "PREFIX.index", and "PREFIX.data-00000-of-00001".
std::string indexPath(std::string_view prefix);
std::string dataPath(std::string_view prefix, int shard, int numShards);

/// The key of a slice's own entry.
std::string sliceKey(std::string_view tensor, const TensorSlice &slice);

proto::TensorSliceProto encodeSlice(const TensorSlice &slice);
/// **Errors**: DATA_LOSS for what is no slice.
StatusOr<TensorSlice> decodeSlice(const proto::TensorSliceProto &slice);

/// Entries by key, without the header's.
using BundleEntries = std::map<std::string, proto::BundleEntryProto>;

/// An index that was read. **Thread safety**: none. **Ownership**: holds the
/// whole file.
class BundleIndex {
public:
  /// Checks every byte of the file. **Errors**, with TensorFlow's texts:
  /// NOT_FOUND; DATA_LOSS for what is no table, or one that is damaged (also in
  /// bytes that TensorFlow does not look at); UNIMPLEMENTED for big-endian
  /// data; INVALID_ARGUMENT for one that only a newer TensorFlow reads.
  static StatusOr<BundleIndex> read(const std::string &prefix);

  const std::string &prefix() const { return path; }
  int numShards() const { return header.num_shards(); }
  /// **Errors**: NOT_FOUND "Key x not found in checkpoint"; DATA_LOSS for a
  /// damaged table or entry.
  StatusOr<proto::BundleEntryProto> find(const std::string &key);
  /// **Errors**: DATA_LOSS as find().
  StatusOr<BundleEntries> all();

private:
  BundleIndex(std::string prefix, LevelTable table);
  Status readHeader();

  std::string path;
  LevelTable table;
  proto::BundleHeaderProto header;
};

/// Writes an index, under a temporary name first, and brings its name to the
/// disk. **Errors**: as FileWriter.
Status writeIndex(std::string_view prefix, int numShards,
                  const BundleEntries &entries);

} // namespace kiln::io

#endif // KILN_LIB_IO_BUNDLEINDEX_H
