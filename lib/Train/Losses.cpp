// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Losses, as TensorFlow's Python adds them.
#include "kiln/Losses.h"

#include "kiln/ControlFlow.h"
#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/ElementwiseOps.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/NnOps.h"
#include "kiln/ops/ReductionOps.h"
#include "lib/Support/Strings.h"
#include "lib/Train/Broadcastable.h"
#include "lib/Train/Helpers.h"

namespace kiln::losses {
namespace {

constexpr DType float32 = DType::Float32;

Output safeMean(const Output &loss, const Output &count) {
  Output total = ops::reduceSum(loss);
  return ops::divNoNan(total, count, {.name = "value"});
}

Output numElements(const Output &losses) {
  NameScope scope("num_elements");
  return ops::cast(ops::size(losses, {.name = scope.name()}), losses.dtype());
}

/// How many losses have a weight that is not 0, in all or in each row.
Output numPresent(const Output &losses, const Output &weights,
                  bool ofRows = false) {
  NameScope scope("num_present");
  Output isZero = ops::equal(weights, 0.0);
  Output zeros = ops::zerosLike(weights);
  Output present = ops::where(isZero, zeros, ops::onesLike(weights));
  present = broadcastWeights(present, losses);
  if (ofRows)
    return ops::reduceSumOver(present, ops::range(1, ops::rank(present)),
                              {.keepDims = true, .name = scope.name()});
  return ops::reduceSum(present, {.name = scope.name()});
}

bool haveOneShape(const Output &x, const Output &labels) {
  if (x.shape().isCompatibleWith(labels.shape()))
    return true;
  GraphBuilder::current().fail(invalidArgumentError(
      strCat("Shapes ", x.shape().toTupleString(), " and ",
             labels.shape().toTupleString(), " are incompatible")));
  return false;
}

/// The scope of a loss, with its two tensors.
struct LossScope {
  LossScope(const Input &labels, const Input &other, const LossOptions &options,
            std::string_view defaultName)
      : scope(options.scope, defaultName, {&other, &labels, &options.weights}),
        inner(options) {
    inner.scope = scope.name();
  }
  /// Both as float32. False after an error.
  bool castBoth(const Input &givenLabels, const Input &given) {
    x = ops::cast(given, float32);
    labels = ops::cast(givenLabels, float32);
    return check();
  }
  /// The logits as they are, and the labels in their dtype.
  bool castLabels(const Input &givenLabels, const Input &logits) {
    x = GraphBuilder::current().convert(logits);
    if (x.node)
      labels = ops::cast(givenLabels, x.dtype());
    return check();
  }
  Output weighted(const Output &losses) const {
    return computeWeightedLoss(losses, inner);
  }

  FunctionScope scope;
  LossOptions inner;
  Output x, labels;

private:
  bool check() const {
    return x.node && labels.node && haveOneShape(x, labels);
  }
};

} // namespace

Output computeWeightedLoss(const Input &given, const LossOptions &options) {
  FunctionScope scope(options.scope, "weighted_loss",
                      {&given, &options.weights});
  GraphBuilder graph = GraphBuilder::current();
  const Node *check = assertBroadcastable(options.weights, given);
  if (!check)
    return {};
  ControlScope after({check});
  Output losses = graph.convert(given);
  if (!losses.node)
    return {};
  DType dtype = losses.dtype();
  losses = ops::cast(losses, float32);
  Output weights = ops::cast(options.weights, float32);
  Output loss = ops::multiply(losses, weights);
  if (!loss.node)
    return {};
  if (options.reduction != Reduction::None) {
    loss = ops::reduceSum(loss);
    if (options.reduction == Reduction::Mean)
      loss = safeMean(loss, ops::reduceSum(ops::onesLike(losses) * weights));
    else if (options.reduction == Reduction::SumByNonzeroWeights)
      loss = safeMean(loss, numPresent(losses, weights));
    else if (options.reduction == Reduction::SumOverBatchSize)
      loss = safeMean(loss, numElements(losses));
  }
  loss = ops::cast(loss, dtype);
  if (loss.node && !options.collection.empty())
    graph.addToCollection(options.collection, loss);
  return loss;
}

Output absoluteDifference(const Input &labels, const Input &predictions,
                          const LossOptions &options) {
  LossScope loss(labels, predictions, options, "absolute_difference");
  if (!loss.castBoth(labels, predictions))
    return {};
  return loss.weighted(ops::abs(ops::subtract(loss.x, loss.labels)));
}

Output cosineDistance(const Input &labels, const Input &predictions,
                      int64_t axis, const LossOptions &options) {
  LossScope loss(labels, predictions, options, "cosine_distance_loss");
  if (!loss.castBoth(labels, predictions))
    return {};
  Output product = ops::multiply(loss.x, loss.labels);
  Output sum = ops::reduceSum(
      product, Input(std::vector<int32_t>{static_cast<int32_t>(axis)}),
      {.keepDims = true});
  return loss.weighted(1 - sum);
}

Output hingeLoss(const Input &labels, const Input &logits,
                 const LossOptions &options) {
  LossScope loss(labels, logits, options, "hinge_loss");
  if (!loss.castBoth(labels, logits))
    return {};
  Output ones = ops::onesLike(loss.labels);
  Output sign = ops::subtract(2 * loss.labels, ones);
  Output margin = ops::multiply(sign, loss.x);
  return loss.weighted(ops::relu(ops::subtract(ones, margin)));
}

Output huberLoss(const Input &labels, const Input &predictions, double delta,
                 const LossOptions &options) {
  LossScope loss(labels, predictions, options, "huber_loss");
  if (!loss.castBoth(labels, predictions))
    return {};
  Output error = ops::abs(ops::subtract(loss.x, loss.labels));
  Output quadratic = ops::minimum(error, delta);
  Output linear = ops::subtract(error, quadratic);
  Output half = GraphBuilder::current().convert(0.5, {.dtype = float32});
  Output square = ops::multiply(quadratic, quadratic);
  Output first = ops::multiply(half, square);
  return loss.weighted(ops::add(first, ops::multiply(delta, linear)));
}

Output logLoss(const Input &labels, const Input &predictions, double epsilon,
               const LossOptions &options) {
  LossScope loss(labels, predictions, options, "log_loss");
  if (!loss.castBoth(labels, predictions))
    return {};
  Output logOfYes = ops::log(loss.x + epsilon);
  Output yes = -ops::multiply(loss.labels, logOfYes);
  Output isNo = 1 - loss.labels;
  Output remainder = 1 - loss.x;
  Output logOfNo = ops::log(remainder + epsilon);
  return loss.weighted(yes - ops::multiply(isNo, logOfNo));
}

Output meanSquaredError(const Input &labels, const Input &predictions,
                        const LossOptions &options) {
  LossScope loss(labels, predictions, options, "mean_squared_error");
  if (!loss.castBoth(labels, predictions))
    return {};
  return loss.weighted(ops::squaredDifference(loss.x, loss.labels));
}

Output sigmoidCrossEntropy(const Input &labels, const Input &logits,
                           double labelSmoothing, const LossOptions &options) {
  LossScope loss(labels, logits, options, "sigmoid_cross_entropy_loss");
  if (!loss.castLabels(labels, logits))
    return {};
  Output smooth = loss.labels;
  if (labelSmoothing > 0)
    smooth = smooth * (1 - labelSmoothing) + 0.5 * labelSmoothing;
  return loss.weighted(
      ops::sigmoidCrossEntropyWithLogits(smooth, loss.x, {.name = "xentropy"}));
}

Output softmaxCrossEntropy(const Input &onehotLabels, const Input &logits,
                           double labelSmoothing, const LossOptions &options) {
  LossScope loss(onehotLabels, logits, options, "softmax_cross_entropy_loss");
  if (!loss.castLabels(onehotLabels, logits))
    return {};
  Output labels = loss.labels;
  if (labelSmoothing > 0) {
    Output classes = ops::cast(ops::shape(labels)[-1], loss.x.dtype());
    Output negatives = labelSmoothing / classes;
    labels = labels * (1.0 - labelSmoothing) + negatives;
  }
  labels = ops::stopGradient(labels, {.name = "labels_stop_gradient"});
  return loss.weighted(ops::softmaxCrossEntropyWithLogitsV2(
      labels, loss.x, {.name = "xentropy"}));
}

namespace {

/// Weights of one axis more than the labels have, without the last one.
/// **Source**: losses_impl._remove_squeezable_dimensions.
Output withoutLastAxis(const Output &weights, const Output &labels) {
  const Shape &w = weights.shape(), &l = labels.shape();
  auto squeezed = [&] { return ops::squeeze(weights, {.axis = {-1}}); };
  if (w.hasRank() && l.hasRank())
    return w.rank() == l.rank() + 1 ? squeezed() : weights;
  Output weightsRank = ops::rank(weights);
  Output more = weightsRank - ops::rank(labels);
  if (w.hasRank() && (w.rank() == 0 || w.dim(-1) > 1))
    return weights;
  Outputs chosen = ops::cond(
      ops::equal(1, more), [&] { return ops::BranchResult(squeezed()); },
      [&] { return ops::BranchResult(weights); });
  return chosen.empty() ? Output() : chosen[0];
}

} // namespace

Output sparseSoftmaxCrossEntropy(const Input &labels, const Input &logits,
                                 const LossOptions &options) {
  LossScope loss(labels, logits, options, "sparse_softmax_cross_entropy_loss");
  GraphBuilder graph = GraphBuilder::current();
  auto [y, x] = ops::removeSqueezableDimensions(labels, logits,
                                                {.expectedRankDifference = 1});
  Output weights = graph.convert(options.weights);
  if (!x.node || !y.node || !weights.node)
    return {};
  loss.inner.weights = withoutLastAxis(weights, y);
  return loss.weighted(
      ops::sparseSoftmaxCrossEntropyWithLogits(y, x, {.name = "xentropy"}));
}

Output meanPairwiseSquaredError(const Input &givenLabels, const Input &given,
                                const LossOptions &options) {
  FunctionScope scope(options.scope, "mean_pairwise_squared_error",
                      {&given, &givenLabels, &options.weights});
  Output weights = ops::cast(options.weights, float32);
  Output labels = ops::cast(givenLabels, float32);
  const Node *check = assertBroadcastable(weights, labels);
  if (!check)
    return {};
  ControlScope after({check});
  Output predictions = ops::cast(given, float32);
  if (!predictions.node || !haveOneShape(predictions, labels))
    return {};
  Output errors = ops::subtract(predictions, labels);
  Output axes = ops::range(1, ops::rank(errors));
  Output squares =
      ops::reduceSumOver(ops::square(errors), axes, {.keepDims = true});
  Output count = numPresent(errors, weights, true);
  Output others = ops::maximum(count - 1, 0);
  Output first = 2.0 * ops::divNoNan(squares, others, {.name = "value"});
  Output sum = ops::reduceSumOver(errors, axes, {.keepDims = true});
  Output square = ops::square(sum);
  Output pairs = ops::maximum(ops::multiply(count, count - 1), 0);
  Output second = 2.0 * ops::divNoNan(square, pairs, {.name = "value"});
  Output loss = ops::reduceSum(ops::multiply(first - second, weights));
  Output isAny = ops::reduceSum(count) > 0;
  Output mean =
      ops::where(isAny, loss, ops::zerosLike(loss), {.name = "value"});
  if (mean.node && !options.collection.empty())
    GraphBuilder::current().addToCollection(options.collection, mean);
  return mean;
}

void addLoss(const Output &loss) {
  if (loss.node)
    GraphBuilder::of(loss).addToCollection(keys::losses, loss);
}

std::vector<Output> getLosses(std::string_view scope) {
  return GraphBuilder::current().collectionOf<Output>(keys::losses, scope);
}

std::vector<Output> getRegularizationLosses(std::string_view scope) {
  return GraphBuilder::current().collectionOf<Output>(
      keys::regularizationLosses, scope);
}

Output getRegularizationLoss(std::string_view scope, std::string_view name) {
  std::vector<Output> all = getRegularizationLosses(scope);
  if (all.empty())
    return ops::constant(0.0);
  return ops::addN(all, {.name = std::string(name)});
}

Output getTotalLoss(bool addRegularizationLosses, std::string_view name,
                    std::string_view scope) {
  std::vector<Output> all = getLosses(scope);
  if (addRegularizationLosses)
    for (const Output &each : getRegularizationLosses(scope))
      all.push_back(each);
  if (all.empty()) {
    GraphBuilder::current().fail(invalidArgumentError(
        "Inputs must be an iterable of at least one Tensor/IndexedSlices with "
        "the same dtype and shape."));
    return {};
  }
  return ops::addN(all, {.name = std::string(name)});
}

} // namespace kiln::losses
