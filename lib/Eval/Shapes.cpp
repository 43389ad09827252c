// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates the ops that give symbols their values in the run.
#include "lib/Eval/Interpreter.h"
#include "lib/Shape/SymbolTable.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/RunState.h"

using namespace mlir;

namespace kiln::eval {
namespace {

/// The first or second operand of a kiln.define or kiln.guard.
template <class Op>
int64_t operandOf(Op op, size_t i, const Interpreter &interpreter) {
  int64_t id = op.getSymbols()[i];
  return id < 0 ? op.getValues()[i]
                : interpreter.environment().symbols[static_cast<size_t>(id)];
}

/// INTERNAL for a symbol that the run has no place for.
template <class Op>
Status checkSymbols(Op op, int64_t id, const Interpreter &interpreter) {
  auto count = static_cast<int64_t>(interpreter.environment().symbols.size());
  for (int64_t used : {op.getSymbols()[0], op.getSymbols()[1], id})
    if (used >= count)
      return internalError(
          strCat("expected a symbol below s", count, ", got s", used));
  return okStatus();
}

} // namespace

Status evaluateOp(ir::DefineOp op, Interpreter &interpreter) {
  auto id = static_cast<int64_t>(op.getId());
  KILN_RETURN_IF_ERROR(checkSymbols(op, id, interpreter));
  int64_t value = 0;
  if (!applyDef(static_cast<SymbolDef::Kind>(op.getKind()),
                operandOf(op, 0, interpreter), operandOf(op, 1, interpreter),
                value))
    return errorStatus(ErrorKind::SizeOverflow, {});
  interpreter.environment().symbols[static_cast<size_t>(id)] = value;
  return okStatus();
}

Status evaluateOp(ir::GuardOp op, Interpreter &interpreter) {
  KILN_RETURN_IF_ERROR(checkSymbols(op, -1, interpreter));
  if (guardHolds(static_cast<Guard::Kind>(op.getKind()),
                 operandOf(op, 0, interpreter), operandOf(op, 1, interpreter)))
    return okStatus();
  const EvalEnvironment &env = interpreter.environment();
  auto number = static_cast<size_t>(op.getNumber());
  return number < env.guards.size()
             ? guardError(env.guards[number], env.symbols)
             : errorStatus(ErrorKind::GuardFailed, {});
}

Status evaluateOp(ir::BindOp op, Interpreter &interpreter) {
  std::span<int64_t> symbols = interpreter.environment().symbols;
  SmallVector<std::pair<int64_t, int64_t>> values;
  for (auto [operand, result] : llvm::zip_equal(op.getIns(), op.getResults())) {
    KILN_ASSIGN_OR_RETURN(Shape shape, interpreter.shapeOf(operand.getType()));
    for (auto [d, extent] : llvm::enumerate(ir::extentsOf(result)))
      if (!extent.isKnown() &&
          llvm::is_contained(op.getBinds(), extent.symbol)) {
        if (extent.symbol >= static_cast<int64_t>(symbols.size()))
          return internalError(strCat("expected a symbol below s",
                                      symbols.size(), ", got s",
                                      extent.symbol));
        values.emplace_back(extent.symbol, shape.dim(static_cast<int>(d)));
      }
    interpreter.bind(result, interpreter.contents(operand));
  }
  for (auto [id, value] : values)
    symbols[static_cast<size_t>(id)] = value;
  return okStatus();
}

} // namespace kiln::eval
