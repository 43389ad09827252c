// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists whose elements have different ranks: what is read has the rank of a
// known element, or one that is guessed and checked in the run.
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

namespace kiln {
namespace {

using ::testing::AllOf;
using testing::fails;
using testing::failsAt;
using ::testing::HasSubstr;
using testing::isOk;

constexpr DType f32 = DType::Float32, i32 = DType::Int32;

/// A list of a scalar and a vector; item: its element i, further: element
/// int(where).
struct ListRanksTest : ::testing::TestWithParam<ExecutionMode> {
  ListRanksTest() {
    testing::GraphWriter writer;
    writer.constant("shape", Tensor::scalar<int32_t>(-1));
    writer.constant("limit", Tensor::scalar<int32_t>(-1));
    writer.constant("scalar", Tensor::scalar(5.0f));
    writer.constant("vector", testing::tensorOf<float>({2}, {6, 7}));
    writer.placeholder("i", i32, {});
    writer.placeholder("where", f32, {});
    writer.add("list", "EmptyTensorList", {"shape", "limit"},
               {{"element_dtype", f32}, {"shape_type", i32}});
    for (auto [name, list, value] :
         {std::array{"one", "list", "scalar"}, {"two", "one", "vector"}})
      writer.add(name, "TensorListPushBack", {list, value},
                 {{"element_dtype", f32}});
    writer.add("place", "Cast", {"where"}, {{"SrcT", f32}, {"DstT", i32}});
    for (auto [name, index] : {std::array{"item", "i"}, {"further", "place"}}) {
      writer.add(name, "TensorListGetItem", {"two", index, "shape"},
                 {{"element_dtype", f32}});
      writer.add(std::string(name) + "/sum", "Softmax", {name}, {{"T", f32}});
    }
    session = testing::openSession(writer.graph, GetParam());
  }
  StatusOr<std::vector<Tensor>> run(std::string feed, Tensor value,
                                    std::string fetch) {
    return session->run({{feed + ":0", value}}, {fetch + ":0"});
  }

  std::unique_ptr<Session> session;
};

// Each index is a signature of its own.
TEST_P(ListRanksTest, AFedIndexSaysTheRank) {
  auto scalar = run("i", Tensor::scalar<int32_t>(0), "item");
  ASSERT_THAT(scalar, isOk());
  EXPECT_EQ((*scalar)[0].shape(), Shape());
  auto vector = run("i", Tensor::scalar<int32_t>(1), "item");
  ASSERT_THAT(vector, isOk());
  EXPECT_EQ(testing::valuesOf<float>((*vector)[0]), (std::vector<float>{6, 7}));
}

TEST_P(ListRanksTest, ARankThatTheRunKnowsIsThatOfTheFirst) {
  auto scalar = run("where", Tensor::scalar(0.0f), "further");
  ASSERT_THAT(scalar, isOk());
  EXPECT_EQ(testing::valuesOf<float>((*scalar)[0]), (std::vector<float>{5}));
  EXPECT_THAT(run("where", Tensor::scalar(1.0f), "further"),
              AllOf(fails(StatusCode::Unimplemented,
                          HasSubstr("expected a result of shape [], got [2]")),
                    failsAt("further")));
}

// Not with an error that TensorFlow would not have: the run is cut behind the
// index.
TEST_P(ListRanksTest, AGuessThatLeadsNowhereIsGivenUp) {
  auto vector = run("where", Tensor::scalar(1.0f), "further/sum");
  ASSERT_THAT(vector, isOk());
  ASSERT_EQ((*vector)[0].shape(), Shape({2}));
  EXPECT_NEAR(testing::valuesOf<float>((*vector)[0])[1], 0.7310586f, 1e-6f);
}

INSTANTIATE_TEST_SUITE_P(Modes, ListRanksTest,
                         ::testing::Values(ExecutionMode::NativeOnly,
                                           ExecutionMode::EvaluatorOnly));

} // namespace
} // namespace kiln
