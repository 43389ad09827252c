// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What native code is made for, and ways to look into it.
#ifndef KILN_CODEOPTIONS_H
#define KILN_CODEOPTIONS_H

#include <cstdint>
#include <string>

namespace kiln {

/// Ways to look into running code; any of them makes each fused region a
/// function of its own, named after its nodes, and costs a few nanoseconds a
/// region and run. All off: costs nothing.
struct InspectOptions {
  /// RunStats::regions.
  bool regions = false;
  /// Names in /tmp/perf-PID.map, for `perf report`. The file is Kiln's alone in
  /// this process, and stays behind. **Errors** of a compilation:
  /// PERMISSION_DENIED when something else stands there.
  bool perfMap = false;
  /// Names in gdb, through its JIT interface. A libkiln.so without symbols
  /// (`strip`) hides it from gdb.
  bool gdb = false;
  bool any() const { return regions || perfMap || gdb; }
};

/// What native code is made for. Values are the same bits whatever is set here,
/// foldScales apart, and however many threads there are.
struct CodeOptions {
  /// Empty: this processor with all that it can do; or a name that LLVM knows,
  /// such as "x86-64-v3" (AVX2 without AVX-512). The environment variable
  /// KILN_CPU_LIMIT, one of x86-64, x86-64-v2, x86-64-v3 and x86-64-v4, makes
  /// this processor one that can do no more than that, for the whole process.
  std::string cpu = {};
  /// Operations from which on threads share a loop, and that each takes of it
  /// at least.
  int64_t minSharedOps = 150'000, minChunkOps = 6'000;
  /// Bytes of what a loop makes from which on it is stored past the caches,
  /// which would not hold it; 0: the size of this processor's last cache.
  int64_t minStreamedBytes = 0;
  /// Whether constant factors behind a product with constant weights, those of
  /// a normalization behind a convolution, are multiplied into the weights when
  /// the code is made, and averages of places follow a pointwise convolution
  /// that leaves fewer channels to average. Values then differ in their last
  /// bits from those without it: by as much as those of other orders of
  /// summation. Does nothing to weights in variables.
  bool foldScales = true;
};

} // namespace kiln

#endif // KILN_CODEOPTIONS_H
