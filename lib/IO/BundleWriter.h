// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes checkpoints as TensorFlow's tensor bundles.
#ifndef KILN_LIB_IO_BUNDLEWRITER_H
#define KILN_LIB_IO_BUNDLEWRITER_H

#include "kiln/Tensor.h"
#include "lib/IO/BundleIndex.h"
#include "lib/Support/FileStream.h"

#include <span>

namespace kiln::io {

/// One file of data, in which tensors lie one behind the other: numbers as
/// their bytes; strings as their lengths (varints), a checksum of these and the
/// bytes. The index says where, with a checksum of each.
///
/// Invariant: a checkpoint that is there stays whole until the index of the new
/// one takes its place, for good: what that names is on the disk before it, in
/// files of other names (one more of them than the old one has, where their
/// number would be the same), and only then the old files go.
class BundleWriter {
public:
  /// Makes the folder, too, where its parent is there. **Errors**: as
  /// FileWriter.
  static StatusOr<BundleWriter> create(std::string prefix);

  /// **Errors**: INVALID_ARGUMENT for a name that was there; UNIMPLEMENTED for
  /// a dtype without bytes; as FileWriter.
  Status add(const std::string &name, const Tensor &tensor);
  /// Adds a part of a tensor. **Errors**: as add(), and INVALID_ARGUMENT for a
  /// part of another dtype or whole than those before.
  Status addSlice(const std::string &name, const ShapeAndSlice &place,
                  const Tensor &tensor);
  /// Puts both files in place: the index last, which names what it belongs to.
  Status finish();

private:
  BundleWriter(std::string prefix, int numShards, FileWriter data)
      : prefix(std::move(prefix)), numShards(numShards), data(std::move(data)) {
  }

  std::string prefix;
  int numShards;
  FileWriter data;
  BundleEntries entries;
};

/// Makes one checkpoint of several, whose files it moves; the one that was
/// there stays whole until then. Without `allowMissing` all must be there.
/// **Errors**, with TensorFlow's texts: INVALID_ARGUMENT for one that is
/// missing, none at all, and a tensor that two have; as BundleIndex,
/// FileWriter.
Status mergeBundles(std::span<const std::string> prefixes,
                    const std::string &merged, bool allowMissing);

} // namespace kiln::io

#endif // KILN_LIB_IO_BUNDLEWRITER_H
