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

def Kiln_ReduceOp : Kiln_TensorOp<"reduce", [Pure], ["getLoops", "getAccess"]> {
  let placement = "Nest";
  let cost = "Reduction";
  let summary = "Combines the elements along `axes`, which are dropped from the shape.";
  let description = [{
    The order is that of `runtime/arithmetic/ReductionOrder.h`: with the last dimension
    among the axes 16 lanes over the linear index of the axes, otherwise one
    lane in blocks of 32. No element gives the neutral one: 0, 1, the lowest and
    the largest value (infinities for floats), true, false. A NaN is kept; a denormal result is the
    zero of its sign.
    Constraints: reduce_c1: `axes` are strictly increasing dimensions; reduce_c2:
    the result has the other dimensions and the operand's element type; reduce_c3:
    bools for `all` and `any`, numbers otherwise.
    Example: `%s = kiln.reduce sum %x axes [0] : tensor<?x9xf32, #kiln.sym<0>> -> tensor<9xf32>`.
  }];
  let arguments = (ins Kiln_ReduceKind:$kind, Kiln_OrderedTensor:$operand, DenseI64ArrayAttr:$axes);
  let results = (outs Kiln_OrderedTensor:$result);
  let assemblyFormat = "$kind $operand `axes` $axes attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Kiln_ArgReduceOp : Kiln_TensorOp<"arg_reduce", [Pure], ["getLoops", "getAccess"]> {
  let placement = "Kernel";
  let cost = "Reduction";
  let summary = "The first index of the largest (smallest) element along an axis; it starts with the lowest (highest) finite number at index 0, so NaN never wins.";
  let description = [{
    Ties give the first; the axis has at least one element (import checks it).
    Constraints: arg_reduce_c1: `axis` is a dimension; arg_reduce_c2: the result
    has the others.
    Example: `%i = kiln.arg_reduce %x axis 1 {smallest = false} : tensor<4x9xf32> -> tensor<4xi64>`.
  }];
  let arguments = (ins BoolAttr:$smallest, Kiln_OrderedTensor:$operand, I64Attr:$axis);
  let results = (outs Kiln_IntTensor:$result);
  let assemblyFormat = "$operand `axis` $axis attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

def Kiln_MatmulOp : Kiln_TensorOp<"matmul", [Pure], ["getLoops", "getAccess"]> {
  let placement = "Kernel";
  let cost = "Contraction";
  let summary = "Matrix product over equal leading batch dimensions.";
  let description = [{
    Shapes: lhs [B..., M, K] ([B..., K, M] with `transposeLhs`), rhs
    [B..., K, N] ([B..., N, K] with `transposeRhs`), result [B..., M, N].
    Order: K in blocks of 256, one FMA chain a block, blocks added in order;
    a product with a vector (M or N statically 1) becomes mul and reduce in
    `kiln-decompose` and has the order of sums. K = 0 gives zeros; integers wrap.
    Constraints: matmul_c1: one rank of at least 2; matmul_c2: equal batch
    dimensions; matmul_c3: equal K; matmul_c4: the result is [B..., M, N];
    matmul_c5: one element type.
    Example: `%p = kiln.matmul %x transposed, %y : tensor<9x4xf32>, tensor<9x5xf32> -> tensor<4x5xf32>`.
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

def Kiln_ConvolveOp : Kiln_TensorOp<"convolve", [Pure], ["getLoops", "getAccess"]> {
  let placement = "Kernel";
  let cost = "Contraction";
  let summary = "Product of the matrix of a tensor's windows, or of its transpose, and another matrix.";
  let description = [{
    Shapes: lhs [B, S1..Sn, C]; places [B, O1..On, F]; filter [K1..Kn, C, F]. The
    windows of lhs are a matrix: a row (b, o...) for each place, a column
    (k..., c) for each element of a window, which is
    lhs[b, o * strides + k * dilations, c]; a window with a negative dilation is
    read backwards, with K - 1 - k for k. rhs is the filter and the result the
    places: result[b, o, f] = sum of windows * rhs over (k, c). With
    `transposed`, what a filter's gradient needs, rhs is the places and the
    result the filter: the sum over (b, o). All windows lie inside of lhs:
    import pads. The order is that of kiln.matmul on these two matrices.
    `padded` [l, h] says that the first l and the last h along S1 are padding:
    products with elements there are left out of the sums, which saves a twelfth
    of the work of 5x5 windows on 14 rows, and keeps an infinity of the filter
    from meeting a zero. With `transposed` two more numbers may say the same of
    Sn. Along the other dimensions padding is read.
    Constraints: convolve_c1: one rank of at least 3, a positive stride and a
    dilation that is not 0 for each of the n dimensions; convolve_c2: one B, C and F;
    convolve_c3: windows that lie inside, where the extents are known;
    convolve_c4: one element type; convolve_c5: `padded` has two numbers of at
    least 0, or four where `transposed`, and at least two dimensions lie between
    the first and the last.
    Example: `%y = kiln.convolve %x, %w strides [2] dilations [1] : tensor<4x9x3xf32>, tensor<3x3x8xf32> -> tensor<4x4x8xf32>`.
  }];
  let arguments = (ins Kiln_NumberTensor:$lhs, Kiln_NumberTensor:$rhs, UnitAttr:$transposed,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$dilations,
                       OptionalAttr<DenseI64ArrayAttr>:$padded);
  let results = (outs Kiln_NumberTensor:$result);
  let assemblyFormat = [{
    $lhs (`transposed` $transposed^)? `,` $rhs `strides` $strides `dilations` $dilations
    (`padded` $padded^)? attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)
  }];
  let helpers = [{
    /// The tensors of one row a place, and of one row an element of a window.
    ::mlir::Value getPlaces() { return getTransposed() ? getRhs() : getResult(); }
    ::mlir::Value getFilter() { return getTransposed() ? getResult() : getRhs(); }
  }];
  let hasVerifier = 1;
}

def Kiln_ScatterKind : I32EnumAttr<"ScatterKind", "how a scatter combines", [
    I32EnumAttrCase<"update", 0>, I32EnumAttrCase<"add", 1>, I32EnumAttrCase<"sub", 2>, I32EnumAttrCase<"mul", 3>,
    I32EnumAttrCase<"div", 4>, I32EnumAttrCase<"min", 5>, I32EnumAttrCase<"max", 6>,
    I32EnumAttrCase<"segment_min", 7>, I32EnumAttrCase<"segment_max", 8>]> {
  let cppNamespace = "::kiln::ir";
}

def Kiln_ScatterOp : Kiln_TensorOp<"scatter", [Pure], ["mayFail", "getLoops", "getAccess"]> {
  let placement = "Kernel";
  let cost = "Scattered";
  let mayFail = "";
  let summary = "The base with rows of updates combined into those of its rows that the indices name.";
  let description = [{
    Shapes: base [n, I...], or [] for one whose elements are all the same;
    indices [m]; updates [m, I...]; result [n, I...].
    For k = 0, 1, ...: result[indices[k], i] = combine(result[indices[k], i],
    updates[k, i]), in this order, so that equal indices have defined bits and
    the last `update` stays. An index that is not in [0, n) drops its row: what
    is an error import checks before (the kernel IndexRows). Each step is
    rounded to the element type, f16 and bf16 included; integers wrap; a bool
    knows update, sub (exclusive or), min and max. A division of integers rounds towards zero, one
    by zero is an error of the run. `max` puts an update only where the result
    is less than it, `segment_max` everywhere but where the update is less, and
    the minima likewise: they differ in NaNs and in zeros of two signs, and a
    denormal gives the zero of its sign. The loops are those of the updates.
    Constraints: scatter_c1: the base is a scalar or of the result's type;
    scatter_c2: a vector of indices; scatter_c3: updates have the result's
    element type and dimensions, but the indices' for the first; scatter_c4: an
    element type that `kind` computes with.
    Example: `%s = kiln.scatter add %x, %i, %u : tensor<9x4xf32>, tensor<2xi64>, tensor<2x4xf32> -> tensor<9x4xf32>`.
  }];
  let arguments = (ins Kiln_ScatterKind:$kind, Kiln_AnyTensor:$base, Kiln_IntTensor:$indices, Kiln_AnyTensor:$updates);
  let results = (outs Kiln_AnyTensor:$result);
  let assemblyFormat = [{
    $kind $base `,` $indices `,` $updates attr-dict `:`
    type($base) `,` type($indices) `,` type($updates) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Kiln_RandomKind : I32EnumAttr<"RandomKind", "a distribution", [
    I32EnumAttrCase<"uniform", 0>, I32EnumAttrCase<"normal", 1>]> {
  let cppNamespace = "::kiln::ir";
}

def Kiln_RandomStreamResource : Resource<"::kiln::ir::RandomStreamResource">;

def Kiln_RandomReserveOp : Kiln_TensorOp<"random_reserve", [MemoryEffects<[MemWrite<Kiln_RandomStreamResource>]>]> {
  let summary = "Takes the next stretch of a node's Philox stream for as many outputs as `like` has elements.";
  let description = [{
    The result is the generator's state at the start of the stretch: four
    counter words, then two key words. It runs once a run, whatever consumes it.
    The list gives the extents of the outputs (symbols as in kiln.dims).
    Constraints: random_reserve_c1: 6 words; random_reserve_c2: as many symbols as
    values.
    Example: `%s = kiln.random_reserve 0 [s0, 9] : tensor<6xi32>`.
  }];
  let arguments = (ins I64Attr:$stream, DenseI64ArrayAttr:$symbols, DenseI64ArrayAttr:$values);
  let results = (outs Kiln_StateTensor:$state);
  let assemblyFormat = "$stream custom<DimList>($symbols, $values) attr-dict `:` type($state)";
  let hasVerifier = 1;
}

def Kiln_ReserveStreamOp : Kiln_Op<"reserve_stream", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "The bufferized form of kiln.random_reserve: writes the state to a buffer.";
  let description = [{
    Constraints: random_reserve_c2.
    Example: `kiln.reserve_stream 0 [s0, 9] outs(%b : memref<?xi32>)`.
  }];
  let arguments = (ins I64Attr:$stream, DenseI64ArrayAttr:$symbols, DenseI64ArrayAttr:$values, Kiln_Buffer:$out);
  let assemblyFormat = "$stream custom<DimList>($symbols, $values) `outs` `(` $out `:` type($out) `)` attr-dict";
  let hasVerifier = 1;
}

def Kiln_RandomOp : Kiln_TensorOp<"random", [Pure], ["getAccess"]> {
  let placement = "Nest";
  let cost = "Draw";
  let summary = "Element i of the stretch of a stream, as TensorFlow's CPU kernels number them.";
  let description = [{
    uniform: [0, 1) for floats. normal: Box-Muller pairs.
    Constraints: random_c1: a state of 6 words.
    Example: `%r = kiln.random uniform %s : tensor<6xi32> -> tensor<?x9xf32, #kiln.sym<0>>`.
  }];
  let arguments = (ins Kiln_RandomKind:$kind, Kiln_StateTensor:$state);
  let results = (outs Kiln_FloatTensor:$result);
  let assemblyFormat = "$kind $state attr-dict `:` type($state) `->` type($result)";
  let hasVerifier = 1;
}

def Kiln_RandomIntOp : Kiln_TensorOp<"random_int", [Pure, AllTypesMatch<["low", "high"]>], ["getAccess"]> {
  let placement = "Nest";
  let cost = "Draw";
  let summary = "Integers uniform in [low, high), as TensorFlow's RandomUniformInt.";
  let description = [{
    low + bits mod (high - low); import checks that low is less than high.
    Constraints: random_int_c1: a state of 6 words; random_int_c2: the bounds are
    scalars of the result's element type.
    Example: `%r = kiln.random_int %s, %a, %b : tensor<6xi32>, tensor<i32> -> tensor<9xi32>`.
  }];
  let arguments = (ins Kiln_StateTensor:$state, Kiln_IntTensor:$low, Kiln_IntTensor:$high);
  let results = (outs Kiln_IntTensor:$result);
  let assemblyFormat = "$state `,` $low `,` $high attr-dict `:` type($state) `,` type($low) `->` type($result)";
  let hasVerifier = 1;
}

#endif // KILN_DIALECT_COMPUTE
