// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signals that Kiln's own threads leave to the program's.
#ifndef KILN_RUNTIME_THREADS_BLOCKEDSIGNALS_H
#define KILN_RUNTIME_THREADS_BLOCKEDSIGNALS_H

#include <csignal>
#include <initializer_list>

namespace kiln {

/// While it lives, threads made by this one take no signals but those of a
/// crash: blocked, these would end the process past the program's handler,
/// without its report.
class BlockedSignals {
public:
  BlockedSignals() noexcept {
    sigset_t signals;
    sigfillset(&signals);
    for (int crash :
         {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT})
      sigdelset(&signals, crash);
    pthread_sigmask(SIG_SETMASK, &signals, &before);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
  BlockedSignals(const BlockedSignals &) = delete;
  BlockedSignals &operator=(const BlockedSignals &) = delete;

private:
  sigset_t before;
};

} // namespace kiln

#endif // KILN_RUNTIME_THREADS_BLOCKEDSIGNALS_H
