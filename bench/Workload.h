// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The benchmark workloads: a graph, what a step runs, and made-up feeds.
#ifndef KILN_BENCH_WORKLOAD_H
#define KILN_BENCH_WORKLOAD_H

#include "kiln/Graph.h"
#include "kiln/Session.h"

#include <optional>
#include <string>
#include <vector>

namespace kiln::bench {

struct FeedSpec {
  std::string tensor;
  DType dtype = DType::Float32;
  Shape shape;
  /// Integers lie in [0, below).
  int64_t below = 1;
};

/// One entry of workloads.json. A step is one run of fetches and targets.
struct Workload {
  std::string name;
  std::string init;
  std::vector<std::string> fetches, targets;
  std::vector<FeedSpec> feeds;
  /// What a step must move and compute at least, where a limit applies.
  std::optional<double> bytes, flops;
};

/// Reads DIR/workloads.json, in the order of the file. **Errors**: NOT_FOUND,
/// INVALID_ARGUMENT for a file of another form.
StatusOr<std::vector<Workload>> readWorkloads(const std::string &folder);

/// Makes the feeds: floats from a normal distribution, the same for the same
/// seed. **Edges**: `rows` replaces the first dimension of feeds that have one;
/// -1 leaves it. **Errors**: UNIMPLEMENTED for a dtype other than float32,
/// float64, int32 and int64.
StatusOr<std::vector<Feed>> makeFeeds(const Workload &workload, uint64_t seed,
                                      int64_t rows = -1);

} // namespace kiln::bench

#endif // KILN_BENCH_WORKLOAD_H
