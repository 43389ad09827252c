// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the evaluator runs: a module after decompose, with the context it is in.
#ifndef KILN_LIB_SESSION_EVALUATORCODE_H
#define KILN_LIB_SESSION_EVALUATORCODE_H

#include "lib/JIT/CompilerContext.h"
#include "lib/Session/Program.h"
#include "lib/Session/ProgramExecutor.h"

#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseSet.h"

namespace kiln {

class RunBudget;

/// Owns module and context. Thread safety: any number of runs at once. They
/// only read the module, and ask nothing of its context, which has no locks: no
/// run makes a type or an attribute, or looks up a symbol by name.
class EvaluatorCode : public ProgramExecutor {
public:
  /// `lastEffects` are ops of the module (OpCounts).
  EvaluatorCode(ContextLease lease, mlir::OwningOpRef<mlir::ModuleOp> module,
                std::span<mlir::Operation *const> lastEffects);

  std::unique_ptr<Frame> makeFrame(const Program &program) const override;
  /// About what module and context take.
  int64_t bytes() const override { return memory; }

  const llvm::DenseSet<mlir::Operation *> &lastEffects() const {
    return effects;
  }
  /// Runs the function on feeds of the shapes that gave `symbols`, where what
  /// the run finds out is put. The caller holds the locks; he gives no budget
  /// to a run that is to go on to its end. **Errors**: as kiln::evaluate().
  StatusOr<std::vector<Tensor>> run(const Program &program,
                                    std::span<const Tensor> feeds,
                                    std::span<int64_t> symbols,
                                    VariableLocks &locks, KilnRunState *state,
                                    RunBudget *budget) const;

private:
  ContextLease lease; // outlives the module
  mutable mlir::OwningOpRef<mlir::ModuleOp> module;
  const llvm::DenseSet<mlir::Operation *> effects;
  int64_t memory = 0;
};

} // namespace kiln

#endif // KILN_LIB_SESSION_EVALUATORCODE_H
