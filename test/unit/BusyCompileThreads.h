// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compilations that no run waits for and that have all threads.
#ifndef KILN_TEST_UNIT_BUSYCOMPILETHREADS_H
#define KILN_TEST_UNIT_BUSYCOMPILETHREADS_H

#include "lib/JIT/CompileThreads.h"
#include "runtime/threads/ThreadPool.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <thread>

namespace kiln::testing {

/// As many jobs of CompileThreads as run in the background at a time, each of
/// endlessly many steps; they end with this.
class BusyCompileThreads {
public:
  BusyCompileThreads() {
    submit(background);
    while (begun < most())
      std::this_thread::yield();
  }
  ~BusyCompileThreads() { end(); }

  static int most() { return std::max(availableThreads(), 2); }
  /// How many steps those in the background have taken.
  int64_t steps() const { return background->steps; }
  bool hasEnded() const { return ended != 0; }

  /// Adds such jobs that are waited for, for all CPUs, and returns when those
  /// in the background pause.
  void addAwaited() {
    submit(foreground);
    waiting.emplace(foreground->work);
    while (CompileThreads::process().numPaused() != most())
      std::this_thread::yield();
  }
  /// Those go on in the background.
  void stopWaiting() { waiting.reset(); }

  void end() {
    mayEnd = true;
    while (ended < submitted)
      std::this_thread::yield();
  }

private:
  struct Kind {
    const std::shared_ptr<CompileWork> work = std::make_shared<CompileWork>();
    std::atomic<int64_t> steps{0};
  };

  void submit(std::shared_ptr<Kind> kind) {
    for (int i = 0; i < most(); ++i, ++submitted)
      ASSERT_TRUE(CompileThreads::process().submit(
          [this, kind] {
            for (++begun; !mayEnd; ++kind->steps) {
              CompileThreads::checkpoint();
              std::this_thread::yield();
            }
            ++ended;
          },
          kind->work));
  }

  const std::shared_ptr<Kind> background = std::make_shared<Kind>(),
                              foreground = std::make_shared<Kind>();
  std::optional<CompileThreads::Waiting> waiting;
  std::atomic<bool> mayEnd{false};
  std::atomic<int> begun{0}, submitted{0}, ended{0};
};

} // namespace kiln::testing

#endif // KILN_TEST_UNIT_BUSYCOMPILETHREADS_H
