// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Array: shapes and rearrangements of elements.
#include "lib/Ops/Array/Shape.h"
#include "lib/Ops/Families.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"Shape", "input: T", "output: out_type",
     "T: type; out_type: indexTypes = int32",
     "The extents of the input as a vector.", inferShape,
     readsShapes | movesElements},
    {"ShapeN", "input: N*T", "output: N*out_type",
     "N: int >= 1; T: type; out_type: indexTypes = int32",
     "The extents of each input as a vector.", inferShapeN,
     readsShapes | movesElements},
    {"Size", "input: T", "output: out_type",
     "T: type; out_type: indexTypes = int32", "The number of elements.",
     inferSize, readsShapes | movesElements},
    {"Rank", "input: T", "output: int32", "T: type",
     "The number of dimensions.", inferRank, readsShapes | movesElements},
    {"Reshape", "tensor: T, shape: Tshape", "output: T",
     "T: type; Tshape: indexTypes = int32",
     "The same elements under another shape; -1 stands for what remains.",
     inferReshape, forwardsRef | movesElements},
    {"ExpandDims", "input: T, dim: Tdim", "output: T",
     "T: type; Tdim: indexTypes = int32",
     "The same elements with a dimension of 1 inserted at \"dim\".",
     inferExpandDims, forwardsRef | movesElements},
    {"Squeeze", "input: T", "output: T",
     "T: type; squeeze_dims: list(int) = []",
     "The same elements without dimensions of 1: the listed ones, or all.",
     inferSqueeze, forwardsRef | movesElements},
    {"EnsureShape", "input: T", "output: T", "shape: shape; T: type",
     "The input; an error where it does not have the shape.", inferEnsureShape,
     movesElements},
    {"Bitcast", "input: T", "output: type", "T: type; type: type",
     "The same bytes as another type; what is larger takes a dimension away, "
     "what is smaller adds one.",
     inferBitcast, movesElements},
    {"Fill", "dims: index_type, value: T", "output: T",
     "T: type; index_type: indexTypes = int32", "A tensor of one value.",
     inferFill, movesElements},
    {"Tile", "input: T, multiples: Tmultiples", "output: T",
     "T: type; Tmultiples: indexTypes = int32",
     "The input repeated along each dimension.", inferTile, movesElements},
    {"BroadcastTo", "input: T, shape: Tidx", "output: T",
     "T: type; Tidx: indexTypes = int32",
     "The input repeated along dimensions of 1 to a shape.", inferBroadcastTo,
     movesElements},
    {"BroadcastArgs", "s0: T, s1: T", "r0: T", "T: indexTypes = int32",
     "The shape of a broadcast of two shapes.", inferBroadcastArgs},
    {"BroadcastGradientArgs", "s0: T, s1: T", "r0: T, r1: T",
     "T: indexTypes = int32",
     "The axes to sum the gradients of a broadcast's operands over.",
     inferBroadcastGradientArgs},
    {"Pack", "values: N*T", "output: T", "N: int >= 1; T: type; axis: int = 0",
     "Tensors of one shape stacked along a new axis; lists become a vector of "
     "lists.",
     inferPack, takesLists | movesElements, "", OpRole::Pack},
    {"Unpack", "value: T", "output: num*T",
     "num: int >= 0; T: type; axis: int = 0",
     "The slices of a tensor along an axis, without that axis.", inferUnpack,
     takesLists | movesElements},
    {"ConcatV2", "values: N*T, axis: Tidx", "output: T",
     "N: int >= 2; T: type; Tidx: indexTypes = int32",
     "Tensors joined along an axis.", inferConcatV2, movesElements},
    {"Concat", "concat_dim: int32, values: N*T", "output: T",
     "N: int >= 2; T: type", "Tensors joined along an axis that comes first.",
     inferConcat, movesElements},
    {"ConcatOffset", "concat_dim: int32, shape: N*shape_type",
     "offset: N*shape_type", "N: int >= 2; shape_type: indexTypes = int32",
     "Where each of some shapes begins in their concatenation.",
     inferConcatOffset},
    {"Split", "split_dim: int32, value: T", "output: num_split*T",
     "num_split: int >= 1; T: type",
     "A tensor cut into equal parts along an axis.", inferSplit, movesElements},
    {"SplitV", "value: T, size_splits: Tlen, split_dim: int32",
     "output: num_split*T",
     "num_split: int >= 1; T: type; Tlen: {int8, int32, int64} = int64",
     "A tensor cut into parts of given sizes along an axis.", inferSplitV,
     movesElements},
    {"Slice", "input: T, begin: Index, size: Index", "output: T",
     "T: type; Index: indexTypes",
     "The block that begins at \"begin\" and has \"size\"; -1 is the rest.",
     inferSlice, movesElements},
    {"StridedSlice", "input: T, begin: Index, end: Index, strides: Index",
     "output: T",
     "T: type; Index: {int16, int32, int64}; begin_mask: int = 0; end_mask: "
     "int = 0; ellipsis_mask: int = 0; new_axis_mask: int = 0; "
     "shrink_axis_mask: int = 0",
     "A slice in Python's notation: begin, end and stride a dimension.",
     inferStridedSlice, movesElements},
    {"StridedSliceGrad",
     "shape: Index, begin: Index, end: Index, strides: Index, dy: T",
     "output: T",
     "T: type; Index: indexTypes; begin_mask: int = 0; end_mask: int = 0; "
     "ellipsis_mask: int = 0; new_axis_mask: int = 0; shrink_axis_mask: int = "
     "0",
     "The gradient of StridedSlice: dy where the slice was, zeros elsewhere.",
     inferStridedSliceGrad, movesElements},
    {"Range", "start: Tidx, limit: Tidx, delta: Tidx", "output: Tidx",
     "Tidx: {bfloat16, float16, float32, float64, int8, int16, int32, int64, "
     "uint16, uint32, uint64} = int32",
     "The numbers from start up (or down) to limit, by delta.", inferRange},
    {"GatherV2", "params: Tparams, indices: Tindices, axis: Taxis",
     "output: Tparams",
     "batch_dims: int = 0; Tparams: type; Tindices: {int16, int32, int64}; "
     "Taxis: indexTypes",
     "The slices of params at indices along an axis.", inferGatherV2,
     movesElements, "", OpRole::Gather},
    {"Gather", "params: Tparams, indices: Tindices", "output: Tparams",
     "validate_indices: bool = true; Tparams: type; Tindices: indexTypes",
     "The slices of params at indices along the first axis.", inferGather,
     movesElements},
    {"ResourceGather", "resource: resource, indices: Tindices", "output: dtype",
     "batch_dims: int = 0; validate_indices: bool = true; dtype: type; "
     "Tindices: indexTypes",
     "The slices of a variable's value at indices along the axis batch_dims.",
     inferResourceGather, stateful | movesElements},
    {"Transpose", "x: T, perm: Tperm", "y: T",
     "T: type; Tperm: indexTypes = int32", "Dimensions in another order.",
     inferTranspose, movesElements},
    {"InvertPermutation", "x: T", "y: T", "T: indexTypes = int32",
     "The permutation that undoes a permutation.", inferInvertPermutation},
    {"ReverseV2", "tensor: T, axis: Tidx", "output: T",
     "Tidx: indexTypes = int32; T: {uint8, int8, uint16, int16, int32, uint32, "
     "int64, uint64, bool, bfloat16, float16, float32, float64, complex64, "
     "complex128, string}",
     "The order of elements along axes turned round.", inferReverseV2,
     movesElements},
    {"Pad", "input: T, paddings: Tpaddings", "output: T",
     "T: type; Tpaddings: indexTypes = int32", "Zeros added around the input.",
     inferPad, movesElements},
    {"PadV2", "input: T, paddings: Tpaddings, constant_values: T", "output: T",
     "T: type; Tpaddings: indexTypes = int32",
     "A value added around the input.", inferPad, movesElements},
    {"OneHot", "indices: TI, depth: int32, on_value: T, off_value: T",
     "output: T",
     "axis: int = -1; T: type; TI: {uint8, int8, int32, int64} = int64",
     "on_value at the indices, off_value elsewhere, along a new axis.",
     inferOneHot, movesElements},
};

} // namespace

OpFamily arrayFamily() {
  return {"Array", "shapes and rearrangements of elements", records};
}

} // namespace kiln
