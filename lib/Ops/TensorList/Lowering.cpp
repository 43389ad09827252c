// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers TensorLists onto calls that name a slot of the run. An op that may not
// change the list that it is given changes a copy.
#include "lib/Ops/TensorList/Lowering.h"

#include "lib/Import/LoweringRegistry.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {
namespace {

using Context = LoweringContext;
using mlir::StringRef;
using mlir::TypeRange;
using mlir::ValueRange;

void call(Context &ctx, StringRef kernel, ValueRange inputs,
          llvm::ArrayRef<int64_t> numbers) {
  ctx.ir().kernelCall(kernel, inputs, TypeRange(), numbers);
}

/// The slot of output 0, which holds what input 0 holds.
StatusOr<int64_t> changedSlot(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int from, ctx.slot(0));
  int64_t to = ctx.outputSlot(0);
  if (to != from)
    call(ctx, "ListCopy", {}, {to, from});
  return to;
}

/// Makes a list of inputs [0, count).
Status lowerMake(Context &ctx, StringRef kernel) {
  llvm::SmallVector<Value> inputs;
  for (int i = 0; i < ctx.numInputs(); ++i)
    inputs.push_back(ctx.input(i));
  KILN_ASSIGN_OR_RETURN(DType dtype, ctx.node().attr<DType>("element_dtype"));
  if (inputs.size() == 3 && kernel == "ListScatterNew")
    inputs.push_back(
        ctx.ir().scalarInt(ctx.ir().elementType(DType::Int32), -1));
  call(ctx, kernel, inputs, {ctx.outputSlot(0), static_cast<int64_t>(dtype)});
  return okStatus();
}
Status lowerEmpty(Context &ctx) { return lowerMake(ctx, "ListMake"); }
Status lowerReserve(Context &ctx) { return lowerMake(ctx, "ListReserve"); }
Status lowerFromTensor(Context &ctx) {
  return lowerMake(ctx, "ListFromTensor");
}
Status lowerScatterNew(Context &ctx) {
  return lowerMake(ctx, "ListScatterNew");
}
Status lowerSplit(Context &ctx) { return lowerMake(ctx, "ListSplit"); }

bool isListOfLists(const Context &ctx) {
  return ctx.node().attrOr<DType>("element_dtype", DType::Invalid) ==
         DType::Variant;
}

Status lowerPush(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int64_t list, changedSlot(ctx));
  if (!isListOfLists(ctx)) {
    call(ctx, "ListPush", ctx.input(1), {list});
    return okStatus();
  }
  KILN_ASSIGN_OR_RETURN(int inner, ctx.slot(1));
  call(ctx, "ListPushList", {}, {list, inner});
  return okStatus();
}

Status lowerPushBatch(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int64_t lists, changedSlot(ctx));
  call(ctx, "ListPushBatch", ctx.input(1), {lists});
  return okStatus();
}

Status lowerPop(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int64_t list, changedSlot(ctx));
  if (isListOfLists(ctx))
    call(ctx, "ListPopList", {}, {list, ctx.outputSlot(1)});
  else
    ctx.callKernel("ListPop", ctx.input(1), {list}, /*first=*/1);
  return okStatus();
}

Status lowerGet(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int list, ctx.slot(0));
  if (isListOfLists(ctx))
    call(ctx, "ListGetList", ctx.input(1), {list, ctx.outputSlot(0)});
  else
    ctx.callKernel("ListGet", {ctx.input(1), ctx.input(2)}, {list});
  return okStatus();
}

Status lowerSet(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int64_t list, changedSlot(ctx));
  if (isListOfLists(ctx)) {
    KILN_ASSIGN_OR_RETURN(int inner, ctx.slot(2));
    call(ctx, "ListSetList", ctx.input(1), {list, inner});
    return okStatus();
  }
  call(ctx, "ListSet", {ctx.input(1), ctx.input(2)},
       {list, ctx.boolAttr("resize_if_index_out_of_bounds")});
  return okStatus();
}

Status lowerScatterInto(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int64_t list, changedSlot(ctx));
  call(ctx, "ListScatter", {ctx.input(1), ctx.input(2)}, {list});
  return okStatus();
}

Status lowerResize(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int64_t list, changedSlot(ctx));
  call(ctx, "ListResize", ctx.input(1), {list});
  return okStatus();
}

Status lowerLength(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int list, ctx.slot(0));
  ctx.setOutput(
      0, ctx.ir().kernelCall("ListLength", {}, ctx.outputType(), {list}));
  return okStatus();
}

Status lowerElementShape(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int list, ctx.slot(0));
  ctx.setOutput(
      0, ctx.ir().kernelCall("ListElementShape", {}, ctx.outputType(), {list}));
  return okStatus();
}

Status lowerStack(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int list, ctx.slot(0));
  ctx.callKernel("ListStack", ctx.input(1),
                 {list, ctx.intAttr("num_elements")});
  return okStatus();
}

Status lowerGather(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int list, ctx.slot(0));
  ctx.callKernel("ListGather", {ctx.input(1), ctx.input(2)}, {list});
  return okStatus();
}

/// The older op has element_shape as an attribute, no leading_dims, and does
/// not look at what the list was made for.
Status lowerConcat(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int list, ctx.slot(0));
  if (ctx.numInputs() > 1) {
    ctx.callKernel("ListConcat", {ctx.input(1), ctx.input(2)}, {list});
    return okStatus();
  }
  Shape shape = ctx.node().attrOr<Shape>("element_shape", Shape::unknownRank());
  if (shape.hasRank() && shape.rank() == 0)
    return ctx.invalid("element_shape must not be empty");
  std::vector<int64_t> numbers = {list,
                                  shape.hasRank() ? shape.rank() - 1 : -1};
  for (int i = 1; i < shape.rank(); ++i)
    numbers.push_back(shape.dim(i));
  ctx.callKernel("ListConcatOld", {}, numbers);
  return okStatus();
}

Status lowerConcatLists(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int64_t list, changedSlot(ctx));
  KILN_ASSIGN_OR_RETURN(int other, ctx.slot(1));
  call(ctx, ctx.inputRank(0) == 1 ? "ListAppendEach" : "ListAppend", {},
       {list, other});
  return okStatus();
}

} // namespace

Status lowerListZerosLike(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int list, ctx.slot(0));
  call(ctx, "ListZerosLike", {}, {ctx.outputSlot(0), list});
  return okStatus();
}

Status lowerListAddN(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int64_t list, changedSlot(ctx));
  for (int i = 1; i < ctx.numInputs(); ++i) {
    KILN_ASSIGN_OR_RETURN(int other, ctx.slot(i));
    call(ctx, "ListAdd", {}, {list, other});
  }
  return okStatus();
}

Status lowerListPack(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  int64_t lists = ctx.outputSlot(0);
  Value unknown = ir.scalarInt(ir.elementType(DType::Int32), -1);
  call(ctx, "ListMake", {unknown, unknown},
       {lists, static_cast<int64_t>(DType::Variant)});
  for (int i = 0; i < ctx.numInputs(); ++i) {
    KILN_ASSIGN_OR_RETURN(int inner, ctx.slot(i));
    call(ctx, "ListPushList", {}, {lists, inner});
  }
  return okStatus();
}

Status lowerListUnpack(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  KILN_ASSIGN_OR_RETURN(int lists, ctx.slot(0));
  for (int i = 0; i < ctx.numOutputs(); ++i)
    call(ctx, "ListGetList", ir.scalarInt(ir.elementType(DType::Int32), i),
         {lists, ctx.outputSlot(i)});
  return okStatus();
}

void registerTensorListLowerings(LoweringRegistry &registry) {
  registry.addMoves({{"EmptyTensorList", lowerEmpty},
                     {"TensorListReserve", lowerReserve},
                     {"TensorListFromTensor", lowerFromTensor},
                     {"TensorListScatter", lowerScatterNew},
                     {"TensorListScatterV2", lowerScatterNew},
                     {"TensorListSplit", lowerSplit},
                     {"TensorListPushBack", lowerPush},
                     {"TensorListPushBackBatch", lowerPushBatch},
                     {"TensorListPopBack", lowerPop},
                     {"TensorListGetItem", lowerGet},
                     {"TensorListSetItem", lowerSet},
                     {"TensorListScatterIntoExistingList", lowerScatterInto},
                     {"TensorListResize", lowerResize},
                     {"TensorListLength", lowerLength},
                     {"TensorListElementShape", lowerElementShape},
                     {"TensorListStack", lowerStack},
                     {"TensorListGather", lowerGather},
                     {"TensorListConcat", lowerConcat},
                     {"TensorListConcatV2", lowerConcat},
                     {"TensorListConcatLists", lowerConcatLists}});
}

} // namespace kiln
