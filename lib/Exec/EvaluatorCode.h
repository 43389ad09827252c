// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the evaluator runs, behind the interface of all executors.
#ifndef KILN_LIB_EXEC_EVALUATORCODE_H
#define KILN_LIB_EXEC_EVALUATORCODE_H

#include "lib/Eval/Program.h"
#include "lib/Exec/Program.h"
#include "lib/Exec/ProgramExecutor.h"

namespace kiln {

class RunBudget;

/// Owns the evaluator's program. Thread safety: any number of runs at once.
class EvaluatorCode : public ProgramExecutor {
public:
  explicit EvaluatorCode(eval::Program code) : code(std::move(code)) {}

  std::unique_ptr<Frame> makeFrame(const Program &program) const override;
  int64_t bytes() const override { return code.bytes(); }

  /// Runs the program on feeds of the shapes that gave `symbols`, where what
  /// the run finds out is put. The caller holds the locks; without a budget
  /// the run goes on to its end. **Errors**: as kiln::evaluate().
  StatusOr<std::vector<Tensor>> run(const Program &program,
                                    std::span<const Tensor> feeds,
                                    std::span<int64_t> symbols,
                                    VariableLocks &locks, KilnRunState *state,
                                    RunBudget *budget) const;

private:
  const eval::Program code;
};

} // namespace kiln

#endif // KILN_LIB_EXEC_EVALUATORCODE_H
