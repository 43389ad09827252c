// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradient of While: a loop that goes back through the iterations of the
// forward one, and takes what it looks at from lists that the forward one has
// pushed it to.
#include "lib/Autodiff/Backward.h"
#include "lib/Autodiff/FunctionBodies.h"
#include "lib/Autodiff/FunctionGradients.h"
#include "lib/Graph/OutputKey.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <map>

namespace kiln {
namespace {

/// What stands before the loop variables: the iterations, and the most of them.
constexpr size_t numCounters = 2;
/// What stands before those of a loop of gradients: its iterations, their
/// bound, those of the forward loop.
constexpr size_t numGradientCounters = 3;

bool contains(const std::vector<Output> &list, const Output &output) {
  return indexIn(list, output).has_value();
}

/// Whether the first variables are what whileLoop() puts there.
bool countsIterations(const BuildState &body) {
  const FunctionGraph &function = *body.function;
  if (function.inputs.size() < numCounters ||
      function.outputs.size() < numCounters ||
      function.inputs[0].dtype() != DType::Int32 ||
      function.inputs[1].dtype() != DType::Int32)
    return false;
  auto source = [](Output output) {
    while (output.node->op() == "Identity")
      output = output.node->input(0);
    return output;
  };
  Output next = source(function.outputs[0]);
  bool isSum = next.node->op() == "AddV2" || next.node->op() == "Add";
  return isSum && source(next.node->input(0)) == function.inputs[0] &&
         source(function.outputs[1]) == function.inputs[1];
}

Input elementShape(const Shape &shape) {
  if (!shape.hasRank())
    return Input(-1);
  std::vector<int32_t> dims;
  for (int64_t dim : shape.dims())
    dims.push_back(static_cast<int32_t>(dim));
  return Input(dims);
}

/// One backward loop while it is built. **Source**: _WhileBodyGradFuncGraph.
class LoopGradient {
public:
  LoopGradient(GradientCall &call, BuildState &here,
               std::shared_ptr<BuildState> graph, const Bodies &bodies)
      : call(call), node(call.node), here(here), graph(std::move(graph)),
        condition(bodies[0]), forward(bodies[1]),
        inputsBefore(forward->function->inputs),
        outputsBefore(forward->function->outputs) {}

  void build() {
    setInitialValues();
    if (ys.empty() || here.failed())
      return;
    body = beginFunction(here, gradientName(here, forward->function->name));
    body->function->insteadOfCapture = [this](const Output &tensor) {
      return instead(tensor);
    };
    body->function->insteadOfNode = [this](const auto &...parts) {
      return insteadOfNode(parts...);
    };
    buildBody();
    body->function->insteadOfCapture = nullptr;
    body->function->insteadOfNode = nullptr;
    if (passError(*body, here) || passError(*forward, here) ||
        passError(*condition, here))
      return;
    extendForward();
    if (passError(*graph, here))
      return;
    addBackward();
  }

private:
  /// **Source**: _preprocess_grad.
  void setInitialValues() {
    Output iterations = {&node, 0};
    loopInputs = {ops::constant(0, {.name = "grad_counter"}), node.input(1),
                  iterations};
    size_t count =
        std::min(outputsBefore.size(), static_cast<size_t>(node.numInputs()));
    for (size_t i = 0; i < count; ++i) {
      auto index = static_cast<int>(i);
      const Output &result = outputsBefore[i];
      if (!isTrainable(result.dtype()) || isUntrainableList(result))
        continue;
      Output given = call.grad(index);
      if (!given.node) {
        if (isAccumulator(i))
          continue;
        Output output{&node, index};
        given = defaultZeros(
            result.dtype() == DType::Resource ? node.input(index) : output);
      }
      ys.push_back(result);
      xs.push_back(inputsBefore[i]);
      positions.push_back(index);
      loopInputs.push_back(given);
    }
  }

  static bool isUntrainableList(const Output &result) {
    return result.node->op() == "TensorListPopBack" && result.index == 0 &&
           !isTrainable(result.node->attrOr("element_dtype", DType::Invalid));
  }

  /// Whether another gradient has added the variable: what nothing depends on
  /// there has no gradient.
  bool isAccumulator(size_t i) const {
    return outputsBefore[i].node->op() == "TensorListPushBack" &&
           outputsBefore[i].node->input(0) == inputsBefore[i];
  }

  void buildBody() {
    GraphScope inside(body->builder());
    std::vector<Output> arguments;
    for (const Output &input : loopInputs)
      arguments.push_back(addArgument(*body, input, input.shape(), ""));
    GradientOptions options{.unconnected = UnconnectedGradients::Zero};
    options.gradYs.assign(arguments.begin() + numGradientCounters,
                          arguments.end());
    std::vector<Gradient> gradients = gradientsOf(*body, ys, xs, options);
    std::vector<Output> results{arguments[0] + 1, arguments[1], arguments[2]};
    for (const Gradient &gradient : gradients)
      results.push_back(gradient.toTensor());
    setOutputs(*body, results);
    for (const FunctionGraph::Capture &capture : body->function->captures) {
      auto after = popped.find(capture.inside);
      body->function->outputs.push_back(after == popped.end() ? capture.inside
                                                              : after->second);
    }
  }

  /// What stands in the backward body for a tensor of the forward one.
  std::optional<Output> instead(const Output &tensor) {
    if (auto known = inside.find(tensor); known != inside.end())
      return known->second;
    if (!forward->graph->contains(tensor.node) || contains(lists, tensor))
      return std::nullopt;
    Output source = tensor;
    while (source.node->op() == "Identity")
      source = source.node->input(0);
    if (auto known = inside.find(source); known != inside.end())
      return known->second;
    if (contains(inputsBefore, source) && contains(outputsBefore, source)) {
      // It is the same in every iteration.
      if (source == tensor)
        return std::nullopt;
      return captured(*body, source);
    }
    Output made = find(source);
    inside[source] = made;
    return made;
  }

  Output find(const Output &source) {
    if (source.node->op() == "Const")
      return copyOfConst(*body, *source.node);
    if (source.dtype() == DType::Resource) {
      if (auto index = argumentOfHandle(*forward, source))
        return captured(*body, node.input(static_cast<int>(*index)));
      body->fail(invalidArgumentError(
          strCat("Resource tensors must be loop invariants ", source.name())));
      return {};
    }
    Output list = captured(*body, pushed(source));
    if (!list.node)
      return {};
    std::vector<Output> taken =
        addOpOutputs("TensorListPopBack", {list, elementShape(source.shape())},
                     2, {{"element_dtype", source.dtype()}});
    popped[list] = taken[0];
    return taken[1];
  }

  /// The list that the forward loop pushes a tensor to, as its body gives it.
  Output pushed(const Output &source) {
    FunctionGraph &function = *forward->function;
    for (size_t i = 0; i < function.outputs.size(); ++i)
      if (const Output &output = function.outputs[i];
          output.node->op() == "TensorListPushBack" &&
          output.node->input(1) == source &&
          output.node->input(0) == function.inputs[i])
        return remembered(output);
    Output list;
    {
      GraphScope around(graph->builder());
      OutsideScope alone(*graph);
      std::string name =
          strCat(source.node->name(), "_", source.index, "/accumulator");
      NameScope scope(name);
      Input shape = elementShape(source.shape());
      Output dims = ops::constant(
          shape, {.dtype = DType::Int32, .name = "element_shape"});
      list = {graph->builder().addOp(
                  {.op = "EmptyTensorList",
                   .name = scope.name(),
                   .inputs = {Input(dims), Input(node.input(1))},
                   .attrs = {{"element_dtype", source.dtype()}}}),
              0};
    }
    if (!list.node)
      return {};
    extraInputs.push_back(list);
    Output result;
    {
      GraphScope there(forward->builder());
      result = addOp("TensorListPushBack", {list, source});
    }
    function.outputs.push_back(result);
    captured(*condition, list);
    return remembered(result);
  }

  Output remembered(const Output &list) {
    lists.push_back(list);
    return list;
  }

  /// The shape of a tensor is kept, not the tensor.
  const Node *insteadOfNode(const std::string &op, const std::string &name,
                            const std::vector<Output> &inputs,
                            const AttrMap &attrs) {
    bool isOfShape = op == "Shape" || op == "Size" || op == "Rank" ||
                     op == "TensorListElementShape" || op == "TensorListLength";
    if (!isOfShape || inputs.size() != 1 ||
        !forward->graph->contains(inputs[0].node) || isPushed(inputs[0]))
      return nullptr;
    auto &lent = forward->function->lent;
    for (auto [known, end] = lent.equal_range(name); known != end; ++known) {
      const Node &before = *known->second;
      auto isSame = [&](const NamedAttr &attr) {
        const AttrValue *value = before.findAttr(attr.name);
        return value && *value == attr.value;
      };
      if (before.op() == op && before.input(0) == inputs[0] &&
          std::ranges::all_of(attrs, isSame))
        return known->second;
    }
    GraphScope there(forward->builder());
    const Node *added = forward->addNode(
        op, forward->uniqueName(name, /*markAsUsed=*/true), inputs, attrs);
    if (added)
      lent.emplace(name, added);
    return added;
  }

  bool isPushed(const Output &tensor) const {
    return std::ranges::any_of(
        forward->function->outputs, [&](const Output &output) {
          return output.node->op() == "TensorListPushBack" &&
                 output.node->input(1) == tensor;
        });
  }

  /// Makes the lists variables of the forward loop.
  void extendForward() {
    if (extraInputs.empty())
      return;
    defineRewritten(*condition);
    defineRewritten(*forward);
    const std::vector<Output> &outputs = forward->function->outputs;
    NodeExtension extension{.inputs = extraInputs, .outputs = {}, .attrs = {}};
    std::vector<DType> types;
    std::vector<Shape> shapes;
    for (size_t i = 0; i < outputs.size(); ++i) {
      types.push_back(outputs[i].dtype());
      if (i < outputsBefore.size()) {
        shapes.push_back(node.outputShape(static_cast<int>(i)));
        continue;
      }
      shapes.push_back(outputs[i].shape());
      extension.outputs.push_back({types[i], shapes[i]});
    }
    extension.attrs.set("T", types);
    extension.attrs.set("output_shapes", shapes);
    extension.attrs.set("cond", NameAttrList{condition->function->name, {}});
    extension.attrs.set("body", NameAttrList{forward->function->name, {}});
    extension.attrs.set("_num_original_outputs",
                        static_cast<int64_t>(outputs.size()));
    if (Status status = graph->graph->extendNode(node, std::move(extension));
        !status.ok())
      graph->fail(std::move(status));
  }

  void addBackward() {
    LoopCall backward{.inputs = loopInputs,
                      .condition = {},
                      .body = body,
                      .outputShapes = {},
                      .parallelIterations =
                          call.attr<int64_t>("parallel_iterations", 10),
                      .name = node.name() + "_grad",
                      .numOriginalOutputs = body->function->outputs.size()};
    for (const FunctionGraph::Capture &capture : body->function->captures) {
      Output from = capture.outside;
      if (auto index = indexIn(forward->function->outputs, from))
        from = {&node, static_cast<int>(*index)};
      backward.inputs.push_back(from);
    }
    for (const Output &output : body->function->outputs)
      backward.outputShapes.push_back(output.shape());
    backward.condition =
        beginFunction(here, gradientName(here, condition->function->name));
    {
      GraphScope inside(backward.condition->builder());
      std::vector<Output> arguments;
      for (const Output &input : backward.inputs)
        arguments.push_back(
            addArgument(*backward.condition, input, input.shape(), ""));
      setOutputs(*backward.condition, {arguments[0] < arguments[2]});
    }
    if (passError(*backward.condition, here))
      return;
    const Node *added = addLoop(here, backward);
    if (!added)
      return;
    std::vector<Output> results = identitiesOf(added, backward.inputs.size());
    for (size_t i = 0; i < positions.size(); ++i)
      call.set(positions[i], results[numGradientCounters + i]);
  }

  GradientCall &call;
  const Node &node;
  BuildState &here;
  std::shared_ptr<BuildState> graph, condition, forward, body;
  const std::vector<Output> inputsBefore, outputsBefore;
  std::vector<Output> ys, xs;
  std::vector<int> positions; ///< of the ys
  std::vector<Output> loopInputs;
  std::map<OutputKey, Output>
      inside; ///< what stands for tensors of the forward body
  std::map<OutputKey, Output> popped; ///< lists after their iteration
  std::vector<Output> lists;          ///< of the forward body
  std::vector<Output> extraInputs;
};

} // namespace

void loopGradient(GradientCall &call) {
  BuildState &here = GraphBuilder::current().internals();
  auto graph = stateOf(call.node);
  Bodies bodies = bodiesOf(*graph, call.node);
  if (passError(*graph, here))
    return;
  if (bodies.size() != 2 || !countsIterations(*bodies[1]))
    return call.fail(
        unimplementedError("expected a loop whose first variables are its "
                           "iterations and their bound, "
                           "as tf.while_loop makes it, to go back through"));
  LoopGradient(call, here, graph, bodies).build();
}

} // namespace kiln
