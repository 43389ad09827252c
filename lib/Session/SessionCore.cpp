// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One run of a session from names to tensors. No MLIR header: it is optimized
// in every build.
#include "lib/Session/SessionCore.h"

#include "lib/Exec/CutPlan.h"
#include "lib/Exec/FrameLease.h"
#include "lib/Session/FedValues.h"
#include "lib/Session/PartialRun.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/threads/ThreadPool.h"

#include <algorithm>
#include <pthread.h>
#include <unistd.h>
#include <unordered_set>

namespace kiln {

Cancellation::Cancellation() : token(std::make_unique<CancelToken>()) {}
Cancellation::~Cancellation() = default;
void Cancellation::cancel() { token->cancel(); }
bool Cancellation::isCancelled() const { return token->isCancelled(); }

/// All sessions, for children of fork(), which holds `mutex` meanwhile.
class OpenSessions {
public:
  static OpenSessions &get() {
    static OpenSessions &all = *new OpenSessions; // outlives static sessions
    return all;
  }
  void add(SessionCore *core) {
    std::lock_guard lock(mutex);
    cores.insert(core);
  }
  void remove(SessionCore *core) {
    std::lock_guard lock(mutex);
    cores.erase(core);
  }

private:
  OpenSessions() {
    pthread_atfork([] { get().mutex.lock(); }, [] { get().mutex.unlock(); },
                   [] { get().afterForkInChild(); });
  }
  void afterForkInChild() {
    for (SessionCore *core : cores)
      if (core->services.activeRuns != 0)
        core->shared->markLost();
    for (SessionCore *core : cores) {
      if (!core->shared->wasLost())
        continue;
      // Threads are gone, with what they were about to give back.
      if (auto held = core->weak_from_this().lock())
        new std::shared_ptr<SessionCore>(std::move(held));
      core->isLost = true;
      core->services.isClosed = true;
    }
    mutex.unlock();
  }

  std::mutex mutex;
  std::unordered_set<SessionCore *> cores;
};

SessionCore::SessionCore(std::shared_ptr<Graph> graph, SessionOptions options,
                         std::shared_ptr<SharedResources> shared)
    : graph(std::move(graph)), shared(std::move(shared)),
      services(options, this->shared->table()),
      programs(*this->graph, services) {
  services.programs = &programs;
  if (options.threads > 0)
    ThreadPool::process().grow(options.threads);
  OpenSessions::get().add(this);
}

SessionCore::~SessionCore() { OpenSessions::get().remove(this); }

Status SessionCore::closedError() const {
  if (isLost)
    return failedPreconditionError("expected a session that no other thread "
                                   "was in when the process forked");
  if (wasReset)
    return abortedError("the session was ended by a reset of the resource "
                        "containers that it shared");
  return failedPreconditionError("Attempted to use a closed Session.");
}

StatusOr<RunControl> SessionCore::controlOf(const RunOptions &options) {
  using Clock = std::chrono::steady_clock;
  RunControl control;
  if (options.timeout.count() < 0)
    return invalidArgumentError(strCat(
        "expected a timeout of at least 0 ns, got ", options.timeout.count()));
  if (options.timeout.count() > 0) {
    // Beyond what a clock can tell is never.
    auto now = Clock::now();
    control.deadline =
        now + std::min<Clock::duration>(options.timeout,
                                        Clock::time_point::max() - now);
  }
  if (options.cancel)
    control.cancel = options.cancel->token.get();
  return control;
}

StatusOr<std::vector<Tensor>>
SessionCore::run(const std::vector<Feed> &feeds,
                 const std::vector<Fetch> &fetches,
                 const std::vector<OperationId> &targets,
                 const RunOptions &options, RunStats *stats) {
  using Clock = std::chrono::steady_clock;
  auto start = stats ? Clock::now() : Clock::time_point();
  RunScope scope(services);
  if (!scope)
    return closedError();
  KILN_ASSIGN_OR_RETURN(RunControl control, controlOf(options));
  control.stats = stats;
  control.regions = options.regions && stats && !services.options.inspect.any();
  KILN_ASSIGN_OR_RETURN(
      ResolvedRequest resolved,
      resolveFeeds(*graph, feeds.size(),
                   [&](size_t i) -> auto & { return feeds[i].tensor; }));
  std::vector<Tensor> values;
  std::vector<FeedView> views;
  values.reserve(feeds.size());
  views.reserve(feeds.size());
  for (size_t i = 0; i < feeds.size(); ++i) {
    values.push_back(feeds[i].value);
    KILN_RETURN_IF_ERROR(
        checkFed(resolved.request.feeds[i], values[i], services.options));
    views.emplace_back(values[i]);
  }
  KILN_RETURN_IF_ERROR(resolveFetches(*graph, fetches, targets, resolved));
  if (fetches.empty() && resolved.request.targets.empty())
    return std::vector<Tensor>();

  fetchTargets(resolved);
  std::vector<Tensor> results(resolved.places.size());
  FrameLease lease;
  KILN_RETURN_IF_ERROR(findAndRun(
      lease, {views, values, resolved.places, results, control},
      [&](FrameLease &taken) -> Status {
        KILN_ASSIGN_OR_RETURN(FoundProgram found,
                              programs.find({.request = &resolved.request,
                                             .feeds = views,
                                             .regions = control.regions},
                                            control));
        if (stats) {
          fillStats(found, *stats);
          stats->startNs =
              std::chrono::nanoseconds(start.time_since_epoch()).count();
          stats->thread = gettid();
        }
        taken = FrameLease(std::move(found.program));
        return okStatus();
      }));
  results.resize(fetches.size());
  return results;
}

void SessionCore::fillStats(const FoundProgram &found, RunStats &stats) const {
  // A hit spent nothing on what the program's own figures tell.
  stats = found.isHit ? RunStats() : found.program->stats;
  stats.cacheHit = found.isHit;
  programs.fillStats(stats);
}

Status SessionCore::prepare(const RunRequest &request,
                            std::span<const FeedView> feeds,
                            const RunOptions &options, RunStats *stats) {
  KILN_ASSIGN_OR_RETURN(RunControl control, controlOf(options));
  KILN_ASSIGN_OR_RETURN(
      FoundProgram found,
      programs.find({.request = &request, .feeds = feeds, .needsNative = true},
                    control));
  if (const CutPlan *cut = found.program->executor->cut())
    KILN_RETURN_IF_ERROR(cut->prepareParts(feeds, services, control));
  if (!stats)
    return okStatus();
  fillStats(found, *stats);
  FrameLease lease(std::move(found.program));
  // Shapes that no run could have are no mistake here.
  if (lease->bind(feeds).ok())
    lease->fillStats(*stats);
  return okStatus();
}

Status SessionCore::withSignature(
    const std::vector<FeedInfo> &feeds, const std::vector<Fetch> &fetches,
    const std::vector<OperationId> &targets,
    const std::function<Status(const RunRequest &, std::span<const FeedView>)>
        &use) {
  RunScope scope(services);
  if (!scope)
    return closedError();
  KILN_ASSIGN_OR_RETURN(
      ResolvedRequest resolved,
      resolveFeeds(*graph, feeds.size(),
                   [&](size_t i) -> auto & { return feeds[i].tensor; }));
  std::vector<Shape> shapes;
  std::vector<FeedView> views;
  shapes.reserve(feeds.size());
  for (size_t i = 0; i < feeds.size(); ++i) {
    const Output &output = resolved.request.feeds[i];
    const Tensor &value = feeds[i].value;
    if (value.isValid())
      KILN_RETURN_IF_ERROR(checkFeed(output, value));
    auto merged = staticShape(output).merge(value.isValid() ? value.shape()
                                                            : feeds[i].shape);
    if (!merged.ok())
      return merged.status().withNode(output.node->name());
    if (!merged->hasRank())
      return invalidArgumentError(
                 strCat("expected a shape of known rank for Tensor ",
                        output.name(), ", got ", merged->toString()))
          .withNode(output.node->name());
    for (int d = 0; d < merged->rank(); ++d)
      if (merged->dim(d) == Shape::unknownDim)
        merged->setDim(d, anyExtentButOne);
    shapes.push_back(*std::move(merged));
    FeedView &view = views.emplace_back();
    view.dtype = value.isValid() ? value.dtype()
                 : output.dtype() != DType::Invalid
                     ? output.dtype()
                     : output.node->attrOr<DType>("dtype", DType::Invalid);
    view.dims = shapes.back().dims();
    view.value = value.isValid() ? &value : nullptr;
  }
  KILN_RETURN_IF_ERROR(resolveFetches(*graph, fetches, targets, resolved));
  fetchTargets(resolved);
  return use(resolved.request, views);
}

void SessionCore::close() {
  if (isLost)
    return;
  if (!services.isClosed)
    services.resources.endOwn();
  services.isClosed.store(true, std::memory_order_seq_cst);
  services.token.cancel();
  programs.close();
  for (int64_t runs;
       (runs = services.activeRuns.load(std::memory_order_seq_cst)) != 0;)
    services.activeRuns.wait(runs, std::memory_order_seq_cst);
  std::vector<CloseHook> hooks;
  {
    std::lock_guard lock(callablesMutex);
    hooks.swap(closeHooks);
  }
  for (CloseHook &hook : hooks)
    if (auto owner = hook.owner.lock())
      hook.release();
  {
    std::lock_guard lock(partialMutex);
    partialRuns.clear();
  }
  programs.clear();
  services.buffers.trim();
  services.arenas.trim();
  services.resources.leave();
}

void SessionCore::endByReset() {
  if (!services.isClosed)
    wasReset = true;
  close();
}

void SessionCore::onClose(std::weak_ptr<void> owner,
                          std::function<void()> release) {
  std::lock_guard lock(callablesMutex);
  std::erase_if(closeHooks,
                [](const CloseHook &hook) { return hook.owner.expired(); });
  closeHooks.push_back({std::move(owner), std::move(release)});
}

SessionStats SessionCore::stats() {
  // A child of fork() must know that resources may be locked.
  RunScope scope(services);
  SessionStats stats;
  programs.addStats(stats);
  stats.arenaBytes = static_cast<int64_t>(services.arenas.totalBytes());
  if (!isLost) // a thread that is no more may hold a resource's lock
    stats.variableBytes = static_cast<int64_t>(shared->table()->heldBytes());
  return stats;
}

} // namespace kiln
