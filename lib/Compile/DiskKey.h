// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The key under which a request's code is stored, found without any MLIR.
#ifndef KILN_LIB_COMPILE_DISKKEY_H
#define KILN_LIB_COMPILE_DISKKEY_H

#include "lib/Exec/ProgramKey.h"
#include "lib/Loader/Hasher.h"
#include "lib/Plan/ir/Block.h"

#include <map>

namespace kiln {

struct DiskKey {
  Digest digest = {};
  /// The constants among the nodes, and texts of nodes that import makes
  /// constants of, by their contents.
  std::map<Digest, Tensor> constants;
};

/// Digests all that import, passes and code generation look at: the tree with
/// all attributes of its nodes, contents of constants and what is known of
/// their outputs, what is fed (dtypes, ranks) and fetched, and `code`, a digest
/// of the code generator and its options.
/// What the feeds add to a signature beyond dtype and rank is not in it.
/// **Cost**: linear in nodes and constants (2 GB/s). Recursion is as deep as
/// the blocks, and as attributes' own lists.
DiskKey diskKey(const Block &root, std::span<const FeedView> feeds,
                const Digest &code);

} // namespace kiln

#endif // KILN_LIB_COMPILE_DISKKEY_H
