// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Savers: files, names, what is kept, and TensorFlow's errors.
#include "kiln/Saver.h"
#include "kiln/BuildOps.h"
#include "kiln/CheckpointReader.h"
#include "kiln/DefaultSession.h"
#include "test/unit/RecordedCases.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"
#include "test/unit/TemporaryFolder.h"

namespace kiln::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SaverTest : public ::testing::Test {
protected:
  /// A session of the graph whose variables have their first values.
  std::unique_ptr<Session> open(bool isInitialized = true) {
    const Node *init = globalVariablesInitializer();
    auto session =
        Session::create(graph.graph(), {.mode = ExecutionMode::EvaluatorOnly});
    EXPECT_THAT(session, isOk());
    if (!session.ok())
      return nullptr;
    if (isInitialized)
      EXPECT_THAT(run(**session, init), isOk());
    return *std::move(session);
  }
  static std::vector<float> floatsOf(Session &session,
                                     const std::string &tensor) {
    auto values = session.run({}, {tensor});
    EXPECT_THAT(values, isOk());
    return values.ok() ? valuesOf<float>((*values)[0]) : std::vector<float>();
  }
  /// The prefixes that have an index, sorted.
  std::vector<std::string> checkpoints() const {
    std::vector<std::string> names;
    for (const auto &entry : std::filesystem::directory_iterator(folder.name()))
      if (entry.path().extension() == ".index")
        names.push_back(entry.path().stem().string());
    std::ranges::sort(names);
    return names;
  }

  TemporaryFolder folder;
  GraphBuilder graph;
  GraphScope scope{graph};
};

TEST_F(SaverTest, FilesAreTensorFlows) {
  Variable theta(countingMatrix(9, 1), {.name = "theta"});
  Variable step(7, {.trainable = false, .name = "global_step"});
  Saver saver({.saveRelativePaths = true});
  auto session = open();
  for (int64_t number : {1, 2}) {
    auto saved = saver.save(*session, folder / "model", {.globalStep = number});
    ASSERT_THAT(saved, isOk());
    EXPECT_EQ(*saved, (folder / "model-") + std::to_string(number));
    EXPECT_THAT(run(*session, theta.assignAdd(ops::ones({9, 1})).operation()),
                isOk());
  }
  for (const char *name :
       {"checkpoint", "model-1.index", "model-1.data-00000-of-00001",
        "model-2.index", "model-2.data-00000-of-00001"})
    EXPECT_EQ(readFileOf(folder / name),
              readFileOf(recordedFolder("prog_saver") + "/ckpt/" + name))
        << name;
  EXPECT_EQ(folder.numEntries(), 7) << "and the graph of each";
  EXPECT_EQ(*latestCheckpoint(folder.name()), folder / "model-2");
  EXPECT_THAT(saver.lastCheckpoints(),
              ElementsAre(folder / "model-1", folder / "model-2"));
}

TEST_F(SaverTest, StepsAreNumbersVariablesAndPadded) {
  Variable step(ops::constant(int64_t(12)), {.name = "step"});
  Saver saver({.padStepNumber = true});
  auto session = open();
  EXPECT_EQ(*saver.save(*session, folder / "a", {.globalStep = step}),
            folder / "a-00000012");
  EXPECT_EQ(*saver.save(*session, folder / "a", {.globalStep = step.value()}),
            folder / "a-00000012");
  EXPECT_EQ(*saver.save(*session, folder / "a", {.globalStep = 123456789}),
            folder / "a-123456789");
  Variable text("x", {.name = "text"});
  EXPECT_THAT(saver.save(*open(), folder / "a", {.globalStep = text}),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("global step that is one integer")));
}

TEST_F(SaverTest, KeepsTheLastOnesAndOneEachSoManyHours) {
  Variable v(1.0, {.name = "v"});
  double now = 1000;
  Saver saver({.maxToKeep = 2, .keepCheckpointEveryNHours = 1, .clock = [&] {
                 return now;
               }});
  auto session = open();
  for (int64_t step = 0; step < 8; ++step) {
    now += 1500;
    ASSERT_THAT(saver.save(*session, folder / "m", {.globalStep = step}),
                isOk());
  }
  // Saved at 2500, 4000, 5500 …: beyond 4600 the first one stays, and beyond
  // 8200.
  EXPECT_THAT(checkpoints(), ElementsAre("m-2", "m-4", "m-6", "m-7"));
  // A saver that begins again goes on with what it is told.
  Saver again({.name = "again", .maxToKeep = 2});
  again.setLastCheckpoints(saver.lastCheckpoints());
  ASSERT_THAT(again.save(*open(), folder / "m", {.globalStep = 8}), isOk());
  EXPECT_THAT(again.lastCheckpoints(),
              ElementsAre(folder / "m-7", folder / "m-8"));
}

TEST_F(SaverTest, ASavedPrefixIsReplaced) {
  Variable v({1.0, 2.0}, {.name = "v"});
  Saver saver;
  auto session = open();
  for (int i = 0; i < 4; ++i) {
    ASSERT_THAT(saver.save(*session, folder / "m"), isOk());
    EXPECT_THAT(run(*session, v.assignAdd({1.0, 1.0}).operation()), isOk());
    EXPECT_EQ(folder.numEntries(), i % 2 ? 5 : 4);
  }
  ASSERT_THAT(saver.restore(*session, folder / "m"), isOk());
  EXPECT_THAT(floatsOf(*session, "v:0"), ElementsAre(4, 5));
  EXPECT_THAT(saver.lastCheckpoints(), ElementsAre(folder / "m"));
}

TEST_F(SaverTest, OtherNamesAndSubsets) {
  Variable a({1.0, 2.0}, {.name = "a"}), b(3.0, {.name = "b"});
  Saver renamed(std::map<std::string, Saveable>{{"weights", a}});
  Saver some(std::vector<Variable>{b});
  auto session = open();
  ASSERT_THAT(renamed.save(*session, folder / "a"), isOk());
  ASSERT_THAT(some.save(*session, folder / "b"), isOk());
  EXPECT_THAT(run(*session, a.assign({5.0, 6.0}).operation()), isOk());
  EXPECT_THAT(run(*session, b.assign(7.0).operation()), isOk());
  ASSERT_THAT(renamed.restore(*session, folder / "a"), isOk());
  EXPECT_THAT(floatsOf(*session, "a:0"), ElementsAre(1, 2));
  EXPECT_THAT(floatsOf(*session, "b:0"), ElementsAre(7));
  Saver direct(std::vector<Variable>{a}, {.name = "direct"});
  EXPECT_THAT(direct.restore(*session, folder / "a"),
              fails(StatusCode::NotFound, HasSubstr("Key a not found")));
}

TEST_F(SaverTest, PartsAreOneTensor) {
  PartitionedVariable parts = getPartitionedVariable(
      "v", fixedSizePartitioner(3),
      {.shape = {7, 2}, .initializer = randomUniformInitializer(0, 1, 3)});
  useResourceVariables();
  PartitionedVariable handles = getPartitionedVariable(
      "r", fixedSizePartitioner(2),
      {.shape = {4}, .initializer = randomUniformInitializer(0, 1, 4)});
  parts.asTensor();
  handles.asTensor();
  Saver saver(std::vector<Saveable>{parts, handles});
  auto session = open();
  ASSERT_THAT(saver.save(*session, folder / "m"), isOk());
  auto v = floatsOf(*session, "v/ConcatPartitions/concat:0"),
       r = floatsOf(*session, "r/ConcatPartitions/concat:0");

  GraphBuilder whole;
  GraphScope other(whole);
  Variable one(ops::zeros({7, 2}), {.name = "v"});
  Variable two(ops::zeros({4}), {.name = "r"});
  Saver reader;
  auto plain =
      Session::create(whole.graph(), {.mode = ExecutionMode::EvaluatorOnly});
  ASSERT_THAT(reader.restore(**plain, folder / "m"), isOk());
  EXPECT_EQ(floatsOf(**plain, "v:0"), v);
  EXPECT_EQ(floatsOf(**plain, "r:0"), r);
}

TEST_F(SaverTest, RestoresAllOrNothing) {
  Variable a({1.0, 2.0}, {.name = "a"}), z({1.0, 2.0, 3.0}, {.name = "z"});
  Saver saver;
  auto session = open();
  ASSERT_THAT(saver.save(*session, folder / "m"), isOk());
  std::string data = folder / "m.data-00000-of-00001";
  std::string bytes = readFileOf(data);

  GraphBuilder wider;
  GraphScope other(wider);
  Variable same({8.0, 8.0}, {.name = "a"}),
      wide({9.0, 9.0, 9.0, 9.0}, {.name = "z"});
  Saver reader;
  const Node *init = globalVariablesInitializer();
  auto changed = Session::create(wider.graph());
  ASSERT_THAT(run(**changed, init), isOk());
  EXPECT_THAT(
      reader.restore(**changed, folder / "m"),
      fails(StatusCode::InvalidArgument,
            AllOf(HasSubstr("Restoring from checkpoint failed. This is most "
                            "likely due to a mismatch between the current "
                            "graph and the graph from the checkpoint."),
                  HasSubstr("shape"))));
  EXPECT_THAT(floatsOf(**changed, "a:0"), ElementsAre(8, 8));

  // Damage in the last tensor.
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  writeFileOf(data, bytes);
  EXPECT_THAT(run(*session, a.assign({5.0, 6.0}).operation()), isOk());
  EXPECT_THAT(
      saver.restore(*session, folder / "m"),
      fails(StatusCode::DataLoss, HasSubstr("Checksum does not match")));
  EXPECT_THAT(floatsOf(*session, "a:0"), ElementsAre(5, 6));
}

TEST_F(SaverTest, ErrorsOfConstruction) {
  auto errorOf = [](auto make) {
    GraphBuilder other;
    GraphScope current(other);
    make();
    return other.status();
  };
  EXPECT_THAT(errorOf([] { Saver saver; }),
              fails(StatusCode::InvalidArgument, "No variables to save"));
  EXPECT_THAT(errorOf([] { Saver saver({.allowEmpty = true}); }), isOk());
  EXPECT_THAT(errorOf([] {
                Variable a(1.0, {.name = "a"});
                Saver saver(std::vector<Variable>{a, a});
              }),
              fails(StatusCode::InvalidArgument,
                    "At least two variables have the same name: a"));
  EXPECT_THAT(errorOf([] {
                Variable a(1.0, {.name = "a"});
                Saver saver(
                    std::map<std::string, Saveable>{{"x", a}, {"y", a}});
              }),
              fails(StatusCode::InvalidArgument,
                    "The same saveable will be restored with two names: y"));
  EXPECT_THAT(errorOf([] { Saver saver(std::vector<Variable>{Variable()}); }),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("Variable to save is not a Variable")));
}

TEST_F(SaverTest, ErrorsOfRuns) {
  Variable a(1.0, {.name = "a"});
  Saver saver;
  auto session = open();
  EXPECT_THAT(saver.save(*session, folder / "m", {.latestFilename = "x/y"}),
              fails(StatusCode::InvalidArgument,
                    "'latest_filename' must not contain path components"));
  EXPECT_THAT(
      saver.save(*session, folder / "checkpoint"),
      fails(StatusCode::InvalidArgument,
            HasSubstr("'latest_filename' collides with 'save_path': ")));
  EXPECT_THAT(
      saver.restore(*session, folder / "none"),
      fails(StatusCode::InvalidArgument,
            HasSubstr("The passed save_path is not a valid checkpoint: ")));
  EXPECT_THAT(saver.save(*session, folder / "no/such/folder/m"),
              fails(StatusCode::NotFound, HasSubstr("no/such/folder")));
  EXPECT_EQ(saver.save(*open(false), folder / "m").status().code(),
            StatusCode::FailedPrecondition);
  EXPECT_EQ(folder.numEntries(), 0) << "of saves that failed";
  EXPECT_THAT(saver.save(*session, folder / "new/m"), isOk());
}

/// Names, dtypes, shapes and values as tf.train.list_variables() and
/// load_variable() give them.
TEST_F(SaverTest, CheckpointsAreReadWithoutAGraph) {
  auto reader =
      CheckpointReader::open(recordedFolder("prog_saver_dtypes") + "/ckpt");
  ASSERT_THAT(reader, isOk());
  auto variables = reader->variables();
  ASSERT_THAT(variables, isOk());
  EXPECT_EQ(variables->size(), 15u);
  EXPECT_EQ(variables->at("v_part"),
            (CheckpointVariable{DType::Float32, {7, 2}}));
  EXPECT_EQ(variables->at("v_empty").shape, (Shape{0, 4}));
  EXPECT_EQ(variables->at("v_string").dtype, DType::String);
  for (const auto &[name, variable] : *variables) {
    auto value = reader->tensor(name);
    ASSERT_THAT(value, isOk()) << name;
    EXPECT_EQ(value->dtype(), variable.dtype);
    EXPECT_EQ(value->shape(), variable.shape);
  }
  EXPECT_THAT(reader->tensor("nope"),
              fails(StatusCode::NotFound, "Key nope not found in checkpoint"));

  Variable v({1.5, 2.5}, {.name = "v"});
  Saver saver;
  auto session = open();
  EXPECT_EQ(CheckpointReader::open(folder.name()).status().code(),
            StatusCode::NotFound);
  auto saved = saver.save(*session, folder / "model");
  ASSERT_THAT(saved, isOk());
  auto ours = CheckpointReader::open(*saved);
  ASSERT_THAT(ours, isOk());
  auto value = ours->tensor("v");
  ASSERT_THAT(value, isOk());
  EXPECT_THAT(valuesOf<float>(*value), ElementsAre(1.5f, 2.5f));
}

TEST_F(SaverTest, StatesOfFolders) {
  EXPECT_EQ(*getCheckpointState(folder.name()), std::nullopt);
  EXPECT_EQ(*latestCheckpoint(folder.name()), "");
  CheckpointState state{.modelCheckpointPath = folder / "b",
                        .allModelCheckpointPaths = {folder / "a"},
                        .lastPreservedTimestamp = 1.5};
  ASSERT_THAT(updateCheckpointState(folder.name(), state), isOk());
  auto read = getCheckpointState(folder.name());
  ASSERT_THAT(read, isOk());
  EXPECT_EQ((*read)->modelCheckpointPath, folder / "b");
  EXPECT_THAT((*read)->allModelCheckpointPaths,
              ElementsAre(folder / "a", folder / "b"));
  EXPECT_EQ((*read)->lastPreservedTimestamp, 1.5);
  EXPECT_EQ(*latestCheckpoint(folder.name()), "") << "its files are not there";
  state.allModelCheckpointTimestamps = {1};
  EXPECT_THAT(updateCheckpointState(folder.name(), state),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("Checkpoint timestamps, if provided")));
  for (const char *path : {"/etc/ck", "../ck", "x/../../ck"}) {
    writeFileOf(folder / "checkpoint",
                std::string("model_checkpoint_path: \"") + path + "\"\n");
    EXPECT_THAT(latestCheckpoint(folder.name()),
                fails(StatusCode::PermissionDenied, HasSubstr(path)));
    EXPECT_THAT(getCheckpointState(folder.name(), {.allowOutside = true}),
                isOk());
  }
  writeFileOf(folder / "checkpoint", "model_checkpoint_path: \"m\"\n"
                                     "all_model_checkpoint_paths: \"/a\"\n"
                                     "all_model_checkpoint_paths: \"../b\"\n"
                                     "all_model_checkpoint_paths: \"m\"\n");
  EXPECT_THAT((*getCheckpointState(folder.name()))->allModelCheckpointPaths,
              ElementsAre(folder / "m"));
  writeFileOf(folder / "checkpoint", "no state");
  EXPECT_EQ(*getCheckpointState(folder.name()), std::nullopt);
  writeFileOf(folder / "checkpoint", "");
  EXPECT_THAT(getCheckpointState(folder.name()),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("Invalid checkpoint state loaded from ")));
}

} // namespace
} // namespace kiln::testing
