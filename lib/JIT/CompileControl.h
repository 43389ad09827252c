// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a compilation is told to end before it is done.
#ifndef KILN_LIB_JIT_COMPILECONTROL_H
#define KILN_LIB_JIT_COMPILECONTROL_H

#include "kiln/Status.h"
#include "runtime/threads/Cancel.h"

#include <atomic>
#include <chrono>

namespace kiln {

/// Asked by a compilation between its steps: import, the stages, LLVM's
/// optimizer, code generation, linking. There it also lets fork() go on.
///
/// Thread safety: stop() from any thread; check() is the compiling thread's.
class CompileControl {
public:
  using Clock = WaitControl::Clock;

  CompileControl() = default;
  virtual ~CompileControl() = default;
  /// Begins to count, but not what a job of CompileThreads waits; zero is no
  /// limit.
  explicit CompileControl(std::chrono::nanoseconds limit);
  CompileControl(const CompileControl &) = delete;
  CompileControl &operator=(const CompileControl &) = delete;

  /// Nothing waits for the result any more.
  void stop() { isStopped.store(true, std::memory_order_relaxed); }
  /// **Errors**: CANCELLED after stop(); RESOURCE_EXHAUSTED beyond the limit,
  /// with the step that comes next.
  virtual Status check(std::string_view next) const;

private:
  /// No CancelToken: a compilation is asked for under locks that fork() takes.
  std::atomic<bool> isStopped{false};
  /// How long the compilation itself may work. It has no deadline, since it may
  /// have to wait for others.
  std::chrono::nanoseconds limit{0};
  Clock::time_point begin;
};

} // namespace kiln

#endif // KILN_LIB_JIT_COMPILECONTROL_H
