// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A check of sizes belongs to the node that demands it: behind the effects and
// errors of what stands before that node.
#include "kiln/BuildOps.h"
#include "kiln/ControlFlow.h"
#include "kiln/Functions.h"
#include "kiln/GraphBuilder.h"
#include "kiln/GraphScopes.h"
#include "kiln/Variable.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

namespace kiln {
namespace {

using testing::fails;
using ::testing::HasSubstr;
using testing::isOk;
using testing::tensorOf;
using testing::valuesOf;

constexpr DType f32 = DType::Float32;

/// Suites run in each mode, with both kinds of control flow.
class GuardOrder
    : public ::testing::TestWithParam<std::tuple<ExecutionMode, bool>> {
protected:
  GuardOrder() {
    enableControlFlowV2(std::get<bool>(GetParam()));
    x = ops::placeholder(f32, {-1}, {.name = "x"});
    five = ops::reshape(x, {5});
    p = ops::placeholder(DType::Bool, {}, {.name = "p"});
    k = ops::placeholder(f32, {-1}, {.name = "k"});
    found = ops::cast(ops::reduceSum(k), DType::Int32);
    count = Variable(
        0.0f, {.name = "count", .useResource = std::get<bool>(GetParam())});
  }

  /// Feeds with five numbers in `x`; `found` is a size that the run finds out.
  std::vector<Feed> feeds(bool isTaken, float found = 3) {
    return {{"x:0", tensorOf<float>({5}, {1, 2, 3, 4, 5})},
            {"p:0", Tensor::scalar(isTaken)},
            {"k:0", tensorOf<float>({2}, {found, 0})}};
  }
  StatusOr<Tensor> once(const Output &fetch, const std::vector<Feed> &feeds) {
    auto results = session->run(feeds, {fetch.name()});
    return results.ok() ? StatusOr<Tensor>(results->at(0))
                        : StatusOr<Tensor>(results.status());
  }
  void openReady() {
    EXPECT_EQ(graph.status(), okStatus());
    if (!session)
      session = testing::openSession(graph.graph(),
                                     std::get<ExecutionMode>(GetParam()));
  }
  /// Several times, so that native code has its turn.
  StatusOr<Tensor> run(const Output &fetch, const std::vector<Feed> &feeds) {
    openReady();
    EXPECT_TRUE(session->run({}, {}, {count.initializer()->name()}).ok());
    StatusOr<Tensor> result = Tensor();
    for (int i = 0; i < numRuns; ++i)
      result = once(fetch, feeds);
    return result;
  }
  /// How many have counted since, a run.
  float counted() {
    auto result = once(count.graphElement(), {});
    EXPECT_EQ(result.status(), okStatus());
    return result.ok() ? valuesOf<float>(*result)[0] / numRuns : -1;
  }
  /// One of p and what counts, if it is true, and then does the rest.
  Output countsThen(const std::function<Output()> &rest) {
    return ops::cond(
        p,
        [&] {
          ControlScope after({count.assignAdd(1.0f)});
          return ops::reduceSum(rest());
        },
        [&] { return ops::reduceSum(x); })[0];
  }
  /// Four numbers of x, which import cannot say anything about.
  Output four() { return ops::reshape(ops::identity(x), {2, 2}); }
  /// The same where it knows that x has five.
  Output fail() { return four() + five[0]; }

  static constexpr int numRuns = 3;
  GraphBuilder graph;
  GraphScope scope{graph};
  Output x, five, p, k, found;
  Variable count;
  std::unique_ptr<Session> session;
};

constexpr const char *fourOfFive = "5 values, but the requested shape has 4";

TEST_P(GuardOrder, AnEffectBeforeWhatCanOnlyFail) {
  Output sum = countsThen([&] { return fail(); });
  EXPECT_THAT(run(sum, feeds(true)),
              fails(StatusCode::InvalidArgument, HasSubstr(fourOfFive)));
  EXPECT_EQ(counted(), 1);
  EXPECT_EQ(run(sum, feeds(false)).status(), okStatus());
  EXPECT_EQ(counted(), 0);
}

TEST_P(GuardOrder, AnEffectBeforeASizeOfAFeed) {
  Output sum = countsThen([&] { return four(); });
  EXPECT_THAT(run(sum, feeds(true)),
              fails(StatusCode::InvalidArgument, HasSubstr(fourOfFive)));
  EXPECT_EQ(counted(), 1);
}

TEST_P(GuardOrder, AnEffectInEveryIterationBeforeAGuard) {
  Output sum = ops::whileLoop(
      [&](const Outputs &v) { return v[0] < 4; },
      [&](const Outputs &v) -> Outputs {
        ControlScope after({count.assignAdd(1.0f)});
        Output size = found + ops::cast(v[0] > 1, DType::Int32);
        return {v[0] + 1,
                v[1] + ops::reduceSum(ops::reshape(x, ops::stack({size})))};
      },
      {0, 0.0f})[1];
  EXPECT_THAT(run(sum, feeds(true, 5)),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("5 values, but the requested shape has 6")));
  EXPECT_EQ(counted(), 3);
}

TEST_P(GuardOrder, AnEffectInAnIterationBeforeWhatCanOnlyFail) {
  Output sum =
      ops::whileLoop([&](const Outputs &v) { return v[0] < found; },
                     [&](const Outputs &v) -> Outputs {
                       ControlScope after({count.assignAdd(1.0f)});
                       return {v[0] + 1, v[1] + ops::reduceSum(fail())};
                     },
                     {0, 0.0f})[1];
  EXPECT_THAT(run(sum, feeds(true)),
              fails(StatusCode::InvalidArgument, HasSubstr(fourOfFive)));
  EXPECT_EQ(counted(), 1);
  EXPECT_EQ(run(sum, feeds(true, 0)).status(), okStatus());
  EXPECT_EQ(counted(), 0);
}

TEST_P(GuardOrder, ErrorsInTheOrderOfTheNodes) {
  auto asserts = [&] {
    const Node *assertion = ops::assertThat(found > 3, {found});
    ControlScope after({assertion});
    return ops::reduceSum(fail());
  };
  auto gathers = [&] {
    Output gathered = ops::gather(ops::zeros({3}), found + 1);
    ControlScope after({gathered});
    return gathered + ops::reduceSum(four());
  };
  auto branch = [&](const std::function<Output()> &then) {
    return ops::cond(p, then, [&] { return ops::reduceSum(x); })[0];
  };
  Output first = branch(asserts), second = branch(gathers);
  EXPECT_THAT(
      run(first, feeds(true)),
      fails(StatusCode::InvalidArgument, HasSubstr("assertion failed: [3]")));
  EXPECT_THAT(run(first, feeds(true, 4)),
              fails(StatusCode::InvalidArgument, HasSubstr(fourOfFive)));
  EXPECT_THAT(run(second, feeds(true)),
              fails(StatusCode::InvalidArgument, HasSubstr("indices = 4")));
  EXPECT_THAT(run(second, feeds(true, 1)),
              fails(StatusCode::InvalidArgument, HasSubstr(fourOfFive)));
}

// That a branch can only fail is found out when it is written: all guards are
// in the table then, also those of what stands behind it.
TEST_P(GuardOrder, AGuardBehindABranchThatCanOnlyFail) {
  Output made = ops::zeros(ops::stack({found}));
  Output some = ops::cond(
      p, [&] { return four(); },
      [&] { return ops::zeros({2, 2}) + made[0]; })[0];
  ControlScope afterSome({some});
  Assignment counts = count.assignAdd(1.0f);
  ControlScope afterCount({counts});
  Output sized = ops::reshape(ops::zeros({4}) + x[0], ops::stack({found}));
  ControlScope afterSized({sized});
  Output known = ops::reshape(x, {5}) + ops::reduceSum(some);
  EXPECT_THAT(run(known, feeds(false)),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("4 values, but the requested shape has 3")));
  EXPECT_EQ(counted(), 1);
  EXPECT_EQ(run(known, feeds(false, 4)).status(), okStatus());
  EXPECT_EQ(counted(), 1);
  EXPECT_THAT(run(known, feeds(true)),
              fails(StatusCode::InvalidArgument, HasSubstr(fourOfFive)));
  EXPECT_EQ(counted(), 0);
}

// One of two numbers that a node reads can only fail, but the other comes
// first.
TEST_P(GuardOrder, WhatElseAFailingNodeDemands) {
  Output table = ops::reshape(x, {5, 1});
  auto branch = [&](const std::function<Output()> &then) {
    return ops::cond(p, then, [&] { return ops::zeros({1, 1}); })[0];
  };
  Output sliced = branch([&] {
    return ops::slice(table, ops::stack({found, ops::shape(x)[0]}),
                      ops::constant({1, 1}));
  });
  Output shaped = branch([&] {
    Output rest = ops::shape(x)[0] - 6;
    return ops::reduceSum(ops::reshape(table, ops::stack({found, rest, rest})),
                          {0});
  });
  EXPECT_EQ(run(sliced, feeds(false, 7)).status(), okStatus());
  EXPECT_THAT(run(sliced, feeds(true, 7)),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("Expected begin[0] in [0, 5], but got 7")));
  EXPECT_THAT(run(sliced, feeds(true, 2)),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("Expected begin[1] in [0, 1], but got 5")));
  EXPECT_EQ(run(shaped, feeds(false, -7)).status(), okStatus());
  EXPECT_THAT(run(shaped, feeds(true, -7)),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("Size 0 must be non-negative, not -7")));
  EXPECT_THAT(run(shaped, feeds(true, 2)),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("Only one input size may be -1")));
}

TEST_P(GuardOrder, BothBranchesCanOnlyFail) {
  auto both = [&] {
    return ops::cond(
        p, [&] { return ops::reduceSum(fail()); },
        [&] {
          ControlScope after({count.assignAdd(1.0f)});
          Output six = ops::reshape(ops::identity(x), {3, 2});
          return ops::reduceSum(six) + five[0];
        })[0];
  };
  Output first = both() + 1.0f;
  Output second =
      ops::cond(found > 3, both, [&] { return ops::reduceSum(x); })[0];
  for (const Output &sum : {first, second}) {
    EXPECT_THAT(run(sum, feeds(true, 4)),
                fails(StatusCode::InvalidArgument, HasSubstr(fourOfFive)));
    EXPECT_EQ(counted(), 0);
    EXPECT_THAT(
        run(sum, feeds(false, 4)),
        fails(StatusCode::InvalidArgument, HasSubstr("requested shape has 6")));
    EXPECT_EQ(counted(), 1);
  }
  EXPECT_THAT(run(second, feeds(false)).status(), okStatus());
}

TEST_P(GuardOrder, WhatACalledFunctionDoesBeforeItFails) {
  const std::vector<FunctionArgument> arguments = {{f32, "x"},
                                                   {DType::Int32, "found"}};
  DefinedFunction asserts = defun("asserts", arguments, [](const Outputs &v) {
    ControlScope after({ops::assertThat(v[1] > 3, {v[1]})});
    return Outputs{ops::reduceSum(ops::reshape(ops::identity(v[0]), {2, 2}))};
  });
  DefinedFunction makes = defun("makes", arguments, [](const Outputs &v) {
    Output made = ops::reduceSum(ops::zeros(ops::stack({v[1]})));
    ControlScope after({made});
    return Outputs{made +
                   ops::reduceSum(ops::reshape(ops::identity(v[0]), {2, 2}))};
  });
  auto branch = [&](const DefinedFunction &then) {
    return ops::cond(
        p, [&] { return then({x, found})[0]; },
        [&] { return ops::reduceSum(x); })[0];
  };
  // Import knows of `five` before the branch, or behind it.
  Output before = ops::cond(
      five[0] > 0.0f, [&] { return branch(asserts); },
      [&] { return ops::reduceSum(x); })[0];
  EXPECT_THAT(run(before, feeds(true)), fails(StatusCode::InvalidArgument,
                                              HasSubstr("assertion failed")));
  EXPECT_THAT(run(before, feeds(true, 4)),
              fails(StatusCode::InvalidArgument, HasSubstr(fourOfFive)));
  EXPECT_EQ(run(before, feeds(false)).status(), okStatus());
  Output made = branch(makes);
  ControlScope after({made});
  Output behind = made + ops::reduceSum(ops::reshape(ops::identity(x), {5}));
  EXPECT_THAT(run(behind, feeds(true, -1)),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("Dimension -1 must be >= 0")));
  EXPECT_THAT(run(behind, feeds(true, 4)),
              fails(StatusCode::InvalidArgument, HasSubstr(fourOfFive)));
  EXPECT_EQ(run(behind, feeds(false)).status(), okStatus());
}

// What fails is an element, not the check of a size.
TEST_P(GuardOrder, EffectsAndElementsThatFail) {
  Variable other(0.0f,
                 {.name = "other", .useResource = std::get<bool>(GetParam())});
  const std::pair<std::function<Output()>, const char *> kinds[] = {
      {[&] { return ops::gather(ops::identity(x), found); }, "indices = 7"},
      {[&] { return ops::cast(ops::floorDiv(4, found - 7), f32); },
       "Integer division by zero"},
      {[&] { return ops::slice(ops::exp(x), ops::stack({found}), {1})[0]; },
       "Expected begin[0] in [0, 5], but got 7"},
      {[&] {
         ControlScope after({ops::assertThat(found < 7, {found})});
         return ops::reduceSum(ops::identity(x));
       },
       "assertion failed: [7]"}};
  for (const auto &[kind, message] : kinds) {
    SCOPED_TRACE(message);
    // A failure between two updates, at the top and in a branch.
    auto between = [&] {
      ControlScope first({count.assignAdd(1.0f)});
      return other.assignAdd(kind()) + 0.0f;
    };
    Output top = between(), branch = countsThen(between);
    for (const auto &[fetch, counts] :
         {std::pair{top, 1.0f}, std::pair{branch, 2.0f}}) {
      SCOPED_TRACE(counts);
      openReady();
      EXPECT_TRUE(session->run({}, {}, {other.initializer()->name()}).ok());
      EXPECT_THAT(run(fetch, feeds(true, 7)),
                  fails(StatusCode::InvalidArgument, HasSubstr(message)));
      EXPECT_EQ(counted(), counts);
      auto others = once(other.graphElement(), {});
      ASSERT_THAT(others, isOk());
      EXPECT_EQ(valuesOf<float>(*others)[0], 0);
    }
  }
}

// A branch that a fed number has an error in is a branch all the same.
TEST_P(GuardOrder, AnEffectBeforeWhatAFedNumberFails) {
  Output step = ops::placeholder(DType::Int32, {}, {.name = "step"});
  Output sum = countsThen(
      [&] { return ops::cast(ops::reduceSum(ops::range(0, 3, step)), f32); });
  auto fed = [&](bool isTaken, int32_t by) {
    std::vector<Feed> all = feeds(isTaken);
    all.push_back({"step:0", Tensor::scalar(by)});
    return all;
  };
  EXPECT_THAT(run(sum, fed(true, -1)),
              fails(StatusCode::InvalidArgument, HasSubstr("Requires start")));
  EXPECT_EQ(counted(), 1);
  EXPECT_EQ(run(sum, fed(false, -1)).status(), okStatus());
  EXPECT_EQ(run(sum, fed(true, 2)).status(), okStatus());
  EXPECT_EQ(counted(), 1);
}

TEST_P(GuardOrder, AnAssertionBeforeTheElementThatItIsFor) {
  auto asserted = [&](const std::function<Output()> &rest) {
    ControlScope after({ops::assertThat(found < 7, {found})});
    return ops::cast(rest(), f32);
  };
  Output division =
      asserted([&] { return ops::floorDiv(4, ops::identity(found) - 7); });
  Output row = asserted(
      [&] { return ops::gather(ops::identity(x), ops::identity(found)); });
  for (const Output &fetch : {division, row}) {
    EXPECT_THAT(
        run(fetch, feeds(true, 7)),
        fails(StatusCode::InvalidArgument, HasSubstr("assertion failed: [7]")));
    EXPECT_EQ(run(fetch, feeds(true)).status(), okStatus());
  }
}

TEST_P(GuardOrder, AVariableInALoopInALoop) {
  auto iterations = [&](Output start,
                        const std::function<Output(Output)> &iteration) {
    return ops::whileLoop([&](const Outputs &v) { return v[0] < 2; },
                          [&](const Outputs &v) -> Outputs {
                            return {v[0] + 1, iteration(v[1])};
                          },
                          {0, start})[1];
  };
  Output sum = iterations(ops::constant(0.0f), [&](Output outer) {
    return iterations(outer, [&](Output inner) {
      ControlScope after({count.assignAdd(1.0f)});
      return inner + 1.0f;
    });
  });
  EXPECT_EQ(run(sum, feeds(true)).status(), okStatus());
  EXPECT_EQ(counted(), 4);
}

INSTANTIATE_TEST_SUITE_P(
    Modes, GuardOrder,
    ::testing::Combine(::testing::Values(ExecutionMode::Auto,
                                         ExecutionMode::NativeOnly,
                                         ExecutionMode::EvaluatorOnly),
                       ::testing::Bool()));

} // namespace
} // namespace kiln
