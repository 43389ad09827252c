// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that work element by element on tensors of one shape.

#ifndef KILN_DIALECT_ELEMENTWISE
#define KILN_DIALECT_ELEMENTWISE

include "dialect/Base.td"

class Kiln_Elementwise<string mnemonic, list<Trait> traits = []>
    : Kiln_Op<mnemonic, !listconcat([Pure, Elementwise], traits)>;

class Kiln_UnaryOp<string mnemonic, Type tensor, string meaning>
    : Kiln_Elementwise<mnemonic, [SameOperandsAndResultType]> {
  let summary = meaning;
  let arguments = (ins tensor:$operand);
  let results = (outs tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

class Kiln_BinaryOp<string mnemonic, Type tensor, string meaning, list<Trait> traits = []>
    : Kiln_Elementwise<mnemonic, !listconcat([SameOperandsAndResultType], traits)> {
  let summary = meaning;
  let arguments = (ins tensor:$lhs, tensor:$rhs);
  let results = (outs tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

def Kiln_NegOp : Kiln_UnaryOp<"neg", Kiln_NumberTensor, "-x; integers wrap.">;
def Kiln_AbsOp : Kiln_UnaryOp<"abs", Kiln_NumberTensor, "|x|; integers wrap.">;
def Kiln_SignOp : Kiln_UnaryOp<"sign", Kiln_NumberTensor, "-1, 0 or 1 with the sign of x; NaN stays, a zero keeps its sign.">;
def Kiln_SqrtOp : Kiln_UnaryOp<"sqrt", Kiln_FloatTensor, "The square root, correctly rounded.">;
def Kiln_RsqrtOp : Kiln_UnaryOp<"rsqrt", Kiln_FloatTensor, "1 / sqrt(x).">;
def Kiln_ExpOp : Kiln_UnaryOp<"exp", Kiln_FloatTensor, "e to the x.">;
def Kiln_Expm1Op : Kiln_UnaryOp<"expm1", Kiln_FloatTensor, "e to the x, less 1, accurate near 0.">;
def Kiln_LogOp : Kiln_UnaryOp<"log", Kiln_FloatTensor, "The natural logarithm.">;
def Kiln_Log1pOp : Kiln_UnaryOp<"log1p", Kiln_FloatTensor, "log(1 + x), accurate near 0.">;
def Kiln_SinOp : Kiln_UnaryOp<"sin", Kiln_FloatTensor, "The sine, reduced exactly for large x.">;
def Kiln_CosOp : Kiln_UnaryOp<"cos", Kiln_FloatTensor, "The cosine, reduced exactly for large x.">;
def Kiln_TanOp : Kiln_UnaryOp<"tan", Kiln_FloatTensor, "The tangent.">;
def Kiln_AtanOp : Kiln_UnaryOp<"atan", Kiln_FloatTensor, "The arc tangent.">;
def Kiln_SinhOp : Kiln_UnaryOp<"sinh", Kiln_FloatTensor, "The hyperbolic sine.">;
def Kiln_CoshOp : Kiln_UnaryOp<"cosh", Kiln_FloatTensor, "The hyperbolic cosine.">;
def Kiln_TanhOp : Kiln_UnaryOp<"tanh", Kiln_FloatTensor, "The hyperbolic tangent.">;
def Kiln_SigmoidOp : Kiln_UnaryOp<"sigmoid", Kiln_FloatTensor, "1 / (1 + exp(-x)).">;
def Kiln_SoftplusOp : Kiln_UnaryOp<"softplus", Kiln_FloatTensor, "log(1 + exp(x)).">;
def Kiln_ErfOp : Kiln_UnaryOp<"erf", Kiln_FloatTensor, "The error function.">;
def Kiln_FloorOp : Kiln_UnaryOp<"floor", Kiln_FloatTensor, "The largest integer not above x.">;
def Kiln_CeilOp : Kiln_UnaryOp<"ceil", Kiln_FloatTensor, "The smallest integer not below x.">;
def Kiln_RoundEvenOp : Kiln_UnaryOp<"round_even", Kiln_FloatTensor, "The nearest integer, ties to even.">;
def Kiln_NotOp : Kiln_UnaryOp<"not", Kiln_BoolTensor, "Logical negation.">;

def Kiln_AddOp : Kiln_BinaryOp<"add", Kiln_NumberTensor, "x + y; integers wrap.", [Commutative]>;
def Kiln_SubOp : Kiln_BinaryOp<"sub", Kiln_NumberTensor, "x - y; integers wrap.">;
def Kiln_MulOp : Kiln_BinaryOp<"mul", Kiln_NumberTensor, "x * y; integers wrap.", [Commutative]>;
def Kiln_DivOp : Kiln_BinaryOp<"div", Kiln_NumberTensor, "x / y; integers round towards zero, and a zero divisor is an error of the run.">;
def Kiln_RemOp : Kiln_BinaryOp<"rem", Kiln_NumberTensor, "x - y * trunc(x / y); a zero integer divisor is an error of the run.">;
def Kiln_FloorDivOp : Kiln_BinaryOp<"floor_div", Kiln_NumberTensor, "floor(x / y); a zero integer divisor is an error of the run.">;
def Kiln_FloorModOp : Kiln_BinaryOp<"floor_mod", Kiln_NumberTensor, "x - y * floor(x / y), with the sign of y; a zero integer divisor is an error of the run.">;
def Kiln_MaxOp : Kiln_BinaryOp<"max", Kiln_NumberTensor, "The larger; x where either is NaN or both are equal: x > y ? x : y with a NaN of x or y kept.", [Commutative]>;
def Kiln_MinOp : Kiln_BinaryOp<"min", Kiln_NumberTensor, "The smaller, with NaN kept.", [Commutative]>;
def Kiln_PowOp : Kiln_BinaryOp<"pow", Kiln_NumberTensor, "x to the y; a negative integer exponent is an error of the run.">;
def Kiln_AndOp : Kiln_BinaryOp<"and", Kiln_BoolTensor, "Logical and.", [Commutative]>;
def Kiln_OrOp : Kiln_BinaryOp<"or", Kiln_BoolTensor, "Logical or.", [Commutative]>;

def Kiln_Predicate : I32EnumAttr<"Predicate", "how two numbers compare", [
    I32EnumAttrCase<"eq", 0>, I32EnumAttrCase<"ne", 1>, I32EnumAttrCase<"lt", 2>,
    I32EnumAttrCase<"le", 3>, I32EnumAttrCase<"gt", 4>, I32EnumAttrCase<"ge", 5>]> {
  let cppNamespace = "::kiln::ir";
}

def Kiln_CompareOp : Kiln_Elementwise<"compare", [SameTypeOperands, SameOperandsAndResultShape]> {
  let summary = "Compares element by element; with a NaN only `ne` holds.";
  let arguments = (ins Kiln_Predicate:$predicate, Kiln_Tensor:$lhs, Kiln_Tensor:$rhs);
  let results = (outs Kiln_BoolTensor:$result);
  let assemblyFormat = "$predicate $lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
}

def Kiln_SelectOp : Kiln_Elementwise<"select", [SameOperandsAndResultShape, AllTypesMatch<["onTrue", "onFalse", "result"]>]> {
  let summary = "condition ? onTrue : onFalse, element by element.";
  let arguments = (ins Kiln_BoolTensor:$condition, Kiln_Tensor:$onTrue, Kiln_Tensor:$onFalse);
  let results = (outs Kiln_Tensor:$result);
  let assemblyFormat = "$condition `,` $onTrue `,` $onFalse attr-dict `:` type($condition) `,` type($result)";
}

def Kiln_CastOp : Kiln_Elementwise<"cast", [SameOperandsAndResultShape]> {
  let summary = "Converts the element type.";
  let description = [{
    To bool: x != 0. From bool: 0 or 1. Between integers: wraps. Float to
    integer: towards zero; NaN and values out of range give the smallest
    integer, as x86 and TensorFlow do.
  }];
  let arguments = (ins Kiln_Tensor:$operand);
  let results = (outs Kiln_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
}

#endif // KILN_DIALECT_ELEMENTWISE
