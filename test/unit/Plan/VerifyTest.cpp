// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans that a transformation has spoiled.
#include "lib/Plan/ir/Verify.h"
#include "lib/Plan/Plan.h"
#include "lib/Plan/ir/SynthesizedNodes.h"
#include "test/unit/Requests.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

namespace kiln {
namespace {

using ::testing::AllOf;
using testing::fails;
using testing::failsAt;
using ::testing::HasSubstr;
using testing::isOk;

constexpr DType f32 = DType::Float32;

class VerifyTest : public ::testing::Test {
protected:
  VerifyTest() {
    writer.placeholder("p", DType::Bool, {});
    writer.placeholder("x", f32, {});
    op("s", "Switch", {"x", "p"});
    op("a", "Neg", {"s:1"});
    op("m", "Merge", {"s:0", "a"}, {{"N", 2}});
    op("y", "Abs", {"m"});
    op("e", "Enter", {"x"}, {{"frame_name", "loop"}});
    std::vector<NodeSpec> loop = {
        spec("i", "Merge", {"e", "next"}, {{"N", 2}}),
        spec("less", "Less", {"i", "i"}),
        {.name = "go", .op = "LoopCond", .inputs = {"less"}},
        spec("t", "Switch", {"i", "go"}),
        spec("twice", "AddV2", {"t:1", "t:1"}),
        spec("next", "NextIteration", {"twice"}),
        spec("exit", "Exit", {"t"})};
    EXPECT_THAT(writer.graph->addNodes(std::move(loop)), isOk());
  }
  static NodeSpec spec(std::string name, std::string type,
                       std::vector<NodeInput> inputs, AttrMap attrs = {}) {
    attrs.set("T", f32);
    return {.name = std::move(name),
            .op = std::move(type),
            .inputs = std::move(inputs),
            .attrs = std::move(attrs)};
  }
  void op(std::string name, std::string type, std::vector<NodeInput> inputs,
          AttrMap attrs = {}) {
    EXPECT_THAT(writer.graph
                    ->addNode(spec(std::move(name), std::move(type),
                                   std::move(inputs), std::move(attrs)))
                    .status(),
                isOk());
  }
  std::unique_ptr<Block> plan(std::string fetch) {
    auto pruned =
        testing::pruneNames(*writer.graph, {"p:0", "x:0"}, {std::move(fetch)});
    EXPECT_THAT(pruned, isOk());
    auto root = makeBlocks(*pruned);
    EXPECT_THAT(root, isOk());
    return *std::move(root);
  }
  static Item &itemOf(Block &root, Item::Kind kind) {
    return *std::find_if(root.items.begin(), root.items.end(),
                         [&](const Item &item) { return item.kind == kind; });
  }
  Output output(std::string_view name, int index = 0) {
    return {writer.graph->lookup(name), index};
  }
  static auto isRefused(const char *text, const char *node) {
    return AllOf(fails(StatusCode::Internal,
                       AllOf(HasSubstr("after test"), HasSubstr(text))),
                 failsAt(node));
  }

  testing::GraphWriter writer;
};

TEST_F(VerifyTest, WhatTransformationsMakeIsValid) {
  EXPECT_THAT(verify(*plan("y:0"), "test"), isOk());
  EXPECT_THAT(verify(*plan("exit:0"), "test"), isOk());
}

TEST_F(VerifyTest, UsesComeBehindDefinitions) {
  auto root = plan("y:0");
  std::swap(root->items.front(), root->items.back());
  EXPECT_THAT(verify(*root, "test"), isRefused("'m:0'), not visible", "y"));
  auto other = plan("y:0");
  other->results[0] = output("a");
  EXPECT_THAT(verify(*other, "test"),
              fails(StatusCode::Internal, HasSubstr("'a:0'), not visible")));
}

TEST_F(VerifyTest, ABodyDoesNotSeeTheBlockOfTheCondition) {
  auto root = plan("exit:0");
  Item &loop = itemOf(*root, Item::Kind::While);
  loop.second->results[0] = output("less");
  EXPECT_THAT(verify(*root, "test"), isRefused("'less:0'), not visible", "go"));
}

TEST_F(VerifyTest, ResultsAndArgumentsMatch) {
  auto root = plan("y:0");
  itemOf(*root, Item::Kind::If).second->results.clear();
  EXPECT_THAT(verify(*root, "test"), isRefused("0 results, expected 1", "m"));
  root = plan("exit:0");
  itemOf(*root, Item::Kind::While).operands.clear();
  EXPECT_THAT(verify(*root, "test"),
              isRefused("1 arguments, expected 0", "go"));
}

TEST_F(VerifyTest, OnlyBranchesAndCallsGiveNothing) {
  auto root = plan("y:0");
  itemOf(*root, Item::Kind::If).first->results[0] = PlanValue();
  EXPECT_THAT(verify(*root, "test"), isOk());
  root->results[0] = PlanValue::constant(1);
  EXPECT_THAT(verify(*root, "test"),
              fails(StatusCode::Internal, HasSubstr("which is no tensor")));
  root = plan("exit:0");
  itemOf(*root, Item::Kind::While).operands[0] = PlanValue();
  EXPECT_THAT(verify(*root, "test"),
              isRefused("operand 0, which is no tensor", "go"));
}

TEST_F(VerifyTest, AnArgumentIsNoResult) {
  auto root = plan("exit:0");
  Item &loop = itemOf(*root, Item::Kind::While);
  loop.second->results[0] = PlanValue::argument(output("next"));
  EXPECT_THAT(verify(*root, "test"),
              isRefused("given by something else", "go"));
  loop.second->results[0] = PlanValue::argument(loop.second->args[0]);
  EXPECT_THAT(verify(*root, "test"), isOk());
  loop.second->results[0] = PlanValue::result(loop.second->args[0]);
  EXPECT_THAT(verify(*root, "test"),
              isRefused("given by something else", "go"));
}

TEST_F(VerifyTest, AnItemHasWhatItsKindSays) {
  auto root = plan("y:0");
  Item &choice = itemOf(*root, Item::Kind::If);
  choice.kind = Item::Kind::Call;
  EXPECT_THAT(verify(*root, "test"), isRefused("blocks of another kind", "m"));
  choice.second = nullptr;
  EXPECT_THAT(verify(*root, "test"), isRefused("a condition", "m"));
  choice.condition = {};
  EXPECT_THAT(verify(*root, "test"), isOk());
}

// Names of one node are in a graph each; so many graphs there are, not one for
// each name.
TEST_F(VerifyTest, SynthesizedNodesShareGraphs) {
  SynthesizedNodes nodes;
  std::vector<Output> names;
  for (const char *node : {"a", "y", "a", "m"}) {
    auto name = nodes.name(*writer.graph->lookup(node), f32);
    ASSERT_THAT(name, isOk());
    EXPECT_EQ(name->node->name(), node);
    names.push_back(*name);
  }
  EXPECT_NE(names[0], names[2]);
  EXPECT_EQ(nodes.take().size(), 2u);
}

} // namespace
} // namespace kiln
