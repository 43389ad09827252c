// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Edges from their sources on, in graphs that grow.
#include "kiln/NodeUses.h"

#include "test/unit/StatusMatchers.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>

namespace kiln {
namespace {

using testing::isOk;

Status oneOutput(Node &node) {
  node.setOutputs({{DType::Float32, Shape({2})}});
  return okStatus();
}

TEST(NodeUses, FollowWhatIsAdded) {
  auto graph = std::make_shared<Graph>(oneOutput);
  NodeUses uses(graph);
  const Node *a = *graph->addNode({.name = "a", .op = "Const"});
  EXPECT_TRUE(uses.consumers({a, 0}).empty());
  const Node *b =
      *graph->addNode({.name = "b", .op = "Add", .inputs = {"a", "a", "^a"}});
  const Node *c =
      *graph->addNode({.name = "c", .op = "Neg", .inputs = {"a", "^b"}});
  EXPECT_EQ(uses.consumers({a, 0}),
            (std::vector<InputPort>{{b, 0}, {b, 1}, {c, 0}}));
  EXPECT_TRUE(uses.consumers({a, 1}).empty());
  EXPECT_TRUE(uses.consumers({}).empty());
  EXPECT_EQ(uses.controlOutputs(*a), std::vector{b});
  EXPECT_EQ(uses.controlOutputs(*b), std::vector{c});
}

TEST(NodeUses, SeeInputsThatCallsGetLater) {
  auto graph = std::make_shared<Graph>(oneOutput);
  NodeUses uses(graph);
  const Node *a = *graph->addNode({.name = "a", .op = "Const"});
  const Node *call =
      *graph->addNode({.name = "call",
                       .op = "PartitionedCall",
                       .inputs = {"a"},
                       .attrs = {{"f", NameAttrList{"body", {}}}}});
  EXPECT_EQ(uses.consumers({a, 0}), (std::vector<InputPort>{{call, 0}}));
  ASSERT_THAT(graph->extendNode(*call, {.inputs = {Output{a, 0}}}), isOk());
  EXPECT_EQ(uses.consumers({a, 0}),
            (std::vector<InputPort>{{call, 0}, {call, 1}}));
}

TEST(NodeUses, HeldNodesTakeNothingYet) {
  auto graph = std::make_shared<Graph>(oneOutput);
  NodeUses uses(graph);
  const Node *a = *graph->addNode({.name = "a", .op = "Const"});
  graph->hold();
  ASSERT_THAT(
      graph->addNode({.name = "b", .op = "Neg", .inputs = {Output{a, 0}}}),
      isOk());
  EXPECT_TRUE(uses.consumers({a, 0}).empty());
  graph->publish();
  EXPECT_EQ(uses.consumers({a, 0}).size(), 1u);
}

TEST(NodeUses, AreReadWhileNodesAreAdded) {
  auto graph = std::make_shared<Graph>(oneOutput);
  NodeUses uses(graph);
  const Node *a = *graph->addNode({.name = "a", .op = "Const"});
  constexpr size_t count = 500;
  std::atomic<bool> isInOrder{true};
  std::thread reader([&] {
    size_t seen = 0;
    while (seen < count) {
      const size_t now = uses.consumers({a, 0}).size();
      if (now < seen)
        isInOrder = false;
      seen = now;
    }
  });
  for (size_t i = 0; i < count; ++i)
    ASSERT_THAT(graph->addNode({.name = "b" + std::to_string(i),
                                .op = "Neg",
                                .inputs = {Output{a, 0}}}),
                isOk());
  reader.join();
  EXPECT_TRUE(isInOrder);
}

} // namespace
} // namespace kiln
