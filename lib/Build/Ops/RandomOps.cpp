// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random tensors as TensorFlow's Python functions add them.
#include "kiln/ops/RandomOps.h"

#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/Random.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/Strings.h"

namespace kiln::ops {

Output shapeTensor(const Input &shape) {
  auto known = shape.output() ? std::nullopt : knownIntegers(shape);
  return convert(shape, "shape",
                 known && known->empty() ? DType::Int32 : DType::Invalid);
}

namespace {

bool isInteger(const Input &input, int64_t number) {
  const int64_t *value = std::get_if<int64_t>(&input.value());
  return value && *value == number;
}

template <class Function>
Output normal(std::string_view function, Function draw, const Input &shape,
              const NormalOptions &options) {
  FunctionScope scope(options.name, function, {&shape});
  Output dims = shapeTensor(shape);
  Output mean = convert(options.mean, "mean", options.dtype);
  Output stddev = convert(options.stddev, "stddev", options.dtype);
  auto [seed, seed2] = GraphBuilder::current().seedsFor(options.seed);
  Output random = draw(dims, options.dtype, seed, seed2);
  return add(random * stddev, mean, {.name = scope});
}

} // namespace

Output randomUniform(const Input &shape, const RandomOptions &options) {
  if (kiln::isInteger(options.dtype))
    return failed(
        invalidArgumentError(strCat("Must specify maxval for integer dtype tf.",
                                    dtypeName(options.dtype))),
        options.name.empty() ? "random_uniform" : options.name);
  return randomUniform(shape, 0, 1, options);
}

Output randomUniform(const Input &shape, const Input &minimum,
                     const Input &maximum, const RandomOptions &options) {
  if (!isFloating(options.dtype) && options.dtype != DType::Int32 &&
      options.dtype != DType::Int64)
    return failed(
        invalidArgumentError(strCat("Argument `dtype` got invalid value tf.",
                                    dtypeName(options.dtype))),
        options.name.empty() ? "random_uniform" : options.name);
  FunctionScope scope(options.name, "random_uniform",
                      {&shape, &minimum, &maximum});
  bool integers = kiln::isInteger(options.dtype);
  bool fromZero = isInteger(minimum, 0), toOne = isInteger(maximum, 1);
  Output dims = shapeTensor(shape), low, high;
  if (!fromZero || !toOne || integers) {
    low = convert(minimum, "min", options.dtype);
    high = convert(maximum, "max", options.dtype);
  }
  auto [seed, seed2] = GraphBuilder::current().seedsFor(options.seed);
  if (integers)
    return rawOps::randomUniformInt(
        dims, low, high, {.seed = seed, .seed2 = seed2, .name = scope});
  Output random = rawOps::randomUniform(dims, options.dtype,
                                        {.seed = seed, .seed2 = seed2});
  if (fromZero)
    return toOne ? random : multiply(random, high);
  return add(random * (high - low), low, {.name = scope});
}

Output randomNormal(const Input &shape, const NormalOptions &options) {
  return normal(
      "random_normal",
      [](const Output &dims, DType dtype, int64_t seed, int64_t seed2) {
        return rawOps::randomStandardNormal(dims, dtype,
                                            {.seed = seed, .seed2 = seed2});
      },
      shape, options);
}

Output truncatedNormal(const Input &shape, const NormalOptions &options) {
  return normal(
      "truncated_normal",
      [](const Output &dims, DType dtype, int64_t seed, int64_t seed2) {
        return rawOps::truncatedNormal(dims, dtype,
                                       {.seed = seed, .seed2 = seed2});
      },
      shape, options);
}

Output randomShuffle(const Input &value, const SeedOptions &options) {
  GraphScope graph(builderOf(value));
  auto [seed, seed2] = GraphBuilder::current().seedsFor(options.seed);
  return rawOps::randomShuffle(
      value, {.seed = seed, .seed2 = seed2, .name = options.name});
}

Output multinomial(const Input &logits, const Input &numSamples,
                   const MultinomialOptions &options) {
  FunctionScope scope(options.name, "multinomial", {&logits});
  Output converted = convert(logits, "logits");
  auto [seed, seed2] = GraphBuilder::current().seedsFor(options.seed);
  return rawOps::multinomial(
      converted, numSamples,
      {.seed = seed, .seed2 = seed2, .outputDtype = options.outputType});
}

} // namespace kiln::ops
