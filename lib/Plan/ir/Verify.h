// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a tree of blocks is one that import and cutting understand.
#ifndef KILN_LIB_PLAN_IR_VERIFY_H
#define KILN_LIB_PLAN_IR_VERIFY_H

#include "lib/Plan/ir/Block.h"

#include <string_view>

namespace kiln {

/// Checks that
/// 1. what an item, a condition or a result uses is given before it: by an item
///    of its block, an argument of its block, or one of those in a block
///    around. The second block of a While does not see the first one;
/// 2. operands, arguments and results of an item and of its blocks match: as
///    many, for a While both ways round;
/// 3. nothing and constants stand only where a branch or a call gives them, and
///    a use of an argument or of a result is one (PlanValue::Kind);
/// 4. an item has what its kind says: blocks, operands, results, a condition.
///
/// **Errors**: INTERNAL, with the node, and `after`, the transformation whose
/// work it was. **Cost**: n log n in the nodes. Recursion is as deep as the
/// blocks.
Status verify(const Block &root, std::string_view after);

/// The same in Dev builds; in others nothing.
inline Status verifyInDev([[maybe_unused]] const Block &root,
                          [[maybe_unused]] std::string_view after) {
#ifdef NDEBUG
  return okStatus();
#else
  return verify(root, after);
#endif
}

} // namespace kiln

#endif // KILN_LIB_PLAN_IR_VERIFY_H
