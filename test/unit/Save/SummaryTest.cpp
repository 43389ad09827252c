// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Summaries as TensorFlow's functions add them, and event files.
#include "kiln/Summary.h"
#include "kiln/BuildOps.h"
#include "kiln/DefaultSession.h"
#include "kiln/GraphDef.h"
#include "kiln/MetaGraph.h"
#include "lib/IO/Wire.h"
#include "lib/IO/proto/Event.pb.h"
#include "lib/IO/proto/RunMetadata.pb.h"
#include "lib/Support/Crc32c.h"
#include "test/unit/CompareGraphs.h"
#include "test/unit/RecordedCases.h"
#include "test/unit/Save/FaultyFiles.h"
#include "test/unit/StatusMatchers.h"
#include "test/unit/TemporaryFolder.h"
#include "tools/golden/Runner.h"

#include <cstring>

namespace kiln::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SummaryTest : public ::testing::Test {
protected:
  /// All records of the file; a record that is not whole ends the test.
  static std::vector<proto::Event> eventsOf(const std::string &path) {
    std::string bytes = readFileOf(path);
    std::vector<proto::Event> events;
    for (size_t at = 0; at < bytes.size();) {
      uint64_t length;
      uint32_t lengthCrc, crc;
      EXPECT_LE(at + 12, bytes.size());
      std::memcpy(&length, &bytes[at], 8);
      std::memcpy(&lengthCrc, &bytes[at + 8], 4);
      EXPECT_EQ(unmaskCrc(lengthCrc),
                extendCrc32c(0, std::string_view(bytes).substr(at, 8)));
      std::string_view message =
          std::string_view(bytes).substr(at + 12, length);
      EXPECT_LE(at + 16 + length, bytes.size());
      if (HasFailure())
        return events;
      std::memcpy(&crc, &bytes[at + 12 + length], 4);
      EXPECT_EQ(unmaskCrc(crc), extendCrc32c(0, message));
      EXPECT_TRUE(events.emplace_back().ParseFromString(std::string(message)));
      at += 16 + length;
    }
    return events;
  }

  static std::string summaryOf(const std::string &tag, float number,
                               const std::string &description = "") {
    proto::Summary summary;
    proto::Summary::Value &value = *summary.add_value();
    value.set_tag(tag);
    value.set_simple_value(number);
    if (!description.empty())
      value.mutable_metadata()->set_display_name(description);
    return summary.SerializeAsString();
  }

  TemporaryFolder folder;
  GraphBuilder graph;
  GraphScope scope{graph};
};

TEST_F(SummaryTest, NodesAreTensorFlows) {
  Output x = ops::placeholder(DType::Float32, {2, 4, 3, 1}, {.name = "x"});
  Output mean = ops::reduceMean(x, {.name = "mean"});
  summary::scalar("lo ss!", mean);
  summary::scalar("loss", mean, {.family = "fam"});
  summary::scalar("/a:b", mean, {.collections = {{"mine"}}});
  {
    NameScope inner("scope");
    summary::scalar("loss", mean);
    summary::histogram("h", x);
    summary::histogram("h", x);
  }
  summary::image("im", x, {.maxOutputs = 1});
  summary::image("ims", x, {.family = "f a"});
  summary::audio("au", ops::reshape(x, {2, 12}), 8000.0, {.maxOutputs = 2});
  summary::audio("au", ops::reshape(x, {2, 6, 2}), 8000);
  summary::text("te", ops::asString(mean));
  summary::merge(graph.collectionOf<Output>("mine"), {"merged"}, "one");
  summary::mergeAll("mine");
  summary::mergeAll();
  summary::mergeAll(keys::summaries, "scope", "some");
  EXPECT_EQ(graph.collection("merged").size(), 1u);
  EXPECT_FALSE(summary::mergeAll("none").node);
  ASSERT_THAT(graph.status(), isOk());

  std::string path = recordedFolder("message_builders");
  auto golden = loadGraphDefFile(path + "/graph.pb");
  ASSERT_THAT(golden, isOk());
  auto written = loadGraphDef(*toGraphDef(*graph.graph()));
  ASSERT_THAT(written, isOk());
  EXPECT_THAT(graphDifferences(**written, **golden), IsEmpty());
  auto recorded = golden::readCase(path);
  ASSERT_THAT(recorded, isOk());
  golden::CaseResult result = golden::runCase(*recorded, {}, graph.graph());
  EXPECT_EQ(result.failure, "");
  for (const golden::StepResult &step : result.steps)
    EXPECT_EQ(step.failure, "");
}

/// The program prog_summaries of test/golden: nodes, values, and the file that
/// its writer wrote.
TEST_F(SummaryTest, AProgramsEventFileIsTensorFlows) {
  std::string path = recordedFolder("prog_summaries");
  Output x = ops::placeholder(DType::Float32, {-1, 11}, {.name = "X"});
  Output y = ops::placeholder(DType::Float32, {-1, 1}, {.name = "y"});
  Variable theta(ops::randomUniform({11, 1}, -1.0, 1.0, {.seed = 42}),
                 {.name = "theta"});
  Output predicted = ops::matMul(x, theta, {.name = "predictions"});
  Output mse;
  {
    NameScope loss("loss");
    mse = ops::reduceMean(ops::square(predicted - y), {.name = "mse"});
  }
  summary::scalar("MSE", mse);
  summary::histogram("theta", theta);
  summary::mergeAll();
  globalVariablesInitializer();
  ASSERT_THAT(graph.status(), isOk());

  auto golden = loadGraphDefFile(path + "/graph.pb");
  ASSERT_THAT(golden, isOk());
  auto built = loadGraphDef(*toGraphDef(*graph.graph()));
  ASSERT_THAT(built, isOk());
  EXPECT_THAT(graphDifferences(**built, **golden), IsEmpty());
  auto recorded = golden::readCase(path);
  ASSERT_THAT(recorded, isOk());
  golden::CaseResult result = golden::runCase(*recorded, {}, graph.graph());
  EXPECT_EQ(result.failure, "");
  ASSERT_FALSE(result.steps.empty());
  Tensor message;
  for (const golden::StepResult &step : result.steps) {
    EXPECT_EQ(step.failure, "");
    if (message.dtype() == DType::Invalid && !step.fetched.empty() &&
        step.fetched[0].dtype() == DType::String)
      message = step.fetched[0];
  }

  auto writer = summary::FileWriter::create(folder / "log");
  ASSERT_THAT(writer, isOk());
  ASSERT_THAT(writer->addGraph(graph), isOk());
  ASSERT_THAT(writer->addSummary(message, 17), isOk());
  ASSERT_THAT(writer->close(), isOk());
  std::string theirFile;
  for (const auto &entry :
       std::filesystem::directory_iterator(path + "/events"))
    theirFile = entry.path();
  auto ours = eventsOf(writer->path()), theirs = eventsOf(theirFile);
  ASSERT_EQ(ours.size(), theirs.size());
  for (size_t i = 0; i < ours.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(ours[i].step(), theirs[i].step());
    EXPECT_EQ(ours[i].file_version(), theirs[i].file_version());
    ASSERT_EQ(ours[i].what_case(), theirs[i].what_case());
    if (theirs[i].has_summary())
      EXPECT_EQ(ours[i].summary().SerializeAsString(),
                theirs[i].summary().SerializeAsString());
    if (theirs[i].what_case() == proto::Event::kGraphDef) {
      auto mine = loadGraphDef(ours[i].graph_def());
      auto other = loadGraphDef(theirs[i].graph_def());
      ASSERT_THAT(mine, isOk());
      ASSERT_THAT(other, isOk());
      EXPECT_THAT(graphDifferences(**mine, **other), IsEmpty());
    }
    if (theirs[i].what_case() == proto::Event::kMetaGraphDef) {
      auto mine = loadMetaGraph(ours[i].meta_graph_def());
      auto other = loadMetaGraph(theirs[i].meta_graph_def());
      ASSERT_THAT(mine, isOk());
      ASSERT_THAT(other, isOk());
      EXPECT_THAT(graphDifferences(*mine->graph, *other->graph), IsEmpty());
      EXPECT_EQ(mine->collections, other->collections);
    }
  }
}

TEST_F(SummaryTest, TextIsText) {
  summary::text("t", ops::constant(1.0, {.name = "number"}));
  EXPECT_THAT(graph.status(),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("Expected tensor number:0 to have dtype string, "
                              "got <dtype: 'float32'>")));
}

TEST_F(SummaryTest, EventFilesHoldWhatWasAdded) {
  Variable v(1.0, {.name = "v"});
  auto writer = summary::FileWriter::create(folder / "deep/log");
  ASSERT_THAT(writer, isOk());
  EXPECT_THAT(writer->path(), HasSubstr("/events.out.tfevents."));
  ASSERT_THAT(writer->addGraph(graph), isOk());
  std::string bytes = summaryOf("loss", 0.5f, "x");
  ASSERT_THAT(writer->addSummary(bytes, 17), isOk());
  ASSERT_THAT(writer->addSummary(Tensor::scalar(bytes), 18), isOk());
  ASSERT_THAT(writer->addScalars({{"reward", 1.5}, {"length", 20}}, 19),
              isOk());
  RunStats stats;
  stats.regions.push_back({.name = "fused", .nodes = {"a", "b"}, .ns = 5000});
  ASSERT_THAT(writer->addRunMetadata(stats, "run", 2), isOk());
  EXPECT_THAT(writer->addRunMetadata(stats, "run", 3),
              fails(StatusCode::InvalidArgument,
                    "The provided tag was already used for this event type"));
  ASSERT_THAT(
      writer->addSessionLog({.status = summary::SessionLog::Status::Checkpoint,
                             .checkpointPath = "p"}),
      isOk());
  EXPECT_THAT(writer->addSummary("\xff\xff"),
              fails(StatusCode::InvalidArgument, HasSubstr("Summary")));
  EXPECT_EQ(writer->addSummary(Tensor::scalar(1.0f)).code(),
            StatusCode::InvalidArgument);
  ASSERT_THAT(writer->close(), isOk());
  ASSERT_THAT(writer->close(), isOk());
  EXPECT_EQ(writer->addSummary(bytes).code(), StatusCode::FailedPrecondition);

  std::string first = writer->path();
  auto events = eventsOf(first);
  ASSERT_EQ(events.size(), 8u);
  EXPECT_EQ(events[0].file_version(), "brain.Event:2");
  EXPECT_EQ(events[0].source_metadata().writer(),
            "tensorflow.core.util.events_writer");
  EXPECT_GT(events[0].wall_time(), 1.7e9);
  EXPECT_THAT(loadGraphDef(events[1].graph_def()), isOk());
  EXPECT_THAT(loadMetaGraph(events[2].meta_graph_def()), isOk());
  EXPECT_EQ(events[3].step(), 17);
  EXPECT_EQ(events[3].summary().SerializeAsString(), bytes);
  EXPECT_EQ(events[4].summary().SerializeAsString(), summaryOf("loss", 0.5f))
      << "a description is written once";
  EXPECT_EQ(events[5].step(), 19);
  EXPECT_EQ(events[5].summary().DebugString(),
            "value {\n  tag: \"reward\"\n  simple_value: 1.5\n}\n"
            "value {\n  tag: \"length\"\n  simple_value: 20\n}\n");
  EXPECT_EQ(events[6].tagged_run_metadata().tag(), "run");
  proto::RunMetadata metadata;
  ASSERT_TRUE(
      metadata.ParseFromString(events[6].tagged_run_metadata().run_metadata()));
  const proto::NodeExecStats &node =
      metadata.step_stats().dev_stats(0).node_stats(0);
  EXPECT_EQ(node.node_name(), "b");
  EXPECT_EQ(node.timeline_label(), "fused = Fused(a, b)");
  EXPECT_EQ(node.all_end_rel_micros(), 5);
  EXPECT_EQ(events[7].session_log().checkpoint_path(), "p");

  ASSERT_THAT(writer->reopen(), isOk());
  EXPECT_NE(writer->path(), first);
  ASSERT_THAT(writer->addSummary(bytes, 1), isOk());
  ASSERT_THAT(writer->flush(), isOk());
  EXPECT_EQ(eventsOf(writer->path()).size(), 2u);
  EXPECT_EQ(eventsOf(first).size(), 8u);
}

TEST_F(SummaryTest, TheQueueIsBounded) {
  auto writer = summary::FileWriter::create(folder.name(), {.maxQueue = 2});
  ASSERT_THAT(writer, isOk());
  std::vector<size_t> written;
  for (int i = 0; i < 4; ++i) {
    ASSERT_THAT(writer->addSummary(summaryOf("a", 1)), isOk());
    written.push_back(eventsOf(writer->path()).size());
  }
  EXPECT_THAT(written, ElementsAre(1, 1, 4, 4));
  std::string path = writer->path();
  writer = summary::FileWriter::create(folder.name());
  EXPECT_EQ(eventsOf(path).size(), 5u) << "the last handle is gone";
}

TEST_F(SummaryTest, AFailedWriteLeavesWholeRecords) {
  auto writer = summary::FileWriter::create(folder.name(), {.maxQueue = 1000});
  ASSERT_THAT(writer, isOk());
  ASSERT_THAT(writer->addSummary(summaryOf("a", 1)), isOk());
  {
    // Half is written, and the rest fails.
    FaultyFiles files(Fault::KillInside, 0);
    FileCallsScope calls(files);
    EXPECT_FALSE(writer->flush().ok());
  }
  EXPECT_EQ(eventsOf(writer->path()).size(), 1u);
  ASSERT_THAT(writer->addSummary(summaryOf("b", 2)), isOk());
  ASSERT_THAT(writer->flush(), isOk());
  auto events = eventsOf(writer->path());
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[2].summary().value(0).tag(), "b");
}

} // namespace
} // namespace kiln::testing
