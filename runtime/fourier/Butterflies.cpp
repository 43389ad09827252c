// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops of transforms, for each class of processors.
#include "runtime/fourier/Butterflies.h"

#include "runtime/arithmetic/CpuVariants.h"

namespace kiln::fourier {
namespace {

template <class T>
[[gnu::always_inline]] inline void splitOf(const T *pairs, const Split<T> &x,
                                           int64_t count) {
  T *__restrict real = x.real, *__restrict imag = x.imag;
  for (int64_t i = 0; i < count; ++i) {
    real[i] = pairs[2 * i];
    imag[i] = pairs[2 * i + 1];
  }
}
template <class T>
[[gnu::always_inline]] inline void
joinOf(const Split<T> &x, T *__restrict pairs, int64_t count, T factor) {
  for (int64_t i = 0; i < count; ++i) {
    pairs[2 * i] = x.real[i] * factor;
    pairs[2 * i + 1] = x.imag[i] * factor;
  }
}

#define KILN_VARIANT(Name, target)                                             \
  template <class T> target void runStage##Name(const StageCall<T> &call) {    \
    runStageOf(call);                                                          \
  }                                                                            \
  template <class T>                                                           \
  target void turnAndTranspose##Name(const Split<T> &x, const T *turnsReal,    \
                                     const T *turnsImag, const Split<T> &y,    \
                                     int64_t height, int64_t width) {          \
    turnAndTransposeOf(x, turnsReal, turnsImag, y, height, width);             \
  }                                                                            \
  template <class T>                                                           \
  target void transpose##Name(const Split<T> &x, const Split<T> &y,            \
                              int64_t height, int64_t width) {                 \
    transposeOf(x.real, y.real, height, width);                                \
    transposeOf(x.imag, y.imag, height, width);                                \
  }                                                                            \
  template <class T>                                                           \
  target void multiply##Name(const Split<T> &x, const T *factorsReal,          \
                             const T *factorsImag, const Split<T> &y,          \
                             int64_t rows, int64_t lanes) {                    \
    multiplyOf(x, factorsReal, factorsImag, y, rows, lanes);                   \
  }                                                                            \
  template <class T>                                                           \
  target void split##Name(const T *pairs, const Split<T> &x, int64_t count) {  \
    splitOf(pairs, x, count);                                                  \
  }                                                                            \
  template <class T>                                                           \
  target void join##Name(const Split<T> &x, T *pairs, int64_t count,           \
                         T factor) {                                           \
    joinOf(x, pairs, count, factor);                                           \
  }                                                                            \
  template <class T>                                                           \
  constexpr Loops<T> loops##Name = {                                           \
      &runStage##Name<T>,  &turnAndTranspose##Name<T>,                         \
      &transpose##Name<T>, &multiply##Name<T>,                                 \
      &split##Name<T>,     &join##Name<T>};
KILN_FOR_EACH_CPU_VARIANT(KILN_VARIANT)
#undef KILN_VARIANT

} // namespace

template <class T> const Loops<T> &loops() {
  switch (cpuVariant()) {
#define KILN_CASE(Name, target)                                                \
  case CpuVariant::Name:                                                       \
    return loops##Name<T>;
    KILN_FOR_EACH_CPU_VARIANT(KILN_CASE)
#undef KILN_CASE
  default:
    return loopsPlain<T>;
  }
}
template const Loops<float> &loops<float>();
template const Loops<double> &loops<double>();

} // namespace kiln::fourier
