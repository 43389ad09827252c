// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mutex that no child of fork() finds locked by a thread that it does not
// have.
#ifndef KILN_RUNTIME_THREADS_FORKMUTEX_H
#define KILN_RUNTIME_THREADS_FORKMUTEX_H

#include <mutex>

namespace kiln {

/// A std::mutex that fork() takes in the parent and gives back in parent and
/// child, so that what it guards is whole in both.
///
/// For leaf mutexes that are held shortly: fork() waits for each of them.
/// Invariant: a thread that holds one takes no other and does not fork.
/// **Cost**: locking is that of std::mutex; making and destroying one takes a
/// mutex of the process.
class ForkMutex : public std::mutex {
public:
  ForkMutex();
  ~ForkMutex();
  ForkMutex(const ForkMutex &) = delete;
  ForkMutex &operator=(const ForkMutex &) = delete;

private:
  friend class ForkMutexes;
  ForkMutex *previous = nullptr, *next = nullptr;
};

} // namespace kiln

#endif // KILN_RUNTIME_THREADS_FORKMUTEX_H
