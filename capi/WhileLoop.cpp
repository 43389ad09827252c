// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TF_NewWhile: a condition and a body that are built as graphs of their own
// become a loop of the graph around.
#include "capi/Handles.h"
#include "kiln/ControlFlow.h"
#include "kiln/GraphScopes.h"
#include "kiln/ImportGraph.h"

using namespace kiln;
using namespace kiln::capi;

namespace {

void freeParts(const TF_WhileParams &params) {
  TF_DeleteGraph(params.cond_graph);
  TF_DeleteGraph(params.body_graph);
  delete[] params.cond_inputs;
  delete[] params.body_inputs;
  delete[] params.body_outputs;
}

/// Adds a placeholder like the tensor to a part of a loop.
StatusOr<Output> addInput(TF_Graph &part, const TF_Graph &parent,
                          TF_Output like, std::string name) {
  const Node *node = nodeOf(like.oper);
  if (!node || !parent.graph->contains(node) || like.index < 0 ||
      like.index >= node->numOutputs())
    return invalidArgumentError("TF_NewWhile() must be passed outputs of its "
                                "graph");
  const Output tensor = outputOf(like);
  const StatusOr<const Node *> added = part.graph->addNode(
      {.name = std::move(name),
       .op = "Placeholder",
       .attrs = {{"dtype", tensor.dtype()}, {"shape", tensor.shape()}}});
  if (!added.ok())
    return added.status();
  return Output{*added, 0};
}

/// Adds what stands for a loop's variables, "body_input0" ..., to a part.
Status addInputs(TF_Graph &part, const std::string &name, int count,
                 TF_Output *added) {
  for (int i = 0; i < count; ++i) {
    const StatusOr<Output> input = addInput(
        part, *part.parent, part.parentInputs[i], name + std::to_string(i));
    if (!input.ok())
      return input.status();
    added[i] = outputOf(*input);
  }
  return okStatus();
}

/// Whether TF_NewWhile() made the parts, and nobody replaced one of them.
bool areOwn(const TF_WhileParams &params) {
  const TF_Graph *cond = params.cond_graph, *body = params.body_graph;
  return cond && body && cond->parent && cond->parent == body->parent &&
         cond->parentInputs == body->parentInputs && params.ninputs > 0 &&
         params.cond_inputs && params.body_inputs && params.body_outputs;
}

Status checkFilledIn(const TF_WhileParams &params) {
  if (!params.cond_output.oper)
    return invalidArgumentError("TF_WhileParams `cond_output` field isn't set");
  for (int i = 0; i < params.ninputs; ++i)
    if (!params.body_outputs[i].oper)
      return invalidArgumentError("TF_WhileParams `body_outputs[" +
                                  std::to_string(i) + "]` field isn't set");
  if (!params.name)
    return invalidArgumentError("TF_WhileParams `name` field is null");
  return okStatus();
}

/// The output is one of the part's graph.
Status checkResult(const TF_Graph &part, TF_Output result) {
  const Node *node = nodeOf(result.oper);
  if (!part.graph->contains(node))
    return invalidArgumentError("Requested return tensor '" +
                                outputOf(result).name() +
                                "' not found in graph def");
  if (result.index < 0 || result.index >= node->numOutputs())
    return invalidArgumentError(
        "Invalid return output " + std::to_string(result.index) + " of node '" +
        node->name() + "', which has " + std::to_string(node->numOutputs()) +
        " output(s)");
  return okStatus();
}

Status checkResults(const TF_WhileParams &params) {
  const TF_Output condition = params.cond_output;
  if (Status status = checkResult(*params.cond_graph, condition); !status.ok())
    return status;
  if (const DType dtype = outputOf(condition).dtype(); dtype != DType::Bool)
    return invalidArgumentError("BuildWhileLoop: 'cond' argument must return a "
                                "boolean output, got " +
                                std::string(dtypeName(dtype)));
  for (int i = 0; i < params.ninputs; ++i)
    if (Status status = checkResult(*params.body_graph, params.body_outputs[i]);
        !status.ok())
      return status;
  return okStatus();
}

/// Adds the nodes of a part, which take the loop's variables in place of its
/// placeholders; returns what stands for its results.
Outputs importPart(const TF_Graph &part, const char *name,
                   const TF_Output *inputs, const TF_Output *results,
                   int numResults, const Outputs &variables) {
  ImportGraphOptions options{.name = name};
  for (size_t i = 0; i < variables.size(); ++i) {
    const Output input = outputOf(inputs[i]);
    options.inputMap.emplace(input.name(), variables[i]);
    options.without.insert(input.node->name());
  }
  for (int i = 0; i < numResults; ++i)
    options.returnElements.push_back(outputOf(results[i]).name());
  Outputs outputs;
  for (const GraphElement &element : importGraphDef(*part.graph, options))
    outputs.push_back(std::get<Output>(element));
  return outputs;
}

Status addLoop(const TF_WhileParams &params, TF_Output *outputs) {
  TF_Graph &parent = *params.cond_graph->parent;
  std::lock_guard lock(parent.adding);
  kiln::GraphBuilder &builder = parent.building();
  std::vector<Input> inputs;
  for (int i = 0; i < params.ninputs; ++i)
    inputs.emplace_back(outputOf(params.cond_graph->parentInputs[i]));
  GraphScope current(builder);
  const Outputs results = ops::whileLoop(
      [&](const Outputs &variables) {
        return importPart(*params.cond_graph, "cond", params.cond_inputs,
                          &params.cond_output, 1, variables);
      },
      [&](const Outputs &variables) {
        return importPart(*params.body_graph, "body", params.body_inputs,
                          params.body_outputs, params.ninputs, variables);
      },
      inputs, {.name = params.name});
  if (Status status = builder.takeStatus(); !status.ok())
    return status;
  for (size_t i = 0; i < results.size(); ++i)
    outputs[i] = outputOf(results[i]);
  return okStatus();
}

} // namespace

TF_WhileParams TF_NewWhile(TF_Graph *g, TF_Output *inputs, int ninputs,
                           TF_Status *status) {
  clearStatus(status);
  if (ninputs <= 0) {
    setStatus(status, invalidArgumentError(
                          "TF_NewWhile() must be passed at least one input"));
    return {};
  }
  const auto count = static_cast<size_t>(ninputs);
  auto *condInputs = new TF_Output[count]{};
  auto *bodyInputs = new TF_Output[count]{};
  TF_WhileParams params{ninputs,
                        TF_NewGraph(),
                        condInputs,
                        {nullptr, -1},
                        TF_NewGraph(),
                        bodyInputs,
                        new TF_Output[count]{},
                        nullptr};
  for (int i = 0; i < ninputs; ++i)
    params.body_outputs[i] = {nullptr, -1};
  for (TF_Graph *part : {params.cond_graph, params.body_graph}) {
    part->parent = g;
    part->parentInputs = inputs;
  }
  Status added =
      addInputs(*params.cond_graph, "cond_input", ninputs, condInputs);
  if (added.ok())
    added = addInputs(*params.body_graph, "body_input", ninputs, bodyInputs);
  if (added.ok())
    return params;
  setStatus(status, added);
  freeParts(params);
  return {};
}

void TF_FinishWhile(const TF_WhileParams *params, TF_Status *status,
                    TF_Output *outputs) {
  clearStatus(status);
  // What the caller made itself is not this function's to free.
  if (!areOwn(*params))
    return setStatus(status, invalidArgumentError(
                                 "TF_WhileParams must be created by successful "
                                 "TF_NewWhile() call"));
  Status added = checkFilledIn(*params);
  if (added.ok())
    added = checkResults(*params);
  if (added.ok())
    added = addLoop(*params, outputs);
  setStatus(status, added);
  freeParts(*params);
}

void TF_AbortWhile(const TF_WhileParams *params) { freeParts(*params); }
