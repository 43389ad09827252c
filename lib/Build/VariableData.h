// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a variable is made of.
#ifndef KILN_LIB_BUILD_VARIABLEDATA_H
#define KILN_LIB_BUILD_VARIABLEDATA_H

#include "kiln/Variable.h"
#include "lib/Build/BuildState.h"

namespace kiln {

/// Constant once the variable is there, but for what setInitializer() changes.
/// **Ownership**: a graph's collections
/// hold its variables, so these do not hold the graph.
struct VariableData {
  explicit VariableData(const GraphBuilder &graph)
      : state(graph.internals().weak_from_this()) {}
  /// The graph; the current one, with an error, where it is gone.
  GraphBuilder graph() const;

  std::weak_ptr<BuildState> state;
  Output handle;       ///< the reference, or the resource
  Output initialValue; ///< none for one from elsewhere
  const Node *initializer = nullptr;
  Output read;        ///< NAME/read, or NAME/Read/ReadVariableOp
  Output initialized; ///< of a resource: NAME/IsInitialized/…
  /// The value that all reads of a resource give, where there is one.
  Output cached;
  DType dtype = DType::Invalid;
  Shape shape;
  /// What reads stand behind, where this is a variable as an assignment left
  /// it.
  const Node *assignment = nullptr;
  std::optional<VariableSlice> slice;
  Constraint constraint;
  bool isResource = false;
  bool isTrainable = false;
};

/// An initial value that does not need other variables to have values first.
/// **Source**: variables._try_guard_against_uninitialized_dependencies.
Output guardedInitialValue(BuildState &state, std::string_view name,
                           const Output &value);

} // namespace kiln

#endif // KILN_LIB_BUILD_VARIABLEDATA_H
