// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Optionals and lists of them as the tensors in them, and their limits.
#include "lib/Plan/Plan.h"
#include "lib/Plan/transforms/OptionalValue.h"

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

constexpr DType variant = DType::Variant;

class OptionalsTest : public ::testing::Test {
protected:
  OptionalsTest() {
    writer.placeholder("x", DType::Float32, {});
    writer.constant("shape", Tensor::scalar<int32_t>(-1));
    writer.constant("limit", Tensor::scalar<int32_t>(-1));
    writer.add("list", "EmptyTensorList", {"shape", "limit"},
               {{"element_dtype", variant}, {"shape_type", DType::Int32}});
  }
  void some(std::string name, std::vector<NodeInput> inputs,
            std::vector<DType> types) {
    writer.add(std::move(name), "OptionalFromValue", std::move(inputs),
               {{"Toutput_types", std::move(types)}});
  }
  void get(std::string name, std::string optional, DType type) {
    writer.add(std::move(name), "OptionalGetValue", {std::move(optional)},
               {{"output_types", std::vector<DType>{type}},
                {"output_shapes", std::vector<Shape>{Shape::unknownRank()}}});
  }
  void push(std::string name, std::string list, std::string value) {
    writer.add(std::move(name), "TensorListPushBack",
               {std::move(list), std::move(value)},
               {{"element_dtype", variant}});
  }
  void pop(std::string name, std::string list) {
    writer.add(std::move(name), "TensorListPopBack", {std::move(list), "shape"},
               {{"element_dtype", variant}});
  }
  StatusOr<std::unique_ptr<Block>> blocks(std::string fetch) {
    auto pruned =
        testing::pruneNames(*writer.graph, {"x:0"}, {std::move(fetch)});
    if (!pruned.ok())
      return pruned.status();
    return makeBlocks(*pruned);
  }
  /// `name` with a number, each an optional of the one before, the first of x.
  std::string chain(int length) {
    some("chain0", {"x"}, {DType::Float32});
    for (int i = 1; i < length; ++i)
      some("chain" + std::to_string(i), {"chain" + std::to_string(i - 1)},
           {variant});
    std::string last = "chain" + std::to_string(length - 1);
    for (int i = 1; i < length; ++i) {
      get("get" + std::to_string(i), last, variant);
      last = "get" + std::to_string(i);
    }
    get("y", last, DType::Float32);
    return "y:0";
  }

  testing::GraphWriter writer;
};

TEST_F(OptionalsTest, DepthIsBounded) {
  EXPECT_THAT(blocks(chain(maxOptionalDepth)), isOk());
}

TEST_F(OptionalsTest, DepthBeyondTheLimitFails) {
  EXPECT_THAT(blocks(chain(maxOptionalDepth + 1)),
              fails(StatusCode::ResourceExhausted,
                    HasSubstr("expected optionals at most 100 deep")));
}

TEST_F(OptionalsTest, NumberOfTensorsIsBounded) {
  // Twice as many each time.
  some("two0", {"x", "x"}, {DType::Float32, DType::Float32});
  for (int i = 1; i < 12; ++i) {
    std::string before = "two" + std::to_string(i - 1);
    some("two" + std::to_string(i), {before, before}, {variant, variant});
  }
  writer.add("y", "OptionalGetValue", {"two11"},
             {{"output_types", std::vector<DType>{variant, variant}},
              {"output_shapes", std::vector<Shape>{Shape::unknownRank(),
                                                   Shape::unknownRank()}}});
  EXPECT_THAT(blocks("y:0"), AllOf(fails(StatusCode::ResourceExhausted,
                                         HasSubstr("at most 1000 tensors")),
                                   failsAt("two8")));
}

TEST_F(OptionalsTest, AListThatIsInItselfFails) {
  some("inside", {"list"}, {variant});
  push("longer", "list", "inside");
  pop("last", "longer");
  get("y", "last:1", variant);
  EXPECT_THAT(blocks("y:0"), AllOf(fails(StatusCode::ResourceExhausted,
                                         HasSubstr("deep in one another")),
                                   failsAt("list")));
}

TEST_F(OptionalsTest, AListOfOptionalsIsAListOfEachTensor) {
  some("pair", {"x", "x"}, {DType::Float32, DType::Float32});
  push("longer", "list", "pair");
  pop("last", "longer");
  writer.add(
      "y", "OptionalGetValue", {"last:1"},
      {{"output_types", std::vector<DType>{DType::Float32, DType::Float32}},
       {"output_shapes",
        std::vector<Shape>{Shape::unknownRank(), Shape::unknownRank()}}});
  auto root = blocks("y:0");
  ASSERT_THAT(root, isOk());
  int pushes = 0;
  for (const Item &item : (*root)->items)
    if (item.kind == Item::Kind::Call && item.node->name() == "longer")
      for (const Item &inner : item.first->items)
        pushes += inner.node->op() == "TensorListPushBack";
  // One more for whether there is a value.
  EXPECT_EQ(pushes, 3);
}

TEST_F(OptionalsTest, WithoutAValueAnElementIsFilled) {
  some("one", {"x"}, {DType::Float32});
  writer.add("none", "OptionalNone", {});
  push("longer", "list", "one");
  push("longest", "longer", "none");
  pop("last", "longest");
  get("y", "last:1", DType::Float32);
  EXPECT_THAT(blocks("y:0"), isOk());
}

TEST_F(OptionalsTest, NothingFillsAListInAList) {
  some("one", {"list"}, {variant});
  writer.add("none", "OptionalNone", {});
  writer.add("outer", "EmptyTensorList", {"shape", "limit"},
             {{"element_dtype", variant}, {"shape_type", DType::Int32}});
  push("longer", "outer", "one");
  push("longest", "longer", "none");
  pop("last", "longest");
  get("y", "last:1", variant);
  EXPECT_THAT(blocks("y:0"),
              AllOf(fails(StatusCode::Unimplemented,
                          HasSubstr("cannot be pushed to a list")),
                    failsAt("longest")));
}

TEST_F(OptionalsTest, WhatIsTakenOutMustFit) {
  some("one", {"x"}, {DType::Float32});
  get("y", "one", DType::Int32);
  EXPECT_THAT(blocks("y:0"),
              AllOf(fails(StatusCode::InvalidArgument,
                          HasSubstr("does not match the expected type")),
                    failsAt("y")));
}

} // namespace
} // namespace kiln
