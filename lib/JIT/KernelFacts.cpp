// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the registry about the kernels that a module names.
#include "lib/JIT/KernelFacts.h"

#include "dialect/Kiln.h"
#include "runtime/kernels/KernelRegistry.h"

using namespace mlir;

namespace kiln {

static const Kernel *findKernel(StringRef name) {
  return KernelRegistry::process().find(
      std::string_view(name.data(), name.size()));
}

void markPureCalls(ModuleOp module) {
  module.walk([](ir::RuntimeCallOp call) {
    const Kernel *kernel = findKernel(call.getCallee());
    if (kernel && !kernel->hasEffects && !kernel->mayFail)
      call.setPure(true);
  });
}

} // namespace kiln
