// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers stateless random nodes to draws from a state of their inputs.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Ops/Random/LoweringDraws.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {
namespace {

using Context = LoweringContext;

Value bySeed(Context &ctx) { return stateOfSeeds(ctx, 1); }
Value byKey(Context &ctx) { return stateOfKey(ctx); }

template <Value (*state)(Context &), void (*draw)(Context &, Value)>
Status lowerDraw(Context &ctx) {
  draw(ctx, state(ctx));
  return okStatus();
}

template <Value (*state)(Context &), void (*draw)(Context &, Value, int),
          int parameters>
Status lowerSamples(Context &ctx) {
  draw(ctx, state(ctx), parameters);
  return okStatus();
}

template <Value (*state)(Context &), int low>
Status lowerIntegers(Context &ctx) {
  Value from = ctx.input(low), to = ctx.input(low + 1);
  checkRange(ctx, from, to, ctx.input(0));
  drawInteger(ctx, state(ctx), from, to);
  return okStatus();
}

Status lowerMultinomial(Context &ctx) {
  ctx.callKernel("StatelessMultinomial", {ctx.input(0), stateOfSeeds(ctx, 2)});
  return okStatus();
}

/// The rows in a random order: a gather that fuses with what is around it.
Status lowerShuffle(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  Value state = stateOfKey(ctx, ir.scalarInt(ir.elementType(DType::Int64), 1));
  if (ctx.inputRank(0) == 0) {
    ctx.setOutput(0, ctx.input(0));
    return okStatus();
  }
  Value order =
      ir.kernelCall("StatelessOrder", {ctx.input(0), state},
                    ir.tensorType({ctx.inputDims(0)[0]}, DType::Int64));
  ctx.setOutput(0,
                ir.gather(ctx.input(0), order, /*axis=*/0, ctx.outputType()));
  return okStatus();
}

Status lowerKeyAndCounter(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  auto call =
      ir.kernelCall("SeedKeyAndCounter", ctx.input(0),
                    mlir::TypeRange{ctx.outputType(0), ctx.outputType(1)});
  ctx.setOutput(0, call.getResult(0));
  ctx.setOutput(1, call.getResult(1));
  if (ctx.numOutputs() > 2)
    ctx.setOutput(2, ir.splatInt(ctx.outputType(2), 1));
  return okStatus();
}

Status lowerAlgorithm(Context &ctx) {
  ctx.setOutput(0, ctx.ir().splatInt(ctx.outputType(), 1));
  return okStatus();
}

Status lowerIndexShuffle(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const int64_t rounds = ctx.intAttr("rounds");
  if (rounds < 4 || rounds % 2 != 0)
    return ctx.invalid("rounds must be even and at least 4");
  mlir::Type i64 = ir.elementType(DType::Int64);
  Dims dims = ctx.outputDims();
  auto type = ir.tensorType(dims, i64);
  auto vector = [&](int i) {
    return ir.broadcast(ir.cast(ctx.input(i), i64), type);
  };
  dims.push_back(Dim::known(3));
  Value seeds =
      ir.broadcast(ir.cast(ctx.input(1), i64), ir.tensorType(dims, i64));
  const DType dtype = ctx.outputDType();
  Value places =
      ir.kernelCall("ShuffleIndices", {vector(0), seeds, vector(2)}, type,
                    {rounds, dtype == DType::UInt32 || dtype == DType::UInt64});
  ctx.setOutput(0, ir.cast(places, ctx.outputType().getElementType()));
  return okStatus();
}

} // namespace

void registerStatelessRandomLowerings(LoweringRegistry &registry) {
  registry.add(
      {{"StatelessRandomUniform", lowerDraw<bySeed, drawUniform>},
       {"StatelessRandomNormal", lowerDraw<bySeed, drawNormal>},
       {"StatelessTruncatedNormal", lowerDraw<bySeed, drawTruncatedNormal>},
       {"StatelessRandomUniformFullInt", lowerDraw<bySeed, drawAnyInteger>},
       {"StatelessRandomUniformInt", lowerIntegers<bySeed, 2>},
       {"StatelessRandomGammaV2", lowerSamples<bySeed, drawGamma, 2>},
       {"StatelessRandomPoisson", lowerSamples<bySeed, drawPoisson, 2>},
       {"StatelessRandomBinomial", lowerSamples<bySeed, drawBinomial, 2>},
       {"StatelessParameterizedTruncatedNormal",
        lowerSamples<bySeed, drawBoundedNormal, 2>},
       {"StatelessMultinomial", lowerMultinomial},
       {"RandomIndexShuffle", lowerIndexShuffle}});
  registry.add(
      {{"StatelessRandomUniformV2", lowerDraw<byKey, drawUniform>},
       {"StatelessRandomNormalV2", lowerDraw<byKey, drawNormal>},
       {"StatelessTruncatedNormalV2", lowerDraw<byKey, drawTruncatedNormal>},
       {"StatelessRandomUniformFullIntV2", lowerDraw<byKey, drawAnyInteger>},
       {"StatelessRandomUniformIntV2", lowerIntegers<byKey, 4>},
       {"StatelessRandomGammaV3", lowerSamples<byKey, drawGamma, 4>}});
  registry.addMoves({{"StatelessShuffle", lowerShuffle},
                     {"StatelessRandomGetKeyCounter", lowerKeyAndCounter},
                     {"StatelessRandomGetKeyCounterAlg", lowerKeyAndCounter},
                     {"StatelessRandomGetAlg", lowerAlgorithm}});
}

} // namespace kiln
