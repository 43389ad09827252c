// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elementary functions, written once over a type of operations: the
// evaluator instantiates them with numbers, the compiler with a builder of IR,
// so that both give the same bits.
//
// An Ops type has
//   types Float, Int (a lane as wide as Float's), Bool;  static constexpr int
//   kBits = 32 or 64; Float constant(double), Int iconstant(int64_t); add sub
//   mul div neg abs sqrt floor roundEven, fma(a, b, c) = a * b + c rounded
//   once; lt le gt ge eq ne (Float, Float) -> Bool, false for NaN except ne;
//   unordered(a): a is NaN; select(Bool, Float, Float), selectInt(Bool, Int,
//   Int), band bor bnot on Bool; bitsOf(Float) -> Int and floatOf(Int) -> Float
//   keep the bits; toInt(Float) truncates a value that is in range;
//   fromInt(Int) rounds to nearest; iadd isub imul wrap; umulHigh: the upper
//   half of the unsigned product; iurem: unsigned remainder; iand ior ixor; shl
//   lshr ashr by an amount in [0, kBits); icmpEq icmpLt (signed) icmpUlt
//   (unsigned) -> Bool.
// Ops are evaluated one by one: only fma fuses (scalar code:
// -ffp-contract=off), no operation may be reassociated.
//
// How accurate they are stands in runtime/elementary/README.md, measured over
// all floats. f64 has coefficients of its own.
//
// Denormals count as zeros of their sign, as in TensorFlow's threads: a result
// below the smallest normal number may be that zero, log takes a denormal for
// 0. So the bits do not depend on whether the processor flushes, but for
// results that are denormal.
//
// Everything is free of branches and tables, for vectors; at most one division
// in exp, expm1, log, tanh, sigmoid and erf.
#ifndef KILN_RUNTIME_ELEMENTARY_ELEMENTARY_H
#define KILN_RUNTIME_ELEMENTARY_ELEMENTARY_H

#include "runtime/elementary/ErrorFunction.h"
#include "runtime/elementary/Exponential.h"
#include "runtime/elementary/InverseHyperbolic.h"
#include "runtime/elementary/InverseTrigonometry.h"
#include "runtime/elementary/Logarithm.h"
#include "runtime/elementary/Power.h"
#include "runtime/elementary/Trigonometry.h"

namespace kiln::elementary {

enum class ElementaryFunction {
#define KILN_ELEMENTARY_UNARY(Enum, Name) Enum,
#define KILN_ELEMENTARY_BINARY(Enum, Name) Enum,
#include "runtime/elementary/Elementary.def"
};

/// How many arguments the function takes: 1 or 2.
constexpr int arity(ElementaryFunction function) {
  switch (function) {
#define KILN_ELEMENTARY_UNARY(Enum, Name)                                      \
  case ElementaryFunction::Enum:                                               \
    return 1;
#define KILN_ELEMENTARY_BINARY(Enum, Name)                                     \
  case ElementaryFunction::Enum:                                               \
    return 2;
#include "runtime/elementary/Elementary.def"
  }
  return 0;
}

/// The function's name in this namespace, e.g. "exp".
constexpr const char *name(ElementaryFunction function) {
  switch (function) {
#define KILN_ELEMENTARY_UNARY(Enum, Name)                                      \
  case ElementaryFunction::Enum:                                               \
    return #Name;
#define KILN_ELEMENTARY_BINARY(Enum, Name)                                     \
  case ElementaryFunction::Enum:                                               \
    return #Name;
#include "runtime/elementary/Elementary.def"
  }
  return "";
}

} // namespace kiln::elementary

#endif // KILN_RUNTIME_ELEMENTARY_ELEMENTARY_H
