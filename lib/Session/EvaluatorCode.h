// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the evaluator runs: a module after decompose.
#ifndef KILN_LIB_SESSION_EVALUATORCODE_H
#define KILN_LIB_SESSION_EVALUATORCODE_H

#include "lib/JIT/CompilerContext.h"
#include "lib/Session/Program.h"

#include "mlir/IR/OwningOpRef.h"

namespace kiln {

/// Owns the module, shares its context. Thread safety: any number of runs at
/// once, also beside a compilation in the same context: the evaluator reads
/// operations, types and attributes that are there and makes none.
class EvaluatorCode {
public:
  EvaluatorCode(std::shared_ptr<CompilerContext> context,
                mlir::OwningOpRef<mlir::ModuleOp> module);

  /// Runs the function on feeds of the shapes that gave `symbols`. The caller
  /// holds the locks. **Errors**: as kiln::evaluate().
  StatusOr<std::vector<Tensor>> run(const Program &program,
                                    std::span<const Tensor> feeds,
                                    std::span<const int64_t> symbols,
                                    VariableLocks &locks,
                                    KilnRunState *state) const;
  /// About what the module takes.
  int64_t bytes() const { return moduleBytes; }

private:
  std::shared_ptr<CompilerContext> context; // outlives the module
  mlir::OwningOpRef<mlir::ModuleOp> module;
  int64_t moduleBytes = 0;
};

} // namespace kiln

#endif // KILN_LIB_SESSION_EVALUATORCODE_H
