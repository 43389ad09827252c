// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of a bound signature: the short way while shapes stay, the long one
// when they change. No MLIR header: it is optimized in every build.
#include "lib/Exec/Frame.h"
#include "lib/Exec/IdlePool.h"
#include "lib/Session/SessionCore.h"

#include "lib/Support/FloatState.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln {
namespace {

/// A frame that keeps its program alive.
struct BoundFrame {
  explicit BoundFrame(std::shared_ptr<const Program> program)
      : program(std::move(program)),
        frame(this->program->executor->makeFrame(*this->program)) {}
  const std::shared_ptr<const Program> program;
  const std::unique_ptr<Frame> frame;
};

} // namespace

/// **Thread safety**: constant, but for idle frames.
struct Callable::Impl {
  explicit Impl(std::shared_ptr<SessionCore> core) : core(std::move(core)) {}
  ~Impl() {
    // A fork() meanwhile must know of it.
    SessionCore::RunScope scope(*core);
    // Frames reach for locks that may be held by threads that are no more.
    if (core->wasLost())
      frames.abandon();
    else
      frames.clear();
  }

  /// Of a call without a time limit, `options` is null.
  Status call(std::span<const Tensor> feeds, std::span<Tensor> results,
              const RunOptions *options);
  Status checkCounts(size_t numFeeds, size_t numResults) const {
    if (numFeeds == request.feeds.size() && numResults == places.size())
      return okStatus();
    if (numFeeds != request.feeds.size())
      return invalidArgumentError(strCat("Expected ", request.feeds.size(),
                                         " feed tensors, but got ", numFeeds));
    return invalidArgumentError(strCat(
        "Expected ", request.feeds.size(), " feed tensors and ", places.size(),
        " results, but got ", numFeeds, " and ", numResults));
  }
  /// Gives a frame that is bound to these feeds; `frame` when it can be.
  Status rebind(std::span<const Tensor> feeds,
                std::unique_ptr<BoundFrame> &frame, const Patience &patience);

  const std::shared_ptr<SessionCore> core;
  RunRequest request;
  std::vector<int> places;

  IdlePool<BoundFrame> frames;
};

Status Callable::Impl::rebind(std::span<const Tensor> feeds,
                              std::unique_ptr<BoundFrame> &frame,
                              const Patience &patience) {
  std::vector<FeedView> views;
  for (size_t i = 0; i < feeds.size(); ++i) {
    KILN_RETURN_IF_ERROR(checkFeed(request.feeds[i], feeds[i]));
    views.emplace_back(feeds[i]);
  }
  auto sameRanks = [&](const Program &program) {
    for (size_t i = 0; i < views.size(); ++i)
      if (views[i].dtype != program.feeds[i].dtype ||
          views[i].dims.size() != program.feeds[i].dims.size())
        return false;
    return true;
  };
  for (;;) {
    if (!frame || !sameRanks(*frame->program) ||
        frame->program->mustBeFound() || !frame->program->matches(views)) {
      KILN_ASSIGN_OR_RETURN(CompileCache::Found found,
                            core->findProgram(request, views, false, patience));
      if (!frame || frame->program != found.program)
        frame = std::make_unique<BoundFrame>(std::move(found.program));
    }
    Status status = frame->frame->bind(views);
    // Stale: the shape of a variable changed meanwhile.
    if (!frame->frame->isStale()) [[likely]]
      return status;
  }
}

Status Callable::Impl::call(std::span<const Tensor> feeds,
                            std::span<Tensor> results,
                            const RunOptions *options) {
  SessionCore::RunScope scope(*core);
  if (!scope) [[unlikely]]
    return core->closedError();
  RunControl control;
  if (options) {
    KILN_ASSIGN_OR_RETURN(control, SessionCore::controlOf(*options));
  }
  if (feeds.size() != request.feeds.size() || results.size() != places.size())
      [[unlikely]]
    return checkCounts(feeds.size(), results.size());
  std::unique_ptr<BoundFrame> frame = frames.take();
  if (!frame || frame->program->mustBeFound() || !frame->frame->fits(feeds))
      [[unlikely]]
    if (Status status = rebind(feeds, frame, control); !status.ok()) {
      if (frame)
        frames.giveBack(std::move(frame));
      return status;
    }
  Status status = frame->frame->run(feeds, places, results, control);
  while (frame->frame->isStale()) [[unlikely]] {
    if (status = rebind(feeds, frame, control); !status.ok())
      break;
    status = frame->frame->run(feeds, places, results, control);
  }
  frames.giveBack(std::move(frame));
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
  SessionCore::RunScope scope(*core);
  if (!scope)
    return core->closedError();
  KILN_ASSIGN_OR_RETURN(
      ResolvedRequest resolved,
      resolveFeeds(*core->graph, feeds.size(),
                   [&](size_t i) -> auto & { return feeds[i]; }));
  KILN_RETURN_IF_ERROR(
      resolveFetches(*core->graph, fetches, targets, resolved));
  // What is missing is missing whatever the values are.
  KILN_RETURN_IF_ERROR(prune(*core->graph, resolved.request).status());
  auto impl = std::make_shared<Callable::Impl>(core);
  impl->request = std::move(resolved.request);
  impl->places = std::move(resolved.places);
  core->onClose(impl, [bound = impl.get()] { bound->frames.clear(); });
  return Callable(std::move(impl));
}

} // namespace kiln
