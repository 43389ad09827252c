// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the error of the elementary functions in units in the last place:
// every f32 argument against libmvec's double functions (its worst case again
// against libm), f64 and pow on random arguments against long double.
//
//   kiln-elementary-ulp [--stride N] [--flush] [--samples N] [function...]
//
// --stride N looks at every Nth float only (1: all 2^32, about half a minute a
// function); --flush sets the processor to flush denormals while a function
// runs. Prints one line a function; the exit status is 1 where a bound of
// DESIGN.md "Numbers" is passed. x86-64 with AVX2 and glibc only.
#include "runtime/ElementaryScalar.h"

#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

using namespace kiln;
using namespace kiln::elementary;

#define KILN_LIBMVEC(F) extern "C" __m256d _ZGVdN4v_##F(__m256d);
KILN_LIBMVEC(acos)
KILN_LIBMVEC(acosh)
KILN_LIBMVEC(asin)
KILN_LIBMVEC(asinh)
KILN_LIBMVEC(atan)
KILN_LIBMVEC(atanh)
KILN_LIBMVEC(cosh)
KILN_LIBMVEC(erf)
KILN_LIBMVEC(erfc)
KILN_LIBMVEC(exp)
KILN_LIBMVEC(expm1)
KILN_LIBMVEC(log)
KILN_LIBMVEC(log1p)
KILN_LIBMVEC(sinh)
KILN_LIBMVEC(tanh)
#undef KILN_LIBMVEC

namespace {

constexpr int kBlock = 4096;

struct Options {
  uint64_t stride = 1;
  int64_t samples = 2'000'000;
  bool flush = false;
};

/// One function: its bound for f32, and references for four doubles and one
/// long double. libmvec is slow where an argument of sin, cos or tan is large;
/// there the first reference is our own function for f64, which the random
/// arguments compare with long double.
struct Subject {
  ElementaryFunction function;
  double bound;
  __m256d (*fast)(__m256d);
  long double (*exact)(long double);
};

__m256d sigmoid4(__m256d x) {
  __m256d one = _mm256_set1_pd(1);
  return _mm256_div_pd(
      one,
      _mm256_add_pd(one, _ZGVdN4v_exp(_mm256_sub_pd(_mm256_setzero_pd(), x))));
}
__m256d softplus4(__m256d x) {
  __m256d zero = _mm256_setzero_pd();
  __m256d minusAbs = _mm256_or_pd(x, _mm256_set1_pd(-0.0));
  return _mm256_add_pd(_mm256_max_pd(zero, x),
                       _ZGVdN4v_log1p(_ZGVdN4v_exp(minusAbs)));
}
__m256d rsqrt4(__m256d x) {
  return _mm256_div_pd(_mm256_set1_pd(1), _mm256_sqrt_pd(x));
}
long double sigmoidExact(long double x) { return 1 / (1 + expl(-x)); }
long double softplusExact(long double x) {
  return x != x ? x : (x > 0 ? x : 0) + log1pl(expl(-fabsl(x)));
}
long double rsqrtExact(long double x) { return 1 / sqrtl(x); }

const Subject kSubjects[] = {
    {ElementaryFunction::Exp, 1, _ZGVdN4v_exp, expl},
    {ElementaryFunction::Log, 1, _ZGVdN4v_log, logl},
    {ElementaryFunction::Sin, 1, nullptr, sinl},
    {ElementaryFunction::Cos, 1, nullptr, cosl},
    {ElementaryFunction::Atan, 1, _ZGVdN4v_atan, atanl},
    {ElementaryFunction::Expm1, 1.5, _ZGVdN4v_expm1, expm1l},
    {ElementaryFunction::Log1p, 1.5, _ZGVdN4v_log1p, log1pl},
    {ElementaryFunction::Tanh, 1.5, _ZGVdN4v_tanh, tanhl},
    {ElementaryFunction::Tan, 2.5, nullptr, tanl},
    {ElementaryFunction::Sinh, 2.5, _ZGVdN4v_sinh, sinhl},
    {ElementaryFunction::Cosh, 2.5, _ZGVdN4v_cosh, coshl},
    {ElementaryFunction::Sigmoid, 2.5, sigmoid4, sigmoidExact},
    {ElementaryFunction::Erf, 2.5, _ZGVdN4v_erf, erfl},
    {ElementaryFunction::Rsqrt, 2.5, rsqrt4, rsqrtExact},
    {ElementaryFunction::Asin, 2, _ZGVdN4v_asin, asinl},
    {ElementaryFunction::Acos, 2, _ZGVdN4v_acos, acosl},
    {ElementaryFunction::Asinh, 2.5, _ZGVdN4v_asinh, asinhl},
    {ElementaryFunction::Acosh, 2.5, _ZGVdN4v_acosh, acoshl},
    {ElementaryFunction::Atanh, 2.5, _ZGVdN4v_atanh, atanhl},
    {ElementaryFunction::Erfc, 2, _ZGVdN4v_erfc, erfcl},
    {ElementaryFunction::Softplus, 2.5, softplus4, softplusExact},
};

/// |got - want| in units in the last place of T at `want`. A `want` that is
/// denormal counts as zero: any `got` that is no larger than the smallest
/// normal number is right.
template <class T, class Wide> double ulps(T got, Wide want) {
  constexpr int digits = std::numeric_limits<T>::digits;
  constexpr int minExponent = std::numeric_limits<T>::min_exponent;
  const Wide smallest = std::numeric_limits<T>::min();
  const Wide infinity =
      std::ldexp(Wide(1), std::numeric_limits<T>::max_exponent);
  if (want != want || got != got)
    return want != want && got != got ? 0 : INFINITY;
  if (std::fabs(want) < smallest)
    return std::fabs(Wide(got)) <= smallest ? 0 : INFINITY;
  bool gotInfinite = std::isinf(got);
  if (std::fabs(want) >= infinity)
    return gotInfinite && (got > 0) == (want > 0) ? 0 : INFINITY;
  Wide value = gotInfinite ? std::copysign(infinity, Wide(got)) : Wide(got);
  int exponent;
  std::frexp(want, &exponent);
  exponent = std::max(exponent, minExponent);
  return double(std::ldexp(std::fabs(value - want), digits - exponent));
}

struct Worst {
  double ulps = 0;
  double argument = 0, second = 0;
  void note(double error, double x, double y = 0) {
    if (!(error <= ulps))
      *this = {error, x, y};
  }
};

/// Evaluates with or without flushing of denormals.
template <class... Arguments>
void run(const Options &options, Arguments... arguments) {
  unsigned old = _mm_getcsr();
  if (options.flush)
    _mm_setcsr(old | 0x8040);
  evaluate(arguments...);
  _mm_setcsr(old);
}

Worst everyFloat(const Subject &subject, const Options &options) {
  alignas(64) static float x[kBlock], y[kBlock];
  alignas(64) static double wide[kBlock], want[kBlock];
  Worst worst;
  for (uint64_t bits = 0; bits < (uint64_t(1) << 32);) {
    int count = 0;
    for (; count < kBlock && bits < (uint64_t(1) << 32);
         bits += options.stride) {
      float value = std::bit_cast<float>(uint32_t(bits));
      bool isDenormal = value != 0 && std::fabs(value) < 0x1p-126f;
      x[count++] = isDenormal ? std::copysign(0.0f, value) : value;
    }
    for (int i = 0; i < count; ++i)
      wide[i] = x[i];
    run(options, subject.function, static_cast<const float *>(x), y, count);
    if (subject.fast)
      for (int i = 0; i < kBlock; i += 4)
        _mm256_store_pd(want + i, subject.fast(_mm256_load_pd(wide + i)));
    else
      evaluate(subject.function, static_cast<const double *>(wide), want,
               count);
    for (int i = 0; i < count; ++i) {
      // The common case cheaply; what might be a new worst case exactly.
      double unit = std::bit_cast<double>(
          (std::bit_cast<uint64_t>(want[i]) & 0x7ff0000000000000) -
          (uint64_t(23) << 52));
      if (std::fabs(y[i] - want[i]) <= worst.ulps * unit ||
          y[i] == float(want[i]) || (y[i] != y[i] && want[i] != want[i]))
        continue;
      worst.note(ulps(y[i], double(subject.exact(wide[i]))), wide[i]);
    }
  }
  return worst;
}

/// Random arguments of the given type: bit patterns half of the time, else
/// numbers around 1.
template <class T> T randomArgument(std::mt19937_64 &random) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  T value = std::bit_cast<T>(Bits(random()));
  if (random() % 2)
    value = std::normal_distribution<T>(0, random() % 4 ? 3 : 100)(random);
  return value != 0 && std::fabs(value) < std::numeric_limits<T>::min() ? 0
                                                                        : value;
}

Worst randomDoubles(const Subject &subject, const Options &options) {
  std::mt19937_64 random(1);
  std::vector<double> x(kBlock), y(kBlock);
  Worst worst;
  for (int64_t done = 0; done < options.samples; done += kBlock) {
    for (double &value : x)
      value = randomArgument<double>(random);
    run(options, subject.function, static_cast<const double *>(x.data()),
        y.data(), kBlock);
    for (int i = 0; i < kBlock; ++i)
      worst.note(ulps(y[i], subject.exact(x[i])), x[i]);
  }
  return worst;
}

template <class T> Worst randomPowers(const Options &options) {
  std::mt19937_64 random(2);
  std::vector<T> x(kBlock), y(kBlock), z(kBlock);
  Worst worst;
  for (int64_t done = 0; done < options.samples * 4; done += kBlock) {
    for (int i = 0; i < kBlock; ++i) {
      x[i] = randomArgument<T>(random);
      y[i] = randomArgument<T>(random);
      if (random() % 2) { // a result that neither overflows nor vanishes
        T range =
            std::numeric_limits<T>::max_exponent / std::log2(std::fabs(x[i]));
        y[i] = std::uniform_real_distribution<T>(-1, 1)(random) * range;
        if (random() % 4 == 0)
          y[i] = std::floor(y[i]);
      }
    }
    run(options, ElementaryFunction::Pow, static_cast<const T *>(x.data()),
        static_cast<const T *>(y.data()), z.data(), kBlock);
    for (int i = 0; i < kBlock; ++i)
      worst.note(ulps(z[i], powl(x[i], y[i])), x[i], y[i]);
  }
  return worst;
}

bool report(const char *name, const char *type, const Worst &worst,
            double bound, double seconds) {
  bool isGood = worst.ulps <= bound;
  std::printf("%-9s %s %8.4f ulp (bound %.1f) at %a%s%s  %.1f s%s\n", name,
              type, worst.ulps, bound, worst.argument, worst.second ? ", " : "",
              worst.second ? std::to_string(worst.second).c_str() : "", seconds,
              isGood ? "" : "  TOO LARGE");
  std::fflush(stdout);
  return isGood;
}

template <class F> auto timed(F &&body, double &seconds) {
  auto start = std::chrono::steady_clock::now();
  auto result = body();
  seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return result;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  std::vector<std::string> names;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--stride") && i + 1 < argc)
      options.stride = std::max(1ull, std::strtoull(argv[++i], nullptr, 0));
    else if (!std::strcmp(argv[i], "--samples") && i + 1 < argc)
      options.samples = std::strtoll(argv[++i], nullptr, 0);
    else if (!std::strcmp(argv[i], "--flush"))
      options.flush = true;
    else
      names.push_back(argv[i]);
  }
  auto wanted = [&](const char *name) {
    return names.empty() ||
           std::find(names.begin(), names.end(), name) != names.end();
  };
  std::printf("variant %s, stride %llu%s\n", variantName(),
              (unsigned long long)options.stride,
              options.flush ? ", denormals flushed" : "");
  bool isGood = true;
  double seconds = 0;
  for (const Subject &subject : kSubjects) {
    const char *functionName = name(subject.function);
    if (!wanted(functionName))
      continue;
    Worst worst = timed([&] { return everyFloat(subject, options); }, seconds);
    isGood &= report(functionName, "f32", worst, subject.bound, seconds);
    worst = timed([&] { return randomDoubles(subject, options); }, seconds);
    isGood &= report(functionName, "f64", worst, 2.5, seconds);
  }
  if (wanted("pow")) {
    Worst worst = timed([&] { return randomPowers<float>(options); }, seconds);
    isGood &= report("pow", "f32", worst, 1.5, seconds);
    worst = timed([&] { return randomPowers<double>(options); }, seconds);
    isGood &= report("pow", "f64", worst, 2.5, seconds);
  }
  return isGood ? 0 : 1;
}
