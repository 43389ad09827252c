// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the registry of kernels says of a module's calls.
#ifndef KILN_LIB_JIT_KERNELFACTS_H
#define KILN_LIB_JIT_KERNELFACTS_H

#include "mlir/IR/BuiltinOps.h"

namespace kiln {

/// Tells the passes which calls are pure. Unknown kernels are left as they are.
void markPureCalls(mlir::ModuleOp module);

} // namespace kiln

#endif // KILN_LIB_JIT_KERNELFACTS_H
