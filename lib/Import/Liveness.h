// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values of a tree of blocks are live: something computes with them.
#ifndef KILN_LIB_IMPORT_LIVENESS_H
#define KILN_LIB_IMPORT_LIVENESS_H

#include "lib/Import/SymbolicInference.h"

namespace kiln {

/// Fills Scope::live and Scope::liveNodes. A node is live when another one
/// computes with its output, or for its effect; what a loop carries, when a
/// later iteration or a node behind the loop computes with it; a variable, also
/// when a node takes its value without looking at it. **Cost**: linear,
/// times the depth of loops.
void findLive(SymbolicInference &inference);

/// The inputs that are references of variables to a node that takes values, or
/// handles to one that looks at the variable and that TensorFlow runs
/// (SymbolicInference::isRun()): it does not run it on a variable without a
/// value, whatever it gives.
std::vector<int> referencesByValue(const SymbolicInference &inference,
                                   const Node &node);

} // namespace kiln

#endif // KILN_LIB_IMPORT_LIVENESS_H
