// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers what draws as many numbers as it needs, candidates of classes among
// them, to kernels that take of the node's stream themselves.
#include "lib/Ops/Random/LoweringSamplers.h"
#include "lib/Import/LoweringRegistry.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <cmath>

namespace kiln {
namespace {

using Context = LoweringContext;

/// A table of aliases (Walker's method): as TensorFlow's DistributionSampler
/// builds it, for the numbers drawn depend on it.
struct AliasTable {
  std::vector<float> own; ///< the probability of a place's own number
  std::vector<int32_t> aliases;
};

AliasTable buildAliasTable(const std::vector<float> &weights) {
  const size_t n = weights.size();
  double sum = 0;
  for (float weight : weights)
    sum += weight;
  AliasTable table{std::vector<float>(n, 1), std::vector<int32_t>(n)};
  std::vector<double> shares(n);
  std::vector<size_t> high, low;
  for (size_t i = 0; i < n; ++i) {
    table.aliases[i] = static_cast<int32_t>(i);
    shares[i] = weights[i] * static_cast<float>(n) / sum;
    (shares[i] < 1 ? low : high).push_back(i);
  }
  while (!high.empty() && !low.empty()) {
    const size_t poor = low.back(), rich = high.back();
    low.pop_back();
    high.pop_back();
    table.aliases[poor] = static_cast<int32_t>(rich);
    table.own[poor] = static_cast<float>(shares[poor]);
    shares[rich] -= 1 - shares[poor];
    (shares[rich] < 1 ? low : high).push_back(rich);
  }
  // What is left is 1 but for rounding.
  return table;
}

/// The weights of this shard's numbers, in order. **Source**: the attributes of
/// FixedUnigramCandidateSampler.
StatusOr<std::vector<float>> shardWeights(Context &ctx) {
  const auto unigrams = ctx.floatsAttr("unigrams");
  const int64_t reserved = ctx.intAttr("num_reserved_ids"),
                shards = ctx.intAttr("num_shards"),
                shard = ctx.intAttr("shard");
  if (!ctx.stringAttr("vocab_file").empty())
    return ctx.unimplemented(
        "a sampler's vocab_file is not implemented; unigrams are");
  if (unigrams.empty())
    return ctx.invalid("Must provide either vocab_file or unigrams.");
  if (shard >= shards)
    return ctx.invalid("shard must be below num_shards");
  std::vector<float> weights;
  for (int64_t number = 0; number < reserved; ++number)
    if (number % shards == shard)
      weights.push_back(0);
  auto number = static_cast<int64_t>(weights.size());
  for (float weight : unigrams)
    if (number++ % shards == shard)
      weights.push_back(std::pow(weight, ctx.floatAttr("distortion")));
  if (ctx.intAttr("range_max") != static_cast<int64_t>(weights.size()))
    return ctx.invalid(strCat("range_max is ", ctx.intAttr("range_max"),
                              " but the unigrams are ", weights.size()));
  return weights;
}

template <class T>
StatusOr<Value> vectorConstant(Context &ctx, const std::vector<T> &values) {
  KILN_ASSIGN_OR_RETURN(
      Tensor tensor, Tensor::fromValues<T>(
                         Shape({static_cast<int64_t>(values.size())}), values));
  return ctx.constant(TensorConstant(std::move(tensor)));
}

Status lowerFixedUnigram(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(std::vector<float> weights, shardWeights(ctx));
  double total = 0;
  for (float weight : weights)
    total += weight;
  const AliasTable table = buildAliasTable(weights);
  for (float &weight : weights)
    weight = static_cast<float>(weight / total);
  KILN_ASSIGN_OR_RETURN(Value probabilities, vectorConstant(ctx, weights));
  KILN_ASSIGN_OR_RETURN(Value own, vectorConstant(ctx, table.own));
  KILN_ASSIGN_OR_RETURN(Value aliases, vectorConstant(ctx, table.aliases));
  ctx.callKernel(
      "SampleWeighted", {ctx.input(0), probabilities, own, aliases},
      {ctx.randomStream(), ctx.intAttr("range_max"), ctx.boolAttr("unique")});
  return okStatus();
}

template <const char *kernel> Status lowerSampler(Context &ctx) {
  ctx.callKernel(
      kernel, ctx.input(0),
      {ctx.randomStream(), ctx.intAttr("range_max"), ctx.boolAttr("unique")});
  return okStatus();
}
constexpr char sampleUniform[] = "SampleUniform";
constexpr char sampleLogUniform[] = "SampleLogUniform";

Status lowerAllCandidates(Context &ctx) {
  ctx.callKernel("TakeAllCandidates", ctx.input(0));
  return okStatus();
}

Status lowerAccidentalHits(Context &ctx) {
  ctx.callKernel("ComputeAccidentalHits", ctx.allInputs());
  return okStatus();
}

Status lowerMultinomial(Context &ctx) {
  ctx.callKernel("Multinomial", ctx.input(0), ctx.randomStream());
  return okStatus();
}

/// The rows in a random order: a gather that fuses with what is around it.
Status lowerShuffle(Context &ctx) {
  if (ctx.inputRank(0) == 0) {
    ctx.setOutput(0, ctx.input(0));
    return okStatus();
  }
  IrBuilder &ir = ctx.ir();
  Value order = ir.kernelCall(
      "ShuffledOrder", ctx.input(0),
      ir.tensorType({ctx.inputDims(0)[0]}, DType::Int64), ctx.randomStream());
  ctx.setOutput(0,
                ir.gather(ctx.input(0), order, /*axis=*/0, ctx.outputType()));
  return okStatus();
}

} // namespace

void registerSamplerLowerings(LoweringRegistry &registry) {
  registry.add({{"AllCandidateSampler", lowerAllCandidates},
                {"ComputeAccidentalHits", lowerAccidentalHits},
                {"FixedUnigramCandidateSampler", lowerFixedUnigram},
                {"LogUniformCandidateSampler", lowerSampler<sampleLogUniform>},
                {"Multinomial", lowerMultinomial},
                {"UniformCandidateSampler", lowerSampler<sampleUniform>}});
  registry.addMoves({{"RandomShuffle", lowerShuffle}});
}

} // namespace kiln
