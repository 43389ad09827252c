// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread of its own writes the line, so that one long step shows, too.
#include "tools/common/Progress.h"

#include <chrono>
#include <cstdio>
#include <unistd.h>

namespace kiln {

Progress::Progress(std::string what, int64_t total)
    : what(std::move(what)), total(total), writer([this] { show(); }) {}

Progress::~Progress() {
  {
    std::lock_guard lock(mutex);
    finished = true;
  }
  wake.notify_one();
  writer.join();
}

void Progress::show() {
  using namespace std::chrono_literals;
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const auto start = std::chrono::steady_clock::now();
  auto next = start + (terminal ? 500ms : 2000ms);
  bool shown = false;
  std::unique_lock lock(mutex);
  while (!wake.wait_until(lock, next, [this] { return finished; })) {
    std::string line = what;
    if (total > 0)
      line +=
          ": " + std::to_string(done.load()) + " of " + std::to_string(total);
    auto seconds = std::chrono::duration_cast<std::chrono::seconds>(
        std::chrono::steady_clock::now() - start);
    line += ", " + std::to_string(seconds.count()) + " s";
    // "\33[K" clears what a longer line has left.
    std::fprintf(stderr, terminal ? "\r%s\33[K" : "%s\n", line.c_str());
    shown = true;
    next += terminal ? 200ms : 10000ms;
  }
  if (shown && terminal)
    std::fputs("\r\33[K", stderr);
}

} // namespace kiln
