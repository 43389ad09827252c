// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strings between the tensors that own them and the handles that the
// interpreter moves, and calls of the runtime's kernels on them.
#include "lib/Support/Strings.h"
#include "lib/Eval/Interpreter.h"
#include "lib/Support/StatusMacros.h"
#include "runtime/RunState.h"
#include "runtime/RunStrings.h"
#include "runtime/Symbols.h"

#include <algorithm>

using namespace mlir;

namespace kiln::eval {

StatusOr<Tensor> handlesOf(const Tensor &strings) {
  return Tensor::borrow(DType::Int64, strings.shape(), strings.rawData(),
                        [owner = strings] {});
}

StatusOr<Tensor> stringsOf(const Tensor &handles) {
  KILN_ASSIGN_OR_RETURN(Tensor strings,
                        Tensor::create(DType::String, handles.shape()));
  std::ranges::transform(handlesIn(handles),
                         strings.mutableData<String>().begin(), stringOf);
  return strings;
}

StatusOr<Tensor> movableForm(const Tensor &tensor) {
  return tensor.dtype() == DType::String ? handlesOf(tensor) : tensor;
}

static const std::string_view *findSymbol(StringRef callee) {
  return llvm::find(runtimeSymbolNames, "kiln" + callee.str());
}

bool isKernelCall(StringRef callee) {
  const auto *found = findSymbol(callee);
  return found != std::end(runtimeSymbolNames) &&
         runtimeSymbolSignatures[found - std::begin(runtimeSymbolNames)] ==
             kernelSignature;
}

Status evaluateKernelCall(ir::RuntimeCallOp op, Interpreter &interpreter) {
  const KilnRunState *outer = interpreter.environment().state;
  const auto *outerContext =
      outer ? static_cast<const RunContext *>(outer->context) : nullptr;
  if (!outerContext || !outerContext->strings || !op.getOuts().empty())
    return internalError("expected a kernel call on tensors in a run");
  std::vector<Tensor> tensors;
  std::vector<const void *> ins;
  std::vector<void *> outs;
  std::vector<int64_t> numbers;
  for (Value operand : op.getIns()) {
    KILN_ASSIGN_OR_RETURN(Tensor tensor, interpreter.dense(operand));
    ins.push_back(tensor.rawData());
    numbers.push_back(tensor.numElements());
    tensors.push_back(std::move(tensor));
  }
  for (Value result : op.getResults()) {
    KILN_ASSIGN_OR_RETURN(Tensor tensor, interpreter.allocateFor(result));
    outs.push_back(tensor.mutableRawData());
    numbers.push_back(tensor.numElements());
    interpreter.bindOwned(result, std::move(tensor));
  }
  if (auto attributes = op->getAttrOfType<DenseI64ArrayAttr>("numbers"))
    llvm::append_range(numbers, attributes.asArrayRef());

  const auto *symbol = findSymbol(op.getCallee());
  auto kernel = reinterpret_cast<KilnKernelFn>(
      runtimeSymbolTable()[symbol - std::begin(runtimeSymbolNames)]);
  RunContext context;
  context.strings = outerContext->strings;
  KilnRunState state = makeRunState(&context);
  state.cancel = cancelCode(outer);
  kernel(&state, -1, ins.data(), outs.data(), numbers.data());
  return runStatus(state, {});
}

} // namespace kiln::eval
