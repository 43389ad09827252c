// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the registry for the kernels that code names.
#include "lib/Compiled/LinkedCode.h"

#include "runtime/kernels/KernelRegistry.h"

namespace kiln {

Status bindKernels(const CodeLayout &layout, std::vector<KilnKernelFn> &table) {
  for (const KernelUse &use : layout.kernels) {
    const Kernel *kernel = KernelRegistry::process().find(use.name);
    if (!kernel)
      return internalError("expected a kernel of the registry, got " + use.name)
          .withNode(use.node < 0 ? ""
                                 : layout.nodes[static_cast<size_t>(use.node)]);
    table.push_back(kernel->run);
  }
  return okStatus();
}

} // namespace kiln
