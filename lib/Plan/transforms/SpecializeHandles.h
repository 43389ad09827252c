// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resolves handles and references of which data picks the variable.
#ifndef KILN_LIB_PLAN_TRANSFORMS_SPECIALIZEHANDLES_H
#define KILN_LIB_PLAN_TRANSFORMS_SPECIALIZEHANDLES_H

#include "lib/Plan/ir/Block.h"

namespace kiln {

/// Where a branch gives one variable and the other one another, as a RefMerge
/// does, each node that takes what comes out is put into a branch of its own on
/// the same condition, once for each variable. So all are in the run's lock
/// set. Nothing is changed for variables that are of the branches themselves,
/// and for branches, loops and calls that take such a handle: import refuses
/// those.
Status specializeHandles(Block &root);

} // namespace kiln

#endif // KILN_LIB_PLAN_TRANSFORMS_SPECIALIZEHANDLES_H
