// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph's variables by name, and its variable scopes.
#ifndef KILN_LIB_BUILD_VARIABLESTORE_H
#define KILN_LIB_BUILD_VARIABLESTORE_H

#include "kiln/Weight.h"
#include "lib/Support/PerThread.h"

#include <map>
#include <string>

namespace kiln {

struct VariableScopeData : VariableScopeDefaults {
  std::string name;
  std::string nameScope; ///< of ops when it was opened first
  Reuse reuse = false;
  /// Reads stand where the scope says, not beside their variables. **Source**:
  /// VariableScope.set_caching_device(lambda op: op.device).
  bool cachesReads = false;
};

/// The variable scopes that a thread is in. **Source**: _VariableScopeStore.
struct OpenVariableScopes {
  /// How often each scope was opened, for default names.
  std::map<std::string, int64_t> scopeCounts;
  std::shared_ptr<VariableScopeData> current =
      std::make_shared<VariableScopeData>();
  /// Whether reads of the variable that is being made are cached.
  bool cachesRead = false;

  static OpenVariableScopes &of(const GraphBuilder &graph);
  /// The default name, with a number where it is taken in the current scope.
  std::string uniqueDefault(const std::string &prefix) const;
  void closeSubscopes(const std::string &name);
};

/// An attachment of the graph.
struct VariableStore {
  std::map<std::string, Variable> variables;
  std::map<std::string, PartitionedVariable> partitioned;
  PerThread<OpenVariableScopes> scopesOfThreads;

  static VariableStore &of(const GraphBuilder &graph);
};

// Both find or make a variable by its full name, at the root of the name
// scopes; what the variable scope says is in the options already.

/// **Source**: _VariableStore._get_single_variable.
Variable getSingleVariable(const GraphBuilder &graph, const std::string &full,
                           const GetVariableOptions &options,
                           const PartitionInfo *partition = nullptr,
                           const VariableSlice *slice = nullptr);
/// **Source**: _VariableStore._get_partitioned_variable.
PartitionedVariable getParts(const GraphBuilder &graph, const std::string &full,
                             const Partitioner &partitioner,
                             const GetVariableOptions &options);
/// The options with what the scope says where they say nothing, but for what an
/// initializer's value decides.
GetVariableOptions completed(const GetVariableOptions &options,
                             const VariableScopeData &scope);

} // namespace kiln

#endif // KILN_LIB_BUILD_VARIABLESTORE_H
