// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions of runs, what they cost, and the names of generated code.
#include "kiln/Inspect.h"
#include "kiln/GraphDef.h"
#include "kiln/Session.h"
#include "lib/Loader/CodeNames.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <nlohmann/json.hpp>

#include <fstream>
#include <map>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace kiln;
using ::testing::Contains;
using ::testing::HasSubstr;

namespace {

/// A 3-by-4 times 4-by-5 product, and scale * a + b on vectors of any size.
constexpr const char *graphText = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 3 } dim { size: 4 } } } } }
node { name: "y" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 4 } dim { size: 5 } } } } }
node { name: "product" op: "MatMul" input: "x" input: "y"
  attr { key: "T" value { type: DT_FLOAT } } }
node { name: "a" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: -1 } } } } }
node { name: "b" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: -1 } } } } }
node { name: "scaled" op: "Mul" input: "a" input: "a"
  attr { key: "T" value { type: DT_FLOAT } } }
node { name: "triad" op: "AddV2" input: "scaled" input: "b"
  attr { key: "T" value { type: DT_FLOAT } } }
node { name: "index" op: "Placeholder" attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "shape" value { shape { dim { size: 2 } } } } }
node { name: "axis" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape {} int_val: 0 } } } }
node { name: "picked" op: "GatherV2" input: "a" input: "index" input: "axis"
  attr { key: "Tparams" value { type: DT_FLOAT } } attr { key: "Tindices" value { type: DT_INT32 } }
  attr { key: "Taxis" value { type: DT_INT32 } } attr { key: "batch_dims" value { i: 0 } } }
)";

std::unique_ptr<Session> makeSession(InspectOptions inspect) {
  SessionOptions options;
  options.inspect = inspect;
  return *Session::create(*loadGraphDef(graphText), options);
}

Tensor filled(const Shape &shape) {
  Tensor tensor = *Tensor::create(DType::Float32, shape);
  for (size_t i = 0; float &value : tensor.mutableData<float>())
    value = static_cast<float>(i++ % 7) - 3;
  return tensor;
}

/// Runs "triad" for vectors of n elements.
RunStats runTriad(Session &session, int64_t n, RunOptions options = {}) {
  RunStats stats;
  auto results = session.run({{"a:0", filled({n})}, {"b:0", filled({n})}},
                             {"triad:0"}, {}, options, &stats);
  EXPECT_TRUE(results.ok()) << results.status().toString();
  EXPECT_EQ(results->at(0).data<float>()[0], 6);
  return stats;
}

RunStats runProduct(Session &session) {
  RunStats stats;
  auto results = session.run({{"x:0", filled({3, 4})}, {"y:0", filled({4, 5})}},
                             {"product:0"}, {}, {}, &stats);
  EXPECT_TRUE(results.ok()) << results.status().toString();
  return stats;
}

/// The lines of this process's perf map: name by address, with the size.
struct MapLine {
  uint64_t size;
  std::string name;
};
std::map<uint64_t, MapLine> readPerfMap() {
  std::map<uint64_t, MapLine> lines;
  std::ifstream file(perfMapPath());
  for (std::string text; std::getline(file, text);) {
    std::istringstream line(text);
    uint64_t address = 0;
    MapLine entry;
    line >> std::hex >> address >> entry.size >> std::ws;
    std::getline(line, entry.name);
    EXPECT_TRUE(lines.emplace(address, entry).second) << text;
  }
  return lines;
}

/// True when the address lies in pages that may be executed.
bool isExecutable(uint64_t address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string text; std::getline(maps, text);) {
    uint64_t begin = 0, end = 0;
    char dash = 0;
    std::string mode;
    std::istringstream line(text);
    line >> std::hex >> begin >> dash >> end >> mode;
    if (begin <= address && address < end)
      return mode.find('x') != std::string::npos;
  }
  return false;
}

TEST(Inspect, OneRunOfAnySessionTellsItsRegions) {
  auto session = makeSession({});
  EXPECT_TRUE(runTriad(*session, 10).regions.empty());
  int64_t programs = session->stats().compilations;
  RunStats asked = runTriad(*session, 10, {.regions = true});
  ASSERT_EQ(asked.regions.size(), 1u);
  EXPECT_THAT(asked.regions[0].nodes, Contains("triad"));
  EXPECT_EQ(runTriad(*session, 7, {.regions = true}).regions.size(), 1u);
  EXPECT_TRUE(runTriad(*session, 10).regions.empty());
  EXPECT_EQ(session->stats().compilations, programs + 1);
}

TEST(Inspect, OffRecordsNoRegions) {
  auto session = makeSession({});
  EXPECT_TRUE(runTriad(*session, 100).regions.empty());
}

TEST(Inspect, ProductCountsTwoMNK) {
  auto session = makeSession({.regions = true});
  RunStats stats = runProduct(*session);
  int64_t flops = 0, read = 0, written = 0;
  for (const RegionStats &region : stats.regions) {
    flops += region.flops;
    read += region.bytesRead;
    written += region.bytesWritten;
  }
  EXPECT_EQ(flops, 2 * 3 * 4 * 5);
  EXPECT_EQ(read, 4 * (3 * 4 + 4 * 5));
  EXPECT_EQ(written, 4 * 3 * 5);
}

TEST(Inspect, TriadCountsTheRunsOwnElements) {
  auto session = makeSession({.regions = true});
  for (int64_t n : {100, 100'000}) {
    RunStats stats = runTriad(*session, n);
    ASSERT_EQ(stats.regions.size(), 1u);
    const RegionStats &region = stats.regions[0];
    EXPECT_EQ(region.flops, 2 * n);
    EXPECT_EQ(region.bytesRead, 8 * n);
    EXPECT_EQ(region.bytesWritten, 4 * n);
    EXPECT_EQ(region.name, "scaled+triad");
    EXPECT_THAT(region.nodes, ::testing::ElementsAre("scaled", "triad"));
    EXPECT_GE(region.startNs, stats.runStartNs);
    EXPECT_LE(region.startNs + region.ns, stats.runStartNs + stats.runNs);
  }
  EXPECT_EQ(session->stats().compilations, 1);
}

TEST(Inspect, RegionsGiveTheSameBits) {
  auto plain = makeSession({}), inspected = makeSession({.regions = true});
  std::vector<Feed> feeds = {{"x:0", filled({3, 4})}, {"y:0", filled({4, 5})}};
  auto expected = plain->run(feeds, {"product:0"});
  auto actual = inspected->run(feeds, {"product:0"});
  ASSERT_TRUE(expected.ok() && actual.ok());
  EXPECT_TRUE(expected->at(0).hasSameBits(actual->at(0)));
}

TEST(Inspect, FailingRegionEndsTheRunWithTheSameError) {
  auto plain = makeSession({}), inspected = makeSession({.regions = true});
  std::vector<Feed> feeds = {
      {"a:0", filled({4})},
      {"index:0", *Tensor::fromValues<int32_t>({2}, {1, 9})}};
  auto expected = plain->run(feeds, {"picked:0", "a:0"});
  auto actual = inspected->run(feeds, {"picked:0", "a:0"});
  ASSERT_FALSE(expected.ok());
  EXPECT_EQ(expected.status(), actual.status());
  feeds[1].value = *Tensor::fromValues<int32_t>({2}, {1, 3});
  EXPECT_TRUE(inspected->run(feeds, {"picked:0", "a:0"}).ok());
}

TEST(Inspect, CancelledRunReachesNoRegion) {
  auto session = makeSession({.regions = true});
  runTriad(*session, 10);
  Cancellation cancel;
  cancel.cancel();
  RunStats stats;
  auto results = session->run({{"a:0", filled({10})}, {"b:0", filled({10})}},
                              {"triad:0"}, {}, {.cancel = &cancel}, &stats);
  EXPECT_EQ(results.status().code(), StatusCode::Cancelled);
  EXPECT_TRUE(stats.regions.empty());
}

TEST(ChromeTrace, IsJsonWithRegionsInsideTheirRun) {
  auto session = makeSession({.regions = true});
  std::vector<RunStats> runs = {runTriad(*session, 1000),
                                runTriad(*session, 1000)};
  auto trace = nlohmann::json::parse(chromeTrace(runs));
  std::vector<std::string> names;
  double begin = 0, end = 0;
  for (const auto &event : trace.at("traceEvents")) {
    EXPECT_EQ(event.at("ph"), "X");
    EXPECT_GE(event.at("dur").get<double>(), 0);
    names.push_back(event.at("name"));
    double at = event.at("ts"), length = event.at("dur");
    if (event.at("cat") == "run" && names.back() != "execute") {
      begin = at;
      end = at + length;
    }
    EXPECT_GE(at + 0.01, begin);
    EXPECT_LE(at + length, end + 0.01);
    if (event.at("cat") == "region") {
      EXPECT_EQ(event.at("args").at("nodes").size(), 2u);
      EXPECT_EQ(event.at("args").at("flops"), 2000);
    }
  }
  EXPECT_THAT(names, Contains("scaled+triad"));
  EXPECT_THAT(names, Contains("vectorize")); // the first run compiled
  EXPECT_EQ(std::count(names.begin(), names.end(), "compile"), 1);
}

TEST(ChromeTrace, EscapesNamesAndTakesNoRuns) {
  EXPECT_TRUE(nlohmann::json::parse(chromeTrace({})).at("traceEvents").empty());
  RunStats run;
  run.startNs = run.runStartNs = 1;
  RegionStats &region = run.regions.emplace_back();
  region.name = "a\"b\\\n\xff";
  region.nodes = {"\x01"};
  auto trace = nlohmann::json::parse(chromeTrace(std::span(&run, 1)));
  EXPECT_EQ(trace.at("traceEvents").size(), 3u);
}

TEST(CostReport, NamesRegionsAndRoofline) {
  RunStats run;
  RegionStats &triad = run.regions.emplace_back();
  triad.name = "triad";
  triad.ns = 2000;
  triad.flops = 1000;
  triad.bytesRead = 6000;
  triad.bytesWritten = 2000;
  MachineLimits limits = {.flopsPerSecond = 1e12, .bytesPerSecond = 8e9};
  EXPECT_DOUBLE_EQ(rooflineSeconds(run.regions[0], limits), 1e-6);
  EXPECT_THAT(costReport(std::span(&run, 1), limits),
              ::testing::AllOf(HasSubstr("50%"), HasSubstr("triad"),
                               HasSubstr("0.125")));
  EXPECT_THAT(costReport({}), HasSubstr("no regions"));
}

TEST(PerfMap, NamesExecutableCodeOfEachRegion) {
  auto session = makeSession({.perfMap = true});
  runTriad(*session, 100);
  bool found = false;
  for (const auto &[address, line] : readPerfMap()) {
    if (!line.name.ends_with(":scaled+triad"))
      continue;
    found = true;
    EXPECT_TRUE(isExecutable(address));
    EXPECT_GT(line.size, 0u);
    EXPECT_TRUE(isExecutable(address + line.size - 1));
  }
  EXPECT_TRUE(found);
}

TEST(PerfMap, EntriesNeverOverlapWhenCodeComesAndGoes) {
  for (int i = 0; i < 20; ++i) {
    auto session = makeSession({.perfMap = true});
    i % 2 == 0 ? runTriad(*session, 10) : runProduct(*session);
  }
  uint64_t end = 0;
  for (const auto &[address, line] : readPerfMap()) {
    EXPECT_GE(address, end) << line.name;
    end = address + line.size;
  }
}

TEST(PerfMap, FollowsNoLinkAndChildHasItsOwn) {
  ASSERT_TRUE(addToPerfMap({{1, 1, "before"}}).ok());
  pid_t child = fork();
  if (child == 0) {
    std::string path = perfMapPath(), victim = path + ".victim";
    bool isRefused = symlink(victim.c_str(), path.c_str()) == 0 &&
                     addToPerfMap({{2, 1, "child"}}).code() ==
                         StatusCode::PermissionDenied &&
                     access(victim.c_str(), F_OK) != 0;
    unlink(path.c_str());
    bool isOwn = addToPerfMap({{3, 1, "child"}}).ok() &&
                 readPerfMap().contains(1) && readPerfMap().contains(3);
    unlink(path.c_str());
    _exit(isRefused && isOwn ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_FALSE(readPerfMap().contains(3));
}

/// Leaves nothing behind in everybody's folder.
class RemovesPerfMap : public ::testing::Environment {
  void TearDown() override { unlink(perfMapPath().c_str()); }
};
[[maybe_unused]] auto *const removesPerfMap =
    ::testing::AddGlobalTestEnvironment(new RemovesPerfMap);

} // namespace
