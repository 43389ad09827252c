// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Random: random numbers, from TensorFlow's own streams.
#include "lib/Ops/Families.h"
#include "lib/Ops/Random/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"RandomUniform", "shape: T", "output: dtype",
     "seed: int = 0; seed2: int = 0; dtype: nnFloats; T: indexTypes",
     "Uniform floats in [0, 1).", inferRandom,
     stateful | draws | stopsGradient},
    {"RandomUniformInt", "shape: T, minval: Tout, maxval: Tout", "output: Tout",
     "seed: int = 0; seed2: int = 0; Tout: indexTypes; T: indexTypes",
     "Uniform integers in [minval, maxval).", inferRandomInt, stateful | draws},
    {"RandomStandardNormal", "shape: T", "output: dtype",
     "seed: int = 0; seed2: int = 0; dtype: nnFloats; T: indexTypes",
     "Normal floats with mean 0 and deviation 1.", inferRandom,
     stateful | draws | stopsGradient},
    {"TruncatedNormal", "shape: T", "output: dtype",
     "seed: int = 0; seed2: int = 0; dtype: nnFloats; T: indexTypes",
     "Normal floats drawn again while beyond two deviations.", inferRandom,
     stateful | draws | stopsGradient},
    {"ParameterizedTruncatedNormal",
     "shape: T, means: dtype, stdevs: dtype, minvals: dtype, maxvals: dtype",
     "output: dtype",
     "seed: int = 0; seed2: int = 0; dtype: nnFloats; T: indexTypes",
     "Normal floats of a mean and a deviation for each row, between bounds.",
     inferBoundedNormal, stateful | draws | stopsGradient},
    {"RandomGamma", "shape: S, alpha: T", "output: T",
     "seed: int = 0; seed2: int = 0; S: indexTypes; T: {float16, float32, "
     "float64}",
     "Numbers of the gamma distribution of each alpha, with scale 1.",
     inferSamples, stateful | draws},
    {"RandomPoisson", "shape: S, rate: dtype", "output: dtype",
     "seed: int = 0; seed2: int = 0; S: indexTypes; dtype: {float16, float32, "
     "float64}",
     "The former RandomPoissonV2, of floats.", inferSamples, stateful | draws},
    {"RandomPoissonV2", "shape: S, rate: R", "output: dtype",
     "seed: int = 0; seed2: int = 0; S: indexTypes; R: {float16, float32, "
     "float64, int32, int64} = float64; dtype: {float16, float32, float64, "
     "int32, int64} = int64",
     "Numbers of the Poisson distribution of each rate.", inferSamples,
     stateful | draws},
    {"RandomShuffle", "value: T", "output: T",
     "seed: int = 0; seed2: int = 0; T: type", "The rows in a random order.",
     inferShuffle, stateful | draws | movesElements | stopsGradient},
    {"Multinomial", "logits: T, num_samples: int32", "output: output_dtype",
     "seed: int = 0; seed2: int = 0; T: nnFloats; output_dtype: indexTypes = "
     "int64",
     "Classes drawn by the logarithms of their weights, for each row.",
     inferMultinomial, stateful | draws | stopsGradient},
    {"UniformCandidateSampler", "true_classes: int64",
     "sampled_candidates: int64, true_expected_count: float32, "
     "sampled_expected_count: float32",
     "num_true: int >= 1; num_sampled: int >= 1; unique: bool; range_max: int "
     ">= 1; seed: int = 0; seed2: int = 0",
     "Classes drawn with equal probability.", inferCandidates,
     stateful | draws},
    {"LogUniformCandidateSampler", "true_classes: int64",
     "sampled_candidates: int64, true_expected_count: float32, "
     "sampled_expected_count: float32",
     "num_true: int >= 1; num_sampled: int >= 1; unique: bool; range_max: int "
     ">= 1; seed: int = 0; seed2: int = 0",
     "Classes drawn by Zipf's distribution.", inferCandidates,
     stateful | draws},
    {"FixedUnigramCandidateSampler", "true_classes: int64",
     "sampled_candidates: int64, true_expected_count: float32, "
     "sampled_expected_count: float32",
     "num_true: int >= 1; num_sampled: int >= 1; unique: bool; range_max: int "
     ">= 1; vocab_file: string =; distortion: float = 1; num_reserved_ids: int "
     "= 0; num_shards: int >= 1 = 1; shard: int >= 0 = 0; unigrams: "
     "list(float) = []; seed: int = 0; seed2: int = 0",
     "Classes drawn by given weights.", inferCandidates, stateful | draws},
    {"LearnedUnigramCandidateSampler", "true_classes: int64",
     "sampled_candidates: int64, true_expected_count: float32, "
     "sampled_expected_count: float32",
     "num_true: int >= 1; num_sampled: int >= 1; unique: bool; range_max: int "
     ">= 1; seed: int = 0; seed2: int = 0",
     "Classes drawn by how often each was a true one in the session so far.",
     inferCandidates, stateful | draws},
    {"ThreadUnsafeUnigramCandidateSampler", "true_classes: int64",
     "sampled_candidates: int64, true_expected_count: float32, "
     "sampled_expected_count: float32",
     "num_true: int >= 1; num_sampled: int >= 1; unique: bool; range_max: int "
     ">= 1; seed: int = 0; seed2: int = 0",
     "LearnedUnigramCandidateSampler; from several threads at once, too.",
     inferCandidates, stateful | draws},
    {"AllCandidateSampler", "true_classes: int64",
     "sampled_candidates: int64, true_expected_count: float32, "
     "sampled_expected_count: float32",
     "num_true: int >= 1; num_sampled: int >= 1; unique: bool; seed: int = 0; "
     "seed2: int = 0",
     "All classes.", inferCandidates, stateful},
    {"ComputeAccidentalHits", "true_classes: int64, sampled_candidates: int64",
     "indices: int32, ids: int64, weights: float32",
     "num_true: int; seed: int = 0; seed2: int = 0",
     "Where a candidate is a true class: its row, its place and -FLT_MAX.",
     inferAccidentalHits},
};

} // namespace

OpFamily randomFamily() {
  return {"Random", "random numbers, from TensorFlow's own streams", records};
}

} // namespace kiln
