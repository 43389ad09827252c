// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers TensorArrays and stacks onto calls that name a slot of the run.
//
// A flow only orders: calls have effects and stay in the order of import, which
// is that of the flows.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Ops/TensorArray/SlotKernel.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {
namespace {

using Context = LoweringContext;

StatusOr<llvm::SmallVector<Value>> inputsOf(Context &ctx,
                                            const SlotKernel &kernel) {
  llvm::SmallVector<Value> inputs;
  if (kernel.lacksLimit) {
    IrBuilder &ir = ctx.ir();
    inputs.push_back(ir.scalarInt(ir.elementType(DType::Int32), -1));
  }
  for (int i : kernel.inputs)
    inputs.push_back(ctx.input(i));
  if (kernel.textAt >= 0) {
    KILN_ASSIGN_OR_RETURN(Value text,
                          ctx.movedConstant(TensorConstant(
                              Tensor::scalar(std::string_view(kernel.text)))));
    inputs.insert(inputs.begin() + kernel.textAt, text);
  }
  return inputs;
}

Status lowerSlotOp(Context &ctx) {
  SlotKernel kernel = slotKernelOf(ctx.node());
  std::vector<int64_t> numbers;
  if (!makesSlot(ctx.node())) {
    KILN_ASSIGN_OR_RETURN(numbers.emplace_back(), ctx.slot(0));
  }
  // An array that has a slot has gradients that have one.
  if (makesSlot(ctx.node()) || kernel.makesGradient)
    numbers.insert(numbers.begin(), ctx.outputSlot(0));
  if (kernel.takesHandle) {
    KILN_ASSIGN_OR_RETURN(numbers.emplace_back(), ctx.slot(1));
  }
  if (kernel.givesHandle)
    numbers.push_back(ctx.outputSlot(0));
  numbers.insert(numbers.end(), kernel.numbers.begin(), kernel.numbers.end());
  KILN_ASSIGN_OR_RETURN(llvm::SmallVector<Value> inputs, inputsOf(ctx, kernel));
  llvm::StringRef name(kernel.name.data(), kernel.name.size());
  if (kernel.gives) {
    ctx.callKernel(name, inputs, numbers);
    return okStatus();
  }
  ctx.ir().kernelCall(name, inputs, mlir::TypeRange(), numbers);
  int last = ctx.numOutputs() - 1;
  if (makesSlot(ctx.node()) && last > 0)
    ctx.setOutput(last, ctx.ir().splat(ctx.outputType(last), 0));
  // A gradient of version 2 has no flow.
  if (kernel.passes >= 0 && last >= kernel.makesGradient)
    ctx.forward(last, kernel.passes);
  return okStatus();
}

} // namespace

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
