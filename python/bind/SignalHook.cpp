// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// signal.signal() replaces the hook with Python's handler, and hooks of other
// libraries may come to stand between: the hooks form a stack, each with the
// handler that it found.
#include "python/bind/SignalHook.h"

#include <atomic>
#include <csignal>

namespace kiln::python {
namespace {

struct Hook {
  struct sigaction previous;
  const Hook *below;
};
/// Handlers may be in hooks that are no more on top, so none is freed.
std::atomic<const Hook *> top{nullptr};
/// The hook whose previous handler runs; one that calls us goes on below it.
std::atomic<const Hook *> running{nullptr};
std::atomic<void (*)()> notified{nullptr};

void onInterrupt(int number, siginfo_t *info, void *context) {
  const Hook *outer = running.load();
  const Hook *hook = outer ? outer->below : top.load();
  if (!outer)
    if (void (*notify)() = notified.load())
      notify();
  if (!hook)
    return;
  running.store(hook);
  if (hook->previous.sa_flags & SA_SIGINFO)
    hook->previous.sa_sigaction(number, info, context);
  else
    hook->previous.sa_handler(number);
  running.store(outer);
}

bool isSame(const struct sigaction &a, const struct sigaction &b) {
  return a.sa_flags == b.sa_flags && a.sa_handler == b.sa_handler;
}

} // namespace

InterruptHook hookInterrupt(void (*notify)()) {
  struct sigaction present;
  if (sigaction(SIGINT, nullptr, &present) != 0)
    return InterruptHook::None;
  bool isHooked =
      (present.sa_flags & SA_SIGINFO) && present.sa_sigaction == onInterrupt;
  bool isFunction =
      (present.sa_flags & SA_SIGINFO) ||
      (present.sa_handler != SIG_DFL && present.sa_handler != SIG_IGN);
  if (isHooked)
    return InterruptHook::Kept;
  if (!isFunction)
    return InterruptHook::None;
  const Hook *below = top.load();
  if (!below || !isSame(below->previous, present))
    top.store(new Hook{present, below});
  notified.store(notify);
  struct sigaction hooked = present;
  hooked.sa_sigaction = onInterrupt;
  hooked.sa_flags |= SA_SIGINFO;
  sigaction(SIGINT, &hooked, nullptr);
  return InterruptHook::Renewed;
}

} // namespace kiln::python
