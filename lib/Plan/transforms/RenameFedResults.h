// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes the names of feeds away from branches, loops and calls.
#ifndef KILN_LIB_PLAN_TRANSFORMS_RENAMEFEDRESULTS_H
#define KILN_LIB_PLAN_TRANSFORMS_RENAMEFEDRESULTS_H

#include "lib/Plan/ir/Block.h"

namespace kiln {

/// A branch, loop or call of which a result is fed may run all the same: for
/// another result, for an effect, or for a control edge. What it gives in place
/// of the fed tensor gets a name that nothing uses, so that all that names the
/// tensor sees the argument of the root.
Status renameFedResults(Block &root);

} // namespace kiln

#endif // KILN_LIB_PLAN_TRANSFORMS_RENAMEFEDRESULTS_H
