// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes that choose between bodies of functions, or repeat one.
#ifndef KILN_LIB_BUILD_FUNCTIONCALLS_H
#define KILN_LIB_BUILD_FUNCTIONCALLS_H

#include "lib/Build/FunctionGraph.h"

namespace kiln {

using Bodies = std::vector<std::shared_ptr<BuildState>>;

/// Whether conditionals and loops of the graph call functions: always in a
/// function's body. **Source**: control_flow_util.EnableControlFlowV2.
bool usesFunctions(const GraphBuilder &graph);
/// Converts what a body gives, which is then in `outputs` of the body.
void setOutputs(BuildState &body, const std::vector<Output> &outputs);
/// Gives an error of the body to the graph around it. **Source**: an exception
/// passes through.
bool passError(BuildState &body, BuildState &outer);

/// Gives all bodies the same arguments, one a tensor of any of the lists, and
/// returns those tensors. **Source**: _make_inputs_match.
std::vector<Output> matchInputs(const Bodies &bodies,
                                const std::vector<std::vector<Output>> &lists);
/// What is taken from outside, body by body.
std::vector<std::vector<Output>> capturesOf(const Bodies &bodies);
/// The shapes that results of all bodies have.
std::vector<Shape> outputShapesOf(const Bodies &bodies);

/// An If of two bodies, a Case of any number: named after the op where `name`
/// is empty. The bodies give tensors of the same types. Null after an error.
/// **Source**: _build_cond, _build_case.
const Node *addBranches(BuildState &state, const Output &selector,
                        const Bodies &bodies,
                        const std::vector<std::vector<Output>> &inputs,
                        const std::string &name, bool isCase);

struct LoopCall {
  std::vector<Output> inputs;
  std::shared_ptr<BuildState> condition, body;
  std::vector<Shape> outputShapes;
  int64_t parallelIterations = 10;
  std::string name;
  size_t numOriginalOutputs = 0;
};
/// A While. **Source**: _build_while_op.
const Node *addLoop(BuildState &state, const LoopCall &call);
/// Gives the condition arguments for what only the body takes from outside.
/// **Source**: _duplicate_body_captures_in_cond.
void addBodyCaptures(BuildState &condition, const BuildState &body);

/// A PartitionedCall, of all arguments of the body.
const Node *addCall(BuildState &state, const std::shared_ptr<BuildState> &body,
                    const std::vector<Output> &inputs, const std::string &name);

/// The outputs of a node by way of an Identity each.
std::vector<Output> identitiesOf(const Node *node, size_t count);

} // namespace kiln

#endif // KILN_LIB_BUILD_FUNCTIONCALLS_H
