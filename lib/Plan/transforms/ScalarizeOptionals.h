// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes optionals out of a tree of blocks: what is in one, and whether it has
// anything, are tensors like others.
#ifndef KILN_LIB_PLAN_TRANSFORMS_SCALARIZEOPTIONALS_H
#define KILN_LIB_PLAN_TRANSFORMS_SCALARIZEOPTIONALS_H

#include "lib/Plan/ir/Block.h"

namespace kiln {

/// Replaces OptionalFromValue, OptionalNone and OptionalGetValue, and optionals
/// among operands and results, by the tensors in them. Where branches give
/// optionals of other tensors, or none, the tensors of each are results that
/// the other has nothing for, and an int32 result more says which it was;
/// OptionalGetValue ends a run in which it was another. A list of optionals is
/// a list of each tensor in them and one of those int32. **Errors**:
/// UNIMPLEMENTED, with the node, for an optional that a loop changes, one that
/// is fetched, and ops on optionals but ZerosLike, AddN, TensorListPushBack and
/// TensorListPopBack; RESOURCE_EXHAUSTED beyond the limits of OptionalValue.h.
Status scalarizeOptionals(Block &root);

} // namespace kiln

#endif // KILN_LIB_PLAN_TRANSFORMS_SCALARIZEOPTIONALS_H
