// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the error of the elementary functions in units in the last place,
// through native code: every float of f32, random f64 and pairs.
//
// The reference is libmvec's double functions (for sin, cos and tan, whose
// large arguments libmvec is slow at, Kiln's own f64 code); what might be a new
// worst case is decided by long double. In the same pass the evaluator must
// give the same bits, and what must be monotone and bounded is checked to be.
// x86-64 with AVX2 and glibc only.
#include "bench/elementary/Sweep.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

using namespace kiln;
using namespace kiln::bench;

namespace {

/// One JSON line a function and type; true where all is as it must be.
bool report(const char *op, const char *type, const StatusOr<Finding> &found,
            double bound, bool isMonotone, double seconds) {
  if (!found.ok()) {
    std::printf("{\"op\": \"%s\", \"type\": \"%s\", \"error\": \"%s\"}\n", op,
                type, found.status().toString().c_str());
    return false;
  }
  const Finding &f = *found;
  bool isGood = f.worst.ulps <= bound && f.differences == 0 && f.falls == 0 &&
                f.strays == 0;
  std::printf("{\"op\": \"%s\", \"type\": \"%s\", \"ulp\": %.4f, \"bound\": "
              "%g, \"at\": \"%a\", \"second\": \"%a\", \"arguments\": %llu, "
              "\"evaluator_differs\": %llu, \"monotone\": %s, \"falls\": "
              "%llu, \"strays\": %llu, \"seconds\": %.1f, \"good\": %s}\n",
              op, type, f.worst.ulps, bound, f.worst.argument, f.worst.second,
              static_cast<unsigned long long>(f.arguments),
              static_cast<unsigned long long>(f.differences),
              isMonotone ? "true" : "false",
              static_cast<unsigned long long>(f.falls),
              static_cast<unsigned long long>(f.strays), seconds,
              isGood ? "true" : "false");
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
  CLI::App app(
      "Measures the largest error of elementary functions, in units in the "
      "last place.\nPrints a JSON line a function; the exit status is 1 where "
      "a bound is passed, the evaluator has other bits, or an order is "
      "broken.");
  SweepOptions options;
  std::vector<std::string> names;
  app.add_option("--stride", options.stride,
                 "Every so manieth float, a power of two; 1 for all 2^32")
      ->check(CLI::IsMember({1, 2, 4, 8, 16, 32, 64, 128, 256, 1024, 4096}))
      ->capture_default_str();
  app.add_option("--samples", options.samples, "Random doubles")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--pairs", options.pairs, "Random pairs of floats")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--threads", options.threads, "Threads")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  app.add_option("ops", names, "TensorFlow ops, e.g. Exp Pow; default: all");
  CLI11_PARSE(app, argc, argv);

  auto isWanted = [&](const char *op) {
    return names.empty() ||
           std::find(names.begin(), names.end(), op) != names.end();
  };
  bool isGood = true;
  double seconds = 0;
  for (const Subject &subject : subjects()) {
    if (!isWanted(subject.op))
      continue;
    auto floats = timed([&] { return sweepFloats(subject, options); }, seconds);
    isGood &= report(subject.op, "f32", floats, subject.bound,
                     subject.isMonotone, seconds);
    auto doubles =
        timed([&] { return sweepDoubles(subject, options); }, seconds);
    isGood &=
        report(subject.op, "f64", doubles, subject.bound64, false, seconds);
  }
  for (const PairSubject &subject : pairSubjects()) {
    if (!isWanted(subject.op))
      continue;
    auto floats = timed([&] { return sweepPairs(subject, options); }, seconds);
    isGood &= report(subject.op, "f32", floats, subject.bound, false, seconds);
    auto doubles =
        timed([&] { return sweepDoublePairs(subject, options); }, seconds);
    isGood &=
        report(subject.op, "f64", doubles, subject.bound64, false, seconds);
  }
  return isGood ? 0 : 1;
}
