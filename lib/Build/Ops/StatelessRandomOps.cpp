// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random tensors that depend on their seed alone, and Gamma distributions.
#include "kiln/ops/RandomOps.h"

#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/Random.h"
#include "kiln/ops/StatelessRandom.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/Strings.h"

#include <cmath>
#include <limits>

namespace kiln::ops {
namespace {

struct Generator {
  Output key, counter, algorithm;
};
/// **Source**: random_ops_util.get_key_counter_alg.
Generator generatorOf(const Input &seed) {
  auto keyAndCounter = rawOps::statelessRandomGetKeyCounter(seed);
  return {keyAndCounter.key, keyAndCounter.counter,
          rawOps::statelessRandomGetAlg()};
}

template <class Draw>
Output normal(std::string_view function, Draw draw, const Input &shape,
              const Input &seed, const StatelessNormalOptions &options) {
  FunctionScope scope(options.name, function, {&shape, &seed});
  Output dims = shapeTensor(shape);
  Output mean = convert(options.mean, "mean", options.dtype);
  Output stddev = convert(options.stddev, "stddev", options.dtype);
  Output random = draw(dims, generatorOf(seed));
  return add(random * stddev, mean, {.name = scope});
}

/// The smallest normal number of a type.
double smallestOf(DType dtype) {
  switch (dtype) {
  case DType::Float16:
    return std::ldexp(1.0, -14);
  case DType::Float64:
    return std::numeric_limits<double>::min();
  default:
    return std::numeric_limits<float>::min();
  }
}

} // namespace

Output statelessNormal(const Input &shape, const Input &seed,
                       const StatelessNormalOptions &options) {
  return normal(
      "stateless_random_normal",
      [&](const Output &dims, const Generator &from) {
        return rawOps::statelessRandomNormalV2(dims, from.key, from.counter,
                                               from.algorithm,
                                               {.dtype = options.dtype});
      },
      shape, seed, options);
}

Output statelessTruncatedNormal(const Input &shape, const Input &seed,
                                const StatelessNormalOptions &options) {
  return normal(
      "stateless_truncated_normal",
      [&](const Output &dims, const Generator &from) {
        return rawOps::statelessTruncatedNormalV2(dims, from.key, from.counter,
                                                  from.algorithm,
                                                  {.dtype = options.dtype});
      },
      shape, seed, options);
}

Output statelessUniform(const Input &shape, const Input &seed,
                        const StatelessUniformOptions &options) {
  FunctionScope scope(options.name, "stateless_random_uniform",
                      {&shape, &seed, &options.minimum});
  const DType dtype = options.dtype;
  const bool integers = isInteger(dtype);
  Output dims = shapeTensor(shape);
  if (integers && !options.maximum) {
    Generator from = generatorOf(seed);
    return rawOps::statelessRandomUniformFullIntV2(
        dims, from.key, from.counter, from.algorithm,
        {.dtype = dtype, .name = scope});
  }
  Output low = convert(options.minimum, "min", dtype);
  Output high = convert(options.maximum.value_or(1), "max", dtype);
  Generator from = generatorOf(seed);
  if (integers)
    return rawOps::statelessRandomUniformIntV2(dims, from.key, from.counter,
                                               from.algorithm, low, high,
                                               {.name = scope});
  Output random = rawOps::statelessRandomUniformV2(
      dims, from.key, from.counter, from.algorithm, {.dtype = dtype});
  return add(random * (high - low), low, {.name = scope});
}

Output randomGamma(const Input &shape, const Input &alpha,
                   const GammaOptions &options) {
  FunctionScope scope(options.name, "random_gamma", {&shape, &alpha});
  Output dims = convert(shape, "shape", DType::Int32);
  Output shapes = convert(alpha, "alpha", options.dtype);
  Output rates = convert(options.beta.value_or(1), "beta", options.dtype);
  if (!dims.node || !shapes.node || !rates.node)
    return {};
  Output extents =
      rawOps::broadcastArgs(shapeAsTensor(shapes), shapeAsTensor(rates));
  Output broadcast = rawOps::broadcastTo(shapes, extents);
  auto [seed, seed2] = GraphBuilder::current().seedsFor(options.seed);
  Output random =
      rawOps::randomGamma(dims, broadcast, {.seed = seed, .seed2 = seed2});
  return rawOps::maximum(smallestOf(options.dtype), random / rates);
}

} // namespace kiln::ops
