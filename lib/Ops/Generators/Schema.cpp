// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Generators: random numbers of a state that a variable holds.
#include "lib/Ops/Families.h"
#include "lib/Ops/Generators/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"StatefulUniform",
     "resource: resource, algorithm: int64, shape: shape_dtype",
     "output: dtype", "dtype: type = float32; shape_dtype: type = int64",
     "Uniform floats in [0, 1).", inferGenerated, stateful | updatesVariable},
    {"StatefulStandardNormalV2",
     "resource: resource, algorithm: int64, shape: shape_dtype",
     "output: dtype", "dtype: type = float32; shape_dtype: type = int64",
     "Normal floats with mean 0 and deviation 1.", inferGenerated,
     stateful | updatesVariable},
    {"StatefulTruncatedNormal",
     "resource: resource, algorithm: int64, shape: shape_dtype",
     "output: dtype", "dtype: type = float32; shape_dtype: type = int64",
     "Normal floats drawn again while beyond two deviations.", inferGenerated,
     stateful | updatesVariable},
    {"StatefulStandardNormal", "resource: resource, shape: shape_dtype",
     "output: dtype", "dtype: type = float32; shape_dtype: type = int64",
     "The former StatefulStandardNormalV2, whose variable has the algorithm in "
     "front.",
     inferGeneratedByTag, stateful | updatesVariable},
    {"StatefulUniformFullInt",
     "resource: resource, algorithm: int64, shape: shape_dtype",
     "output: dtype", "dtype: type = uint64; shape_dtype: type = int64",
     "Uniform integers, all of the type.", inferGenerated,
     stateful | updatesVariable},
    {"StatefulUniformInt",
     "resource: resource, algorithm: int64, shape: shape_dtype, minval: dtype, "
     "maxval: dtype",
     "output: dtype", "dtype: type = int64; shape_dtype: type = int64",
     "Uniform integers in [minval, maxval).", inferGeneratedIntegers,
     stateful | updatesVariable},
    {"StatefulRandomBinomial",
     "resource: resource, algorithm: int64, shape: S, counts: T, probs: T",
     "output: dtype",
     "S: indexTypes; T: {float16, float32, float64, int32, int64} = float64; "
     "dtype: {float16, float32, float64, int32, int64} = int64",
     "How many of each count of trials succeed.", inferGeneratedBinomial,
     stateful | updatesVariable},
    {"RngSkip", "resource: resource, algorithm: int64, delta: int64", "", "",
     "Skips what so many outputs take.", inferSkip, stateful},
    {"RngReadAndSkip", "resource: resource, alg: int32, delta: uint64",
     "value: int64", "",
     "Skips what so many outputs take; gives the state before that.",
     inferReadAndSkip, stateful | updatesVariable},
    {"NonDeterministicInts", "shape: shape_dtype", "output: dtype",
     "dtype: type = int64; shape_dtype: type = int64",
     "Integers of the system's entropy.", inferSystemNumbers, stateful},
};

} // namespace

OpFamily generatorsFamily() {
  return {"Generators", "random numbers of a state that a variable holds",
          records};
}

} // namespace kiln
