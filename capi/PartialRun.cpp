// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs in parts, whose handle is a text of the session's.
#include "capi/Sessions.h"

#include <cstring>

using namespace kiln;
using namespace kiln::capi;

namespace {

template <class List> List handlesOf(const TF_Output *outputs, int count) {
  List list;
  for (const TF_Output &output : listOf(outputs, count))
    list.emplace_back(outputOf(output));
  return list;
}

} // namespace

void TF_SessionPRunSetup(TF_Session *session, const TF_Output *inputs,
                         int ninputs, const TF_Output *outputs, int noutputs,
                         const TF_Operation *const *target_opers, int ntargets,
                         const char **handle, TF_Status *status) {
  clearStatus(status);
  *handle = nullptr;
  Session &own = *session->handle->session;
  std::vector<OperationId> targets;
  for (const TF_Operation *target : listOf(target_opers, ntargets))
    targets.emplace_back(nodeOf(target));
  const StatusOr<std::string> text = own.partialRunSetup(
      handlesOf<std::vector<TensorId>>(inputs, ninputs),
      handlesOf<std::vector<Fetch>>(outputs, noutputs), targets);
  if (!text.ok())
    return setStatus(status, asSessionError(own, text.status()));
  char *copy = new char[text->size() + 1];
  std::memcpy(copy, text->c_str(), text->size() + 1);
  *handle = copy;
}

void TF_DeletePRunHandle(const char *handle) { delete[] handle; }

void TF_SessionPRun(TF_Session *session, const char *handle,
                    const TF_Output *inputs, TF_Tensor *const *input_values,
                    int ninputs, const TF_Output *outputs,
                    TF_Tensor **output_values, int noutputs,
                    const TF_Operation *const *, int, TF_Status *status) {
  clearStatus(status);
  Session &own = *session->handle->session;
  std::ranges::fill(listOf(output_values, noutputs), nullptr);
  std::vector<Feed> feeds;
  for (int i = 0; i < ninputs; ++i) {
    StatusOr<Tensor> value = valueOf(*input_values[i]);
    if (!value.ok())
      return setStatus(status, value.status());
    feeds.push_back({outputOf(inputs[i]), *std::move(value)});
  }
  StatusOr<std::vector<Tensor>> results = own.partialRun(
      handle, feeds, handlesOf<std::vector<TensorId>>(outputs, noutputs));
  if (!results.ok())
    return setStatus(status, asSessionError(own, results.status()));
  for (size_t i = 0; i < results->size(); ++i)
    output_values[i] = tensorOf(std::move((*results)[i]));
}
