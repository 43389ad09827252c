// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that begin together, for tests of what runs beside each other.
#ifndef KILN_TEST_UNIT_TOGETHER_H
#define KILN_TEST_UNIT_TOGETHER_H

#include <barrier>
#include <thread>
#include <vector>

namespace kiln::testing {

/// Runs fn(thread) in `count` threads that begin together, and waits for all.
template <class Fn> void together(int count, Fn fn) {
  std::barrier start(count);
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t)
    threads.emplace_back([&, t] {
      start.arrive_and_wait();
      fn(t);
    });
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace kiln::testing

#endif // KILN_TEST_UNIT_TOGETHER_H
