// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measuring a workload: first call, steady state, what a step takes from the
// system.
#ifndef KILN_BENCH_MEASURE_H
#define KILN_BENCH_MEASURE_H

#include "bench/ProcessCounters.h"
#include "bench/Workload.h"

#include <functional>

namespace kiln::bench {

struct MeasureOptions {
  double seconds = 0.8; ///< for each way to run, over all rounds
  int rounds = 5;
  uint64_t seed = 1;
  SessionOptions session;
};

/// Where an error came from, as a person would call it: "load", "init" …
struct Failure {
  std::string stage;
  Status status;
};

/// The least and the middle of the rounds' means, in seconds a step.
struct Steady {
  double least = 0, median = 0;
  int64_t stepsPerRound = 0;
  /// What one step takes, after the rounds.
  double allocations = 0, pageFaults = 0;
};

struct FirstCall {
  double seconds = 0;
  RunStats stats;
};

struct Figures {
  FirstCall first;
  RunStats compile; ///< of Session::prepare, in a session of its own
  Steady run, callable;
};

/// Loads the workload's graph from the folder, with Kiln's node checker.
StatusOr<std::shared_ptr<Graph>> loadGraph(const std::string &folder,
                                           const std::string &name);

/// Times the first run in a fresh session, after its init operation. On a
/// failure the time is 0.
FirstCall measureFirstCall(const std::shared_ptr<Graph> &graph,
                           const Workload &workload,
                           const MeasureOptions &options, Failure &failure);

/// Measures all of a workload. On a failure the figures up to it are there.
Figures measure(const std::shared_ptr<Graph> &graph, const Workload &workload,
                const MeasureOptions &options, Failure &failure);

/// Times a step at each of `count` batch sizes in one fresh session, compiling
/// included.
double measureBatchSizes(const std::shared_ptr<Graph> &graph,
                         const Workload &workload, int64_t count,
                         const MeasureOptions &options, Failure &failure);

} // namespace kiln::bench

#endif // KILN_BENCH_MEASURE_H
