// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels of C code see of their node and of their call.
#ifndef KILN_CAPI_KERNELCONTEXTS_H
#define KILN_CAPI_KERNELCONTEXTS_H

#include "capi/Plugins.h"

/// Borrows the node for as long as the kernel's create() runs.
struct TF_OpKernelConstruction {
  const kiln::Node &node;
  kiln::Status failure = {};
};

/// One call. Several may run at once, each with its own.
struct TF_OpKernelContext {
  const kiln::capi::KernelNode &node;
  std::vector<kiln::Tensor> inputs;
  /// One an output, null until the kernel gives it. Handles that the kernel
  /// has share their memory.
  std::vector<std::unique_ptr<TF_Tensor>> outputs;
  kiln::Status failure = {};
};

namespace kiln::capi {

/// "output index out of range" where there is none of the number.
bool checkIndex(int i, size_t count, const char *what, TF_Status *status);

/// A second handle on a tensor's memory.
std::unique_ptr<TF_Tensor> shared(const TF_Tensor &tensor);

/// The error in a TF_Status.
Status statusOf(const TF_Status &status);

} // namespace kiln::capi

#endif // KILN_CAPI_KERNELCONTEXTS_H
