// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fetched tensors of branches: a run that does not take the branch has no value
// to give.
#ifndef KILN_LIB_PLAN_BRANCHFETCHES_H
#define KILN_LIB_PLAN_BRANCHFETCHES_H

#include "lib/Plan/Alive.h"
#include "lib/Plan/Block.h"

namespace kiln {

struct BranchFetch {
  /// Among the fetches that are not fed, sorted by name: what TensorFlow's
  /// error calls it.
  int index;
  Output tensor;
  Literals literals; ///< what must hold for it to have a value
};

/// The fetches that may be dead. **Errors**: UNIMPLEMENTED, with the node, for
/// one inside of a loop.
StatusOr<std::vector<BranchFetch>> findBranchFetches(const PrunedGraph &graph,
                                                     const Alive &alive);

/// Appends what ends a run in which the fetch is dead. The predicates of its
/// literals are values of the block.
void addValueCheck(const BranchFetch &fetch, const Alive &alive, Block &root);

} // namespace kiln

#endif // KILN_LIB_PLAN_BRANCHFETCHES_H
