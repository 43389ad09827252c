// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of a graph's library: signatures, bodies as they are written,
// and bodies as graphs.
#ifndef KILN_LIB_GRAPH_FUNCTION_H
#define KILN_LIB_GRAPH_FUNCTION_H

#include "kiln/Graph.h"
#include "lib/Graph/ArgDef.h"

#include <map>
#include <memory>
#include <mutex>

namespace kiln {

/// A function for given attributes, as a graph. Built by lib/OpDefs/Callees.h.
///
/// Ownership: owns its nodes; the function that it is a body of owns it.
/// Thread safety: constant once made.
struct FunctionBody {
  FunctionBody(NodeChecker checker, GraphLimits limits)
      : graph(std::move(checker), limits) {}

  Graph graph;
  /// The arguments as outputs of placeholders, one a tensor.
  std::vector<Output> args;
  std::vector<Output> results;
  /// Control outputs: what must have run when the function ends.
  std::vector<const Node *> targets;
  /// What a call by the function's name runs even if it is not needed.
  std::vector<const Node *> statefulNodes;
  /// What it does itself and by what it calls.
  bool writesVariable = false;
  bool hasEffect = false; ///< of OpDef::hasEffect()
};

/// A function as the library has it.
///
/// Thread safety: constant but for `bodies`, which `mutex` guards.
struct Function {
  struct Attr {
    std::string name;
    /// As a schema has it: "type", "list(type)", "int" ...
    std::string kind;
    std::optional<AttrValue> defaultValue;
  };
  std::string name;
  std::vector<ArgDef> args;
  /// What the tracer knew of the arguments; unknown ranks else.
  std::vector<Shape> argShapes;
  std::vector<ArgDef> results;
  std::vector<Attr> attrs;
  /// What its definition says beside the signature, of the function and of each
  /// argument.
  AttrMap ownAttrs;
  std::vector<AttrMap> argAttrs;
  bool isStateful = false;
  /// Inputs are "arg", "arg:i", "node:output_arg:i" and "^node".
  std::vector<NodeSpec> nodes;
  /// The output that each result is.
  std::map<std::string, std::string> returns;
  /// Nodes that run whether or not results are asked for.
  std::vector<std::string> controlReturns;
  /// What was wrong when it was read: the error of its first use.
  Status problem;

  mutable std::mutex mutex;
  mutable std::vector<std::pair<AttrMap, std::shared_ptr<FunctionBody>>> bodies;
};

/// All functions of a graph, in layers that copies share: a graph that grows by
/// a function in each iteration copies few of those that it has.
/// **Thread safety**: constant, but for bodies.
class FunctionLibrary {
public:
  using Functions =
      std::map<std::string, std::shared_ptr<const Function>, std::less<>>;

  /// Functions that were read, and the FunctionDefLibrary that they are from.
  FunctionLibrary(std::string serialized,
                  std::vector<std::unique_ptr<Function>> list);
  FunctionLibrary() = default;
  FunctionLibrary(const FunctionLibrary &) = default;

  /// The FunctionDefLibrary that functions were read from, for the way back.
  std::string serialized() const;
  /// The functions that are not in it: they were built.
  const std::vector<std::shared_ptr<const Function>> &built() const {
    return builtHere;
  }
  /// Null when there is none. **Cost**: the logarithm of their number.
  const Function *find(std::string_view name) const;
  /// All of them, sorted by name.
  Functions all() const;

  /// For a copy that nothing else has yet: adds a function that was built.
  void add(std::shared_ptr<const Function> function) {
    builtByName[function->name] = function;
    builtHere.push_back(std::move(function));
  }
  /// The same: takes one that was built away, if it is here.
  void remove(std::string_view name) {
    if (std::erase_if(builtHere,
                      [&](const auto &each) { return each->name == name; }) > 0)
      builtByName.erase(builtByName.find(name));
  }
  /// The same: adds the functions of a library that was read. Where both have
  /// one of the same name, it takes the place of all.
  void extend(const FunctionLibrary &later);

  /// Those of the graph that it was loaded with, which its bodies keep, too.
  const GraphLimits &limits() const { return bounds; }
  /// For a copy that no other thread has yet.
  void setLimits(GraphLimits limits) { bounds = limits; }

private:
  struct Layer {
    std::string text;
    Functions functions;
  };
  /// Each has more functions than the next one, so they are few.
  std::vector<std::shared_ptr<const Layer>> layers;
  std::vector<std::shared_ptr<const Function>> builtHere;
  Functions builtByName;
  GraphLimits bounds;
};

/// Gives a graph the functions of another one. **Errors**: UNIMPLEMENTED where
/// it has other functions.
Status takeFunctions(const Graph &from, Graph &to);
/// **Errors**: INVALID_ARGUMENT with TensorFlow's texts for a graph that this
/// version may not read.
Status checkVersions(const GraphVersions &versions);

} // namespace kiln

#endif // KILN_LIB_GRAPH_FUNCTION_H
