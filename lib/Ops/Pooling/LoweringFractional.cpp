// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers pools whose windows are of two sizes to kernels, which draw their
// order.
#include "lib/Ops/Pooling/LoweringFractional.h"

#include <bit>

namespace kiln {

/// One that is deterministic without seeds has some that hang on its name.
Status lowerFractionalPool(LoweringContext &ctx) {
  const std::vector<float> ratio = ctx.floatsAttr("pooling_ratio");
  int64_t seed = ctx.intAttr("seed"), seed2 = ctx.intAttr("seed2");
  const bool hasSeeds = seed != 0 || seed2 != 0,
             isDeterministic = ctx.boolAttr("deterministic");
  if (hasSeeds && !isDeterministic)
    return ctx.invalid(
        "Both seed and seed2 should be 0 if deterministic is false.");
  if (ratio[0] != 1 || ratio[3] != 1)
    return ctx.unimplemented(
        ctx.node().op() == "FractionalMaxPool"
            ? "Fractional max pooling is not yet supported on the batch nor "
              "channel dimension."
            : "Fractional average pooling is not yet supported on the batch "
              "nor channel dimension.");
  if (isDeterministic && !hasSeeds)
    for (char letter : ctx.node().name())
      seed = seed * 31 + letter + 1;
  auto bits = [&](size_t i) {
    return int64_t{std::bit_cast<uint32_t>(ratio[i])};
  };
  ctx.callKernel("FractionalPool", ctx.input(0),
                 {isDeterministic ? -1 : ctx.randomStream(), seed, seed2,
                  ctx.boolAttr("pseudo_random"), ctx.boolAttr("overlapping"),
                  ctx.node().op() == "FractionalMaxPool", bits(1), bits(2),
                  !ctx.foundOut().empty()});
  return okStatus();
}

Status lowerFractionalMaxPoolGrad(LoweringContext &ctx) {
  ctx.callKernel("FractionalMaxPoolGrad", ctx.allInputs(),
                 int64_t(ctx.boolAttr("overlapping")));
  return okStatus();
}

Status lowerFractionalAvgPoolGrad(LoweringContext &ctx) {
  ctx.callKernel("FractionalAvgPoolGrad",
                 {ctx.input(1), ctx.input(2), ctx.input(3)},
                 int64_t(ctx.boolAttr("overlapping")));
  return okStatus();
}

} // namespace kiln
