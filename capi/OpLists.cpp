// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists of all ops and of what computes them.
#include "capi/Plugins.h"
#include "kiln/Messages.h"

using namespace kiln;
using namespace kiln::capi;

namespace {

/// A new buffer with the bytes; null, with the error, where there are none.
TF_Buffer *newBuffer(const StatusOr<std::string> &bytes, TF_Status *status) {
  clearStatus(status);
  if (bytes.ok())
    return TF_NewBufferFromString(bytes->data(), bytes->size());
  setStatus(status, bytes.status());
  return nullptr;
}

/// Adds what Kiln itself computes the op with.
void addOwn(const OpSchema &op, std::vector<OpKernel> &kernels) {
  if (isPluginOp(op.name))
    return;
  if (std::optional<OpKernel> kernel = kernelOf(op))
    kernels.push_back(*std::move(kernel));
}

} // namespace

TF_Buffer *TF_GetAllOpList(void) {
  const StatusOr<std::string> bytes = encodeOpList(allOpSchemas());
  // The function has no way to tell of an error but an empty list.
  return bytes.ok() ? TF_NewBufferFromString(bytes->data(), bytes->size())
                    : TF_NewBuffer();
}

TF_Buffer *TF_GetAllRegisteredKernels(TF_Status *status) {
  std::vector<OpKernel> kernels = pluginKernels();
  for (const OpSchema *op : allOpSchemas())
    addOwn(*op, kernels);
  return newBuffer(encodeKernelList(kernels), status);
}

TF_Buffer *TF_GetRegisteredKernelsForOp(const char *name, TF_Status *status) {
  std::vector<OpKernel> kernels = pluginKernels();
  std::erase_if(kernels,
                [&](const OpKernel &kernel) { return kernel.op != name; });
  if (const OpSchema *op = findOpSchema(name))
    addOwn(*op, kernels);
  return newBuffer(encodeKernelList(kernels), status);
}
