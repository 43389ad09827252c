// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that the run finds out: any number may come, -1 for the rest too, and
// nothing reads or writes by one before it is checked.
#include "kiln/BuildOps.h"
#include "kiln/ControlFlow.h"
#include "kiln/GraphBuilder.h"
#include "kiln/GraphScopes.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

namespace kiln {
namespace {

using ::testing::ElementsAre;
using testing::fails;
using ::testing::HasSubstr;
using testing::tensorOf;
using testing::valuesOf;

constexpr DType f32 = DType::Float32;
constexpr auto invalid = StatusCode::InvalidArgument;

/// x is [?, ?]; a and b are numbers that are computed of y [2].
class FoundSizes : public ::testing::TestWithParam<ExecutionMode> {
protected:
  StatusOr<Tensor> run(const Output &fetch, const Tensor &value, float first,
                       float second = 0) {
    if (!session)
      session = testing::openSession(graph.graph(), GetParam());
    std::vector<Feed> feeds = {{"x:0", value},
                               {"y:0", tensorOf<float>({2}, {first, second})}};
    return testing::runThrice(*session, feeds, fetch.name());
  }
  Shape shapeOf(const Output &fetch, const Tensor &value, float first,
                float second = 0) {
    auto result = run(fetch, value, first, second);
    EXPECT_EQ(result.status(), okStatus());
    return result.ok() ? result->shape() : Shape({-7});
  }

  GraphBuilder graph;
  GraphScope scope{graph};
  Output x = ops::placeholder(f32, {-1, -1}, {.name = "x"});
  Output y = ops::placeholder(f32, {2}, {.name = "y"});
  Output a = ops::cast(y[0], DType::Int32), b = ops::cast(y[1], DType::Int32);
  std::unique_ptr<Session> session;
};

TEST_P(FoundSizes, OneOfAReshapeMayBeTheRest) {
  Output one = ops::reshape(x, ops::stack({a, 2}));
  Output both = ops::reshape(x, ops::stack({a, b}));
  Tensor m = testing::countingMatrix(3, 4);
  EXPECT_EQ(shapeOf(one, m, 6), Shape({6, 2}));
  EXPECT_EQ(shapeOf(one, m, -1), Shape({6, 2}));
  EXPECT_EQ(shapeOf(both, m, -1, 4), Shape({3, 4}));
  EXPECT_EQ(shapeOf(both, m, 2, -1), Shape({2, 6}));
  EXPECT_EQ(shapeOf(both, m, 12, 1), Shape({12, 1}));
  // No 0 is counted.
  EXPECT_EQ(shapeOf(both, testing::countingMatrix(0, 4), 0, -1), Shape({0, 4}));
  EXPECT_THAT(run(one, m, 5),
              fails(invalid, HasSubstr("12 values, but the "
                                       "requested shape has 10")));
  EXPECT_THAT(run(one, testing::countingMatrix(3, 3), -1),
              fails(invalid, HasSubstr("requires a multiple of 2")));
  EXPECT_THAT(run(one, m, -7),
              fails(invalid, HasSubstr("Size 0 must be non-negative, not -7")));
  EXPECT_THAT(run(both, m, -1, -1),
              fails(invalid, HasSubstr("not both 0 and 1")));
  EXPECT_THAT(run(ops::reshape(x, ops::stack({-1, a})), m, -1),
              fails(invalid, HasSubstr("not both 0 and 1")));
}

TEST_P(FoundSizes, TheRestOfNoneIsCountedWithoutZeros) {
  Output rest = ops::reshape(x[sliceTo(0)], ops::stack({a, -1}));
  EXPECT_EQ(shapeOf(rest, testing::countingMatrix(2, 3), 0), Shape({0, 3}));
}

TEST_P(FoundSizes, OneOfASplitMayBeTheRest) {
  std::vector<Output> parts =
      ops::splitBySizes(x, ops::stack({a, 1}), {.axis = 1});
  Tensor m = testing::countingMatrix(2, 4);
  EXPECT_EQ(shapeOf(parts[0], m, -1), Shape({2, 3}));
  EXPECT_EQ(shapeOf(parts[0], m, 3), Shape({2, 3}));
  EXPECT_EQ(shapeOf(parts[1], m, -1), Shape({2, 1}));
  EXPECT_THAT(run(parts[0], m, 2),
              fails(invalid, HasSubstr("Determined shape")));
}

TEST_P(FoundSizes, BroadcastNeitherMakesOneOfThreeNorOfNone) {
  Output wide = ops::broadcastTo(x, ops::stack({a, 2}));
  EXPECT_EQ(shapeOf(wide, testing::countingMatrix(1, 2), 3), Shape({3, 2}));
  EXPECT_EQ(shapeOf(wide, testing::countingMatrix(1, 2), 0), Shape({0, 2}));
  for (int64_t rows : {0, 2, 3})
    EXPECT_EQ(run(wide, testing::countingMatrix(rows, 2), 1).status().code(),
              invalid)
        << rows;
}

// What the found sizes must be says how large the feed is, but no sooner than
// its guards have been looked at.
TEST_P(FoundSizes, AFeedIsNotReadByASizeThatIsNotChecked) {
  Output flat = ops::placeholder(f32, {-1}, {.name = "flat"});
  Output before = ops::cumsum(flat, 0);
  ControlScope behind({before});
  Output sum = ops::addN(
      {ops::reshape(flat, ops::stack({a, b})), ops::zeros({8000, 8000})});
  Output all = ops::reduceSum(sum) + ops::reduceSum(before);
  session = testing::openSession(graph.graph(), GetParam());
  for (int i = 0; i < 3; ++i)
    EXPECT_THAT(session
                    ->run({{"flat:0", tensorOf<float>({6}, {0, 1, 2, 3, 4, 5})},
                           {"y:0", tensorOf<float>({2}, {2, 3})}},
                          {all.name()})
                    .status(),
                fails(invalid, HasSubstr("[2,3] != input 1: [8000,8000]")));
}

// n / 2 = n and n = 3 hold in no run.
TEST_P(FoundSizes, EqualitiesThatContradictThemselvesAreAnError) {
  Output v = ops::reshape(x, {-1});
  Output half = v[sliceTo(ops::floorDiv(ops::size(v), 2))];
  Output sum = ops::ensureShape(ops::addN({half, v}), {3});
  EXPECT_EQ(run(sum, testing::countingMatrix(3, 1), 0).status().code(),
            invalid);
  EXPECT_EQ(run(sum, testing::countingMatrix(0, 1), 0).status().code(),
            invalid);
}

// That x is added to what is wider says that it has one column: of nine of them
// no code is made, and they are an error where a run comes to them.
TEST_P(FoundSizes, ALaterNodeMayMakeANumberOfAnExtent) {
  Output wide = ops::placeholder(f32, {-1, -1}, {.name = "wide"});
  Output p = ops::placeholder(DType::Bool, {}, {.name = "p"});
  auto nine = [&] { return ops::slice(x, {0, 0}, {1, 9}); };
  Output always = nine();
  Output maybe = ops::cond(
      p, [&] { return ops::reduceSum(nine()); }, [&] { return x[{0, 0}]; })[0];
  Output sum = x + wide;
  session = testing::openSession(graph.graph(), GetParam());
  auto request = [&](const Output &fetch, int64_t columns, bool taken) {
    return session
        ->run({{"x:0", testing::countingMatrix(1, columns)},
               {"wide:0", testing::countingMatrix(1, 9)},
               {"p:0", Tensor::scalar(taken)}},
              {fetch.name(), sum.name()})
        .status();
  };
  auto isRefused = fails(invalid, HasSubstr("size[1] in [0, 1], but got 9"));
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(request(always, 1, false), isRefused);
    EXPECT_EQ(request(maybe, 1, false), okStatus());
    EXPECT_THAT(request(maybe, 1, true), isRefused);
    EXPECT_EQ(request(always, 9, false), okStatus());
    EXPECT_EQ(request(maybe, 9, true), okStatus());
  }
}

TEST_P(FoundSizes, ASizeThatWasCheckedIsAStep) {
  Output filled = ops::fill(ops::stack({2, a}), 1.0);
  Output range = ops::rangeFrom(0, 6, ops::shape(filled)[1]);
  auto result = run(range, testing::countingMatrix(1, 1), 3);
  ASSERT_EQ(result.status(), okStatus());
  EXPECT_THAT(valuesOf<int32_t>(*result), ElementsAre(0, 3));
}

TEST_P(FoundSizes, ARangeByAStepOfEitherSign) {
  Output counted = ops::range(a, b, ops::shape(x)[0] - 3);
  EXPECT_EQ(shapeOf(counted, testing::countingMatrix(5, 1), 0, 7), Shape({4}));
  EXPECT_EQ(shapeOf(counted, testing::countingMatrix(1, 1), 7, 0), Shape({4}));
  EXPECT_EQ(shapeOf(counted, testing::countingMatrix(2, 1), 3, 3), Shape({0}));
  auto down = run(counted, testing::countingMatrix(1, 1), 7, 2);
  ASSERT_EQ(down.status(), okStatus());
  EXPECT_THAT(valuesOf<int32_t>(*down), ElementsAre(7, 5, 3));
  EXPECT_THAT(run(counted, testing::countingMatrix(1, 1), 0, 7),
              fails(invalid, HasSubstr("Requires start")));
  EXPECT_THAT(run(counted, testing::countingMatrix(3, 1), 0, 7),
              fails(invalid, HasSubstr("Requires delta != 0")));
}

TEST_P(FoundSizes, MoreElementsThanCanBeCounted) {
  Output sizes = ops::cast(ops::stack({y[0], y[1], y[0]}), DType::Int64);
  Output sum = ops::reduceSum(ops::fill(sizes, 1.0f) + x[{0, 0}]);
  Tensor m = testing::countingMatrix(1, 1);
  EXPECT_EQ(shapeOf(sum, m, 3, 2), Shape());
  for (auto [first, second] : {std::pair(0x1p31f, 4.0f), {0x1p31f, 0x1p31f}})
    EXPECT_THAT(run(sum, m, first, second),
                fails(invalid, HasSubstr("does not fit 64 bits")));
}

// The mean asks for the largest of 1 and a size that inference has met at the
// node behind it.
TEST_P(FoundSizes, OfWhichALaterNodeGivesTheProduct) {
  Output rows = ops::gather(x, ops::reshape(ops::where(y > 0.0f), {-1}));
  Output mean = ops::reduceMean(ops::cast(rows, DType::Int32), {0, 1});
  Output both = mean * 100 + ops::size(rows);
  auto given = run(both, testing::countingMatrix(2, 3), 1, 1);
  ASSERT_EQ(given.status(), okStatus());
  EXPECT_EQ(valuesOf<int32_t>(*given)[0] % 100, 6);
}

TEST_P(FoundSizes, AsNumbersOfFewBits) {
  auto narrow = [&](DType dtype) {
    return ops::cast(ops::cast(ops::shape(x)[0], dtype), DType::Int32);
  };
  Output bytes = ops::zeros(ops::stack({narrow(DType::UInt8)})),
         shorts = narrow(DType::Int8);
  EXPECT_EQ(shapeOf(bytes, testing::countingMatrix(300, 1), 0), Shape({44}));
  auto wrapped = run(shorts, testing::countingMatrix(200, 1), 0);
  ASSERT_EQ(wrapped.status(), okStatus());
  EXPECT_THAT(valuesOf<int32_t>(*wrapped), ElementsAre(-56));
}

INSTANTIATE_TEST_SUITE_P(Modes, FoundSizes,
                         ::testing::Values(ExecutionMode::Auto,
                                           ExecutionMode::NativeOnly,
                                           ExecutionMode::EvaluatorOnly),
                         testing::modeName);

} // namespace
} // namespace kiln
