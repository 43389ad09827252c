// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates the ops that give symbols their values in the run.
#include "lib/Eval/Interpreter.h"
#include "lib/Shape/SymbolTable.h"
#include "lib/Support/StatusMacros.h"
#include "runtime/abi/RunState.h"

#include <algorithm>

namespace kiln::eval {

Status evaluateOp(const Op &, const DefineOp &define,
                  Interpreter &interpreter) {
  std::span<const Dim> operands = interpreter.program.dimsOf(define.operands);
  KILN_ASSIGN_OR_RETURN(int64_t a, interpreter.numberOf(operands[0]));
  KILN_ASSIGN_OR_RETURN(int64_t b, interpreter.numberOf(operands[1]));
  int64_t number = 0;
  if (!applyDef(define.kind, a, b, number))
    return errorStatus(ErrorKind::SizeOverflow, {});
  return interpreter.setSymbol(define.id, number);
}

Status evaluateOp(const Op &, const GuardOp &guard, Interpreter &interpreter) {
  std::span<const Dim> operands = interpreter.program.dimsOf(guard.operands);
  KILN_ASSIGN_OR_RETURN(int64_t a, interpreter.numberOf(operands[0]));
  KILN_ASSIGN_OR_RETURN(int64_t b, interpreter.numberOf(operands[1]));
  if (guardHolds(guard.kind, a, b))
    return okStatus();
  const EvalEnvironment &env = interpreter.environment();
  auto number = static_cast<size_t>(guard.number);
  return number < env.guards.size()
             ? guardError(env.guards[number], env.symbols)
             : errorStatus(ErrorKind::GuardFailed, {});
}

Status evaluateOp(const Op &op, const BindOp &bind, Interpreter &interpreter) {
  const Program &program = interpreter.program;
  std::span<const int64_t> binds = program.numbersOf(bind.binds);
  std::vector<std::pair<int64_t, int64_t>> numbers;
  for (uint32_t i = 0; i < op.results.size; ++i) {
    ValueId operand = interpreter.operandOf(op, i),
            result = interpreter.resultOf(op, i);
    KILN_ASSIGN_OR_RETURN(Shape shape, interpreter.shapeOf(operand));
    std::span<const Dim> dims = program.dimsOf(result);
    for (size_t d = 0; d < dims.size(); ++d)
      if (dims[d].isSymbol() &&
          std::ranges::find(binds, dims[d].symbol) != binds.end())
        numbers.emplace_back(dims[d].symbol, shape.dim(static_cast<int>(d)));
    interpreter.bind(result, EvalValue(interpreter.contents(operand)));
  }
  // All at once: an operand's type may name one of them as it was before.
  for (auto [symbol, number] : numbers)
    KILN_RETURN_IF_ERROR(interpreter.setSymbol(symbol, number));
  return okStatus();
}

} // namespace kiln::eval
