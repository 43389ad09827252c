// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ops change a TensorList in place, and which take a copy.
#include "lib/Plan/ir/ListUses.h"
#include "lib/Plan/Plan.h"

#include "test/unit/Requests.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

namespace kiln {
namespace {

using testing::isOk;

constexpr DType f32 = DType::Float32, variant = DType::Variant;

class ListUsesTest : public ::testing::Test {
protected:
  ListUsesTest() {
    writer.placeholder("x", f32, {});
    writer.placeholder("p", DType::Bool, {});
    writer.constant("shape", Tensor::scalar<int32_t>(-1));
    writer.constant("limit", Tensor::scalar<int32_t>(-1));
    writer.add("list", "EmptyTensorList", {"shape", "limit"},
               {{"element_dtype", f32}, {"shape_type", DType::Int32}});
  }
  void push(std::string name, std::string list, std::string after = {}) {
    std::vector<NodeInput> inputs = {std::move(list), "x"};
    if (!after.empty())
      inputs.push_back("^" + after);
    writer.add(std::move(name), "TensorListPushBack", std::move(inputs),
               {{"element_dtype", f32}});
  }
  void length(std::string name, std::string list, std::string after = {}) {
    std::vector<NodeInput> inputs = {std::move(list)};
    if (!after.empty())
      inputs.push_back("^" + after);
    writer.add(std::move(name), "TensorListLength", std::move(inputs));
  }
  void flow(std::string name, std::string op, std::vector<NodeInput> inputs,
            AttrMap attrs = {}) {
    attrs.set("T", variant);
    writer.add(std::move(name), std::move(op), std::move(inputs), attrs);
  }

  /// The names of the nodes that change their list in place, sorted.
  std::vector<std::string> inPlace(std::vector<std::string> fetches) {
    auto pruned = testing::pruneNames(*writer.graph, {"x:0", "p:0"}, fetches);
    EXPECT_THAT(pruned, isOk());
    auto made = makeBlocks(*pruned);
    EXPECT_THAT(made, isOk());
    root = *std::move(made);
    uses = findListUses(*root);
    std::vector<std::string> names;
    for (const auto &[block, node] : uses.inPlace)
      names.push_back(node->name());
    std::sort(names.begin(), names.end());
    return names;
  }
  using Names = std::vector<std::string>;

  testing::GraphWriter writer;
  std::unique_ptr<Block> root;
  ListUses uses;
};

TEST_F(ListUsesTest, AChainOfChangesIsOneList) {
  push("a", "list");
  push("b", "a");
  length("n", "b");
  EXPECT_EQ(inPlace({"n:0"}), (Names{"a", "b", "n"}));
}

TEST_F(ListUsesTest, AListThatIsLookedAtLaterIsCopied) {
  push("a", "list");
  push("b", "a");
  length("old", "a", /*after=*/"b");
  length("n", "b");
  EXPECT_EQ(inPlace({"n:0", "old:0"}), (Names{"a", "n", "old"}));
}

TEST_F(ListUsesTest, ALookBeforeTheChangeCostsNothing) {
  push("a", "list");
  length("old", "a");
  push("b", "a", /*after=*/"old");
  length("n", "b");
  EXPECT_EQ(inPlace({"n:0", "old:0"}), (Names{"a", "b", "n"}));
}

TEST_F(ListUsesTest, IdentitiesAreTheSameList) {
  flow("same", "Identity", {"list"});
  push("a", "same");
  length("old", "list", /*after=*/"a");
  EXPECT_EQ(inPlace({"old:0", "a:0"}), (Names{"old"}));
}

TEST_F(ListUsesTest, AListThatIsAddedToItselfIsCopied) {
  writer.add("twice", "AddN", {"list", "list"}, {{"T", variant}, {"N", 2}});
  length("n", "twice");
  EXPECT_EQ(inPlace({"n:0"}), (Names{"n"}));
}

TEST_F(ListUsesTest, AFetchedListIsNeededToTheEnd) {
  push("a", "list");
  length("n", "a");
  EXPECT_EQ(inPlace({"a:0", "n:0"}), (Names{"a"}));
}

// It has no argument for it, by which it could be told that it owns it.
TEST_F(ListUsesTest, ABranchCopiesAListThatItTakesFromAround) {
  flow("s", "Switch", {"list", "p"});
  push("no", "s:0");
  push("yes", "s:1");
  push("more", "yes");
  flow("m", "Merge", {"no", "more"}, {{"N", 2}});
  length("n", "m");
  EXPECT_EQ(inPlace({"n:0"}), (Names{"more", "n"}));
}

// What a loop changes in place is its own: the list, or a copy.
TEST_F(ListUsesTest, ALoopTakesAListThatNobodyNeedsBehindIt) {
  AttrMap outside = {
      {"T", variant}, {"frame_name", "f"}, {"is_constant", false}};
  AttrMap constant = {{"T", f32}, {"frame_name", "f"}, {"is_constant", true}};
  AttrMap list = {{"T", variant}};
  writer.constant("iterations", Tensor::scalar<int32_t>(5));
  AttrMap number = constant;
  number.set("T", DType::Int32);
  std::vector<NodeSpec> specs = {
      {.name = "e", .op = "Enter", .inputs = {"list"}, .attrs = outside},
      {.name = "ex", .op = "Enter", .inputs = {"x"}, .attrs = constant},
      {.name = "k", .op = "Enter", .inputs = {"iterations"}, .attrs = number},
      {.name = "m",
       .op = "Merge",
       .inputs = {"e", "next"},
       .attrs = {{"T", variant}, {"N", 2}}},
      {.name = "length", .op = "TensorListLength", .inputs = {"m"}},
      {.name = "less",
       .op = "Less",
       .inputs = {"length", "k"},
       .attrs = {{"T", DType::Int32}}},
      {.name = "cond", .op = "LoopCond", .inputs = {"less"}},
      {.name = "s", .op = "Switch", .inputs = {"m", "cond"}, .attrs = list},
      {.name = "push",
       .op = "TensorListPushBack",
       .inputs = {"s:1", "ex"},
       .attrs = {{"element_dtype", f32}}},
      {.name = "next",
       .op = "NextIteration",
       .inputs = {"push"},
       .attrs = list},
      {.name = "exit", .op = "Exit", .inputs = {"s:0"}, .attrs = list}};
  ASSERT_THAT(writer.graph->addNodes(std::move(specs)), isOk());
  length("n", "exit");
  EXPECT_EQ(inPlace({"n:0"}), (Names{"n", "push"}));
  EXPECT_EQ(uses.taken.size(), 1u);
  length("old", "list", /*after=*/"n");
  EXPECT_EQ(inPlace({"n:0", "old:0"}), (Names{"n", "old", "push"}));
  EXPECT_EQ(uses.taken.size(), 0u);
}

} // namespace
} // namespace kiln
