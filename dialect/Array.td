// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that make, move and rearrange elements without computing with them.

#ifndef KILN_DIALECT_ARRAY
#define KILN_DIALECT_ARRAY

include "dialect/Base.td"

def Kiln_ConstantOp : Kiln_Op<"constant", [Pure, ConstantLike]> {
  let summary = "A splat of any (also dynamic) shape, or a small constant of at most 64 elements.";
  let description = [{
    A splat keeps its one element in `value` (a one-element attribute when the
    shape is dynamic). Larger constants are `kiln.constant_ref`: buffers of the
    executable, never attributes.
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Kiln_Tensor:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Kiln_ConstantRefOp : Kiln_Op<"constant_ref", [Pure]> {
  let summary = "A constant that lies in the constant table of the executable.";
  let arguments = (ins I64Attr:$index);
  let results = (outs Kiln_Tensor:$result);
  let assemblyFormat = "$index attr-dict `:` type($result)";
}

def Kiln_DimsOp : Kiln_Op<"dims", [Pure]> {
  let summary = "An integer tensor whose elements are numbers or dimensions: what Shape, Size and their arithmetic give.";
  let description = [{
    Element i is symbol `symbols[i]` where that is not -1, else `values[i]`.
    Example: `kiln.dims [s0, 9] : tensor<2xi32>`.
  }];
  let arguments = (ins DenseI64ArrayAttr:$symbols, DenseI64ArrayAttr:$values);
  let results = (outs Kiln_IntTensor:$result);
  let assemblyFormat = "custom<DimList>($symbols, $values) attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Kiln_IotaOp : Kiln_Op<"iota", [Pure, AllTypesMatch<["start", "step"]>]> {
  let summary = "start + i * step along one axis.";
  let arguments = (ins Kiln_NumberTensor:$start, Kiln_NumberTensor:$step, I64Attr:$axis);
  let results = (outs Kiln_NumberTensor:$result);
  let assemblyFormat = "$start `,` $step `axis` $axis attr-dict `:` type($start) `->` type($result)";
  let hasVerifier = 1;
}

def Kiln_BroadcastOp : Kiln_Op<"broadcast", [Pure]> {
  let summary = "Repeats elements: operand dimension i becomes result dimension `map[i]`.";
  let description = [{
    `map` is strictly increasing. An operand dimension of 1 is repeated to the
    result's extent; one that is a symbol other than the result's is 1 or equal
    when the code runs (the code decides by its stride).
  }];
  let arguments = (ins Kiln_Tensor:$operand, DenseI64ArrayAttr:$map);
  let results = (outs Kiln_Tensor:$result);
  let assemblyFormat = "$operand `map` $map attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Kiln_ReshapeOp : Kiln_Op<"reshape", [Pure]> {
  let summary = "The same elements in row-major order under another shape.";
  let arguments = (ins Kiln_Tensor:$operand);
  let results = (outs Kiln_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Kiln_TransposeOp : Kiln_Op<"transpose", [Pure]> {
  let summary = "Result dimension i is operand dimension `permutation[i]`.";
  let arguments = (ins Kiln_Tensor:$operand, DenseI64ArrayAttr:$permutation);
  let results = (outs Kiln_Tensor:$result);
  let assemblyFormat = "$operand `permutation` $permutation attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Kiln_SliceOp : Kiln_Op<"slice", [Pure]> {
  let summary = "result[i] = operand[starts[i] + i * strides[i]]; a stride may be negative.";
  let description = [{
    `dynamicStarts`, where given, is an i64 tensor of one element a dimension
    that is added to `starts`; import checks the bounds.
  }];
  let arguments = (ins Kiln_Tensor:$operand, Optional<Kiln_IntTensor>:$dynamicStarts,
                       DenseI64ArrayAttr:$starts, DenseI64ArrayAttr:$strides);
  let results = (outs Kiln_Tensor:$result);
  let assemblyFormat = [{
    $operand (`at` $dynamicStarts^)? `starts` $starts `strides` $strides attr-dict `:`
    type($operand) (`,` type($dynamicStarts)^)? `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Kiln_ConcatOp : Kiln_Op<"concat", [Pure]> {
  let summary = "Joins tensors along an axis.";
  let arguments = (ins Variadic<Kiln_Tensor>:$operands, I64Attr:$axis);
  let results = (outs Kiln_Tensor:$result);
  let assemblyFormat = "$operands `axis` $axis attr-dict `:` type($operands) `->` type($result)";
  let hasVerifier = 1;
}

def Kiln_PadOp : Kiln_Op<"pad", [Pure]> {
  let summary = "Surrounds the operand with a scalar: `low[i]` elements before each dimension, the rest after.";
  let arguments = (ins Kiln_Tensor:$operand, Kiln_Tensor:$padding, DenseI64ArrayAttr:$low);
  let results = (outs Kiln_Tensor:$result);
  let assemblyFormat = "$operand `,` $padding `low` $low attr-dict `:` type($operand) `,` type($padding) `->` type($result)";
  let hasVerifier = 1;
}

def Kiln_GatherOp : Kiln_Op<"gather", [Pure]> {
  let summary = "Picks slices of `axis` by index; an index out of range is an error of the run.";
  let description = [{
    Shapes: operand [O..., n, I...], indices [J...], result [O..., J..., I...].
  }];
  let arguments = (ins Kiln_Tensor:$operand, Kiln_IntTensor:$indices, I64Attr:$axis);
  let results = (outs Kiln_Tensor:$result);
  let assemblyFormat = "$operand `,` $indices `axis` $axis attr-dict `:` type($operand) `,` type($indices) `->` type($result)";
  let hasVerifier = 1;
}

#endif // KILN_DIALECT_ARRAY
