// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elementary functions on numbers and arrays of them, for the evaluator.
//
// FMA: an array function is compiled three times (AVX-512, AVX2 with FMA, plain
// x86-64) and chosen once, by the processor; the plain one calls libm's fma,
// correct and slow. So no file of Kiln needs processor flags.
// All variants give the same bits, since all of Kiln is compiled with
// -ffp-contract=off, and are vectorized, since it is with -fno-math-errno.
//
// Thread safety: everything here may be called from any thread.
#ifndef KILN_RUNTIME_ELEMENTARY_ELEMENTARYSCALAR_H
#define KILN_RUNTIME_ELEMENTARY_ELEMENTARYSCALAR_H

#include "runtime/elementary/Elementary.h"
#include "runtime/elementary/ScalarOps.h"

#include <cstdint>

namespace kiln::elementary {

/// The loops of evaluate() on this processor: code that calls one often finds
/// it once.
template <class T> using UnaryLoop = void (*)(const T *, T *, int64_t);
template <class T>
using BinaryLoop = void (*)(const T *, const T *, T *, int64_t);
template <class T> UnaryLoop<T> unaryLoop(ElementaryFunction function);
template <class T> BinaryLoop<T> binaryLoop(ElementaryFunction function);

/// y[i] = function(x[i]) for a function of one argument. y may be x.
void evaluate(ElementaryFunction function, const float *x, float *y,
              int64_t count);
void evaluate(ElementaryFunction function, const double *x, double *y,
              int64_t count);

/// z[i] = function(x[i], y[i]) for a function of two. z may be x or y.
void evaluate(ElementaryFunction function, const float *x, const float *y,
              float *z, int64_t count);
void evaluate(ElementaryFunction function, const double *x, const double *y,
              double *z, int64_t count);

namespace scalar {

#define KILN_ELEMENTARY_UNARY(Enum, Name)                                      \
  float Name(float x);                                                         \
  double Name(double x);
#define KILN_ELEMENTARY_BINARY(Enum, Name)                                     \
  float Name(float x, float y);                                                \
  double Name(double x, double y);
#include "runtime/elementary/Elementary.def"

} // namespace scalar

} // namespace kiln::elementary

#endif // KILN_RUNTIME_ELEMENTARY_ELEMENTARYSCALAR_H
