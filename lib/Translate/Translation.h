// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a function of the kiln dialect to the evaluator's program.
#ifndef KILN_LIB_TRANSLATE_TRANSLATION_H
#define KILN_LIB_TRANSLATE_TRANSLATION_H

#include "lib/Eval/Program.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace kiln {

/// Returns the program of a function on tensors, of one block, with the
/// variables of its module; it refers to nothing of the context. `lastEffects`
/// are writes and calls in it behind all of which it is not known how long they
/// take (eval::Op::isLastEffect).
/// **Errors**: INTERNAL, with the node, for ops that the evaluator does not run
/// (those of bufferized functions) and kernels that are not registered.
StatusOr<eval::Program>
translate(mlir::func::FuncOp function,
          llvm::ArrayRef<mlir::Operation *> lastEffects = {});

} // namespace kiln

#endif // KILN_LIB_TRANSLATE_TRANSLATION_H
