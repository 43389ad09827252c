// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Selection: elements picked by their values, so that the run
// finds out how many there are.
#include "lib/Ops/Families.h"
#include "lib/Ops/Selection/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"Where", "input: T", "index: int64",
     "T: {float32, float64, int32, uint8, int16, int8, complex64, int64, "
     "qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, "
     "float16, uint32, uint64, bool} = bool",
     "The coordinates of the elements that are not zero.", inferWhere},
    {"Unique", "x: T", "y: T, idx: out_idx",
     "T: type; out_idx: indexTypes = int32",
     "The distinct elements of a vector, and the place of each element among "
     "them.",
     inferUnique},
    {"UniqueV2", "x: T, axis: Taxis", "y: T, idx: out_idx",
     "T: type; Taxis: indexTypes = int64; out_idx: indexTypes = int32",
     "The distinct slices along an axis, and the place of each slice among "
     "them.",
     inferUniqueV2},
    {"UniqueWithCounts", "x: T", "y: T, idx: out_idx, count: out_idx",
     "T: type; out_idx: indexTypes = int32",
     "The distinct elements of a vector, the place of each element among them, "
     "and how often each is there.",
     inferUnique},
    {"UniqueWithCountsV2", "x: T, axis: Taxis",
     "y: T, idx: out_idx, count: out_idx",
     "T: type; Taxis: indexTypes = int64; out_idx: indexTypes = int32",
     "The distinct slices along an axis, the place of each slice among them, "
     "and how often each is there.",
     inferUniqueV2},
    {"SparseSlice",
     "indices: int64, values: T, shape: int64, start: int64, size: int64",
     "output_indices: int64, output_values: T, output_shape: int64", "T: type",
     "The elements of a sparse tensor in a block that begins at \"start\".",
     inferSparseSlice, movesElements},
    {"ListDiff", "x: T, y: T", "out: T, idx: out_idx",
     "T: type; out_idx: indexTypes = int32",
     "The elements of a vector that are not in another, and their places.",
     inferListDiff},
    {"LowerBound", "sorted_inputs: T, values: T", "output: out_type",
     "T: type; out_type: indexTypes = int32",
     "How many elements of a sorted row are less than each value.",
     inferSearch},
    {"UpperBound", "sorted_inputs: T, values: T", "output: out_type",
     "T: type; out_type: indexTypes = int32",
     "How many elements of a sorted row are not above each value.",
     inferSearch},
    {"NearestNeighbors", "points: float32, centers: float32, k: int64",
     "nearest_center_indices: int64, nearest_center_distances: float32", "",
     "The k centers that are nearest to each point, and the squares of their "
     "distances.",
     inferNearest},
    {"UnravelIndex", "indices: Tidx, dims: Tidx", "output: Tidx",
     "Tidx: indexTypes = int32",
     "The coordinates of row-major places in a tensor of these dimensions.",
     inferUnravel},
    {"DynamicPartition", "data: T, partitions: int32",
     "outputs: num_partitions*T", "num_partitions: int >= 1; T: type",
     "The rows of data that belong to each partition.", inferDynamicPartition,
     movesElements},
    {"DynamicStitch", "indices: N*int32, data: N*T", "merged: T",
     "N: int >= 1; T: type",
     "Rows put to their indices, later ones over earlier ones.",
     inferDynamicStitch, movesElements},
    {"ParallelDynamicStitch", "indices: N*int32, data: N*T", "merged: T",
     "N: int >= 1; T: type",
     "As DynamicStitch; which of several rows of one index stays is open.",
     inferDynamicStitch, movesElements, "DynamicStitch"},
};

} // namespace

OpFamily selectionFamily() {
  return {"Selection", "elements picked by their values", records};
}

} // namespace kiln
