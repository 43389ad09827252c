// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who takes the outputs of an operation, and who waits for it.
#include "capi/Uses.h"

#include <algorithm>
#include <functional>

using namespace kiln;
using namespace kiln::capi;

namespace {

/// The graphs of the process. Never destroyed: programs may delete theirs while
/// they end.
struct Graphs {
  std::mutex mutex;
  std::vector<TF_Graph *> all;
};
Graphs &graphs() {
  static auto *known = new Graphs;
  return *known;
}

/// Calls the function with the uses in the graph that has the node. Without
/// effect for one whose graph is deleted.
template <class Function> void withUses(const Node *node, Function function) {
  Graphs &known = graphs();
  std::lock_guard lock(known.mutex);
  for (TF_Graph *graph : known.all)
    if (graph->graph->contains(node))
      return function(graph->uses);
}

std::vector<InputPort> consumersOf(TF_Output output) {
  std::vector<InputPort> ports;
  withUses(nodeOf(output.oper), [&](const NodeUses &uses) {
    ports = uses.consumers(outputOf(output));
  });
  return ports;
}

std::vector<const Node *> controlOutputsOf(const Node *node) {
  std::vector<const Node *> nodes;
  withUses(node,
           [&](const NodeUses &uses) { nodes = uses.controlOutputs(*node); });
  return nodes;
}

} // namespace

void kiln::capi::rememberGraph(TF_Graph &graph) {
  std::lock_guard lock(graphs().mutex);
  graphs().all.push_back(&graph);
}

void kiln::capi::forgetGraph(TF_Graph &graph) {
  std::lock_guard lock(graphs().mutex);
  std::erase(graphs().all, &graph);
}

int TF_OperationOutputNumConsumers(TF_Output oper_out) {
  return static_cast<int>(consumersOf(oper_out).size());
}

int TF_OperationOutputConsumers(TF_Output oper_out, TF_Input *consumers,
                                int max_consumers) {
  int count = 0;
  for (const InputPort &port : consumersOf(oper_out)) {
    if (count >= max_consumers)
      break;
    consumers[count++] = {operationOf(port.node), port.index};
  }
  return count;
}

int TF_OperationNumControlOutputs(TF_Operation *oper) {
  return static_cast<int>(controlOutputsOf(nodeOf(oper)).size());
}

int TF_OperationGetControlOutputs(TF_Operation *oper,
                                  TF_Operation **control_outputs,
                                  int max_control_outputs) {
  int count = 0;
  for (const Node *node : controlOutputsOf(nodeOf(oper))) {
    if (count >= max_control_outputs)
      break;
    control_outputs[count++] = operationOf(node);
  }
  return count;
}
