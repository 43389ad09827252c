// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A line on the standard error that says how far long work has come.
#ifndef KILN_TOOLS_COMMON_PROGRESS_H
#define KILN_TOOLS_COMMON_PROGRESS_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace kiln {

/// Shows "what: 120 of 1000, 3 s" while it lives: on a terminal a line that is
/// written over, from half a second on; elsewhere a new line after 2 s and then
/// every 10. Work that ends before leaves no trace. Thread safety: advance()
/// from any thread.
class Progress {
public:
  /// `total` 0: only the time is shown.
  Progress(std::string what, int64_t total);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  void advance(int64_t count = 1) {
    done.fetch_add(count, std::memory_order_relaxed);
  }

private:
  void show();

  const std::string what;
  const int64_t total;
  std::atomic<int64_t> done{0};
  std::mutex mutex; ///< guards finished
  std::condition_variable wake;
  bool finished = false;
  std::thread writer;
};

} // namespace kiln

#endif // KILN_TOOLS_COMMON_PROGRESS_H
