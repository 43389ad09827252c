// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers random nodes: each takes a stretch of its stream once a run.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Ops/Random/LoweringDraws.h"
#include "lib/Ops/Random/LoweringSamplers.h"

namespace kiln {
namespace {

using Context = LoweringContext;

template <void (*draw)(Context &, Value)> Status lowerRandom(Context &ctx) {
  draw(ctx, ctx.reserveRandom());
  return okStatus();
}

template <void (*draw)(Context &, Value, int)>
Status lowerParameterized(Context &ctx) {
  draw(ctx, ctx.reserveRandom(), /*parameters=*/1);
  return okStatus();
}

Status lowerRandomInt(Context &ctx) {
  Value low = ctx.input(1), high = ctx.input(2);
  // A run that fails takes nothing from the stream.
  checkRange(ctx, low, high, ctx.input(0));
  drawInteger(ctx, ctx.reserveRandom(), low, high);
  return okStatus();
}

Status lowerBoundedNormal(Context &ctx) {
  llvm::SmallVector<Value> parameters;
  for (int i = 1; i < ctx.numInputs(); ++i)
    parameters.push_back(ctx.input(i));
  ctx.callKernel("BoundedNormalsOfStream", parameters,
                 {ctx.randomStream(), ctx.outputDType() == DType::Float16});
  return okStatus();
}

} // namespace

void registerRandomLowerings(LoweringRegistry &registry) {
  registry.add({{"RandomUniform", lowerRandom<drawUniform>},
                {"RandomStandardNormal", lowerRandom<drawNormal>},
                {"RandomUniformInt", lowerRandomInt},
                {"TruncatedNormal", lowerRandom<drawTruncatedNormal>},
                {"ParameterizedTruncatedNormal", lowerBoundedNormal},
                {"RandomGamma", lowerParameterized<drawGamma>},
                {"RandomPoissonV2", lowerParameterized<drawPoisson>},
                {"RandomPoisson", lowerParameterized<drawPoisson>}});
  registerSamplerLowerings(registry);
}

} // namespace kiln
