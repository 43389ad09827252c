// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs added to others: names, places, inputs from outside, as TensorFlow
// 2.21 gave them for the same programs.
#include "kiln/ImportGraph.h"
#include "kiln/BuildOps.h"
#include "kiln/DefaultSession.h"
#include "kiln/Functions.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

namespace kiln {
namespace {

using ::testing::ElementsAre;
using testing::isOk;

class ImportGraph : public ::testing::Test {
protected:
  /// a; b = -a; c behind a; d = b + c beside a; a loop.
  ImportGraph() {
    GraphScope inside(from);
    Output a = ops::constant(1.0, {.name = "a"});
    Output b = rawOps::neg(a, {.name = "b"});
    Output c;
    {
      ControlScope after({a});
      c = ops::constant(2.0, {.name = "c"});
    }
    ColocationScope place(a);
    rawOps::addV2(b, c, {.name = "d"});
    ops::whileLoop([](const Outputs &i) { return i[0] < 3; },
                   [](const Outputs &i) { return Outputs(i[0] + 1); }, {0},
                   {.name = "w"});
  }
  const Node &node(const char *name) {
    const Node *found = graph.graph()->lookup(name);
    EXPECT_NE(found, nullptr) << name;
    static const Node *none = from.graph()->lookup("a");
    return found ? *found : *none;
  }
  std::string place(const char *name) {
    auto places = node(name).attrOr<std::vector<std::string>>("_class", {});
    return places.empty() ? "" : places[0];
  }

  GraphBuilder from, graph;
  GraphScope scope{graph};
};

TEST_F(ImportGraph, TwiceInScopesOfItsOwn) {
  importGraphDef(*from.graph());
  auto got = importGraphDef(*from.graph(), {.returnElements = {"d", "b:0"}});
  ASSERT_THAT(graph.status(), isOk());
  ASSERT_EQ(got.size(), 2u);
  EXPECT_EQ(std::get<const Node *>(got[0])->name(), "import_1/d");
  EXPECT_EQ(std::get<Output>(got[1]).name(), "import_1/b:0");
  EXPECT_EQ(place("import_1/d"), "loc:@import_1/a");
  EXPECT_EQ(node("import/w/Merge").input(1).name(), "import/w/NextIteration:0");
}

TEST_F(ImportGraph, CallsInABodyHaveTheResultsOfTheirFunctions) {
  GraphBuilder calls;
  {
    GraphScope inside(calls);
    DefinedFunction f =
        defun("f", {{DType::Float32, "x"}},
              [](const Outputs &v) { return Outputs(v[0] + 1.f); });
    f({1.f}, {.name = "call"});
  }
  DefinedFunction around = defun("around", {}, [&](const Outputs &) {
    auto got = importGraphDef(*calls.graph(), {.returnElements = {"call:0"}});
    return Outputs(std::get<Output>(got[0]));
  });
  ASSERT_THAT(graph.status(), isOk());
  EXPECT_EQ(Output(around({})).dtype(), DType::Float32);
}

TEST_F(ImportGraph, WithoutAScopeNamesAreMadeUnique) {
  ops::constant(1.0, {.name = "a"});
  ops::constant(1.0, {.name = "d_1"});
  importGraphDef(*from.graph(), {.name = ""});
  importGraphDef(*from.graph(), {.name = ""});
  ASSERT_THAT(graph.status(), isOk());
  EXPECT_EQ(node("b").input(0).name(), "a_1:0");
  EXPECT_EQ(place("d"), "loc:@a_1");
  EXPECT_EQ(node("d_2").input(0).name(), "b_1:0");
  EXPECT_EQ(place("d_2"), "loc:@a_2");
  EXPECT_EQ(node("w/Merge_1").input(1).name(), "w/NextIteration_1:0");
  // Nodes added later find the names taken.
  EXPECT_EQ(ops::constant(1.0, {.name = "b"}).name(), "b_2:0");
}

TEST_F(ImportGraph, ScopesHold) {
  Output x = ops::constant(5.0, {.name = "x"});
  {
    NameScope outer("outer");
    DeviceScope device("/cpu:0");
    ControlScope after({x});
    importGraphDef(*from.graph(), {.inputMap = {{"a", x}}});
  }
  ASSERT_THAT(graph.status(), isOk());
  EXPECT_EQ(node("outer/import/b").input(0).name(), "x:0");
  EXPECT_THAT(node("outer/import/c").controlInputs(),
              ElementsAre(&node("outer/import/a"), x.node));
  EXPECT_THAT(node("outer/import/w/Less").controlInputs(), ElementsAre(x.node));
  EXPECT_EQ(node("outer/import/d").device(), "/device:CPU:0");
}

TEST_F(ImportGraph, DevicesAreMergedAndFunctionsAsked) {
  GraphBuilder placed;
  {
    GraphScope inside(placed);
    DeviceScope device("/cpu:0");
    Output a = ops::constant(1.0, {.name = "a"});
    ColocationScope beside(a);
    rawOps::neg(a, {.name = "b"});
  }
  {
    DeviceScope outside("/job:ps/device:GPU:0");
    importGraphDef(*placed.graph(), {.name = "named"});
    importGraphDef(*placed.graph(), {.name = "none", .clearDevices = true});
  }
  EXPECT_EQ(node("named/a").device(), "/job:ps/device:CPU:0");
  EXPECT_EQ(node("named/b").device(), "/job:ps/device:CPU:0");
  EXPECT_EQ(node("none/b").device(), "/job:ps/device:GPU:0");
  std::vector<std::string> asked;
  {
    DeviceFunctionScope place([&](const Node &node) {
      asked.push_back(node.name() + " " + node.device());
      return std::string("/job:worker");
    });
    importGraphDef(*placed.graph(), {.name = "asked"});
  }
  ASSERT_THAT(graph.status(), isOk());
  // Colocated nodes are not asked for.
  EXPECT_THAT(asked, ElementsAre("asked/a /device:CPU:0"));
  EXPECT_EQ(node("asked/b").device(), "/job:worker");
}

TEST_F(ImportGraph, APlaceBesideANodeThatIsNotThereIsAnError) {
  GraphBuilder placed;
  {
    GraphScope inside(placed);
    AttributeScope beside({{"_class", std::vector<std::string>{"loc:@a"}}});
    ops::constant(1.0, {.name = "b"});
  }
  importGraphDef(*placed.graph());
  EXPECT_THAT(graph.status(),
              testing::fails(
                  StatusCode::InvalidArgument,
                  ::testing::HasSubstr("Node 'b' expects to be colocated with "
                                       "unknown node 'a'")));
}

TEST_F(ImportGraph, NodesMayBeLeftOut) {
  Output x = ops::constant(5.0, {.name = "x"});
  importGraphDef(*from.graph(), {.inputMap = {{"b", x}}, .without = {"b"}});
  ASSERT_THAT(graph.status(), isOk());
  EXPECT_EQ(graph.graph()->lookup("import/b"), nullptr);
  EXPECT_EQ(node("import/d").input(0).name(), "x:0");
}

TEST_F(ImportGraph, InABranchItRunsOnlyThere) {
  Output p = ops::placeholder(DType::Bool, {}, {.name = "p"});
  Output x = ops::constant(5.0, {.name = "x"});
  Output chosen = ops::cond(
      p,
      [&]() -> ops::BranchResult {
        auto got = importGraphDef(
            *from.graph(), {.inputMap = {{"a", x}}, .returnElements = {"d:0"}});
        return got.empty() ? Output() : std::get<Output>(got[0]);
      },
      [&] { return x; });
  ASSERT_THAT(graph.status(), isOk());
  EXPECT_EQ(node("cond/import/b").input(0).name(), "cond/Switch_1:1");
  EXPECT_THAT(node("cond/import/a").controlInputs(),
              ElementsAre(&node("cond/switch_t")));
  auto session = makeSession();
  ASSERT_THAT(session, isOk());
  for (bool truth : {true, false}) {
    auto value = fetch(**session, chosen, {{p, truth}});
    ASSERT_THAT(value, isOk());
    EXPECT_EQ(value->data<float>()[0], truth ? -3.0f : 5.0f);
  }
}

TEST_F(ImportGraph, ValuesBecomeConstants) {
  auto got = importGraphDef(*from.graph(), {.inputMap = {{"b:0", 1.0}},
                                            .returnElements = {"d:0", "b:0"}});
  ASSERT_THAT(graph.status(), isOk());
  EXPECT_EQ(node("import/d").input(0).name(), "import/_inputs/Const:0");
  // What stands in for a tensor is what it gives.
  EXPECT_EQ(std::get<Output>(got[1]).name(), "import/_inputs/Const:0");
}

TEST_F(ImportGraph, WhatNodesWaitForMayBeAnother) {
  Output x = ops::constant(5.0, {.name = "x"});
  importGraphDef(*from.graph(), {.inputMap = {{"^a", x}}});
  ASSERT_THAT(graph.status(), isOk());
  EXPECT_THAT(node("import/c").controlInputs(), ElementsAre(x.node));
  EXPECT_EQ(node("import/b").input(0).name(), "import/a:0");
}

} // namespace
} // namespace kiln
