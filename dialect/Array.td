// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that make, move and rearrange elements without computing with them.

#ifndef KILN_DIALECT_ARRAY
#define KILN_DIALECT_ARRAY

include "dialect/Base.td"

def Kiln_ConstantOp : Kiln_TensorOp<"constant", [Pure, ConstantLike], ["getPlacement", "getReuse"]> {
  let placement = "";
  let reuse = "";
  let summary = "A splat of any (also dynamic) shape, or a small constant of at most 64 elements.";
  let description = [{
    A splat keeps its one element in `value`: an attribute of rank 0 after
    kiln-simplify, of any shape before. Larger constants are
    `kiln.constant_ref`: buffers of the executable, never attributes.
    Constraints: constant_c1: value and result have one element type;
    constant_c2: the value is a splat or has the result's shape; constant_c3: it
    is a splat or has at most 64 elements; constant_c4: the elements are dense.
    Example: `%c = kiln.constant dense<0.5> : tensor<f32> : tensor<?xf32, #kiln.sym<0>>`.
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Kiln_FusedTensor:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Kiln_ConstantRefOp : Kiln_TensorOp<"constant_ref", [Pure]> {
  let summary = "A constant that lies in the constant table of the executable.";
  let description = [{
    `index` counts the executable's constants; the result is static in practice,
    since the constant's extents are known.
    Example: `%c = kiln.constant_ref 3 : tensor<28x28xf32>`.
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$index);
  let results = (outs Kiln_AnyTensor:$result);
  let assemblyFormat = "$index attr-dict `:` type($result)";
}

def Kiln_DimsOp : Kiln_TensorOp<"dims", [Pure], ["getPlacement", "getReuse"]> {
  let placement = "";
  let reuse = "";
  let summary = "An integer tensor whose elements are numbers or dimensions: what Shape, Size and their arithmetic give.";
  let description = [{
    Element i is symbol `symbols[i]` where that is not -1, else `values[i]`.
    Constraints: dims_c1: the result is static, of rank 0 or 1; dims_c2: one
    symbol and one value for each element; dims_c3: a symbol is an id or -1.
    Example: `%d = kiln.dims [s0, 9] : tensor<2xi32>`.
  }];
  let arguments = (ins DenseI64ArrayAttr:$symbols, DenseI64ArrayAttr:$values);
  let results = (outs Kiln_IntTensor:$result);
  let assemblyFormat = "custom<DimList>($symbols, $values) attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Kiln_IotaOp : Kiln_TensorOp<"iota", [Pure, AllTypesMatch<["start", "step"]>], ["usesIndexOf"]> {
  let placement = "Nest";
  let summary = "start + i * step along one axis.";
  let description = [{
    result[i] = start + i[axis] * step. Floats: the product and the sum round
    apart. Integers wrap.
    Constraints: iota_c1: `axis` is a dimension of the result; iota_c2: start and
    step are scalars of the result's element type.
    Example: `%i = kiln.iota %a, %b axis 0 : tensor<i32> -> tensor<?xi32, #kiln.sym<0>>`.
  }];
  let arguments = (ins Kiln_NumberTensor:$start, Kiln_NumberTensor:$step, I64Attr:$axis);
  let results = (outs Kiln_NumberTensor:$result);
  let assemblyFormat = "$start `,` $step `axis` $axis attr-dict `:` type($start) `->` type($result)";
  let hasVerifier = 1;
}

def Kiln_BroadcastOp : Kiln_TensorOp<"broadcast", [Pure], ["getAccess"]> {
  let placement = "Nest";
  let reuse = "View";
  let summary = "Repeats elements: operand dimension i becomes result dimension `map[i]`.";
  let description = [{
    result[i] = operand[j] with j[k] = i[map[k]], or 0 where operand dimension k
    is 1. A dimension that is a symbol other than the result's is 1 or equal when
    the code runs (the code decides by its stride).
    Constraints: broadcast_c1: one element type; broadcast_c2: `map` has a place
    for each operand dimension and is strictly increasing below the result's rank;
    broadcast_c3: a known dimension is 1 or the result's.
    Example: `%r = kiln.broadcast %b map [1] : tensor<9xf32> -> tensor<?x9xf32, #kiln.sym<0>>`.
  }];
  let arguments = (ins Kiln_AnyTensor:$operand, DenseI64ArrayAttr:$map);
  let results = (outs Kiln_AnyTensor:$result);
  let assemblyFormat = "$operand `map` $map attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Kiln_ReshapeOp : Kiln_TensorOp<"reshape", [Pure], ["getPlacement", "getReuse", "getAccess"]> {
  let placement = "";
  let reuse = "";
  let summary = "The same elements in row-major order under another shape.";
  let description = [{
    Element n of the result is element n of the operand, both in row-major order.
    A view: nothing is copied. That symbolic shapes have equal products is import's
    to know.
    Constraints: reshape_c1: one element type; reshape_c2: static shapes have
    equally many elements.
    Example: `%r = kiln.reshape %x : tensor<?x3x3xf32, #kiln.sym<0>> -> tensor<?x9xf32, #kiln.sym<0>>`.
  }];
  let arguments = (ins Kiln_AnyTensor:$operand);
  let results = (outs Kiln_AnyTensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Kiln_TransposeOp : Kiln_TensorOp<"transpose", [Pure], ["getAccess"]> {
  let placement = "Nest";
  let cost = "Scattered";
  let summary = "Result dimension i is operand dimension `permutation[i]`.";
  let description = [{
    result[i] = operand[j] with j[permutation[k]] = i[k].
    Constraints: transpose_c1: one element type; transpose_c2: `permutation` is
    one of the operand's dimensions; transpose_c3: result dimension k is operand
    dimension permutation[k].
    Example: `%t = kiln.transpose %x permutation [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>`.
  }];
  let arguments = (ins Kiln_AnyTensor:$operand, DenseI64ArrayAttr:$permutation);
  let results = (outs Kiln_AnyTensor:$result);
  let assemblyFormat = "$operand `permutation` $permutation attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Kiln_SliceOp : Kiln_TensorOp<"slice", [Pure], ["getPlacement", "getAccess"]> {
  let placement = "";
  let mayFail = "getDynamicStarts() != nullptr";
  let summary = "result[i] = operand[starts[i] + i * strides[i]]; a stride may be negative.";
  let description = [{
    result[i] = operand[j] with j[k] = starts[k] + i[k] * strides[k]; a stride may
    be negative. `dynamicStarts`, where given, has one element a dimension that is
    added to `starts`. That all elements lie inside is import's to check where the
    verifier cannot.
    Constraints: slice_c1: one element type; slice_c2: a start and a stride for
    each dimension, no stride 0; slice_c3: as many dynamic starts; slice_c4: where
    the extents are known and the starts static, all elements lie inside.
    Example: `%s = kiln.slice %x starts [0, 2] strides [1, -1] : tensor<4x3xf32> -> tensor<2x3xf32>`.
  }];
  let arguments = (ins Kiln_AnyTensor:$operand, Optional<Kiln_IntTensor>:$dynamicStarts,
                       DenseI64ArrayAttr:$starts, DenseI64ArrayAttr:$strides);
  let results = (outs Kiln_AnyTensor:$result);
  let assemblyFormat = [{
    $operand (`at` $dynamicStarts^)? `starts` $starts `strides` $strides attr-dict `:`
    type($operand) (`,` type($dynamicStarts)^)? `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Kiln_ConcatOp : Kiln_TensorOp<"concat", [Pure]> {
  let placement = "Kernel";
  let summary = "Joins tensors along an axis.";
  let description = [{
    The operands' elements follow each other along `axis`.
    Constraints: concat_c1: at least one operand, and `axis` is a dimension;
    concat_c2: operands have the result's rank, element type and dimensions but
    for the axis; concat_c3: known extents of the axis sum to the result's.
    Example: `%c = kiln.concat %x, %y axis 0 : tensor<2x3xf32>, tensor<1x3xf32> -> tensor<3x3xf32>`.
  }];
  let arguments = (ins Variadic<Kiln_AnyTensor>:$operands, I64Attr:$axis);
  let results = (outs Kiln_AnyTensor:$result);
  let assemblyFormat = "$operands `axis` $axis attr-dict `:` type($operands) `->` type($result)";
  let hasVerifier = 1;
}

def Kiln_PadOp : Kiln_TensorOp<"pad", [Pure]> {
  let placement = "Kernel";
  let summary = "Surrounds the operand with a scalar: `low[i]` elements before each dimension, the rest after.";
  let description = [{
    result[i] = operand[i - low] where that is an element, else padding.
    `dynamicLow`, where given, has one element a dimension that is added to `low`.
    That the result holds the operand is import's to check where the verifier
    cannot.
    Constraints: pad_c1: one element type, a scalar padding; pad_c2: operand and
    result of one rank with a `low` for each dimension, and as many dynamic ones;
    pad_c3: no `low` is negative, and a known result dimension holds the
    operand's.
    Example: `%p = kiln.pad %x, %zero low [1] : tensor<3xf32>, tensor<f32> -> tensor<5xf32>`.
  }];
  let arguments = (ins Kiln_AnyTensor:$operand, Kiln_AnyTensor:$padding,
                       Optional<Kiln_IntTensor>:$dynamicLow, DenseI64ArrayAttr:$low);
  let results = (outs Kiln_AnyTensor:$result);
  let assemblyFormat = [{
    $operand `,` $padding (`at` $dynamicLow^)? `low` $low attr-dict `:`
    type($operand) `,` type($padding) (`,` type($dynamicLow)^)? `->` type($result)
  }];
  let hasVerifier = 1;
}

def Kiln_WindowOp : Kiln_TensorOp<"window", [Pure], ["getAccess"]> {
  let placement = "Nest";
  let summary = "A slice of the operand as if it were padded: what lies outside is the padding.";
  let description = [{
    result[i] = operand[j] with j[k] = starts[k] + i[k] * strides[k] where that is
    an element, else padding: slices of one `kiln.pad`, without the padded tensor.
    Constraints: window_c1: one element type, a scalar padding; window_c2: operand
    and result of one rank with a start and a stride of at least 1 for each
    dimension.
    Example: `%w = kiln.window %x, %zero starts [-1] strides [2] : tensor<3xf32>, tensor<f32> -> tensor<2xf32>`.
  }];
  let arguments = (ins Kiln_AnyTensor:$operand, Kiln_AnyTensor:$padding,
                       DenseI64ArrayAttr:$starts, DenseI64ArrayAttr:$strides);
  let results = (outs Kiln_AnyTensor:$result);
  let assemblyFormat = [{
    $operand `,` $padding `starts` $starts `strides` $strides attr-dict `:`
    type($operand) `,` type($padding) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Kiln_GatherOp : Kiln_TensorOp<"gather", [Pure], ["getAccess"]> {
  let placement = "Nest";
  let cost = "Scattered";
  let mayFail = "true";
  let summary = "Picks slices of `axis` by index; an index out of range is an error of the run.";
  let description = [{
    Shapes: operand [B..., O..., n, I...], indices [B..., J...] with `batch`
    dimensions B, result [B..., O..., J..., I...].
    result[b, o, j, i] = operand[b, o, indices[b, j], i]. A negative index is out
    of range; an empty result picks nothing, so no index is.
    Constraints: gather_c1: `axis` is a dimension of the operand; gather_c2: the
    result has that shape and the operand's element type; gather_c3: `batch` is
    at most `axis`, and the indices begin with the operand's first `batch`
    dimensions.
    Example: `%g = kiln.gather %x, %i axis 1 batch 1 : tensor<9x4xf32>, tensor<9x2xi32> -> tensor<9x2xf32>`.
  }];
  let arguments = (ins Kiln_AnyTensor:$operand, Kiln_IntTensor:$indices, I64Attr:$axis,
                       DefaultValuedAttr<I64Attr, "0">:$batch);
  let results = (outs Kiln_AnyTensor:$result);
  let assemblyFormat = "$operand `,` $indices `axis` $axis (`batch` $batch^)? attr-dict `:` type($operand) `,` type($indices) `->` type($result)";
  let hasVerifier = 1;
}

#endif // KILN_DIALECT_ARRAY
