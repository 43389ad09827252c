// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batch normalization with moving averages, as TensorFlow's Python adds it.
#include "lib/Train/Normalizer.h"

#include "kiln/ControlFlow.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/NnOps.h"
#include "kiln/ops/Normalization.h"
#include "kiln/ops/StateOps.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Train/Helpers.h"

#include <algorithm>

namespace kiln::layers {
namespace {

bool isNarrow(DType dtype) {
  return dtype == DType::Float16 || dtype == DType::BFloat16;
}

/// A cast that does nothing, but of a handle, takes a name for its scope.
Input castTo(DType dtype, const Input &value) {
  const auto *data =
      std::get_if<std::shared_ptr<const VariableData>>(&value.value());
  return data && Variable::of(*data).isResource()
             ? value
             : Input(ops::cast(value, dtype));
}

} // namespace

Normalizer::Normalizer(BatchNormalization &layer, const NormalizedAxes &over,
                       const Output &inputs, const Input &training)
    : layer(layer), options(layer.options), over(over), inputs(inputs),
      training(training), known(ops::knownTruth(training)),
      rank(inputs.shape().rank()) {}

Output Normalizer::add() {
  if (options.virtualBatchSize)
    return addVirtual();
  return over.fusedFormat.empty() ? addPlain() : addFused();
}

/// variable -= (variable - value) * (1 - momentum). **Source**:
/// BatchNormalizationBase._assign_moving_average.
Assignment Normalizer::moveAverage(const Weight &average, const Output &value,
                                   const Input &momentum) const {
  const Variable &variable = variableOf(average);
  NameScope scope("AssignMovingAvg");
  ColocationScope place(variable.op());
  const double *number = std::get_if<double>(&momentum.value());
  Output decay =
      number ? GraphBuilder::current().convert(1.0 - *number, {.name = "decay"})
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

Output Normalizer::addFused() {
  GraphBuilder graph = GraphBuilder::current();
  auto constant = [&](double value) {
    return ops::constant(value, {.dtype = over.dtype, .shape = over.shape});
  };
  Input offset = layer.beta.isValid() ? layer.beta.input() : constant(0);
  Input scale = layer.gamma.isValid() ? layer.gamma.input() : constant(1);
  auto normalize = [&](bool isTraining) {
    Output x = graph.convert(inputs);
    Output gain = graph.convert(scale), shift = graph.convert(offset);
    auto all = rawOps::fusedBatchNormV3(
        x, gain, shift, layer.movingMean, layer.movingVariance,
        {.epsilon = static_cast<float>(options.epsilon),
         .dataFormat = over.fusedFormat,
         .isTraining = isTraining});
    return ops::BranchResult(Outputs{all.y, all.batchMean, all.batchVariance});
  };
  Outputs done = ops::smartCond(
                     training, [&] { return normalize(true); },
                     [&] { return normalize(false); })
                     .outputs;
  if (done.size() != 3 || known == false)
    return done;
  Output momentum;
  if (known)
    momentum = graph.convert(options.momentum);
  else
    momentum = ops::smartCond(
                   training,
                   [&] { return ops::BranchResult(Input(options.momentum)); },
                   [&] { return ops::BranchResult(Input(1.0)); })
                   .outputs;
  if (!momentum.node)
    return {};
  layer.addUpdate(moveAverage(layer.movingMean, done[1], momentum).operation());
  layer.addUpdate(
      moveAverage(layer.movingVariance, done[2], momentum).operation());
  return done;
}

/// A vector of the channels beside the inputs; what has all axes that these
/// have stays.
Input Normalizer::beside(const Input &vector) const {
  if (over.shape.rank() == rank || over.axes[0] == rank - 1)
    return vector;
  std::vector<int32_t> extents(static_cast<size_t>(rank), 1);
  extents[static_cast<size_t>(over.axes[0])] =
      static_cast<int32_t>(over.shape.dim(0));
  return ops::reshape(vector, Input(extents));
}

Output Normalizer::inTraining(const Output &value,
                              const Input &otherwise) const {
  return ops::smartCond(
             training, [&] { return ops::BranchResult(value); },
             [&] { return ops::BranchResult(otherwise); })
      .outputs;
}

Normalizer::Transform Normalizer::composed(const Output &scale,
                                           const Output &offset,
                                           const Transform &then) {
  Output gain = scale, shift = offset;
  if (then.scale) {
    gain = binary("mul", gain, *then.scale);
    shift = binary("mul", shift, *then.scale);
  }
  if (then.offset)
    shift = binary("add", shift, *then.offset);
  return {gain, shift};
}

Normalizer::Transform Normalizer::adjusted(const Output &x,
                                           const Transform &then) {
  auto [scale, bias] = options.adjustment(ops::shape(x));
  if (!scale.node || !bias.node)
    return then;
  auto adjust = [&](const Output &value, bool isScale) {
    return ops::smartCond(
               training, [&] { return ops::BranchResult(value); },
               [&] {
                 return ops::BranchResult(isScale ? ops::onesLike(value)
                                                  : ops::zerosLike(value));
               })
        .outputs;
  };
  Output gain = adjust(scale, true);
  Output shift = adjust(bias, false);
  return composed(gain, shift, then);
}

void Normalizer::update(const Weight &average, const Output &value) {
  auto move = [&] { return moveAverage(average, value, options.momentum); };
  if (known)
    return layer.addUpdate(move().operation());
  Output updated = ops::cond(
      training, [&] { return ops::BranchResult(move()); },
      [&] { return ops::BranchResult(variableOf(average)); });
  layer.addUpdate(updated.node);
}

Output Normalizer::addPlain() { return normalized(inputs); }

Output Normalizer::normalized(Output x) {
  const DType given = x.dtype();
  const Shape shape = x.shape();
  if (isNarrow(given))
    x = ops::cast(x, DType::Float32);
  Transform transform;
  if (layer.gamma.isValid())
    transform.scale = beside(layer.gamma);
  if (layer.beta.isValid())
    transform.offset = beside(layer.beta);
  Input center = layer.movingMean, spread = layer.movingVariance;
  if (known != false) {
    if (options.adjustment)
      transform = adjusted(x, transform);
    std::vector<int64_t> others;
    for (int i = 0; i < rank; ++i)
      if (std::ranges::find(over.axes, i) == over.axes.end() &&
          !(options.virtualBatchSize && i == 1))
        others.push_back(i);
    const bool keepDims = over.axes.size() > 1 || options.virtualBatchSize;
    ops::Moments found =
        ops::moments(ops::cast(x, over.dtype), others, {.keepDims = keepDims});
    Output mean = inTraining(found.mean, layer.movingMean);
    Output variance = inTraining(found.variance, layer.movingVariance);
    center = mean;
    spread = variance;
    if (options.virtualBatchSize) {
      mean = ops::reduceMeanOver(mean, 1, {.keepDims = true});
      variance = ops::reduceMeanOver(variance, 1, {.keepDims = true});
    }
    if (options.renorm) {
      Moved moved = renormed(mean, variance);
      mean = moved.mean;
      variance = moved.variance;
      Input r = beside(rawOps::stopGradient(moved.r, {.name = "renorm_r"}));
      Input d = beside(rawOps::stopGradient(moved.d, {.name = "renorm_d"}));
      GraphBuilder graph = GraphBuilder::current();
      transform = composed(graph.convert(r), graph.convert(d), transform);
      updateRenormed(mean, variance);
    } else {
      update(layer.movingMean, mean);
      update(layer.movingVariance, variance);
    }
  }
  if (!x.node)
    return {};
  center = castTo(x.dtype(), center);
  spread = castTo(x.dtype(), spread);
  if (transform.offset)
    transform.offset = castTo(x.dtype(), *transform.offset);
  if (transform.scale)
    transform.scale = castTo(x.dtype(), *transform.scale);
  center = beside(center);
  spread = beside(spread);
  Output result = ops::batchNormalization(x, center, spread,
                                          {.offset = transform.offset,
                                           .scale = transform.scale,
                                           .varianceEpsilon = options.epsilon});
  if (!result.node)
    return {};
  result = ops::cast(result, given);
  GraphBuilder::current().setShape(result, shape);
  return result;
}

/// Parts of the batch as an axis of their own.
Output Normalizer::addVirtual() {
  Output whole = ops::shape(inputs);
  Output rest = ops::constant(Input(std::vector<int32_t>{-1}));
  Output original = ops::concat({rest, whole[{kiln::sliceFrom(1)}]}, 0);
  Output parts = ops::constant(Input(std::vector<int32_t>{
      static_cast<int32_t>(*options.virtualBatchSize), -1}));
  Output expanded = ops::concat({parts, original[{kiln::sliceFrom(1)}]}, 0);
  Output x = ops::reshape(inputs, expanded);
  if (!x.node)
    return {};
  ++rank;
  Output result = normalized(x);
  return result.node ? ops::reshape(result, original) : result;
}

/// A new value of an average, or the value that it has.
Output Normalizer::movedInTraining(const Weight &average, const Output &given) {
  Output value = ops::identity(given);
  return ops::smartCond(
             training,
             [&] {
               return ops::BranchResult(
                   moveAverage(average, value, options.renormMomentum));
             },
             [&] {
               return ops::BranchResult(ops::identity(variableOf(average)));
             })
      .outputs;
}

/// **Source**: BatchNormalizationBase._renorm_correction_and_moments.
Normalizer::Moved Normalizer::renormed(const Output &givenMean,
                                       const Output &variance) {
  GraphBuilder graph = GraphBuilder::current();
  Output deviation = ops::sqrt(variance + options.epsilon);
  Output least = ops::sqrt(Input(options.epsilon));
  Output renormDeviation = ops::maximum(layer.renormDeviation.input(), least);
  Output r = deviation / renormDeviation;
  Output d = binary("sub", givenMean, layer.renormMean.input());
  d = d / renormDeviation;
  if (!r.node || !d.node)
    return {};
  Output mean;
  {
    ControlScope after({r, d});
    mean = ops::identity(givenMean);
    deviation = ops::identity(deviation);
  }
  if (options.renormMin)
    r = ops::maximum(r, *options.renormMin);
  if (options.renormMax)
    r = ops::minimum(r, *options.renormMax);
  if (options.renormShift) {
    d = ops::maximum(d, -*options.renormShift);
    d = ops::minimum(d, *options.renormShift);
  }
  r = ops::smartCond(
          training, [&] { return ops::BranchResult(r); },
          [&] { return ops::BranchResult(ops::onesLike(r)); })
          .outputs;
  d = ops::smartCond(
          training, [&] { return ops::BranchResult(d); },
          [&] { return ops::BranchResult(ops::zerosLike(d)); })
          .outputs;
  Output newMean = movedInTraining(layer.renormMean, mean);
  Output newDeviation = movedInTraining(layer.renormDeviation, deviation);
  if (!newMean.node || !newDeviation.node)
    return {};
  ControlScope after({newMean, newDeviation});
  Output outMean = ops::identity(mean);
  Output outVariance = ops::identity(variance);
  return {r, d, outMean, outVariance};
}

void Normalizer::updateRenormed(const Output &mean, const Output &variance) {
  update(layer.movingMean, mean);
  auto move = [&] {
    Output spread = ops::sqrt(variance + options.epsilon);
    Output moved =
        moveAverage(layer.movingDeviation, spread, options.momentum).value();
    Output square = moved * moved;
    Output value = ops::relu(square - options.epsilon);
    const Variable &average = variableOf(layer.movingVariance);
    NameScope scope("AssignNewValue");
    ColocationScope place(average.op());
    AssignOptions named;
    if (!average.isResource())
      named.name = scope.name();
    return ops::assign(average, value, named);
  };
  if (known)
    return layer.addUpdate(move().operation());
  Output updated = ops::cond(
      training, [&] { return ops::BranchResult(move()); },
      [&] { return ops::BranchResult(variableOf(layer.movingVariance)); });
  layer.addUpdate(updated.node);
}

} // namespace kiln::layers
