// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers TensorArrays, stacks and lists onto calls that name slots of the run.
//
// A flow only orders: calls have effects and stay in the order of import, which
// is that of the flows. An op that may not change the list that it is given
// changes a copy.
#include "lib/Ops/TensorArray/Lowering.h"

#include "lib/Import/LoweringRegistry.h"
#include "lib/OpDefs/SlotCalls.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {
namespace {

using Context = LoweringContext;

StatusOr<llvm::SmallVector<Value>>
inputsOf(Context &ctx, const SlotKernelCall &call, std::string_view name) {
  llvm::SmallVector<Value> inputs;
  for (const SlotInput &input : call.inputs)
    switch (input.kind) {
    case SlotInput::Kind::Input:
      inputs.push_back(ctx.input(input.value));
      break;
    case SlotInput::Kind::Integer:
      inputs.push_back(
          ctx.ir().scalarInt(ctx.ir().elementType(DType::Int32), input.value));
      break;
    case SlotInput::Kind::Name: {
      KILN_ASSIGN_OR_RETURN(
          inputs.emplace_back(),
          ctx.movedConstant(TensorConstant(Tensor::scalar(name))));
      break;
    }
    }
  return inputs;
}

int64_t numberOf(Context &ctx, const SlotNumber &number) {
  switch (number.kind) {
  case SlotNumber::Kind::Constant:
    return number.value;
  case SlotNumber::Kind::Input:
    return *ctx.slot(static_cast<int>(number.value));
  case SlotNumber::Kind::Output:
    return ctx.outputSlot(static_cast<int>(number.value));
  }
}

/// An array that has a slot has gradients that have one, and a list what is
/// made of it.
Status checkSlots(Context &ctx, const SlotCalls &calls) {
  if (calls.changesList)
    KILN_RETURN_IF_ERROR(ctx.slot(0).status());
  for (const SlotKernelCall &call : calls.calls)
    for (const SlotNumber &number : call.numbers)
      if (number.kind == SlotNumber::Kind::Input)
        KILN_RETURN_IF_ERROR(ctx.slot(static_cast<int>(number.value)).status());
  return okStatus();
}

} // namespace

Status lowerSlotOp(Context &ctx) {
  SlotCalls calls = *slotCallsOf(ctx.node());
  KILN_RETURN_IF_ERROR(checkSlots(ctx, calls));
  IrBuilder &ir = ctx.ir();
  if (calls.changesList) {
    int64_t from = *ctx.slot(0), to = ctx.outputSlot(0);
    if (to != from)
      ir.kernelCall("ListCopy", {}, mlir::TypeRange(), {to, from});
  }
  for (const SlotKernelCall &call : calls.calls) {
    llvm::SmallVector<int64_t> numbers;
    for (const SlotNumber &number : call.numbers)
      numbers.push_back(numberOf(ctx, number));
    KILN_ASSIGN_OR_RETURN(llvm::SmallVector<Value> inputs,
                          inputsOf(ctx, call, calls.name));
    llvm::StringRef kernel(call.kernel.data(), call.kernel.size());
    if (call.firstOutput >= 0)
      ctx.callKernel(kernel, inputs, numbers, call.firstOutput);
    else
      ir.kernelCall(kernel, inputs, mlir::TypeRange(), numbers);
  }
  int last = ctx.numOutputs() - 1;
  if (calls.beginsFlow)
    ctx.setOutput(last, ir.splat(ctx.outputType(last), 0));
  if (calls.passed >= 0)
    ctx.forward(last, calls.passed);
  return okStatus();
}

void registerTensorArrayLowerings(LoweringRegistry &registry) {
  for (const char *op :
       {"TensorArrayV3", "TensorArrayGradV3", "TensorArrayGradWithShape",
        "TensorArrayWriteV3", "TensorArrayReadV3", "TensorArrayGatherV3",
        "TensorArrayScatterV3", "TensorArrayConcatV3", "TensorArraySplitV3",
        "TensorArraySizeV3", "TensorArrayCloseV3", "StackV2", "StackPushV2",
        "StackPopV2", "StackCloseV2"})
    registry.addMoves({{op, lowerSlotOp}});
}

} // namespace kiln
