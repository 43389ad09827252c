// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the registry about the kernels that a module names.
#include "lib/JIT/KernelFacts.h"

#include "dialect/Kiln.h"
#include "runtime/KernelRegistry.h"

#include "mlir/IR/BuiltinAttributes.h"

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

Status bindKernels(ModuleOp module, std::span<const std::string> nodeNames,
                   std::vector<KilnKernelFn> &table) {
  auto names = module->getAttrOfType<ArrayAttr>("kiln.kernels");
  auto nodes = module->getAttrOfType<DenseI32ArrayAttr>("kiln.kernel_nodes");
  if (!names || !nodes)
    return okStatus();
  for (auto [name, node] :
       llvm::zip_equal(names.getAsRange<StringAttr>(), nodes.asArrayRef())) {
    const Kernel *kernel = findKernel(name);
    if (!kernel)
      return internalError("expected a kernel of the registry, got " +
                           name.str())
          .withNode(node < 0 ? "" : nodeNames[static_cast<size_t>(node)]);
    table.push_back(kernel->run);
  }
  return okStatus();
}

} // namespace kiln
