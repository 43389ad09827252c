// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of a bound signature: the short way while shapes stay, the long one
// when they change. No MLIR header: it is optimized in every build.
#include "lib/Exec/FrameLease.h"
#include "lib/Exec/IdlePool.h"
#include "lib/Session/FedValues.h"
#include "lib/Session/SessionCore.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/arithmetic/FloatEnv.h"

#include <algorithm>

namespace kiln {
/// **Thread safety**: constant, but for idle frames.
struct Callable::Impl {
  explicit Impl(std::shared_ptr<SessionCore> core) : core(std::move(core)) {}
  ~Impl() {
    // A fork() meanwhile must know of it.
    RunScope scope(core->services);
    // Frames reach for locks that may be held by threads that are no more.
    if (core->wasLost())
      frames.abandon();
    else
      frames.clear();
  }

  /// `options` is null for a call without a time limit.
  Status call(std::span<const Tensor> feeds, std::span<Tensor> results,
              const RunOptions *options);
  Status checkCounts(size_t numFeeds, size_t numResults) const {
    if (numFeeds == request.feeds.size() && numResults == numFetches)
      return okStatus();
    if (numFeeds != request.feeds.size())
      return invalidArgumentError(strCat("Expected ", request.feeds.size(),
                                         " feed tensors, but got ", numFeeds));
    return invalidArgumentError(strCat(
        "Expected ", request.feeds.size(), " feed tensors and ", numFetches,
        " results, but got ", numFeeds, " and ", numResults));
  }
  /// As call(), with results for all places.
  Status run(std::span<const Tensor> feeds, std::span<Tensor> results,
             const RunControl &control);
  /// Runs a frame that is not bound to these feeds: `lease`'s if it can be.
  Status bindAndRun(FrameLease &lease, std::span<const Tensor> feeds,
                    std::span<Tensor> results, const RunControl &control);

  const std::shared_ptr<SessionCore> core;
  RunRequest request;
  std::vector<int> places; ///< those of targets behind the fetches'
  size_t numFetches = 0;

  /// Bound as they were last, with their arenas.
  IdlePool<FrameLease> frames;
};

/// Whether a program is one for feeds of these dtypes and ranks.
static bool hasRanks(const Program &program, std::span<const FeedView> views) {
  for (size_t i = 0; i < views.size(); ++i) {
    const ImportedTensor &feed = program.interface().feeds[i];
    if (views[i].dtype != feed.dtype ||
        views[i].dims.size() != feed.dims.size())
      return false;
  }
  return true;
}

Status Callable::Impl::bindAndRun(FrameLease &lease,
                                  std::span<const Tensor> feeds,
                                  std::span<Tensor> results,
                                  const RunControl &control) {
  FloatFlagsKeeper keeper;
  std::vector<FeedView> views;
  for (size_t i = 0; i < feeds.size(); ++i) {
    KILN_RETURN_IF_ERROR(
        checkFed(request.feeds[i], feeds[i], core->services.options));
    views.emplace_back(feeds[i]);
  }
  return findAndRun(lease, {views, feeds, places, results, control},
                    [&](FrameLease &held) -> Status {
                      if (held && hasRanks(*held.program(), views) &&
                          !held.program()->mustBeFound() &&
                          held.program()->matches(views))
                        return okStatus();
                      KILN_ASSIGN_OR_RETURN(
                          FoundProgram found,
                          core->programs.find(
                              {.request = &request, .feeds = views}, control));
                      if (!held || held.program() != found.program)
                        held = FrameLease(std::move(found.program));
                      return okStatus();
                    });
}

Status Callable::Impl::call(std::span<const Tensor> feeds,
                            std::span<Tensor> results,
                            const RunOptions *options) {
  RunScope scope(core->services);
  if (!scope) [[unlikely]]
    return core->closedError();
  RunControl control;
  if (options) {
    KILN_ASSIGN_OR_RETURN(control, SessionCore::controlOf(*options));
  }
  if (feeds.size() != request.feeds.size() || results.size() != numFetches)
      [[unlikely]]
    return checkCounts(feeds.size(), results.size());
  if (places.size() == numFetches) [[likely]]
    return run(feeds, results, control);
  std::vector<Tensor> all(places.size());
  std::ranges::move(results, all.begin());
  Status status = run(feeds, all, control);
  std::move(all.begin(), all.begin() + static_cast<ptrdiff_t>(numFetches),
            results.begin());
  return status;
}

Status Callable::Impl::run(std::span<const Tensor> feeds,
                           std::span<Tensor> results,
                           const RunControl &control) {
  std::unique_ptr<FrameLease> lease = frames.take();
  if (!lease)
    lease = std::make_unique<FrameLease>();
  Status status;
  const bool fits =
      *lease && !lease->program()->mustBeFound() && (*lease)->fits(feeds);
  if (fits)
    status = (*lease)->run(feeds, places, results, control);
  if (!fits || (*lease)->isStale()) [[unlikely]]
    status = bindAndRun(*lease, feeds, results, control);
  frames.giveBack(std::move(lease));
  return status;
}

static Status emptyCallableError() {
  return failedPreconditionError("expected a callable, got an empty one");
}

Status Callable::operator()(std::span<const Tensor> feeds,
                            std::span<Tensor> results) const {
  return impl ? impl->call(feeds, results, nullptr) : emptyCallableError();
}

Status Callable::operator()(std::span<const Tensor> feeds,
                            std::span<Tensor> results,
                            const RunOptions &options) const {
  return impl ? impl->call(feeds, results, &options) : emptyCallableError();
}

StatusOr<Callable>
Session::makeCallable(const std::vector<TensorId> &feeds,
                      const std::vector<Fetch> &fetches,
                      const std::vector<OperationId> &targets) {
  FloatFlagsKeeper keeper;
  RunScope scope(core->services);
  if (!scope)
    return core->closedError();
  KILN_ASSIGN_OR_RETURN(
      ResolvedRequest resolved,
      resolveFeeds(*core->graph, feeds.size(),
                   [&](size_t i) -> auto & { return feeds[i]; }));
  KILN_RETURN_IF_ERROR(
      resolveFetches(*core->graph, fetches, targets, resolved));
  const size_t numFetches = resolved.places.size();
  fetchTargets(resolved);
  // What is missing is missing whatever the values are.
  KILN_RETURN_IF_ERROR(prune(*core->graph, resolved.request).status());
  auto impl = std::make_shared<Callable::Impl>(core);
  impl->request = std::move(resolved.request);
  impl->places = std::move(resolved.places);
  impl->numFetches = numFetches;
  core->onClose(impl, [bound = impl.get()] { bound->frames.clear(); });
  return Callable(std::move(impl));
}

} // namespace kiln
