// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where runs are cut: which nodes share a part, what crosses, who waits for
// whom.
#include "lib/Plan/cut/CutGraph.h"
#include "lib/Plan/Plan.h"

#include "lib/Plan/cut/CutKind.h"
#include "test/unit/QueueFixture.h"
#include "test/unit/Requests.h"

namespace kiln {
namespace {

using ::testing::ElementsAre;
using testing::isOk;

constexpr DType f32 = DType::Float32;

/// x from a queue; w a variable; y = x * w; step: w += y.
class CutGraphTest : public ::testing::Test {
protected:
  CutGraphTest() {
    writer.placeholder("p", f32, {});
    writer.variable("w", Tensor::scalar(1.0f));
    writer.queue("q", 10, {f32}, {Shape()});
    writer.queue("r", 10, {f32}, {Shape()});
    writer.dequeue("x", "q", {f32});
    writer.binary("y", "Mul", "x", "w/read", f32);
    writer.binary("penalty", "Mul", "w/read", "w/read", f32);
    writer.binary("loss", "AddV2", "y", "penalty", f32);
    writer.binary("step", "AssignAdd", "w", "loss", f32);
    writer.enqueue("put", "q", {"p"}, {f32});
    writer.size("size", "q");
  }
  void binary(std::string name, std::string op, std::string x, std::string y) {
    writer.binary(std::move(name), std::move(op), std::move(x), std::move(y),
                  f32);
  }

  /// Units as text: "x" for an op; for a part its feeds, its nodes without
  /// constants, and its fetches. Checks that the order of units is one.
  std::vector<std::string> cut(std::vector<std::string> feeds,
                               std::vector<std::string> fetches,
                               std::vector<std::string> targets = {}) {
    auto pruned = testing::pruneNames(*writer.graph, feeds, fetches, targets);
    EXPECT_THAT(pruned, isOk());
    auto root = makeBlocks(*pruned);
    EXPECT_THAT(root, isOk());
    EXPECT_TRUE(isCut(**root));
    auto made = cutGraph(**root);
    EXPECT_TRUE(made.ok() && *made) << made.status().toString();
    result = **std::move(made);
    std::vector<std::string> units;
    std::vector<int> before(result.units.size(), 0);
    for (size_t i = 0; i < result.units.size(); ++i) {
      EXPECT_EQ(before[i], result.units[i].numBefore);
      for (int user : result.units[i].users) {
        EXPECT_GT(user, static_cast<int>(i));
        ++before[static_cast<size_t>(user)];
      }
      units.push_back(describe(result.units[i]));
    }
    return units;
  }
  static std::string describe(const CutUnit &unit) {
    if (unit.region)
      return unit.name + describe(unit.region->first) +
             describe(unit.region->second);
    if (unit.node)
      return unit.node->name();
    std::string text = "(";
    for (const Output &feed : unit.part->args)
      text += feed.name() + " ";
    text += "|" + describe(*unit.part, *unit.part) + " |";
    for (const PlanValue &fetch : unit.part->results)
      text += " " + fetch.output().name();
    return text + ")";
  }
  static std::string describe(const CutGraph &block) {
    std::string text = " {";
    for (const Output &feed : block.feeds)
      text += feed.name() + " ";
    text += "|";
    for (const CutUnit &unit : block.units)
      text += " " + describe(unit);
    return text + "}";
  }
  static std::string describe(const Block &block, const Block &root) {
    std::string text;
    for (const Item &item : block.items) {
      bool isDone =
          std::count(root.done.begin(), root.done.end(), item.node) != 0;
      if (item.first)
        text +=
            " [" + item.first->path.name + describe(*item.first, root) + "]";
      else if (item.node->op() != "Const")
        text += (isDone ? " ^" : " ") + item.node->name();
    }
    return text;
  }

  testing::QueueWriter writer;
  CutGraph result;
};

TEST_F(CutGraphTest, TrainingStepBehindADequeueIsOnePart) {
  EXPECT_THAT(cut({}, {"loss:0"}, {"step"}),
              ElementsAre("x", "(x:0 | w w/read y penalty loss step | "
                               "loss:0)"));
}

TEST_F(CutGraphTest, EnqueueOfAFeedAndDequeueNeedNoPart) {
  EXPECT_THAT(cut({"p:0"}, {}, {"put"}), ElementsAre("put"));
  EXPECT_THAT(cut({}, {"x:0"}), ElementsAre("x"));
  EXPECT_EQ(result.values.size(), 1u);
}

TEST_F(CutGraphTest, WhatAnOpNeedsComesInAPartBeforeIt) {
  binary("double", "AddV2", "p", "p");
  writer.enqueue("putDouble", "q", {"double"}, {f32});
  EXPECT_THAT(cut({"p:0"}, {}, {"putDouble"}),
              ElementsAre("(p:0 | double | double:0)", "putDouble"));
}

TEST_F(CutGraphTest, OpThatNothingWaitsForDelaysNoPart) {
  EXPECT_THAT(cut({"p:0"}, {"loss:0", "size:0"}, {"put"}),
              ElementsAre("x", "put", "size",
                          "(x:0 | w w/read y penalty loss | loss:0)"));
  EXPECT_TRUE(result.units[1].users.empty());
  EXPECT_EQ(result.units[3].numBefore, 1);
}

TEST_F(CutGraphTest, GroupOfTargetsIsNoReasonToWait) {
  writer.add("group", "NoOp", {"^step", "^put"});
  EXPECT_THAT(
      cut({"p:0"}, {}, {"group"}),
      ElementsAre("x", "put", "(x:0 | w w/read y penalty loss step |)"));
  EXPECT_EQ(result.units[2].numBefore, 1);
}

TEST_F(CutGraphTest, TwoUnorderedOpsMayEndInAnyOrder) {
  writer.dequeue("z", "r", {f32});
  binary("sum", "AddV2", "x", "z");
  EXPECT_THAT(cut({}, {"sum:0"}),
              ElementsAre("x", "z", "(x:0 z:0 | sum | sum:0)"));
  EXPECT_EQ(result.units[1].numBefore, 0);
  EXPECT_EQ(result.units[2].numBefore, 2);
}

TEST_F(CutGraphTest, EffectThatWaitsForOneOpDoesNotWaitForAnother) {
  writer.dequeue("z", "r", {f32});
  binary("sum", "AddV2", "x", "z");
  EXPECT_THAT(cut({}, {"sum:0"}, {"step"}),
              ElementsAre("x", "z", "(x:0 | w w/read y penalty loss step |)",
                          "(x:0 z:0 | sum | sum:0)"));
  EXPECT_EQ(result.units[2].numBefore, 1);
}

TEST_F(CutGraphTest, ControlEdgesCount) {
  writer.add("after", "Identity", {"w/read", "^put"}, {{"T", f32}});
  binary("late", "AddV2", "after", "after");
  EXPECT_THAT(cut({"p:0"}, {"late:0"}),
              ElementsAre("put", "(| w w/read after late | late:0)"));
  EXPECT_EQ(result.units[1].numBefore, 1);
}

TEST_F(CutGraphTest, AssignmentsOutputIsAViewInLaterParts) {
  binary("early", "AssignAdd", "w", "p");
  writer.add("passed", "Identity", {"x", "^early"}, {{"T", f32}});
  binary("late", "Mul", "passed", "early");
  EXPECT_THAT(cut({"p:0"}, {"late:0"}),
              ElementsAre("(p:0 | w early |)", "x",
                          "(x:0 | w ^early passed late | late:0)"));
}

TEST_F(CutGraphTest, ReadsComeBeforeAnEarlierPartsWriteWithoutAnEdge) {
  binary("early", "AssignAdd", "w", "p");
  EXPECT_THAT(cut({"p:0"}, {"penalty:0", "y:0"}, {"early"}),
              ElementsAre("(p:0 | w w/read penalty early | penalty:0)", "x",
                          "(x:0 | w w/read y | y:0)"));
}

TEST_F(CutGraphTest, ViewForAnOpIsReadBeforeIt) {
  writer.enqueue("putW", "r", {"w/read"}, {f32});
  EXPECT_THAT(cut({}, {"loss:0"}, {"putW"}),
              ElementsAre("(| w w/read | w/read:0)", "x", "putW",
                          "(x:0 | w w/read y penalty loss | loss:0)"));
}

TEST_F(CutGraphTest, ShapesAreArithmeticInEveryPart) {
  writer.placeholder("m", f32, {-1, 3});
  writer.add("shape", "Shape", {"m"}, {{"T", f32}});
  writer.add("flat", "Reshape", {"m", "shape"}, {{"T", f32}});
  writer.enqueue("putFlat", "r", {"flat"}, {f32});
  writer.add("again", "Reshape", {"m", "shape", "^putFlat"}, {{"T", f32}});
  EXPECT_THAT(cut({"m:0"}, {"again:0"}),
              ElementsAre("(m:0 | shape flat | flat:0)", "putFlat",
                          "(m:0 | shape again | again:0)"));
}

TEST_F(CutGraphTest, RandomDrawsHappenOnce) {
  writer.constant("dims", testing::tensorOf<int32_t>({1}, {2}));
  writer.add("draw", "RandomUniform", {"dims"},
             {{"dtype", f32}, {"T", DType::Int32}});
  writer.enqueue("putDraw", "r", {"draw"}, {f32});
  writer.add("same", "Neg", {"draw", "^putDraw"}, {{"T", f32}});
  EXPECT_THAT(cut({}, {"same:0"}), ElementsAre("(| draw | draw:0)", "putDraw",
                                               "(draw:0 | same | same:0)"));
  EXPECT_EQ(result.values[0].numUses, 2);
}

TEST_F(CutGraphTest, BehindATensorItIsFed) {
  writer.add("n", "Cast", {"p"}, {{"SrcT", f32}, {"DstT", DType::Int32}});
  writer.add("rows", "Shape", {"p"}, {{"T", f32}});
  writer.add("filled", "Fill", {"n", "p"}, {{"T", f32}});
  binary("more", "AddV2", "filled", "w/read");
  binary("early", "AssignAdd", "w", "p");
  auto pruned = testing::pruneNames(*writer.graph, {"p:0"},
                                    {"more:0", "rows:0"}, {"early"});
  ASSERT_THAT(pruned, isOk());
  auto root = makeBlocks(*pruned);
  ASSERT_THAT(root, isOk());
  auto behind = cutBehind(**root, {{writer.graph->lookup("n"), 0}});
  ASSERT_THAT(behind, isOk());
  ASSERT_EQ(behind->units.size(), 2u);
  EXPECT_EQ(describe(behind->units[0]), "(p:0 | w n early | n:0)");
  EXPECT_EQ(describe(behind->units[1]),
            "(n:0 p:0 | w w/read rows filled more | more:0 rows:0)");
  EXPECT_EQ(behind->units[1].numBefore, 1);
  EXPECT_FALSE(cutBehind(**root, {{writer.graph->lookup("w"), 0}}).ok());
}

TEST_F(CutGraphTest, ABranchWithAQueueIsCutItself) {
  writer.placeholder("b", DType::Bool, {});
  writer.add("q/switch", "Switch", {"q", "b"}, {{"T", DType::Resource}});
  writer.add("p/switch", "Switch", {"p", "b"}, {{"T", f32}});
  writer.dequeue("branch", "q/switch:1", {f32});
  writer.add("penalty/switch", "Switch", {"penalty", "b"}, {{"T", f32}});
  binary("twice", "AddV2", "branch", "penalty/switch:1");
  binary("other", "Mul", "p/switch", "p/switch");
  writer.add("merge", "Merge", {"other", "twice"}, {{"T", f32}, {"N", 2}});
  binary("behind", "AddV2", "merge", "w/read");
  EXPECT_THAT(
      cut({"b:0", "p:0"}, {"behind:0"}, {"step"}),
      ElementsAre("(p:0 b:0 | w w/read penalty p/switch penalty/switch | "
                  "penalty:0 penalty/switch:1 p/switch:0)",
                  "x",
                  "merge {penalty/switch:1 | branch (branch:0 penalty/switch:1 "
                  "| twice | twice:0)} {p/switch:0 | (p/switch:0 | other | "
                  "other:0)}",
                  "(x:0 penalty:0 | w w/read y loss step |)",
                  "(merge:0 | w w/read behind | behind:0)"));
  // The branch does not wait for the step, nor the step for the branch.
  EXPECT_EQ(result.units[2].numBefore, 1);
  EXPECT_EQ(result.units[3].numBefore, 2);
}

TEST_F(CutGraphTest, FeedsThatComeLaterWaitForNothing) {
  binary("scaled", "Mul", "p", "penalty");
  auto pruned = testing::pruneNames(*writer.graph, {"p:0"},
                                    {"penalty:0", "scaled:0"}, {});
  ASSERT_THAT(pruned, isOk());
  auto root = makeBlocks(*pruned);
  ASSERT_THAT(root, isOk());
  auto steps = cutIntoSteps(**root);
  ASSERT_THAT(steps, isOk());
  ASSERT_EQ(steps->units.size(), 3u);
  // What needs no feed, the feed, what needs both.
  EXPECT_EQ(describe(steps->units[0]), "(| w w/read penalty | penalty:0)");
  EXPECT_EQ(steps->units[1].feed, 0);
  EXPECT_EQ(steps->units[1].numBefore, 0);
  EXPECT_EQ(describe(steps->units[2]), "(p:0 penalty:0 | scaled | scaled:0)");
  EXPECT_EQ(steps->units[2].numBefore, 2);
}

} // namespace
} // namespace kiln
