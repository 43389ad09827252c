// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The body of a function while it is built: a graph of its own, which takes
// tensors from the graphs around it as further arguments.
#ifndef KILN_LIB_BUILD_FUNCTIONGRAPH_H
#define KILN_LIB_BUILD_FUNCTIONGRAPH_H

#include "lib/Build/BuildState.h"

#include <functional>
#include <map>

namespace kiln {

struct Function;

/// What makes a BuildState the body of a function.
///
/// Invariants: (1) `inputs` are outputs of placeholders of the body; those that
/// stand for tensors from outside are also in `captures`, in the same order;
/// (2) the body's nodes are seen by no session: what a library has is a copy.
/// Ownership: the graph around keeps a body for the node that calls it, so that
/// its gradient finds the same nodes. **Source**: func_graph.FuncGraph.
struct FunctionGraph {
  struct Capture {
    Output outside, inside;
  };
  /// The function's name in the library.
  std::string name;
  /// The graph that the body was begun in, which lives at least as long.
  std::weak_ptr<BuildState> outer;
  std::vector<Output> inputs, outputs;
  std::vector<Capture> captures;
  /// Nodes outside that something here waits for: the call does instead.
  std::vector<const Node *> controls;
  /// What the function's definition says of it.
  AttrMap attrs;
  /// Whether a call does all that the body does, used or not.
  bool runsEffects = false;
  /// What gradients have added here instead of where they are, by the names
  /// that were asked for.
  std::multimap<std::string, const Node *> lent;
  /// In a body of gradients, what stands for a tensor, where it is not to be
  /// captured as all others are.
  std::function<std::optional<Output>(const Output &)> insteadOfCapture;
  /// The same of a node that is to be added elsewhere.
  std::function<const Node *(const std::string &op, const std::string &name,
                             const std::vector<Output> &inputs,
                             const AttrMap &attrs)>
      insteadOfNode;
};

/// The graph that is no function's body, and what it keeps for all bodies.
BuildState &rootOf(BuildState &state);
/// The graph to work in where a tensor or variable is of graph `own`: a body
/// that is being built takes everything from around it.
GraphBuilder workingGraph(const GraphBuilder &own);

/// A body without arguments. It has the devices and the seed of the graph
/// around.
std::shared_ptr<BuildState> beginFunction(BuildState &outer, std::string name);
/// Adds an argument; `name` is what its caller calls it, or empty.
Output addArgument(BuildState &body, const Output &like, const Shape &shape,
                   std::string_view name);
/// The same of a dtype alone; whether its definition notes the name.
Output addArgument(BuildState &body, DType dtype, const Shape &shape,
                   std::string_view name, bool isNoted);
/// What stands in the body for a tensor from outside. **Errors** of the body:
/// INVALID_ARGUMENT for one of a body inside of it.
Output captured(BuildState &body, const Output &outside,
                std::string_view name = {});

/// Adds the function to the library of the root graph, in place of the one of
/// the name `before`. The body may go on: then this is called again.
void defineFunction(BuildState &body, std::string_view before = {});
/// "while_body_12" of "while/" and "body". **Source**: unique_fn_name.
std::string functionName(BuildState &state, std::string_view scope,
                         std::string_view kind);
/// **Source**: unique_grad_fn_name.
std::string gradientName(BuildState &state, std::string_view function);

/// Whether an op of the body does more than compute what it gives.
bool isStateful(const BuildState &body);
/// Positions of arguments that are handles which all bodies only read, counted
/// from `first`. **Source**: get_read_only_resource_input_indices_graph.
std::vector<int64_t>
readOnlyArguments(const std::vector<std::shared_ptr<BuildState>> &bodies,
                  int64_t first);
/// dtype and shape of the variable that a handle names, where they are known.
std::optional<std::pair<DType, Shape>> variableOfHandle(const Output &handle);

} // namespace kiln

#endif // KILN_LIB_BUILD_FUNCTIONGRAPH_H
