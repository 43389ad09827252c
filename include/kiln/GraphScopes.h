// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scopes of graph construction: objects that hold while they live.
#ifndef KILN_GRAPHSCOPES_H
#define KILN_GRAPHSCOPES_H

#include "kiln/GraphBuilder.h"

#include <functional>
#include <memory>
#include <span>
#include <string>

namespace kiln {

/// Makes a graph the one that functions build in, on this thread. **Errors** of
/// the graph: FAILED_PRECONDITION where scopes do not end in the reverse order
/// of their beginning. **Source**: tf.Graph.as_default.
class [[nodiscard]] KILN_EXPORT GraphScope {
public:
  explicit GraphScope(GraphBuilder graph);
  ~GraphScope();
  GraphScope(const GraphScope &) = delete;
  GraphScope &operator=(const GraphScope &) = delete;

private:
  GraphBuilder graph;
};

/// Puts a name and a slash before the names of what is added. The name is made
/// unique; one that ends in "/" is entered again as it is; an empty one goes
/// back to the root. **Errors** of the graph: INVALID_ARGUMENT for a name that
/// is no scope's. **Source**: tf.name_scope.
class [[nodiscard]] KILN_EXPORT NameScope {
public:
  explicit NameScope(std::string_view name);
  /// Uses the default where there is no name, as functions do with their
  /// options. **Source**: tf.name_scope(name, default_name).
  NameScope(std::string_view name, std::string_view defaultName);
  NameScope(const GraphBuilder &graph, std::string_view name);
  ~NameScope();
  NameScope(const NameScope &) = delete;
  NameScope &operator=(const NameScope &) = delete;

  /// The scope's full name and a slash: as the name of an op it names that op
  /// after the scope. Empty at the root.
  const std::string &name() const noexcept { return scopeName; }

private:
  void enter(std::string_view name);
  GraphBuilder graph;
  std::string outer;
  std::string scopeName;
};

/// The scope that a function with these inputs works in: the graph that they
/// are in becomes the current one, and a name scope is opened.
class [[nodiscard]] KILN_EXPORT FunctionScope {
public:
  FunctionScope(std::string_view name, std::string_view defaultName,
                std::initializer_list<const Input *> inputs);
  ~FunctionScope();

  const std::string &name() const noexcept { return names->name(); }
  operator const std::string &() const noexcept { return names->name(); }

private:
  std::optional<GraphScope> graph;
  std::optional<NameScope> names;
};

/// What a control dependency may come from.
class KILN_EXPORT ControlInput {
public:
  ControlInput(const Node *operation) : node(operation) {}
  ControlInput(const Output &tensor) : node(tensor.node) {}
  ControlInput(const Variable &variable);
  ControlInput(const Assignment &assignment);
  const Node *operation() const noexcept { return node; }

private:
  const Node *node;
};

/// What is added runs after these. **Source**: tf.control_dependencies.
class [[nodiscard]] KILN_EXPORT ControlScope {
public:
  explicit ControlScope(std::initializer_list<ControlInput> inputs);
  explicit ControlScope(std::span<const ControlInput> inputs);
  explicit ControlScope(const std::vector<ControlInput> &inputs)
      : ControlScope(std::span<const ControlInput>(inputs)) {}
  /// Nothing of what is outside holds, neither control dependencies nor the
  /// branch or loop. **Source**: tf.control_dependencies(None).
  static ControlScope none() { return ControlScope(Clear()); }
  ~ControlScope();
  ControlScope(const ControlScope &) = delete;
  ControlScope &operator=(const ControlScope &) = delete;

private:
  struct Clear {};
  struct Saved;
  explicit ControlScope(Clear);
  GraphBuilder graph;
  std::unique_ptr<Saved> saved;
};

/// Devices of what is added: the inner one wins, part by part; an empty one
/// takes all wishes back. **Errors** of the graph: INVALID_ARGUMENT for a text
/// that names no device. **Source**: tf.device.
class [[nodiscard]] KILN_EXPORT DeviceScope {
public:
  explicit DeviceScope(std::string_view device);
  ~DeviceScope();
  DeviceScope(const DeviceScope &) = delete;
  DeviceScope &operator=(const DeviceScope &) = delete;

private:
  GraphBuilder graph;
};

/// The name of the device for a node that is being added, whose device() says
/// what scopes inside of the function's have asked for; empty for no wish.
using DeviceFunction = std::function<std::string(const Node &)>;

/// Asks a function for the device of each node that is added. What scopes
/// around it name is merged into what it gives. **Errors** of the graph:
/// INVALID_ARGUMENT where a name to be merged is no device's. **Source**:
/// tf.device of a function.
class [[nodiscard]] KILN_EXPORT DeviceFunctionScope {
public:
  explicit DeviceFunctionScope(DeviceFunction choose);
  ~DeviceFunctionScope();
  DeviceFunctionScope(const DeviceFunctionScope &) = delete;
  DeviceFunctionScope &operator=(const DeviceFunctionScope &) = delete;

private:
  GraphBuilder graph;
};

/// What is added stands where the operation is. **Source**: tf.colocate_with.
class [[nodiscard]] KILN_EXPORT ColocationScope {
public:
  explicit ColocationScope(ControlInput operation, bool ignoreExisting = false);
  ~ColocationScope();
  ColocationScope(const ColocationScope &) = delete;
  ColocationScope &operator=(const ColocationScope &) = delete;

private:
  struct Saved;
  GraphBuilder graph;
  std::unique_ptr<Saved> saved;
};

/// Gives attributes to all that is added and does not have them: names begin
/// with "_". **Source**: tf.Graph._attr_scope.
class [[nodiscard]] KILN_EXPORT AttributeScope {
public:
  explicit AttributeScope(AttrMap attrs);
  ~AttributeScope();
  AttributeScope(const AttributeScope &) = delete;
  AttributeScope &operator=(const AttributeScope &) = delete;

private:
  GraphBuilder graph;
  AttrMap outer;
};

/// Ops of type `op` that are added take the gradient function of another
/// name. **Source**: tf.Graph.gradient_override_map.
class [[nodiscard]] KILN_EXPORT GradientOverrideScope {
public:
  explicit GradientOverrideScope(
      std::vector<std::pair<std::string, std::string>> opToGradient);
  ~GradientOverrideScope();
  GradientOverrideScope(const GradientOverrideScope &) = delete;
  GradientOverrideScope &operator=(const GradientOverrideScope &) = delete;

private:
  GraphBuilder graph;
  std::vector<std::pair<std::string, std::string>> outer;
};

} // namespace kiln

#endif // KILN_GRAPHSCOPES_H
