// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of a few numbers with roots of unity, by formulas.
#ifndef KILN_RUNTIME_FOURIER_ROOTS_H
#define KILN_RUNTIME_FOURIER_ROOTS_H

namespace kiln::fourier {

/// A complex number in registers.
template <class T> struct Number {
  T r, i;
  [[gnu::always_inline]] friend Number operator+(Number a, Number b) {
    return {a.r + b.r, a.i + b.i};
  }
  [[gnu::always_inline]] friend Number operator-(Number a, Number b) {
    return {a.r - b.r, a.i - b.i};
  }
  [[gnu::always_inline]] friend Number operator*(Number a, Number b) {
    return {a.r * b.r - a.i * b.i, a.r * b.i + a.i * b.r};
  }
  [[gnu::always_inline]] Number times(T factor) const {
    return {r * factor, i * factor};
  }
  /// Times -i.
  [[gnu::always_inline]] Number turned() const { return {i, -r}; }
};

/// The sums of `factor` numbers with the roots of unity, by formulas.
template <class T>
[[gnu::always_inline]] inline void sumWithRoots2(Number<T> (&x)[2]) {
  Number<T> a = x[0], b = x[1];
  x[0] = a + b;
  x[1] = a - b;
}
template <class T>
[[gnu::always_inline]] inline void sumWithRoots3(Number<T> (&x)[3]) {
  constexpr T sine = T(0.866025403784438646763723170752936183L);
  Number<T> sum = x[1] + x[2];
  Number<T> middle = x[0] - sum.times(T(0.5));
  Number<T> side = (x[1] - x[2]).times(sine).turned();
  x[0] = x[0] + sum;
  x[1] = middle + side;
  x[2] = middle - side;
}
template <class T>
[[gnu::always_inline]] inline void sumWithRoots4(Number<T> (&x)[4]) {
  Number<T> even = x[0] + x[2], odd = x[1] + x[3];
  Number<T> evenRest = x[0] - x[2], oddRest = (x[1] - x[3]).turned();
  x[0] = even + odd;
  x[1] = evenRest + oddRest;
  x[2] = even - odd;
  x[3] = evenRest - oddRest;
}
template <class T>
[[gnu::always_inline]] inline void sumWithRoots5(Number<T> (&x)[5]) {
  constexpr T c1 = T(0.309016994374947424102293417182819059L),
              c2 = T(-0.809016994374947424102293417182819059L),
              s1 = T(0.951056516295153572116439333379382143L),
              s2 = T(0.587785252292473129168705954639072769L);
  Number<T> a = x[1] + x[4], b = x[2] + x[3];
  Number<T> c = x[1] - x[4], d = x[2] - x[3];
  Number<T> first = x[0] + a.times(c1) + b.times(c2),
            second = x[0] + a.times(c2) + b.times(c1);
  Number<T> firstSide = (c.times(s1) + d.times(s2)).turned(),
            secondSide = (c.times(s2) - d.times(s1)).turned();
  x[0] = x[0] + a + b;
  x[1] = first + firstSide;
  x[2] = second + secondSide;
  x[3] = second - secondSide;
  x[4] = first - firstSide;
}
template <class T>
[[gnu::always_inline]] inline void sumWithRoots8(Number<T> (&x)[8]) {
  constexpr T half = T(0.707106781186547524400844362104849039L);
  Number<T> even[4] = {x[0], x[2], x[4], x[6]},
            odd[4] = {x[1], x[3], x[5], x[7]};
  sumWithRoots4(even);
  sumWithRoots4(odd);
  odd[1] = Number<T>{odd[1].r + odd[1].i, odd[1].i - odd[1].r}.times(half);
  odd[2] = odd[2].turned();
  odd[3] = Number<T>{odd[3].i - odd[3].r, -odd[3].r - odd[3].i}.times(half);
  for (int k = 0; k < 4; ++k) {
    x[k] = even[k] + odd[k];
    x[k + 4] = even[k] - odd[k];
  }
}
template <int factor, class T>
[[gnu::always_inline]] inline void sumWithRoots(Number<T> (&x)[factor]) {
  if constexpr (factor == 2)
    sumWithRoots2(x);
  else if constexpr (factor == 3)
    sumWithRoots3(x);
  else if constexpr (factor == 4)
    sumWithRoots4(x);
  else if constexpr (factor == 8)
    sumWithRoots8(x);
  else
    sumWithRoots5(x);
}

} // namespace kiln::fourier

#endif // KILN_RUNTIME_FOURIER_ROOTS_H
