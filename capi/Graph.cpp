// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TF_Graph: finding operations and what is known of their outputs.
#include "capi/Handles.h"
#include "capi/Plugins.h"
#include "capi/Strings.h"
#include "capi/Uses.h"
#include "kiln/OpSchema.h"
#include "kiln/Ops.h"

using namespace kiln;
using namespace kiln::capi;

namespace {

/// What an argument of a signature gives in a node.
void addOutputs(const OpArgument &arg, const Node &node,
                std::vector<OutputInfo> &outputs) {
  if (!arg.typeListAttr.empty()) {
    if (auto types = node.attrRef<std::vector<DType>>(arg.typeListAttr);
        types.ok())
      for (DType dtype : **types)
        outputs.push_back({.dtype = dtype});
    return;
  }
  const DType dtype = arg.typeAttr.empty()
                          ? arg.dtype
                          : node.attrOr(arg.typeAttr, DType::Invalid);
  outputs.push_back({.dtype = dtype, .isRef = arg.isRef});
}

/// What the shape function of a plug-in's op tells. **Errors**: its own.
Status inferPlugin(Node &node) {
  std::vector<Shape> inputs;
  for (const Output &input : node.inputs())
    inputs.push_back(input.shape());
  StatusOr<std::vector<Shape>> shapes = inferShapes(node, inputs);
  if (!shapes.ok())
    return shapes.status();
  std::vector<OutputInfo> outputs;
  for (int i = 0; i < node.numOutputs(); ++i)
    outputs.push_back({.dtype = node.outputDType(i),
                       .shape = (*shapes)[static_cast<size_t>(i)]});
  node.setOutputs(std::move(outputs));
  return okStatus();
}

/// Kiln's checker, which leaves nodes that call a function by its name to the
/// run: TensorFlow tells their outputs from the function's signature. And
/// shapes of plug-ins' ops.
NodeChecker checkerOf(std::shared_ptr<std::weak_ptr<kiln::Graph>> graph) {
  return [known = makeNodeChecker(), graph = std::move(graph)](Node &node) {
    Status status = known(node);
    if (status.ok() && isPluginOp(node.op()))
      return inferPlugin(node);
    const std::shared_ptr<kiln::Graph> owner = graph->lock();
    if (!status.ok() || node.numOutputs() >= 0 || !owner)
      return status;
    if (auto function = functionSchema(*owner, node.op())) {
      std::vector<OutputInfo> outputs;
      for (const OpArgument &arg : function->outputs)
        addOutputs(arg, node, outputs);
      node.setOutputs(std::move(outputs));
    }
    return status;
  };
}

/// A graph whose checker finds the functions of the graph itself.
std::shared_ptr<kiln::Graph> newGraph() {
  auto itself = std::make_shared<std::weak_ptr<kiln::Graph>>();
  auto graph = std::make_shared<kiln::Graph>(checkerOf(itself));
  *itself = graph;
  return graph;
}

} // namespace

TF_Graph::TF_Graph() : graph(newGraph()), uses(graph) {
  rememberGraph(*this);
  GraphVersions versions;
  versions.producer = GraphVersions::newest;
  graph->setVersions(versions);
}

TF_Graph::~TF_Graph() { forgetGraph(*this); }

kiln::GraphBuilder &TF_Graph::building() {
  if (!builder)
    builder.emplace(graph);
  return *builder;
}

const char *TF_Version(void) { return tensorflowVersion; }

TF_Graph *TF_NewGraph(void) { return new TF_Graph; }

void TF_DeleteGraph(TF_Graph *graph) { delete graph; }

TF_Operation *TF_GraphOperationByName(TF_Graph *graph, const char *oper_name) {
  return operationOf(graph->graph->lookup(oper_name));
}

TF_Operation *TF_GraphNextOperation(TF_Graph *graph, size_t *pos) {
  const size_t at = *pos;
  if (at >= static_cast<size_t>(graph->graph->numNodes()))
    return nullptr;
  *pos = at + 1;
  return operationOf(graph->graph->node(static_cast<int>(at)));
}

namespace {

Status checkNode(const TF_Graph &graph, const Node *node) {
  if (graph.graph->contains(node))
    return okStatus();
  return invalidArgumentError("Node " + (node ? node->name() : "(null)") +
                              " was not found in the graph");
}

/// The shape of an output, of which a graph may know nothing.
StatusOr<Shape> shapeOf(const TF_Graph &graph, TF_Output output) {
  const Node *node = nodeOf(output.oper);
  if (Status status = checkNode(graph, node); !status.ok())
    return status;
  if (output.index < 0 || output.index >= std::max(node->numOutputs(), 0))
    return noOutputError(*node, output.index);
  return node->outputShape(output.index);
}

} // namespace

void TF_GraphSetTensorShape(TF_Graph *graph, TF_Output output,
                            const int64_t *dims, const int num_dims,
                            TF_Status *status) {
  clearStatus(status);
  if (Status found = checkNode(*graph, nodeOf(output.oper)); !found.ok())
    return setStatus(status, found);
  Shape shape = Shape::unknownRank();
  if (num_dims >= 0) {
    StatusOr<Shape> given =
        Shape::fromDims(std::vector<int64_t>(dims, dims + num_dims));
    if (!given.ok())
      return setStatus(status, given.status());
    shape = *std::move(given);
  }
  std::lock_guard lock(graph->adding);
  kiln::GraphBuilder &builder = graph->building();
  builder.setShape(outputOf(output), shape);
  setStatus(status, builder.takeStatus());
}

int TF_GraphGetTensorNumDims(TF_Graph *graph, TF_Output output,
                             TF_Status *status) {
  clearStatus(status);
  const StatusOr<Shape> shape = shapeOf(*graph, output);
  if (!shape.ok())
    setStatus(status, shape.status());
  return shape.ok() ? shape->rank() : -1;
}

void TF_GraphGetTensorShape(TF_Graph *graph, TF_Output output, int64_t *dims,
                            int num_dims, TF_Status *status) {
  clearStatus(status);
  const StatusOr<Shape> shape = shapeOf(*graph, output);
  if (!shape.ok())
    return setStatus(status, shape.status());
  // What is known is written as far as there is room, as TensorFlow does.
  for (int i = 0; i < std::min(shape->rank(), num_dims); ++i)
    dims[i] = shape->dim(i);
  if (shape->hasRank() && shape->rank() != num_dims)
    setStatus(status, invalidArgumentError("Expected rank is " +
                                           std::to_string(num_dims) +
                                           " but actual rank is " +
                                           std::to_string(shape->rank())));
}
