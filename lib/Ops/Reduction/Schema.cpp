// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Reduction: sums, products, extremes and their positions along
// axes.
#include "lib/Ops/Families.h"
#include "lib/Ops/Reduction/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"Sum", "input: T, reduction_indices: Tidx", "output: T",
     "keep_dims: bool = false; T: numbers; Tidx: indexTypes = int32",
     "The sum along axes.", inferReduction, takesComplex},
    {"EuclideanNorm", "input: T, reduction_indices: Tidx", "output: T",
     "keep_dims: bool = false; T: numbers; Tidx: indexTypes = int32",
     "The square root of the sum of squares along axes.", inferReduction,
     takesComplex},
    {"Mean", "input: T, reduction_indices: Tidx", "output: T",
     "keep_dims: bool = false; T: numbers; Tidx: indexTypes = int32",
     "The mean along axes.", inferReduction, takesComplex},
    {"Prod", "input: T, reduction_indices: Tidx", "output: T",
     "keep_dims: bool = false; T: numbers; Tidx: indexTypes = int32",
     "The product along axes.", inferReduction, takesComplex},
    {"Max", "input: T, reduction_indices: Tidx", "output: T",
     "keep_dims: bool = false; T: quantizedReals; Tidx: indexTypes = int32",
     "The largest element along axes.", inferReduction},
    {"Min", "input: T, reduction_indices: Tidx", "output: T",
     "keep_dims: bool = false; T: quantizedReals; Tidx: indexTypes = int32",
     "The smallest element along axes.", inferReduction},
    {"All", "input: bool, reduction_indices: Tidx", "output: bool",
     "keep_dims: bool = false; Tidx: indexTypes = int32",
     "Logical and along axes.", inferReduction},
    {"Any", "input: bool, reduction_indices: Tidx", "output: bool",
     "keep_dims: bool = false; Tidx: indexTypes = int32",
     "Logical or along axes.", inferReduction},
    {"ArgMax", "input: T, dimension: Tidx", "output: output_type",
     "T: {float32, float64, int32, uint8, int16, int8, int64, bfloat16, "
     "uint16, float16, uint32, uint64, qint8, quint8, qint32, qint16, quint16, "
     "bool}; Tidx: {int16, int32, int64} = int32; output_type: {int16, uint16, "
     "int32, int64} = int64",
     "The first index of the largest element along one axis.",
     inferArgReduction},
    {"ArgMin", "input: T, dimension: Tidx", "output: output_type",
     "T: {float32, float64, int32, uint8, int16, int8, int64, bfloat16, "
     "uint16, float16, uint32, uint64, qint8, quint8, qint32, qint16, quint16, "
     "bool}; Tidx: indexTypes = int32; output_type: indexTypes = int64",
     "The first index of the smallest element along one axis.",
     inferArgReduction},
    {"Cumsum", "x: T, axis: Tidx", "out: T",
     "exclusive: bool = false; reverse: bool = false; T: numbers; Tidx: "
     "indexTypes = int32",
     "The sums of all elements up to each along one axis.", inferScan,
     takesComplex},
    {"Cumprod", "x: T, axis: Tidx", "out: T",
     "exclusive: bool = false; reverse: bool = false; T: numbers; Tidx: "
     "indexTypes = int32",
     "The products of all elements up to each along one axis.", inferScan,
     takesComplex},
    {"CumulativeLogsumexp", "x: T, axis: Tidx", "out: T",
     "exclusive: bool = false; reverse: bool = false; T: nnFloats; Tidx: "
     "indexTypes = int32",
     "log(sum(exp(x))) of all elements up to each along one axis.", inferScan},
};

} // namespace

OpFamily reductionFamily() {
  return {"Reduction",
          "sums, products, extremes and their positions along axes", records};
}

} // namespace kiln
