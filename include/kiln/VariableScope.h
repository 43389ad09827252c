// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables by name: scopes in which they are made, found again and shared.
#ifndef KILN_VARIABLESCOPE_H
#define KILN_VARIABLESCOPE_H

#include "kiln/GraphScopes.h"
#include "kiln/Initializers.h"
#include "kiln/Regularizers.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// Whether getVariable() finds variables that are there: true: only those;
/// autoReuse: those, and it makes what is missing; false: as the scope around
/// says, none at the root.
struct Reuse {
  enum class Kind { Inherit, Always, Auto };
  constexpr Reuse(bool reuse) : kind(reuse ? Kind::Always : Kind::Inherit) {}
  constexpr Reuse(Kind kind) : kind(kind) {}
  bool operator==(const Reuse &) const = default;
  Kind kind;
};
inline constexpr Reuse autoReuse = Reuse::Kind::Auto;

/// How many parts each axis of a variable has; one axis at most has more than
/// one. An empty one is none.
using Partitioner =
    std::function<std::vector<int64_t>(const Shape &shape, DType dtype)>;

struct GetVariableOptions;
struct VariableScopeData;
class Weight;

/// Finds or makes a variable by its whole name. All that the variable scope
/// says is in the options. **Source**: the getter of a custom_getter.
using VariableGetter = std::function<Weight(const std::string &name,
                                            const GetVariableOptions &options)>;
/// Called in place of the getter, which it may call with other arguments, for
/// other names, or not at all; what it gives is what the program gets.
/// **Source**: tf.variable_scope(custom_getter=...).
using CustomGetter =
    std::function<Weight(const VariableGetter &getter, const std::string &name,
                         const GetVariableOptions &options)>;

struct VariableScopeOptions {
  /// The name where none is given, made unique. **Source**: default_name.
  std::string defaultName = {};
  Reuse reuse = false;
  /// For variables that name none.
  std::optional<Initializer> initializer = {};
  std::optional<Regularizer> regularizer = {};
  std::optional<Constraint> constraint = {};
  /// For getPartitionedVariable(), getWeight() and layers.
  std::optional<Partitioner> partitioner = {};
  DType dtype = DType::Invalid;
  std::optional<bool> useResource = {};
  /// False: names of ops get no scope of their own.
  bool auxiliaryNameScope = true;
  /// Stands around that of the scope outside, whose result its getter gives.
  std::optional<CustomGetter> customGetter = {};
};

/// What a scope says of variables that name nothing themselves.
struct VariableScopeDefaults {
  std::optional<Initializer> initializer = {};
  Regularizer regularizer = {};
  Constraint constraint = {};
  Partitioner partitioner = {};
  DType dtype = DType::Float32;
  std::optional<bool> useResource = {};
  CustomGetter customGetter = {};
};

/// A variable scope to be entered again.
class KILN_EXPORT VariableScopeHandle {
public:
  explicit VariableScopeHandle(std::shared_ptr<VariableScopeData> data)
      : data(std::move(data)) {}
  /// "outer/inner"; empty at the root.
  const std::string &name() const;
  /// The name scope that it was opened in first, with a slash.
  const std::string &originalNameScope() const;
  Reuse reuse() const;
  /// From now on only variables that are there.
  void reuseVariables() const;
  VariableScopeDefaults defaults() const;
  /// From now on. **Source**: VariableScope.set_initializer and the like.
  void setDefaults(VariableScopeDefaults defaults) const;
  /// From now on reads of its variables stand beside what it makes, not beside
  /// the variables, unless it is in a loop. **Source**:
  /// set_caching_device(lambda op: op.device), as recurrent networks do.
  void cacheReads() const;
  const std::shared_ptr<VariableScopeData> &internals() const noexcept {
    return data;
  }

private:
  std::shared_ptr<VariableScopeData> data;
};

/// Puts a name and a slash before the names of variables, and of ops, while it
/// lives. **Errors** of the graph: INVALID_ARGUMENT where neither a name nor a
/// default is given, or reuse without a name; FAILED_PRECONDITION for scopes
/// that do not end in the reverse order of their beginning. **Source**:
/// tf.variable_scope.
class [[nodiscard]] KILN_EXPORT VariableScope {
public:
  explicit VariableScope(std::optional<std::string_view> name,
                         const VariableScopeOptions &options = {});
  /// Enters one again: variables get its name, ops its last part, made unique.
  explicit VariableScope(const VariableScopeHandle &scope,
                         const VariableScopeOptions &options = {});
  ~VariableScope();
  VariableScope(const VariableScope &) = delete;
  VariableScope &operator=(const VariableScope &) = delete;

  VariableScopeHandle handle() const { return VariableScopeHandle(entered); }
  const std::string &name() const { return handleName; }
  void reuseVariables() const { handle().reuseVariables(); }

private:
  void enter(std::optional<std::string_view> name, std::string_view nameScope,
             const VariableScopeHandle *again,
             const VariableScopeOptions &options);
  struct Saved;
  GraphBuilder graph;
  std::optional<NameScope> names;
  std::shared_ptr<VariableScopeData> outer, entered;
  std::string handleName;
  std::unique_ptr<Saved> saved;
};

struct GetVariableOptions {
  /// Unknown rank: the initializer's.
  Shape shape = Shape::unknownRank();
  /// The scope's where it is Invalid, float32 at the root.
  DType dtype = DType::Invalid;
  /// The scope's; without one glorotUniformInitializer(), zeros for integers,
  /// bool and string.
  std::optional<Initializer> initializer = {};
  /// The scope's.
  std::optional<Regularizer> regularizer = {};
  std::optional<Constraint> constraint = {};
  /// Nothing: true.
  std::optional<bool> trainable = {};
  std::optional<std::vector<std::string>> collections = {};
  bool validateShape = true;
  std::optional<bool> useResource = {};
  /// The scope's; an empty one cuts nothing.
  std::optional<Partitioner> partitioner = {};
  /// The scope's.
  std::optional<Reuse> reuse = {};
  /// In place of the scope's.
  std::optional<CustomGetter> customGetter = {};
};

/// Finds or makes a variable by its name in the variable scope, as the scope's
/// reuse says. Names do not depend on name scopes. **Errors** of the graph:
/// INVALID_ARGUMENT with TensorFlow's texts: one that exists where reuse is
/// off, or does not where it is on; another shape or dtype; no shape, no
/// initializer; a scope that cuts variables into parts
/// (getPartitionedVariable()), or whose custom getter gives something else
/// (getWeight()). **Source**: tf.get_variable.
KILN_EXPORT Variable getVariable(std::string_view name,
                                 const GetVariableOptions &options = {});
/// What getVariable() has made in the current graph, by full names; parts of
/// partitioned variables among them.
KILN_EXPORT std::map<std::string, Variable> namedVariables();
/// The innermost scope. **Source**: tf.get_variable_scope.
KILN_EXPORT VariableScopeHandle currentVariableScope();

} // namespace kiln

#endif // KILN_VARIABLESCOPE_H
