// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of sizes belong to the branch, or the iteration of a loop, that they
// are demanded in: what a run does not come to cannot fail it, and what it
// comes to is checked before anything reads by it.
#include "kiln/BuildOps.h"
#include "kiln/ControlFlow.h"
#include "kiln/GraphBuilder.h"
#include "kiln/GraphScopes.h"
#include "kiln/Variable.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

namespace kiln {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::fails;
using testing::failsAt;
using ::testing::HasSubstr;
using testing::tensorOf;
using testing::valuesOf;

constexpr DType f32 = DType::Float32;

/// Suites run in each mode, with both kinds of control flow.
class UntakenBranches
    : public ::testing::TestWithParam<std::tuple<ExecutionMode, bool>> {
protected:
  UntakenBranches() { enableControlFlowV2(std::get<bool>(GetParam())); }

  StatusOr<Tensor> run(const Output &fetch, std::vector<Feed> feeds) {
    if (!session)
      session = testing::openSession(graph.graph(),
                                     std::get<ExecutionMode>(GetParam()));
    return testing::runThrice(*session, feeds, fetch.name());
  }
  std::vector<float> values(const Output &fetch, std::vector<Feed> feeds) {
    auto result = run(fetch, std::move(feeds));
    EXPECT_EQ(result.status(), okStatus());
    return result.ok() ? valuesOf<float>(*result) : std::vector<float>();
  }

  GraphBuilder graph;
  GraphScope scope{graph};
  std::unique_ptr<Session> session;
};

Feed rows(std::vector<float> values) {
  const auto count = static_cast<int64_t>(values.size() / 2);
  return {"x:0", tensorOf<float>({count, 2}, std::move(values))};
}

TEST_P(UntakenBranches, FirstRowIfThereIsOne) {
  Output x = ops::placeholder(f32, {-1, 2}, {.name = "x"});
  Output first = ops::cond(
      ops::shape(x)[0] > 0, [&] { return x[0]; },
      [&] { return ops::zeros({2}); })[0];
  EXPECT_THAT(values(first, {rows({})}), ElementsAre(0, 0));
  EXPECT_THAT(values(first, {rows({1, 2, 3, 4})}), ElementsAre(1, 2));
}

TEST_P(UntakenBranches, KnownAndImpossibleSizes) {
  Output x = ops::placeholder(f32, {2}, {.name = "x"});
  Output p = ops::placeholder(DType::Bool, {}, {.name = "p"});
  // Import knows its value, since a shape depends on it.
  Output k = ops::placeholder(DType::Int32, {1}, {.name = "k"});
  Output some = ops::cond(
      p, [&] { return ops::slice(x, {1}, k); }, [&] { return x * 2.0; })[0];
  std::vector<Feed> feeds = {{"x:0", tensorOf<float>({2}, {1, 2})},
                             {"k:0", tensorOf<int32_t>({1}, {5})},
                             {"p:0", Tensor::scalar(false)}};
  EXPECT_THAT(values(some, feeds), ElementsAre(2, 4));
  feeds[2].value = Tensor::scalar(true);
  EXPECT_THAT(run(some, feeds),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("Expected size[0] in [0, 1], but got 5")));
  EXPECT_THAT(values(x + 1.0, {feeds[0]}), ElementsAre(2, 3));
}

TEST_P(UntakenBranches, InAnIterationAllIsCheckedFirst) {
  Output x = ops::placeholder(f32, {-1}, {.name = "x"});
  Output n = ops::placeholder(DType::Int32, {}, {.name = "n"});
  Outputs loop = ops::whileLoop(
      [&](const Outputs &v) { return v[0] < n; },
      [&](const Outputs &v) -> Outputs {
        return {v[0] + 1, v[1] + ops::reduceSum(ops::reshape(x, {1000, 20}))};
      },
      {0, 0.0});
  Feed all = {"x:0", tensorOf<float>({20000}, std::vector<float>(20000, 1))};
  Feed few = {"x:0", tensorOf<float>({2}, {1, 2})};
  auto iterations = [](int32_t count) {
    return Feed("n:0", Tensor::scalar(count));
  };
  EXPECT_THAT(values(loop[1], {all, iterations(2)}), ElementsAre(40000));
  EXPECT_THAT(values(loop[1], {few, iterations(0)}), ElementsAre(0));
  EXPECT_THAT(run(loop[1], {few, iterations(1)}),
              fails(StatusCode::InvalidArgument, HasSubstr("2 values")));
}

TEST_P(UntakenBranches, SizesThatTheRunFindsOut) {
  Output y = ops::placeholder(f32, {-1}, {.name = "x"});
  Output k = ops::placeholder(DType::Int32, {-1}, {.name = "k"});
  Output size = ops::reduceSum(k);
  Output total = ops::whileLoop(
      [&](const Outputs &v) { return v[0] < 3; },
      [&](const Outputs &v) -> Outputs {
        return {v[0] + 1,
                v[1] + ops::reduceSum(ops::slice(y, {0}, ops::stack({size})))};
      },
      {0, 0.0})[1];
  Feed fed = {"x:0", tensorOf<float>({3}, {1, 2, 3})};
  auto sized = [](int32_t count) {
    return Feed("k:0", tensorOf<int32_t>({1}, {count}));
  };
  EXPECT_THAT(values(total, {fed, sized(2)}), ElementsAre(9));
  EXPECT_THAT(run(total, {fed, sized(200000000)}),
              fails(StatusCode::InvalidArgument, HasSubstr("200000000")));
}

// The sizes of what a branch makes count for those who come there.
TEST_P(UntakenBranches, NegativeSizes) {
  Output x = ops::placeholder(f32, {}, {.name = "x"});
  Output p = ops::placeholder(DType::Bool, {}, {.name = "p"});
  Output k = ops::placeholder(DType::Int32, {}, {.name = "k"});
  Output some = ops::cond(
      p,
      [&] {
        Output made = ops::fill(ops::stack({k, ops::constant(3)}), x);
        return ops::reduceSum(ops::exp(made) * ops::cumsum(made, 0));
      },
      [&] { return x * 2.0; })[0];
  std::vector<Feed> feeds = {{"x:0", Tensor::scalar(3.0f)},
                             {"k:0", Tensor::scalar<int32_t>(-1)},
                             {"p:0", Tensor::scalar(false)}};
  EXPECT_THAT(values(some, feeds), ElementsAre(6));
  feeds[2].value = Tensor::scalar(true);
  EXPECT_THAT(run(some, feeds), fails(StatusCode::InvalidArgument,
                                      HasSubstr("Dimension -1 must be >= 0")));
}

// Folding puts constants before everything, also before the check of a size.
TEST_P(UntakenBranches, NegativeSizesOfConstants) {
  Output p = ops::placeholder(DType::Bool, {}, {.name = "p"});
  Output k = ops::placeholder(DType::Int32, {}, {.name = "k"});
  Output some = ops::cond(
      p,
      [&] {
        Output ones = ops::fill(ops::stack({ops::constant(2), k}), 1.0f);
        Output sums = ops::unsortedSegmentSum(
            ones, ops::constant(std::vector<int32_t>{0, 0}), 1);
        return ops::reduceSum(sums);
      },
      [&] { return ops::constant(6.0f); })[0];
  auto fed = [](int32_t size, bool isTaken) {
    return std::vector<Feed>{{"k:0", Tensor::scalar(size)},
                             {"p:0", Tensor::scalar(isTaken)}};
  };
  EXPECT_THAT(values(some, fed(-1000000, false)), ElementsAre(6));
  EXPECT_THAT(values(some, fed(3, true)), ElementsAre(6));
  EXPECT_THAT(run(some, fed(-1000000, true)),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("Dimension -1000000 must be >= 0")));
}

// What is known behind the branch says that it can only fail.
TEST_P(UntakenBranches, SizesThatCannotBeEqualAsIsFoundOutLater) {
  Output x = ops::placeholder(f32, {-1}, {.name = "x"});
  Output p = ops::placeholder(DType::Bool, {}, {.name = "p"});
  Output some = ops::cond(
      p, [&] { return ops::ensureShape(x, Shape({3})) * 2.0; },
      [&] { return ops::ones({3}); })[0];
  Output first = ops::reshape(x, {1, -1});
  Output product = ops::matMul(first, ops::ones({2, 1}));
  Output sum = ops::reduceSum(some) + ops::reduceSum(product);
  std::vector<Feed> feeds = {{"x:0", tensorOf<float>({2}, {1, 2})},
                             {"p:0", Tensor::scalar(false)}};
  EXPECT_THAT(values(sum, feeds), ElementsAre(6));
  feeds[1].value = Tensor::scalar(true);
  EXPECT_THAT(run(sum, feeds),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("[2] is not compatible with expected shape "
                              "[3]")));
}

// The same of two sizes of which neither is known where the branch stands.
TEST_P(UntakenBranches, SumsThatCannotBeAsIsFoundOutLater) {
  Output x = ops::placeholder(f32, {-1, 2}, {.name = "x"});
  Output y = ops::placeholder(f32, {2, -1}, {.name = "y"});
  Output p = ops::placeholder(DType::Bool, {}, {.name = "p"});
  Output some = ops::cond(
      p, [&] { return ops::reduceSum(ops::matMul(y, x)); },
      [&] { return ops::constant(1.0f); })[0];
  Output sum = some + ops::reduceSum(ops::matMul(ops::ones({1, 3}), x)) +
               ops::reduceSum(ops::matMul(y, ops::ones({5, 1})));
  std::vector<Feed> feeds = {
      {"x:0", tensorOf<float>({3, 2}, {1, 1, 1, 1, 1, 1})},
      {"y:0", tensorOf<float>({2, 5}, std::vector<float>(10, 1))},
      {"p:0", Tensor::scalar(false)}};
  EXPECT_THAT(values(sum, feeds), ElementsAre(17));
  feeds[2].value = Tensor::scalar(true);
  EXPECT_THAT(run(sum, feeds),
              fails(StatusCode::InvalidArgument, HasSubstr("[2,5]")));
}

TEST_P(UntakenBranches, BothBranchesFail) {
  Output x = ops::placeholder(f32, {2}, {.name = "x"});
  Output p = ops::placeholder(DType::Bool, {}, {.name = "p"});
  Output k = ops::placeholder(DType::Int32, {1}, {.name = "k"});
  Output outer = ops::cond(
      p,
      [&] {
        return ops::cond(
            x[0] > 0.0, [&] { return ops::slice(x, {1}, k); },
            [&] { return ops::slice(x, {1}, k + 1); })[0];
      },
      [&] { return x + 0.0; })[0];
  std::vector<Feed> feeds = {{"x:0", tensorOf<float>({2}, {1, 2})},
                             {"k:0", tensorOf<int32_t>({1}, {5})},
                             {"p:0", Tensor::scalar(false)}};
  EXPECT_THAT(values(outer, feeds), ElementsAre(1, 2));
  feeds[2].value = Tensor::scalar(true);
  EXPECT_THAT(run(outer, feeds), fails(StatusCode::InvalidArgument,
                                       HasSubstr("Expected size[0]")));
}

// What a node demands holds from that node on: one before it, which the check
// does not guard, must not take it for true.
TEST_P(UntakenBranches, SizesAreEqualFromTheNodeOnThatDemandsIt) {
  Output x = ops::placeholder(f32, {-1}, {.name = "x"});
  Output found = ops::unique(x).y;
  Output row = found[newAxis()];
  Output sum = ops::biasAdd(row, ops::ones({3}));
  EXPECT_THAT(values(sum, {{"x:0", tensorOf<float>({3}, {1, 2, 3})}}),
              ElementsAre(2, 3, 4));
  EXPECT_THAT(run(sum, {{"x:0", tensorOf<float>({3}, {1, 1, 1})}}),
              fails(StatusCode::InvalidArgument, HasSubstr("[3] vs. [1,1]")));
}

// What is assigned behind a check that fails stays what it was.
TEST_P(UntakenBranches, AnUpdateComesBehindTheChecksBeforeIt) {
  Output x = ops::placeholder(f32, {-1}, {.name = "x"});
  Output p = ops::placeholder(DType::Bool, {}, {.name = "p"});
  Variable root({0.0, 0.0, 0.0}, {.name = "root"});
  Variable taken({0.0, 0.0, 0.0}, {.name = "taken"});
  Output found = ops::unique(x).y, late, branch;
  {
    ControlScope after({ops::zeros(ops::shape(found))});
    late = ops::reshape(ops::zeros({4}) + x[0], ops::shape(found));
  }
  {
    ControlScope after({late});
    late = ops::assign(root, {1.0, 2.0, 3.0});
  }
  branch = ops::cond(
      p, [&] { return ops::reshape(x, {2, 2}); },
      [&] { return ops::zeros({2, 2}); })[0];
  {
    ControlScope after({branch});
    branch = ops::assign(taken, {1.0, 2.0, 3.0});
  }
  const Node *init = globalVariablesInitializer();
  session = testing::openSession(graph.graph(), std::get<0>(GetParam()));
  ASSERT_EQ(session->run({}, {}, {init->name()}).status(), okStatus());
  std::vector<Feed> feeds = {{"x:0", tensorOf<float>({3}, {1, 2, 3})},
                             {"p:0", Tensor::scalar(true)}};
  // Nothing reads what the branch gives.
  for (const Output &update : {late, branch})
    EXPECT_THAT(run(update, feeds), fails(StatusCode::InvalidArgument,
                                          HasSubstr("Input to reshape")));
  EXPECT_THAT(values(root, {}), ElementsAre(0, 0, 0));
  EXPECT_THAT(values(taken, {}), ElementsAre(0, 0, 0));
}

// An iteration goes on by what a branch gives that waits for a queue.
TEST_P(UntakenBranches, ACutBranchIsTheConditionOfALoop) {
  Output queue = rawOps::fifoQueueV2({f32}, {.shapes = {Shape()}});
  const Node *put = rawOps::queueEnqueueManyV2(queue, {{0., 1., 2., 3., 4.}});
  Output iterations = ops::whileLoop(
      [&](const Outputs &v) {
        return ops::cond(
            v[0] >= 0,
            [&] { return rawOps::queueDequeueV2(queue, {f32})[0] < 3.0; },
            [&] { return v[0] < 2; })[0];
      },
      [&](const Outputs &v) -> Outputs { return {v[0] + 1}; }, {0})[0];
  ASSERT_EQ(graph.status(), okStatus());
  session = testing::openSession(graph.graph(), std::get<0>(GetParam()));
  ASSERT_EQ(session->run({}, {}, {put->name()}).status(), okStatus());
  for (int32_t expected : {3, 0}) {
    auto result = session->run({}, {iterations.name()});
    ASSERT_EQ(result.status(), okStatus());
    EXPECT_THAT(valuesOf<int32_t>(result->at(0)), ElementsAre(expected));
  }
}

// What decides in the branch is one that two branches side by side share.
TEST_P(UntakenBranches, ANestedBranchMayOnlyHandOn) {
  Output x = ops::placeholder(f32, {2}, {.name = "x"});
  Output n = ops::placeholder(DType::Int32, {}, {.name = "n"});
  Output q = ops::placeholder(DType::Bool, {}, {.name = "q"});
  Output a = ops::cond(q, [&] { return x; }, [&] { return -x; })[0];
  Output o = ops::cond(
      q, [&] { return a; },
      [&] {
        return ops::cond(n > 1, [&] { return a; }, [&] { return a; })[0];
      })[0];
  for (bool taken : {false, true})
    EXPECT_THAT(values(o, {{"x:0", tensorOf<float>({2}, {1, 2})},
                           {"n:0", Tensor::scalar<int32_t>(2)},
                           {"q:0", Tensor::scalar(taken)}}),
                taken ? ElementsAre(1, 2) : ElementsAre(-1, -2));
}

// [n, n] of n numbers: the run has nothing else as large.
Output square(const Output &x) {
  return ops::matMul(ops::reshape(x, {-1, 1}), ops::reshape(x, {1, -1}));
}

TEST_P(UntakenBranches, WhatTheyNeedOfMemoryIsNotTaken) {
  Output x = ops::placeholder(f32, {-1}, {.name = "x"});
  Output p = ops::placeholder(DType::Bool, {}, {.name = "p"});
  Output total = ops::cond(
      p,
      [&] {
        Output squares = square(x);
        return ops::reduceSum(ops::matMul(squares, squares));
      },
      [&] { return x[0]; })[0];
  auto feeds = [](int64_t n, bool taken) -> std::vector<Feed> {
    std::vector<float> ones(static_cast<size_t>(n), 1);
    return {{"x:0", tensorOf<float>({n}, std::move(ones))},
            {"p:0", Tensor::scalar(taken)}};
  };
  EXPECT_THAT(values(total, feeds(4, true)), ElementsAre(64));
  // 16 TiB, more than a run may have.
  EXPECT_THAT(values(total, feeds(1 << 21, false)), ElementsAre(1));
  EXPECT_THAT(run(total, feeds(1 << 21, true)),
              AllOf(fails(StatusCode::ResourceExhausted, HasSubstr("")),
                    failsAt("cond/MatMul")));
  EXPECT_THAT(values(total, feeds(4, true)), ElementsAre(64));
}

TEST_P(UntakenBranches, WhatIsTakenHasMemoryBesideWhatIsNot) {
  Output x = ops::placeholder(f32, {-1}, {.name = "x"});
  Output p = ops::placeholder(DType::Bool, {}, {.name = "p"});
  // Each product has 4 MB, and there are three of them where p holds.
  Output total =
      ops::whileLoop([&](const Outputs &v) { return v[0] < 3; },
                     [&](const Outputs &v) -> Outputs {
                       Output squares = square(x + v[1]);
                       Output more = ops::cond(
                           p,
                           [&] {
                             return ops::matMul(ops::matMul(squares, squares),
                                                squares)[{0, 0}];
                           },
                           [&] { return x[0]; })[0];
                       return {v[0] + 1, v[1] + more + squares[{1, 1}]};
                     },
                     {0, 0.0})[1];
  SessionOptions options;
  options.mode = std::get<ExecutionMode>(GetParam());
  options.limits.maxRunBytes = 10'000'000;
  session = *Session::create(graph.graph(), options);
  std::vector<Feed> feeds = {
      {"x:0", tensorOf<float>({1000}, std::vector<float>(1000, 1))},
      {"p:0", Tensor::scalar(false)}};
  EXPECT_THAT(values(total, feeds), ElementsAre(182));
}

// Nothing of it may leave the loop, neither the memory nor the time.
TEST_P(UntakenBranches, AHugeSplatInALoopOfNoIterations) {
  Output n = ops::placeholder(DType::Int32, {}, {.name = "n"});
  Output sizes = ops::placeholder(DType::Int32, {2}, {.name = "sizes"});
  auto total = [&](const std::function<Output()> &huge) {
    return ops::whileLoop([&](const Outputs &v) { return v[0] < n; },
                          [&](const Outputs &v) -> Outputs {
                            return {v[0] + 1, v[1] + ops::reduceSum(huge())};
                          },
                          {0, 0.0f})[1];
  };
  Output sum = total([&] { return ops::fill(sizes, 0.0f) + 1.0f; });
  Output product = total([&] {
    Output ones = ops::ones(ops::stack({sizes[0]}));
    return ops::matMul(ops::expandDims(ones, 1), ops::expandDims(ones, 0));
  });
  auto feeds = [](int32_t iterations, int32_t size) {
    return std::vector<Feed>{{"n:0", Tensor::scalar(iterations)},
                             {"sizes:0", tensorOf<int32_t>({2}, {size, size})}};
  };
  for (const Output &fetch : {sum, product}) {
    EXPECT_THAT(values(fetch, feeds(0, 1 << 30)), ElementsAre(0));
    EXPECT_THAT(values(fetch, feeds(2, 3)), ElementsAre(18));
  }
}

// The value of a feed, asked for in a branch by a predicate that is not known.
TEST_P(UntakenBranches, AnAxisThatIsFed) {
  Output x = ops::placeholder(f32, {-1}, {.name = "x"});
  Output axis = ops::placeholder(DType::Int32, {}, {.name = "axis"});
  Output joined = ops::cond(
      ops::reduceSum(x) > 0.0f, [&] { return ops::concat({x, x}, axis); },
      [&] { return x; })[0];
  auto feeds = [](float value, int32_t axis) {
    return std::vector<Feed>{{"x:0", tensorOf<float>({2}, {value, value})},
                             {"axis:0", Tensor::scalar(axis)}};
  };
  EXPECT_THAT(values(joined, feeds(1, 0)), ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(values(joined, feeds(-1, 0)), ElementsAre(-1, -1));
  EXPECT_THAT(values(joined, feeds(-1, 3)), ElementsAre(-1, -1));
  EXPECT_THAT(run(joined, feeds(1, 3)),
              fails(StatusCode::InvalidArgument, HasSubstr("3")));
}

// What a later node says of the predicate comes too late for the sizes of what
// the branches give.
TEST_P(UntakenBranches, APredicateThatALaterNodeMakesANumber) {
  Output x = ops::placeholder(f32, {-1, -1}, {.name = "x"});
  Output columns = ops::shape(x)[1];
  Output picked = ops::cond(
      ops::cast(columns, DType::Bool),
      [&] { return ops::concat({x, x, x}, 0); },
      [&] { return ops::concat({x, x}, 0); })[0];
  ControlScope behind({ops::ensureShape(x, {-1, 2})});
  Output seen = ops::identity(picked);
  auto result = run(seen, {rows({1, 2, 3, 4})});
  ASSERT_EQ(result.status(), okStatus());
  EXPECT_EQ(result->shape(), Shape({6, 2}));
  EXPECT_THAT(run(seen, {{"x:0", testing::countingMatrix(2, 3)}}),
              fails(StatusCode::InvalidArgument, HasSubstr("[2,3]")));
}

// Seven of an extent of one, and the rest, which is a feed's extent.
TEST_P(UntakenBranches, APartThatNoRunHas) {
  Output x = ops::placeholder(f32, {1}, {.name = "x"});
  Output y = ops::placeholder(f32, {1, -1}, {.name = "y"});
  Output found = ops::cast(y[{0, 0}], DType::Int32);
  auto part = [&](const Output &rest) {
    return ops::reduceSum(ops::splitBySizes(x, ops::stack({7, rest}))[0]);
  };
  auto feeds = [](float first, int64_t columns) {
    std::vector<float> values(static_cast<size_t>(columns), first);
    return std::vector<Feed>{
        {"x:0", tensorOf<float>({1}, {first})},
        {"y:0", tensorOf<float>({1, columns}, std::move(values))}};
  };
  for (const Output &rest : {ops::shape(y)[1], found}) {
    Output always = part(rest);
    Output maybe = ops::cond(
        x[0] > 0.0f, [&] { return part(rest); }, [&] { return x[0]; })[0];
    for (int size : {3, 4}) {
      const auto given = feeds(static_cast<float>(size), size);
      const auto isRefused =
          fails(StatusCode::InvalidArgument,
                HasSubstr("Got: " + std::to_string(7 + size)));
      EXPECT_THAT(run(always, given), isRefused);
      EXPECT_THAT(run(maybe, given), isRefused);
      EXPECT_THAT(values(maybe, feeds(-1, size)), ElementsAre(-1));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Modes, UntakenBranches,
    ::testing::Combine(::testing::Values(ExecutionMode::Auto,
                                         ExecutionMode::NativeOnly,
                                         ExecutionMode::EvaluatorOnly),
                       ::testing::Bool()));

} // namespace
} // namespace kiln
