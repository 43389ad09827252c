// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Indexing: rows and slices picked and combined by index.
#include "lib/Ops/Families.h"
#include "lib/Ops/Indexing/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"ScatterUpdate", "ref: Ref(T), indices: Tindices, updates: T",
     "output_ref: Ref(T)",
     "T: type; Tindices: indexTypes; use_locking: bool = true",
     "The rows of a variable that the indices name are replaced by the "
     "updates'.",
     inferScatter, movesElements},
    {"ScatterAdd", "ref: Ref(T), indices: Tindices, updates: T",
     "output_ref: Ref(T)",
     "T: numbers; Tindices: indexTypes; use_locking: bool = false",
     "The rows of a variable that the indices name are added to by the "
     "updates'.",
     inferScatter, stopsGradient | takesComplex},
    {"ScatterSub", "ref: Ref(T), indices: Tindices, updates: T",
     "output_ref: Ref(T)",
     "T: numbers; Tindices: indexTypes; use_locking: bool = false",
     "The rows of a variable that the indices name are less by the updates'.",
     inferScatter, stopsGradient | takesComplex},
    {"ScatterMul", "ref: Ref(T), indices: Tindices, updates: T",
     "output_ref: Ref(T)",
     "T: numbers; Tindices: indexTypes; use_locking: bool = false",
     "The rows of a variable that the indices name are multiplied by the "
     "updates'.",
     inferScatter, stopsGradient},
    {"ScatterDiv", "ref: Ref(T), indices: Tindices, updates: T",
     "output_ref: Ref(T)",
     "T: numbers; Tindices: indexTypes; use_locking: bool = false",
     "The rows of a variable that the indices name are divided by the "
     "updates'.",
     inferScatter, stopsGradient},
    {"ScatterMin", "ref: Ref(T), indices: Tindices, updates: T",
     "output_ref: Ref(T)",
     "T: {float16, bfloat16, float32, float64, int32, int64}; Tindices: "
     "indexTypes; use_locking: bool = false",
     "The rows of a variable that the indices name are at most the updates'.",
     inferScatter},
    {"ScatterMax", "ref: Ref(T), indices: Tindices, updates: T",
     "output_ref: Ref(T)",
     "T: {float16, bfloat16, float32, float64, int32, int64}; Tindices: "
     "indexTypes; use_locking: bool = false",
     "The rows of a variable that the indices name are at least the updates'.",
     inferScatter},
    {"ResourceScatterUpdate",
     "resource: resource, indices: Tindices, updates: dtype", "",
     "dtype: type; Tindices: indexTypes",
     "The rows of a variable that the indices name are replaced by the "
     "updates'.",
     inferScatter, stateful | movesElements},
    {"ResourceScatterAdd",
     "resource: resource, indices: Tindices, updates: dtype", "",
     "dtype: numbers; Tindices: indexTypes",
     "The rows of a variable that the indices name are added to by the "
     "updates'.",
     inferScatter, stateful | takesComplex},
    {"ResourceScatterSub",
     "resource: resource, indices: Tindices, updates: dtype", "",
     "dtype: numbers; Tindices: indexTypes",
     "The rows of a variable that the indices name are less by the updates'.",
     inferScatter, stateful | takesComplex},
    {"ResourceScatterMul",
     "resource: resource, indices: Tindices, updates: dtype", "",
     "dtype: numbers; Tindices: indexTypes",
     "The rows of a variable that the indices name are multiplied by the "
     "updates'.",
     inferScatter, stateful},
    {"ResourceScatterDiv",
     "resource: resource, indices: Tindices, updates: dtype", "",
     "dtype: numbers; Tindices: indexTypes",
     "The rows of a variable that the indices name are divided by the "
     "updates'.",
     inferScatter, stateful},
    {"ResourceScatterMin",
     "resource: resource, indices: Tindices, updates: dtype", "",
     "dtype: numbers; Tindices: indexTypes",
     "The rows of a variable that the indices name are at most the updates'.",
     inferScatter, stateful},
    {"ResourceScatterMax",
     "resource: resource, indices: Tindices, updates: dtype", "",
     "dtype: numbers; Tindices: indexTypes",
     "The rows of a variable that the indices name are at least the updates'.",
     inferScatter, stateful},
    {"ScatterNdUpdate", "ref: Ref(T), indices: Tindices, updates: T",
     "output_ref: Ref(T)",
     "T: type; Tindices: indexTypes; use_locking: bool = true; "
     "bad_indices_policy: string =",
     "The slices of a variable that tuples of indices name are replaced by the "
     "updates'.",
     inferScatterNdVariable, movesElements | stopsGradient},
    {"ResourceScatterNdUpdate", "ref: resource, indices: Tindices, updates: T",
     "",
     "T: type; Tindices: indexTypes; use_locking: bool = true; "
     "bad_indices_policy: string =",
     "The slices of a variable that tuples of indices name are replaced by the "
     "updates'.",
     inferScatterNdVariable, stateful | movesElements},
    {"ScatterNdAdd", "ref: Ref(T), indices: Tindices, updates: T",
     "output_ref: Ref(T)",
     "T: numbers; Tindices: indexTypes; use_locking: bool = false; "
     "bad_indices_policy: string =",
     "The slices of a variable that tuples of indices name are added to by the "
     "updates'.",
     inferScatterNdVariable, stopsGradient | takesComplex},
    {"ResourceScatterNdAdd", "ref: resource, indices: Tindices, updates: T", "",
     "T: type; Tindices: indexTypes; use_locking: bool = true; "
     "bad_indices_policy: string =",
     "The slices of a variable that tuples of indices name are added to by the "
     "updates'.",
     inferScatterNdVariable, stateful | takesComplex},
    {"ScatterNdSub", "ref: Ref(T), indices: Tindices, updates: T",
     "output_ref: Ref(T)",
     "T: numbers; Tindices: indexTypes; use_locking: bool = false; "
     "bad_indices_policy: string =",
     "The slices of a variable that tuples of indices name are less by the "
     "updates'.",
     inferScatterNdVariable, stopsGradient | takesComplex},
    {"ResourceScatterNdSub", "ref: resource, indices: Tindices, updates: T", "",
     "T: type; Tindices: indexTypes; use_locking: bool = true; "
     "bad_indices_policy: string =",
     "The slices of a variable that tuples of indices name are less by the "
     "updates'.",
     inferScatterNdVariable, stateful | takesComplex},
    {"ScatterNdMin", "ref: Ref(T), indices: Tindices, updates: T",
     "output_ref: Ref(T)",
     "T: numbers; Tindices: indexTypes; use_locking: bool = false; "
     "bad_indices_policy: string =",
     "The slices of a variable that tuples of indices name are at most the "
     "updates'.",
     inferScatterNdVariable},
    {"ResourceScatterNdMin", "ref: resource, indices: Tindices, updates: T", "",
     "T: type; Tindices: indexTypes; use_locking: bool = true; "
     "bad_indices_policy: string =",
     "The slices of a variable that tuples of indices name are at most the "
     "updates'.",
     inferScatterNdVariable, stateful},
    {"ScatterNdMax", "ref: Ref(T), indices: Tindices, updates: T",
     "output_ref: Ref(T)",
     "T: numbers; Tindices: indexTypes; use_locking: bool = false; "
     "bad_indices_policy: string =",
     "The slices of a variable that tuples of indices name are at least the "
     "updates'.",
     inferScatterNdVariable},
    {"ResourceScatterNdMax", "ref: resource, indices: Tindices, updates: T", "",
     "T: type; Tindices: indexTypes; use_locking: bool = true; "
     "bad_indices_policy: string =",
     "The slices of a variable that tuples of indices name are at least the "
     "updates'.",
     inferScatterNdVariable, stateful},
    {"TensorScatterUpdate", "tensor: T, indices: Tindices, updates: T",
     "output: T",
     "T: type; Tindices: {int16, int32, int64, uint16}; bad_indices_policy: "
     "string =",
     "A tensor whose slices that tuples of indices name are replaced by the "
     "updates'.",
     inferTensorScatter, movesElements},
    {"TensorScatterAdd", "tensor: T, indices: Tindices, updates: T",
     "output: T", "T: type; Tindices: indexTypes; bad_indices_policy: string =",
     "A tensor whose slices that tuples of indices name are added to by the "
     "updates'.",
     inferTensorScatter, takesComplex},
    {"TensorScatterSub", "tensor: T, indices: Tindices, updates: T",
     "output: T", "T: type; Tindices: indexTypes; bad_indices_policy: string =",
     "A tensor whose slices that tuples of indices name are less by the "
     "updates'.",
     inferTensorScatter, takesComplex},
    {"TensorScatterMin", "tensor: T, indices: Tindices, updates: T",
     "output: T", "T: type; Tindices: indexTypes; bad_indices_policy: string =",
     "A tensor whose slices that tuples of indices name are at most the "
     "updates'.",
     inferTensorScatter},
    {"TensorScatterMax", "tensor: T, indices: Tindices, updates: T",
     "output: T", "T: type; Tindices: indexTypes; bad_indices_policy: string =",
     "A tensor whose slices that tuples of indices name are at least the "
     "updates'.",
     inferTensorScatter},
    {"ScatterNdNonAliasingAdd", "input: T, indices: Tindices, updates: T",
     "output: T",
     "T: {float32, float64, int32, uint8, int16, int8, complex64, int64, "
     "qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, "
     "float16, uint32, uint64, bool}; Tindices: indexTypes; "
     "bad_indices_policy: string =",
     "A tensor whose slices that tuples of indices name are added to by the "
     "updates'.",
     inferTensorScatter, takesComplex},
    {"ScatterNd", "indices: Tindices, updates: T, shape: Tindices", "output: T",
     "T: type; Tindices: {int16, int32, int64}; bad_indices_policy: string =",
     "Zeros of a shape with the updates added to the slices that tuples of "
     "indices name.",
     inferScatterNd, takesComplex},
    {"GatherNd", "params: Tparams, indices: Tindices", "output: Tparams",
     "Tparams: type; Tindices: {int16, int32, int64}; bad_indices_policy: "
     "string =",
     "The slices of params that tuples of indices name.", inferGatherNd,
     movesElements},
    {"ResourceGatherNd", "resource: resource, indices: Tindices",
     "output: dtype", "dtype: type; Tindices: indexTypes",
     "The slices of a variable's value that tuples of indices name.",
     inferGatherNd, stateful | movesElements},
    {"UnsortedSegmentSum",
     "data: T, segment_ids: Tindices, num_segments: Tnumsegments", "output: T",
     "T: numbers; Tindices: {int16, int32, int64}; Tnumsegments: indexTypes = "
     "int32",
     "Row k is the sum of the rows whose id is k; those of ids below 0 count "
     "nowhere.",
     inferUnsortedSegment, takesComplex},
    {"UnsortedSegmentProd",
     "data: T, segment_ids: Tindices, num_segments: Tnumsegments", "output: T",
     "T: numbers; Tindices: indexTypes; Tnumsegments: indexTypes = int32",
     "Row k is the product of the rows whose id is k; those of ids below 0 "
     "count nowhere.",
     inferUnsortedSegment},
    {"UnsortedSegmentMin",
     "data: T, segment_ids: Tindices, num_segments: Tnumsegments", "output: T",
     "T: {float32, float64, int32, uint8, int16, int8, int64, bfloat16, "
     "uint16, float16, uint32, uint64}; Tindices: indexTypes; Tnumsegments: "
     "indexTypes = int32",
     "Row k is the least of the rows whose id is k; those of ids below 0 count "
     "nowhere.",
     inferUnsortedSegment},
    {"UnsortedSegmentMax",
     "data: T, segment_ids: Tindices, num_segments: Tnumsegments", "output: T",
     "T: {float32, float64, int32, uint8, int16, int8, int64, bfloat16, "
     "uint16, float16, uint32, uint64}; Tindices: indexTypes; Tnumsegments: "
     "indexTypes = int32",
     "Row k is the largest of the rows whose id is k; those of ids below 0 "
     "count nowhere.",
     inferUnsortedSegment},
    {"SegmentSum", "data: T, segment_ids: Tindices", "output: T",
     "T: numbers; Tindices: indexTypes",
     "Row k is the sum of the rows whose id is k; the ids are sorted.",
     inferSegment, takesComplex},
    {"SegmentSumV2",
     "data: T, segment_ids: Tindices, num_segments: Tnumsegments", "output: T",
     "T: numbers; Tindices: indexTypes; Tnumsegments: indexTypes = int32",
     "Row k is the sum of the rows whose id is k; those of ids below 0 count "
     "nowhere.",
     inferUnsortedSegment, takesComplex, "UnsortedSegmentSum"},
    {"SegmentProd", "data: T, segment_ids: Tindices", "output: T",
     "T: numbers; Tindices: indexTypes",
     "Row k is the product of the rows whose id is k; the ids are sorted.",
     inferSegment},
    {"SegmentProdV2",
     "data: T, segment_ids: Tindices, num_segments: Tnumsegments", "output: T",
     "T: numbers; Tindices: indexTypes; Tnumsegments: indexTypes = int32",
     "Row k is the product of the rows whose id is k; those of ids below 0 "
     "count nowhere.",
     inferUnsortedSegment, noFlags, "UnsortedSegmentProd"},
    {"SegmentMin", "data: T, segment_ids: Tindices", "output: T",
     "T: {float32, float64, int32, uint8, int16, int8, int64, bfloat16, "
     "uint16, float16, uint32, uint64}; Tindices: indexTypes",
     "Row k is the least of the rows whose id is k; the ids are sorted.",
     inferSegment},
    {"SegmentMinV2",
     "data: T, segment_ids: Tindices, num_segments: Tnumsegments", "output: T",
     "T: {float32, float64, int32, uint8, int16, int8, int64, bfloat16, "
     "uint16, float16, uint32, uint64}; Tindices: indexTypes; Tnumsegments: "
     "indexTypes = int32",
     "Row k is the least of the rows whose id is k; those of ids below 0 count "
     "nowhere.",
     inferUnsortedSegment, noFlags, "UnsortedSegmentMin"},
    {"SegmentMax", "data: T, segment_ids: Tindices", "output: T",
     "T: {float32, float64, int32, uint8, int16, int8, int64, bfloat16, "
     "uint16, float16, uint32, uint64}; Tindices: indexTypes",
     "Row k is the largest of the rows whose id is k; the ids are sorted.",
     inferSegment},
    {"SegmentMaxV2",
     "data: T, segment_ids: Tindices, num_segments: Tnumsegments", "output: T",
     "T: {float32, float64, int32, uint8, int16, int8, int64, bfloat16, "
     "uint16, float16, uint32, uint64}; Tindices: indexTypes; Tnumsegments: "
     "indexTypes = int32",
     "Row k is the largest of the rows whose id is k; those of ids below 0 "
     "count nowhere.",
     inferUnsortedSegment, noFlags, "UnsortedSegmentMax"},
    {"SegmentMean", "data: T, segment_ids: Tindices", "output: T",
     "T: numbers; Tindices: indexTypes",
     "Row k is the mean of the rows whose id is k; the ids are sorted.",
     inferSegment, takesComplex},
    {"SparseSegmentSum", "data: T, indices: Tidx, segment_ids: Tsegmentids",
     "output: T",
     "T: {float32, float64, int32, uint8, int16, int8, int64, bfloat16, "
     "uint16, float16, uint32, uint64}; Tidx: indexTypes = int32; Tsegmentids: "
     "indexTypes = int32; sparse_gradient: bool = false",
     "Row k is the sum of the rows at the indices whose id is k; the ids are "
     "sorted.",
     inferSparseSegment},
    {"SparseSegmentSumWithNumSegments",
     "data: T, indices: Tidx, segment_ids: Tsegmentids, num_segments: "
     "Tnumsegments",
     "output: T",
     "T: {float32, float64, int32, uint8, int16, int8, int64, bfloat16, "
     "uint16, float16, uint32, uint64}; Tidx: indexTypes = int32; "
     "Tnumsegments: indexTypes = int32; Tsegmentids: indexTypes = int32; "
     "sparse_gradient: bool = false",
     "Row k is the sum of the rows at the indices whose id is k; the ids are "
     "sorted.",
     inferSparseSegment},
    {"SparseSegmentSumGrad",
     "grad: T, indices: Tidx, segment_ids: Tsegmentids, output_dim0: int32",
     "output: T",
     "T: {bfloat16, float16, float32, float64}; Tidx: indexTypes = int32; "
     "Tsegmentids: indexTypes = int32",
     "The gradient of SparseSegmentSum with regard to its data.",
     inferSparseSegmentGrad},
    {"SparseSegmentSumGradV2",
     "grad: T, indices: Tidx, segment_ids: Tsegmentids, dense_output_dim0: "
     "int32",
     "output: T, sorted_unique_indices: Tidx",
     "T: {bfloat16, float16, float32, float64}; Tidx: indexTypes = int32; "
     "Tsegmentids: indexTypes = int32",
     "The gradient of SparseSegmentSum with regard to those rows of its data "
     "that the indices name, and which these are.",
     inferSparseSegmentGradV2},
    {"SparseSegmentMean", "data: T, indices: Tidx, segment_ids: Tsegmentids",
     "output: T",
     "T: {bfloat16, float16, float32, float64}; Tidx: indexTypes = int32; "
     "Tsegmentids: indexTypes = int32; sparse_gradient: bool = false",
     "Row k is the mean of the rows at the indices whose id is k; the ids are "
     "sorted.",
     inferSparseSegment},
    {"SparseSegmentMeanWithNumSegments",
     "data: T, indices: Tidx, segment_ids: Tsegmentids, num_segments: "
     "Tnumsegments",
     "output: T",
     "T: {bfloat16, float16, float32, float64}; Tidx: indexTypes = int32; "
     "Tnumsegments: indexTypes = int32; Tsegmentids: indexTypes = int32; "
     "sparse_gradient: bool = false",
     "Row k is the mean of the rows at the indices whose id is k; the ids are "
     "sorted.",
     inferSparseSegment},
    {"SparseSegmentMeanGrad",
     "grad: T, indices: Tidx, segment_ids: Tsegmentids, output_dim0: int32",
     "output: T",
     "T: {bfloat16, float16, float32, float64}; Tidx: indexTypes = int32; "
     "Tsegmentids: indexTypes = int32",
     "The gradient of SparseSegmentMean with regard to its data.",
     inferSparseSegmentGrad},
    {"SparseSegmentMeanGradV2",
     "grad: T, indices: Tidx, segment_ids: Tsegmentids, dense_output_dim0: "
     "int32",
     "output: T, sorted_unique_indices: Tidx",
     "T: {bfloat16, float16, float32, float64}; Tidx: indexTypes = int32; "
     "Tsegmentids: indexTypes = int32",
     "The gradient of SparseSegmentMean with regard to those rows of its data "
     "that the indices name, and which these are.",
     inferSparseSegmentGradV2},
    {"SparseSegmentSqrtN", "data: T, indices: Tidx, segment_ids: Tsegmentids",
     "output: T",
     "T: {bfloat16, float16, float32, float64}; Tidx: indexTypes = int32; "
     "Tsegmentids: indexTypes = int32; sparse_gradient: bool = false",
     "Row k is the sum by the root of the number of the rows at the indices "
     "whose id is k; the ids are sorted.",
     inferSparseSegment},
    {"SparseSegmentSqrtNWithNumSegments",
     "data: T, indices: Tidx, segment_ids: Tsegmentids, num_segments: "
     "Tnumsegments",
     "output: T",
     "T: {bfloat16, float16, float32, float64}; Tidx: indexTypes = int32; "
     "Tnumsegments: indexTypes = int32; Tsegmentids: indexTypes = int32; "
     "sparse_gradient: bool = false",
     "Row k is the sum by the root of the number of the rows at the indices "
     "whose id is k; the ids are sorted.",
     inferSparseSegment},
    {"SparseSegmentSqrtNGrad",
     "grad: T, indices: Tidx, segment_ids: Tsegmentids, output_dim0: int32",
     "output: T",
     "T: {bfloat16, float16, float32, float64}; Tidx: indexTypes = int32; "
     "Tsegmentids: indexTypes = int32",
     "The gradient of SparseSegmentSqrtN with regard to its data.",
     inferSparseSegmentGrad},
    {"SparseSegmentSqrtNGradV2",
     "grad: T, indices: Tidx, segment_ids: Tsegmentids, dense_output_dim0: "
     "int32",
     "output: T, sorted_unique_indices: Tidx",
     "T: {bfloat16, float16, float32, float64}; Tidx: indexTypes = int32; "
     "Tsegmentids: indexTypes = int32",
     "The gradient of SparseSegmentSqrtN with regard to those rows of its data "
     "that the indices name, and which these are.",
     inferSparseSegmentGradV2},
    {"InplaceUpdate", "x: T, i: int32, v: T", "y: T", "T: type",
     "A tensor whose rows at the indices, modulo their number, are replaced by "
     "those of v.",
     inferInplace, movesElements},
    {"InplaceAdd", "x: T, i: int32, v: T", "y: T", "T: type",
     "A tensor whose rows at the indices, modulo their number, are added to by "
     "those of v.",
     inferInplace},
    {"InplaceSub", "x: T, i: int32, v: T", "y: T", "T: type",
     "A tensor whose rows at the indices, modulo their number, are less by "
     "those of v.",
     inferInplace},
    {"SparseTensorDenseMatMul",
     "a_indices: Tindices, a_values: T, a_shape: int64, b: T", "product: T",
     "T: type; Tindices: indexTypes = int64; adjoint_a: bool = false; "
     "adjoint_b: bool = false",
     "The product of a matrix that has values at pairs of indices, and zeros "
     "elsewhere, with another.",
     inferSparseTensorDenseMatMul, takesComplex},
    {"SparseToDense",
     "sparse_indices: Tindices, output_shape: Tindices, sparse_values: T, "
     "default_value: T",
     "dense: T", "validate_indices: bool = true; T: type; Tindices: indexTypes",
     "A tensor of one value but for the elements that tuples of indices name.",
     inferSparseToDense, movesElements},
};

} // namespace

OpFamily indexingFamily() {
  return {"Indexing", "rows and slices picked and combined by index", records};
}

} // namespace kiln
