// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TF_AddGradients.
#include "capi/Handles.h"
#include "kiln/SymbolicGradients.h"

using namespace kiln;
using namespace kiln::capi;

namespace {

std::vector<Output> outputsOf(const TF_Output *outputs, int count) {
  std::vector<Output> list;
  for (int i = 0; i < count; ++i)
    list.push_back(outputOf(outputs[i]));
  return list;
}

} // namespace

void TF_AddGradientsWithPrefix(TF_Graph *g, const char *prefix, TF_Output *y,
                               int ny, TF_Output *x, int nx, TF_Output *dx,
                               TF_Status *status, TF_Output *dy) {
  clearStatus(status);
  SymbolicGradientOptions options;
  if (prefix)
    options.prefix = prefix;
  if (dx)
    options.gradYs = outputsOf(dx, ny);
  std::lock_guard lock(g->adding);
  const StatusOr<std::vector<Output>> gradients = symbolicGradients(
      g->building(), outputsOf(y, ny), outputsOf(x, nx), options);
  if (!gradients.ok())
    return setStatus(status, gradients.status());
  for (size_t i = 0; i < gradients->size(); ++i)
    dy[i] = outputOf((*gradients)[i]);
}

void TF_AddGradients(TF_Graph *g, TF_Output *y, int ny, TF_Output *x, int nx,
                     TF_Output *dx, TF_Status *status, TF_Output *dy) {
  TF_AddGradientsWithPrefix(g, nullptr, y, ny, x, nx, dx, status, dy);
}
