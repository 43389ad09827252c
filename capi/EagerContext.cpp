// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TFE_Context: what eager ops share.
#include "capi/Devices.h"
#include "capi/Eager.h"

using namespace kiln;
using namespace kiln::capi;

TFE_ContextOptions *TFE_NewContextOptions(void) {
  return new TFE_ContextOptions;
}

void TFE_DeleteContextOptions(TFE_ContextOptions *options) { delete options; }

void TFE_ContextOptionsSetConfig(TFE_ContextOptions *options, const void *proto,
                                 size_t proto_len, TF_Status *status) {
  TF_SetConfig(&options->session, proto, proto_len, status);
}

// Ops are done when TFE_Execute returns: nobody can tell by their results.
void TFE_ContextOptionsSetAsync(TFE_ContextOptions *, unsigned char) {}

void TFE_ContextOptionsSetDevicePlacementPolicy(
    TFE_ContextOptions *options, TFE_ContextDevicePlacementPolicy policy) {
  options->policy = policy;
}

TFE_Context *TFE_NewContext(const TFE_ContextOptions *opts, TF_Status *status) {
  clearStatus(status);
  auto context = std::make_unique<TFE_Context>();
  auto session =
      makeSession(context->graph.graph, opts ? &opts->session : nullptr);
  if (!session.ok()) {
    setStatus(status, session.status());
    return nullptr;
  }
  context->session = *std::move(session);
  if (opts)
    context->policy = opts->policy;
  return context.release();
}

void TFE_DeleteContext(TFE_Context *ctx) { delete ctx; }

TF_DeviceList *TFE_ContextListDevices(TFE_Context *ctx, TF_Status *status) {
  clearStatus(status);
  return listDevices(ctx->session->session->options());
}

void TFE_ContextClearCaches(TFE_Context *ctx) {
  std::unique_lock lock(ctx->finding);
  for (auto &[key, node] : ctx->nodes)
    node.call = Callable();
}

void TFE_ContextSetThreadLocalDevicePlacementPolicy(
    TFE_Context *ctx, TFE_ContextDevicePlacementPolicy policy) {
  ctx->policy = policy;
}

TFE_ContextDevicePlacementPolicy
TFE_ContextGetDevicePlacementPolicy(TFE_Context *ctx) {
  return ctx->policy;
}

// Steps are for what a device would keep between ops.
void TFE_ContextStartStep(TFE_Context *) {}
void TFE_ContextEndStep(TFE_Context *) {}

StatusOr<Output> TFE_Context::placeholder(DType dtype, int n) {
  const std::string name =
      "in/" + std::string(dtypeName(dtype)) + "/" + std::to_string(n);
  if (const Node *known = graph.graph->lookup(name))
    return Output{known, 0};
  NodeSpec spec{.name = name, .op = "Placeholder"};
  spec.attrs.set("dtype", dtype);
  spec.attrs.set("shape", Shape::unknownRank());
  StatusOr<const Node *> node = graph.graph->addNode(std::move(spec));
  if (!node.ok())
    return node.status();
  return Output{*node, 0};
}
