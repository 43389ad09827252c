// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds out which TensorLists are lists of optionals, before anything is pushed
// to them.
#ifndef KILN_LIB_PLAN_TRANSFORMS_OPTIONALTYPES_H
#define KILN_LIB_PLAN_TRANSFORMS_OPTIONALTYPES_H

#include "lib/Plan/transforms/OptionalValue.h"

#include <map>
#include <utility>

namespace kiln {

/// A node of a block.
using OptionalNode = std::pair<const Block *, const Node *>;

struct OptionalTypes {
  OptionalForms forms;
  /// What each EmptyTensorList will hold where that are optionals: one without
  /// tensors.
  std::map<OptionalNode, KnownOptional> elements;
  /// The form that each OptionalFromValue makes.
  std::map<OptionalNode, int> made;
  /// What each OptionalGetValue takes.
  std::map<OptionalNode, std::vector<OptionalType>> taken;
};

/// Follows optionals and lists forwards and backwards: an element is what is
/// pushed and what is popped of any list that may be the same.
/// **Errors**: RESOURCE_EXHAUSTED, with the node, beyond the limits of
/// optionals. **Cost**: nearly linear in nodes.
StatusOr<OptionalTypes> findOptionalTypes(const Block &root);

} // namespace kiln

#endif // KILN_LIB_PLAN_TRANSFORMS_OPTIONALTYPES_H
