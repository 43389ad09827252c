// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Initializers.
#include "kiln/Initializers.h"

#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/Layout.h"
#include "kiln/ops/Linalg.h"
#include "kiln/ops/LinearAlgebraOps.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/RandomOps.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <cmath>

namespace kiln {
namespace {

Output refused(std::string message) {
  GraphBuilder::current().fail(invalidArgumentError(std::move(message)));
  return {};
}

/// The extents as Python's list of numbers.
Input dimsOf(const Shape &shape) {
  return std::vector<int64_t>(shape.dims().begin(), shape.dims().end());
}

std::pair<double, double> fansOf(const Shape &shape) {
  auto dim = [&](int i) { return static_cast<double>(shape.dim(i)); };
  if (shape.rank() < 1)
    return {1, 1};
  if (shape.rank() == 1)
    return {dim(0), dim(0)};
  double field = 1;
  for (int i = 0; i + 2 < shape.rank(); ++i)
    field *= dim(i);
  return {dim(-2) * field, dim(-1) * field};
}

const Shape &fullShape(const Shape &shape, const PartitionInfo *partition) {
  return partition ? partition->fullShape : shape;
}

Output scaled(const VarianceScalingOptions &options, const Shape &shape,
              DType dtype, const PartitionInfo *partition) {
  if (options.scale <= 0)
    return refused(strCat("Argument `scale` must be a positive float. "
                          "Received: ",
                          options.scale));
  auto [in, out] = fansOf(fullShape(shape, partition));
  double fan = 0;
  if (options.mode == "fan_in")
    fan = in;
  else if (options.mode == "fan_out")
    fan = out;
  else if (options.mode == "fan_avg")
    fan = (in + out) / 2;
  else
    return refused(strCat("Argument `mode` should be one of ('fan_in', "
                          "'fan_out', 'fan_avg'). Received: ",
                          options.mode));
  double scale = options.scale / std::max(1.0, fan);
  // What a normal distribution cut at two standard deviations has left of its
  // own.
  constexpr double truncated = 0.87962566103423978;
  if (options.distribution == "normal" ||
      options.distribution == "truncated_normal")
    return ops::truncatedNormal(dimsOf(shape),
                                {.stddev = std::sqrt(scale) / truncated,
                                 .dtype = dtype,
                                 .seed = options.seed});
  if (options.distribution == "untruncated_normal")
    return ops::randomNormal(
        dimsOf(shape),
        {.stddev = std::sqrt(scale), .dtype = dtype, .seed = options.seed});
  if (options.distribution != "uniform")
    return refused(strCat("Argument `distribution` should be one of ('normal', "
                          "uniform', 'truncated_normal', "
                          "'untruncated_normal'). Received: ",
                          options.distribution));
  double limit = std::sqrt(3 * scale);
  return ops::randomUniform(dimsOf(shape), -limit, limit,
                            {.dtype = dtype, .seed = options.seed});
}

Output orthogonal(double gain, std::optional<int64_t> seed, const Shape &shape,
                  DType dtype) {
  if (shape.rank() < 2)
    return refused(strCat("The tensor to initialize, specified by argument "
                          "`shape` must be at least two-dimensional. "
                          "Received shape=",
                          shape.toTupleString()));
  int64_t rows = 1, columns = shape.dim(-1);
  for (int i = 0; i + 1 < shape.rank(); ++i)
    rows *= shape.dim(i);
  bool isWide = rows < columns;
  Output normal = ops::randomNormal(
      Input({std::max(rows, columns), std::min(rows, columns)}),
      {.dtype = dtype, .seed = seed});
  auto factors = rawOps::qr(normal, {.fullMatrices = false});
  Output diagonal = rawOps::diagPart(factors.r);
  Output q = factors.q * rawOps::sign(diagonal);
  if (isWide)
    q = ops::transpose(q, {1, 0}, {.name = "matrix_transpose"});
  return gain * rawOps::reshape(q, dimsOf(shape));
}

Output identity(double gain, const Shape &shape, DType dtype,
                const PartitionInfo *partition) {
  const Shape &full = fullShape(shape, partition);
  if (full.rank() != 2)
    return refused("Identity matrix initializer can only be used for 2D "
                   "matrices.");
  Output whole =
      ops::eye(full.dim(0), {.numColumns = Input(full.dim(1)), .dtype = dtype});
  if (partition)
    whole = rawOps::slice(whole, Input(partition->offset), dimsOf(shape));
  return gain * whole;
}

Output uniformlyScaled(double factor, std::optional<int64_t> seed,
                       const Shape &shape, DType dtype,
                       const PartitionInfo *partition) {
  const Shape &full = fullShape(shape, partition);
  double inputs = 1;
  for (int i = 0; i + 1 < full.rank(); ++i)
    inputs *= static_cast<double>(full.dim(i));
  const double limit = std::sqrt(3 / std::max(inputs, 1.0)) * factor;
  return ops::randomUniform(dimsOf(shape), -limit, limit,
                            {.dtype = dtype, .seed = seed});
}

} // namespace

Output Initializer::operator()(const Shape &shape, DType dtype,
                               const PartitionInfo *partition) const {
  if (function)
    return function(shape, dtype, partition);
  if (bare)
    return (*bare)();
  return GraphBuilder::current().convert(*constant);
}

Initializer zerosInitializer() {
  return Initializer::Function(
      [](const Shape &shape, DType dtype, const PartitionInfo *) {
        return ops::zeros(dimsOf(shape), {.dtype = dtype});
      });
}
Initializer onesInitializer() {
  return Initializer::Function(
      [](const Shape &shape, DType dtype, const PartitionInfo *) {
        return ops::ones(dimsOf(shape), {.dtype = dtype});
      });
}
Initializer constantInitializer(const Input &value) {
  return Initializer::Function(
      [value](const Shape &shape, DType dtype, const PartitionInfo *) {
        return ops::constant(value, {.dtype = dtype, .shape = shape});
      });
}
Initializer randomUniformInitializer(double minimum, double maximum,
                                     std::optional<int64_t> seed) {
  return Initializer::Function(
      [=](const Shape &shape, DType dtype, const PartitionInfo *) {
        // An upper bound that is not given is the integer 1.
        Input high = maximum == 1 ? Input(1) : Input(maximum);
        return ops::randomUniform(dimsOf(shape), minimum, high,
                                  {.dtype = dtype, .seed = seed});
      });
}
Initializer randomNormalInitializer(double mean, double stddev,
                                    std::optional<int64_t> seed) {
  return Initializer::Function(
      [=](const Shape &shape, DType dtype, const PartitionInfo *) {
        return ops::randomNormal(
            dimsOf(shape),
            {.mean = mean, .stddev = stddev, .dtype = dtype, .seed = seed});
      });
}
Initializer truncatedNormalInitializer(double mean, double stddev,
                                       std::optional<int64_t> seed) {
  return Initializer::Function(
      [=](const Shape &shape, DType dtype, const PartitionInfo *) {
        return ops::truncatedNormal(
            dimsOf(shape),
            {.mean = mean, .stddev = stddev, .dtype = dtype, .seed = seed});
      });
}
Initializer varianceScalingInitializer(const VarianceScalingOptions &options) {
  return Initializer::Function([options](const Shape &shape, DType dtype,
                                         const PartitionInfo *partition) {
    return scaled(options, shape, dtype, partition);
  });
}
Initializer glorotUniformInitializer(std::optional<int64_t> seed) {
  return varianceScalingInitializer(
      {.mode = "fan_avg", .distribution = "uniform", .seed = seed});
}
Initializer glorotNormalInitializer(std::optional<int64_t> seed) {
  return varianceScalingInitializer({.mode = "fan_avg", .seed = seed});
}
Initializer heUniformInitializer(std::optional<int64_t> seed) {
  return varianceScalingInitializer(
      {.scale = 2, .distribution = "uniform", .seed = seed});
}
Initializer heNormalInitializer(std::optional<int64_t> seed) {
  return varianceScalingInitializer({.scale = 2, .seed = seed});
}
Initializer lecunUniformInitializer(std::optional<int64_t> seed) {
  return varianceScalingInitializer({.distribution = "uniform", .seed = seed});
}
Initializer lecunNormalInitializer(std::optional<int64_t> seed) {
  return varianceScalingInitializer({.seed = seed});
}
Initializer orthogonalInitializer(double gain, std::optional<int64_t> seed) {
  return Initializer::Function(
      [=](const Shape &shape, DType dtype, const PartitionInfo *) {
        return orthogonal(gain, seed, shape, dtype);
      });
}

Initializer identityInitializer(double gain) {
  return Initializer::Function(
      [=](const Shape &shape, DType dtype, const PartitionInfo *partition) {
        return identity(gain, shape, dtype, partition);
      });
}
Initializer uniformUnitScalingInitializer(double factor,
                                          std::optional<int64_t> seed) {
  return Initializer::Function(
      [=](const Shape &shape, DType dtype, const PartitionInfo *partition) {
        return uniformlyScaled(factor, seed, shape, dtype, partition);
      });
}

} // namespace kiln
