// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a module and the registry of kernels say of each other.
#ifndef KILN_LIB_JIT_KERNELFACTS_H
#define KILN_LIB_JIT_KERNELFACTS_H

#include "kiln/Status.h"
#include "passes/CodeLayout.h"
#include "runtime/abi/Abi.h"

#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace kiln {

/// Tells the passes which calls are pure. Unknown kernels are left as they are.
void markPureCalls(mlir::ModuleOp module);

/// Finds the kernels that lowered code calls, by their places in its table.
/// **Errors**: INTERNAL, with the node, for a name that the registry lacks.
Status bindKernels(const CodeLayout &layout, std::vector<KilnKernelFn> &table);

} // namespace kiln

#endif // KILN_LIB_JIT_KERNELFACTS_H
