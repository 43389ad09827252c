// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates branches and loops, and fusions in their tensor form.
#include "lib/Eval/Interpreter.h"
#include "lib/Support/StatusMacros.h"

namespace kiln::eval {

static void bindResults(const Op &op, std::span<EvalValue> values,
                        Interpreter &interpreter) {
  std::span<const ValueId> results = interpreter.resultsOf(op);
  for (size_t i = 0; i < results.size(); ++i)
    interpreter.bind(results[i], std::move(values[i]));
}

static EvalValues operandValues(const Op &op, const Interpreter &interpreter) {
  EvalValues values;
  for (ValueId operand : interpreter.operandsOf(op))
    values.push_back(interpreter.contents(operand));
  return values;
}

Status evaluateOp(const Op &op, const FusionOp &fusion,
                  Interpreter &interpreter) {
  EvalValues arguments = operandValues(op, interpreter), yielded;
  KILN_RETURN_IF_ERROR(interpreter.runRegion(fusion.body, arguments, yielded));
  bindResults(op, yielded, interpreter);
  return okStatus();
}

Status evaluateOp(const Op &op, const IfOp &branch, Interpreter &interpreter) {
  bool condition = interpreter.scalar<bool>(interpreter.operandOf(op));
  EvalValues yielded;
  KILN_RETURN_IF_ERROR(interpreter.runRegion(
      condition ? branch.thenBlock : branch.elseBlock, {}, yielded));
  bindResults(op, yielded, interpreter);
  return okStatus();
}

Status evaluateOp(const Op &op, const WhileOp &loop, Interpreter &interpreter) {
  EvalValues carried = operandValues(op, interpreter), forwarded;
  for (;;) {
    // Neither block need hold an op.
    KILN_RETURN_IF_ERROR(interpreter.poll());
    KILN_RETURN_IF_ERROR(
        interpreter.runRegion(loop.before, carried, forwarded));
    bool goesOn =
        *static_cast<const bool *>(forwarded.front().tensor.rawData());
    std::span<EvalValue> behind = std::span(forwarded).subspan(1);
    if (!goesOn) {
      bindResults(op, behind, interpreter);
      return okStatus();
    }
    KILN_RETURN_IF_ERROR(interpreter.runRegion(loop.after, behind, carried));
  }
}

} // namespace kiln::eval
