// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batch normalization with moving averages, as TensorFlow's Python adds it.
#include "kiln/ControlFlow.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/NnOps.h"
#include "kiln/ops/Normalization.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/Strings.h"
#include "lib/Train/Helpers.h"
#include "lib/Train/LayerScope.h"

#include <algorithm>

namespace kiln::layers {
namespace {

bool isNarrow(DType dtype) {
  return dtype == DType::Float16 || dtype == DType::BFloat16;
}

class BatchNormalization {
public:
  /// The axes are sorted and each is there once.
  BatchNormalization(const LayerScope &layer, std::vector<int> theAxes,
                     const BatchNormalizationOptions &options)
      : layer(layer), options(options), axes(std::move(theAxes)),
        training(ops::knownTruth(options.training)) {
    const Output &x = layer.inputs;
    if (axes.size() == 1) {
      shape = {x.shape().dim(axes[0])};
    } else {
      std::vector<int64_t> extents(static_cast<size_t>(x.shape().rank()), 1);
      for (int axis : axes)
        extents[static_cast<size_t>(axis)] = x.shape().dim(axis);
      shape = Shape(extents);
    }
    dtype = isNarrow(x.dtype()) ? DType::Float32 : x.dtype();
  }

  Output add() {
    if (options.scale)
      gamma = layer.weight("gamma", {.shape = shape,
                                     .initializer = options.gammaInitializer,
                                     .regularizer = options.gammaRegularizer,
                                     .constraint = options.gammaConstraint,
                                     .trainable = options.trainable,
                                     .dtype = dtype});
    if (options.center)
      beta = layer.weight("beta", {.shape = shape,
                                   .initializer = options.betaInitializer,
                                   .regularizer = options.betaRegularizer,
                                   .constraint = options.betaConstraint,
                                   .trainable = options.trainable,
                                   .dtype = dtype});
    mean = moving("moving_mean", options.movingMeanInitializer);
    variance = moving("moving_variance", options.movingVarianceInitializer);
    if (!mean.op() || !variance.op())
      return {};
    std::string format = fusedFormat();
    return format.empty() ? addPlain() : addFused(format);
  }

private:
  Variable moving(const std::string &name, const Initializer &initializer) {
    return layer.variable(name, {.shape = shape,
                                 .initializer = initializer,
                                 .trainable = false,
                                 .dtype = dtype});
  }

  /// Empty where the fused op does not compute it.
  std::string fusedFormat() const {
    int rank = layer.inputs.shape().rank();
    if (!options.fused.value_or(true) || dtype == DType::Float64 ||
        axes.size() != 1)
      return {};
    const int axis = axes[0];
    if (rank == 4 && (axis == 1 || axis == 3))
      return axis == 1 ? "NCHW" : "NHWC";
    if (rank == 5 && (axis == 1 || axis == 4))
      return axis == 1 ? "NCDHW" : "NDHWC";
    return {};
  }

  /// variable -= (variable - value) * (1 - momentum). **Source**:
  /// BatchNormalizationBase._assign_moving_average.
  Assignment moveAverage(const Variable &variable, const Output &value,
                         const Input &momentum) const {
    NameScope scope("AssignMovingAvg");
    ColocationScope place(variable.op());
    const double *number = std::get_if<double>(&momentum.value());
    Output decay = number ? GraphBuilder::current().convert(1.0 - *number,
                                                            {.name = "decay"})
                          : 1.0 - *momentum.output();
    if (!decay.node)
      return {};
    decay = ops::cast(decay, variable.dtype());
    Output moved = ops::cast(value, variable.dtype());
    Output delta = (variable - moved) * decay;
    AssignOptions named;
    if (!variable.isResource()) // what changes a handle has the op's name
      named.name = scope.name();
    return variable.assignSub(delta, named);
  }

  void addUpdate(const Node *update) const {
    GraphBuilder graph = GraphBuilder::current();
    if (update)
      graph.addToCollection(keys::updateOps, update);
  }

  Output addFused(const std::string &format) const {
    GraphBuilder graph = GraphBuilder::current();
    auto constant = [&](double value) {
      return ops::constant(value, {.dtype = dtype, .shape = shape});
    };
    Input offset = beta.isValid() ? beta.input() : Input(constant(0));
    Input scale = gamma.isValid() ? gamma.input() : Input(constant(1));
    auto normalize = [&](bool isTraining) {
      Output x = graph.convert(layer.inputs);
      Output gain = graph.convert(scale), shift = graph.convert(offset);
      auto all = rawOps::fusedBatchNormV3(
          x, gain, shift, mean, variance,
          {.epsilon = static_cast<float>(options.epsilon),
           .dataFormat = format,
           .isTraining = isTraining});
      return ops::BranchResult(
          Outputs{all.y, all.batchMean, all.batchVariance});
    };
    Outputs done = ops::smartCond(
                       options.training, [&] { return normalize(true); },
                       [&] { return normalize(false); })
                       .outputs;
    if (done.size() != 3 || training == false)
      return done;
    Output momentum;
    if (training)
      momentum = graph.convert(options.momentum);
    else
      momentum = ops::smartCond(
                     options.training,
                     [&] { return ops::BranchResult(Input(options.momentum)); },
                     [&] { return ops::BranchResult(Input(1.0)); })
                     .outputs;
    if (!momentum.node)
      return {};
    addUpdate(moveAverage(mean, done[1], momentum).operation());
    addUpdate(moveAverage(variance, done[2], momentum).operation());
    return done;
  }

  /// A vector of the channels beside the inputs; of several axes it has all
  /// axes that these have.
  Input beside(const Input &vector) const {
    int rank = layer.inputs.shape().rank();
    if (axes.size() > 1 || axes[0] == rank - 1)
      return vector;
    std::vector<int32_t> extents(static_cast<size_t>(rank), 1);
    extents[static_cast<size_t>(axes[0])] = static_cast<int32_t>(shape.dim(0));
    return ops::reshape(vector, Input(extents));
  }

  Output addPlain() const {
    Output x = layer.inputs;
    if (isNarrow(x.dtype()))
      x = ops::cast(x, DType::Float32);
    std::optional<Input> scale, offset;
    if (gamma.isValid())
      scale = beside(gamma);
    if (beta.isValid())
      offset = beside(beta);
    Input center = mean, spread = variance;
    if (training != false) {
      std::vector<int64_t> others;
      for (int i = 0; i < x.shape().rank(); ++i)
        if (std::ranges::find(axes, i) == axes.end())
          others.push_back(i);
      ops::Moments found = ops::moments(ops::cast(x, dtype), others,
                                        {.keepDims = axes.size() > 1});
      Output batchMean =
          ops::smartCond(
              options.training, [&] { return ops::BranchResult(found.mean); },
              [&] { return ops::BranchResult(mean); })
              .outputs;
      Output batchVariance =
          ops::smartCond(
              options.training,
              [&] { return ops::BranchResult(found.variance); },
              [&] { return ops::BranchResult(variance); })
              .outputs;
      update(mean, batchMean);
      update(variance, batchVariance);
      center = batchMean;
      spread = batchVariance;
    }
    if (!x.node)
      return {};
    // A cast that does nothing, but of a handle, takes a name for its scope.
    auto like = [&](const Input &value) {
      const auto *data =
          std::get_if<std::shared_ptr<const VariableData>>(&value.value());
      return data && Variable::of(*data).isResource()
                 ? value
                 : Input(ops::cast(value, x.dtype()));
    };
    center = like(center);
    spread = like(spread);
    if (offset)
      offset = like(*offset);
    if (scale)
      scale = like(*scale);
    center = beside(center);
    spread = beside(spread);
    Output result = ops::batchNormalization(
        x, center, spread,
        {.offset = offset, .scale = scale, .varianceEpsilon = options.epsilon});
    return result.node ? ops::cast(result, layer.inputs.dtype()) : result;
  }

  void update(const Variable &variable, const Output &value) const {
    auto move = [&] { return moveAverage(variable, value, options.momentum); };
    if (training)
      return addUpdate(move().operation());
    Output updated = ops::cond(
        options.training, [&] { return ops::BranchResult(move()); },
        [&] { return ops::BranchResult(variable); });
    addUpdate(updated.node);
  }

  const LayerScope &layer;
  const BatchNormalizationOptions &options;
  std::vector<int> axes;
  std::optional<bool> training;
  Shape shape;
  DType dtype;
  Weight gamma, beta;
  Variable mean, variance;
};

} // namespace

Output batchNormalization(const Input &inputs,
                          const BatchNormalizationOptions &options) {
  LayerScope layer(inputs, options.name, "batch_normalization", options.reuse);
  if (!layer.inputs.node)
    return {};
  const Shape &shape = layer.inputs.shape();
  if (!shape.hasRank() || shape.rank() == 0)
    return layer.refuse(
        strCat("Input has undefined rank. Received: input_shape=",
               shape.toTupleString()));
  std::vector<int> axes;
  for (int64_t axis : options.axis)
    axes.push_back(static_cast<int>(std::clamp<int64_t>(
        axis < 0 ? axis + shape.rank() : axis, -1, shape.rank())));
  const std::string given =
      strCat("(", strJoin(axes, ", "), axes.size() == 1 ? ",)" : ")");
  for (int axis : axes)
    if (axis < 0 || axis >= shape.rank())
      return layer.refuse(
          strCat("Invalid value for `axis` argument. Expected 0 <= axis < "
                 "inputs.rank (with inputs.rank=",
                 shape.rank(), "). Received: axis=", given));
  std::vector<int> sorted = axes;
  std::ranges::sort(sorted);
  if (sorted.empty() || std::ranges::adjacent_find(sorted) != sorted.end())
    return layer.refuse(strCat("Duplicate axis: ", given));
  for (int axis : axes)
    if (shape.dim(axis) < 0)
      return layer.refuse(
          strCat("Input has undefined `axis` dimension. Received input with "
                 "shape ",
                 shape.toTupleString(), " and axis=", given));
  return BatchNormalization(layer, std::move(sorted), options).add();
}

} // namespace kiln::layers
