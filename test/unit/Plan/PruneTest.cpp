// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cutting the needed part out of a graph: feeds, order of effects, errors.
#include "lib/Plan/Prune.h"

#include "lib/OpDefs/Inference.h"
#include "test/unit/Requests.h"
#include "test/unit/StatusMatchers.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace kiln {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::fails;
using testing::failsAt;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::isOk;
using ::testing::Not;

class Prune : public ::testing::Test {
protected:
  void placeholder(std::string name, Shape shape) {
    add({.name = std::move(name),
         .op = "Placeholder",
         .attrs = {{"dtype", DType::Float32}, {"shape", shape}}});
  }
  void variable(std::string name) {
    add({.name = std::move(name),
         .op = "VariableV2",
         .attrs = {{"dtype", DType::Float32}, {"shape", Shape()}}});
  }
  void constant(std::string name) {
    add({.name = std::move(name),
         .op = "Const",
         .attrs = {{"dtype", DType::Float32},
                   {"value", Tensor::scalar(1.0f)}}});
  }
  void op(std::string name, std::string type, std::vector<NodeInput> inputs) {
    add({.name = std::move(name),
         .op = std::move(type),
         .inputs = std::move(inputs),
         .attrs = {{"T", DType::Float32}}});
  }
  void add(NodeSpec spec) {
    ASSERT_THAT(graph.addNode(std::move(spec)).status(), isOk());
  }

  StatusOr<PrunedGraph> run(std::vector<std::string> feeds,
                            std::vector<std::string> fetches,
                            std::vector<std::string> targets = {}) {
    return testing::pruneNames(graph, feeds, fetches, targets);
  }
  std::vector<std::string> order(std::vector<std::string> feeds,
                                 std::vector<std::string> fetches,
                                 std::vector<std::string> targets = {}) {
    auto pruned = run(std::move(feeds), std::move(fetches), std::move(targets));
    EXPECT_THAT(pruned, isOk());
    std::vector<std::string> names;
    if (pruned.ok())
      for (const Node *node : pruned->nodes)
        names.push_back(node->name());
    return names;
  }

  Graph graph{makeNodeChecker()};
};

TEST_F(Prune, LeavesOutWhatIsNotReached) {
  constant("a");
  constant("b");
  op("neg", "Neg", {"a"});
  EXPECT_THAT(order({}, {"neg:0"}), ElementsAre("a", "neg"));
}

TEST_F(Prune, StopsAtAFeed) {
  constant("a");
  op("neg", "Neg", {"a"});
  op("abs", "Abs", {"neg"});
  EXPECT_THAT(order({"neg:0"}, {"abs:0"}), ElementsAre("abs"));
  EXPECT_THAT(order({"neg:0"}, {"neg:0"}), IsEmpty());
}

TEST_F(Prune, FeedingOneOutputLeavesTheOthers) {
  constant("a");
  add({.name = "both",
       .op = "IdentityN",
       .inputs = {"a", "a"},
       .attrs = {{"T", std::vector<DType>{DType::Float32, DType::Float32}}}});
  op("sum", "AddV2", {"both:0", "both:1"});
  EXPECT_THAT(order({"both:0"}, {"sum:0"}), ElementsAre("a", "both", "sum"));
  EXPECT_THAT(order({"both:0", "both:1"}, {"sum:0"}), ElementsAre("sum"));
}

TEST_F(Prune, ControlEdgeFromAFedPlaceholderIsCut) {
  placeholder("x", Shape());
  constant("a");
  op("y", "Identity", {"a", "^x"});
  EXPECT_THAT(order({"x:0"}, {"y:0"}), ElementsAre("a", "y"));
}

TEST_F(Prune, ControlEdgeFromAnotherFedNodeKeepsIt) {
  constant("a");
  op("neg", "Neg", {"a"});
  op("y", "Identity", {"neg", "^neg"});
  EXPECT_THAT(order({"neg:0"}, {"y:0"}), ElementsAre("a", "neg", "y"));
}

TEST_F(Prune, ReadyNodesThatDoNotWriteComeFirst) {
  variable("v");
  constant("one");
  op("assign", "Assign", {"v", "one"});
  op("read", "Identity", {"v"});
  op("twice", "AddV2", {"read", "read"});
  EXPECT_THAT(order({}, {"twice:0"}, {"assign"}),
              ElementsAre("v", "one", "read", "twice", "assign"));
}

TEST_F(Prune, OfTwoWritesTheOneThatIsReadySoonerComesFirst) {
  variable("v");
  constant("one");
  op("neg", "Neg", {"v"});
  op("gradient", "AddV2", {"neg", "one"});
  op("step", "AssignSub", {"v", "gradient"});
  op("clip", "Assign", {"v", "one"});
  EXPECT_THAT(order({}, {}, {"step", "clip"}),
              ElementsAre("v", "one", "neg", "gradient", "clip", "step"));
}

TEST_F(Prune, ControlEdgesOrderWritersAndReaders) {
  variable("v");
  constant("one");
  op("assign", "Assign", {"v", "one"});
  op("after", "Neg", {"v", "^assign"});
  EXPECT_THAT(order({}, {"after:0"}),
              ElementsAre("v", "one", "assign", "after"));
}

TEST_F(Prune, MissingFeedNamesPlaceholderDtypeAndShape) {
  placeholder("x", {-1, 3});
  placeholder("s", Shape());
  placeholder("u", Shape::unknownRank());
  op("neg", "Neg", {"x"});
  op("negS", "Neg", {"s"});
  op("negU", "Neg", {"u"});
  EXPECT_THAT(run({}, {"neg:0"}),
              AllOf(fails(StatusCode::InvalidArgument,
                          "You must feed a value for placeholder tensor 'x' "
                          "with dtype float and shape [?,3]"),
                    failsAt("x")));
  EXPECT_THAT(
      run({}, {"negS:0"}),
      fails(
          StatusCode::InvalidArgument,
          "You must feed a value for placeholder tensor 's' with dtype float"));
  EXPECT_THAT(
      run({}, {"negU:0"}),
      fails(
          StatusCode::InvalidArgument,
          "You must feed a value for placeholder tensor 'u' with dtype float"));
}

TEST_F(Prune, UnknownNamesAreFound) {
  constant("a");
  EXPECT_THAT(
      run({}, {"nope:0"}),
      fails(StatusCode::NotFound, AllOf(HasSubstr("Argument `fetch` = nope:0"),
                                        HasSubstr("'nope'"))));
  EXPECT_THAT(
      run({"nope:0"}, {"a:0"}),
      fails(StatusCode::NotFound, HasSubstr("Cannot interpret feed_dict key")));
  EXPECT_THAT(
      run({}, {"a:0"}, {"nope"}),
      fails(StatusCode::NotFound, HasSubstr("Argument `target` = nope")));
  EXPECT_THAT(run({}, {"a:x"}),
              fails(StatusCode::InvalidArgument, HasSubstr("`fetch` = a:x ")));
}

TEST_F(Prune, FeedingTwiceFails) {
  constant("a");
  EXPECT_THAT(run({"a:0", "a:0"}, {"a:0"}),
              AllOf(fails(StatusCode::InvalidArgument,
                          HasSubstr("'a:0' is fed more than once")),
                    failsAt("a")));
}

TEST_F(Prune, EmptyGraphFails) {
  EXPECT_THAT(run({}, {}), fails(StatusCode::FailedPrecondition,
                                 HasSubstr("The Session graph is empty")));
}

TEST_F(Prune, UnknownOpFailsOnlyWhenReached) {
  constant("a");
  add({.name = "strange", .op = "Nope", .inputs = {"a"}});
  op("neg", "Neg", {"a"});
  EXPECT_THAT(order({}, {"neg:0"}), ElementsAre("a", "neg"));
  EXPECT_THAT(
      run({}, {}, {"strange"}),
      AllOf(fails(StatusCode::NotFound, "Op type not registered 'Nope'"),
            failsAt("strange")));
}

TEST_F(Prune, AllUnknownOpsAreNamedAtOnce) {
  add({.name = "a", .op = "Nope"});
  add({.name = "b", .op = "Never", .inputs = {"a"}});
  add({.name = "c", .op = "Nope", .inputs = {"b"}});
  EXPECT_THAT(run({}, {}, {"c"}),
              AllOf(fails(StatusCode::NotFound,
                          "Op type not registered 'Nope'; nor 'Never' "
                          "(node 'b')"),
                    failsAt("a")));
}

TEST_F(Prune, ALimitedNumberOfUnknownOpsIsNamed) {
  std::vector<std::string> targets;
  for (int i = 0; i < 23; ++i) {
    targets.push_back("n" + std::to_string(i));
    add({.name = targets.back(), .op = "Nope" + std::to_string(i)});
  }
  EXPECT_THAT(run({}, {}, targets),
              fails(StatusCode::NotFound,
                    AllOf(HasSubstr("'Nope19' (node 'n19') and 3 more"),
                          Not(HasSubstr("Nope20")))));
}

TEST_F(Prune, HandleOfAnotherGraphFails) {
  constant("a");
  Graph other(makeNodeChecker());
  auto node = other.addNode({.name = "b", .op = "NoOp"});
  ASSERT_THAT(node, isOk());
  ResolvedRequest resolved;
  EXPECT_THAT(resolveFetches(graph, {*node}, {}, resolved),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("not an element of this graph")));
}

TEST_F(Prune, DeepChainNeedsNoDeepStack) {
  constant("n0");
  constexpr int depth = 50000;
  std::vector<NodeSpec> chain;
  for (int i = 1; i <= depth; ++i)
    chain.push_back({.name = "n" + std::to_string(i),
                     .op = "Neg",
                     .inputs = {"n" + std::to_string(i - 1)},
                     .attrs = {{"T", DType::Float32}}});
  ASSERT_THAT(graph.addNodes(std::move(chain)), isOk());
  auto pruned = run({}, {"n" + std::to_string(depth) + ":0"});
  ASSERT_THAT(pruned, isOk());
  EXPECT_EQ(pruned->nodes.size(), static_cast<size_t>(depth) + 1);
}

} // namespace
} // namespace kiln
