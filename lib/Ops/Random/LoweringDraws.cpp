// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws in loops what one block of a stream gives, and by kernels what needs
// another number of blocks for each output.
#include "lib/Ops/Random/LoweringDraws.h"

#include <algorithm>

namespace kiln {
namespace {

using Context = LoweringContext;

Value drawInLoop(Context &ctx, ir::RandomKind kind, Value state,
                 RankedTensorType type) {
  return ir::RandomOp::create(ctx.ir().opBuilder(), ctx.ir().location(), type,
                              kind, state);
}

/// Draws float64, which the output is made of.
void drawByKernel(Context &ctx, llvm::StringRef kernel,
                  llvm::ArrayRef<Value> inputs,
                  llvm::ArrayRef<int64_t> numbers = {}) {
  IrBuilder &ir = ctx.ir();
  Value drawn = ir.kernelCall(
      kernel, inputs, ir.tensorType(ctx.outputDims(), DType::Float64), numbers);
  ctx.setOutput(0, ir.cast(drawn, ctx.outputType().getElementType()));
}

/// The inputs from `first` on, broadcast to the dimensions of the output that
/// they have.
llvm::SmallVector<Value> parameters(Context &ctx, int first) {
  int rank = 0;
  for (int i = first; i < ctx.numInputs(); ++i)
    rank = std::max(rank, ctx.inputRank(i));
  const Dims &dims = ctx.outputDims();
  const Dims batch(dims.end() - rank, dims.end());
  llvm::SmallVector<Value> values;
  for (int i = first; i < ctx.numInputs(); ++i) {
    Value value = ctx.input(i);
    values.push_back(ctx.ir().broadcast(
        value, ctx.ir().tensorType(batch, IrBuilder::elementOf(value))));
  }
  return values;
}

} // namespace

RankedTensorType stateType(Context &ctx) {
  return RankedTensorType::get({6}, ctx.ir().opBuilder().getI32Type());
}

Value stateOfSeeds(Context &ctx, int seeds) {
  return ctx.ir().kernelCall("SeedState", ctx.input(seeds), stateType(ctx));
}

Value stateOfKey(Context &ctx, Value shape) {
  return ctx.ir().kernelCall("KeyAndCounterState",
                             {ctx.input(1), ctx.input(2), ctx.input(3), shape},
                             stateType(ctx));
}

Value stateOfKey(Context &ctx) { return stateOfKey(ctx, ctx.input(0)); }

void checkRange(Context &ctx, Value low, Value high, Value shape) {
  auto constant = [](Value value) {
    auto op = value.getDefiningOp<ir::ConstantOp>();
    return op ? llvm::dyn_cast<mlir::DenseIntElementsAttr>(op.getValue())
              : mlir::DenseIntElementsAttr();
  };
  mlir::DenseIntElementsAttr from = constant(low), to = constant(high);
  if (from && to &&
      (*from.value_begin<llvm::APInt>()).slt(*to.value_begin<llvm::APInt>()))
    return;
  llvm::SmallVector<Value> inputs = {low, high};
  if (shape)
    inputs.push_back(shape);
  ctx.ir().kernelCall("FailRange", inputs, mlir::TypeRange());
}

/// TensorFlow makes a float16 of the low 10 bits of a word, a bfloat16 of the
/// low 7, where a float32 has the low 23: they are the fraction of the float32
/// times 2^13 or 2^16, without any rounding.
void drawUniform(Context &ctx, Value state) {
  IrBuilder &ir = ctx.ir();
  mlir::Type stored = ctx.storedOutputType(0).getElementType();
  Value number =
      drawInLoop(ctx, ir::RandomKind::uniform, state, ctx.outputType());
  if (ir::isNarrowFloat(stored)) {
    number = ir.mul(number, ir.like(number, stored.isF16() ? 0x1p13 : 0x1p16));
    number = ir.sub(number, ir.unary<ir::FloorOp>(number));
  }
  ctx.setOutput(0, number);
}

void drawNormal(Context &ctx, Value state) {
  ctx.setOutput(
      0, drawInLoop(ctx, ir::RandomKind::normal, state, ctx.outputType()));
}

void drawTruncatedNormal(Context &ctx, Value state) {
  ctx.setOutput(
      0, ctx.ir().kernelCall("TruncatedNormal", state, ctx.outputType()));
}

void drawAnyInteger(Context &ctx, Value state) {
  ctx.setOutput(0, ctx.ir().kernelCall("DrawBits", state, ctx.outputType()));
}

void drawInteger(Context &ctx, Value state, Value low, Value high) {
  IrBuilder &ir = ctx.ir();
  ctx.setOutput(0, ir::RandomIntOp::create(ir.opBuilder(), ir.location(),
                                           ctx.outputType(), state, low, high));
}

void drawGamma(Context &ctx, Value state, int alpha) {
  IrBuilder &ir = ctx.ir();
  drawByKernel(
      ctx, "DrawGamma",
      {state, ir.cast(ctx.input(alpha), ir.elementType(DType::Float64))});
}

void drawPoisson(Context &ctx, Value state, int rate) {
  IrBuilder &ir = ctx.ir();
  drawByKernel(
      ctx, "DrawPoisson",
      {state, ir.cast(ctx.input(rate), ir.elementType(DType::Float64))});
}

void drawBinomial(Context &ctx, Value state, int counts) {
  llvm::SmallVector<Value> inputs = {state};
  inputs.append(parameters(ctx, counts));
  drawByKernel(ctx, "DrawBinomial", inputs,
               int64_t(ctx.inputDType(counts) == DType::Float16));
}

void drawBoundedNormal(Context &ctx, Value state, int means) {
  llvm::SmallVector<Value> inputs = {state};
  inputs.append(parameters(ctx, means));
  ctx.setOutput(
      0, ctx.ir().kernelCall("BoundedNormals", inputs, ctx.outputType(),
                             int64_t(ctx.outputDType() == DType::Float16)));
}

} // namespace kiln
