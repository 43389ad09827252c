// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions, contractions and random generators.

#ifndef KILN_DIALECT_COMPUTE
#define KILN_DIALECT_COMPUTE

include "dialect/Base.td"

def Kiln_ReduceKind : I32EnumAttr<"ReduceKind", "how a reduction combines", [
    I32EnumAttrCase<"sum", 0>, I32EnumAttrCase<"prod", 1>, I32EnumAttrCase<"max", 2>,
    I32EnumAttrCase<"min", 3>, I32EnumAttrCase<"all", 4>, I32EnumAttrCase<"any", 5>]> {
  let cppNamespace = "::kiln::ir";
}

def Kiln_ReduceOp : Kiln_Op<"reduce", [Pure]> {
  let summary = "Combines the elements along `axes`, which are dropped from the shape.";
  let description = [{
    The order is that of `runtime/ReductionOrder.h`: with the last dimension
    among the axes 16 lanes over the linear index of the axes, otherwise one
    lane in blocks of 32.
  }];
  let arguments = (ins Kiln_ReduceKind:$kind, Kiln_Tensor:$operand, DenseI64ArrayAttr:$axes);
  let results = (outs Kiln_Tensor:$result);
  let assemblyFormat = "$kind $operand `axes` $axes attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Kiln_ArgReduceOp : Kiln_Op<"arg_reduce", [Pure]> {
  let summary = "The first index of the largest (smallest) element along an axis.";
  let arguments = (ins BoolAttr:$smallest, Kiln_Tensor:$operand, I64Attr:$axis);
  let results = (outs Kiln_IntTensor:$result);
  let assemblyFormat = "$operand `axis` $axis attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

def Kiln_MatmulOp : Kiln_Op<"matmul", [Pure]> {
  let summary = "Matrix product over equal leading batch dimensions.";
  let description = [{
    Shapes: lhs [B..., M, K] ([B..., K, M] with `transposeLhs`), rhs
    [B..., K, N] ([B..., N, K] with `transposeRhs`), result [B..., M, N].
    Order: K in blocks of 256, one FMA chain a block, blocks added in order;
    a product with a vector (M or N statically 1) becomes mul and reduce in
    `kiln-decompose` and has the order of sums.
  }];
  let arguments = (ins Kiln_NumberTensor:$lhs, Kiln_NumberTensor:$rhs,
                       UnitAttr:$transposeLhs, UnitAttr:$transposeRhs);
  let results = (outs Kiln_NumberTensor:$result);
  let assemblyFormat = [{
    $lhs (`transposed` $transposeLhs^)? `,` $rhs (`transposed` $transposeRhs^)? attr-dict `:`
    type($lhs) `,` type($rhs) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Kiln_RandomKind : I32EnumAttr<"RandomKind", "a distribution", [
    I32EnumAttrCase<"uniform", 0>, I32EnumAttrCase<"normal", 1>]> {
  let cppNamespace = "::kiln::ir";
}

def Kiln_RandomStreamResource : Resource<"::kiln::ir::RandomStreamResource">;

def Kiln_RandomReserveOp : Kiln_Op<"random_reserve", [MemoryEffects<[MemWrite<Kiln_RandomStreamResource>]>]> {
  let summary = "Takes the next stretch of a node's Philox stream for as many outputs as `like` has elements.";
  let description = [{
    The result is the generator's state at the start of the stretch: two key
    words and four counter words. It runs once a run, whatever consumes it.
    `shape` gives the extents of the outputs (symbols as in kiln.dims).
  }];
  let arguments = (ins I64Attr:$stream, DenseI64ArrayAttr:$symbols, DenseI64ArrayAttr:$values);
  let results = (outs TensorOf<[I32]>:$state);
  let assemblyFormat = "$stream custom<DimList>($symbols, $values) attr-dict `:` type($state)";
  let hasVerifier = 1;
}

def Kiln_RandomOp : Kiln_Op<"random", [Pure]> {
  let summary = "Element i of the stretch of a stream, as TensorFlow's CPU kernels number them.";
  let description = [{
    uniform: [0, 1) for floats. normal: Box-Muller pairs.
  }];
  let arguments = (ins Kiln_RandomKind:$kind, RankedTensorOf<[I32]>:$state);
  let results = (outs Kiln_FloatTensor:$result);
  let assemblyFormat = "$kind $state attr-dict `:` type($state) `->` type($result)";
}

def Kiln_RandomIntOp : Kiln_Op<"random_int", [Pure, AllTypesMatch<["low", "high"]>]> {
  let summary = "Integers uniform in [low, high), as TensorFlow's RandomUniformInt.";
  let arguments = (ins RankedTensorOf<[I32]>:$state, Kiln_IntTensor:$low, Kiln_IntTensor:$high);
  let results = (outs Kiln_IntTensor:$result);
  let assemblyFormat = "$state `,` $low `,` $high attr-dict `:` type($state) `,` type($low) `->` type($result)";
}

#endif // KILN_DIALECT_COMPUTE
