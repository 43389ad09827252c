// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of StatelessRandom: random numbers that are the same for the same
// seeds, or the same key and counter.
#include "lib/Ops/Families.h"
#include "lib/Ops/StatelessRandom/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"StatelessRandomUniform", "shape: T, seed: Tseed", "output: dtype",
     "dtype: nnFloats = float32; T: indexTypes = int32; Tseed: indexTypes = "
     "int64",
     "Uniform floats in [0, 1).", inferBySeed, stopsGradient},
    {"StatelessRandomNormal", "shape: T, seed: Tseed", "output: dtype",
     "dtype: nnFloats = float32; T: indexTypes = int32; Tseed: indexTypes = "
     "int64",
     "Normal floats with mean 0 and deviation 1.", inferBySeed, stopsGradient},
    {"StatelessTruncatedNormal", "shape: T, seed: Tseed", "output: dtype",
     "dtype: nnFloats = float32; T: indexTypes = int32; Tseed: indexTypes = "
     "int64",
     "Normal floats drawn again while beyond two deviations.", inferBySeed,
     stopsGradient},
    {"StatelessRandomUniformInt",
     "shape: T, seed: Tseed, minval: dtype, maxval: dtype", "output: dtype",
     "dtype: indexTypes; T: indexTypes; Tseed: indexTypes = int64",
     "Uniform integers in [minval, maxval).", inferIntegersBySeed,
     stopsGradient},
    {"StatelessRandomUniformFullInt", "shape: T, seed: Tseed", "output: dtype",
     "dtype: {int32, int64, uint32, uint64} = uint64; T: indexTypes = int32; "
     "Tseed: {int32, int64, uint32, uint64} = int64",
     "Uniform integers, all of the type.", inferBySeed, stopsGradient},
    {"StatelessRandomGammaV2", "shape: T, seed: Tseed, alpha: dtype",
     "output: dtype",
     "dtype: {float16, float32, float64}; T: indexTypes; Tseed: indexTypes = "
     "int64",
     "Numbers of the gamma distribution of each alpha, with scale 1.",
     inferSamplesBySeed},
    {"StatelessRandomPoisson", "shape: T, seed: Tseed, lam: Rtype",
     "output: dtype",
     "Rtype: {float16, float32, float64, int32, int64}; dtype: {float16, "
     "float32, float64, int32, int64}; T: indexTypes; Tseed: indexTypes = "
     "int64",
     "Numbers of the Poisson distribution of each rate.", inferSamplesBySeed,
     stopsGradient},
    {"StatelessRandomBinomial", "shape: S, seed: Tseed, counts: T, probs: T",
     "output: dtype",
     "S: indexTypes; Tseed: indexTypes = int64; T: {float16, float32, float64, "
     "int32, int64} = float64; dtype: {float16, float32, float64, int32, "
     "int64} = int64",
     "How many of each count of trials succeed.", inferBinomialBySeed,
     stopsGradient},
    {"StatelessParameterizedTruncatedNormal",
     "shape: S, seed: Tseed, means: dtype, stddevs: dtype, minvals: dtype, "
     "maxvals: dtype",
     "output: dtype",
     "S: indexTypes; Tseed: indexTypes = int64; dtype: {float16, float32, "
     "float64}",
     "Normal floats of means and deviations, between bounds.",
     inferBoundedNormalBySeed},
    {"StatelessMultinomial", "logits: T, num_samples: int32, seed: Tseed",
     "output: output_dtype",
     "T: realNumbers; Tseed: indexTypes = int64; output_dtype: indexTypes = "
     "int64",
     "Classes drawn by the logarithms of their weights, for each row.",
     inferMultinomialBySeed, stopsGradient},
    {"RandomIndexShuffle", "index: dtype, seed: Tseed, max_index: dtype",
     "output: dtype",
     "rounds: int = 4; dtype: {int32, uint32, int64, uint64}; Tseed: {int32, "
     "uint32, int64, uint64}",
     "Where a permutation of [0, max_index] puts each index.",
     inferIndexShuffle, stopsGradient},
    {"StatelessRandomUniformV2",
     "shape: Tshape, key: uint64, counter: uint64, alg: int32", "output: dtype",
     "dtype: nnFloats = float32; Tshape: indexTypes = int32",
     "Uniform floats in [0, 1).", inferByKey, stopsGradient},
    {"StatelessRandomNormalV2",
     "shape: Tshape, key: uint64, counter: uint64, alg: int32", "output: dtype",
     "dtype: nnFloats = float32; Tshape: indexTypes = int32",
     "Normal floats with mean 0 and deviation 1.", inferByKey, stopsGradient},
    {"StatelessTruncatedNormalV2",
     "shape: Tshape, key: uint64, counter: uint64, alg: int32", "output: dtype",
     "dtype: nnFloats = float32; Tshape: indexTypes = int32",
     "Normal floats drawn again while beyond two deviations.", inferByKey,
     stopsGradient},
    {"StatelessRandomUniformIntV2",
     "shape: Tshape, key: uint64, counter: uint64, alg: int32, minval: dtype, "
     "maxval: dtype",
     "output: dtype",
     "dtype: {int32, int64, uint32, uint64}; Tshape: indexTypes = int32",
     "Uniform integers in [minval, maxval).", inferIntegersByKey,
     stopsGradient},
    {"StatelessRandomUniformFullIntV2",
     "shape: Tshape, key: uint64, counter: uint64, alg: int32", "output: dtype",
     "dtype: {int32, int64, uint32, uint64} = uint64; Tshape: indexTypes = "
     "int32",
     "Uniform integers, all of the type.", inferByKey, stopsGradient},
    {"StatelessRandomGammaV3",
     "shape: shape_dtype, key: uint64, counter: uint64, alg: int32, alpha: "
     "dtype",
     "output: dtype",
     "dtype: {float16, float32, float64}; shape_dtype: indexTypes = int32",
     "Numbers of the gamma distribution of each alpha, with scale 1.",
     inferSamplesByKey},
    {"StatelessShuffle", "value: T, key: uint64, counter: uint64, alg: int32",
     "output: T", "T: type", "The rows in a random order.", inferShuffleByKey,
     movesElements},
    {"StatelessRandomGetKeyCounter", "seed: Tseed",
     "key: uint64, counter: uint64", "Tseed: indexTypes = int64",
     "The key and the counter of two seeds.", inferKeyAndCounter},
    {"StatelessRandomGetKeyCounterAlg", "seed: Tseed",
     "key: uint64, counter: uint64, alg: int32", "Tseed: indexTypes = int64",
     "The key and the counter of two seeds, and the algorithm for them.",
     inferKeyAndCounter},
    {"StatelessRandomGetAlg", "", "alg: int32", "",
     "The number of the algorithm that draws: 1, Philox.", inferAlgorithm,
     stateful},
};

} // namespace

OpFamily statelessRandomFamily() {
  return {"StatelessRandom", "random numbers of seeds, or of keys and counters",
          records};
}

} // namespace kiln
