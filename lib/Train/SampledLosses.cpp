// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Losses over drawn classes, as TensorFlow's Python adds them.
#include "kiln/SampledLosses.h"

#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/Indexing.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/NnOps.h"
#include "kiln/ops/Random.h"

namespace kiln::ops {
namespace {

/// The sums of the rows, by a product with ones. **Source**: nn_impl._sum_rows.
Output sumRows(const Output &x) {
  if (!x.node)
    return {};
  Output columns = shape(x)[1];
  Output onesShape = stack({columns, 1});
  Output one = ones(onesShape, {.dtype = x.dtype()});
  return reshape(matMul(x, one), Input(std::vector<int32_t>{-1}));
}

Output inDType(const Output &tensor, DType dtype) {
  return tensor.node && tensor.dtype() != dtype ? cast(tensor, dtype) : tensor;
}

struct LogitsAndLabels {
  Output logits, labels;
};

struct SampledLogits {
  const EmbeddingParameters &weights, &biases;
  int64_t numSampled, numClasses;
  bool removeHits;
  const SampledLossOptions &options;

  /// **Source**: nn_impl._compute_sampled_logits.
  LogitsAndLabels add(const Input &givenLabels, const Input &givenInputs,
                      std::string_view defaultName) const {
    FunctionScope scope(options.name, defaultName,
                        {&givenInputs, &givenLabels});
    GraphBuilder graph = GraphBuilder::current();
    Output labels = graph.convert(givenLabels);
    Output inputs = graph.convert(givenInputs);
    if (!labels.node || !inputs.node)
      return {};
    labels = inDType(labels, DType::Int64);
    Output flat = reshape(labels, vectorOf({-1}));
    SampledCandidates drawn = candidates(labels);
    Output sampled = stopGradient(drawn.sampled);
    Output trueCount = stopGradient(drawn.trueExpectedCount);
    Output sampledCount = stopGradient(drawn.sampledExpectedCount);
    if (!sampledCount.node)
      return {};
    sampled = cast(sampled, DType::Int64);
    Output ids = concat({flat, sampled}, 0);
    Output rows = inDType(lookup(weights, ids), inputs.dtype());
    Output count = shape(flat)[0];
    Output trueSize = stack({count, -1});
    Output trueRows = rawOps::slice(rows, vectorOf({0, 0}), trueSize);
    count = shape(flat)[0];
    Output sampledBegin = stack({count, 0});
    Output sampledRows = rawOps::slice(rows, sampledBegin, vectorOf({-1, -1}));
    Output sampledLogits = matMul(inputs, sampledRows, {.transposeB = true});
    Output allBiases = inDType(lookup(biases, ids), inputs.dtype());
    Output trueBiases = rawOps::slice(allBiases, vectorOf({0}), shape(flat));
    Output flatShape = shape(flat);
    Output sampledBiases = rawOps::slice(allBiases, flatShape, vectorOf({-1}));
    if (!sampledBiases.node)
      return {};

    Output dim = shape(trueRows)[{kiln::slice(1, 2)}];
    Input perTrue(
        std::vector<int32_t>{-1, static_cast<int32_t>(options.numTrue)});
    Output trueShape = concat({perTrue, dim}, 0);
    Output wide = expandDims(inputs, 1);
    Output dots = multiply(wide, reshape(trueRows, trueShape));
    Output matrixShape = concat({vectorOf({-1}), dim}, 0);
    Output dotsAsMatrix = reshape(dots, matrixShape);
    Output trueLogits = reshape(sumRows(dotsAsMatrix), perTrue);
    trueBiases = reshape(trueBiases, perTrue);
    trueLogits = trueLogits + trueBiases;
    sampledLogits = sampledLogits + sampledBiases;
    if (removeHits)
      sampledLogits = withoutHits(sampledLogits, labels, sampled);
    trueLogits = trueLogits - log(trueCount);
    sampledLogits = sampledLogits - log(sampledCount);
    Output logits = concat({trueLogits, sampledLogits}, 1);
    Output trueLabels = onesLike(trueLogits) / options.numTrue;
    Output falseLabels = zerosLike(sampledLogits);
    return {logits, concat({trueLabels, falseLabels}, 1)};
  }

private:
  static Input vectorOf(std::vector<int32_t> numbers) { return Input(numbers); }

  Output lookup(const EmbeddingParameters &params, const Output &ids) const {
    return embeddingLookup(params, ids,
                           {.partitionStrategy = options.partitionStrategy});
  }

  SampledCandidates candidates(const Output &labels) const {
    if (options.sampledValues)
      return *options.sampledValues;
    auto [seed, seed2] = GraphBuilder::current().seedsFor(options.seed);
    auto drawn = rawOps::logUniformCandidateSampler(
        labels, options.numTrue, numSampled, true, numClasses,
        {.seed = seed, .seed2 = seed2});
    return {drawn.sampledCandidates, drawn.trueExpectedCount,
            drawn.sampledExpectedCount};
  }

  /// Classes that were drawn though they are true get no probability.
  Output withoutHits(const Output &logits, const Output &labels,
                     const Output &sampled) const {
    auto [seed, seed2] = GraphBuilder::current().seedsFor({});
    auto hits = rawOps::computeAccidentalHits(labels, sampled, options.numTrue,
                                              {.seed = seed, .seed2 = seed2});
    if (!hits.weights.node)
      return {};
    Output rows = reshape(hits.indices, vectorOf({-1, 1}));
    Output columns = reshape(cast(hits.ids, DType::Int32), vectorOf({-1, 1}));
    Output indices = concat({rows, columns}, 1, {.name = "sparse_indices"});
    Output batch = shape(labels)[{sliceTo(1)}];
    Output width = expandDims(numSampled, 0);
    Output wholeShape = concat({batch, width}, 0);
    Output weights = inDType(hits.weights, logits.dtype());
    return logits + rawOps::sparseToDense(indices, wholeShape, weights, 0.0,
                                          {.validateIndices = false});
  }
};

} // namespace

Output nceLoss(const EmbeddingParameters &weights,
               const EmbeddingParameters &biases, const Input &labels,
               const Input &inputs, int64_t numSampled, int64_t numClasses,
               const SampledLossOptions &options) {
  SampledLogits sampling{weights,
                         biases,
                         numSampled,
                         numClasses,
                         options.removeAccidentalHits.value_or(false),
                         options};
  LogitsAndLabels found = sampling.add(labels, inputs, "nce_loss");
  if (!found.labels.node)
    return {};
  GraphScope graph(GraphBuilder::of(found.logits));
  return sumRows(sigmoidCrossEntropyWithLogits(found.labels, found.logits,
                                               {.name = "sampled_losses"}));
}

Output sampledSoftmaxLoss(const EmbeddingParameters &weights,
                          const EmbeddingParameters &biases,
                          const Input &labels, const Input &inputs,
                          int64_t numSampled, int64_t numClasses,
                          const SampledLossOptions &options) {
  SampledLogits sampling{weights,
                         biases,
                         numSampled,
                         numClasses,
                         options.removeAccidentalHits.value_or(true),
                         options};
  LogitsAndLabels found = sampling.add(labels, inputs, "sampled_softmax_loss");
  if (!found.labels.node)
    return {};
  GraphScope graph(GraphBuilder::of(found.logits));
  Output stopped = stopGradient(found.labels, {.name = "labels_stop_gradient"});
  return softmaxCrossEntropyWithLogitsV2(stopped, found.logits);
}

} // namespace kiln::ops
