// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs functions over all floats, over random doubles and over pairs.
#ifndef KILN_BENCH_ELEMENTARY_SWEEP_H
#define KILN_BENCH_ELEMENTARY_SWEEP_H

#include "bench/elementary/Subjects.h"

#include <cstdint>

namespace kiln::bench {

struct SweepOptions {
  uint64_t stride = 1;           ///< every so manieth float, a power of two
  int64_t samples = 4'000'000;   ///< random doubles, against long double
  int64_t pairs = 1'000'000'000; ///< random pairs of floats
  int threads = 2;
};

/// What a sweep found.
struct Finding {
  Worst worst;
  uint64_t arguments = 0;
  uint64_t differences = 0; ///< results whose bits the evaluator does not give
  uint64_t falls = 0;       ///< neighbours in the wrong order
  uint64_t strays = 0;      ///< results outside of the subject's range
};

/// Every float through native code, against the reference, and through the
/// evaluator, bit by bit.
StatusOr<Finding> sweepFloats(const Subject &subject,
                              const SweepOptions &options);
/// Random doubles: half of them random bits, the others around 1.
StatusOr<Finding> sweepDoubles(const Subject &subject,
                               const SweepOptions &options);
/// Random pairs of floats, half of them aimed at results that are neither 0 nor
/// infinite, and every pair of a table of edges.
StatusOr<Finding> sweepPairs(const PairSubject &subject,
                             const SweepOptions &options);
/// The same for doubles, `samples` of them.
StatusOr<Finding> sweepDoublePairs(const PairSubject &subject,
                                   const SweepOptions &options);

} // namespace kiln::bench

#endif // KILN_BENCH_ELEMENTARY_SWEEP_H
