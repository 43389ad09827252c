// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code layout of a function as attributes of its module.
#ifndef KILN_PASSES_LAYOUTATTRIBUTES_H
#define KILN_PASSES_LAYOUTATTRIBUTES_H

#include "lib/Compiled/CodeLayout.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/LogicalResult.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace kiln::passes {

/// The parts stand in attributes of the module, so that every stage can be
/// printed, parsed and begun with; what they are called and look like is known
/// here alone. A part is set by one pass: counts and temporaries by bufferize,
/// regions by kiln-mark-regions, nodes and kernels by kiln-lower-to-llvm.
void setBufferCounts(mlir::ModuleOp module, const BufferCounts &counts);
void setTemporaries(mlir::ModuleOp module,
                    llvm::ArrayRef<Temporary> temporaries);
void setRegions(mlir::ModuleOp module, llvm::ArrayRef<CodeRegion> regions);
void setErrorNodes(mlir::ModuleOp module,
                   llvm::ArrayRef<llvm::StringRef> nodes);
void setKernels(mlir::ModuleOp module, llvm::ArrayRef<KernelUse> kernels);

/// Fails, with a diagnostic, for a module without counts.
llvm::FailureOr<BufferCounts> bufferCounts(mlir::ModuleOp module);
/// Fails, with a diagnostic, for a part that is none. **Edges**: parts that
/// were not set are empty.
llvm::FailureOr<CodeLayout> codeLayout(mlir::ModuleOp module);

} // namespace kiln::passes

#endif // KILN_PASSES_LAYOUTATTRIBUTES_H
