// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers what draws as many numbers as it needs, candidates of classes among
// them, to kernels that take of the node's stream themselves.
#include "lib/Ops/Random/LoweringSamplers.h"
#include "lib/Import/LoweringRegistry.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <bit>
#include <limits>

namespace kiln {
namespace {

using Context = LoweringContext;

template <class T>
StatusOr<Value> vectorConstant(Context &ctx, const std::vector<T> &values) {
  KILN_ASSIGN_OR_RETURN(
      Tensor tensor, Tensor::fromValues<T>(
                         Shape({static_cast<int64_t>(values.size())}), values));
  return ctx.constant(TensorConstant(std::move(tensor)));
}

/// The weights are a list or a file. **Source**: the attributes of
/// FixedUnigramCandidateSampler.
Status lowerFixedUnigram(Context &ctx) {
  const std::vector<float> unigrams = ctx.floatsAttr("unigrams");
  const std::string file = ctx.stringAttr("vocab_file");
  if (file.empty() && unigrams.empty())
    return ctx.invalid("Must provide either vocab_file or unigrams.");
  if (!file.empty() && !unigrams.empty())
    return ctx.invalid("Must only provide one of vocab_file and unigrams.");
  const int64_t shards = ctx.intAttr("num_shards"),
                shard = ctx.intAttr("shard");
  if (shard >= shards)
    return ctx.invalid("shard must be below num_shards");
  KILN_ASSIGN_OR_RETURN(Value weights, vectorConstant(ctx, unigrams));
  KILN_ASSIGN_OR_RETURN(Value path,
                        ctx.constant(TensorConstant(Tensor::scalar(file))));
  ctx.callKernel("SampleFixed", {ctx.input(0), weights, path},
                 {ctx.randomStream(), ctx.intAttr("range_max"),
                  ctx.boolAttr("unique"), ctx.intAttr("num_reserved_ids"),
                  shards, shard,
                  std::bit_cast<int32_t>(ctx.floatAttr("distortion"))});
  return okStatus();
}

Status lowerCounted(Context &ctx) {
  const int64_t range = ctx.intAttr("range_max");
  if (range >= std::numeric_limits<int32_t>::max())
    return ctx.invalid(
        strCat("range_max must be below 2147483647, got ", range));
  ctx.callKernel("SampleCounted", ctx.input(0),
                 {ctx.randomStream(), range, ctx.boolAttr("unique")});
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
                {"LearnedUnigramCandidateSampler", lowerCounted},
                {"LogUniformCandidateSampler", lowerSampler<sampleLogUniform>},
                {"Multinomial", lowerMultinomial},
                {"ThreadUnsafeUnigramCandidateSampler", lowerCounted},
                {"UniformCandidateSampler", lowerSampler<sampleUniform>}});
  registry.addMoves({{"RandomShuffle", lowerShuffle}});
}

} // namespace kiln
