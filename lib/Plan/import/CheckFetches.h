// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fetched tensors of branches: a run that does not take the branch has no value
// to give.
#ifndef KILN_LIB_PLAN_IMPORT_CHECKFETCHES_H
#define KILN_LIB_PLAN_IMPORT_CHECKFETCHES_H

#include "lib/Plan/import/ControlFlowAnalysis.h"
#include "lib/Plan/ir/Block.h"

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
StatusOr<std::vector<BranchFetch>>
findBranchFetches(const PrunedGraph &graph, const ControlFlowAnalysis &flow);

} // namespace kiln

#endif // KILN_LIB_PLAN_IMPORT_CHECKFETCHES_H
