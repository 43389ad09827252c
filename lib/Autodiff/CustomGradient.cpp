// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tf.custom_gradient: results and arguments pass through one IdentityN, whose
// gradient is the function's.
#include "lib/Autodiff/CustomGradient.h"

#include "kiln/Variable.h"
#include "lib/Autodiff/GradientCall.h"
#include "lib/Build/BuildState.h"
#include "lib/Support/Strings.h"

#include <unordered_set>

namespace kiln {
namespace {

using Functions =
    std::map<std::string, GradientRegistry::Function, std::less<>>;

std::shared_ptr<void> &attachedFunctions(const GraphBuilder &graph) {
  return graph.attachment("custom_gradients");
}

/// The names of the resource variables between the inputs and the outputs.
/// **Source**: custom_gradient._get_dependent_variables.
std::string variablesBetween(const std::vector<Output> &inputs,
                             const std::vector<Output> &outputs) {
  std::unordered_set<const Node *> seen;
  std::vector<const Node *> stack;
  for (const Output &input : inputs)
    seen.insert(input.node);
  auto push = [&](const Output &tensor) {
    if (tensor.node && seen.insert(tensor.node).second)
      stack.push_back(tensor.node);
  };
  for (const Output &output : outputs)
    push(output);
  std::string names;
  while (!stack.empty()) {
    const Node *node = stack.back();
    stack.pop_back();
    if (node->op() == "VarHandleOp")
      names += (names.empty() ? "" : ", ") + node->name();
    for (const Output &input : node->inputs())
      push(input);
  }
  return names;
}

/// Whether a variable that is no resource has come since there were so many.
bool hasNewReference(const GraphBuilder &graph, size_t before) {
  auto variables = graph.collectionOf<Variable>(keys::globalVariables);
  for (size_t i = before; i < variables.size(); ++i)
    if (!variables[i].isResource())
      return true;
  return false;
}

} // namespace

std::optional<GradientRegistry::Function>
findCustomGradient(const GraphBuilder &graph, std::string_view name) {
  auto functions =
      std::static_pointer_cast<Functions>(attachedFunctions(graph));
  if (!functions)
    return std::nullopt;
  auto found = functions->find(name);
  if (found == functions->end())
    return std::nullopt;
  return found->second;
}

std::vector<Output> customGradient(
    const std::function<CustomResult(const std::vector<Output> &)> &function,
    const InputList &inputs) {
  std::vector<const Input *> given;
  for (const Input &input : inputs.list())
    given.push_back(&input);
  GraphBuilder graph = builderOf(std::span<const Input *const>(given));
  GraphScope scope(graph);
  std::vector<Output> arguments;
  for (const Input &input : inputs.list())
    arguments.push_back(graph.convert(input));
  if (!graph.status().ok())
    return {};
  size_t before = graph.collectionOf<Variable>(keys::globalVariables).size();
  CustomResult result = function(arguments);
  size_t count = result.outputs.size();
  if (!graph.status().ok())
    return std::vector<Output>(count);
  auto fail = [&](std::string text) {
    graph.fail(invalidArgumentError(std::move(text)));
    return std::vector<Output>(count);
  };
  if (hasNewReference(graph, before))
    return fail("All variables used by a function wrapped with "
                "@custom_gradient must be `ResourceVariable`s. Ensure that no "
                "`variable_scope` is created with `use_resource=False`.");
  if (auto names = variablesBetween(arguments, result.outputs); !names.empty())
    return fail("@tf.custom_gradient grad_fn must accept keyword argument "
                "'variables', since function uses variables: [" +
                names + "]");

  auto &attached = attachedFunctions(graph);
  if (!attached)
    attached = std::make_shared<Functions>();
  auto functions = std::static_pointer_cast<Functions>(attached);
  std::string name = strCat("CustomGradient-", functions->size());
  functions->emplace(name, [gradient = std::move(result.gradient),
                            count](GradientCall &call) {
    std::vector<Gradient> all(count);
    for (Gradient &each : gradient(
             {call.outputGradients().begin(),
              call.outputGradients().begin() + static_cast<ptrdiff_t>(count)}))
      all.push_back(std::move(each));
    call.setAll(std::move(all));
  });
  std::vector<Output> tensors = result.outputs;
  tensors.insert(tensors.end(), arguments.begin(), arguments.end());
  GradientOverrideScope override({{"IdentityN", name}});
  std::vector<Output> behind =
      addOpOutputs("IdentityN", {InputList(tensors)}, tensors.size());
  behind.resize(count);
  return behind;
}

} // namespace kiln
