// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elementary functions as ops of a graph, with the bounds that they must
// keep and references to compare them with.
#ifndef KILN_BENCH_ELEMENTARY_SUBJECTS_H
#define KILN_BENCH_ELEMENTARY_SUBJECTS_H

#include "kiln/Session.h"

#include <immintrin.h>

#include <memory>
#include <span>
#include <string>

namespace kiln::bench {

/// One function of one argument.
struct Subject {
  const char *op;   ///< the TensorFlow op
  double bound;     ///< units in the last place of f32
  double bound64;   ///< of f64
  bool isMonotone;  ///< must be, over all floats
  double low, high; ///< what no result may leave
  /// Four doubles at once, or null: then the op's own f64 code is the fast
  /// reference, itself compared with `exact`.
  __m256d (*fast)(__m256d);
  long double (*exact)(long double);
};

/// One function of two arguments.
struct PairSubject {
  const char *op;
  double bound, bound64;
  __m256d (*fast)(__m256d, __m256d);
  long double (*exact)(long double, long double);
};

std::span<const Subject> subjects();
std::span<const PairSubject> pairSubjects();

/// An op on vectors, run through the public API.
///
/// Thread safety: call() from any number of threads, with tensors of their own.
class OpRunner {
public:
  /// `arity` operands of type `dtype`.
  static StatusOr<OpRunner> create(const std::string &op, int arity,
                                   DType dtype, ExecutionMode mode);
  Status call(std::span<const Tensor> arguments, Tensor &result) const {
    return callable(arguments, {&result, 1});
  }

private:
  std::shared_ptr<Session> session;
  Callable callable;
};

/// |got - want| in units in the last place of T at `want`. A `want` that is
/// denormal counts as zero: any `got` that is no larger than the smallest
/// normal number is right.
template <class T, class Wide> double ulps(T got, Wide want);

/// The largest error and where it was.
struct Worst {
  double ulps = 0;
  double argument = 0, second = 0;
  void note(double error, double x, double y = 0) {
    if (!(error <= ulps))
      *this = {error, x, y};
  }
  void note(const Worst &other) {
    note(other.ulps, other.argument, other.second);
  }
};

} // namespace kiln::bench

#endif // KILN_BENCH_ELEMENTARY_SUBJECTS_H
