// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What programs use of their session.
#ifndef KILN_LIB_EXEC_SESSIONSERVICES_H
#define KILN_LIB_EXEC_SESSIONSERVICES_H

#include "kiln/SessionOptions.h"
#include "lib/Support/FileAccess.h"
#include "runtime/memory/ArenaPool.h"
#include "runtime/memory/BufferPool.h"
#include "runtime/random/StreamTable.h"
#include "runtime/resources/ResourceTable.h"
#include "runtime/threads/Cancel.h"

#include <atomic>
#include <memory>

namespace kiln {

class ProgramFinder;

/// **Ownership**: the session's core owns it; it outlives the programs.
/// Thread safety: each member's.
struct SessionServices {
  SessionServices(const SessionOptions &options,
                  std::shared_ptr<ResourceTable> table)
      : options(options), resources(std::move(table)) {}

  const SessionOptions options;
  FileAccess files; ///< set before the first run
  /// Variables and queues, shared with other sessions or not; in use until the
  /// session is closed.
  ResourceUser resources;
  StreamTable streams;
  BufferPool buffers;
  /// A run holds one; so does an idle frame of a callable, but none of a
  /// program.
  ArenaPool arenas;
  /// Every frame is attached to it.
  CancelToken token;
  std::atomic<bool> isClosed{false};
  /// Runs, and functions of pipelines that threads of their own call.
  std::atomic<int64_t> activeRuns{0};
  /// Where all runs find their code, those of parts among them.
  ProgramFinder *programs = nullptr;
  std::atomic<uint64_t> numCutPlans{0};
};

/// Counts a run while it lives; false when the session is closed. A run counts
/// itself and then looks whether the session is open; who closes it shuts it
/// and then waits for the count.
class RunScope {
public:
  explicit RunScope(SessionServices &services) : services(services) {
    services.activeRuns.fetch_add(1, std::memory_order_seq_cst);
    isOpen = !services.isClosed.load(std::memory_order_seq_cst);
  }
  ~RunScope() {
    if (services.activeRuns.fetch_sub(1, std::memory_order_seq_cst) == 1 &&
        services.isClosed.load(std::memory_order_seq_cst))
      services.activeRuns.notify_all();
  }
  RunScope(const RunScope &) = delete;
  RunScope &operator=(const RunScope &) = delete;
  explicit operator bool() const { return isOpen; }

private:
  SessionServices &services;
  bool isOpen;
};

} // namespace kiln

#endif // KILN_LIB_EXEC_SESSIONSERVICES_H
