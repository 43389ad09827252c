// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of C code: registering them, making and running them.
#include "capi/KernelContexts.h"

#include <condition_variable>

using namespace kiln;
using namespace kiln::capi;

/// Lets the caller of a kernel that ends on another thread wait for it.
struct TF_AsyncOpKernelDoneCallback {
  std::mutex mutex;
  std::condition_variable changed;
  bool isDone = false;
};

namespace {

void computeAndWait(const TF_KernelBuilder &kernel, void *state,
                    TF_OpKernelContext &context) {
  TF_AsyncOpKernelDoneCallback done;
  kernel.computeAsync(state, &context, &done);
  std::unique_lock lock(done.mutex);
  done.changed.wait(lock, [&] { return done.isDone; });
}

StatusOr<Tensor> givenOutput(TF_OpKernelContext &context, size_t i) {
  const std::unique_ptr<TF_Tensor> &output = context.outputs[i];
  if (output)
    return valueOf(*output);
  return internalError("Missing " + std::to_string(i) +
                       "-th output from {{node " + context.node.spec.name +
                       "}}");
}

} // namespace

StatusOr<void *> kiln::capi::createKernel(const TF_KernelBuilder &kernel,
                                          const Node &node) {
  TF_OpKernelConstruction construction{.node = node};
  void *state = kernel.create ? kernel.create(&construction) : nullptr;
  if (construction.failure.ok())
    return state;
  if (kernel.destroy)
    kernel.destroy(state);
  return construction.failure;
}

StatusOr<std::vector<Tensor>>
kiln::capi::runKernel(const TF_KernelBuilder &kernel, void *state,
                      const KernelNode &node, std::vector<Tensor> inputs) {
  TF_OpKernelContext context{
      .node = node, .inputs = std::move(inputs), .outputs = {}};
  context.outputs.resize(node.outputs.size());
  if (kernel.computeAsync)
    computeAndWait(kernel, state, context);
  else if (kernel.compute)
    kernel.compute(state, &context);
  if (!context.failure.ok())
    return context.failure;
  std::vector<Tensor> outputs;
  for (size_t i = 0; i < context.outputs.size(); ++i) {
    StatusOr<Tensor> output = givenOutput(context, i);
    if (!output.ok())
      return output.status();
    outputs.push_back(*std::move(output));
  }
  return outputs;
}

TF_KernelBuilder *
TF_NewKernelBuilder(const char *op_name, const char *device_name,
                    void *(*create_func)(TF_OpKernelConstruction *),
                    void (*compute_func)(void *, TF_OpKernelContext *),
                    void (*delete_func)(void *)) {
  return new TF_KernelBuilder{.op = op_name,
                              .device = device_name,
                              .label = {},
                              .create = create_func,
                              .compute = compute_func,
                              .destroy = delete_func};
}

TF_KernelBuilder *TF_NewAsyncKernelBuilder(
    const char *op_name, const char *device_name,
    void *(*create_func)(TF_OpKernelConstruction *),
    void (*compute_async_func)(void *, TF_OpKernelContext *,
                               TF_AsyncOpKernelDoneCallback *done),
    void (*delete_func)(void *)) {
  return new TF_KernelBuilder{.op = op_name,
                              .device = device_name,
                              .label = {},
                              .create = create_func,
                              .computeAsync = compute_async_func,
                              .destroy = delete_func};
}

void TF_DeleteKernelBuilder(TF_KernelBuilder *builder) { delete builder; }

void TF_KernelBuilder_TypeConstraint(TF_KernelBuilder *kernel_builder,
                                     const char *attr_name, TF_DataType type,
                                     TF_Status *status) {
  clearStatus(status);
  kernel_builder->constraints.emplace_back(attr_name, type);
}

void TF_KernelBuilder_HostMemory(TF_KernelBuilder *, const char *) {
  // On the CPU all memory is the host's.
}

void TF_KernelBuilder_Priority(TF_KernelBuilder *kernel_builder,
                               int32_t priority_number) {
  kernel_builder->priority = priority_number;
}

void TF_KernelBuilder_Label(TF_KernelBuilder *kernel_builder,
                            const char *label) {
  kernel_builder->label = label;
}

void TF_RegisterKernelBuilder(const char *, TF_KernelBuilder *builder,
                              TF_Status *status) {
  clearStatus(status);
  addPluginKernel(std::unique_ptr<TF_KernelBuilder>(builder));
}

void TF_RunAsyncOpKernelDoneCallback(TF_AsyncOpKernelDoneCallback *done) {
  // Under the lock: who waits may take it away as soon as it is done.
  std::lock_guard lock(done->mutex);
  done->isDone = true;
  done->changed.notify_all();
}
