// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers the distributions, wherever the state comes from that they draw from:
// a node's stream, seeds, a key with a counter, a variable.
#ifndef KILN_LIB_OPS_RANDOM_LOWERINGDRAWS_H
#define KILN_LIB_OPS_RANDOM_LOWERINGDRAWS_H

#include "lib/Import/LoweringContext.h"

namespace kiln {

/// The type of a state: four words of a counter, two of a key.
RankedTensorType stateType(LoweringContext &ctx);
/// The state of two seeds, input `seeds`.
Value stateOfSeeds(LoweringContext &ctx, int seeds);
/// The state of a key and a counter, inputs 1 and 2, by the algorithm that is
/// input 3; input 0 is the shape of what is drawn.
Value stateOfKey(LoweringContext &ctx);
/// As above, where input `shape` is that, or nothing is.
Value stateOfKey(LoweringContext &ctx, Value shape);

/// Ends the run where numbers of [low, high) are asked for and there are none;
/// none are asked for where the shape has an extent of 0.
void checkRange(LoweringContext &ctx, Value low, Value high, Value shape = {});

// What output 0 is, drawn from a state. Parameters are inputs, the first of
// which is numbered.
void drawUniform(LoweringContext &ctx, Value state);
void drawNormal(LoweringContext &ctx, Value state);
void drawTruncatedNormal(LoweringContext &ctx, Value state);
void drawAnyInteger(LoweringContext &ctx, Value state);
void drawInteger(LoweringContext &ctx, Value state, Value low, Value high);
void drawGamma(LoweringContext &ctx, Value state, int alpha);
void drawPoisson(LoweringContext &ctx, Value state, int rate);
void drawBinomial(LoweringContext &ctx, Value state, int counts);
void drawBoundedNormal(LoweringContext &ctx, Value state, int means);

} // namespace kiln

#endif // KILN_LIB_OPS_RANDOM_LOWERINGDRAWS_H
