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

/// The string of that attribute as a value, or the node's name.
StatusOr<mlir::Value> nameOf(Context &ctx, std::string_view attr) {
  std::string name = ctx.stringAttr(attr);
  if (name.empty())
    name = ctx.node().name();
  return ctx.movedConstant(
      TensorConstant(Tensor::scalar(std::string_view(name))));
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
  KILN_ASSIGN_OR_RETURN(mlir::Value name, nameOf(ctx, "tensor_array_name"));
  ctx.ir().kernelCall("SlotMake", {ctx.input(0), name}, mlir::TypeRange(),
                      numbers);
  if (ctx.numOutputs() > 1)
    ctx.setOutput(1, ctx.ir().splat(ctx.outputType(1), 0));
  return okStatus();
}

Status lowerGrad(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int slot, ctx.slot(0));
  KILN_ASSIGN_OR_RETURN(mlir::Value source, nameOf(ctx, "source"));
  llvm::SmallVector<mlir::Value> inputs = {source};
  if (ctx.numInputs() > 2)
    inputs.push_back(ctx.input(2));
  ctx.ir().kernelCall("SlotMakeGradient", inputs, mlir::TypeRange(),
                      {ctx.outputSlot(0), slot});
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

/// Sets the outputs to what a kernel takes out of the slot, of sizes that it
/// may find out.
Status take(Context &ctx, mlir::StringRef kernel, mlir::ValueRange inputs,
            std::string_view shapeAttr = {}) {
  KILN_ASSIGN_OR_RETURN(int slot, ctx.slot(0));
  std::vector<int64_t> numbers = {slot};
  if (!shapeAttr.empty())
    appendShape(numbers, ctx.node().attrOr<Shape>(std::string(shapeAttr),
                                                  Shape::unknownRank()));
  ctx.callKernel(kernel, inputs, numbers);
  return okStatus();
}

/// handle, index or indices, flow -> value
Status lowerReadOne(Context &ctx) {
  return take(ctx, "SlotRead", ctx.input(1));
}
Status lowerGather(Context &ctx) {
  return take(ctx, "SlotReadMany", ctx.input(1), "element_shape");
}
Status lowerConcat(Context &ctx) {
  return take(ctx, "SlotConcat", {}, "element_shape_except0");
}
Status lowerSize(Context &ctx) { return take(ctx, "SlotSize", {}); }
Status lowerPop(Context &ctx) { return take(ctx, "SlotPop", {}); }

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
  KILN_ASSIGN_OR_RETURN(mlir::Value name, nameOf(ctx, "stack_name"));
  ir.kernelCall("SlotMakeStack", {limit, name}, mlir::TypeRange(),
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
