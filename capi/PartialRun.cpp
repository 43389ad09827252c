// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs in parts, whose handle is a text of the session's.
#include "capi/Sessions.h"

#include <cstring>

using namespace kiln;
using namespace kiln::capi;

namespace {

template <class List> List handlesOf(std::span<const TF_Output> outputs) {
  List list;
  for (const TF_Output &output : outputs)
    list.emplace_back(outputOf(output));
  return list;
}

} // namespace

namespace kiln::capi {

void setUpParts(SessionHandle &session, std::span<const TF_Output> inputs,
                std::span<const TF_Output> outputs,
                std::span<const TF_Operation *const> targets,
                const char **handle, TF_Status *status) {
  std::vector<OperationId> operations;
  for (const TF_Operation *target : targets)
    operations.emplace_back(nodeOf(target));
  const StatusOr<std::string> text = session.session->partialRunSetup(
      handlesOf<std::vector<TensorId>>(inputs),
      handlesOf<std::vector<Fetch>>(outputs), operations);
  if (!text.ok())
    return setStatus(status, asSessionError(*session.session, text.status()));
  char *copy = new char[text->size() + 1];
  std::memcpy(copy, text->c_str(), text->size() + 1);
  *handle = copy;
}

void runPart(SessionHandle &session, const char *handle,
             const RunRequest &request, TF_Status *status) {
  std::ranges::fill(request.outputValues, nullptr);
  std::vector<Feed> feeds;
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    StatusOr<Tensor> value = valueOf(*request.inputValues[i]);
    if (!value.ok())
      return setStatus(status, value.status());
    feeds.push_back({outputOf(request.inputs[i]), *std::move(value)});
  }
  StatusOr<std::vector<Tensor>> results = session.session->partialRun(
      handle, feeds, handlesOf<std::vector<TensorId>>(request.outputs));
  if (!results.ok())
    return setStatus(status,
                     asSessionError(*session.session, results.status()));
  for (size_t i = 0; i < results->size(); ++i)
    request.outputValues[i] = tensorOf(std::move((*results)[i]));
}

} // namespace kiln::capi

void TF_SessionPRunSetup(TF_Session *session, const TF_Output *inputs,
                         int ninputs, const TF_Output *outputs, int noutputs,
                         const TF_Operation *const *target_opers, int ntargets,
                         const char **handle, TF_Status *status) {
  clearStatus(status);
  *handle = nullptr;
  setUpParts(*session->handle, listOf(inputs, ninputs),
             listOf(outputs, noutputs), listOf(target_opers, ntargets), handle,
             status);
}

void TF_DeletePRunHandle(const char *handle) { delete[] handle; }

// Targets run as soon as what they need has been fed, whichever call names
// them.
void TF_SessionPRun(TF_Session *session, const char *handle,
                    const TF_Output *inputs, TF_Tensor *const *input_values,
                    int ninputs, const TF_Output *outputs,
                    TF_Tensor **output_values, int noutputs,
                    const TF_Operation *const *, int, TF_Status *status) {
  clearStatus(status);
  runPart(*session->handle, handle,
          {.inputs = listOf(inputs, ninputs),
           .inputValues = listOf(input_values, ninputs),
           .outputs = listOf(outputs, noutputs),
           .outputValues = listOf(output_values, noutputs)},
          status);
}
