// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers random nodes: each takes a stretch of its stream once a run.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Ops/Random/LoweringSamplers.h"

namespace kiln {
namespace {

template <ir::RandomKind kind> Status lowerRandom(LoweringContext &ctx) {
  IrBuilder &ir = ctx.ir();
  Value state = ctx.reserveRandom();
  ctx.setOutput(0, ir::RandomOp::create(ir.opBuilder(), ir.location(),
                                        ctx.outputType(), kind, state));
  return okStatus();
}

/// TensorFlow makes a float16 of the low 10 bits of a word, a bfloat16 of the
/// low 7, where a float32 has the low 23: they are the fraction of the float32
/// times 2^13 or 2^16, without any rounding.
Status lowerUniform(LoweringContext &ctx) {
  IrBuilder &ir = ctx.ir();
  mlir::Type stored = ctx.storedOutputType(0).getElementType();
  Value number =
      ir::RandomOp::create(ir.opBuilder(), ir.location(), ctx.outputType(),
                           ir::RandomKind::uniform, ctx.reserveRandom());
  if (ir::isNarrowFloat(stored)) {
    number = ir.mul(number, ir.like(number, stored.isF16() ? 0x1p13 : 0x1p16));
    number = ir.sub(number, ir.unary<ir::FloorOp>(number));
  }
  ctx.setOutput(0, number);
  return okStatus();
}

Status lowerRandomInt(LoweringContext &ctx) {
  IrBuilder &ir = ctx.ir();
  Value low = ctx.input(1), high = ctx.input(2);
  auto constant = [](Value value) {
    auto op = value.getDefiningOp<ir::ConstantOp>();
    return op ? llvm::dyn_cast<mlir::DenseIntElementsAttr>(op.getValue())
              : mlir::DenseIntElementsAttr();
  };
  mlir::DenseIntElementsAttr from = constant(low), to = constant(high);
  // A run that fails takes nothing from the stream.
  if (!from || !to ||
      !(*from.value_begin<llvm::APInt>()).slt(*to.value_begin<llvm::APInt>()))
    ir.kernelCall("FailRange", {low, high, ctx.input(0)}, mlir::TypeRange());
  Value state = ctx.reserveRandom();
  ctx.setOutput(0, ir::RandomIntOp::create(ir.opBuilder(), ir.location(),
                                           ctx.outputType(), state, low, high));
  return okStatus();
}

Status lowerTruncatedNormal(LoweringContext &ctx) {
  Value state = ctx.reserveRandom();
  ctx.setOutput(
      0, ctx.ir().kernelCall("TruncatedNormal", state, ctx.outputType()));
  return okStatus();
}

} // namespace

void registerRandomLowerings(LoweringRegistry &registry) {
  registry.add({{"RandomUniform", lowerUniform},
                {"RandomStandardNormal", lowerRandom<ir::RandomKind::normal>},
                {"RandomUniformInt", lowerRandomInt},
                {"TruncatedNormal", lowerTruncatedNormal}});
  registerSamplerLowerings(registry);
}

} // namespace kiln
