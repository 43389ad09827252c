// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a session and its callables share.
#ifndef KILN_LIB_SESSION_SESSIONCORE_H
#define KILN_LIB_SESSION_SESSIONCORE_H

#include "kiln/Session.h"
#include "lib/Compile/SessionPrograms.h"
#include "lib/Exec/Frame.h"
#include "lib/Session/SharedResources.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace kiln {

class PartialRun;

/// Graph, resources, services, programs; open until close().
///
/// Thread safety: all functions. `callablesMutex` guards the list of callables,
/// `partialMutex` the partial runs that are open;
/// a RunScope orders runs and close(). In a child of fork() a session that
/// other threads were in is lost, with all that share its resources: they keep
/// what these threads held, forever.
class SessionCore : public std::enable_shared_from_this<SessionCore> {
public:
  SessionCore(std::shared_ptr<Graph> graph, SessionOptions options,
              std::shared_ptr<SharedResources> shared);
  ~SessionCore();

  /// Whether other threads were in it when this process was forked.
  bool wasLost() const { return isLost; }
  /// What a run gets when its scope is not open.
  Status closedError() const;

  StatusOr<std::vector<Tensor>> run(const std::vector<Feed> &feeds,
                                    const std::vector<Fetch> &fetches,
                                    const std::vector<OperationId> &targets,
                                    const RunOptions &options, RunStats *stats);
  StatusOr<std::string>
  partialRunSetup(const std::vector<TensorId> &feeds,
                  const std::vector<Fetch> &fetches,
                  const std::vector<OperationId> &targets);
  StatusOr<std::vector<Tensor>> partialRun(const std::string &handle,
                                           const std::vector<Feed> &feeds,
                                           const std::vector<TensorId> &fetches,
                                           const RunOptions &options,
                                           RunStats *stats);
  /// Feeds and fetches of prepare() and explain(), with a shape for every feed;
  /// calls `use` with them.
  Status withSignature(
      const std::vector<FeedInfo> &feeds, const std::vector<Fetch> &fetches,
      const std::vector<OperationId> &targets,
      const std::function<Status(const RunRequest &, std::span<const FeedView>)>
          &use);
  Status prepare(const RunRequest &request, std::span<const FeedView> feeds,
                 const RunOptions &options, RunStats *stats);
  /// The deadline, counted from now, and the token. **Errors**:
  /// INVALID_ARGUMENT.
  static StatusOr<RunControl> controlOf(const RunOptions &options);
  void close();
  /// As close(), and tells later calls why.
  void endByReset();

  /// Calls `release` when the session closes, unless `owner` has gone.
  void onClose(std::weak_ptr<void> owner, std::function<void()> release);
  void fillStats(const FoundProgram &found, RunStats &stats) const;
  SessionStats stats();

  const std::shared_ptr<Graph> graph;
  const std::shared_ptr<SharedResources> shared;
  SessionServices services;
  SessionPrograms programs;

private:
  friend class OpenSessions;
  struct CloseHook {
    std::weak_ptr<void> owner;
    std::function<void()> release;
  };

  std::atomic<bool> isLost{false};
  std::atomic<bool> wasReset{false};
  std::mutex partialMutex;
  std::unordered_map<std::string, std::shared_ptr<PartialRun>> partialRuns;
  uint64_t numPartialRuns = 0; ///< ever begun
  std::mutex callablesMutex;
  std::vector<CloseHook> closeHooks;
};

} // namespace kiln

#endif // KILN_LIB_SESSION_SESSIONCORE_H
