// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads checkpoints that are TensorFlow's tensor bundles.
#ifndef KILN_LIB_IO_BUNDLEREADER_H
#define KILN_LIB_IO_BUNDLEREADER_H

#include "kiln/Tensor.h"
#include "lib/IO/BundleIndex.h"
#include "lib/Support/FileAccess.h"
#include "lib/Support/FileStream.h"
#include "lib/Support/StatusMacros.h"

#include <map>

namespace kiln::io {

/// What an entry says of its tensor, checked.
struct StoredTensor {
  DType dtype = DType::Invalid;
  Shape shape;
  proto::BundleEntryProto entry;
};

/// **Thread safety**: none.
class BundleReader {
public:
  /// Reads the index, and later files of data that `access` allows, wherever
  /// they lead to. **Errors**: as BundleIndex::read(), of FileAccess::check().
  static StatusOr<BundleReader> open(const std::string &prefix,
                                     const FileAccess &access = {}) {
    KILN_RETURN_IF_ERROR(access.check(indexPath(prefix)));
    KILN_ASSIGN_OR_RETURN(BundleIndex index, BundleIndex::read(prefix));
    return BundleReader(std::move(index), access);
  }

  /// Names of tensors, not of their parts; sorted. **Errors**: as
  /// BundleIndex::all().
  StatusOr<std::vector<std::string>> names();
  /// **Errors**: as BundleIndex::find(); DATA_LOSS for an entry that describes
  /// no tensor.
  StatusOr<StoredTensor> find(const std::string &name);
  /// Reads a tensor, whole or in parts. **Errors**: NOT_FOUND for files that
  /// are missing; DATA_LOSS for sizes and checksums that do not fit;
  /// OUT_OF_RANGE for data that is cut off; INVALID_ARGUMENT for a tensor of
  /// which parts are missing. All with TensorFlow's texts.
  StatusOr<Tensor> read(const std::string &name, const StoredTensor &stored);
  /// Reads a part of a tensor. **Errors**: as read(); INVALID_ARGUMENT for
  /// strings.
  StatusOr<Tensor> readSlice(const std::string &name,
                             const StoredTensor &stored,
                             const TensorSlice &slice);

private:
  BundleReader(BundleIndex index, const FileAccess &access)
      : index(std::move(index)), access(access) {}
  StatusOr<const FileReader *> file(int shard);
  StatusOr<Tensor> readWhole(const std::string &key, const StoredTensor &);
  Status readBytes(const StoredTensor &stored, char *to, uint32_t &crc);
  StatusOr<Tensor> readStrings(const std::string &key, const StoredTensor &);
  Status checkSum(const StoredTensor &stored, uint32_t crc) const;

  BundleIndex index;
  FileAccess access;
  std::map<int, FileReader> files;
};

} // namespace kiln::io

#endif // KILN_LIB_IO_BUNDLEREADER_H
