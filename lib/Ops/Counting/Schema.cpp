// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Counting: how many elements are what, and between what.
#include "lib/Ops/Counting/Shape.h"
#include "lib/Ops/Families.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"Bucketize", "input: T", "output: int32",
     "T: {int32, int64, float32, float64}; boundaries: list(float)",
     "How many of the boundaries are not above each element; all for NaN.",
     inferBuckets},
    {"Bincount", "arr: int32, size: int32, weights: T", "bins: T",
     "T: {int32, int64, float32, float64}",
     "How often each number below the size occurs, or its weights' sum.",
     inferBincount},
    {"HistogramFixedWidth", "values: T, value_range: T, nbins: int32",
     "out: dtype",
     "T: {int32, int64, float32, float64}; dtype: indexTypes = int32",
     "How many values lie in each of the equal parts of a range; those outside "
     "of it in the first and last.",
     inferHistogram},
    {"DenseBincount", "input: Tidx, size: Tidx, weights: T", "output: T",
     "Tidx: indexTypes; T: {int32, int64, float32, float64}; binary_output: "
     "bool = false",
     "Bincount of a vector or of each row of a matrix, or whether a number "
     "occurs.",
     inferDenseBincount},
};

} // namespace

OpFamily countingFamily() {
  return {"Counting", "how many elements are what, and between what", records};
}

} // namespace kiln
