// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the flags of a node's schema.
#include "kiln/NodeTraits.h"

#include "lib/OpDefs/OpDef.h"

namespace kiln {

NodeTraits traitsOf(const Node &node) {
  NodeTraits traits;
  const OpDef *def = lookupOp(node.op());
  if (!def)
    return traits;
  traits.isPlaceholder = def->has(placeholder);
  traits.isConstant = def->has(constant);
  traits.isVariable = def->has(variable);
  traits.isUpdate = def->writesVariable();
  traits.readsVariable = def->has(readsVariable);
  traits.givesRef = def->givesRef();
  traits.forwardsRef = def->has(forwardsRef);
  return traits;
}

} // namespace kiln
