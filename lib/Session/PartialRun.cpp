// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the steps of a partial run against its request, and drives its frame.
#include "lib/Session/PartialRun.h"

#include "lib/Session/FedValues.h"
#include "lib/Session/SessionCore.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/abi/RunState.h"
#include "runtime/arithmetic/FloatEnv.h"

#include <algorithm>

namespace kiln {
namespace {

Status noSuchRunError() {
  return invalidArgumentError(
      "Must run 'setup' before performing partial runs!");
}

/// The place in the list, or -1.
int placeOf(const std::vector<Output> &list, const Output &output) {
  auto found = std::find(list.begin(), list.end(), output);
  return found == list.end() ? -1 : static_cast<int>(found - list.begin());
}

} // namespace

PartialRun::PartialRun(std::shared_ptr<const Program> made, RunRequest asked)
    : program(std::move(made)), services(program->services),
      request(std::move(asked)),
      slots(services.arenas, services.options.limits.maxRunBytes),
      state(makeRunState(&context)), sessionScope(&services.token, &state),
      isFed(request.feeds.size()), isFetched(request.fetches.size()) {
  setUpContext(context, services, strings, slots);
  findNeeds();
  frame.emplace(*program->executor->cut(), services, state, context);
  frame->beginSteps();
}

PartialRun::PartialRun(Status why, SessionServices &of, RunRequest asked)
    : services(of), failure(std::move(why)), request(std::move(asked)),
      slots(services.arenas, services.options.limits.maxRunBytes),
      state(makeRunState(&context)), sessionScope(&services.token, &state),
      isFed(request.feeds.size()), isFetched(request.fetches.size()),
      needs(request.fetches.size(),
            std::vector<bool>(request.feeds.size(), false)) {}

PartialRun::~PartialRun() {
  if (frame)
    frame->clear();
}

void PartialRun::findNeeds() {
  const CutGraph &graph = program->executor->cut()->graph;
  std::vector<std::vector<bool>> unitNeeds(
      graph.units.size(), std::vector<bool>(request.feeds.size()));
  std::vector<int> numBefore;
  std::vector<size_t> ready;
  for (size_t unit = 0; unit < graph.units.size(); ++unit) {
    numBefore.push_back(graph.units[unit].numBefore);
    if (numBefore.back() == 0)
      ready.push_back(unit);
  }
  std::vector<std::vector<bool>> valueNeeds(
      graph.values.size(), std::vector<bool>(request.feeds.size()));
  while (!ready.empty()) {
    size_t number = ready.back();
    ready.pop_back();
    const CutUnit &unit = graph.units[number];
    std::vector<bool> &own = unitNeeds[number];
    if (unit.feed >= 0)
      own[static_cast<size_t>(unit.feed)] = true;
    for (int value : unit.outputs)
      if (value >= 0)
        valueNeeds[static_cast<size_t>(value)] = own;
    for (int user : unit.users) {
      std::vector<bool> &theirs = unitNeeds[static_cast<size_t>(user)];
      for (size_t feed = 0; feed < own.size(); ++feed)
        theirs[feed] = theirs[feed] || own[feed];
      if (--numBefore[static_cast<size_t>(user)] == 0)
        ready.push_back(static_cast<size_t>(user));
    }
  }
  for (int value : graph.fetches)
    needs.push_back(valueNeeds[static_cast<size_t>(value)]);
}

Status PartialRun::checkStep(std::span<const StepFeed> feeds,
                             std::span<const Output> fetches,
                             std::vector<int> &feedNumbers,
                             std::vector<int> &fetchNumbers) const {
  auto refuse = [](std::string_view what, const Output &output,
                   std::string_view why) {
    return invalidArgumentError(
        strCat("The ", what, " ", output.name(), " ", why));
  };
  std::vector<bool> known = isFed;
  for (const StepFeed &feed : feeds) {
    int place = placeOf(request.feeds, feed.output);
    if (place < 0)
      return refuse("feed", feed.output,
                    "was not specified in partial_run_setup.");
    if (known[static_cast<size_t>(place)])
      return refuse("feed", feed.output, "has already been fed.");
    KILN_RETURN_IF_ERROR(checkFed(feed.output, feed.value, services.options));
    known[static_cast<size_t>(place)] = true;
    feedNumbers.push_back(place);
  }
  for (const Output &fetch : fetches) {
    // As often as it was specified.
    int place = -1;
    bool isKnown = false;
    for (size_t i = 0; place < 0 && i < request.fetches.size(); ++i) {
      if (!(request.fetches[i] == fetch))
        continue;
      isKnown = true;
      int number = static_cast<int>(i);
      if (!isFetched[i] && std::find(fetchNumbers.begin(), fetchNumbers.end(),
                                     number) == fetchNumbers.end())
        place = number;
    }
    if (!isKnown)
      return refuse("fetch", fetch, "was not specified in partial_run_setup.");
    if (place < 0)
      return refuse("fetch", fetch, "has already been fetched.");
    fetchNumbers.push_back(place);
  }
  for (int fetch : fetchNumbers)
    for (size_t feed = 0; feed < known.size(); ++feed)
      if (needs[static_cast<size_t>(fetch)][feed] && !known[feed])
        return invalidArgumentError(
                   strCat("Fetch ", request.feeds[feed].name(),
                          " can't be computed from the feeds that have been "
                          "fed so far."))
            .withNode(request.fetches[static_cast<size_t>(fetch)].node->name());
  return okStatus();
}

Status PartialRun::runStep(std::span<const int> fetches,
                           const RunControl &control) {
  Status status;
  {
    WaitScope scope(control, &state);
    status = cancelCode(&state) != 0 ? runStatus(state, {})
                                     : frame->runStep(fetches, control);
  }
  if (!status.ok()) {
    hasEnded = true;
    frame->clear();
  }
  return status;
}

Status PartialRun::begin() {
  std::lock_guard lock(mutex);
  return runStep({}, {});
}

StatusOr<std::vector<Tensor>> PartialRun::step(std::span<const StepFeed> feeds,
                                               std::span<const Output> fetches,
                                               const RunControl &control,
                                               bool &isOver) {
  std::lock_guard lock(mutex);
  if (hasEnded)
    return noSuchRunError();
  std::vector<int> feedNumbers, fetchNumbers;
  KILN_RETURN_IF_ERROR(checkStep(feeds, fetches, feedNumbers, fetchNumbers));
  if (!failure.ok()) {
    isOver = hasEnded = true;
    return failure;
  }
  for (size_t i = 0; i < feeds.size(); ++i) {
    isFed[static_cast<size_t>(feedNumbers[i])] = true;
    frame->arrive(feedNumbers[i], feeds[i].value);
  }
  Status status = runStep(fetchNumbers, control);
  std::vector<Tensor> results;
  for (size_t i = 0; status.ok() && i < fetchNumbers.size(); ++i) {
    auto value = frame->takeFetch(fetchNumbers[i]);
    status = value.status();
    if (!status.ok())
      break;
    isFetched[static_cast<size_t>(fetchNumbers[i])] = true;
    results.push_back(*std::move(value));
  }
  auto isAll = [](const std::vector<bool> &done) {
    return std::find(done.begin(), done.end(), false) == done.end();
  };
  isOver = !status.ok() || (isAll(isFed) && isAll(isFetched));
  hasEnded = isOver;
  if (!status.ok())
    return status;
  return results;
}

StatusOr<std::string>
SessionCore::partialRunSetup(const std::vector<TensorId> &feeds,
                             const std::vector<Fetch> &fetches,
                             const std::vector<OperationId> &targets) {
  FloatFlagsKeeper keeper;
  RunScope scope(services);
  if (!scope)
    return closedError();
  KILN_ASSIGN_OR_RETURN(
      ResolvedRequest resolved,
      resolveFeeds(*graph, feeds.size(),
                   [&](size_t i) -> auto & { return feeds[i]; }));
  std::vector<FeedView> views(feeds.size());
  KILN_RETURN_IF_ERROR(resolveFetches(*graph, fetches, targets, resolved));
  const RunRequest &request = resolved.request;
  if (request.fetches.empty() && request.targets.empty())
    return invalidArgumentError(
        "Must specify at least one target to fetch or execute.");
  auto found = programs.find({.source = ProgramSource::SteppedRequest,
                              .request = &request,
                              .feeds = views},
                             {});
  std::shared_ptr<PartialRun> run;
  if (found.ok()) {
    run = std::make_shared<PartialRun>(std::move(found->program),
                                       std::move(resolved.request));
    KILN_RETURN_IF_ERROR(run->begin());
  } else if (isMissingFeed(found.status(), *graph)) {
    run = std::make_shared<PartialRun>(found.status(), services,
                                       std::move(resolved.request));
  } else {
    return found.status();
  }
  std::lock_guard lock(partialMutex);
  std::string handle = strCat("partial run ", numPartialRuns++);
  partialRuns.emplace(handle, std::move(run));
  return handle;
}

StatusOr<std::vector<Tensor>>
SessionCore::partialRun(const std::string &handle,
                        const std::vector<Feed> &feeds,
                        const std::vector<TensorId> &fetches,
                        const RunOptions &options, RunStats *stats) {
  FloatFlagsKeeper keeper;
  RunScope scope(services);
  if (!scope)
    return closedError();
  KILN_ASSIGN_OR_RETURN(RunControl control, controlOf(options));
  control.stats = stats;
  if (stats)
    *stats = RunStats();
  std::shared_ptr<PartialRun> run;
  {
    std::lock_guard lock(partialMutex);
    if (auto found = partialRuns.find(handle); found != partialRuns.end())
      run = found->second;
  }
  if (!run)
    return noSuchRunError();
  KILN_ASSIGN_OR_RETURN(
      ResolvedRequest resolved,
      resolveFeeds(*graph, feeds.size(),
                   [&](size_t i) -> auto & { return feeds[i].tensor; }));
  std::vector<PartialRun::StepFeed> stepFeeds;
  for (size_t i = 0; i < feeds.size(); ++i)
    stepFeeds.push_back({resolved.request.feeds[i], feeds[i].value});
  std::vector<Fetch> tensors;
  for (const TensorId &fetch : fetches)
    std::visit([&](const auto &id) { tensors.emplace_back(id); }, fetch);
  KILN_RETURN_IF_ERROR(resolveFetches(*graph, tensors, {}, resolved));
  if (!resolved.request.targets.empty())
    return invalidArgumentError(
               "expected tensors to fetch in a partial run, got an operation")
        .withNode(resolved.request.targets[0]->name());
  bool isOver = false;
  auto results =
      run->step(stepFeeds, resolved.request.fetches, control, isOver);
  if (isOver) {
    std::lock_guard lock(partialMutex);
    partialRuns.erase(handle);
  }
  return results;
}

} // namespace kiln
