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

/// What native code is made for: the options of kiln/CodeOptions.def. Values
/// are the same bits whatever is set here, foldScales apart, and however many
/// threads there are.
struct CodeOptions {
#define KILN_CODE_OPTION(type, name, value, python) type name = value;
#include "kiln/CodeOptions.def"
  bool operator==(const CodeOptions &) const = default;
};

} // namespace kiln

#endif // KILN_CODEOPTIONS_H
