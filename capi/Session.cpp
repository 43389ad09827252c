// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TF_Session: made on a graph, run, closed.
#include "capi/Sessions.h"

using namespace kiln;
using namespace kiln::capi;

namespace kiln::capi {

void adaptOptions(SessionOptions &options) {
  options.diskCache = DiskCacheOptions::ofUser();
  options.diskCache.isRequired = false;
  options.checksFeedShapes = false;
}

StatusOr<std::unique_ptr<SessionHandle>>
makeSession(const std::shared_ptr<Graph> &graph,
            const TF_SessionOptions *options) {
  auto handle = std::make_unique<SessionHandle>();
  SessionOptions sessionOptions;
  if (options) {
    if (options->target.starts_with("grpc://"))
      return unimplementedError("sessions on another server (" +
                                options->target +
                                ") are not implemented in Kiln");
    if (!options->target.empty())
      return notFoundError("No session factory registered for the given "
                           "session options: {target: \"" +
                           options->target +
                           "\" config: } Registered factories are "
                           "{DIRECT_SESSION}.");
    sessionOptions = options->config.options;
    handle->operationTimeout = options->config.operationTimeout;
  }
  adaptOptions(sessionOptions);
  auto session = Session::create(graph, std::move(sessionOptions));
  if (!session.ok())
    return session.status();
  handle->session = *std::move(session);
  return handle;
}

} // namespace kiln::capi

TF_Session *TF_NewSession(TF_Graph *graph, const TF_SessionOptions *opts,
                          TF_Status *status) {
  clearStatus(status);
  auto handle = makeSession(graph->graph, opts);
  if (!handle.ok()) {
    setStatus(status, handle.status());
    return nullptr;
  }
  return new TF_Session{*std::move(handle)};
}

void TF_CloseSession(TF_Session *session, TF_Status *status) {
  clearStatus(status);
  session->handle->session->close();
  session->handle->calls.clear();
}

void TF_DeleteSession(TF_Session *session, TF_Status *status) {
  clearStatus(status);
  delete session;
}

void TF_SessionRun(TF_Session *session, const TF_Buffer *run_options,
                   const TF_Output *inputs, TF_Tensor *const *input_values,
                   int ninputs, const TF_Output *outputs,
                   TF_Tensor **output_values, int noutputs,
                   const TF_Operation *const *target_opers, int ntargets,
                   TF_Buffer *run_metadata, TF_Status *status) {
  clearStatus(status);
  const RunRequest request = {
      .inputs = listOf(inputs, ninputs),
      .inputValues = listOf(input_values, ninputs),
      .outputs = listOf(outputs, noutputs),
      .outputValues = listOf(output_values, noutputs),
      .targets = listOf(target_opers, ntargets),
      .options = run_options,
      .metadata = run_metadata,
  };
  const Status result = run(*session->handle, request);
  if (!result.ok())
    setStatus(status, result);
}
