// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that programs define, and nodes that call them.
#include "kiln/Functions.h"

#include "kiln/GraphScopes.h"
#include "kiln/ops/ControlFlow.h"
#include "lib/Build/FunctionCalls.h"
#include "lib/Build/FunctionDigest.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Build/RawOps.h"
#include "lib/Support/Strings.h"

namespace kiln {

struct DefinedFunction::Data {
  std::string name;
  std::vector<DType> argumentTypes;
  std::vector<OutputInfo> results;
  std::vector<Output> captures;
  std::shared_ptr<BuildState> body;
  bool isByName = false;
};

namespace {

DefinedFunction define(std::string_view name,
                       const std::vector<FunctionArgument> &arguments,
                       const FunctionBodyFn &function, bool isByName) {
  BuildState &state = GraphBuilder::current().internals();
  DefinedFunction::Data data;
  data.isByName = isByName;
  data.body = beginFunction(
      state,
      isByName ? std::string(name) : functionName(state, "__inference_", name));
  BuildState &body = *data.body;
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
  if (passError(body, state))
    return DefinedFunction(nullptr);
  body.function->runsEffects = !isByName;
  if (isByName) {
    body.function->name += "_" + digestOf(body);
    body.function->attrs = {};
    body.function->attrs.set("_disable_call_shape_inference", true);
  }
  defineFunction(body);
  data.name = body.function->name;
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
                      const FunctionBodyFn &body) {
  return define(name, arguments, body, /*isByName=*/true);
}

DefinedFunction function(std::string_view name,
                         const std::vector<FunctionArgument> &arguments,
                         const FunctionBodyFn &body) {
  return define(name, arguments, body, /*isByName=*/false);
}

} // namespace kiln
