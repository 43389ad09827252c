// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A save that goes wrong at any of its calls leaves the last good checkpoint.
#include "kiln/BuildOps.h"
#include "kiln/DefaultSession.h"
#include "kiln/Saver.h"
#include "test/unit/Save/FaultyFiles.h"
#include "test/unit/StatusMatchers.h"
#include "test/unit/TemporaryFolder.h"

namespace kiln::testing {
namespace {

namespace fs = std::filesystem;

/// What a save does, beside a checkpoint of the value 1 that is there.
struct Scenario {
  const char *name;
  bool hasOld;
  bool isSamePrefix;
  bool sharded;
  int maxToKeep;
};
const Scenario scenarios[] = {
    {"FirstSave", false, false, false, 5},
    {"NextStep", true, false, false, 5},
    {"SamePrefix", true, true, false, 5},
    {"DeletionOfOld", true, false, false, 1},
    {"ShardedFirstSave", false, false, true, 5},
    {"ShardedNextStep", true, false, true, 5},
    {"ShardedSamePrefix", true, true, true, 5},
    {"ShardedDeletionOfOld", true, false, true, 1},
};

/// Two variables that always have the same value.
class Program {
public:
  explicit Program(const Scenario &scenario)
      : scenario(scenario), scope(graph), v(ops::zeros({64}), {.name = "v"}),
        w(0.0, {.name = "w"}) {
    Output value = ops::placeholder(DType::Float32, {}, {.name = "value"});
    set = ops::group({v.assign(ops::zeros({64}) + value), w.assign(value)},
                     {.name = "set"});
    saver.emplace(SaverOptions{.sharded = scenario.sharded,
                               .maxToKeep = scenario.maxToKeep});
    auto made =
        Session::create(graph.graph(), {.mode = ExecutionMode::EvaluatorOnly});
    EXPECT_THAT(made, isOk());
    session = *std::move(made);
  }

  void setTo(float value) {
    ASSERT_THAT(session->run({{TensorId("value:0"), Tensor::scalar(value)}}, {},
                             {"set"}),
                isOk());
  }
  StatusOr<std::string> save(const std::string &folder, int64_t step) {
    SaveOptions options;
    if (!scenario.isSamePrefix)
      options.globalStep = step;
    return saver->save(*session, folder + "/model", options);
  }
  /// What the newest checkpoint holds; 0 where there is none, -1 where it
  /// cannot be restored or is a mixture.
  float restored(const std::string &folder) {
    setTo(-1);
    auto latest = latestCheckpoint(folder);
    EXPECT_THAT(latest, isOk());
    if (!latest.ok() || latest->empty())
      return 0;
    Status status = saver->restore(*session, *latest);
    EXPECT_THAT(status, isOk());
    auto values = session->run({}, {"v:0", "w:0"});
    EXPECT_THAT(values, isOk());
    float value = (*values)[1].data<float>()[0];
    for (float each : (*values)[0].data<float>())
      if (each != value)
        return -1;
    return value;
  }

private:
  Scenario scenario;
  GraphBuilder graph;
  GraphScope scope;
  Variable v, w;
  const Node *set;
  std::optional<Saver> saver;
  std::unique_ptr<Session> session;
};

class SaverCrash : public ::testing::TestWithParam<Scenario> {};
INSTANTIATE_TEST_SUITE_P(Scenarios, SaverCrash, ::testing::ValuesIn(scenarios),
                         [](const auto &info) { return info.param.name; });

/// Names of files that are no checkpoint's, in a folder.
std::vector<std::string> strayFiles(const std::string &folder) {
  std::vector<std::string> stray;
  for (const auto &entry : fs::recursive_directory_iterator(folder)) {
    std::string name = entry.path().filename().string();
    if (entry.is_directory() || name == "checkpoint")
      continue;
    std::string path = entry.path().string();
    std::string prefix = path.substr(0, path.rfind('.'));
    if (name.find(".tmp-") != name.npos || !checkpointExists(prefix))
      stray.push_back(name);
  }
  return stray;
}

TEST_P(SaverCrash, EachCallMayFail) {
  const Scenario &scenario = GetParam();
  int failures = 0;
  for (Fault fault :
       {Fault::Kill, Fault::KillInside, Fault::NoSpace, Fault::IoError,
        Fault::Quota, Fault::Interrupted, Fault::ShortWrite})
    for (int at = 0;; ++at) {
      SCOPED_TRACE(::testing::Message()
                   << "fault " << static_cast<int>(fault) << " at call " << at);
      TemporaryFolder folder;
      Program program(scenario);
      FaultyFiles quick(Fault::Kill, INT_MAX);
      if (scenario.hasOld) {
        FileCallsScope calls(quick);
        program.setTo(1);
        ASSERT_THAT(program.save(folder.name(), 1), isOk());
      }
      program.setTo(2);
      FaultyFiles files(fault, at);
      Status status = [&] {
        FileCallsScope calls(files);
        return program.save(folder.name(), 2).status();
      }();
      // As a process that starts again.
      Program next(scenario);
      float restored = next.restored(folder.name());
      if (status.ok()) {
        EXPECT_EQ(restored, 2) << "the save said that it was done";
      } else {
        ++failures;
        EXPECT_TRUE(restored == (scenario.hasOld ? 1 : 0) || restored == 2)
            << restored << " after " << status.toString();
        EXPECT_TRUE(files.hasHappened()) << status.toString();
      }
      const bool isHarmless =
          fault == Fault::Interrupted || fault == Fault::ShortWrite;
      if (isHarmless)
        EXPECT_THAT(status, isOk());
      if (fault != Fault::Kill && fault != Fault::KillInside && !status.ok())
        EXPECT_THAT(strayFiles(folder.name()), ::testing::IsEmpty());
      // And it goes on.
      FileCallsScope calls(quick);
      next.setTo(3);
      EXPECT_THAT(next.save(folder.name(), 3), isOk());
      EXPECT_EQ(next.restored(folder.name()), 3);
      if (!files.hasHappened() || ::testing::Test::HasFailure())
        break;
    }
  EXPECT_GT(failures, 30);
}

TEST_P(SaverCrash, PowerFailsAtEachCall) {
  const Scenario &scenario = GetParam();
  std::random_device device;
  const unsigned seed = device();
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  TemporaryFolder folder;
  Program program(scenario);
  if (scenario.hasOld) {
    program.setTo(1);
    ASSERT_THAT(program.save(folder.name(), 1), isOk());
  }
  program.setTo(2);
  ForgetfulDisk disk(folder.name());
  {
    FileCallsScope calls(disk);
    ASSERT_THAT(program.save(folder.name(), 2), isOk());
  }
  ASSERT_GT(disk.size(), 10u);
  for (size_t steps = 0; steps <= disk.size(); ++steps)
    for (int trial = 0; trial < 12; ++trial) {
      SCOPED_TRACE(::testing::Message() << "after " << steps << " calls");
      TemporaryFolder after;
      disk.recover(steps, random, folder.name(), after.name());
      // The file "checkpoint" names the folder where it was.
      std::string state = after / "checkpoint";
      if (fs::exists(state)) {
        std::string text = readFileOf(state);
        for (size_t at; (at = text.find(folder.name())) != text.npos;)
          text.replace(at, folder.name().size(), after.name());
        writeFileOf(state, text);
      }
      float restored = program.restored(after.name());
      const bool isOld = restored == (scenario.hasOld ? 1 : 0);
      ASSERT_TRUE(restored == 2 || (isOld && steps < disk.size())) << restored;
    }
}

} // namespace
} // namespace kiln::testing
