// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queue runners and contexts of control flow in MetaGraphs: what TensorFlow
// writes of the same program, and imports of it that gradients go through. The
// program is recorded by test/golden_kiln/make_message_cases.py.
#include "kiln/MetaGraph.h"
#include "kiln/BuildOps.h"
#include "kiln/ControlFlow.h"
#include "kiln/DefaultSession.h"
#include "kiln/Gradients.h"
#include "kiln/InputPipeline.h"
#include "kiln/Saver.h"
#include "lib/IO/Formats.h"
#include "lib/IO/proto/MetaGraph.pb.h"
#include "lib/Support/File.h"
#include "test/unit/ProgramFixture.h"

#include <algorithm>

namespace kiln {
namespace {

using ::testing::IsEmpty;
using testing::isOk;
using ::testing::SizeIs;

class MetaGraphTest : public ProgramFixture {
protected:
  static MetaGraph recorded() {
    auto metaGraph = loadMetaGraphFile(folder("message_flows") + "/flows.meta");
    EXPECT_THAT(metaGraph, isOk());
    return metaGraph.ok() ? *std::move(metaGraph) : MetaGraph();
  }

  /// Builds the recorded program but for its gradients; returns the loss.
  static Output buildFlows(Output &x, Variable &v) {
    x = ops::placeholder(DType::Float32, {2}, {.name = "x"});
    Output p = ops::placeholder(DType::Bool, Shape{}, {.name = "p"});
    v = Variable({1.0, 2.0}, {.name = "v"});
    Output a = ops::cond(
        p, [&] { return ops::BranchResult(x * v); },
        [&] {
          Output start = x + 1.0;
          Outputs looped =
              ops::whileLoop([](const Outputs &s) { return s[0] < 2; },
                             [&](const Outputs &s) {
                               Output next = s[0] + 1;
                               return Outputs{next, s[1] * x};
                             },
                             {0, start}, {.parallelIterations = 3});
          return ops::BranchResult(looped[1]);
        });
    Outputs b =
        ops::whileLoop([](const Outputs &s) { return s[0] < 3; },
                       [&](const Outputs &s) {
                         Output next = s[0] + 1;
                         Output isLarge = ops::reduceSum(s[1]) > 1.0;
                         Outputs chosen = ops::cond(
                             isLarge,
                             [&] {
                               Output half = s[1] * 0.5;
                               return ops::BranchResult(half + v);
                             },
                             [&] { return ops::BranchResult(s[1] * x); });
                         return Outputs{next, chosen[0]};
                       },
                       {0, x}, {.swapMemory = true, .maximumIterations = 4});
    Output loss = ops::reduceSum(a + b[1], {.name = "loss"});
    Output twice = x * 2.0;
    batch({twice}, 2, {.numThreads = 2});
    maybeBatch({x}, p, 2, {.name = "kept"});
    globalVariablesInitializer();
    return loss;
  }

  static ContextDef sorted(ContextDef def) {
    std::ranges::sort(def.loopEnterNames);
    for (ContextDef &nested : def.nested)
      nested = sorted(nested);
    std::ranges::sort(def.nested, {}, &ContextDef::name);
    return def;
  }
  /// All that a context has, a line each.
  static std::string textOf(const ContextDef &def, std::string indent = "") {
    std::string text =
        indent + def.name + " " + std::to_string(def.isWhile) + " " +
        std::to_string(def.branch) + " " + def.predName + " " + def.pivotName +
        " " + std::to_string(def.parallelIterations) +
        std::to_string(def.backProp) + std::to_string(def.swapMemory) + " " +
        def.loopCondName + " " + def.pivotForPredName + " " +
        def.pivotForBodyName + " " + def.maximumIterationsName;
    auto add = [&](const std::string &line) {
      text += "\n" + indent + "  " + line;
    };
    for (const std::string &value : def.values)
      add(value);
    for (const auto &[outside, inside] : def.externalValues)
      add(outside + " -> " + inside);
    for (const std::string &name : def.loopEnterNames)
      add("enter " + name);
    for (const std::string &name : def.loopExitNames)
      add("exit " + name);
    for (const ContextDef &nested : def.nested)
      text += "\n" + textOf(nested, indent + "    ");
    return text;
  }
  static std::vector<ContextDef> contextsOf(const MetaGraph &metaGraph,
                                            std::string_view key) {
    std::vector<ContextDef> contexts;
    for (const std::string &bytes : messagesOf(metaGraph, key)) {
      auto def = decodeContextDef(bytes, key == keys::whileContext);
      EXPECT_THAT(def, isOk());
      if (def.ok())
        contexts.push_back(sorted(*def));
    }
    return contexts;
  }
  static std::vector<QueueRunnerDef> runnersOf(const MetaGraph &metaGraph) {
    std::vector<QueueRunnerDef> runners;
    for (const std::string &bytes : messagesOf(metaGraph, keys::queueRunners)) {
      auto def = decodeQueueRunnerDef(bytes);
      EXPECT_THAT(def, isOk());
      if (def.ok())
        runners.push_back(*def);
    }
    return runners;
  }
  static std::vector<std::string> messagesOf(const MetaGraph &metaGraph,
                                             std::string_view key) {
    auto found = metaGraph.collections.find(std::string(key));
    if (found == metaGraph.collections.end())
      return {};
    const auto *messages =
        std::get_if<std::vector<std::string>>(&found->second);
    return messages ? *messages : std::vector<std::string>();
  }

  /// Losses and gradients as the recorded runs gave them.
  void expectRuns(const std::string &scope, const Output &loss, const Output &x,
                  const Variable &v) {
    std::vector<Gradient> slopes = gradients({loss}, {x, v});
    Output ofX = slopes[0].toTensor(), ofV = slopes[1].toTensor();
    ASSERT_EQ(graph.status(), okStatus());
    auto golden = golden::readCase(folder("message_flows"));
    ASSERT_THAT(golden, isOk());
    for (golden::Step &step : golden->steps) {
      if (step.feeds.empty())
        step.fetches = {scope + "init"};
      else
        step.fetches = {loss.name(), ofX.name(), ofV.name()};
      for (auto &[name, value] : step.feeds)
        name = scope + name;
    }
    golden::CaseResult result = golden::runCase(*golden, {}, graph.graph());
    EXPECT_EQ(result.failure, "");
    EXPECT_THAT(result.steps, SizeIs(5));
    for (const golden::StepResult &step : result.steps)
      EXPECT_EQ(step.failure, "");
  }
};

TEST_F(MetaGraphTest, ContextsAndRunnersAreWrittenAsTensorFlowDoes) {
  Output x;
  Variable v;
  buildFlows(x, v);
  auto exported = exportMetaGraph(graph);
  ASSERT_THAT(exported, isOk());
  MetaGraph golden = recorded();
  auto written = loadMetaGraph(*toMetaGraphDef(*exported));
  ASSERT_THAT(written, isOk());
  EXPECT_THAT(graphDifferences(*written->graph, *golden.graph), IsEmpty());
  for (std::string_view key : {keys::condContext, keys::whileContext}) {
    auto ours = contextsOf(*exported, key), theirs = contextsOf(golden, key);
    ASSERT_EQ(ours.size(), theirs.size());
    for (size_t i = 0; i < ours.size(); ++i)
      EXPECT_EQ(textOf(ours[i]), textOf(theirs[i]));
  }
  EXPECT_THAT(runnersOf(*exported), SizeIs(2));
  EXPECT_TRUE(runnersOf(*exported) == runnersOf(golden));
}

TEST_F(MetaGraphTest, OpsAreDescribedAsTensorFlowDoes) {
  Output x;
  Variable v;
  buildFlows(x, v);
  auto exported = exportMetaGraph(graph);
  ASSERT_THAT(exported, isOk());
  auto opsOf = [](const std::string &bytes) {
    proto::OpList list;
    EXPECT_TRUE(list.ParseFromString(bytes));
    std::map<std::string, std::string> ops;
    for (proto::OpDef op : list.op()) {
      // What Kiln does not keep: what only TensorFlow's own passes look at.
      op.clear_is_aggregate();
      op.clear_deprecation();
      for (proto::OpDef::AttrDef &attr : *op.mutable_attr())
        if (attr.minimum() == 0) // of any list
          attr.clear_has_minimum();
      std::sort(
          op.mutable_attr()->begin(), op.mutable_attr()->end(),
          [](const auto &a, const auto &b) { return a.name() < b.name(); });
      ops[op.name()] = op.DebugString();
    }
    return ops;
  };
  auto ours = opsOf(exported->opList), theirs = opsOf(recorded().opList);
  ASSERT_EQ(ours.size(), theirs.size());
  for (const auto &[name, text] : theirs)
    EXPECT_EQ(ours[name], text);
}

/// A program of savers with all their arguments, recorded by
/// test/golden_kiln/make_saver_cases.py; restore_sequentially, which it has
/// too, changes nothing in TensorFlow 2.21.
TEST_F(MetaGraphTest, SaversAndStrippedAttributesAreTensorFlows) {
  Variable a, h;
  {
    DeviceScope processor("/cpu:0");
    a = Variable({1.0, 2.0}, {.name = "a"});
    h = getVariable("h", {.shape = {3, 2},
                          .initializer = onesInitializer(),
                          .useResource = true});
  }
  PartitionedVariable p = getPartitionedVariable(
      "p", fixedSizePartitioner(2),
      {.shape = {5, 2}, .initializer = zerosInitializer()});
  getPartitionedVariable(
      "q", fixedSizePartitioner(2),
      {.shape = {3}, .initializer = zerosInitializer(), .useResource = true});
  Variable(1, {.trainable = false,
               .name = "local",
               .collections = {{std::string(keys::localVariables)}}});
  Saver plain, sharded({.sharded = true});
  Saver some(std::vector<Saveable>{a, p}, {.name = "mine", .reshape = true});
  Saver both(std::vector<Saveable>{a, h}, {.sharded = true, .filename = "f"});
  Saver renamed(std::map<std::string, Saveable>{{"x/a", a}, {"y", h}});
  globalVariablesInitializer();
  expectGraph("saver_kinds");

  auto exported = exportMetaGraph(graph, {.stripDefaultAttrs = true});
  ASSERT_THAT(exported, isOk());
  auto golden = readFile(folder("saver_kinds") + "/stripped.meta", 1 << 20);
  ASSERT_THAT(golden, isOk());
  proto::MetaGraphDef ours, theirs;
  ASSERT_TRUE(ours.ParseFromString(*toMetaGraphDef(*exported)));
  ASSERT_TRUE(theirs.ParseFromString(std::string(golden->view())));
  EXPECT_TRUE(ours.meta_info_def().stripped_default_attrs());
  auto attrsOf = [](const proto::MetaGraphDef &metaGraph) {
    std::map<std::string, std::set<std::string>> names;
    for (const proto::NodeDef &node : metaGraph.graph_def().node())
      for (const auto &[name, value] : node.attr())
        names[node.name()].insert(name);
    return names;
  };
  EXPECT_EQ(attrsOf(ours), attrsOf(theirs));
  auto read = loadMetaGraph(*toMetaGraphDef(*exported));
  ASSERT_THAT(read, isOk());
  EXPECT_TRUE(read->stripsDefaultAttrs);
}

TEST_F(MetaGraphTest, GradientsGoThroughAnImportedGraph) {
  for (std::string name : {"", "net"}) {
    GraphBuilder own;
    GraphScope current(own);
    graph = own;
    auto scope = importMetaGraph(recorded(), graph, {.importScope = name});
    ASSERT_THAT(scope, isOk());
    EXPECT_THAT(graph.collection(keys::condContext), SizeIs(4));
    EXPECT_THAT(graph.collection(keys::whileContext), SizeIs(1));
    auto tensor = [&](const std::string &of) {
      return *graph.graph()->findTensor(*scope + of);
    };
    expectRuns(*scope, tensor("loss:0"), tensor("x:0"), globalVariables()[0]);
  }
}

TEST_F(MetaGraphTest, WhatWeWriteComesBack) {
  Output x;
  Variable v;
  Output loss = buildFlows(x, v);
  auto exported = exportMetaGraph(graph);
  ASSERT_THAT(exported, isOk());
  auto bytes = toMetaGraphDef(*exported);
  ASSERT_THAT(bytes, isOk());
  if (const char *path = std::getenv("KILN_WRITE_FLOWS"))
    EXPECT_THAT(saveMetaGraphFile(*exported, path), isOk());
  expectRuns("", loss, x, v);
  auto read = loadMetaGraph(*bytes);
  ASSERT_THAT(read, isOk());
  GraphBuilder other;
  GraphScope current(other);
  graph = other;
  ASSERT_THAT(importMetaGraph(*read, other), isOk());
  auto again = exportMetaGraph(other);
  ASSERT_THAT(again, isOk());
  EXPECT_EQ(again->collections, exported->collections);
  expectRuns("", *other.graph()->findTensor("loss:0"),
             *other.graph()->findTensor("x:0"), globalVariables()[0]);
}

TEST_F(MetaGraphTest, AScopeIsExportedAlone) {
  MetaGraph whole = recorded();
  ops::constant(1.0, {.name = "beside"});
  Variable other(1.0, {.name = "other"});
  ASSERT_THAT(importMetaGraph(whole, graph, {.importScope = "net"}), isOk());
  auto part = exportMetaGraph(graph, {.exportScope = "net"});
  ASSERT_THAT(part, isOk());
  EXPECT_THAT(graphDifferences(*part->graph, *whole.graph), IsEmpty());
  for (auto &[key, collection] : whole.collections)
    if (key != keys::condContext && key != keys::whileContext)
      EXPECT_EQ(part->collections.at(key), collection) << key;
  for (std::string_view key : {keys::condContext, keys::whileContext}) {
    auto ours = contextsOf(*part, key), theirs = contextsOf(whole, key);
    ASSERT_EQ(ours.size(), theirs.size());
    for (size_t i = 0; i < ours.size(); ++i)
      EXPECT_EQ(textOf(ours[i]), textOf(theirs[i]));
  }
  {
    NameScope net("net/");
    ops::identity(other, {.name = "outside"});
  }
  auto open = exportMetaGraph(graph, {.exportScope = "net/"});
  ASSERT_THAT(open, isOk());
  GraphBuilder elsewhere;
  GraphScope current(elsewhere);
  EXPECT_THAT(
      importMetaGraph(*open, elsewhere),
      testing::fails(StatusCode::InvalidArgument,
                     ::testing::HasSubstr("Graph contains unbound inputs: "
                                          "unbound_inputs/other/read.")));
  Output x = ops::constant(2.0, {.name = "x"});
  ASSERT_THAT(importMetaGraph(*open, elsewhere,
                              {.importScope = "in",
                               .inputMap = {{"unbound_inputs/other/read", x}}}),
              isOk());
  const Node *outside = elsewhere.graph()->lookup("in/outside");
  ASSERT_NE(outside, nullptr);
  EXPECT_EQ(outside->input(0), x);
  EXPECT_EQ(elsewhere.graph()->lookup("in/unbound_inputs/other/read"), nullptr);
}

TEST_F(MetaGraphTest, ImportedTwiceItHasNamesOfItsOwnAndTheDevicesAround) {
  GraphBuilder small;
  {
    GraphScope inside(small);
    ops::identity(Variable(1.0, {.name = "v"}), {.name = "y"});
  }
  auto whole = exportMetaGraph(small);
  ASSERT_THAT(whole, isOk());
  DeviceScope around("/job:ps");
  for (int i = 0; i < 2; ++i)
    ASSERT_THAT(importMetaGraph(*whole, graph), isOk());
  const Node *again = graph.graph()->lookup("y_1");
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(again->input(0).node->name(), "v/read_1");
  EXPECT_EQ(again->device(), "/job:ps");
  // Collections mean what had the name first.
  auto variables = globalVariables();
  ASSERT_THAT(variables, SizeIs(2));
  EXPECT_EQ(variables[0].op(), variables[1].op());
}

TEST_F(MetaGraphTest, ImportedRunnersFillTheirQueues) {
  ASSERT_THAT(importMetaGraph(recorded(), graph, {.importScope = "in"}),
              isOk());
  auto runners = graph.collectionOf<QueueRunner>(keys::queueRunners);
  ASSERT_THAT(runners, SizeIs(2));
  EXPECT_EQ(runners[0].queue().name(), "in/batch/fifo_queue:0");
  EXPECT_THAT(runners[0].enqueueOps(), SizeIs(2));
  EXPECT_EQ(runners[1].enqueueOps()[0]->name(), "in/kept/cond/Merge");
  EXPECT_EQ(runners[1].cancelOp()->name(), "in/kept/fifo_queue_Close_1");
  EXPECT_EQ(runners[0].closedCodes(),
            std::vector<StatusCode>{StatusCode::OutOfRange});
}

TEST_F(MetaGraphTest, BadContextsAddNothing) {
  MetaGraph bad = recorded();
  auto &contexts = std::get<std::vector<std::string>>(
      bad.collections.at(std::string(keys::condContext)));
  auto def = decodeContextDef(contexts[0], false);
  ASSERT_THAT(def, isOk());
  for (int i = 0; i < 3; ++i) {
    ContextDef broken = *def;
    if (i == 0)
      broken.branch = 2;
    else if (i == 1)
      broken.values.push_back("nowhere:0");
    else
      broken.predName.clear();
    contexts[0] = *encodeContextDef(broken);
    EXPECT_FALSE(importMetaGraph(bad, graph).ok()) << i;
  }
  contexts[0] = "\xff\xff";
  EXPECT_FALSE(importMetaGraph(bad, graph).ok());
  EXPECT_EQ(graph.graph()->numNodes(), 0);
}

} // namespace
} // namespace kiln
