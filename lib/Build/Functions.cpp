// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that programs define, and nodes that call them.
#include "kiln/Functions.h"

#include "kiln/GraphScopes.h"
#include "kiln/ops/ControlFlow.h"
#include "lib/Build/FunctionCalls.h"
#include "lib/Build/FunctionDigest.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Build/RawOps.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <unordered_map>

namespace kiln {

struct DefinedFunction::Data {
  std::string name;
  std::vector<DType> argumentTypes;
  std::vector<OutputInfo> results;
  std::vector<Output> captures;
  std::vector<std::pair<std::string, std::string>> statefulOps;
  std::shared_ptr<BuildState> body;
  bool isByName = false;
};

namespace {

/// Copies what a body takes from around it, with all that it is computed from.
class CopiedCaptures {
public:
  CopiedCaptures(BuildState &body, const DefunOptions &options)
      : body(body), options(options) {}

  std::optional<Output> operator()(const Output &outside) {
    const Node *copy = copyOf(*outside.node);
    return copy ? Output{copy, outside.index} : Output();
  }

private:
  const Node *copyOf(const Node &node) {
    if (auto found = copies.find(&node); found != copies.end())
      return found->second;
    const OpDef *def = lookupOp(node.op());
    bool isPlaceholder = node.op().starts_with("Placeholder");
    if (isPlaceholder || (def && def->has(stateful) &&
                          !std::ranges::count(options.copyable, &node))) {
      body.fail(invalidArgumentError(strCat(
          "Cannot capture a ", isPlaceholder ? "placeholder" : "stateful node",
          " (name:", node.name(), ", type:", node.op(), ") by value.")));
      return nullptr;
    }
    std::vector<Output> inputs;
    for (const Output &input : node.inputs()) {
      inputs.push_back(captured(body, input));
      if (!inputs.back().node)
        return nullptr;
    }
    OutsideScope alone(body);
    return copies[&node] = body.addNode(
               node.op(), body.uniqueName(node.name(), /*markAsUsed=*/true),
               std::move(inputs), node.attrs());
  }

  BuildState &body;
  const DefunOptions &options;
  std::unordered_map<const Node *, const Node *> copies;
};

std::vector<std::pair<std::string, std::string>>
statefulOpsOf(const BuildState &body) {
  std::vector<std::pair<std::string, std::string>> found;
  for (int id = 0; id < body.graph->numAdded(); ++id) {
    const Node &node = *body.graph->addedNode(id);
    const OpDef *def = lookupOp(node.op());
    if (def && def->has(stateful))
      found.emplace_back(node.name(), node.op());
  }
  return found;
}

/// Gives a function of Defun its name and its attributes.
void nameByContents(BuildState &body, const DefunOptions &options) {
  FunctionGraph &function = *body.function;
  std::string digest = digestOf(body);
  if (options.isNameWhole) {
    std::shared_ptr<void> &known =
        rootOf(body).attachments["function " + function.name];
    if (!known)
      known = std::make_shared<std::string>(digest);
    if (*static_cast<const std::string *>(known.get()) != digest)
      return rootOf(body).fail(invalidArgumentError(
          strCat("Cannot add function '", function.name,
                 "' because a different function with the same name already "
                 "exists.")));
  } else {
    function.name += "_" + digest;
  }
  function.attrs = options.attrs;
  function.attrs.set("_disable_call_shape_inference", true);
}

DefinedFunction define(std::string_view name,
                       const std::vector<FunctionArgument> &arguments,
                       const FunctionBodyFn &function, bool isByName,
                       const DefunOptions &options) {
  BuildState &state = GraphBuilder::current().internals();
  DefinedFunction::Data data;
  data.isByName = isByName;
  data.body = beginFunction(
      state,
      isByName ? std::string(name) : functionName(state, "__inference_", name));
  BuildState &body = *data.body;
  if (options.copiesCaptures)
    body.function->insteadOfCapture = CopiedCaptures(body, options);
  {
    GraphScope inside(body.builder());
    Outputs values;
    for (const FunctionArgument &argument : arguments) {
      data.argumentTypes.push_back(argument.dtype);
      values.push_back(addArgument(body, argument.dtype, argument.shape,
                                   argument.name, /*isNoted=*/!isByName));
    }
    std::vector<Output> results = function(values);
    if (!isByName)
      for (Output &result : results)
        result = ops::identity(result);
    setOutputs(body, results);
  }
  body.function->insteadOfCapture = nullptr;
  if (passError(body, state))
    return DefinedFunction(nullptr);
  body.function->runsEffects = !isByName;
  if (isByName)
    nameByContents(body, options);
  if (state.failed() || rootOf(state).failed())
    return DefinedFunction(nullptr);
  defineFunction(body);
  data.name = body.function->name;
  data.statefulOps = statefulOpsOf(body);
  for (const Output &output : body.function->outputs)
    data.results.push_back({output.dtype(), output.shape()});
  for (const FunctionGraph::Capture &capture : body.function->captures)
    data.captures.push_back(capture.outside);
  return std::make_shared<const DefinedFunction::Data>(std::move(data));
}

/// A node whose op is the function, which no schema tells of.
const Node *addCallByName(BuildState &state, const std::string &function,
                          const std::vector<Output> &inputs,
                          const std::vector<OutputInfo> &results,
                          const OpOptions &options) {
  NameScope scope(options.name, function);
  const Node *node = state.addNode(function, withoutSlash(scope.name()), inputs,
                                   {{"_disable_call_shape_inference", true}});
  if (node)
    if (Status status = state.graph->extendNode(
            *node, {.inputs = {}, .outputs = results, .attrs = {}});
        !status.ok())
      state.fail(std::move(status));
  return node;
}

} // namespace

const std::string &DefinedFunction::name() const noexcept {
  static const std::string none;
  return data ? data->name : none;
}
size_t DefinedFunction::numArguments() const noexcept {
  return data ? data->argumentTypes.size() : 0;
}
size_t DefinedFunction::numResults() const noexcept {
  return data ? data->results.size() : 0;
}

const std::vector<Output> &DefinedFunction::captures() const noexcept {
  static const std::vector<Output> none;
  return data ? data->captures : none;
}
const std::vector<std::pair<std::string, std::string>> &
DefinedFunction::statefulOps() const noexcept {
  static const std::vector<std::pair<std::string, std::string>> none;
  return data ? data->statefulOps : none;
}

Outputs DefinedFunction::operator()(const InputList &arguments,
                                    const OpOptions &options) const {
  BuildState &state = GraphBuilder::current().internals();
  if (state.failed() || !data || data->name.empty())
    return {};
  const std::vector<Input> &given = arguments.list();
  if (given.size() != data->argumentTypes.size()) {
    state.fail(invalidArgumentError(
        strCat("Expected number of arguments: ", data->argumentTypes.size(),
               ", received: ", given.size())));
    return {};
  }
  std::vector<Output> inputs;
  for (size_t i = 0; i < given.size(); ++i) {
    inputs.push_back(
        state.builder().convert(given[i], {.dtype = data->argumentTypes[i]}));
    if (!inputs.back().node)
      return {};
  }
  inputs.insert(inputs.end(), data->captures.begin(), data->captures.end());
  const Node *node =
      data->isByName
          ? addCallByName(state, data->name, inputs, data->results, options)
          : addCall(state, data->body, inputs, options.name);
  return node && !state.failed() ? Outputs(outputsOf(node)) : Outputs();
}

DefinedFunction defun(std::string_view name,
                      const std::vector<FunctionArgument> &arguments,
                      const FunctionBodyFn &body, const DefunOptions &options) {
  return define(name, arguments, body, /*isByName=*/true, options);
}

DefinedFunction function(std::string_view name,
                         const std::vector<FunctionArgument> &arguments,
                         const FunctionBodyFn &body) {
  return define(name, arguments, body, /*isByName=*/false, {});
}

} // namespace kiln
