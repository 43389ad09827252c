// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables of functions; libmvec's vector functions are the fast references,
// libm's long double ones decide.
#include "bench/elementary/Subjects.h"

#include "kiln/Ops.h"

#include <algorithm>
#include <cmath>
#include <limits>

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
extern "C" __m256d _ZGVdN4vv_atan2(__m256d, __m256d);
extern "C" __m256d _ZGVdN4vv_pow(__m256d, __m256d);

namespace kiln::bench {
namespace {

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

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double halfPi = 0x1.921fb6p+0; // as f32

// The bounds are those that docs/architecture.md promises under "Numbers", and
// stricter ones.
const Subject unarySubjects[] = {
    {"Exp", 1, 1, true, 0, inf, _ZGVdN4v_exp, expl},
    {"Log", 1, 1, true, -inf, inf, _ZGVdN4v_log, logl},
    {"Sin", 1, 1, false, -1, 1, nullptr, sinl},
    {"Cos", 1, 1, false, -1, 1, nullptr, cosl},
    {"Atan", 1, 1, true, -halfPi, halfPi, _ZGVdN4v_atan, atanl},
    {"Expm1", 1.5, 2, true, -1, inf, _ZGVdN4v_expm1, expm1l},
    {"Log1p", 1.5, 2, true, -inf, inf, _ZGVdN4v_log1p, log1pl},
    {"Tanh", 1.5, 2, true, -1, 1, _ZGVdN4v_tanh, tanhl},
    {"Tan", 2, 2, false, -inf, inf, nullptr, tanl},
    {"Sinh", 2, 2, true, -inf, inf, _ZGVdN4v_sinh, sinhl},
    {"Cosh", 2, 2, false, 1, inf, _ZGVdN4v_cosh, coshl},
    {"Asin", 2, 2, true, -halfPi, halfPi, _ZGVdN4v_asin, asinl},
    {"Acos", 2, 2, false, 0, 2 * halfPi, _ZGVdN4v_acos, acosl},
    {"Asinh", 2.5, 2.5, true, -inf, inf, _ZGVdN4v_asinh, asinhl},
    {"Acosh", 2.5, 2.5, true, 0, inf, _ZGVdN4v_acosh, acoshl},
    {"Atanh", 2.5, 2.5, true, -inf, inf, _ZGVdN4v_atanh, atanhl},
    {"Erf", 2, 2, true, -1, 1, _ZGVdN4v_erf, erfl},
    {"Erfc", 2, 2, false, 0, 2, _ZGVdN4v_erfc, erfcl},
    {"Sigmoid", 2.5, 2.5, true, 0, 1, sigmoid4, sigmoidExact},
    {"Softplus", 2.5, 2.5, false, 0, inf, softplus4, softplusExact},
    {"Rsqrt", 2.5, 2.5, false, -inf, inf, rsqrt4, rsqrtExact},
};

const PairSubject binarySubjects[] = {
    {"Pow", 1.5, 2, _ZGVdN4vv_pow, powl},
    {"Atan2", 2.5, 2.5, _ZGVdN4vv_atan2, atan2l},
};

} // namespace

std::span<const Subject> subjects() { return unarySubjects; }
std::span<const PairSubject> pairSubjects() { return binarySubjects; }

StatusOr<OpRunner> OpRunner::create(const std::string &op, int arity,
                                    DType dtype, ExecutionMode mode) {
  auto graph = std::make_shared<Graph>(makeNodeChecker());
  std::vector<NodeInput> inputs;
  std::vector<TensorId> feeds;
  for (int i = 0; i < arity; ++i) {
    std::string name = "x" + std::to_string(i);
    auto node =
        graph->addNode({.name = name,
                        .op = "Placeholder",
                        .inputs = {},
                        .attrs = {{"dtype", dtype}, {"shape", Shape({-1})}}});
    if (!node.ok())
      return node.status();
    inputs.emplace_back(name);
    feeds.emplace_back(name + ":0");
  }
  auto node = graph->addNode(
      {.name = "y", .op = op, .inputs = inputs, .attrs = {{"T", dtype}}});
  if (!node.ok())
    return node.status();
  SessionOptions options;
  options.mode = mode;
  options.threads = 1; // the sweep has threads of its own
  auto session = Session::create(graph, options);
  if (!session.ok())
    return session.status();
  OpRunner runner;
  runner.session = *std::move(session);
  auto callable = runner.session->makeCallable(feeds, {"y:0"});
  if (!callable.ok())
    return callable.status();
  runner.callable = *callable;
  return runner;
}

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

template double ulps(float, long double);
template double ulps(double, long double);

} // namespace kiln::bench
