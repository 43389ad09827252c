// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a run is ended early, and looked into.
#ifndef KILN_RUNOPTIONS_H
#define KILN_RUNOPTIONS_H

#include "kiln/Export.h"

#include <chrono>
#include <memory>

namespace kiln {

class CancelToken;
class SessionCore;

/// Ends the runs that it is given to, from any thread. **Ownership**: must
/// outlive these runs. **Thread safety**: all functions.
class KILN_EXPORT Cancellation {
public:
  Cancellation();
  ~Cancellation();
  Cancellation(const Cancellation &) = delete;
  Cancellation &operator=(const Cancellation &) = delete;

  /// Present runs, and all later ones, end with CANCELLED.
  void cancel();
  bool isCancelled() const;

private:
  friend class SessionCore;
  std::unique_ptr<CancelToken> token;
};

/// A run is asked to end by its timeout, its Cancellation and the session's
/// close(). It hears of it within some 20 ms: while it waits for a compilation
/// (which goes on behind it, for later runs), for a variable's lock, and inside
/// long loops. A loop that writes a variable runs to its end, within a few
/// times what a copy of the variable takes (0.1 s a GiB): a cancelled run may
/// have assigned some of its variables, never a part of one.
struct RunOptions {
  /// Zero: no limit. Otherwise DEADLINE_EXCEEDED after so long; below zero
  /// INVALID_ARGUMENT.
  std::chrono::nanoseconds timeout{0};
  /// May be null.
  Cancellation *cancel = nullptr;
  /// With statistics, Session::run() fills in RunStats::regions though the
  /// session was not made with InspectOptions. **Cost**: the request is
  /// compiled once more, in such a way, at its first run that asks; its other
  /// runs keep their code.
  bool regions = false;
};

} // namespace kiln

#endif // KILN_RUNOPTIONS_H
