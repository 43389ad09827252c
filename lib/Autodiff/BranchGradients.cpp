// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of If, Case and PartitionedCall: of each branch a function, and a
// node like the forward one that chooses between them.
#include "lib/Autodiff/Backward.h"
#include "lib/Autodiff/FunctionBodies.h"
#include "lib/Autodiff/FunctionGradients.h"
#include "lib/Build/RawOps.h"
#include "lib/Graph/OutputKey.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <map>

namespace kiln {
namespace {

/// The gradient of one branch while it is built. **Source**:
/// _CondGradFuncGraph.
class BranchGradient {
public:
  BranchGradient(BuildState &here, std::shared_ptr<BuildState> forward,
                 bool isChoice)
      : forward(std::move(forward)),
        body(beginFunction(here,
                           gradientName(here, this->forward->function->name))),
        isChoice(isChoice) {
    body->function->insteadOfCapture = [this](const Output &tensor) {
      return instead(tensor);
    };
  }
  ~BranchGradient() { body->function->insteadOfCapture = nullptr; }
  BranchGradient(const BranchGradient &) = delete;
  BranchGradient &operator=(const BranchGradient &) = delete;

  /// Finds the gradients of the branch's arguments.
  void build(const std::vector<Gradient> &received) {
    GradientOptions options;
    std::vector<Output> ys;
    for (size_t i = 0; i < received.size(); ++i) {
      const Output &y = forward->function->outputs[i];
      if (received[i].isNone() || !isTrainable(y.dtype()))
        continue;
      ys.push_back(y);
      options.gradYs.push_back(received[i]);
    }
    GraphScope inside(body->builder());
    results = gradientsOf(*body, ys, forward->function->inputs, options);
  }

  void setZeros(size_t i) {
    GraphScope inside(body->builder());
    results[i] = defaultZeros(forward->function->inputs[i]);
  }

  /// Makes slices of result i, with indices of this type.
  void makeSlices(size_t i, DType indexType) {
    GraphScope inside(body->builder());
    IndexedSlices slices;
    if (results[i].isSparse()) {
      slices = results[i].slices();
    } else {
      slices.values = results[i].tensor();
      slices.indices = ops::range(0, ops::shape(slices.values)[0]);
    }
    if (slices.indices.node && slices.indices.dtype() != indexType)
      slices.indices = ops::cast(slices.indices, indexType);
    if (!slices.denseShape.node) {
      const Output &whole = forward->function->inputs[i];
      slices.denseShape = whole.dtype() == DType::Resource
                              ? addOp("VariableShape", {whole})
                              : ops::shape(whole, {.optimize = false});
    }
    if (slices.denseShape.node && slices.denseShape.dtype() != DType::Int64)
      slices.denseShape = ops::cast(slices.denseShape, DType::Int64);
    results[i] = slices;
  }

  void finish() {
    GraphScope inside(body->builder());
    for (const Gradient &result : results)
      if (result.isSparse())
        setOutputs(*body, {result.slices().values, result.slices().indices,
                           result.slices().denseShape});
      else if (!result.isNone())
        setOutputs(*body, {result.tensor()});
  }

  /// What the forward node passes on, for what was captured of the branch.
  std::vector<Output> inputsOf(const Node &node) const {
    std::vector<Output> inputs;
    size_t first = isChoice ? 1 : 0;
    for (FunctionGraph::Capture &capture : body->function->captures) {
      Output &from = capture.outside;
      if (auto output = indexIn(forward->function->outputs, from))
        from = {&node, static_cast<int>(*output)};
      else if (auto input = indexIn(forward->function->inputs, from))
        from = node.input(static_cast<int>(first + *input));
      inputs.push_back(from);
    }
    return inputs;
  }

  std::shared_ptr<BuildState> forward, body;
  std::vector<Gradient> results;
  /// What becomes further results of the branch.
  std::vector<Output> intermediates;

private:
  std::optional<Output> instead(const Output &tensor) {
    FunctionGraph &function = *forward->function;
    if (!forward->graph->contains(tensor.node) ||
        indexIn(function.inputs, tensor) || indexIn(function.outputs, tensor) ||
        indexIn(intermediates, tensor))
      return std::nullopt;
    auto [found, isNew] = inside.try_emplace(tensor);
    if (!isNew)
      return found->second;
    Output made = find(tensor);
    return inside[tensor] = made;
  }

  Output find(const Output &tensor) {
    if (tensor.node->op() == "Const")
      return copyOfConst(*body, *tensor.node);
    if (tensor.dtype() == DType::Resource) {
      auto index = argumentOfHandle(*forward, tensor);
      if (index)
        return captured(*body, forward->function->inputs[*index]);
      body->fail(invalidArgumentError(
          strCat("expected the handle ", tensor.name(),
                 " to be an argument of function ", forward->function->name)));
      return {};
    }
    if (!isChoice) {
      intermediates.push_back(tensor);
      return captured(*body, tensor);
    }
    Output wrapped = captured(*body, wrap(tensor));
    return addOp("OptionalGetValue", {wrapped},
                 {{"output_types", std::vector<DType>{tensor.dtype()}},
                  {"output_shapes", std::vector<Shape>{tensor.shape()}}});
  }

  /// An optional of a tensor of the branch.
  Output wrap(const Output &tensor) {
    for (const Output &output : forward->function->outputs)
      if (output.node->op() == "OptionalFromValue" &&
          output.node->input(0) == tensor)
        return output;
    GraphScope there(forward->builder());
    Output made = addOp("OptionalFromValue", {InputList{tensor}});
    intermediates.push_back(made);
    return made;
  }

  bool isChoice;
  std::map<OutputKey, Output> inside;
};

using Branches = std::vector<std::unique_ptr<BranchGradient>>;

/// Gives all branches as many further results, and the node with them.
/// **Source**: _make_intermediates_match.
void addIntermediates(BuildState &graph, const Node &node,
                      const Branches &branches) {
  size_t count = 0;
  for (const auto &branch : branches)
    count = std::max(count, branch->intermediates.size());
  if (count == 0)
    return;
  Bodies bodies;
  for (const auto &branch : branches) {
    BuildState &forward = *branch->forward;
    GraphScope there(forward.builder());
    while (branch->intermediates.size() < count)
      branch->intermediates.push_back(addOp("OptionalNone", {}));
    for (const Output &output : branch->intermediates)
      forward.function->outputs.push_back(output);
    if (passError(forward, graph))
      return;
    defineRewritten(forward);
    bodies.push_back(branch->forward);
  }
  NodeExtension extension;
  std::vector<NameAttrList> names;
  for (const auto &body : bodies)
    names.push_back({body->function->name, {}});
  std::vector<Shape> shapes = outputShapesOf(bodies);
  std::vector<DType> types;
  for (const Output &output : bodies[0]->function->outputs)
    types.push_back(output.dtype());
  for (size_t i = types.size() - count; i < types.size(); ++i)
    extension.outputs.push_back({types[i], shapes[i]});
  extension.attrs.set("Tout", types);
  if (node.hasAttr("output_shapes"))
    extension.attrs.set("output_shapes", shapes);
  if (node.hasAttr("branches")) {
    extension.attrs.set("branches", names);
  } else if (node.hasAttr("f")) {
    extension.attrs.set("f", names[0]);
  } else {
    extension.attrs.set("then_branch", names[0]);
    extension.attrs.set("else_branch", names[1]);
  }
  if (Status status = graph.graph->extendNode(node, std::move(extension));
      !status.ok())
    graph.fail(std::move(status));
}

/// Makes the results of all branches of one kind: none, tensors or slices.
/// **Source**: _create_zeros_for_none_grads,
/// _make_output_composite_tensors_match.
void matchResults(const Branches &branches) {
  for (size_t i = 0; i < branches[0]->results.size(); ++i) {
    bool anyNone = false, anySome = false, anySparse = false;
    DType indexType = DType::Int32;
    for (const auto &branch : branches) {
      const Gradient &result = branch->results[i];
      anyNone |= result.isNone();
      anySome |= !result.isNone();
      anySparse |= result.isSparse();
      if (result.isSparse() && result.slices().indices.dtype() == DType::Int64)
        indexType = DType::Int64;
    }
    for (const auto &branch : branches) {
      if (anyNone && anySome && branch->results[i].isNone())
        branch->setZeros(i);
      if (anySparse)
        branch->makeSlices(i, indexType);
    }
  }
}

/// What the node gives, as the results of its branches are.
void setGradients(GradientCall &call, const std::vector<Output> &outputs,
                  const std::vector<Gradient> &results, int first) {
  size_t next = 0;
  for (size_t i = 0; i < results.size(); ++i) {
    int input = first + static_cast<int>(i);
    if (results[i].isSparse()) {
      call.set(input, IndexedSlices{outputs[next], outputs[next + 1],
                                    outputs[next + 2]});
      next += 3;
    } else if (!results[i].isNone()) {
      call.set(input, outputs[next++]);
    }
  }
}

/// The gradients of all bodies of the node, which has what they look at. None
/// after an error, and where nothing flows back.
Branches buildBranches(GradientCall &call, BuildState &here, BuildState &graph,
                       bool isChoice) {
  Branches branches;
  Bodies bodies = bodiesOf(graph, call.node);
  if (passError(graph, here))
    return {};
  for (const auto &body : bodies) {
    branches.push_back(std::make_unique<BranchGradient>(here, body, isChoice));
    branches.back()->build(call.outputGradients());
    if (passError(*branches.back()->body, here))
      return {};
  }
  if (branches.empty())
    return {};
  matchResults(branches);
  for (const auto &branch : branches) {
    branch->finish();
    if (passError(*branch->body, here) || passError(*branch->forward, here))
      return {};
  }
  addIntermediates(graph, call.node, branches);
  if (passError(graph, here) || branches[0]->body->function->outputs.empty())
    return {};
  return branches;
}

} // namespace

void branchGradient(GradientCall &call) {
  BuildState &here = GraphBuilder::current().internals();
  auto graph = stateOf(call.node);
  Branches branches = buildBranches(call, here, *graph, /*isChoice=*/true);
  if (branches.empty())
    return;
  Bodies bodies;
  std::vector<std::vector<Output>> inputs;
  for (const auto &branch : branches) {
    bodies.push_back(branch->body);
    inputs.push_back(branch->inputsOf(call.node));
  }
  bool isCase = call.node.hasAttr("branches");
  const Node *node = addBranches(here, call.in(0), bodies, inputs,
                                 isCase ? "gradient" : "", isCase);
  if (node)
    setGradients(call, identitiesOf(node, bodies[0]->function->outputs.size()),
                 branches[0]->results, 1);
}

void partitionedCallGradient(GradientCall &call) {
  BuildState &here = GraphBuilder::current().internals();
  auto graph = stateOf(call.node);
  Branches branches = buildBranches(call, here, *graph, /*isChoice=*/false);
  if (branches.empty())
    return;
  BranchGradient &branch = *branches[0];
  std::vector<Output> inputs = branch.inputsOf(call.node);
  const Node *node = addCall(here, branch.body, inputs, "");
  if (node)
    setGradients(call, outputsOf(node), branch.results, 0);
}

void namedCallGradient(GradientCall &call) {
  BuildState &here = GraphBuilder::current().internals();
  auto body = copyOfCallee(here, call.node, gradientName(here, call.node.op()));
  if (!body)
    return;
  FunctionGraph &function = *body->function;
  std::vector<Output> inputs(call.node.inputs().begin(),
                             call.node.inputs().end());
  std::vector<Output> xs = function.inputs, ys;
  GradientOptions options;
  std::vector<Gradient> results;
  {
    GraphScope inside(body->builder());
    for (size_t i = 0; i < function.outputs.size(); ++i) {
      if (call.sparseGrad(static_cast<int>(i)).isNone())
        continue;
      Output given;
      {
        GraphScope outside(here.builder());
        given = call.grad(static_cast<int>(i));
      }
      ys.push_back(function.outputs[i]);
      inputs.push_back(given);
      options.gradYs.push_back(addArgument(*body, given, given.shape(), ""));
    }
    results = gradientsOf(*body, ys, xs, options);
    function.outputs.clear();
    for (size_t i = 0; i < results.size(); ++i) {
      Gradient &result = results[i];
      // What no result depends on has zeros, as SymbolicGradient gives them.
      bool isNumber = isTrainable(xs[i].dtype()) && isFloating(xs[i].dtype());
      if (result.isNone() && !ys.empty() && isNumber)
        result = ops::zerosLike(xs[i]);
      if (!result.isNone()) {
        result = result.toTensor();
        setOutputs(*body, {result.tensor()});
      }
    }
  }
  if (passError(*body, here) || function.outputs.empty())
    return;
  if (const Node *node = addCall(here, body, inputs, ""))
    setGradients(call, outputsOf(node), results, 0);
}

} // namespace kiln
