// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SavedModels and MetaGraphs: TensorFlow's are read, ours come back, and
// nothing outside of a model's folder is opened.
#include "kiln/SavedModel.h"
#include "kiln/BuildOps.h"
#include "kiln/DefaultSession.h"
#include "lib/IO/Formats.h"
#include "test/unit/CompareGraphs.h"
#include "test/unit/RecordedCases.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"
#include "test/unit/TemporaryFolder.h"
#include "tools/golden/Runner.h"

namespace kiln::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SavedModelTest : public ::testing::Test {
protected:
  static std::vector<float> floatsOf(Session &session,
                                     const std::string &tensor,
                                     std::vector<Feed> feeds = {}) {
    auto values = session.run(feeds, {tensor});
    EXPECT_THAT(values, isOk());
    return values.ok() ? valuesOf<float>((*values)[0]) : std::vector<float>();
  }
  static std::unique_ptr<Session> open(const GraphBuilder &graph) {
    auto session =
        Session::create(graph.graph(), {.mode = ExecutionMode::EvaluatorOnly});
    EXPECT_THAT(session, isOk());
    return session.ok() ? *std::move(session) : nullptr;
  }

  /// A variable, and a table that the main op fills from an asset.
  void writeModel(const std::string &to) {
    writeFileOf(folder / "words.txt", "zero\none\ntwo\n");
    Variable w({1.0, 2.0}, {.name = "w"});
    Output path = ops::constant(folder / "words.txt", {.name = "path"});
    Output table = rawOps::hashTableV2(DType::String, DType::Int64);
    const Node *fill = rawOps::initializeTableFromTextFileV2(
        table, path, /*keyIndex=*/-2, /*valueIndex=*/-1);
    Output word = ops::placeholder(DType::String, {-1}, {.name = "word"});
    Output number = rawOps::lookupTableFindV2(
        table, word, Tensor::scalar<int64_t>(-1), {.name = "number"});
    const Node *init = globalVariablesInitializer();
    auto session = open(graph);
    ASSERT_THAT(run(*session, init), isOk());
    ASSERT_THAT(run(*session, w.assign({3.0, 4.0}).operation()), isOk());
    SavedModelBuilder builder(to);
    ASSERT_THAT(builder.addMetaGraph({}, graph),
                fails(StatusCode::FailedPrecondition,
                      HasSubstr("has not been saved yet")));
    ASSERT_THAT(
        builder.addMetaGraphAndVariables(
            *session,
            {.tags = {"serve"},
             .signatures = {{"serving_default",
                             {.inputs = {{"in", tensorInfo(word)}},
                              .outputs = {{"out", tensorInfo(number)}},
                              .methodName = "tensorflow/serving/predict"}}},
             .assets = {path},
             .mainOp = fill},
            graph),
        isOk());
    EXPECT_FALSE(fs::exists(to + "/saved_model.pb"));
    ASSERT_THAT(builder.save(), isOk());
  }

  TemporaryFolder folder;
  GraphBuilder graph;
  GraphScope scope{graph};
};

TEST_F(SavedModelTest, TensorFlowsIsLoadedAndFrozen) {
  auto model = loadSavedModel(
      recordedFolder("prog_saved_model") + "/saved_model", {"serve"});
  ASSERT_THAT(model, isOk());
  const SignatureDef &signature = model->signatures.at("serving_default");
  EXPECT_EQ(
      signature.inputs.at("in"),
      (TensorInfo{.name = "x:0", .dtype = DType::Float32, .shape = {-1, 3}}));
  EXPECT_EQ(signature.methodName, "tensorflow/serving/predict");
  std::vector<Feed> feeds = {
      {TensorId("x:0"), tensorOf<float>({2, 3}, {.1f, .2f, .3f, 1, 0, -1})}};
  auto y = floatsOf(*model->session, signature.outputs.at("out").name, feeds);
  ASSERT_EQ(y.size(), 4u);
  EXPECT_NEAR(y[0] + y[1], 1, 1e-6);

  auto frozen = convertVariablesToConstants(*model->session, {"y"});
  ASSERT_THAT(frozen, isOk());
  auto golden =
      loadGraphDefFile(recordedFolder("prog_saved_model") + "/frozen.pb");
  ASSERT_THAT(golden, isOk());
  EXPECT_THAT(graphDifferences(**frozen, **golden), IsEmpty());
  EXPECT_EQ(floatsOf(*open(GraphBuilder(*frozen)), "y:0", feeds), y);
}

/// The program prog_saved_model of test/golden: its graph with the saver's
/// nodes, its messages, its variables byte for byte.
TEST_F(SavedModelTest, AProgramWritesWhatTensorFlowWrites) {
  Output x = ops::placeholder(DType::Float32, {-1, 3}, {.name = "x"});
  Variable w(tensorOf<float>({3, 2}, {0, 1, 2, 3, 4, 5}), {.name = "w"});
  Output y = ops::softmax(ops::matMul(x, w), {.name = "y"});
  const Node *init = globalVariablesInitializer();
  auto session = open(graph);
  ASSERT_THAT(run(*session, init), isOk());
  SavedModelBuilder builder(folder / "model");
  ASSERT_THAT(
      builder.addMetaGraphAndVariables(
          *session,
          {.tags = {"serve"},
           .signatures = {{"serving_default",
                           {.inputs = {{"in", tensorInfo(x)}},
                            .outputs = {{"out", tensorInfo(y)}},
                            .methodName = "tensorflow/serving/predict"}}}},
          graph),
      isOk());
  ASSERT_THAT(builder.save(), isOk());

  std::string golden = recordedFolder("prog_saved_model") + "/";
  auto expected = loadGraphDefFile(golden + "graph.pb");
  ASSERT_THAT(expected, isOk());
  auto written = loadGraphDef(*toGraphDef(*graph.graph()));
  ASSERT_THAT(written, isOk());
  EXPECT_THAT(graphDifferences(**written, **expected), IsEmpty());
  auto recorded = golden::readCase(golden);
  ASSERT_THAT(recorded, isOk());
  golden::CaseResult result = golden::runCase(*recorded, {}, graph.graph());
  EXPECT_EQ(result.failure, "");
  EXPECT_FALSE(result.steps.empty());
  for (const golden::StepResult &step : result.steps)
    EXPECT_EQ(step.failure, "");

  auto ours = readSavedModel(folder / "model");
  auto theirs = readSavedModel(golden + "saved_model");
  ASSERT_THAT(ours, isOk());
  ASSERT_THAT(theirs, isOk());
  ASSERT_EQ(ours->size(), 1u);
  ASSERT_EQ(theirs->size(), 1u);
  const MetaGraph &mine = (*ours)[0], &other = (*theirs)[0];
  EXPECT_EQ(mine.tags, other.tags);
  EXPECT_THAT(graphDifferences(*mine.graph, *other.graph), IsEmpty());
  EXPECT_EQ(mine.collections, other.collections);
  EXPECT_EQ(mine.signatures, other.signatures);
  EXPECT_EQ(mine.assets, other.assets);
  EXPECT_EQ(mine.saver, other.saver);
  for (std::string file : {"variables.index", "variables.data-00000-of-00001"})
    EXPECT_EQ(readFileOf(folder / ("model/variables/" + file)),
              readFileOf(golden + "saved_model/variables/" + file))
        << file;
}

TEST_F(SavedModelTest, ASimpleModelIsServed) {
  Output x, y;
  {
    DeviceScope processor("/cpu:0");
    x = ops::placeholder(DType::Float32, {-1, 2}, {.name = "x"});
    y = ops::multiply(x, Variable({2.0, 3.0}), {.name = "y"});
  }
  const Node *init = globalVariablesInitializer();
  auto session = open(graph);
  ASSERT_THAT(run(*session, init), isOk());
  ASSERT_THAT(
      simpleSave(*session, folder / "simple", {{"in", x}}, {{"out", y}}),
      isOk());
  auto model = loadSavedModel(folder / "simple", {"serve"});
  ASSERT_THAT(model, isOk());
  const SignatureDef &signature = model->signatures.at("serving_default");
  EXPECT_EQ(signature.methodName, "tensorflow/serving/predict");
  EXPECT_EQ(signature, predictSignature({{"in", x}}, {{"out", y}}));
  EXPECT_EQ(model->graph.graph()->lookup("y")->device(), "");
  EXPECT_EQ(y.node->device(), "/device:CPU:0");
  EXPECT_THAT(floatsOf(*model->session, signature.outputs.at("out").name,
                       {{TensorId("x:0"), tensorOf<float>({1, 2}, {1, 1})}}),
              ElementsAre(2, 3));
}

TEST_F(SavedModelTest, OursComesBackFromAnotherPlace) {
  ASSERT_NO_FATAL_FAILURE(writeModel(folder / "model"));
  fs::remove(folder / "words.txt");
  fs::rename(folder / "model", folder / "moved");
  auto model = loadSavedModel(folder / "moved", {"serve"});
  ASSERT_THAT(model, isOk());
  EXPECT_THAT(floatsOf(*model->session, "w:0"), ElementsAre(3, 4));
  auto number = model->session->run(
      {{TensorId("word:0"), *Tensor::fromStrings({2}, {"two", "x"})}},
      {model->signatures.at("serving_default").outputs.at("out").name});
  ASSERT_THAT(number, isOk());
  EXPECT_EQ(valuesOf<int64_t>((*number)[0]), (std::vector<int64_t>{2, -1}));
  EXPECT_EQ(
      model->graph.collectionOf<Variable>(keys::trainableVariables)[0].name(),
      "w:0");
}

TEST_F(SavedModelTest, AModelIsLoadedIntoAGraphThatIsThere) {
  ASSERT_NO_FATAL_FAILURE(writeModel(folder / "model"));
  LoadOptions options;
  options.graph.keepMessage = true;
  options.into = std::make_shared<Graph>(makeNodeChecker());
  auto model = loadSavedModel(folder / "model", {"serve"}, options);
  ASSERT_THAT(model, isOk());
  EXPECT_EQ(model->graph.graph(), options.into);
  EXPECT_NE(options.into->lookup("number"), nullptr);
  // Its message is what the file has.
  auto again = loadMetaGraph(model->message);
  ASSERT_THAT(again, isOk());
  EXPECT_EQ(again->signatures, model->signatures);
  EXPECT_EQ(again->graph->numNodes(), options.into->numNodes());
}

/// As models of TensorFlow 2 have it.
TEST_F(SavedModelTest, ASignatureNamesWhatRunsAfterTheLoad) {
  Variable w({1.0, 2.0}, {.name = "w"});
  const Node *change = w.assignAdd({10.0, 10.0}).operation();
  const Node *init = globalVariablesInitializer();
  auto session = open(graph);
  ASSERT_THAT(run(*session, init), isOk());
  const std::string key = "__saved_model_init_op";
  SavedModelBuilder builder(folder / "model");
  ASSERT_THAT(
      builder.addMetaGraphAndVariables(
          *session,
          {.tags = {"serve"},
           .signatures = {{key,
                           {.outputs = {{key, {.name = change->name()}}}}}}},
          graph),
      isOk());
  ASSERT_THAT(builder.save(), isOk());
  auto model = loadSavedModel(folder / "model", {"serve"});
  ASSERT_THAT(model, isOk());
  EXPECT_THAT(floatsOf(*model->session, "w:0"), ElementsAre(11, 12));
}

TEST_F(SavedModelTest, ErrorsOfFolders) {
  ASSERT_NO_FATAL_FAILURE(writeModel(folder / "model"));
  EXPECT_THAT(loadSavedModel(folder / "model", {"train"}),
              fails(StatusCode::NotFound,
                    HasSubstr("MetaGraphDef associated with tags {'train'} "
                              "could not be found in SavedModel, with "
                              "available tags '[{'serve'}]'")));
  EXPECT_THAT(loadSavedModel(folder / "none", {"serve"}),
              fails(StatusCode::NotFound,
                    HasSubstr("SavedModel file does not exist at: ")));
  EXPECT_THAT(SavedModelBuilder(folder / "model").save(),
              fails(StatusCode::FailedPrecondition,
                    HasSubstr("already exists, and isn't empty")));
  std::string file = folder / "model/saved_model.pb", bytes = readFileOf(file);
  for (size_t size : {size_t(1), bytes.size() / 2, bytes.size() - 1}) {
    writeFileOf(file, bytes.substr(0, size));
    EXPECT_FALSE(loadSavedModel(folder / "model", {"serve"}).ok()) << size;
  }
}

TEST_F(SavedModelTest, NothingOutsideOfTheFolderIsOpened) {
  ASSERT_NO_FATAL_FAILURE(writeModel(folder / "model"));
  const std::string file = folder / "model/saved_model.pb",
                    good = readFileOf(file);
  auto metaGraphs = readSavedModel(folder / "model");
  ASSERT_THAT(metaGraphs, isOk());
  auto load = [&] { return loadSavedModel(folder / "model", {"serve"}); };
  for (std::string name :
       {folder / "words.txt", std::string("../../words.txt"),
        std::string("a/../../../words.txt"), std::string("..")}) {
    (*metaGraphs)[0].assets[0].fileName = name;
    writeFileOf(file, *encodeSavedModel(*metaGraphs));
    EXPECT_EQ(load().status().code(), StatusCode::PermissionDenied) << name;
  }
  writeFileOf(file, good);
  ASSERT_THAT(load(), isOk());
  // Links that lead out.
  for (const char *inside :
       {"model/assets/words.txt", "model/saved_model.pb",
        "model/variables/variables.data-00000-of-00001",
        "model/variables/variables.index", "model/variables"}) {
    fs::rename(folder / inside, folder / "outside");
    fs::create_symlink(folder / "outside", folder / inside);
    EXPECT_EQ(load().status().code(), StatusCode::PermissionDenied) << inside;
    fs::remove(folder / inside);
    fs::rename(folder / "outside", folder / inside);
  }
  // Ops of the graph: the table's file is fed by its name.
  auto model = load();
  ASSERT_THAT(model, isOk());
  EXPECT_EQ(
      model->session
          ->run({{TensorId("path:0"), Tensor::scalar(folder / "words.txt")}},
                {}, {"InitializeTableFromTextFileV2"})
          .status()
          .code(),
      StatusCode::PermissionDenied);
}

TEST_F(SavedModelTest, HandlesAreFrozen) {
  useResourceVariables();
  Variable v({1.0, 2.0, 3.0}, {.name = "v"});
  Output part = rawOps::resourceGather(v.handle(), {2, 0}, DType::Float32);
  ops::multiply(part + v.value()[1], 2.0, {.name = "y"});
  Assignment up = v.assignAdd({1.0, 1.0, 1.0});
  {
    ControlScope after({up});
    ops::identity(v.value(), {.name = "changed"});
  }
  const Node *init = globalVariablesInitializer();
  auto session = open(graph);
  EXPECT_EQ(convertVariablesToConstants(*session, {"y"}).status().code(),
            StatusCode::FailedPrecondition)
      << "it has no value";
  ASSERT_THAT(run(*session, init), isOk());
  auto y = floatsOf(*session, "y:0");
  auto frozen = convertVariablesToConstants(*session, {"y"});
  ASSERT_THAT(frozen, isOk());
  for (int id = 0; id < (*frozen)->numNodes(); ++id)
    EXPECT_EQ((*frozen)->node(id)->op().find("Resource"), std::string::npos);
  EXPECT_EQ(floatsOf(*open(GraphBuilder(*frozen)), "y:0"), y);
  EXPECT_THAT(y, ElementsAre(10, 6));
  EXPECT_THAT(convertVariablesToConstants(*session, {"changed"}),
              fails(StatusCode::Unimplemented,
                    HasSubstr("AssignAddVariableOp cannot become a constant")));
  EXPECT_EQ(convertVariablesToConstants(*session, {"none"}).status().code(),
            StatusCode::NotFound);
}

TEST_F(SavedModelTest, TensorFlowsMetaGraphIsImported) {
  auto metaGraph =
      loadMetaGraphFile(recordedFolder("prog_saver") + "/ckpt/model-2.meta");
  ASSERT_THAT(metaGraph, isOk());
  EXPECT_EQ(metaGraph->saver->restoreOpName, "save/restore_all");
  auto scopeName = importMetaGraph(*metaGraph, graph);
  ASSERT_THAT(scopeName, isOk());
  EXPECT_EQ(*scopeName, "");
  auto saver = Saver::imported(*metaGraph, *scopeName, graph);
  ASSERT_TRUE(saver.has_value());
  auto session = open(graph);
  ASSERT_THAT(
      saver->restore(*session, recordedFolder("prog_saver") + "/ckpt/model-2"),
      isOk());
  EXPECT_EQ(floatsOf(*session, "theta:0")[8], 9);
  EXPECT_EQ(globalVariables().size(), 2u);
  EXPECT_EQ(trainableVariables(), std::vector<Variable>{globalVariables()[0]});
  // What is exported again is what was imported.
  auto again = saver->exportMetaGraph();
  ASSERT_THAT(again, isOk());
  EXPECT_EQ(again->collections, metaGraph->collections);
  EXPECT_EQ(again->saver, metaGraph->saver);
  // A second time, in a scope.
  auto inner = importMetaGraph(*metaGraph, graph, {.importScope = "inner"});
  ASSERT_THAT(inner, isOk());
  EXPECT_EQ(*inner, "inner/");
  auto innerSaver = Saver::imported(*metaGraph, *inner, graph);
  ASSERT_THAT(innerSaver->restore(*session, recordedFolder("prog_saver") +
                                                "/ckpt/model-1"),
              isOk());
  EXPECT_EQ(floatsOf(*session, "inner/theta:0")[8], 8);
  EXPECT_EQ(floatsOf(*session, "theta:0")[8], 9);
  EXPECT_EQ(graph.graph()
                ->lookup("inner/theta/read")
                ->attrOr<std::vector<std::string>>("_class", {}),
            std::vector<std::string>{"loc:@inner/theta"});
  ASSERT_THAT(importMetaGraph(*metaGraph, graph), isOk());
  EXPECT_NE(graph.graph()->lookup("theta_1"), nullptr);
}

TEST_F(SavedModelTest, MetaGraphsRoundTrip) {
  Variable v(1.0, {.name = "v"});
  PartitionedVariable parts =
      getPartitionedVariable("p", fixedSizePartitioner(2), {.shape = {3, 2}});
  useResourceVariables();
  Variable r(2, {.trainable = false, .name = "r"});
  graph.addToCollection("tensors", ops::add(v, 1.0, {.name = "sum"}));
  graph.addToCollection("nodes", v.initializer());
  graph.addToCollection("numbers", CollectionItem{"", int64_t(7)});
  graph.addToCollection("fractions", CollectionItem{"", 0.5f});
  graph.addToCollection("texts", CollectionItem{"", std::string("\0a", 2)});
  graph.addToCollection("strange", CollectionItem{"", 'c'});
  Saver saver;
  graph.addToCollection(keys::savers, CollectionItem{"", saver});
  auto exported = saver.exportMetaGraph();
  ASSERT_THAT(exported, isOk());
  EXPECT_FALSE(exported->collections.contains("strange"));
  for (GraphDefFormat format : {GraphDefFormat::Binary, GraphDefFormat::Text}) {
    auto bytes = toMetaGraphDef(*exported, format);
    ASSERT_THAT(bytes, isOk());
    auto read = loadMetaGraph(*bytes);
    ASSERT_THAT(read, isOk());
    EXPECT_EQ(read->collections, exported->collections);
    EXPECT_EQ(read->saver, exported->saver);
    GraphBuilder other;
    GraphScope current(other);
    ASSERT_THAT(importMetaGraph(*read, other), isOk());
    auto variables = globalVariables();
    ASSERT_EQ(variables.size(), 4u);
    EXPECT_EQ(variables[1].slice()->spec(), "3 2 0,2:0,2");
    EXPECT_TRUE(variables[3].isResource());
    EXPECT_EQ(variables[3].dtype(), DType::Int32);
    EXPECT_EQ(other.collectionOf<int64_t>("numbers"), std::vector<int64_t>{7});
    EXPECT_EQ(other.collectionOf<Output>("tensors")[0].name(), "sum:0");
    EXPECT_EQ(other.collectionOf<Saver>(keys::savers)[0].def(), saver.def());
    // And it runs: variables are found by their nodes.
    auto session = open(other);
    ASSERT_THAT(run(*session, variablesInitializer({variables[0]})), isOk());
    EXPECT_THAT(floatsOf(*session, "sum:0"), ElementsAre(2));
  }
}

TEST_F(SavedModelTest, ABadMetaGraphAddsNothing) {
  Variable v(1.0, {.name = "v"});
  auto exported = exportMetaGraph(graph);
  ASSERT_THAT(exported, isOk());
  auto errorWith = [&](CollectionDef collection, const char *key = "x") {
    MetaGraph bad = *exported;
    bad.collections[key] = std::move(collection);
    GraphBuilder other;
    Status status = importMetaGraph(bad, other).status();
    EXPECT_EQ(other.graph()->numNodes(), 0);
    return status.code();
  };
  EXPECT_EQ(errorWith(NodeNames{{"none"}}), StatusCode::NotFound);
  EXPECT_EQ(errorWith(NodeNames{{"v:7"}}), StatusCode::NotFound);
  using Texts = std::vector<std::string>;
  EXPECT_EQ(errorWith(Texts{"\xff"}, "variables"), StatusCode::InvalidArgument);
  EXPECT_EQ(errorWith(Texts{""}, "variables"), StatusCode::InvalidArgument);
  EXPECT_EQ(errorWith(Texts{"\xff"}, "savers"), StatusCode::InvalidArgument);
  EXPECT_FALSE(loadMetaGraph("\xff\xff\xff").ok());
  std::string bytes = *toMetaGraphDef(*exported);
  for (size_t size = 0; size < bytes.size(); size += 7)
    (void)loadMetaGraph(std::string_view(bytes).substr(0, size));
}

} // namespace
} // namespace kiln::testing
