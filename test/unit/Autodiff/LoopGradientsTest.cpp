// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients through loops of Enter, Switch and Merge against central
// differences, in native code and in the evaluator.
#include "kiln/BuildOps.h"
#include "kiln/ControlFlow.h"
#include "kiln/Gradients.h"
#include "kiln/Session.h"
#include "kiln/TensorArray.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

#include <cmath>

namespace kiln {
namespace {

using testing::fails;
using ::testing::HasSubstr;

using Program =
    std::function<Output(const Output &x, const Output &iterations)>;

/// A program, the sum of its result, and the gradient of that.
struct Differentiated {
  Differentiated(const Program &program, const Shape &shape, bool isKnown) {
    GraphScope scope(graph);
    x = ops::placeholder(DType::Float64,
                         isKnown ? shape : Shape::unknownDims(shape.rank()));
    iterations = ops::placeholder(DType::Int32, {});
    loss = ops::reduceSum(program(x, iterations));
    gradient = gradients({loss}, {x})[0].toTensor();
  }

  StatusOr<std::vector<double>> run(Session &session, const Output &fetch,
                                    const Shape &shape,
                                    const std::vector<double> &values,
                                    int32_t count, RunStats *stats = nullptr) {
    auto feed = Tensor::fromValues<double>(shape, values);
    auto number = Tensor::fromValues<int32_t>({}, std::vector<int32_t>{count});
    auto result = session.run({{x, *feed}, {iterations, *number}},
                              {Fetch(fetch)}, {}, {}, stats);
    if (!result.ok())
      return result.status();
    auto data = (*result)[0].data<double>();
    return std::vector<double>(data.begin(), data.end());
  }

  GraphBuilder graph;
  Output x, iterations, loss, gradient;
};

void checkShape(const Program &program, const Shape &shape, bool isKnown,
                std::initializer_list<int32_t> counts) {
  SCOPED_TRACE(isKnown ? "known shape" : "unknown shape");
  Differentiated built(program, shape, isKnown);
  ASSERT_EQ(built.graph.status(), okStatus());
  ASSERT_NE(built.gradient.node, nullptr);
  auto native =
      Session::create(built.graph.graph(), {.mode = ExecutionMode::NativeOnly});
  auto evaluator = Session::create(built.graph.graph(),
                                   {.mode = ExecutionMode::EvaluatorOnly});
  ASSERT_EQ(native.status(), okStatus());
  ASSERT_EQ(evaluator.status(), okStatus());
  std::vector<double> values(size_t(shape.numElements().valueOr(0)));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = std::fmod(0.37 + 0.618 * double(i), 1.0) - 0.45;
  for (int32_t count : counts) {
    SCOPED_TRACE(count);
    RunStats stats;
    auto found =
        built.run(**native, built.gradient, shape, values, count, &stats);
    ASSERT_EQ(found.status(), okStatus());
    EXPECT_EQ(stats.degraded, "");
    EXPECT_EQ(stats.opsEvaluator, 0);
    EXPECT_EQ(stats.executor, Executor::Native);
    auto same = built.run(**evaluator, built.gradient, shape, values, count);
    ASSERT_EQ(same.status(), okStatus());
    EXPECT_EQ(*found, *same);
    ASSERT_EQ(found->size(), values.size());
    for (size_t i = 0; i < values.size(); ++i) {
      double sides[2];
      for (int side = 0; side < 2; ++side) {
        std::vector<double> moved = values;
        moved[i] += side ? 1e-6 : -1e-6;
        auto sum = built.run(**evaluator, built.loss, shape, moved, count);
        ASSERT_EQ(sum.status(), okStatus());
        sides[side] = (*sum)[0];
      }
      double expected = (sides[1] - sides[0]) / 2e-6;
      EXPECT_NEAR((*found)[i], expected,
                  1e-6 * std::max(1.0, std::abs(expected)))
          << "element " << i;
    }
  }
}

void check(const Program &program, const Shape &shape = {2, 3},
           std::initializer_list<int32_t> counts = {3, 1, 0, 4}) {
  checkShape(program, shape, true, counts);
  checkShape(program, shape, false, counts);
}

/// A loop of so many iterations over further variables.
Outputs repeat(const Output &iterations, const std::vector<Output> &start,
               const std::function<std::vector<Output>(
                   const Output &, const std::vector<Output> &)> &body,
               ops::WhileOptions options = {}) {
  std::vector<Input> variables{Input(0)};
  for (const Output &each : start)
    variables.push_back(each);
  Outputs all = ops::whileLoop(
      [&](const Outputs &v) { return v[0] < iterations; },
      [&](const Outputs &v) {
        Outputs next{v[0] + 1};
        for (const Output &each :
             body(v[0], std::vector<Output>(v.begin() + 1, v.end())))
          next.push_back(each);
        return next;
      },
      InputList(variables), options);
  if (!all.empty())
    all.erase(all.begin());
  return all;
}
Output repeat(const Output &iterations, const Output &start,
              const std::function<Output(const Output &, const Output &)> &body,
              ops::WhileOptions options = {}) {
  return repeat(
      iterations, std::vector<Output>{start},
      [&](const Output &i, const std::vector<Output> &v) {
        return std::vector<Output>{body(i, v[0])};
      },
      options);
}

TEST(LoopGradients, ValueOfTheIterationBefore) {
  check([](const Output &x, const Output &iterations) {
    return repeat(iterations, x, [](const Output &, const Output &a) {
      return ops::sin(a) * a;
    });
  });
}

TEST(LoopGradients, Invariant) {
  check([](const Output &x, const Output &iterations) {
    return repeat(
        iterations, ops::square(x),
        [&](const Output &, const Output &a) { return a * x + ops::exp(x); });
  });
}

TEST(LoopGradients, CounterInTheBody) {
  check([](const Output &x, const Output &iterations) {
    return repeat(iterations, x, [&](const Output &i, const Output &a) {
      return a * x * (ops::cast(i, DType::Float64) + 1.5);
    });
  });
}

TEST(LoopGradients, SeveralVariables) {
  check([](const Output &x, const Output &iterations) {
    return repeat(iterations, {x, ops::cos(x)},
                  [](const Output &, const std::vector<Output> &v) {
                    return std::vector<Output>{v[0] * v[1], v[1] + v[0] * 0.5};
                  })[0];
  });
}

TEST(LoopGradients, BothResults) {
  check([](const Output &x, const Output &iterations) {
    Outputs both = repeat(iterations, {x, ops::cos(x)},
                          [](const Output &, const std::vector<Output> &v) {
                            return std::vector<Output>{v[0] * v[1], v[0]};
                          });
    return both[0] * both[1];
  });
}

TEST(LoopGradients, VariableThatDoesNotDependOnTheIterationBefore) {
  check([](const Output &x, const Output &iterations) {
    Outputs both =
        repeat(iterations, {x, ops::square(x)},
               [&](const Output &, const std::vector<Output> &v) {
                 return std::vector<Output>{v[0] + v[1], ops::sin(x)};
               });
    return both[0] + both[1];
  });
}

TEST(LoopGradients, ConditionOnAValue) {
  check(
      [](const Output &x, const Output &) {
        return Output(ops::whileLoop(
            [](const Outputs &v) { return ops::reduceSum(v[0]) < 50.0; },
            [&](const Outputs &v) { return Outputs(v[0] * 1.5 + 1.0 + x * x); },
            {x}));
      },
      {2, 3}, {1});
}

TEST(LoopGradients, Nested) {
  check([](const Output &x, const Output &iterations) {
    return repeat(iterations, x, [&](const Output &i, const Output &a) {
      Output scaled = a * 0.5;
      return repeat(i + 1, scaled, [&](const Output &, const Output &b) {
        return ops::sin(b) * a + x;
      });
    });
  });
}

TEST(LoopGradients, NestedThreeDeep) {
  check([](const Output &x, const Output &iterations) {
    return repeat(iterations, x, [&](const Output &i, const Output &a) {
      return repeat(i, a, [&](const Output &j, const Output &b) {
        Output c = ops::cos(b);
        return repeat(j, c, [&](const Output &, const Output &d) {
          return d * a * 0.5 + b;
        });
      });
    });
  });
}

TEST(LoopGradients, TwoLoopsInARow) {
  check([](const Output &x, const Output &iterations) {
    Output first = repeat(iterations, x, [](const Output &, const Output &a) {
      return a * a + 0.5;
    });
    return repeat(iterations, first,
                  [&](const Output &, const Output &a) { return a * first; });
  });
}

TEST(LoopGradients, BranchInALoop) {
  check([](const Output &x, const Output &iterations) {
    return repeat(iterations, x, [&](const Output &i, const Output &a) {
      return Output(ops::cond(
          ops::equal(i % 2, 0), [&] { return ops::BranchResult(a * x); },
          [&] { return ops::BranchResult(ops::sin(a)); }));
    });
  });
}

TEST(LoopGradients, BranchThatUsesNothingOfTheLoop) {
  check([](const Output &x, const Output &iterations) {
    return repeat(iterations, x, [&](const Output &i, const Output &a) {
      return Output(ops::cond(
                 i < 1, [&] { return ops::BranchResult(x * x); },
                 [&] { return ops::BranchResult(a); })) +
             a * 0.5;
    });
  });
}

TEST(LoopGradients, BranchesInBranchesInALoop) {
  check([](const Output &x, const Output &iterations) {
    return repeat(iterations, x, [&](const Output &i, const Output &a) {
      return Output(ops::cond(
          i < 2,
          [&] {
            Output c = a * 1.5;
            return ops::BranchResult(ops::cond(
                ops::equal(i, 0), [&] { return ops::BranchResult(c * a); },
                [&] { return ops::BranchResult(ops::exp(c)); }));
          },
          [&] { return ops::BranchResult(ops::sin(a) * x); }));
    });
  });
}

TEST(LoopGradients, BranchOnWhatIsOutside) {
  check([](const Output &x, const Output &iterations) {
    Output isMany = iterations > 2;
    return repeat(iterations, x, [&](const Output &, const Output &a) {
      return Output(ops::cond(
          isMany, [&] { return ops::BranchResult(a * x); },
          [&] { return ops::BranchResult(ops::sin(a)); }));
    });
  });
}

TEST(LoopGradients, LoopInABranch) {
  check([](const Output &x, const Output &iterations) {
    return Output(ops::cond(
        iterations > 2,
        [&] {
          return ops::BranchResult(
              repeat(iterations, x, [&](const Output &, const Output &a) {
                return ops::sin(a) * x;
              }));
        },
        [&] { return ops::BranchResult(ops::exp(x)); }));
  });
}

TEST(LoopGradients, LoopInABranchInALoop) {
  check([](const Output &x, const Output &iterations) {
    return repeat(iterations, x, [&](const Output &i, const Output &a) {
      return Output(ops::cond(
          ops::equal(i % 2, 1),
          [&] {
            return ops::BranchResult(
                repeat(i + 1, a, [&](const Output &, const Output &b) {
                  return ops::sin(b) * a + x;
                }));
          },
          [&] { return ops::BranchResult(ops::exp(a) * x); }));
    });
  });
}

TEST(LoopGradients, RowsOfAnInvariant) {
  check([](const Output &x, const Output &iterations) {
    return repeat(iterations, ops::reduceSum(x, 0),
                  [&](const Output &i, const Output &a) {
                    return a * ops::gather(x, i % 2);
                  });
  });
}

TEST(LoopGradients, RowsOfAnInvariantInANestedLoop) {
  check([](const Output &x, const Output &iterations) {
    return repeat(iterations, ops::reduceSum(x, 0),
                  [&](const Output &i, const Output &a) {
                    return repeat(i, a, [&](const Output &j, const Output &b) {
                      return b * ops::gather(x, (i + j) % 2) + a;
                    });
                  });
  });
}

TEST(LoopGradients, UnusedOutputsOfAnOpInABody) {
  check([](const Output &x, const Output &iterations) {
    return repeat(iterations, x, [&](const Output &, const Output &a) {
      return ops::concat({ops::split(a * a, 2)[0], ops::split(x, 2)[1]}, 0);
    });
  });
}

TEST(LoopGradients, MatricesOfAnInvariantWeight) {
  check(
      [](const Output &x, const Output &iterations) {
        return repeat(iterations, x, [&](const Output &, const Output &a) {
          return ops::tanh(ops::matMul(a, x)) + x;
        });
      },
      {3, 3});
}

TEST(LoopGradients, OneIterationAtATime) {
  check([](const Output &x, const Output &iterations) {
    return repeat(
        iterations, x,
        [&](const Output &, const Output &a) { return a * ops::sin(a) * x; },
        {.parallelIterations = 1, .swapMemory = true});
  });
}

TEST(LoopGradients, AtMostSoManyIterations) {
  check([](const Output &x, const Output &) {
    return Output(ops::whileLoop(
        [](const Outputs &v) { return ops::reduceSum(v[0]) < 1e6; },
        [&](const Outputs &v) { return Outputs(v[0] * x); }, {ops::square(x)},
        {.maximumIterations = 3}));
  });
}

TEST(LoopGradients, TwiceOfOneLoop) {
  check([](const Output &x, const Output &iterations) {
    Output y = repeat(iterations, x, [&](const Output &, const Output &a) {
      return a * ops::sin(a) * x;
    });
    // What is differentiated again must not be a loop of gradients.
    (void)gradients({y}, {x});
    return y;
  });
}

TEST(LoopGradients, ArraysThatALoopReadsAndWrites) {
  check(
      [](const Output &x, const Output &iterations) {
        TensorArray rows = TensorArray(DType::Float64, 4).unstack(x);
        TensorArray out(DType::Float64, iterations, {.elementShape = {3}});
        Output zero = ops::reduceSum(x, 0);
        Outputs done =
            repeat(iterations, {out.flow(), zero},
                   [&](const Output &i, const std::vector<Output> &v) {
                     Output next = ops::sin(rows.read(i) * v[1]) + v[1];
                     return std::vector<Output>{
                         out.withFlow(v[0]).write(i, next * next).flow(), next};
                   });
        return ops::reduceSum(out.withFlow(done[0]).stack()) +
               ops::reduceSum(done[1]);
      },
      {4, 3}, {4, 1, 2});
}

TEST(LoopGradients, ArraysOfGatheredElements) {
  check(
      [](const Output &x, const Output &) {
        TensorArray rows =
            TensorArray(DType::Float64, 4, {.clearAfterRead = false})
                .scatter({3, 0, 2, 1}, x);
        return rows.gather({2, 3}) * rows.read(0) + rows.gather({2, 2});
      },
      {4, 3}, {0});
}

TEST(LoopGradients, ArraysOfPartsOfOtherLengths) {
  check(
      [](const Output &x, const Output &) {
        TensorArray parts =
            TensorArray(DType::Float64, 2,
                        {.clearAfterRead = false, .inferShape = false})
                .split(x, {1, 3});
        return ops::square(parts.concat()) * ops::reduceSum(parts.read(1));
      },
      {4, 3}, {0});
}

class LoopGradientsBuild : public ::testing::Test {
protected:
  GraphBuilder graph;
  GraphScope scope{graph};
};

TEST_F(LoopGradientsBuild, NamesOfWhatTheUserSees) {
  Output x = ops::placeholder(DType::Float32, {}, {.name = "x"});
  Output y =
      ops::whileLoop([](const Outputs &v) { return v[0] < 3.0; },
                     [](const Outputs &v) { return Outputs(v[0] * 2.0); }, {x});
  auto found = gradients({y}, {x});
  ASSERT_EQ(graph.status(), okStatus());
  EXPECT_EQ(found[0].tensor().name(), "gradients/while/Enter_grad/Exit:0");
}

TEST_F(LoopGradientsBuild, NotThroughALoopWithoutBackProp) {
  Output x = ops::constant(1.0);
  Output y =
      ops::whileLoop([](const Outputs &v) { return v[0] < 3.0; },
                     [](const Outputs &v) { return Outputs(v[0] * 2.0); }, {x},
                     {.backProp = false});
  EXPECT_TRUE(gradients({y}, {x})[0].isNone());
  EXPECT_EQ(graph.status(), okStatus());
}

TEST_F(LoopGradientsBuild, SecondGradientIsRefused) {
  Output x = ops::constant(1.0);
  Output y =
      ops::whileLoop([](const Outputs &v) { return v[0] < 3.0; },
                     [&](const Outputs &v) { return Outputs(v[0] * x); }, {x});
  auto first = gradients({y}, {x});
  gradients({first[0].tensor()}, {x});
  EXPECT_THAT(graph.status(),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("Second-order gradient for while loops not "
                              "supported.")));
}

TEST_F(LoopGradientsBuild, OfTheStartInTheBodyIsRefused) {
  Output x = ops::constant(1.0);
  ops::whileLoop([](const Outputs &v) { return v[0] < 3.0; },
                 [&](const Outputs &v) {
                   Output y = v[0] * v[0];
                   return Outputs(gradients({y}, {x})[0].toTensor());
                 },
                 {x});
  EXPECT_THAT(graph.status(),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("Cannot compute gradient inside while loop with "
                              "respect to op")));
}

TEST_F(LoopGradientsBuild, InTheBodyOfItsOwnIteration) {
  Output y = ops::whileLoop([](const Outputs &v) { return v[0] < 30.0; },
                            [&](const Outputs &v) {
                              Output square = v[0] * v[0];
                              return Outputs(
                                  gradients({square}, {v[0]})[0].toTensor());
                            },
                            {ops::constant(3.0)});
  ASSERT_EQ(graph.status(), okStatus());
  auto session = Session::create(graph.graph());
  auto result = (*session)->run({}, {Fetch(y)});
  ASSERT_EQ(result.status(), okStatus());
  EXPECT_EQ((*result)[0].data<float>()[0], 48.f);
}

// Random graphs had such loops: "got INVALID".
TEST_F(LoopGradientsBuild, NextIterationOfAnInvariantThatNothingHoldsBack) {
  Output x = ops::placeholder(DType::Float32, {2}, {.name = "x"});
  Output y = ops::placeholder(DType::Float32, {2}, {.name = "y"});
  Output n = ops::placeholder(DType::Int32, {}, {.name = "n"});
  Output zero = ops::constant(0, {.name = "zero"});
  Output step = ops::constant(1, {.name = "step"});
  auto enter = [](const char *name, const Output &of, bool isConstant) {
    return NodeSpec{.name = name,
                    .op = "Enter",
                    .inputs = {of},
                    .attrs = {{"T", of.dtype()},
                              {"frame_name", "loop"},
                              {"is_constant", isConstant}}};
  };
  auto node = [](const char *name, const char *op,
                 std::vector<NodeInput> inputs, DType dtype) {
    NodeSpec spec{.name = name, .op = op, .inputs = std::move(inputs)};
    if (dtype != DType::Invalid)
      spec.attrs.set("T", dtype);
    if (spec.op == "Merge")
      spec.attrs.set("N", int64_t{2});
    return spec;
  };
  constexpr DType i32 = DType::Int32, f32 = DType::Float32;
  ASSERT_EQ(
      graph.graph()->addNodes({enter("i", zero, false), enter("v", x, false),
                               enter("w", y, true), enter("limit", n, true),
                               enter("one", step, true),
                               node("mi", "Merge", {"i", "ni"}, i32),
                               node("mv", "Merge", {"v", "nv"}, f32),
                               node("less", "Less", {"mi", "limit"}, i32),
                               node("go", "LoopCond", {"less"}, DType::Invalid),
                               node("si", "Switch", {"mi", "go"}, i32),
                               node("sv", "Switch", {"mv", "go"}, f32),
                               node("add", "AddV2", {"si:1", "one"}, i32),
                               node("ni", "NextIteration", {"add"}, i32),
                               node("nv", "NextIteration", {"w"}, f32),
                               node("ev", "Exit", {"sv"}, f32)}),
      okStatus());
  Output exit{graph.graph()->lookup("ev"), 0};
  auto session =
      Session::create(graph.graph(), {.mode = ExecutionMode::NativeOnly});
  ASSERT_EQ(session.status(), okStatus());
  auto floats = [](float a, float b) {
    return *Tensor::fromValues<float>({2}, std::vector<float>{a, b});
  };
  for (int32_t iterations : {0, 3}) {
    auto count =
        *Tensor::fromValues<int32_t>({}, std::vector<int32_t>{iterations});
    auto result = (*session)->run(
        {{x, floats(1, 2)}, {y, floats(5, 7)}, {n, count}}, {Fetch(exit)});
    ASSERT_EQ(result.status(), okStatus());
    EXPECT_EQ((*result)[0].data<float>()[1], iterations ? 7.f : 2.f);
  }
}

} // namespace
} // namespace kiln
