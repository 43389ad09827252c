// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sessions that own their graph, and whose tensors go by names: what there was
// before TF_Graph.
#include "capi/Devices.h"
#include "capi/Sessions.h"
#include "kiln/GraphDef.h"

#include <cstring>
#include <string_view>

using namespace kiln;
using namespace kiln::capi;

struct TF_DeprecatedSession {
  TF_Graph graph;
  /// Made with the first nodes: there is nothing to run before.
  std::unique_ptr<SessionHandle> handle;
  TF_SessionOptions options;
  bool isClosed = false;
};

namespace {

/// What names mean, with the nodes that they name.
struct NamedRequest {
  std::vector<TF_Output> inputs, outputs;
  std::vector<const TF_Operation *> targets;
};

Status find(const Graph &graph, std::string_view name, TF_Output &output) {
  std::string_view node = name;
  int index = 0;
  if (const size_t colon = name.rfind(':'); colon != name.npos) {
    index = std::atoi(std::string(name.substr(colon + 1)).c_str());
    node = name.substr(0, colon);
  }
  const Node *found = graph.lookup(node);
  if (!found)
    return invalidArgumentError("Tensor " + std::string(node) + ":" +
                                std::to_string(index) +
                                ", specified in either feed_devices or "
                                "fetch_devices was not found in the Graph");
  output = {operationOf(found), index};
  return okStatus();
}

StatusOr<NamedRequest> resolve(const Graph &graph,
                               std::span<const char *const> inputs,
                               std::span<const char *const> outputs,
                               std::span<const char *const> targets) {
  NamedRequest request;
  for (const auto &[names, list] :
       {std::pair{inputs, &request.inputs}, {outputs, &request.outputs}})
    for (const char *name : names)
      if (Status status = find(graph, name, list->emplace_back()); !status.ok())
        return status;
  std::string missing;
  for (const char *name : targets) {
    request.targets.push_back(operationOf(graph.lookup(name)));
    if (!request.targets.back())
      missing += std::string(name) + " ";
  }
  if (!missing.empty())
    return notFoundError("PruneForTargets: Some target nodes not found: " +
                         missing);
  return request;
}

Status checkUsable(const TF_DeprecatedSession &session) {
  if (session.isClosed)
    return cancelledError("Session has been closed.");
  if (!session.handle)
    return invalidArgumentError(
        "Session was not created with a graph before Run()!");
  return okStatus();
}

/// The names of a call, resolved in a session that can run.
StatusOr<NamedRequest> requestOf(const TF_DeprecatedSession &session,
                                 std::span<const char *const> inputs,
                                 std::span<const char *const> outputs,
                                 std::span<const char *const> targets) {
  if (Status status = checkUsable(session); !status.ok())
    return status;
  return resolve(*session.graph.graph, inputs, outputs, targets);
}

} // namespace

TF_DeprecatedSession *TF_NewDeprecatedSession(const TF_SessionOptions *options,
                                              TF_Status *status) {
  clearStatus(status);
  // A target that is not this process is refused at once.
  auto handle = makeSession(TF_Graph().graph, options);
  if (!handle.ok()) {
    setStatus(status, handle.status());
    return nullptr;
  }
  auto session = std::make_unique<TF_DeprecatedSession>();
  if (options)
    session->options = *options;
  return session.release();
}

void TF_CloseDeprecatedSession(TF_DeprecatedSession *session,
                               TF_Status *status) {
  clearStatus(status);
  session->isClosed = true;
  if (session->handle)
    session->handle->session->close();
}

void TF_DeleteDeprecatedSession(TF_DeprecatedSession *session,
                                TF_Status *status) {
  clearStatus(status);
  delete session;
}

// Each session has resources of its own: there are none to clear.
void TF_Reset(const TF_SessionOptions *, const char **, int,
              TF_Status *status) {
  clearStatus(status);
}

void TF_ExtendGraph(TF_DeprecatedSession *session, const void *proto,
                    size_t proto_len, TF_Status *status) {
  clearStatus(status);
  if (session->isClosed)
    return setStatus(status, cancelledError("Session has been closed."));
  bool isParsed = false;
  GraphLoadOptions options;
  options.edit = [&](std::vector<NodeSpec> &nodes) -> Status {
    isParsed = true;
    for (const NodeSpec &node : nodes)
      if (session->graph.graph->lookup(node.name))
        return invalidArgumentError(
            "GraphDef argument to Extend includes node '" + node.name +
            "', which was created by a previous call to Create or Extend in "
            "this session.");
    return okStatus();
  };
  std::lock_guard lock(session->graph.adding);
  const Status extended =
      extendGraphDef(*session->graph.graph,
                     {static_cast<const char *>(proto), proto_len}, options);
  if (!extended.ok() && !isParsed &&
      extended.code() == StatusCode::InvalidArgument)
    return setStatus(status, invalidArgumentError("Invalid GraphDef"));
  if (!extended.ok())
    return setStatus(status, extended);
  if (session->handle)
    return;
  auto handle = makeSession(session->graph.graph, &session->options);
  if (!handle.ok())
    return setStatus(status, handle.status());
  session->handle = *std::move(handle);
}

void TF_Run(TF_DeprecatedSession *session, const TF_Buffer *run_options,
            const char **input_names, TF_Tensor **inputs, int ninputs,
            const char **output_names, TF_Tensor **outputs, int noutputs,
            const char **target_oper_names, int ntargets,
            TF_Buffer *run_metadata, TF_Status *status) {
  clearStatus(status);
  std::ranges::fill(listOf(outputs, noutputs), nullptr);
  const StatusOr<NamedRequest> request = requestOf(
      *session, listOf(input_names, ninputs), listOf(output_names, noutputs),
      listOf(target_oper_names, ntargets));
  const Status result =
      request.ok()
          ? run(*session->handle, {.inputs = request->inputs,
                                   .inputValues = listOf(inputs, ninputs),
                                   .outputs = request->outputs,
                                   .outputValues = listOf(outputs, noutputs),
                                   .targets = request->targets,
                                   .options = run_options,
                                   .metadata = run_metadata})
          : request.status();
  if (!result.ok())
    setStatus(status, result);
}

void TF_PRunSetup(TF_DeprecatedSession *session, const char **input_names,
                  int ninputs, const char **output_names, int noutputs,
                  const char **target_oper_names, int ntargets,
                  const char **handle, TF_Status *status) {
  clearStatus(status);
  *handle = nullptr;
  const StatusOr<NamedRequest> request = requestOf(
      *session, listOf(input_names, ninputs), listOf(output_names, noutputs),
      listOf(target_oper_names, ntargets));
  if (!request.ok())
    return setStatus(status, request.status());
  setUpParts(*session->handle, request->inputs, request->outputs,
             request->targets, handle, status);
}

void TF_PRun(TF_DeprecatedSession *session, const char *handle,
             const char **input_names, TF_Tensor **inputs, int ninputs,
             const char **output_names, TF_Tensor **outputs, int noutputs,
             const char **, int, TF_Status *status) {
  clearStatus(status);
  std::ranges::fill(listOf(outputs, noutputs), nullptr);
  const StatusOr<NamedRequest> request =
      requestOf(*session, listOf(input_names, ninputs),
                listOf(output_names, noutputs), {});
  if (request.ok())
    runPart(*session->handle, handle,
            {.inputs = request->inputs,
             .inputValues = listOf(inputs, ninputs),
             .outputs = request->outputs,
             .outputValues = listOf(outputs, noutputs)},
            status);
  else
    setStatus(status, request.status());
}

TF_DeviceList *TF_DeprecatedSessionListDevices(TF_DeprecatedSession *session,
                                               TF_Status *status) {
  clearStatus(status);
  return listDevices(session->options.config.options);
}
