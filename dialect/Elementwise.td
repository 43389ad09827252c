// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that work element by element on tensors of one shape.
//
// Constraints: shape_c1 (Base.td); elementwise_c1: operands and results of arithmetic have one element type.

#ifndef KILN_DIALECT_ELEMENTWISE
#define KILN_DIALECT_ELEMENTWISE

include "dialect/Base.td"

class Kiln_Elementwise<string mnemonic, list<Trait> traits = []>
    : Kiln_TensorOp<mnemonic, !listconcat([Pure, Kiln_SameShape, Elementwise], traits)> {
  let placement = "Nest";
  let cost = "Arithmetic";
}

// `meaning` is the formula, `edges` what it leaves open.
class Kiln_UnaryOp<string mnemonic, Kiln_TensorOf tensor, string meaning, string edges = "">
    : Kiln_Elementwise<mnemonic, [SameOperandsAndResultType]> {
  let summary = meaning;
  let description = [{
    Element by element, with x the operand: }] # meaning # " " # edges # [{
    Constraints: shape_c1, elementwise_c1.
    Example: `%y = kiln.}] # mnemonic # " %x : " # tensor.example # "`.";
  let arguments = (ins tensor:$operand);
  let results = (outs tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

class Kiln_BinaryOp<string mnemonic, Kiln_TensorOf tensor, string meaning, string edges = "", list<Trait> traits = []>
    : Kiln_Elementwise<mnemonic, !listconcat([SameOperandsAndResultType], traits)> {
  let summary = meaning;
  let description = [{
    Element by element, with x and y the operands: }] # meaning # " " # edges # [{
    Constraints: shape_c1, elementwise_c1.
    Example: `%z = kiln.}] # mnemonic # " %x, %y : " # tensor.example # "`.";
  let arguments = (ins tensor:$lhs, tensor:$rhs);
  let results = (outs tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

// A function of runtime/elementary/Elementary.def.
class Kiln_ElementaryOp<string mnemonic, string meaning, string edges = "">
    : Kiln_UnaryOp<mnemonic, Kiln_FloatTensor, meaning, edges> {
  let cost = "Elementary";
}

class Kiln_DivisionOp<string mnemonic, string meaning, string edges>
    : Kiln_BinaryOp<mnemonic, Kiln_NumberTensor, meaning, edges # " A zero integer divisor is an error of the run."> {
  let cost = "Division";
  let mayFail = "::kiln::ir::mayBeZero(getRhs())";
}

def Kiln_NegOp : Kiln_UnaryOp<"neg", Kiln_NumberTensor, "-x.",
    "Integers wrap; a zero and a NaN change their sign.">;
def Kiln_AbsOp : Kiln_UnaryOp<"abs", Kiln_NumberTensor, "|x|.",
    "Integers wrap: the smallest one stays.">;
def Kiln_SignOp : Kiln_UnaryOp<"sign", Kiln_NumberTensor, "-1, 0 or 1 with the sign of x.",
    "x > 0 ? 1 : x < 0 ? -1 : x == 0 ? 0 : x: NaN stays, -0 gives 0 (as TensorFlow).">;
def Kiln_SqrtOp : Kiln_UnaryOp<"sqrt", Kiln_FloatTensor, "The square root, correctly rounded.",
    "NaN below 0; -0 for -0."> {
  let cost = "Division";
}
def Kiln_RsqrtOp : Kiln_ElementaryOp<"rsqrt", "1 / sqrt(x).",
    "An infinity of the sign of x at a zero, NaN below 0.">;
def Kiln_ExpOp : Kiln_ElementaryOp<"exp", "e to the x.">;
def Kiln_Expm1Op : Kiln_ElementaryOp<"expm1", "e to the x, less 1, accurate near 0.",
    "A zero keeps its sign.">;
def Kiln_LogOp : Kiln_ElementaryOp<"log", "The natural logarithm.",
    "-inf at a zero, NaN below 0.">;
def Kiln_Log1pOp : Kiln_ElementaryOp<"log1p", "log(1 + x), accurate near 0.",
    "-inf at -1, NaN below; a zero keeps its sign.">;
def Kiln_SinOp : Kiln_ElementaryOp<"sin", "The sine, reduced exactly for large x.",
    "NaN for an infinity.">;
def Kiln_CosOp : Kiln_ElementaryOp<"cos", "The cosine, reduced exactly for large x.",
    "NaN for an infinity.">;
def Kiln_TanOp : Kiln_ElementaryOp<"tan", "The tangent.",
    "NaN for an infinity.">;
def Kiln_AtanOp : Kiln_ElementaryOp<"atan", "The arc tangent.">;
def Kiln_AsinOp : Kiln_ElementaryOp<"asin", "The arc sine.",
    "NaN outside of [-1, 1].">;
def Kiln_AcosOp : Kiln_ElementaryOp<"acos", "The arc cosine.",
    "NaN outside of [-1, 1].">;
def Kiln_SinhOp : Kiln_ElementaryOp<"sinh", "The hyperbolic sine.">;
def Kiln_CoshOp : Kiln_ElementaryOp<"cosh", "The hyperbolic cosine.">;
def Kiln_TanhOp : Kiln_ElementaryOp<"tanh", "The hyperbolic tangent.">;
def Kiln_AsinhOp : Kiln_ElementaryOp<"asinh", "The inverse of sinh.">;
def Kiln_AcoshOp : Kiln_ElementaryOp<"acosh", "The inverse of cosh.",
    "NaN below 1.">;
def Kiln_AtanhOp : Kiln_ElementaryOp<"atanh", "The inverse of tanh.",
    "Infinite at -1 and 1, NaN outside of them.">;
def Kiln_SigmoidOp : Kiln_ElementaryOp<"sigmoid", "1 / (1 + exp(-x)).">;
def Kiln_SoftplusOp : Kiln_ElementaryOp<"softplus", "log(1 + exp(x)).",
    "Large x give x, without overflow.">;
def Kiln_ErfOp : Kiln_ElementaryOp<"erf", "The error function.">;
def Kiln_ErfcOp : Kiln_ElementaryOp<"erfc", "1 less the error function, accurate where that is small.">;
def Kiln_FloorOp : Kiln_UnaryOp<"floor", Kiln_FloatTensor, "The largest integer not above x.">;
def Kiln_CeilOp : Kiln_UnaryOp<"ceil", Kiln_FloatTensor, "The smallest integer not below x.">;
def Kiln_RoundEvenOp : Kiln_UnaryOp<"round_even", Kiln_FloatTensor, "The nearest integer, ties to even.",
    "A zero result has the sign of x.">;
def Kiln_NotOp : Kiln_UnaryOp<"not", Kiln_BitsTensor, "All bits inverted: for bool, the logical negation.">;

def Kiln_AddOp : Kiln_BinaryOp<"add", Kiln_NumberTensor, "x + y.",
    "Integers wrap.", [Commutative]>;
def Kiln_SubOp : Kiln_BinaryOp<"sub", Kiln_NumberTensor, "x - y.",
    "Integers wrap.">;
def Kiln_MulOp : Kiln_BinaryOp<"mul", Kiln_NumberTensor, "x * y.",
    "Integers wrap.", [Commutative]>;
def Kiln_DivOp : Kiln_DivisionOp<"div", "x / y.",
    "Integers round towards zero, and the smallest one by -1 wraps.">;
def Kiln_RemOp : Kiln_DivisionOp<"rem", "x - y * trunc(x / y).",
    "The sign is that of x; exact for floats (fmod).">;
def Kiln_FloorDivOp : Kiln_DivisionOp<"floor_div", "floor(x / y).",
    "">;
def Kiln_FloorModOp : Kiln_DivisionOp<"floor_mod", "x - y * floor(x / y).",
    "With r = rem(x, y): r != 0 && (y < 0) != (r < 0) ? r + y : r.">;
// Not commutative: of two zeros y is the result, of two NaNs x.
def Kiln_MaxOp : Kiln_BinaryOp<"max", Kiln_NumberTensor, "x > y || x != x ? x : y.",
    "A NaN is the result on whichever side it is, x's where both are; of zeros y's, so max(0, -0) is -0. A denormal gives the zero of its sign.">;
def Kiln_MinOp : Kiln_BinaryOp<"min", Kiln_NumberTensor, "x < y || x != x ? x : y.",
    "A NaN is the result on whichever side it is, x's where both are; of zeros y's, so min(-0, 0) is 0. A denormal gives the zero of its sign.">;
def Kiln_PowOp : Kiln_BinaryOp<"pow", Kiln_NumberTensor, "x to the y.",
    "Integers wrap; a negative integer exponent is an error of the run. pow(x, 0) and pow(1, y) are 1."> {
  let cost = "BinaryElementary";
  let mayFail = "::kiln::ir::mayBeNegative(getRhs())";
}
def Kiln_Atan2Op : Kiln_BinaryOp<"atan2", Kiln_FloatTensor, "The angle of the point with ordinate x and abscissa y, in [-pi, pi].",
    "Signs of zeros and infinities count as in C."> {
  let cost = "BinaryElementary";
}
def Kiln_AndOp : Kiln_BinaryOp<"and", Kiln_BitsTensor, "x and y, bit by bit.", "", [Commutative]>;
def Kiln_OrOp : Kiln_BinaryOp<"or", Kiln_BitsTensor, "x or y, bit by bit.", "", [Commutative]>;
def Kiln_XorOp : Kiln_BinaryOp<"xor", Kiln_BitsTensor, "Either x or y, bit by bit.", "", [Commutative]>;
def Kiln_ShiftLeftOp : Kiln_BinaryOp<"shift_left", Kiln_IntTensor, "x times 2 to the y.",
    "y counts from 0 to the width less 1: what lies beyond is taken for the nearer of them. Wraps.">;
def Kiln_ShiftRightOp : Kiln_BinaryOp<"shift_right", Kiln_IntTensor, "x over 2 to the y, rounded down.",
    "y counts from 0 to the width less 1: what lies beyond is taken for the nearer of them.">;

def Kiln_Predicate : I32EnumAttr<"Predicate", "how two numbers compare", [
    I32EnumAttrCase<"eq", 0>, I32EnumAttrCase<"ne", 1>, I32EnumAttrCase<"lt", 2>,
    I32EnumAttrCase<"le", 3>, I32EnumAttrCase<"gt", 4>, I32EnumAttrCase<"ge", 5>]> {
  let cppNamespace = "::kiln::ir";
}

def Kiln_CompareOp : Kiln_Elementwise<"compare", [SameTypeOperands]> {
  let summary = "Compares element by element.";
  let description = [{
    result[i] = lhs[i] `predicate` rhs[i]. With a NaN only `ne` holds; 0 equals
    -0; false is less than true.
    Constraints: shape_c1; compare_c1: the operands have one type.
    Example: `%c = kiln.compare lt %x, %y : tensor<4xf32> -> tensor<4xi1>`.
  }];
  let arguments = (ins Kiln_Predicate:$predicate, Kiln_OrderedTensor:$lhs, Kiln_OrderedTensor:$rhs);
  let results = (outs Kiln_BoolTensor:$result);
  let assemblyFormat = "$predicate $lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
}

def Kiln_SelectOp : Kiln_Elementwise<"select", [AllTypesMatch<["onTrue", "onFalse", "result"]>]> {
  let cost = "Move";
  let summary = "condition ? onTrue : onFalse, element by element.";
  let description = [{
    Both arms are values: an error in the one not taken is still an error. Moves
    bits: denormals stay.
    Constraints: shape_c1; select_c1: the arms have the result's type.
    Example: `%r = kiln.select %c, %x, %y : tensor<4xi1>, tensor<4xf32>`.
  }];
  let arguments = (ins Kiln_BoolTensor:$condition, Kiln_AnyTensor:$onTrue, Kiln_AnyTensor:$onFalse);
  let results = (outs Kiln_AnyTensor:$result);
  let assemblyFormat = "$condition `,` $onTrue `,` $onFalse attr-dict `:` type($condition) `,` type($result)";
}

def Kiln_CastOp : Kiln_Elementwise<"cast"> {
  let cost = "Move";
  let summary = "Converts the element type.";
  let description = [{
    To bool: x != 0, so that NaN is true. From bool: 0 or 1. Between integers:
    wraps. To a float: rounds to nearest even; bf16 has one NaN of each sign.
    Float to integer: towards zero; what is out of range, and NaN, as
    TensorFlow's kernels have it on x86: i32 and i64 give the smallest integer,
    narrower types wrap that of i32, ui32 wraps that of i64, ui64 has 0 to 2^64
    and wraps that of i64 otherwise.
    Constraints: shape_c1; cast_c1: f16 and bf16 are converted from and to f32
    alone: TensorFlow rounds other types to f32 first.
    Example: `%r = kiln.cast %x : tensor<4xi32> -> tensor<4xf32>`.
  }];
  let arguments = (ins Kiln_Tensor:$operand);
  let results = (outs Kiln_Tensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
}

// A complex number of two f32 is an i64, one of two f64 an i128, which only these ops take apart and put together.
class Kiln_PartOp<string mnemonic, string part> : Kiln_Elementwise<mnemonic> {
  let cost = "Move";
  let summary = "The " # part # " part of complex numbers.";
  let description = [{
    Element by element; a complex number lies in memory as its real part and,
    behind it, its imaginary part. Moves bits: denormals stay.
    Constraints: shape_c1; part_c1: i64 has parts of f32, i128 of f64.
    Example: `%r = kiln.}] # mnemonic # [{ %z : tensor<4xi64> -> tensor<4xf32>`.
  }];
  let arguments = (ins Kiln_ComplexTensor:$operand);
  let results = (outs Kiln_FloatTensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}
def Kiln_RealOp : Kiln_PartOp<"real", "real">;
def Kiln_ImagOp : Kiln_PartOp<"imag", "imaginary">;

def Kiln_ComplexOp : Kiln_Elementwise<"complex", [AllTypesMatch<["real", "imag"]>]> {
  let cost = "Move";
  let summary = "Complex numbers of real and imaginary parts.";
  let description = [{
    Element by element, as `real` and `imag` take them apart.
    Constraints: shape_c1; complex_c1: f32 makes i64, f64 makes i128.
    Example: `%z = kiln.complex %re, %im : tensor<4xf32> -> tensor<4xi64>`.
  }];
  let arguments = (ins Kiln_FloatTensor:$real, Kiln_FloatTensor:$imag);
  let results = (outs Kiln_ComplexTensor:$result);
  let assemblyFormat = "$real `,` $imag attr-dict `:` type($real) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif // KILN_DIALECT_ELEMENTWISE
