// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks back from a handle through what passes it on.
#include "lib/OpDefs/HandleSource.h"

#include "lib/OpDefs/Contents.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln {

/// The handle that FIFOQueue.from_list picks at a constant place of a list;
/// null for other picks. **Errors**: INVALID_ARGUMENT for a place that the list
/// does not have, with the text of TensorFlow's Gather.
static StatusOr<const Node *> pickedHandle(const Node &gather) {
  const Node &list = *gather.input(0).node;
  const Tensor *value = singleElement(*gather.input(1).node);
  if (roleOf(list) != OpRole::Pack || !value)
    return nullptr;
  int64_t index = value->dtype() == DType::Int32 ? value->data<int32_t>()[0]
                                                 : value->data<int64_t>()[0];
  if (index < 0 || index >= list.numInputs())
    return invalidArgumentError(strCat("indices = ", index, " is not in [0, ",
                                       list.numInputs(), ")"))
        .withNode(gather.name());
  return list.input(static_cast<int>(index)).node;
}

StatusOr<const Node *> sourceOfHandle(const Output &handle) {
  const Node *node = handle.node;
  while (node && node->numInputs() > 0) {
    const OpRole role = roleOf(*node);
    const OpDef *def = lookupOp(node->op());
    if (def && def->has(declares)) {
      break;
    } else if (role == OpRole::Gather) {
      KILN_ASSIGN_OR_RETURN(node, pickedHandle(*node));
    } else if ((def && def->has(passesOn) && node->numInputs() == 1) ||
               role == OpRole::Switch) {
      node = node->input(0).node;
    } else {
      node = nullptr; // what a call gives is another handle
    }
  }
  return node;
}

} // namespace kiln
