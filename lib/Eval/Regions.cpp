// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates branches and loops.
#include "lib/Eval/Interpreter.h"
#include "lib/Support/StatusMacros.h"

using namespace mlir;

namespace kiln::eval {

static void bindAll(ValueRange targets, EvalValues values,
                    Interpreter &interpreter) {
  for (auto [target, value] : llvm::zip_equal(targets, values))
    interpreter.bind(target, std::move(value));
}

Status evaluateOp(ir::IfOp op, Interpreter &interpreter) {
  Block &chosen = interpreter.scalar<bool>(op.getCondition()) ? op.thenBlock()
                                                              : op.elseBlock();
  KILN_ASSIGN_OR_RETURN(EvalValues yielded, interpreter.runRegion(chosen, {}));
  bindAll(op.getResults(), std::move(yielded), interpreter);
  return okStatus();
}

Status evaluateOp(ir::WhileOp op, Interpreter &interpreter) {
  EvalValues carried;
  for (Value init : op.getInits())
    carried.push_back(interpreter.contents(init));
  for (;;) {
    // Neither region need hold an op.
    KILN_RETURN_IF_ERROR(interpreter.poll());
    KILN_ASSIGN_OR_RETURN(
        EvalValues forwarded,
        interpreter.runRegion(op.beforeBlock(), std::move(carried)));
    bool goesOn =
        *static_cast<const bool *>(forwarded.front().tensor.rawData());
    forwarded.erase(forwarded.begin());
    if (!goesOn) {
      bindAll(op.getResults(), std::move(forwarded), interpreter);
      return okStatus();
    }
    KILN_ASSIGN_OR_RETURN(
        carried, interpreter.runRegion(op.afterBlock(), std::move(forwarded)));
  }
}

} // namespace kiln::eval
