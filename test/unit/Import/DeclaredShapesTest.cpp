// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes that a graph declares: merged with inferred ones, and taken for those
// of values that only the run finds out.
#include "kiln/Session.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

namespace kiln {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::fails;
using testing::failsAt;
using testing::GraphWriter;
using testing::isOk;
using testing::tensorOf;
using testing::valuesOf;

constexpr DType f32 = DType::Float32, i32 = DType::Int32;

AttrMap identityOf(std::vector<Shape> shapes) {
  return {{"T", f32}, {"_output_shapes", std::move(shapes)}};
}

TEST(DeclaredShapes, NarrowWhatIsInferredThereAndBehind) {
  GraphWriter writer;
  writer.placeholder("x", f32, {2, -1});
  writer.add("narrow", "Identity", {"x"}, identityOf({Shape({-1, 3})}));
  writer.add("wide", "Identity", {"narrow"},
             identityOf({Shape::unknownRank()}));
  // TensorFlow ignores what is too much.
  writer.add("more", "Identity", {"x"}, identityOf({Shape({2, 4}), Shape()}));
  auto shapeOf = [&](std::string_view name) {
    return writer.graph->lookup(name)->outputShape(0);
  };
  EXPECT_EQ(shapeOf("narrow"), Shape({2, 3}));
  EXPECT_EQ(shapeOf("wide"), Shape({2, 3}));
  EXPECT_EQ(shapeOf("more"), Shape({2, 4}));
}

TEST(DeclaredShapes, SayNothingWhereTheyContradictOrLack) {
  GraphWriter writer;
  writer.placeholder("x", f32, {2, -1});
  for (std::vector<Shape> shapes :
       {std::vector<Shape>{Shape({3, 4})}, {Shape({2})}, {}}) {
    std::string name = "y" + std::to_string(writer.graph->numNodes());
    writer.add(name, "Identity", {"x"}, identityOf(shapes));
    EXPECT_EQ(writer.graph->lookup(name)->outputShape(0), Shape({2, -1}));
  }
}

class DeclaredRanks : public ::testing::TestWithParam<ExecutionMode> {
protected:
  /// Reshapes x, of six elements, to what is different in v.
  static std::unique_ptr<Session> reshape(Shape ofTarget, Shape ofResult) {
    GraphWriter writer;
    writer.placeholder("x", f32, {6});
    writer.placeholder("v", i32, {-1});
    writer.add("target", "Unique", {"v"},
               {{"T", i32},
                {"out_idx", i32},
                {"_output_shapes", std::vector<Shape>{ofTarget, Shape({-1})}}});
    writer.add("shaped", "Reshape", {"x", "target"},
               {{"T", f32},
                {"Tshape", i32},
                {"_output_shapes", std::vector<Shape>{ofResult}}});
    writer.binary("sum", "AddV2", "shaped", "shaped", f32);
    return testing::openSession(writer.graph, GetParam());
  }
  static StatusOr<std::vector<Tensor>> run(Session &session,
                                           std::vector<int32_t> v) {
    const Shape shape({static_cast<int64_t>(v.size())});
    return session.run({{"x:0", tensorOf<float>({6}, {1, 2, 3, 4, 5, 6})},
                        {"v:0", tensorOf<int32_t>(shape, std::move(v))}},
                       {"sum:0"});
  }
};
INSTANTIATE_TEST_SUITE_P(Modes, DeclaredRanks,
                         ::testing::Values(ExecutionMode::NativeOnly,
                                           ExecutionMode::EvaluatorOnly),
                         testing::modeName);

TEST_P(DeclaredRanks, AreThoseOfComputedShapes) {
  for (auto [ofTarget, ofResult] :
       {std::pair(Shape({-1}), Shape({-1, -1})),
        std::pair(Shape({2}), Shape::unknownRank())}) {
    auto session = reshape(ofTarget, ofResult);
    for (std::vector<int32_t> v : {std::vector<int32_t>{3, 2, 3}, {1, 6}}) {
      auto sum = run(*session, v);
      ASSERT_THAT(sum, isOk());
      EXPECT_EQ((*sum)[0].shape(), Shape({v[0], v[1]}));
      EXPECT_THAT(valuesOf<float>((*sum)[0]), ElementsAre(2, 4, 6, 8, 10, 12));
    }
  }
}

TEST_P(DeclaredRanks, AreCheckedWhereTheyAreTaken) {
  auto session = reshape(Shape({2}), Shape::unknownRank());
  auto ofRank = [](int rank) {
    return AllOf(
        fails(StatusCode::InvalidArgument,
              "Shape must be rank 2 but is rank " + std::to_string(rank)),
        failsAt("shaped"));
  };
  EXPECT_THAT(run(*session, {3, 2, 1}).status(), ofRank(3));
  EXPECT_THAT(run(*session, {6}).status(), ofRank(1));
  EXPECT_THAT(run(*session, {6, 1}), isOk());
}

} // namespace
} // namespace kiln
