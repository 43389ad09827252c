// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts of control flow as messages, and back: gradients go through the
// branches and loops of a graph that has them.
#ifndef KILN_LIB_SAVE_CONTEXTDEFS_H
#define KILN_LIB_SAVE_CONTEXTDEFS_H

#include "lib/Build/BuildState.h"

#include <string>

namespace kiln {

/// The name without the scope that it begins with. **Source**:
/// ops.strip_name_scope.
inline std::string nameBelow(std::string name, const std::string &scope) {
  if (name.starts_with(scope))
    name.erase(0, scope.size());
  return name;
}

/// A context with those in it, under names without the scope. **Source**:
/// ControlFlowContext.to_proto.
StatusOr<std::string> encodeContext(const BuildState &state,
                                    const ControlFlowContext &context,
                                    const std::string &scope);
/// Makes the context, and that its nodes belong to it; the scope stands before
/// all names. **Errors**: NOT_FOUND for names that are not in the graph;
/// INVALID_ARGUMENT for what is no message. **Source**: from_proto.
StatusOr<std::shared_ptr<ControlFlowContext>>
decodeContext(BuildState &state, std::string_view bytes, bool isWhile,
              const std::string &scope);

} // namespace kiln

#endif // KILN_LIB_SAVE_CONTEXTDEFS_H
