// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times the steps of a compilation.
#ifndef KILN_LIB_COMPILE_STOPWATCH_H
#define KILN_LIB_COMPILE_STOPWATCH_H

#include <chrono>
#include <cstdint>

namespace kiln {

class Stopwatch {
public:
  /// The nanoseconds since the last call, or since it was made.
  int64_t lap() {
    auto now = std::chrono::steady_clock::now();
    auto passed = std::chrono::nanoseconds(now - begin).count();
    begin = now;
    return passed;
  }

private:
  std::chrono::steady_clock::time_point begin =
      std::chrono::steady_clock::now();
};

} // namespace kiln

#endif // KILN_LIB_COMPILE_STOPWATCH_H
