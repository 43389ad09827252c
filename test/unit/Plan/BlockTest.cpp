// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs as trees of blocks: branches and loops that are recovered from Switch
// and Merge, and what is no structured program.
#include "lib/Plan/Plan.h"

#include "lib/Plan/import/BodyPlan.h"
#include "lib/Plan/ir/Verify.h"

#include "test/unit/Requests.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

namespace kiln {
namespace {

using ::testing::AllOf;
using testing::fails;
using testing::failsAt;
using ::testing::HasSubstr;
using testing::isOk;

constexpr DType f32 = DType::Float32;

class BlockTest : public ::testing::Test {
protected:
  BlockTest() {
    writer.placeholder("p", DType::Bool, {});
    writer.placeholder("q", DType::Bool, {});
    writer.placeholder("x", f32, {});
  }
  void op(std::string name, std::string type, std::vector<NodeInput> inputs) {
    writer.add(std::move(name), std::move(type), std::move(inputs),
               {{"T", f32}});
  }
  void merge(std::string name, std::string a, std::string b) {
    writer.add(std::move(name), "Merge", {std::move(a), std::move(b)},
               {{"T", f32}, {"N", 2}});
  }
  void enter(std::string name, std::string input, bool isConstant) {
    writer.add(
        std::move(name), "Enter", {std::move(input)},
        {{"T", f32}, {"frame_name", "loop"}, {"is_constant", isConstant}});
  }

  static std::string text(const Block &block) {
    std::string words;
    for (const Item &item : block.items) {
      words += words.empty() ? "" : " ";
      if (item.kind == Item::Kind::Node)
        words += item.node->name();
      else if (item.kind == Item::Kind::If)
        words += "if " + item.condition.output().name() + " {" +
                 text(*item.first) + "} {" + text(*item.second) + "}";
      else if (item.kind == Item::Kind::Fail)
        words += "fail " + std::to_string(item.failure.fetch);
      else if (item.kind == Item::Kind::Call)
        words += item.node->name() + " {" + text(*item.first) + "}";
      else
        words +=
            "while {" + text(*item.first) + "} {" + text(*item.second) + "}";
    }
    return words;
  }
  StatusOr<std::string> blocks(std::vector<std::string> fetches) {
    auto pruned =
        testing::pruneNames(*writer.graph, {"p:0", "q:0", "x:0"}, fetches);
    if (!pruned.ok())
      return pruned.status();
    auto root = makeBlocks(*pruned);
    return root.ok() ? StatusOr<std::string>(text(**root)) : root.status();
  }
  void expectBlocks(std::vector<std::string> fetches,
                    const std::string &expected) {
    auto got = blocks(std::move(fetches));
    ASSERT_THAT(got, isOk());
    EXPECT_EQ(*got, expected);
  }

  testing::GraphWriter writer;
};

TEST_F(BlockTest, OnlyFlowOfVersionOneIsStructured) {
  op("same", "Identity", {"x"});
  writer.add("less", "Less", {"same", "x"}, {{"T", f32}});
  auto hasAny = [&](const std::string &fetch) {
    auto pruned = testing::pruneNames(*writer.graph, {"p:0", "x:0"}, {fetch});
    EXPECT_TRUE(pruned.ok()) << pruned.status().toString();
    return pruned.ok() && hasControlFlowV1(*pruned);
  };
  EXPECT_FALSE(hasAny("less:0"));
  op("switched", "Switch", {"x", "p"});
  EXPECT_TRUE(hasAny("switched:0"));
}

TEST_F(BlockTest, AMergeIsTheResultOfAnIf) {
  op("s", "Switch", {"x", "p"});
  op("a", "Neg", {"s:1"});
  op("b", "Abs", {"s:0"});
  merge("m", "b", "a");
  op("y", "Neg", {"m"});
  expectBlocks({"y:0"}, "s if p:0 {a} {b} y");
}

TEST_F(BlockTest, BranchesMayBeNested) {
  op("s", "Switch", {"x", "p"});
  writer.add("sq", "Switch", {"q", "p"}, {{"T", DType::Bool}});
  op("t", "Switch", {"s:1", "sq:1"});
  op("a", "Neg", {"t:1"});
  merge("inner", "t:0", "a");
  merge("m", "s:0", "inner");
  expectBlocks({"m:0"}, "s sq if p:0 {t if q:0 {a} {}} {}");
}

TEST_F(BlockTest, OnePredicateTwiceIsTwoIfsWhereOneNeedsTheOther) {
  op("s", "Switch", {"x", "p"});
  op("a", "Neg", {"s:1"});
  merge("m", "s:0", "a");
  op("mid", "Abs", {"m"});
  op("t", "Switch", {"mid", "p"});
  // As a gradient does, it looks at a value of the first branch.
  op("b", "AddV2", {"t:1", "a"});
  merge("n", "t:0", "b");
  expectBlocks({"n:0"}, "s if p:0 {a} {} mid t if p:0 {b} {}");
}

TEST_F(BlockTest, ControlEdgesPutNodesIntoBranches) {
  op("s", "Switch", {"x", "p"});
  op("pivot", "Identity", {"s:1"});
  writer.constant("c", Tensor::scalar(1.0f));
  op("a", "Neg", {"c", "^pivot"});
  merge("m", "s:0", "a");
  expectBlocks({"m:0"}, "s c if p:0 {pivot a} {}");
}

TEST_F(BlockTest, ALoopOfVersionOneIsAWhile) {
  writer.constant("limit", Tensor::scalar(9.0f));
  enter("e", "x", false);
  enter("k", "limit", true);
  std::vector<NodeSpec> specs = {
      {.name = "m",
       .op = "Merge",
       .inputs = {"e", "next"},
       .attrs = {{"T", f32}, {"N", 2}}},
      {.name = "less",
       .op = "Less",
       .inputs = {"m", "k"},
       .attrs = {{"T", f32}}},
      {.name = "cond", .op = "LoopCond", .inputs = {"less"}},
      {.name = "s",
       .op = "Switch",
       .inputs = {"m", "cond"},
       .attrs = {{"T", f32}}},
      {.name = "twice",
       .op = "AddV2",
       .inputs = {"s:1", "s:1"},
       .attrs = {{"T", f32}}},
      {.name = "next",
       .op = "NextIteration",
       .inputs = {"twice"},
       .attrs = {{"T", f32}}},
      {.name = "exit", .op = "Exit", .inputs = {"s:0"}, .attrs = {{"T", f32}}}};
  ASSERT_THAT(writer.graph->addNodes(std::move(specs)), isOk());
  expectBlocks({"exit:0"}, "limit e k while {less cond s} {twice next} exit");
  EXPECT_THAT(blocks({"twice:0"}),
              fails(StatusCode::Unimplemented,
                    "expected a fetch outside of loops, got 'twice:0'"));
}

// What decides a branch of the body may be computed before the condition, and
// the body may see a view of it alone.
TEST_F(BlockTest, ABodyIsGivenWhatDecidesItsBranches) {
  writer.constant("limit", Tensor::scalar(9.0f));
  enter("e", "x", false);
  enter("k", "limit", true);
  auto f32s = [](std::string name, std::string type,
                 std::vector<NodeInput> inputs) {
    return NodeSpec{.name = std::move(name),
                    .op = std::move(type),
                    .inputs = std::move(inputs),
                    .attrs = {{"T", f32}}};
  };
  std::vector<NodeSpec> specs = {
      {.name = "m",
       .op = "Merge",
       .inputs = {"e", "next"},
       .attrs = {{"T", f32}, {"N", 2}}},
      f32s("less", "Less", {"m", "k"}),
      {.name = "cond", .op = "LoopCond", .inputs = {"less"}},
      f32s("s", "Switch", {"m", "cond"}),
      f32s("more", "Greater", {"m", "k"}),
      {.name = "same",
       .op = "Identity",
       .inputs = {"more"},
       .attrs = {{"T", DType::Bool}}},
      f32s("way", "Switch", {"s:1", "same"}),
      {.name = "either",
       .op = "Merge",
       .inputs = {"way:0", "way:1"},
       .attrs = {{"T", f32}, {"N", 2}}},
      f32s("next", "NextIteration", {"either"}),
      f32s("exit", "Exit", {"s:0"})};
  ASSERT_THAT(writer.graph->addNodes(std::move(specs)), isOk());
  auto pruned = testing::pruneNames(*writer.graph, {"x:0"}, {"exit:0"});
  ASSERT_THAT(pruned, isOk());
  auto root = makeBlocks(*pruned);
  ASSERT_THAT(root, isOk());
  EXPECT_THAT(verify(**root, "test"), isOk());
}

TEST_F(BlockTest, WhatTakesAChosenReferenceBranches) {
  for (std::string v : {"v", "w"}) {
    writer.add(v, "VariableV2", {}, {{"dtype", f32}, {"shape", Shape()}});
    writer.add(v + "s", "RefSwitch", {v, "p"}, {{"T", f32}});
  }
  writer.add("m", "RefMerge", {"vs:0", "ws:1"}, {{"T", f32}, {"N", 2}});
  op("read", "Identity", {"m"});
  op("add", "AssignAdd", {"m", "read"});
  op("twice", "AddV2", {"add", "x"});
  expectBlocks({"twice:0"},
               "v vs w ws if p:0 {} {} if p:0 {m {} read} {m {} read} "
               "if p:0 {m {} add} {m {} add} "
               "if p:0 {add {} twice} {add {} twice}");
}

TEST_F(BlockTest, AMergeOfTwoThatAreAliveFails) {
  op("a", "Neg", {"x"});
  op("b", "Abs", {"x"});
  merge("m", "a", "b");
  EXPECT_THAT(blocks({"m:0"}), AllOf(fails(StatusCode::InvalidArgument,
                                           HasSubstr("two that may both be")),
                                     failsAt("m")));
}

TEST_F(BlockTest, InputsOfDifferentFramesFail) {
  enter("e", "x", true);
  writer.constant("c", Tensor::scalar(1.0f));
  op("w", "AddV2", {"e", "c"});
  EXPECT_THAT(blocks({"w:0"}),
              AllOf(fails(StatusCode::InvalidArgument,
                          HasSubstr("has inputs from different frames")),
                    failsAt("w")));
}

TEST_F(BlockTest, DepthOfBranchesIsBounded) {
  // Each predicate is a negation of the one around it, so all are different.
  auto nested = [&](int depth, const std::string &prefix) {
    std::string value = "x", predicate = "p";
    std::vector<std::string> values;
    for (int i = 0; i < depth; ++i) {
      std::string name = prefix + std::to_string(i);
      op(name, "Switch", {value, predicate});
      writer.add(name + "p", "Switch", {predicate, predicate},
                 {{"T", DType::Bool}});
      writer.add(name + "n", "LogicalNot", {name + "p:1"});
      values.push_back(name);
      value = name + ":1";
      predicate = name + "n";
    }
    op(prefix, "Neg", {value});
    std::string inner = prefix;
    for (int i = depth; i-- > 0;) {
      merge(prefix + "m" + std::to_string(i), values[size_t(i)], inner);
      inner = prefix + "m" + std::to_string(i);
    }
    return inner + ":0";
  };
  EXPECT_THAT(blocks({nested(maxBlockDepth, "a")}), isOk());
  EXPECT_THAT(blocks({nested(maxBlockDepth + 1, "b")}),
              fails(StatusCode::ResourceExhausted, HasSubstr("at most 100")));
}

TEST_F(BlockTest, AFetchThatIsDeadEndsTheRun) {
  op("s", "Switch", {"x", "p"});
  op("a", "Neg", {"s:1"});
  writer.add("sq", "Switch", {"q", "p"}, {{"T", DType::Bool}});
  op("t", "Switch", {"a", "sq:1"});
  op("b", "Abs", {"t:0"});
  op("never", "AddV2", {"s:0", "s:1"});
  expectBlocks({"a:0"}, "s if p:0 {a} {} if p:0 {} {fail 0}");
  // Fetches are numbered by their names; those that are always alive count.
  expectBlocks({"b:0", "a:0", "s:0", "x:0"},
               "s sq if p:0 {a t if q:0 {} {b}} {} if p:0 {} {fail 0} if p:0 "
               "{if q:0 {fail 1} {}} {fail 1} if p:0 {fail 2} {}");
  expectBlocks({"never:0"}, "s never {fail 0}");
}

TEST_F(BlockTest, AMergeInsideOfItsOwnPredicateHasOneWay) {
  op("s", "Switch", {"x", "p"});
  op("a", "Neg", {"s:1"});
  op("t", "Switch", {"a", "p"});
  merge("inner", "t:0", "t:1");
  merge("m", "s:0", "inner");
  expectBlocks({"m:0"}, "s if p:0 {a t inner {}} {}");
}

TEST_F(BlockTest, AConstantComesBeforeWhatABranchGives) {
  op("s", "Switch", {"x", "p"});
  op("a", "Neg", {"s:1"});
  writer.constant("c", Tensor::scalar(1.0f));
  merge("m", "a", "c");
  op("y", "Neg", {"m"});
  expectBlocks({"y:0"}, "s c m {} y if p:0 {a} {}");
  // Where both come as early, nothing says which is taken.
  writer.constant("d", Tensor::scalar(2.0f));
  merge("n", "c", "d");
  EXPECT_THAT(blocks({"n:0"}), fails(StatusCode::InvalidArgument,
                                     HasSubstr("two that may both be")));
}

TEST_F(BlockTest, AFrameThatEndsInItsSecondIterationIsNone) {
  writer.add("gate", "Enter", {"p"},
             {{"T", DType::Bool}, {"frame_name", "loop"}});
  enter("e", "x", false);
  auto looped = [&](std::string pred) {
    std::string end = "_" + pred;
    return std::vector<NodeSpec>{{.name = "m" + end,
                                  .op = "Merge",
                                  .inputs = {"e", "next" + end},
                                  .attrs = {{"T", f32}, {"N", 2}}},
                                 {.name = "s" + end,
                                  .op = "Switch",
                                  .inputs = {"m" + end, pred},
                                  .attrs = {{"T", f32}}},
                                 {.name = "next" + end,
                                  .op = "NextIteration",
                                  .inputs = {"s" + end + ":0"},
                                  .attrs = {{"T", f32}}},
                                 {.name = "exit" + end,
                                  .op = "Exit",
                                  .inputs = {"s" + end + ":0"},
                                  .attrs = {{"T", f32}}}};
  };
  ASSERT_THAT(writer.graph->addNodes(looped("gate")), isOk());
  expectBlocks({"exit_gate:0"}, "gate e m_gate {} s_gate if gate:0 {} "
                                "{next_gate exit_gate} if gate:0 {fail 0} {}");
  // There in every iteration, it would let out the second, too.
  writer.add(
      "always", "Enter", {"p"},
      {{"T", DType::Bool}, {"frame_name", "loop"}, {"is_constant", true}});
  ASSERT_THAT(writer.graph->addNodes(looped("always")), isOk());
  EXPECT_THAT(blocks({"exit_always:0"}),
              AllOf(fails(StatusCode::Unimplemented,
                          HasSubstr("expected loop 'loop' to have a LoopCond")),
                    failsAt("m_always")));
}

TEST_F(BlockTest, AFrameWithoutALoopIsNone) {
  enter("e", "x", false);
  op("twice", "AddV2", {"e", "e"});
  op("exit", "Exit", {"twice"});
  op("y", "Neg", {"exit"});
  expectBlocks({"y:0"}, "e twice exit y");
}

} // namespace
} // namespace kiln
