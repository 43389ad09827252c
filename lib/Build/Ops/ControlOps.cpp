// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that order others.
#include "kiln/ops/ControlOps.h"

#include "kiln/ControlFlow.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/Logging.h"
#include "lib/Build/BuildState.h"
#include "lib/Build/Ops/Helpers.h"

#include <algorithm>
#include <map>

namespace kiln::ops {
namespace {

const Node *noOpAfter(const std::vector<ControlInput> &inputs,
                      const std::string &device, const std::string &name) {
  ControlScope after(inputs);
  GraphBuilder graph = GraphBuilder::current();
  if (device.empty())
    return graph.addOp({.op = "NoOp", .name = name});
  DeviceScope place(device);
  return graph.addOp({.op = "NoOp", .name = name});
}

GraphBuilder builderOf(const std::vector<ControlInput> &inputs) {
  for (const ControlInput &input : inputs)
    if (input.operation())
      return GraphBuilder::of({input.operation(), 0});
  return GraphBuilder::current();
}

} // namespace

const Node *group(const std::vector<ControlInput> &inputs,
                  const OpOptions &options) {
  GraphScope graph(builderOf(inputs));
  NameScope scope(options.name, "group_deps");
  std::map<std::string, std::vector<ControlInput>> byDevice;
  for (const ControlInput &input : inputs)
    if (input.operation())
      byDevice[input.operation()->device()].push_back(input);
  if (byDevice.size() <= 1)
    return noOpAfter(inputs, byDevice.empty() ? "" : byDevice.begin()->first,
                     scope.name());
  std::vector<ControlInput> parts;
  for (const auto &[device, some] : byDevice)
    parts.push_back(noOpAfter(some, device, ""));
  return noOpAfter(parts, "", scope.name());
}

std::vector<Output> tuple(const std::vector<Output> &tensors,
                          const TupleOptions &options) {
  std::vector<ControlInput> inputs;
  for (const Output &tensor : tensors)
    if (tensor.node)
      inputs.push_back(tensor);
  inputs.insert(inputs.end(), options.controlInputs.begin(),
                options.controlInputs.end());
  GraphScope graph(builderOf(inputs));
  NameScope scope(options.name, "tuple");
  std::erase_if(inputs,
                [](const ControlInput &input) { return !input.operation(); });
  if (inputs.empty()) {
    failed(invalidArgumentError(
               "'tensors' must have at least one Tensor. Received: []."),
           scope.name());
    return std::vector<Output>(tensors.size());
  }
  std::ranges::sort(inputs, {}, [](const ControlInput &input) {
    return input.operation()->id();
  });
  const Node *gate = group(inputs);
  std::vector<Output> gated;
  for (const Output &tensor : tensors)
    gated.push_back(tensor.node ? withDependencies({gate}, tensor) : Output());
  return gated;
}

Output withDependencies(const std::vector<ControlInput> &inputs,
                        const Input &tensor, const OpOptions &options) {
  FunctionScope scope(options.name, "control_dependency", {&tensor});
  Output value = convert(tensor, "");
  if (!value.node)
    return {};
  ColocationScope place(value);
  ControlScope after(inputs);
  return {addIdentity(value, scope.name()), 0};
}

const Node *assertThat(const Input &condition, const InputList &data,
                       const AssertThatOptions &options) {
  FunctionScope scope(options.name, "Assert", {&condition});
  bool isOfTheHost = true;
  for (const Input &each : data.list()) {
    Output tensor = valueOf(each);
    if (!tensor.node)
      return nullptr;
    isOfTheHost &=
        tensor.dtype() == DType::String || tensor.dtype() == DType::Int32;
  }
  auto add = [&](const Input &truth) {
    return rawOps::assert_(truth, data,
                           {.summarize = options.summarize, .name = "Assert"});
  };
  if (isOfTheHost)
    return add(condition);
  Output truth = convert(condition, "Condition");
  if (!truth.node)
    return nullptr;
  Outputs guarded = cond(
      truth, [] { return BranchResult(rawOps::noOp()); },
      [&] { return BranchResult(add(truth)); }, {.name = "AssertGuard"});
  return guarded.empty() ? nullptr : guarded[0].node;
}

} // namespace kiln::ops
