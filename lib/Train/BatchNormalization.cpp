// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batch normalization as a layer: its axes and variables.
#include "kiln/ops/Math.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/Strings.h"
#include "lib/Train/LayerHelpers.h"
#include "lib/Train/Normalizer.h"

#include <algorithm>

namespace kiln::layers {
namespace {

DType parameterDType(DType dtype) {
  return dtype == DType::Float16 || dtype == DType::BFloat16 ? DType::Float32
                                                             : dtype;
}

std::string tupleText(const std::vector<int> &numbers) {
  return strCat("(", strJoin(numbers, ", "), numbers.size() == 1 ? ",)" : ")");
}

/// The axes from 0 on, sorted. **Errors**: INVALID_ARGUMENT where one is not
/// there or not known, or there twice.
StatusOr<std::vector<int>> axesOf(const BatchNormalizationOptions &options,
                                  const Shape &shape) {
  if (!shape.hasRank() || shape.rank() == 0)
    return invalidArgumentError(
        strCat("Input has undefined rank. Received: input_shape=",
               shape.toTupleString()));
  std::vector<int> axes;
  for (int64_t axis : options.axis)
    axes.push_back(static_cast<int>(std::clamp<int64_t>(
        axis < 0 ? axis + shape.rank() : axis, -1, shape.rank())));
  const std::string given = tupleText(axes);
  for (int axis : axes)
    if (axis < 0 || axis >= shape.rank())
      return invalidArgumentError(
          strCat("Invalid value for `axis` argument. Expected 0 <= axis < "
                 "inputs.rank (with inputs.rank=",
                 shape.rank(), "). Received: axis=", given));
  std::vector<int> sorted = axes;
  std::ranges::sort(sorted);
  if (sorted.empty() || std::ranges::adjacent_find(sorted) != sorted.end())
    return invalidArgumentError(strCat("Duplicate axis: ", given));
  for (int axis : axes)
    if (shape.dim(axis) < 0)
      return invalidArgumentError(
          strCat("Input has undefined `axis` dimension. Received input with "
                 "shape ",
                 shape.toTupleString(), " and axis=", given));
  return sorted;
}

std::string fusedFormat(const BatchNormalizationOptions &options, int rank,
                        const std::vector<int> &axes, DType dtype) {
  if (!options.fused.value_or(true) || options.renorm || options.adjustment ||
      options.virtualBatchSize || dtype == DType::Float64 || axes.size() != 1)
    return {};
  const int axis = axes[0];
  if (rank == 4 && (axis == 1 || axis == 3))
    return axis == 1 ? "NCHW" : "NHWC";
  if (rank == 5 && (axis == 1 || axis == 4))
    return axis == 1 ? "NCDHW" : "NDHWC";
  return {};
}

/// **Errors**: INVALID_ARGUMENT for virtual batches that cannot be.
Status checkVirtual(const BatchNormalizationOptions &options,
                    const std::vector<int> &axes) {
  if (!options.virtualBatchSize)
    return okStatus();
  if (*options.virtualBatchSize <= 0)
    return invalidArgumentError(
        strCat("`virtual_batch_size` must be a positive integer that divides "
               "the true batch size of the input tensor. Received: "
               "virtual_batch_size=",
               *options.virtualBatchSize));
  if (axes[0] == 0)
    return invalidArgumentError(
        strCat("When using `virtual_batch_size`, the batch dimension must be 0 "
               "and thus axis cannot include 0. Received axis=",
               tupleText(axes)));
  if (options.adjustment)
    return invalidArgumentError(
        "When using `virtual_batch_size`, adjustment cannot be specified");
  return okStatus();
}

StatusOr<NormalizedAxes>
normalizedAxes(const BatchNormalizationOptions &options, const Shape &input,
               DType dtype) {
  StatusOr<std::vector<int>> axes = axesOf(options, input);
  if (!axes.ok())
    return axes.status();
  if (Status status = checkVirtual(options, *axes); !status.ok())
    return status;
  NormalizedAxes over{.axes = *axes,
                      .shape = {},
                      .dtype = parameterDType(dtype),
                      .fusedFormat =
                          fusedFormat(options, input.rank(), *axes, dtype)};
  if (axes->size() == 1 && !options.virtualBatchSize) {
    over.shape = {input.dim((*axes)[0])};
    return over;
  }
  std::vector<int64_t> extents(static_cast<size_t>(input.rank()), 1);
  for (int axis : *axes)
    extents[static_cast<size_t>(axis)] = input.dim(axis);
  if (options.virtualBatchSize) {
    extents.insert(extents.begin() + 1, 1);
    for (int &axis : over.axes)
      ++axis;
  }
  over.shape = Shape(extents);
  return over;
}

Initializer rootOf(const std::optional<Initializer> &given) {
  Initializer initializer = given.value_or(glorotUniformInitializer());
  return Initializer::Function(
      [initializer](const Shape &shape, DType dtype, const PartitionInfo *) {
        return ops::sqrt(initializer(shape, dtype));
      });
}

} // namespace

BatchNormalization::BatchNormalization(const BatchNormalizationOptions &options,
                                       std::string kind)
    : Layer(std::move(kind), commonOptions(options)), options(options) {}

void BatchNormalization::build(const Shape &input) {
  StatusOr<NormalizedAxes> over = normalizedAxes(options, input, dtype());
  if (!over.ok()) {
    refuse(std::string(over.status().message()));
    return;
  }
  InputSpec spec{.rank = input.rank()};
  for (int64_t axis : options.axis) {
    const int at = static_cast<int>(axis < 0 ? axis + input.rank() : axis);
    spec.axes.emplace_back(at, input.dim(at));
  }
  setInputSpec({spec});
  if (options.scale)
    gamma = addWeight("gamma", over->shape,
                      {.dtype = over->dtype,
                       .initializer = options.gammaInitializer,
                       .regularizer = options.gammaRegularizer,
                       .constraint = options.gammaConstraint});
  if (options.center)
    beta = addWeight("beta", over->shape,
                     {.dtype = over->dtype,
                      .initializer = options.betaInitializer,
                      .regularizer = options.betaRegularizer,
                      .constraint = options.betaConstraint});
  // One in one part, whatever the variable scope says.
  auto moving = [&](const char *name,
                    const std::optional<Initializer> &initializer) {
    return addWeight(name, over->shape,
                     {.dtype = over->dtype,
                      .initializer = initializer,
                      .trainable = false,
                      .partitioner = Partitioner()});
  };
  movingMean = moving("moving_mean", options.movingMeanInitializer);
  movingVariance = moving("moving_variance", options.movingVarianceInitializer);
  if (!options.renorm)
    return;
  Initializer deviation = rootOf(options.movingVarianceInitializer);
  auto beside = [&](const Weight &average, const char *name,
                    const std::optional<Initializer> &initializer) {
    if (!average.isValid() || !average.variable())
      return Weight();
    ColocationScope place(average.variable()->op());
    return moving(name, initializer);
  };
  movingDeviation = beside(movingVariance, "moving_stddev", deviation);
  renormMean = beside(movingMean, "renorm_mean", options.movingMeanInitializer);
  renormDeviation = beside(movingDeviation, "renorm_stddev", deviation);
}

Output BatchNormalization::call(const Output &inputs, const Input &training) {
  StatusOr<NormalizedAxes> over =
      normalizedAxes(options, inputs.shape(), dtype());
  if (!over.ok())
    return refuse(std::string(over.status().message()));
  std::vector<const Weight *> averages{&movingMean, &movingVariance};
  if (options.renorm)
    averages.insert(averages.end(),
                    {&movingDeviation, &renormMean, &renormDeviation});
  const bool moves = ops::knownTruth(training).value_or(true);
  for (const Weight *average : averages) {
    if (average->isValid() && (average->variable() || !moves))
      continue;
    if (GraphBuilder::current().status().ok())
      refuse("expected moving averages that are variables");
    return {};
  }
  return Normalizer(*this, *over, inputs, training).add();
}

std::optional<Shape> BatchNormalization::outputShape(const Shape &input) const {
  return input;
}

Output batchNormalization(const Input &inputs,
                          const BatchNormalizationOptions &options) {
  return applied(BatchNormalization(options), inputs, options.training);
}

} // namespace kiln::layers
