// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients with the names, rules and errors of TensorFlow's C++ interface.
#include "kiln/SymbolicGradients.h"

#include "kiln/GraphScopes.h"
#include "lib/Autodiff/Backward.h"
#include "lib/Support/Strings.h"

#include <unordered_set>

namespace kiln {
namespace {

Status checkPrefix(const Graph &graph, const std::string &prefix) {
  for (int id = 0; id < graph.numNodes(); ++id)
    if (const std::string &name = graph.node(id)->name();
        name == prefix || name.starts_with(prefix + "/"))
      return invalidArgumentError(strCat(
          "prefix [", prefix,
          "] conflicts with existing node in the graph named [", name, "]"));
  return okStatus();
}

/// "gradients", "gradients_1" ...: the first that no node is in.
std::string unusedPrefix(const Graph &graph) {
  std::string prefix = "gradients";
  for (int count = 1; !checkPrefix(graph, prefix).ok(); ++count)
    prefix = strCat("gradients_", count);
  return prefix;
}

/// The xs are behind the ys.
Status checkReached(const std::vector<Output> &ys,
                    const std::vector<Output> &xs) {
  std::unordered_set<const Node *> reached;
  std::vector<const Node *> todo;
  auto reach = [&](const Node *node) {
    if (reached.insert(node).second)
      todo.push_back(node);
  };
  for (const Output &y : ys)
    reach(y.node);
  while (!todo.empty()) {
    const Node *node = todo.back();
    todo.pop_back();
    for (const Output &input : node->inputs())
      reach(input.node);
  }
  for (const Output &x : xs)
    if (!reached.contains(x.node))
      return invalidArgumentError(strCat(
          "Cannot compute the partial derivative for node '", x.node->name(),
          "' as it's unreachable from the output "
          "node(s)."));
  return okStatus();
}

Status checkTensors(const Graph &graph, const std::vector<Output> &tensors) {
  for (const Output &tensor : tensors)
    if (!graph.contains(tensor.node) || tensor.index < 0 ||
        (tensor.node->numOutputs() >= 0 &&
         tensor.index >= tensor.node->numOutputs()))
      return invalidArgumentError(
          strCat("expected tensors of this graph, got ",
                 tensor.node ? quote(tensor.name()) : std::string("none")));
  return okStatus();
}

} // namespace

StatusOr<std::vector<Output>>
symbolicGradients(GraphBuilder builder, const std::vector<Output> &ys,
                  const std::vector<Output> &xs,
                  const SymbolicGradientOptions &options) {
  const Graph &graph = *builder.graph();
  for (const auto *tensors : {&ys, &xs, &options.gradYs})
    if (Status status = checkTensors(graph, *tensors); !status.ok())
      return status;
  if (options.prefix)
    if (Status status = checkPrefix(graph, *options.prefix); !status.ok())
      return status;
  if (!options.gradYs.empty() && options.gradYs.size() != ys.size())
    return invalidArgumentError(
        "Must specify a gradient input for each output.");
  if (Status status = checkReached(ys, xs); !status.ok())
    return status;
  if (Status before = builder.status(); !before.ok())
    return before;
  GraphScope current(builder);
  // Entered as it is: a slash at its end says so.
  NameScope scope(options.prefix.value_or(unusedPrefix(graph)) + "/");
  std::vector<Output> results;
  for (const Gradient &gradient : flatGradients(
           builder.internals(), ys, xs,
           {.gradYs = {options.gradYs.begin(), options.gradYs.end()}}))
    results.push_back(gradient.isNone() ? Output{nullptr, -1}
                                        : gradient.toTensor());
  if (Status status = builder.takeStatus(); !status.ok())
    return Status(status.code(), std::string(status.message()));
  return results;
}

} // namespace kiln
