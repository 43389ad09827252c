// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one call of a Callable costs from C++, for graphs so small that the call
// itself shows.
//
// One JSON line a graph: the least mean over rounds of many calls, in
// nanoseconds. It does not measure compiling, nor the first call.
#include "kiln/GraphDef.h"
#include "kiln/Ops.h"
#include "kiln/Session.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>

namespace kiln {
namespace {

using Clock = std::chrono::steady_clock;

struct FeedShape {
  std::string tensor;
  Shape shape;
};

struct Workload {
  std::string name;
  std::vector<FeedShape> feeds;
  std::vector<Fetch> fetches;
  std::vector<OperationId> targets;
  double limitNs; ///< what the design asks for
};

std::vector<Workload> workloads() {
  return {{"overhead", {{"Placeholder:0", {}}}, {"add:0"}, {}, 1000},
          {"chain50", {{"Placeholder:0", {16}}}, {"Tanh_24:0"}, {}, 1500},
          {"minibatch",
           {{"Placeholder:0", {100, 9}}, {"Placeholder_1:0", {100, 1}}},
           {},
           {"GradientDescent"},
           1500}};
}

/// Numbers in [-0.5, 0.5) that training does not blow up on.
StatusOr<Tensor> makeFeed(const Shape &shape) {
  StatusOr<Tensor> feed = Tensor::create(DType::Float32, shape);
  if (!feed.ok())
    return feed;
  uint32_t state = 1;
  for (float &value : feed->mutableData<float>()) {
    state = state * 1664525 + 1013904223;
    value = static_cast<float>(state >> 8) / float(1 << 24) - 0.5f;
  }
  return feed;
}

StatusOr<double> nanosecondsPerCall(const Workload &workload,
                                    const std::string &folder, int64_t rounds,
                                    int64_t calls) {
  StatusOr<std::shared_ptr<Graph>> graph = loadGraphDefFile(
      folder + "/" + workload.name + ".pb", {.checker = makeNodeChecker()});
  if (!graph.ok())
    return graph.status();
  StatusOr<std::unique_ptr<Session>> session = Session::create(*graph);
  if (!session.ok())
    return session.status();
  auto initialized = (*session)->run({}, {"init"});
  if (!initialized.ok())
    return initialized.status();

  std::vector<TensorId> names;
  std::vector<Tensor> feeds;
  for (const FeedShape &feed : workload.feeds) {
    StatusOr<Tensor> value = makeFeed(feed.shape);
    if (!value.ok())
      return value.status();
    names.emplace_back(feed.tensor);
    feeds.push_back(*std::move(value));
  }
  std::vector<Tensor> results(workload.fetches.size());
  StatusOr<Callable> callable =
      (*session)->makeCallable(names, workload.fetches, workload.targets);
  if (!callable.ok())
    return callable.status();
  Status first = (*callable)(feeds, results);
  if (!first.ok())
    return first;

  double best = std::numeric_limits<double>::infinity();
  for (int64_t round = 0; round < rounds; ++round) {
    Clock::time_point start = Clock::now();
    for (int64_t call = 0; call < calls; ++call) {
      Status status = (*callable)(feeds, results);
      if (!status.ok())
        return status;
    }
    std::chrono::duration<double, std::nano> time = Clock::now() - start;
    best = std::min(best, time.count() / static_cast<double>(calls));
  }
  return best;
}

} // namespace
} // namespace kiln

int main(int argc, char **argv) {
  CLI::App app("Measures what a call costs; one JSON line a graph.");
  std::string folder;
  int64_t rounds = 50, calls = 20000;
  app.add_option("FOLDER", folder, "bench/graphs")->required();
  app.add_option("--rounds", rounds, "Rounds, of which the fastest counts")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--calls", calls, "Calls a round")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  int exitCode = 0;
  for (const kiln::Workload &workload : kiln::workloads()) {
    kiln::StatusOr<double> time =
        kiln::nanosecondsPerCall(workload, folder, rounds, calls);
    if (!time.ok()) {
      std::fprintf(stderr, "kiln-call-overhead: %s: %s\n",
                   workload.name.c_str(), time.status().toString().c_str());
      exitCode = 1;
      continue;
    }
    std::printf("{\"name\": \"%s\", \"ns_per_call\": %.1f, \"limit_ns\": %.0f, "
                "\"rounds\": %lld, \"calls\": %lld}\n",
                workload.name.c_str(), *time, workload.limitNs,
                static_cast<long long>(rounds), static_cast<long long>(calls));
    std::fflush(stdout);
  }
  return exitCode;
}
