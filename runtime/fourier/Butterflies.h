// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One stage of a transform: for each row p, and each of `count` numbers of it,
// the sums of `factor` numbers that lie `rows` rows apart, times a power of the
// row's root of unity. Written once, compiled for each class of processors.
#ifndef KILN_RUNTIME_FOURIER_BUTTERFLIES_H
#define KILN_RUNTIME_FOURIER_BUTTERFLIES_H

#include "runtime/fourier/Plan.h"
#include "runtime/fourier/Roots.h"

namespace kiln::fourier {

/// What a stage reads and writes: x[(p + rows * k) * count + q] for k < factor
/// gives y[(p * factor + j) * count + q] for j < factor.
template <class T> struct StageCall {
  const T *__restrict xr, *__restrict xi;
  T *__restrict yr, *__restrict yi;
  const T *turnsReal, *turnsImag; ///< [p * (factor - 1) + j - 1]
  const T *rootsReal, *rootsImag; ///< of a general factor: exp(-2 pi i k / f)
  int64_t rows, count;
  int factor;
};

#define KILN_LOOP                                                              \
  _Pragma("clang loop vectorize(assume_safety) interleave(disable)")

/// A stage of a factor with a formula.
template <int factor, class T>
[[gnu::always_inline]] inline void runFactor(const StageCall<T> &call) {
  const int64_t count = call.count;
  for (int64_t p = 0; p < call.rows; ++p) {
    Number<T> turns[factor];
    for (int j = 1; j < factor; ++j)
      turns[j] = {call.turnsReal[p * (factor - 1) + j - 1],
                  call.turnsImag[p * (factor - 1) + j - 1]};
    const T *xr = call.xr + p * count, *xi = call.xi + p * count;
    T *yr = call.yr + p * factor * count, *yi = call.yi + p * factor * count;
    const int64_t apart = call.rows * count;
    KILN_LOOP
    for (int64_t q = 0; q < count; ++q) {
      Number<T> x[factor];
      for (int k = 0; k < factor; ++k)
        x[k] = {xr[k * apart + q], xi[k * apart + q]};
      sumWithRoots<factor, T>(x);
      yr[q] = x[0].r;
      yi[q] = x[0].i;
      for (int j = 1; j < factor; ++j) {
        Number<T> y = x[j] * turns[j];
        yr[j * count + q] = y.r;
        yi[j * count + q] = y.i;
      }
    }
  }
}

/// A stage of any factor: a sum for each result.
template <class T>
[[gnu::always_inline]] inline void runAnyFactor(const StageCall<T> &call) {
  const int64_t count = call.count, apart = call.rows * count;
  const int factor = call.factor;
  for (int64_t p = 0; p < call.rows; ++p)
    for (int j = 0; j < factor; ++j) {
      const T *xr = call.xr + p * count, *xi = call.xi + p * count;
      T *yr = call.yr + (p * factor + j) * count,
        *yi = call.yi + (p * factor + j) * count;
      Number<T> turn = {1, 0};
      if (j > 0)
        turn = {call.turnsReal[p * (factor - 1) + j - 1],
                call.turnsImag[p * (factor - 1) + j - 1]};
      KILN_LOOP
      for (int64_t q = 0; q < count; ++q) {
        yr[q] = 0;
        yi[q] = 0;
      }
      for (int k = 0; k < factor; ++k) {
        const int root = j * k % factor;
        const Number<T> factorOf =
            Number<T>{call.rootsReal[root], call.rootsImag[root]} * turn;
        KILN_LOOP
        for (int64_t q = 0; q < count; ++q) {
          const T r = xr[k * apart + q], i = xi[k * apart + q];
          yr[q] += r * factorOf.r - i * factorOf.i;
          yi[q] += r * factorOf.i + i * factorOf.r;
        }
      }
    }
}

template <class T>
[[gnu::always_inline]] inline void runStageOf(const StageCall<T> &call) {
  switch (call.factor) {
  case 2:
    return runFactor<2>(call);
  case 3:
    return runFactor<3>(call);
  case 4:
    return runFactor<4>(call);
  case 5:
    return runFactor<5>(call);
  case 8:
    return runFactor<8>(call);
  default:
    return runAnyFactor(call);
  }
}

/// x times the turns, with rows and columns exchanged: x has `height` rows of
/// `width` numbers.
template <class T>
[[gnu::always_inline]] inline void
turnAndTransposeOf(const Split<T> &x, const T *turnsReal, const T *turnsImag,
                   const Split<T> &y, int64_t height, int64_t width) {
  constexpr int64_t block = 8;
  for (int64_t row = 0; row < height; row += block)
    for (int64_t column = 0; column < width; column += block) {
      const int64_t rows = height - row < block ? height - row : block,
                    columns = width - column < block ? width - column : block;
      if (rows == block && columns == block) {
        T real[block][block], imag[block][block];
        for (int64_t i = 0; i < block; ++i) {
          const int64_t at = (row + i) * width + column;
          for (int64_t j = 0; j < block; ++j) {
            const T r = x.real[at + j], m = x.imag[at + j];
            const T tr = turnsReal[at + j], ti = turnsImag[at + j];
            real[i][j] = r * tr - m * ti;
            imag[i][j] = r * ti + m * tr;
          }
        }
        for (int64_t j = 0; j < block; ++j)
          for (int64_t i = 0; i < block; ++i) {
            y.real[(column + j) * height + row + i] = real[i][j];
            y.imag[(column + j) * height + row + i] = imag[i][j];
          }
        continue;
      }
      for (int64_t i = row; i < row + rows; ++i)
        for (int64_t j = column; j < column + columns; ++j) {
          const int64_t at = i * width + j;
          const T r = x.real[at], m = x.imag[at];
          y.real[j * height + i] = r * turnsReal[at] - m * turnsImag[at];
          y.imag[j * height + i] = r * turnsImag[at] + m * turnsReal[at];
        }
    }
}

/// x with rows and columns exchanged.
template <class T>
[[gnu::always_inline]] inline void transposeOf(const T *__restrict x,
                                               T *__restrict y, int64_t height,
                                               int64_t width) {
  constexpr int64_t block = 8;
  int64_t row = 0;
  for (; row + block <= height; row += block)
    for (int64_t column = 0; column < width; ++column)
      for (int64_t i = 0; i < block; ++i)
        y[column * height + row + i] = x[(row + i) * width + column];
  for (; row < height; ++row)
    for (int64_t column = 0; column < width; ++column)
      y[column * height + row] = x[row * width + column];
}

/// Row k of x, of `lanes` numbers, times factor k.
template <class T>
[[gnu::always_inline]] inline void
multiplyOf(const Split<T> &x, const T *__restrict factorsReal,
           const T *__restrict factorsImag, const Split<T> &y, int64_t rows,
           int64_t lanes) {
  const T *xr = x.real, *xi = x.imag;
  T *yr = y.real, *yi = y.imag;
  if (lanes == 1) {
    KILN_LOOP
    for (int64_t k = 0; k < rows; ++k) {
      const Number<T> product =
          Number<T>{xr[k], xi[k]} * Number<T>{factorsReal[k], factorsImag[k]};
      yr[k] = product.r;
      yi[k] = product.i;
    }
    return;
  }
  for (int64_t k = 0; k < rows; ++k) {
    const Number<T> factor = {factorsReal[k], factorsImag[k]};
    KILN_LOOP
    for (int64_t i = k * lanes; i < (k + 1) * lanes; ++i) {
      const Number<T> product = Number<T>{xr[i], xi[i]} * factor;
      yr[i] = product.r;
      yi[i] = product.i;
    }
  }
}

#undef KILN_LOOP

/// The functions above, for this processor.
template <class T> struct Loops {
  void (*runStage)(const StageCall<T> &);
  void (*turnAndTranspose)(const Split<T> &, const T *, const T *,
                           const Split<T> &, int64_t, int64_t);
  void (*transpose)(const Split<T> &, const Split<T> &, int64_t, int64_t);
  void (*multiply)(const Split<T> &, const T *, const T *, const Split<T> &,
                   int64_t, int64_t);
  void (*split)(const T *pairs, const Split<T> &, int64_t count);
  void (*join)(const Split<T> &, T *pairs, int64_t count, T factor);
};
template <class T> const Loops<T> &loops();

} // namespace kiln::fourier

#endif // KILN_RUNTIME_FOURIER_BUTTERFLIES_H
