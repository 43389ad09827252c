// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rounds of steps between two looks at the clock.
#include "bench/Measure.h"

#include "kiln/GraphDef.h"
#include "kiln/Ops.h"

#include <algorithm>
#include <chrono>

namespace kiln::bench {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// One step; a failed one ends the measurement.
using Step = std::function<Status()>;

/// Reads a byte of each result, which the compiler cannot leave out.
void consume(std::span<const Tensor> results) {
  for (const Tensor &result : results)
    if (result.isValid() && result.byteSize() > 0) {
      volatile char byte = *static_cast<const char *>(result.rawData());
      (void)byte;
    }
}

StatusOr<double> timeSteps(const Step &step, int64_t count) {
  Clock::time_point start = Clock::now();
  for (int64_t i = 0; i < count; ++i) {
    Status status = step();
    if (!status.ok())
      return status;
  }
  return secondsSince(start);
}

/// Grows the number of steps until a round takes `seconds`.
StatusOr<int64_t> calibrate(const Step &step, double seconds) {
  for (int64_t count = 1;;) {
    StatusOr<double> time = timeSteps(step, count);
    if (!time.ok())
      return time.status();
    if (*time > seconds)
      return count;
    double growth = std::min(10.0, 1.2 * seconds / std::max(*time, 1e-9));
    count = std::max(count + 1, static_cast<int64_t>(count * growth));
  }
}

/// The ways to run a step, their rounds taking turns so that a disturbance
/// falls on all of them.
Status measureSteady(std::span<const std::pair<Step, Steady *>> ways,
                     const MeasureOptions &options) {
  std::vector<std::vector<double>> times(ways.size());
  for (const auto &[step, steady] : ways) {
    StatusOr<double> warm = timeSteps(step, 2);
    if (!warm.ok())
      return warm.status();
    StatusOr<int64_t> count = calibrate(step, options.seconds / options.rounds);
    if (!count.ok())
      return count.status();
    steady->stepsPerRound = *count;
  }
  for (int round = 0; round < options.rounds; ++round)
    for (size_t i = 0; i < ways.size(); ++i) {
      const auto &[step, steady] = ways[i];
      StatusOr<double> time = timeSteps(step, steady->stepsPerRound);
      if (!time.ok())
        return time.status();
      times[i].push_back(*time / static_cast<double>(steady->stepsPerRound));
    }
  for (size_t i = 0; i < ways.size(); ++i) {
    const auto &[step, steady] = ways[i];
    std::sort(times[i].begin(), times[i].end());
    steady->least = times[i].front();
    steady->median = times[i][times[i].size() / 2];
    // Apart from the rounds: counting costs.
    const int64_t count = std::min<int64_t>(steady->stepsPerRound, 100);
    CountedRegion region;
    StatusOr<double> time = timeSteps(step, count);
    ProcessCounters counters = region.stop();
    if (!time.ok())
      return time.status();
    steady->allocations =
        static_cast<double>(counters.allocations) / static_cast<double>(count);
    steady->pageFaults =
        static_cast<double>(counters.pageFaults) / static_cast<double>(count);
  }
  return okStatus();
}

template <class Id>
std::vector<Id> named(const std::vector<std::string> &names) {
  return std::vector<Id>(names.begin(), names.end());
}

/// A session whose variables are initialized; null on a failure.
std::unique_ptr<Session> openSession(const std::shared_ptr<Graph> &graph,
                                     const Workload &workload,
                                     const MeasureOptions &options,
                                     Failure &failure) {
  StatusOr<std::unique_ptr<Session>> session =
      Session::create(graph, options.session);
  if (!session.ok())
    return failure = {"session", session.status()}, nullptr;
  auto initialized = (*session)->run({}, {}, {workload.init});
  if (!initialized.ok())
    return failure = {"init", initialized.status()}, nullptr;
  return *std::move(session);
}

/// What a run of the workload is given.
struct Arguments {
  std::vector<Feed> feeds;
  std::vector<Fetch> fetches;
  std::vector<OperationId> targets;
};

StatusOr<Arguments> makeArguments(const Workload &workload, uint64_t seed) {
  StatusOr<std::vector<Feed>> feeds = makeFeeds(workload, seed);
  if (!feeds.ok())
    return feeds.status();
  return Arguments{*std::move(feeds), named<Fetch>(workload.fetches),
                   named<OperationId>(workload.targets)};
}

Status prepare(Session &session, const Arguments &arguments,
               RunStats *stats = nullptr) {
  std::vector<FeedInfo> infos;
  for (const Feed &feed : arguments.feeds)
    infos.push_back({feed.tensor, feed.value.shape(), feed.value});
  return session.prepare(infos, arguments.fetches, arguments.targets, stats);
}

Status compileAlone(const std::shared_ptr<Graph> &graph,
                    const Arguments &arguments, const MeasureOptions &options,
                    RunStats &stats) {
  StatusOr<std::unique_ptr<Session>> session =
      Session::create(graph, options.session);
  if (!session.ok())
    return session.status();
  return prepare(**session, arguments, &stats);
}

} // namespace

StatusOr<std::shared_ptr<Graph>> loadGraph(const std::string &folder,
                                           const std::string &name) {
  return loadGraphDefFile(folder + "/" + name + ".pb",
                          {.checker = makeNodeChecker()});
}

FirstCall measureFirstCall(const std::shared_ptr<Graph> &graph,
                           const Workload &workload,
                           const MeasureOptions &options, Failure &failure) {
  FirstCall first;
  StatusOr<Arguments> arguments = makeArguments(workload, options.seed);
  if (!arguments.ok())
    return failure = {"feeds", arguments.status()}, first;
  auto session = openSession(graph, workload, options, failure);
  if (!session)
    return first;
  Clock::time_point start = Clock::now();
  auto results = session->run(arguments->feeds, arguments->fetches,
                              arguments->targets, {}, &first.stats);
  double seconds = secondsSince(start);
  if (!results.ok())
    return failure = {"first call", results.status()}, first;
  consume(*results);
  first.seconds = seconds;
  return first;
}

Figures measure(const std::shared_ptr<Graph> &graph, const Workload &workload,
                const MeasureOptions &options, Failure &failure) {
  Figures figures;
  figures.first = measureFirstCall(graph, workload, options, failure);
  if (!failure.status.ok())
    return figures;
  StatusOr<Arguments> arguments = makeArguments(workload, options.seed);
  if (!arguments.ok())
    return failure = {"feeds", arguments.status()}, figures;
  Status compiled = compileAlone(graph, *arguments, options, figures.compile);
  if (!compiled.ok())
    return failure = {"compile", compiled}, figures;

  auto session = openSession(graph, workload, options, failure);
  if (!session)
    return figures;
  std::vector<TensorId> names;
  std::vector<Tensor> values, results(workload.fetches.size());
  for (const Feed &feed : arguments->feeds) {
    names.push_back(feed.tensor);
    values.push_back(feed.value);
  }
  StatusOr<Callable> callable =
      session->makeCallable(names, arguments->fetches, arguments->targets);
  if (!callable.ok())
    return failure = {"callable", callable.status()}, figures;
  // The steady state is native.
  if (Status compiled = prepare(*session, *arguments); !compiled.ok())
    return failure = {"prepare", compiled}, figures;
  Step run = [&] {
    auto got =
        session->run(arguments->feeds, arguments->fetches, arguments->targets);
    if (got.ok())
      consume(*got);
    return got.ok() ? okStatus() : got.status();
  };
  Step call = [&] {
    Status status = (*callable)(values, results);
    consume(results);
    return status;
  };
  const std::pair<Step, Steady *> ways[] = {{run, &figures.run},
                                            {call, &figures.callable}};
  Status measured = measureSteady(ways, options);
  if (!measured.ok())
    failure = {"run", measured};
  return figures;
}

double measureBatchSizes(const std::shared_ptr<Graph> &graph,
                         const Workload &workload, int64_t count,
                         const MeasureOptions &options, Failure &failure) {
  auto session = openSession(graph, workload, options, failure);
  if (!session)
    return 0;
  std::vector<Arguments> steps;
  for (int64_t rows = 1; rows <= count; ++rows) {
    StatusOr<std::vector<Feed>> feeds = makeFeeds(workload, options.seed, rows);
    if (!feeds.ok())
      return failure = {"feeds", feeds.status()}, 0;
    steps.push_back({*std::move(feeds), named<Fetch>(workload.fetches),
                     named<OperationId>(workload.targets)});
  }
  Clock::time_point start = Clock::now();
  for (const Arguments &step : steps) {
    auto results = session->run(step.feeds, step.fetches, step.targets);
    if (!results.ok())
      return failure = {"run", results.status()}, 0;
    consume(*results);
  }
  return secondsSince(start);
}

} // namespace kiln::bench
