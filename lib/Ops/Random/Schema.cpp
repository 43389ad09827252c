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
     "Uniform floats in [0, 1).", inferRandom, stateful | draws},
    {"RandomUniformInt", "shape: T, minval: Tout, maxval: Tout", "output: Tout",
     "seed: int = 0; seed2: int = 0; Tout: indexTypes; T: indexTypes",
     "Uniform integers in [minval, maxval).", inferRandomInt, stateful | draws},
    {"RandomStandardNormal", "shape: T", "output: dtype",
     "seed: int = 0; seed2: int = 0; dtype: nnFloats; T: indexTypes",
     "Normal floats with mean 0 and deviation 1.", inferRandom,
     stateful | draws},
    {"TruncatedNormal", "shape: T", "output: dtype",
     "seed: int = 0; seed2: int = 0; dtype: nnFloats; T: indexTypes",
     "Normal floats drawn again while beyond two deviations.", inferRandom,
     stateful | draws},
};

} // namespace

OpFamily randomFamily() {
  return {"Random", "random numbers, from TensorFlow's own streams", records};
}

} // namespace kiln
