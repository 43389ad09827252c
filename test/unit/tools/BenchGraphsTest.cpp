// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The benchmark graphs have the same bits for any number of threads and for
// every vector width.
//
// KILN_ALL_BENCH_GRAPHS=1 runs all that Kiln supports; otherwise the small
// ones.
#include "bench/Workload.h"
#include "kiln/GraphDef.h"
#include "test/unit/StatusMatchers.h"
#include "tools/compare/Tensors.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace kiln {
namespace {

using kiln::testing::isOk;

/// A hash of what three steps fetch and of the variables behind them.
StatusOr<uint64_t> hashOfSteps(const std::shared_ptr<Graph> &graph,
                               const bench::Workload &workload,
                               const SessionOptions &options) {
  auto session = Session::create(graph, options);
  auto feeds = bench::makeFeeds(workload, 7);
  if (!session.ok() || !feeds.ok())
    return session.ok() ? feeds.status() : session.status();
  uint64_t hash = 0;
  Status status;
  auto run = [&](const std::vector<Feed> &fed,
                 const std::vector<Fetch> &fetches,
                 const std::vector<OperationId> &targets) {
    if (!status.ok())
      return;
    auto values = (*session)->run(fed, fetches, targets);
    status = values.status();
    if (values.ok())
      for (const Tensor &value : *values)
        hash = compare::hashTensor(value, hash);
  };
  run({}, {}, {workload.init});
  for (int step = 0; step < 3; ++step)
    run(*feeds, {workload.fetches.begin(), workload.fetches.end()},
        {workload.targets.begin(), workload.targets.end()});
  for (int i = 0; i < graph->numNodes(); ++i)
    if (graph->node(i)->op() == "VariableV2")
      run({}, {Output{graph->node(i), 0}}, {});
  if (!status.ok())
    return status;
  return hash;
}

class BenchGraphs : public ::testing::TestWithParam<const char *> {};

TEST_P(BenchGraphs, HaveOneHashForThreadsAndVectorWidths) {
  const std::string folder = KILN_SOURCE_DIR "/bench/graphs";
  auto workloads = bench::readWorkloads(folder);
  ASSERT_THAT(workloads.status(), isOk());
  auto found = std::find_if(
      workloads->begin(), workloads->end(),
      [](const bench::Workload &each) { return each.name == GetParam(); });
  ASSERT_NE(found, workloads->end());
  auto graph = loadGraphDefFile(folder + "/" + found->name + ".pb",
                                {.checker = makeNodeChecker()});
  ASSERT_THAT(graph.status(), isOk());
  std::set<uint64_t> hashes;
  for (const char *cpu : {"", "x86-64-v3"})
    for (int threads : {1, 2, 3, 8}) {
      SessionOptions options;
      options.mode = ExecutionMode::NativeOnly;
      options.threads = threads;
      options.code = {.cpu = cpu,
                      .minSharedOps = 1,
                      .minChunkOps = 512,
                      .minStreamedBytes = threads % 2 == 0 ? 256 : 0};
      auto hash = hashOfSteps(*graph, *found, options);
      ASSERT_THAT(hash.status(), isOk());
      hashes.insert(*hash);
    }
  EXPECT_EQ(hashes.size(), 1u);
}

std::vector<const char *> graphs() {
  std::vector<const char *> names = {"overhead",  "chain50", "bgd",
                                     "minibatch", "gemm64",  "gemm256"};
  if (std::getenv("KILN_ALL_BENCH_GRAPHS"))
    for (const char *large :
         {"triad", "pointwise", "gemm1024", "gemm2048", "softmax", "layernorm"})
      names.push_back(large);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Of, BenchGraphs, ::testing::ValuesIn(graphs()),
                         [](const auto &info) {
                           return std::string(info.param);
                         });

} // namespace
} // namespace kiln
