// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops and kernels that C code registers. Kiln calls them as those of another
// library (kiln/ForeignOps.h): a kernel makes its outputs itself, and may take
// strings and attributes of all kinds.
#ifndef KILN_CAPI_PLUGINS_H
#define KILN_CAPI_PLUGINS_H

#include "capi/Handles.h"
#include "kiln/OpSchema.h"
#include "tensorflow/c/kernels.h"
#include "tensorflow/c/ops.h"

#include <memory>
#include <span>

/// A kernel before and after it is registered.
struct TF_KernelBuilder {
  std::string op, device, label;
  int32_t priority = 0;
  void *(*create)(TF_OpKernelConstruction *) = nullptr;
  void (*compute)(void *, TF_OpKernelContext *) = nullptr;
  void (*computeAsync)(void *, TF_OpKernelContext *,
                       TF_AsyncOpKernelDoneCallback *) = nullptr;
  void (*destroy)(void *) = nullptr;
  std::vector<std::pair<std::string, TF_DataType>> constraints = {};
};

namespace kiln::capi {

using ShapeFunction = void (*)(TF_ShapeInferenceContext *, TF_Status *);

/// Adds an op for as long as the process lives. **Errors**: those of
/// registerForeignOp().
Status addPluginOp(OpSchema schema, ShapeFunction shape);
void addPluginKernel(std::unique_ptr<TF_KernelBuilder> kernel);

/// All of them, in the order of their registration.
std::vector<OpKernel> pluginKernels();

/// Whether C code registered the op.
bool isPluginOp(std::string_view op);
/// Null where it has none.
ShapeFunction shapeFunctionOf(std::string_view op);
/// The shapes of a node's outputs by the op's shape function, of unknown rank
/// where it has none. **Errors**: the function's.
StatusOr<std::vector<Shape>> inferShapes(const Node &node,
                                         std::span<const Shape> inputs);

/// A node as kernels ask for it. Owns all of it.
struct KernelNode {
  explicit KernelNode(const Node &node);
  NodeSpec spec;
  std::vector<DType> inputs, outputs;
};

/// Makes the state of a kernel for a node. **Errors**: what create() says.
StatusOr<void *> createKernel(const TF_KernelBuilder &kernel, const Node &node);
/// Runs a kernel. **Errors**: what it says; INTERNAL for an output that it did
/// not give.
StatusOr<std::vector<Tensor>> runKernel(const TF_KernelBuilder &kernel,
                                        void *state, const KernelNode &node,
                                        std::vector<Tensor> inputs);

/// Names of ops that were registered while it lived, on its thread.
class OpCollector {
public:
  OpCollector();
  ~OpCollector();
  std::vector<std::string> names;

private:
  OpCollector *outer;
};

} // namespace kiln::capi

#endif // KILN_CAPI_PLUGINS_H
