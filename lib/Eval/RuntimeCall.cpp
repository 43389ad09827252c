// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls the kernels of the runtime, the same functions as native code.
#include "lib/Eval/Interpreter.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/KernelRegistry.h"
#include "runtime/RunState.h"

using namespace mlir;

namespace kiln::eval {
namespace {

KilnTensor argumentOf(const Tensor &tensor, Type type) {
  return {const_cast<void *>(tensor.rawData()), tensor.shape().dims().data(),
          static_cast<int32_t>(ir::dtypeOf(type)), tensor.rank()};
}

/// Calls the kernel in the run's own state, where it finds what it needs of the
/// run; its error is returned, not left there.
Status call(const Kernel &kernel, KilnKernelCall arguments,
            KilnRunState *runState) {
  RunContext noContext;
  KilnRunState ownState = makeRunState(&noContext);
  arguments.state = runState ? runState : &ownState;
  arguments.node = -1;
  if (kernel.run(&arguments) == 0)
    return okStatus();
  Status status = runStatus(*arguments.state, {});
  arguments.state->errorCode = 0;
  return status;
}

} // namespace

Status evaluateOp(ir::RuntimeCallOp op, Interpreter &interpreter) {
  const Kernel *kernel = KernelRegistry::process().find(
      std::string_view(op.getCallee().data(), op.getCallee().size()));
  if (!kernel || !op.getOuts().empty())
    return internalError(strCat("expected a call of a kernel on tensors, got ",
                                op.getCallee().str()));
  std::vector<Tensor> inputs, outputs;
  for (Value operand : op.getIns()) {
    KILN_ASSIGN_OR_RETURN(Tensor tensor, interpreter.dense(operand));
    inputs.push_back(std::move(tensor));
  }
  for (Value result : op.getResults()) {
    KILN_ASSIGN_OR_RETURN(Tensor tensor, interpreter.allocateFor(result));
    outputs.push_back(std::move(tensor));
  }
  std::vector<KilnTensor> ins, outs;
  for (auto [tensor, value] : llvm::zip_equal(inputs, op.getIns()))
    ins.push_back(argumentOf(tensor, value.getType()));
  for (auto [tensor, value] : llvm::zip_equal(outputs, op.getResults()))
    outs.push_back(argumentOf(tensor, value.getType()));
  ArrayRef<int64_t> numbers = op.getNumbers();
  KILN_RETURN_IF_ERROR(call(*kernel,
                            {.state = nullptr,
                             .ins = ins.data(),
                             .outs = outs.data(),
                             .numbers = numbers.data(),
                             .numIns = static_cast<int32_t>(ins.size()),
                             .numOuts = static_cast<int32_t>(outs.size()),
                             .numNumbers = static_cast<int32_t>(numbers.size()),
                             .node = -1},
                            interpreter.environment().state));
  for (auto [result, tensor] : llvm::zip_equal(op.getResults(), outputs))
    interpreter.bindOwned(result, std::move(tensor));
  return okStatus();
}

} // namespace kiln::eval
