// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Limit and stop of a compilation.
#include "lib/JIT/CompileControl.h"

#include "lib/JIT/CompileThreads.h"
#include "lib/Support/Strings.h"

namespace kiln {

CompileControl::CompileControl(std::chrono::nanoseconds limit)
    : limit(limit), begin(Clock::now()) {}

Status CompileControl::check(std::string_view next) const {
  CompileThreads::checkpoint();
  if (isStopped.load(std::memory_order_relaxed))
    return cancelledError("the compilation was abandoned");
  if (limit.count() == 0)
    return okStatus();
  auto passed = Clock::now() - begin - CompileThreads::waitedFor();
  if (passed <= limit)
    return okStatus();
  auto inMs = [](auto duration) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(duration)
        .count();
  };
  return resourceExhaustedError(strCat("expected to compile in at most ",
                                       inMs(limit), " ms, got ", inMs(passed),
                                       " ms before ", next));
}

} // namespace kiln
