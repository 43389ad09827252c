// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value of each thread's own inside of an object.
#ifndef KILN_LIB_SUPPORT_PERTHREAD_H
#define KILN_LIB_SUPPORT_PERTHREAD_H

#include <functional>
#include <thread>
#include <unordered_map>
#include <utility>

namespace kiln {

/// A T for each thread that asks. A thread that ended leaves its T to the next
/// one with its id. **Thread safety**: one call at a time, of any thread.
template <class T> class PerThread {
public:
  /// The calling thread's own; where it has none yet, what `first` gives.
  template <class First> T &of(First first) {
    std::thread::id caller = std::this_thread::get_id();
    if (last && caller == lastCaller)
      return *last;
    auto found = values.find(caller);
    if (found == values.end())
      found = values.emplace(caller, first()).first;
    lastCaller = caller;
    last = &found->second; // the table's elements stay where they are
    return *last;
  }
  T &own() {
    return of([] { return T(); });
  }

private:
  std::unordered_map<std::thread::id, T> values;
  std::thread::id lastCaller;
  T *last = nullptr;
};

} // namespace kiln

#endif // KILN_LIB_SUPPORT_PERTHREAD_H
