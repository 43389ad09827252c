// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TF_Graph: finding operations and what is known of their outputs.
#include "capi/Handles.h"
#include "capi/Strings.h"
#include "kiln/Ops.h"

using namespace kiln;
using namespace kiln::capi;

TF_Graph::TF_Graph()
    : graph(std::make_shared<kiln::Graph>(kiln::makeNodeChecker())) {}

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

/// The shape of an output, of which a graph may know nothing.
StatusOr<Shape> shapeOf(const TF_Graph &graph, TF_Output output) {
  const Node *node = nodeOf(output.oper);
  if (!node || !graph.graph->contains(node))
    return invalidArgumentError("Node " + (node ? node->name() : "(null)") +
                                " was not found in the graph");
  if (output.index < 0 || output.index >= std::max(node->numOutputs(), 0))
    return noOutputError(*node, output.index);
  return node->outputShape(output.index);
}

} // namespace

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
