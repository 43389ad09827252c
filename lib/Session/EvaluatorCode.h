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

/// Owns module and context. Thread safety: runs take turns (an MLIR context
/// without threads serves one at a time: to look up a symbol is to look up its
/// name in the context's tables); `mutex` guards both.
class EvaluatorCode : public ProgramExecutor {
public:
  /// `lastEffects` are ops of the module (OpCounts).
  EvaluatorCode(ContextLease lease, mlir::OwningOpRef<mlir::ModuleOp> module,
                std::span<mlir::Operation *const> lastEffects);

  std::unique_ptr<Frame> makeFrame(const Program &program) const override;
  /// About what module and context take.
  int64_t bytes() const override { return memory; }

  using Turn = std::unique_lock<std::timed_mutex>;
  /// To be held from before the run's variable locks are taken: nobody who
  /// holds one of these waits here. Not held when the run is cancelled first.
  Turn enter(const KilnRunState *state) const;
  const llvm::DenseSet<mlir::Operation *> &lastEffects() const {
    return effects;
  }
  /// Runs the function on feeds of the shapes that gave `symbols`, where what
  /// the run finds out is put. The caller is inside and holds the locks; he
  /// gives no budget to a run that is to go on to its end. **Errors**: as
  /// kiln::evaluate().
  StatusOr<std::vector<Tensor>> run(const Program &program,
                                    std::span<const Tensor> feeds,
                                    std::span<int64_t> symbols,
                                    VariableLocks &locks, KilnRunState *state,
                                    RunBudget *budget) const;

private:
  mutable std::timed_mutex mutex;
  ContextLease lease; // outlives the module
  mutable mlir::OwningOpRef<mlir::ModuleOp> module;
  const llvm::DenseSet<mlir::Operation *> effects;
  int64_t memory = 0;
};

} // namespace kiln

#endif // KILN_LIB_SESSION_EVALUATORCODE_H
