// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers TensorArrays and stacks onto calls that name a slot of the run.
//
// A flow only orders: calls have effects and stay in the order of import, which
// is that of the flows.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Support/SlotFlags.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {
namespace {

using Context = LoweringContext;

/// Rank or -1, then dimensions or -1.
void appendShape(std::vector<int64_t> &numbers, const Shape &shape) {
  numbers.push_back(shape.rank());
  if (shape.hasRank())
    for (int64_t dim : shape.dims())
      numbers.push_back(dim);
}

/// A flow out of a call: the flow into it.
void passFlow(Context &ctx, int input) {
  ctx.forward(ctx.numOutputs() - 1, input);
}

Status lowerTensorArray(Context &ctx) {
  int64_t flags = 0;
  if (ctx.boolAttr("dynamic_size"))
    flags |= slotGrows;
  if (ctx.boolAttr("clear_after_read"))
    flags |= slotClearsRead;
  if (ctx.boolAttr("identical_element_shapes"))
    flags |= slotHasOneShape;
  KILN_ASSIGN_OR_RETURN(DType dtype, ctx.node().attr<DType>("dtype"));
  std::vector<int64_t> numbers = {ctx.outputSlot(0), flags,
                                  static_cast<int64_t>(dtype)};
  appendShape(numbers,
              ctx.node().attrOr<Shape>("element_shape", Shape::unknownRank()));
  ctx.ir().kernelCall("SlotMake", ctx.input(0), mlir::TypeRange(), numbers);
  if (ctx.numOutputs() > 1)
    ctx.setOutput(1, ctx.ir().splat(ctx.outputType(1), 0));
  return okStatus();
}

Status lowerGrad(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int slot, ctx.slot(0));
  std::vector<int64_t> numbers = {ctx.outputSlot(0), slot};
  if (ctx.numInputs() > 2) {
    KILN_ASSIGN_OR_RETURN(std::vector<int64_t> front, ctx.ints(2));
    numbers.insert(numbers.end(), front.begin(), front.end());
  }
  ctx.ir().kernelCall("SlotMakeGradient", {}, mlir::TypeRange(), numbers);
  if (ctx.numOutputs() > 1)
    passFlow(ctx, 1);
  return okStatus();
}

/// handle, index or indices, value, flow -> flow
Status lowerWrite(Context &ctx, mlir::StringRef kernel) {
  KILN_ASSIGN_OR_RETURN(int slot, ctx.slot(0));
  ctx.ir().kernelCall(kernel, {ctx.input(1), ctx.input(2)}, mlir::TypeRange(),
                      {slot});
  passFlow(ctx, 3);
  return okStatus();
}
Status lowerWriteOne(Context &ctx) { return lowerWrite(ctx, "SlotWrite"); }
Status lowerScatter(Context &ctx) { return lowerWrite(ctx, "SlotWriteMany"); }
Status lowerSplit(Context &ctx) { return lowerWrite(ctx, "SlotSplit"); }

/// handle, index or indices, flow -> value
Status lowerRead(Context &ctx, mlir::StringRef kernel) {
  KILN_ASSIGN_OR_RETURN(int slot, ctx.slot(0));
  ctx.setOutput(
      0, ctx.ir().kernelCall(kernel, ctx.input(1), ctx.outputType(), {slot}));
  return okStatus();
}
Status lowerReadOne(Context &ctx) { return lowerRead(ctx, "SlotRead"); }
Status lowerGather(Context &ctx) { return lowerRead(ctx, "SlotReadMany"); }

Status lowerConcat(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int slot, ctx.slot(0));
  auto call = ctx.ir().kernelCall(
      "SlotConcat", {}, mlir::TypeRange({ctx.outputType(0), ctx.outputType(1)}),
      {slot});
  ctx.setOutput(0, call.getResult(0));
  ctx.setOutput(1, call.getResult(1));
  return okStatus();
}

/// What the slot gives without being told more.
Status lowerQuestion(Context &ctx, mlir::StringRef kernel) {
  KILN_ASSIGN_OR_RETURN(int slot, ctx.slot(0));
  ctx.setOutput(0, ctx.ir().kernelCall(kernel, {}, ctx.outputType(), {slot}));
  return okStatus();
}
Status lowerSize(Context &ctx) { return lowerQuestion(ctx, "SlotSize"); }
Status lowerPop(Context &ctx) { return lowerQuestion(ctx, "SlotPop"); }

Status lowerClose(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int slot, ctx.slot(0));
  ctx.ir().kernelCall("SlotClose", {}, mlir::TypeRange(), {slot});
  return okStatus();
}

Status lowerStack(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(DType dtype, ctx.node().attr<DType>("elem_type"));
  IrBuilder &ir = ctx.ir();
  mlir::Value limit = ctx.numInputs() > 0
                          ? ctx.input(0)
                          : ir.scalarInt(ir.elementType(DType::Int32), -1);
  ir.kernelCall("SlotMakeStack", limit, mlir::TypeRange(),
                {ctx.outputSlot(0), static_cast<int64_t>(dtype)});
  return okStatus();
}

Status lowerPush(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int slot, ctx.slot(0));
  ctx.ir().kernelCall("SlotPush", ctx.input(1), mlir::TypeRange(), {slot});
  ctx.forward(0, 1);
  return okStatus();
}

} // namespace

void registerTensorArrayLowerings(LoweringRegistry &registry) {
  registry.addMoves({{"TensorArrayV3", lowerTensorArray},
                     {"TensorArrayGradV3", lowerGrad},
                     {"TensorArrayGradWithShape", lowerGrad},
                     {"TensorArrayWriteV3", lowerWriteOne},
                     {"TensorArrayReadV3", lowerReadOne},
                     {"TensorArrayGatherV3", lowerGather},
                     {"TensorArrayScatterV3", lowerScatter},
                     {"TensorArrayConcatV3", lowerConcat},
                     {"TensorArraySplitV3", lowerSplit},
                     {"TensorArraySizeV3", lowerSize},
                     {"TensorArrayCloseV3", lowerClose},
                     {"StackV2", lowerStack},
                     {"StackPushV2", lowerPush},
                     {"StackPopV2", lowerPop},
                     {"StackCloseV2", lowerClose}});
}

} // namespace kiln
