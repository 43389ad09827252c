// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies the nodes of both bodies into one graph.
#include "lib/OpDefs/ComposedBody.h"

#include "lib/OpDefs/Inference.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <string>
#include <unordered_map>
#include <unordered_set>

namespace kiln {
namespace {

/// The nodes of a body under names that no other one has.
class CopiedNodes {
public:
  CopiedNodes(const FunctionBody &body, std::unordered_set<std::string> &names)
      : body(body), names(names) {}

  /// Another node's output stands for one of the body's.
  void replace(const Output &own, std::string other) {
    instead[own.node] = std::move(other);
  }

  void addTo(std::vector<NodeSpec> &specs) {
    for (int id = 0; id < body.graph.numNodes(); ++id) {
      const Node &node = *body.graph.node(id);
      if (!instead.contains(&node))
        copied[&node] = uniqueName(node.name());
    }
    for (int id = 0; id < body.graph.numNodes(); ++id) {
      const Node &node = *body.graph.node(id);
      if (instead.contains(&node))
        continue;
      NodeSpec &spec = specs.emplace_back();
      spec.name = copied[&node];
      spec.op = node.op();
      spec.attrs = node.attrs();
      spec.device = node.device();
      for (const Output &input : node.inputs())
        spec.inputs.push_back(nameOf(input));
      for (const Node *control : node.controlInputs())
        if (auto found = copied.find(control); found != copied.end())
          spec.inputs.push_back(strCat("^", found->second));
    }
  }

  std::string nameOf(const Output &output) const {
    if (auto found = instead.find(output.node); found != instead.end())
      return found->second;
    return strCat(copied.at(output.node), ":", output.index);
  }

private:
  std::string uniqueName(const std::string &name) {
    std::string unique = name;
    for (int i = 1; !names.insert(unique).second; ++i)
      unique = strCat(name, "_", i);
    return unique;
  }

  const FunctionBody &body;
  std::unordered_set<std::string> &names;
  std::unordered_map<const Node *, std::string> instead, copied;
};

/// The nodes of which the body uses an output.
std::unordered_set<const Node *> usedNodes(const FunctionBody &body) {
  std::unordered_set<const Node *> used;
  for (int id = 0; id < body.graph.numNodes(); ++id)
    for (const Output &input : body.graph.node(id)->inputs())
      used.insert(input.node);
  for (const Output &result : body.results)
    used.insert(result.node);
  return used;
}

} // namespace

StatusOr<std::shared_ptr<const FunctionBody>>
composeBodies(const FunctionBody &first, size_t numPassed,
              const FunctionBody &second, GraphLimits limits) {
  if (numPassed > second.args.size())
    return invalidArgumentError(strCat("expected a function of at least ",
                                       numPassed, " arguments, got one of ",
                                       second.args.size()));
  std::unordered_set<std::string> names;
  std::vector<NodeSpec> specs;
  CopiedNodes inner(first, names), outer(second, names);
  inner.addTo(specs);
  for (size_t i = 0; i < numPassed; ++i) {
    if (first.results[i].dtype() != second.args[i].dtype())
      return invalidArgumentError(
          strCat("expected argument ", i, " of a function to be ",
                 dtypeName(second.args[i].dtype()), ", got ",
                 dtypeName(first.results[i].dtype())));
    outer.replace(second.args[i], inner.nameOf(first.results[i]));
  }
  outer.addTo(specs);

  auto body = std::make_shared<FunctionBody>(makeNodeChecker(), limits);
  KILN_RETURN_IF_ERROR(body->graph.addNodes(std::move(specs)));
  const auto find = [&](const CopiedNodes &nodes, const Output &output,
                        std::vector<Output> &to) -> Status {
    KILN_ASSIGN_OR_RETURN(to.emplace_back(),
                          body->graph.findTensor(nodes.nameOf(output)));
    return okStatus();
  };
  for (const Output &arg : first.args)
    KILN_RETURN_IF_ERROR(find(inner, arg, body->args));
  for (size_t i = numPassed; i < second.args.size(); ++i)
    KILN_RETURN_IF_ERROR(find(outer, second.args[i], body->args));
  for (const Output &result : second.results)
    KILN_RETURN_IF_ERROR(find(outer, result, body->results));
  const std::unordered_set<const Node *> used = usedNodes(second);
  for (size_t i = 0; i < first.results.size(); ++i)
    if (i >= numPassed || !used.contains(second.args[i].node))
      KILN_RETURN_IF_ERROR(find(inner, first.results[i], body->results));
  return std::shared_ptr<const FunctionBody>(std::move(body));
}

} // namespace kiln
