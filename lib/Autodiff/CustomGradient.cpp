// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tf.custom_gradient: results and arguments pass through one IdentityN, whose
// gradient is the function's.
#include "lib/Autodiff/CustomGradient.h"

#include "kiln/Variable.h"
#include "lib/Autodiff/GradientCall.h"
#include "lib/Build/BuildState.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace kiln {
namespace {

using Functions =
    std::map<std::string, GradientRegistry::Function, std::less<>>;

std::shared_ptr<void> &attachedFunctions(const GraphBuilder &graph) {
  return graph.attachment("custom_gradients");
}

/// The trainable variables between the inputs and the outputs, sorted by name.
/// **Source**: custom_gradient._get_dependent_variables.
std::vector<Variable> variablesBetween(const GraphBuilder &graph,
                                       const std::vector<Output> &inputs,
                                       const std::vector<Output> &outputs) {
  std::unordered_set<const Node *> seen;
  std::vector<const Node *> stack;
  for (const Output &input : inputs)
    seen.insert(input.node);
  auto push = [&](const Output &tensor) {
    if (tensor.node && seen.insert(tensor.node).second)
      stack.push_back(tensor.node);
  };
  // Not the outputs themselves, which may be inputs.
  for (const Output &output : outputs)
    push({ops::addIdentity(output, ""), 0});
  while (!stack.empty()) {
    const Node *node = stack.back();
    stack.pop_back();
    for (const Output &input : node->inputs())
      push(input);
  }
  std::map<std::string, Variable> found;
  for (const Variable &variable :
       graph.collectionOf<Variable>(keys::globalVariables))
    if (variable.isTrainable() && seen.contains(variable.op()))
      found.emplace(variable.name(), variable);
  std::vector<Variable> variables;
  for (const auto &[name, variable] : found)
    if (std::ranges::find(inputs, variable.handle()) == inputs.end())
      variables.push_back(variable);
  return variables;
}

std::string pythonList(const std::vector<Variable> &variables) {
  std::string text;
  for (const Variable &variable : variables)
    text += strCat(text.empty() ? "" : ", ", "<tf.Variable '", variable.name(),
                   "' shape=", variable.shape().toTupleString(),
                   " dtype=", dtypeName(variable.dtype()),
                   variable.isResource() ? "" : "_ref", ">");
  return strCat("[", text, "]");
}

/// Gradients of what the IdentityN takes: none of the results, those of the
/// arguments and of the variables.
void callGradient(GradientCall &call, const CustomResult &result,
                  const std::vector<Variable> &variables) {
  const auto count = static_cast<ptrdiff_t>(result.outputs.size());
  std::vector<Gradient> given(call.outputGradients().begin(),
                              call.outputGradients().begin() + count);
  CustomGradients made;
  if (variables.empty())
    made.inputs = result.gradient
                      ? result.gradient(given)
                      : result.gradientWithVariables(given, {}).inputs;
  else
    made = result.gradientWithVariables(given, variables);
  if (made.variables.size() != variables.size())
    return GraphBuilder::current().fail(
        invalidArgumentError("Must return gradient for each variable from "
                             "@custom_gradient grad_fn."));
  std::vector<Gradient> all(result.outputs.size());
  all.insert(all.end(), made.inputs.begin(), made.inputs.end());
  all.insert(all.end(), made.variables.begin(), made.variables.end());
  call.setAll(std::move(all));
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
  auto variables = variablesBetween(graph, arguments, result.outputs);
  if (!variables.empty() && !result.gradientWithVariables)
    return fail("@tf.custom_gradient grad_fn must accept keyword argument "
                "'variables', since function uses variables: " +
                pythonList(variables));
  if (!result.gradient && !result.gradientWithVariables)
    return fail("expected a gradient of the function, got none");

  auto &attached = attachedFunctions(graph);
  if (!attached)
    attached = std::make_shared<Functions>();
  auto functions = std::static_pointer_cast<Functions>(attached);
  std::string name = strCat("CustomGradient-", functions->size());
  functions->emplace(name, [result, variables](GradientCall &call) {
    callGradient(call, result, variables);
  });
  std::vector<Input> tensors(result.outputs.begin(), result.outputs.end());
  tensors.insert(tensors.end(), arguments.begin(), arguments.end());
  tensors.insert(tensors.end(), variables.begin(), variables.end());
  GradientOverrideScope override({{"IdentityN", name}});
  std::vector<Output> behind =
      addOpOutputs("IdentityN", {InputList(tensors)}, tensors.size());
  // As TensorFlow reads them once more, though nothing takes it.
  for (const Variable &variable : variables)
    graph.convert(variable);
  behind.resize(count);
  return behind;
}

} // namespace kiln
