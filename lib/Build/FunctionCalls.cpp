// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes that choose between bodies of functions, or repeat one.
#include "lib/Build/FunctionCalls.h"

#include "kiln/ControlFlow.h"
#include "kiln/GraphScopes.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlFlow.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {
namespace {

constexpr std::string_view functionsFlag = "control flow version 2";

/// What is known of both.
Shape commonShape(const Shape &a, const Shape &b) {
  if (!a.hasRank() || !b.hasRank() || a.rank() != b.rank())
    return Shape::unknownRank();
  Shape common;
  for (int i = 0; i < a.rank(); ++i)
    common.appendDim(a.dim(i) == b.dim(i) ? a.dim(i) : Shape::unknownDim);
  return common;
}

/// What the bodies wait for outside, the call does.
std::vector<ControlInput> controlsOf(const Bodies &bodies) {
  std::vector<ControlInput> controls;
  for (const auto &body : bodies)
    for (const Node *node : body->function->controls)
      controls.emplace_back(node);
  return controls;
}

std::vector<DType> outputTypes(const BuildState &body) {
  std::vector<DType> types;
  for (const Output &output : body.function->outputs)
    types.push_back(output.dtype());
  return types;
}

bool anyStateful(const Bodies &bodies) {
  return std::ranges::any_of(
      bodies, [](const auto &body) { return isStateful(*body); });
}

NameAttrList nameOf(const BuildState &body) {
  return {body.function->name, {}};
}

} // namespace

bool usesFunctions(const GraphBuilder &graph) {
  return graph.internals().function ||
         graph.attachment(functionsFlag) != nullptr;
}

void enableControlFlowV2(bool enable) {
  GraphBuilder::current().attachment(functionsFlag) =
      enable ? std::make_shared<bool>(true) : nullptr;
}

bool isControlFlowV2Enabled() {
  return GraphBuilder::current().attachment(functionsFlag) != nullptr;
}

void setOutputs(BuildState &body, const std::vector<Output> &outputs) {
  for (const Output &output : outputs)
    body.function->outputs.push_back(captured(body, output));
}

bool passError(BuildState &body, BuildState &outer) {
  if (&body == &outer || !body.failed())
    return outer.failed();
  outer.fail(body.builder().takeStatus());
  return true;
}

std::vector<std::vector<Output>> capturesOf(const Bodies &bodies) {
  std::vector<std::vector<Output>> all;
  for (const auto &body : bodies) {
    std::vector<Output> &list = all.emplace_back();
    for (const FunctionGraph::Capture &capture : body->function->captures)
      list.push_back(capture.outside);
  }
  return all;
}

std::vector<Output> matchInputs(const Bodies &bodies,
                                const std::vector<std::vector<Output>> &lists) {
  // A tensor that a body has several arguments for comes as often.
  std::vector<Output> all;
  for (const auto &list : lists)
    for (const Output &input : list)
      if (std::ranges::count(all, input) < std::ranges::count(list, input))
        all.push_back(input);
  for (size_t i = 0; i < bodies.size(); ++i) {
    FunctionGraph &function = *bodies[i]->function;
    std::vector<Output> before = std::move(function.inputs);
    std::vector<Output> left = lists[i];
    function.inputs.clear();
    function.captures.clear();
    for (const Output &input : all) {
      auto found = std::ranges::find(left, input);
      if (found != left.end()) {
        function.inputs.push_back(
            before[static_cast<size_t>(found - left.begin())]);
        *found = {};
      } else {
        addArgument(*bodies[i], input, input.shape(), "");
      }
      function.captures.push_back({input, function.inputs.back()});
    }
  }
  return all;
}

std::vector<Shape> outputShapesOf(const Bodies &bodies) {
  std::vector<Shape> shapes;
  for (const Output &output : bodies[0]->function->outputs)
    shapes.push_back(output.shape());
  for (const auto &body : bodies)
    for (size_t i = 0; i < shapes.size(); ++i)
      shapes[i] = commonShape(shapes[i], body->function->outputs[i].shape());
  return shapes;
}

const Node *addBranches(BuildState &state, const Output &selector,
                        const Bodies &bodies,
                        const std::vector<std::vector<Output>> &inputs,
                        const std::string &name, bool isCase) {
  std::vector<Output> all = matchInputs(bodies, inputs);
  std::vector<NameAttrList> names;
  for (const auto &body : bodies) {
    defineFunction(*body);
    names.push_back(nameOf(*body));
  }
  std::string op =
      strCat(anyStateful(bodies) ? "" : "Stateless", isCase ? "Case" : "If");
  AttrMap attrs{{"Tout", outputTypes(*bodies[0])},
                {"output_shapes", outputShapesOf(bodies)},
                {"_lower_using_switch_merge", true},
                {"_read_only_resource_inputs", readOnlyArguments(bodies, 1)}};
  if (isCase) {
    attrs.set("branches", std::move(names));
  } else {
    attrs.set("then_branch", std::move(names[0]));
    attrs.set("else_branch", std::move(names[1]));
  }
  ControlScope after(controlsOf(bodies));
  const Node *node = state.builder().addOp(
      {.op = std::move(op),
       .name = name,
       .inputs = {Input(selector),
                  InputList(std::vector<Input>(all.begin(), all.end()))},
       .attrs = std::move(attrs)});
  if (node)
    state.bodies.emplace(node, bodies);
  return node;
}

const Node *addLoop(BuildState &state, const LoopCall &call) {
  Bodies bodies{call.condition, call.body};
  for (const auto &body : bodies)
    defineFunction(*body);
  ControlScope after(controlsOf(bodies));
  const Node *node = state.builder().addOp(
      {.op = anyStateful(bodies) ? "While" : "StatelessWhile",
       .name = call.name,
       .inputs = {InputList(
           std::vector<Input>(call.inputs.begin(), call.inputs.end()))},
       .attrs = {{"cond", nameOf(*call.condition)},
                 {"body", nameOf(*call.body)},
                 {"output_shapes", call.outputShapes},
                 {"parallel_iterations", call.parallelIterations},
                 {"_lower_using_switch_merge", true},
                 {"_read_only_resource_inputs", readOnlyArguments(bodies, 0)},
                 {"_num_original_outputs",
                  static_cast<int64_t>(call.numOriginalOutputs)}}});
  if (node)
    state.bodies.emplace(node, bodies);
  return node;
}

void addBodyCaptures(BuildState &condition, const BuildState &body) {
  FunctionGraph &taken = *condition.function;
  std::string prefix = condition.uniqueName(
      strCat(taken.name, "___redundant_placeholder"), /*markAsUsed=*/true);
  const auto &all = body.function->captures;
  for (size_t i = taken.captures.size(), first = i; i < all.size(); ++i) {
    const Output &outside = all[i].outside;
    AttrMap attrs{{"dtype", outside.dtype()}, {"shape", Shape::unknownRank()}};
    OutsideScope alone(condition);
    Output made{condition.addNode("Placeholder", strCat(prefix, i - first), {},
                                  std::move(attrs)),
                0};
    if (!made.node)
      return;
    taken.captures.push_back({outside, made});
    taken.inputs.push_back(made);
  }
}

const Node *addCall(BuildState &state, const std::shared_ptr<BuildState> &body,
                    const std::vector<Output> &inputs,
                    const std::string &name) {
  defineFunction(*body);
  Bodies bodies{body};
  ControlScope after(controlsOf(bodies));
  const Node *node = state.builder().addOp(
      {.op = isStateful(*body) ? "StatefulPartitionedCall" : "PartitionedCall",
       .name = name,
       .inputs = {InputList(std::vector<Input>(inputs.begin(), inputs.end()))},
       .attrs = {
           {"Tout", outputTypes(*body)},
           {"f", nameOf(*body)},
           {"_read_only_resource_inputs", readOnlyArguments(bodies, 0)}}});
  if (node) {
    state.bodies.emplace(node, bodies);
  }
  return node;
}

std::vector<Output> identitiesOf(const Node *node, size_t count) {
  std::vector<Output> all(count);
  for (size_t i = 0; node && i < count; ++i)
    all[i] = ops::identity(Output{node, static_cast<int>(i)});
  return all;
}

} // namespace kiln
