// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds out which TensorLists are lists of optionals, before anything is pushed
// to them.
#ifndef KILN_LIB_PLAN_OPTIONALTYPES_H
#define KILN_LIB_PLAN_OPTIONALTYPES_H

#include "lib/Plan/OptionalValue.h"

#include <map>
#include <utility>

namespace kiln {

/// What each EmptyTensorList of a block will hold where that are optionals: one
/// without tensors.
using OptionalElements =
    std::map<std::pair<const Block *, const Node *>, KnownOptional>;

/// Follows optionals and lists forwards and backwards: an element is what is
/// pushed and what is popped of any list that may be the same. Numbers the
/// forms of all optionals.
/// **Errors**: RESOURCE_EXHAUSTED, with the node, beyond the limits of
/// optionals. **Cost**: nearly linear in nodes.
StatusOr<OptionalElements> findOptionalElements(const Block &root,
                                                OptionalForms &forms);

} // namespace kiln

#endif // KILN_LIB_PLAN_OPTIONALTYPES_H
