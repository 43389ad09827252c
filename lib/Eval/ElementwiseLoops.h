// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Typed loops over contiguous elements, chosen once an op.
#ifndef KILN_LIB_EVAL_ELEMENTWISELOOPS_H
#define KILN_LIB_EVAL_ELEMENTWISELOOPS_H

#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/Integers.h"
#include "runtime/abi/Abi.h"
#include "runtime/arithmetic/CpuVariants.h"

#include <cstdint>

namespace kiln::eval {

/// out[i] = op(ins[0][i], ins[1][i], ...) for i < count, or the error that an
/// element gives. `out` may be an input; it overlaps none otherwise.
using ElementLoop = ErrorKind (*)(const void *const *ins, void *out,
                                  int64_t count);

/// X(Name) for the functions of floats that are not elementary ones
/// (runtime/elementary/Elementary.def). The names are those of the ops of the
/// dialect.
#define KILN_FOR_EACH_UNARY_FLOAT(X)                                           \
  X(Neg) X(Abs) X(Sign) X(Sqrt) X(Floor) X(Ceil) X(RoundEven)
#define KILN_FOR_EACH_BINARY_FLOAT(X)                                          \
  X(Add)                                                                       \
  X(Sub) X(Mul) X(Max) X(Min) X(Div) X(Rem) X(FloorDiv) X(FloorMod)

enum class UnaryFloat : uint8_t {
#define KILN_NAME(Name) Name,
#define KILN_ELEMENTARY_UNARY(Enum, Name) Enum,
  KILN_FOR_EACH_UNARY_FLOAT(KILN_NAME)
#include "runtime/elementary/Elementary.def"
};
enum class BinaryFloat : uint8_t {
#define KILN_ELEMENTARY_BINARY(Enum, Name) Enum,
  KILN_FOR_EACH_BINARY_FLOAT(KILN_NAME)
#include "runtime/elementary/Elementary.def"
#undef KILN_NAME
};
/// Numbered as the dialect's.
enum class Predicate : uint8_t { Eq, Ne, Lt, Le, Gt, Ge };

/// The loop of a function with these element types; null where it has none.
ElementLoop unaryLoop(UnaryFloat function, DType type);
ElementLoop binaryLoop(BinaryFloat function, DType type);
ElementLoop integerLoop(IntegerFunction function, DType type);
ElementLoop compareLoop(Predicate predicate, DType operand);
ElementLoop selectLoop(DType type);
/// A select behind the comparison that is its condition: the inputs are those
/// of the comparison, then the other two of the select. For floats of one type.
ElementLoop comparedSelectLoop(Predicate predicate, DType compared,
                               DType selected);
ElementLoop castLoop(DType from, DType to);
/// The real or imaginary parts of complex numbers, and those made of them.
ElementLoop partLoop(bool isImaginary, DType part);
ElementLoop complexLoop(DType part);

/// Each element is read before it is written, so the result may be an operand.
#define KILN_MAP_LOOP _Pragma("clang loop vectorize(assume_safety)")

/// The loop over one operand with a stateless function.
template <class In, class Out, class Function>
[[gnu::always_inline]] inline ErrorKind mapUnary(const void *const *ins,
                                                 void *out, int64_t count) {
  const In *x = static_cast<const In *>(ins[0]);
  Out *result = static_cast<Out *>(out);
  KILN_MAP_LOOP
  for (int64_t i = 0; i < count; ++i)
    result[i] = Function()(x[i]);
  return ErrorKind::None;
}

/// The loop over two operands with a stateless function.
template <class In, class Out, class Function>
[[gnu::always_inline]] inline ErrorKind mapBinary(const void *const *ins,
                                                  void *out, int64_t count) {
  const In *x = static_cast<const In *>(ins[0]);
  const In *y = static_cast<const In *>(ins[1]);
  Out *result = static_cast<Out *>(out);
  KILN_MAP_LOOP
  for (int64_t i = 0; i < count; ++i)
    result[i] = Function()(x[i], y[i]);
  return ErrorKind::None;
}

/// An inlined loop once more, for wide vectors.
template <ElementLoop loop>
KILN_TARGET_WIDE ErrorKind wide(const void *const *ins, void *out,
                                int64_t count) {
  return loop(ins, out, count);
}
/// The variant of a loop for this processor.
template <ElementLoop loop> ElementLoop bestVariant() {
  return isWideCpu() ? &wide<loop> : loop;
}

} // namespace kiln::eval

#endif // KILN_LIB_EVAL_ELEMENTWISELOOPS_H
