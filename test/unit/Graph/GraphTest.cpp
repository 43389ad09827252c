// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Building graphs: names, inputs, cycles, lookups, attributes, and adding while
// others read.
#include "kiln/Graph.h"
#include "kiln/NodeNames.h"

#include "lib/Support/Strings.h"
#include "test/unit/CountAllocations.h"
#include "test/unit/StatusMatchers.h"

#include <barrier>
#include <gtest/gtest.h>
#include <thread>

namespace kiln {
namespace {

using ::testing::AllOf;
using testing::fails;
using testing::failsAt;
using ::testing::HasSubstr;
using testing::isOk;

/// Every node has one float32 output, except those of op "None" (no outputs)
/// and "Mystery" (not known); op "Picky" needs an int attribute n.
Status checkNode(Node &node) {
  if (node.op() == "Mystery")
    return okStatus();
  if (node.op() == "Picky") {
    auto n = node.attr<int64_t>("n");
    if (!n.ok())
      return n.status();
  }
  if (node.op() == "None")
    node.setOutputs({});
  else
    node.setOutputs({{DType::Float32, Shape({2, -1})}});
  return okStatus();
}

TEST(Graph, AddsNodesWithTypedEdges) {
  Graph graph(checkNode);
  auto a = graph.addNode({.name = "a", .op = "Const"});
  ASSERT_THAT(a, isOk());
  auto b = graph.addNode({.name = "b",
                          .op = "Add",
                          .inputs = {"a", Output{*a, 0}, "^a"},
                          .device = "/cpu:0"});
  ASSERT_THAT(b, isOk());
  EXPECT_EQ((*b)->id(), 1);
  EXPECT_EQ((*b)->numInputs(), 2);
  EXPECT_EQ((*b)->input(0), (*b)->input(1));
  EXPECT_EQ((*b)->controlInputs().size(), 1u);
  EXPECT_EQ((*b)->input(0).name(), "a:0");
  EXPECT_EQ((*b)->input(0).shape(), Shape({2, -1}));
  EXPECT_EQ((*b)->outputDType(0), DType::Float32);
  EXPECT_EQ((*b)->outputDType(7), DType::Invalid);
  EXPECT_EQ((*b)->device(), "/cpu:0");
}

TEST(Graph, TakesAnyNamesInTheirScope) {
  Graph graph(checkNode);
  const NodeSpec odd{.name = "const/0/[1 2]", .op = "Const"};
  EXPECT_FALSE(graph.addNode(odd).ok());
  {
    AnyNodeNames names;
    EXPECT_FALSE(graph.addNode({.name = "", .op = "Const"}).ok());
    ASSERT_THAT(graph.addNode(odd), isOk());
  }
  EXPECT_TRUE(graph.lookup("const/0/[1 2]"));
  EXPECT_FALSE(graph.addNode({.name = "a b", .op = "Const"}).ok());
}

TEST(Graph, LookupsHaveTensorFlowsTexts) {
  Graph graph(checkNode);
  ASSERT_THAT(graph.addNode({.name = "c", .op = "Const"}), isOk());
  EXPECT_EQ(graph.findTensor("c:0")->node, *graph.findNode("c"));
  EXPECT_THAT(graph.findTensor("nope:0"),
              fails(StatusCode::NotFound,
                    "The name 'nope:0' refers to a Tensor which does not "
                    "exist. The operation, "
                    "'nope', does not exist in the graph."));
  EXPECT_THAT(graph.findTensor("c:1"),
              fails(StatusCode::NotFound,
                    "The name 'c:1' refers to a Tensor which does not exist. "
                    "The operation, "
                    "'c', exists but only has 1 outputs."));
  EXPECT_THAT(
      graph.findNode("nope"),
      fails(StatusCode::NotFound,
            "The name 'nope' refers to an Operation not in the graph."));
  for (std::string name : {"c:x", "c:0:1", "c:"})
    EXPECT_THAT(graph.findTensor(name),
                fails(StatusCode::InvalidArgument,
                      strCat("The name '", name,
                             "' looks a like a Tensor name, but is not a valid "
                             "one. Tensor names must be of the form "
                             "\"<op_name>:<output_index>\".")));
  EXPECT_THAT(graph.findTensor("c"),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("'c' refers to an Operation, not a Tensor.")));
  EXPECT_THAT(
      graph.findTensor("x"),
      fails(
          StatusCode::InvalidArgument,
          HasSubstr("looks like an (invalid) Operation name, not a Tensor.")));
  EXPECT_THAT(
      graph.findNode("c:0"),
      fails(StatusCode::InvalidArgument,
            "Name 'c:0' appears to refer to a Tensor, not a Operation."));
  EXPECT_THAT(graph.findTensor("c:99999999999"),
              fails(StatusCode::NotFound, HasSubstr("only has 1 outputs")));
  EXPECT_THAT(graph.findTensor("c:-1"),
              fails(StatusCode::NotFound, HasSubstr("only has 1 outputs")));
}

TEST(Graph, LookupsThatSucceedBuildNoText) {
  Graph graph(checkNode);
  std::string name(100, 'c'); // too long to be kept in place
  ASSERT_THAT(graph.addNode({.name = name, .op = "Const"}), isOk());
  std::string tensor = name + ":0";
  int64_t before = testing::numAllocations;
  bool found = graph.findTensor(tensor).ok() && graph.findNode(name).ok();
  int64_t after = testing::numAllocations;
  EXPECT_TRUE(found);
  EXPECT_EQ(after - before, 0);
}

TEST(Graph, NamesFollowTensorFlowsRule) {
  for (std::string_view good : {"a", "A.b", "9", ".x", "p/q_r-s>t\\u"})
    EXPECT_TRUE(isValidNodeName(good)) << good;
  for (std::string_view bad :
       {"", "_a", "-a", "/a", "a b", "a:0", "^a", "\xc3\xa4"})
    EXPECT_FALSE(isValidNodeName(bad)) << bad;
  Graph graph;
  EXPECT_THAT(graph.addNode({.name = "a b", .op = "X"}),
              AllOf(fails(StatusCode::InvalidArgument,
                          HasSubstr("'a b' is not a valid node name")),
                    failsAt("a b")));
  EXPECT_THAT(graph.addNode({.name = "a", .op = ""}),
              fails(StatusCode::InvalidArgument, HasSubstr("no op type")));
}

TEST(Graph, NodesOfOneCallMayReferForward) {
  Graph graph(checkNode);
  ASSERT_THAT(
      graph.addNodes({{.name = "late", .op = "Neg", .inputs = {"early"}},
                      {.name = "early", .op = "Const"}}),
      isOk());
  EXPECT_EQ(graph.node(0)->name(), "late");
  EXPECT_EQ(graph.node(0)->input(0).node, graph.node(1));
}

TEST(Graph, MissingInputsNameBothNodes) {
  Graph graph(checkNode);
  EXPECT_THAT(graph.addNode({.name = "a", .op = "Neg", .inputs = {"gone:0"}}),
              AllOf(fails(StatusCode::InvalidArgument,
                          AllOf(HasSubstr("'a'"), HasSubstr("'gone'"))),
                    failsAt("a")));
  EXPECT_THAT(graph.addNode({.name = "a", .op = "Neg", .inputs = {"^gone"}}),
              failsAt("a"));
  ASSERT_THAT(graph.addNode({.name = "c", .op = "Const"}), isOk());
  EXPECT_THAT(graph.addNode({.name = "a", .op = "Neg", .inputs = {"c:1"}}),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("invalid output 1 of source node c which has 1 "
                              "outputs")));
  for (std::string input : {"c:x", "c:-1", "c:", "c:99999999999", "", "^"})
    EXPECT_THAT(graph.addNode({.name = "a", .op = "Neg", .inputs = {input}}),
                failsAt("a"))
        << input;
  Graph other(checkNode);
  auto foreign = other.addNode({.name = "f", .op = "Const"});
  EXPECT_THAT(graph.addNode(
                  {.name = "a", .op = "Neg", .inputs = {Output{*foreign, 0}}}),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("not an element of this graph")));
}

TEST(Graph, OnlyALoopEdgeMayCloseACycle) {
  Graph graph(checkNode);
  EXPECT_THAT(
      graph.addNodes(
          {{.name = "in", .op = "Const"},
           {.name = "merge", .op = "Merge", .inputs = {"in", "next"}},
           {.name = "body", .op = "Neg", .inputs = {"merge"}},
           {.name = "next", .op = "NextIteration", .inputs = {"body"}}}),
      isOk());
  EXPECT_THAT(graph.addNodes({{.name = "after", .op = "Neg", .inputs = {"y"}},
                              {.name = "x", .op = "Neg", .inputs = {"y"}},
                              {.name = "y", .op = "Neg", .inputs = {"x"}}}),
              AllOf(fails(StatusCode::InvalidArgument, HasSubstr("cycle")),
                    ::testing::AnyOf(failsAt("x"), failsAt("y"))));
  EXPECT_THAT(graph.addNode({.name = "self", .op = "Neg", .inputs = {"self"}}),
              failsAt("self"));
  EXPECT_THAT(graph.addNode({.name = "self", .op = "Neg", .inputs = {"^self"}}),
              failsAt("self"));
}

TEST(Graph, ErrorsDoNotChangeTheGraph) {
  Graph graph(checkNode, {.maxNodes = 3});
  ASSERT_THAT(graph.addNode({.name = "a", .op = "Const"}), isOk());
  EXPECT_THAT(
      graph.addNodes(
          {{.name = "b", .op = "Const"}, {.name = "a", .op = "Const"}}),
      AllOf(fails(StatusCode::AlreadyExists, HasSubstr("'a'")), failsAt("a")));
  EXPECT_THAT(graph.addNodes(
                  {{.name = "b", .op = "Const"}, {.name = "p", .op = "Picky"}}),
              failsAt("p"));
  EXPECT_THAT(graph.addNodes({{.name = "b", .op = "X"},
                              {.name = "c", .op = "X"},
                              {.name = "d", .op = "X"}}),
              fails(StatusCode::ResourceExhausted, HasSubstr("limit is 3")));
  EXPECT_EQ(graph.numNodes(), 1);
  EXPECT_EQ(graph.lookup("b"), nullptr);
  EXPECT_THAT(
      graph.addNodes({{.name = "b", .op = "X"}, {.name = "c", .op = "X"}}),
      isOk());
}

TEST(Graph, UnknownOpsAreAccepted) {
  Graph graph(checkNode);
  ASSERT_THAT(graph.addNode({.name = "m", .op = "Mystery"}), isOk());
  EXPECT_EQ(graph.node(0)->numOutputs(), -1);
  EXPECT_THAT(graph.findTensor("m:5"), isOk());
  EXPECT_THAT(graph.addNode({.name = "n", .op = "Neg", .inputs = {"m:5"}}),
              isOk());
}

TEST(Graph, AChainOfAHundredThousandNodesNeedsNoRecursion) {
  std::vector<NodeSpec> specs;
  for (int i = 100'000; i > 0; --i)
    specs.push_back(
        {.name = strCat("n", i), .op = "Neg", .inputs = {strCat("n", i - 1)}});
  specs.push_back({.name = "n0", .op = "Const"});
  Graph graph(checkNode);
  ASSERT_THAT(graph.addNodes(std::move(specs)), isOk());
  EXPECT_EQ(graph.numNodes(), 100'001);
  EXPECT_EQ(graph.node(0)->name(), "n100000");
  EXPECT_EQ(graph.node(100'000)->name(), "n0");
  EXPECT_EQ(graph.node(100'001), nullptr);
}

TEST(Graph, LongNamesAreRefused) {
  Graph graph({}, {.maxNameBytes = 8});
  EXPECT_THAT(graph.addNode({.name = "12345678", .op = "X"}), isOk());
  EXPECT_THAT(graph.addNode({.name = "123456789", .op = "X"}),
              fails(StatusCode::ResourceExhausted, HasSubstr("limit is 8")));
}

TEST(Graph, MayGrowWhileOthersRead) {
  Graph graph(checkNode);
  constexpr int count = 2000;
  std::barrier start(4);
  auto read = [&] {
    start.arrive_and_wait();
    for (int seen = 0; seen < count; seen = graph.numNodes()) {
      if (seen == 0)
        continue;
      const Node *last = graph.node(seen - 1);
      ASSERT_NE(last, nullptr);
      ASSERT_EQ(graph.lookup(last->name()), last);
      if (last->numInputs() > 0) {
        ASSERT_EQ(last->input(0).node, graph.node(seen - 2));
      }
    }
  };
  std::thread readers[] = {std::thread(read), std::thread(read),
                           std::thread(read)};
  start.arrive_and_wait();
  for (int i = 0; i < count; ++i) {
    NodeSpec spec{.name = strCat("n", i), .op = "Neg"};
    if (i > 0)
      spec.inputs = {strCat("n", i - 1)};
    EXPECT_THAT(graph.addNode(std::move(spec)), isOk());
  }
  for (std::thread &reader : readers)
    reader.join();
}

TEST(Attributes, KeepTheirKind) {
  Graph graph;
  auto node = graph.addNode({.name = "n",
                             .op = "X",
                             .attrs = {{"i", 3},
                                       {"f", 0.5f},
                                       {"b", true},
                                       {"s", "text"},
                                       {"T", DType::Int32},
                                       {"shape", Shape({-1})},
                                       {"value", Tensor::scalar(1.0f)},
                                       {"list", std::vector<int64_t>{1, 2}},
                                       {"none", EmptyList()},
                                       {"fn", NameAttrList{"f", {{"n", 1}}}}}});
  ASSERT_THAT(node, isOk());
  const Node &n = **node;
  EXPECT_EQ(*n.attr<int64_t>("i"), 3);
  EXPECT_EQ(*n.attr<float>("f"), 0.5f);
  EXPECT_EQ(*n.attr<bool>("b"), true);
  EXPECT_EQ(*n.attr<std::string>("s"), "text");
  EXPECT_EQ(*n.attr<DType>("T"), DType::Int32);
  EXPECT_EQ(*n.attr<Shape>("shape"), Shape({-1}));
  EXPECT_EQ(n.attr<Tensor>("value")->data<float>()[0], 1.0f);
  EXPECT_EQ(n.attr<std::vector<int64_t>>("list")->size(), 2u);
  EXPECT_TRUE(n.attr<std::vector<Shape>>("none")->empty());
  EXPECT_EQ((*n.attrRef<NameAttrList>("fn"))->attrs.find("n")->kindName(),
            "int");
  EXPECT_EQ(n.attrOr<int64_t>("absent", 9), 9);
}

TEST(Attributes, ErrorsNameNodeAttributeExpectedAndGot) {
  Graph graph;
  auto node = graph.addNode(
      {.name = "n", .op = "Conv", .attrs = {{"strides", "oops"}}});
  EXPECT_THAT((*node)->attr<std::vector<int64_t>>("strides"),
              AllOf(fails(StatusCode::InvalidArgument,
                          "attribute 'strides' of node 'n' (op 'Conv'): "
                          "expected list(int), got string"),
                    failsAt("n")));
  EXPECT_THAT((*node)->attr<DType>("T"),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("expected type, got no such attribute")));
}

TEST(Attributes, ASplatStaysOneElementUntilItIsMaterialized) {
  TensorConstant splat(Tensor::scalar<int32_t>(7), Shape({1000, 3}));
  EXPECT_TRUE(splat.isSplat());
  auto full = splat.materialize();
  ASSERT_THAT(full, isOk());
  EXPECT_EQ(full->numElements(), 3000);
  for (int32_t element : full->data<int32_t>())
    ASSERT_EQ(element, 7);
  TensorConstant monster(Tensor::scalar(1.0f), Shape({int64_t{1} << 61}));
  EXPECT_THAT(monster.materialize(),
              fails(StatusCode::InvalidArgument, HasSubstr("2^63 - 1 bytes")));
}

TEST(Graph, HeldNodesAreSeenOncePublished) {
  Graph graph(checkNode);
  auto a = graph.addNode({.name = "a", .op = "Const"});
  ASSERT_THAT(a, isOk());
  graph.hold();
  auto b = graph.addNode({.name = "b", .op = "Neg", .inputs = {"a"}});
  ASSERT_THAT(b, isOk());
  auto c = graph.addNode({.name = "c", .op = "Neg", .inputs = {"b"}});
  ASSERT_THAT(c, isOk());
  EXPECT_EQ((*c)->input(0).node, *b);
  EXPECT_EQ(graph.numNodes(), 1);
  EXPECT_EQ(graph.numAdded(), 3);
  EXPECT_EQ(graph.lookup("b"), nullptr);
  EXPECT_TRUE(graph.contains(*b));
  EXPECT_THAT(graph.addNode({.name = "b", .op = "Const"}),
              fails(StatusCode::AlreadyExists, HasSubstr("'b'")));
  graph.hold();
  graph.publish();
  EXPECT_EQ(graph.numNodes(), 1);
  graph.publish();
  EXPECT_EQ(graph.numNodes(), 3);
  EXPECT_EQ(graph.lookup("c"), *c);
  EXPECT_EQ(graph.node(1), *b);
}

TEST(Graph, LoopsAreClosedBeforeTheyArePublished) {
  Graph graph(checkNode);
  auto a = graph.addNode({.name = "a", .op = "Enter"});
  graph.hold();
  auto merge =
      graph.addNode({.name = "m", .op = "Merge", .inputs = {"a", "a"}});
  ASSERT_THAT(merge, isOk());
  auto next =
      graph.addNode({.name = "n", .op = "NextIteration", .inputs = {"m"}});
  ASSERT_THAT(next, isOk());
  EXPECT_THAT(graph.closeLoop(**merge, **a), failsAt("m"));
  EXPECT_THAT(graph.closeLoop(**merge, **next), isOk());
  graph.publish();
  EXPECT_EQ((*merge)->input(1).node, *next);
  EXPECT_THAT(graph.closeLoop(**merge, **next), failsAt("m"));
}

TEST(Graph, KeepsTheFirstConstructionError) {
  Graph graph(checkNode);
  EXPECT_FALSE(graph.hasConstructionError());
  graph.setConstructionError(okStatus());
  EXPECT_FALSE(graph.hasConstructionError());
  graph.setConstructionError(invalidArgumentError("first"));
  graph.setConstructionError(invalidArgumentError("second"));
  EXPECT_THAT(graph.constructionError(),
              fails(StatusCode::InvalidArgument, "first"));
  EXPECT_THAT(graph.takeConstructionError(),
              fails(StatusCode::InvalidArgument, "first"));
  EXPECT_FALSE(graph.hasConstructionError());
  EXPECT_THAT(graph.constructionError(), isOk());
}

} // namespace
} // namespace kiln
